"""From modules of any level, and what does not compile."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError, compile
from mlir_gs.execution.compilation.source import copy_module
from mlir_gs.frontend.parse import parse
from sources import FIRST, GATHER, identity, scatter_add

TABLE = np.arange(640, dtype=np.float32).reshape(10, 64)
IDS = np.array([3, 9, 3])


def test_a_module_is_not_changed() -> None:
    with dialect.context():
        module = parse(GATHER)
        before = str(module)
        kernel = compile(module)
        assert str(module) == before
        np.testing.assert_array_equal(compile(module.operation)(TABLE, IDS), TABLE[IDS])
    del module
    gc.collect()
    np.testing.assert_array_equal(kernel(TABLE[::2], IDS // 2), TABLE[::2][IDS // 2])


def test_a_built_reshape_with_a_group_of_no_dims() -> None:
    with dialect.context(), ir.Location.unknown():
        shape = "tensor<6x1xf32>"
        module = ir.Module.parse(f"func.func @f(%x: {shape}) -> {shape} {{ return %x : {shape} }}")
        block = module.body.operations[0].regions[0].blocks[0]
        attributes = {
            "reassociation": ir.Attribute.parse("[[0, 1], []]"),
            "static_output_shape": ir.DenseI64ArrayAttr.get([6, 1]),
        }
        (x,) = block.arguments
        with ir.InsertionPoint.at_block_begin(block):
            ir.Operation.create("tensor.expand_shape", [x.type], [x], attributes)
        for make in (compile, copy_module):
            with pytest.raises(CompileError, match="op has a group of no dims"):
                make(module)


MISSING = """
llvm.func @unused(f32)
llvm.func @floorf(f32) -> f32
{declared}
func.func @f(%x: tensor<4xf32>) -> f32 {{
  %i = arith.constant 0 : index
  %a = tensor.extract %x[%i] : tensor<4xf32>
  %b = llvm.call @floorf(%a) : (f32) -> f32
  {used}
  return %b : f32
}}"""


POINTER = "%g = llvm.mlir.addressof @g : !llvm.ptr\nllvm.call %g() : !llvm.ptr, () -> ()"
STORE = "%g = memref.get_global @g : memref<f32>\nmemref.store %b, %g[] : memref<f32>"


@pytest.mark.parametrize(
    ("declared", "used"),
    [
        ("func.func private @g()", "func.call @g() : () -> ()"),
        ("llvm.func @g()", "llvm.call @g() : () -> ()"),
        ("llvm.func @g()", POINTER),
        ("memref.global @g : memref<f32>", STORE),
    ],
)
def test_what_nothing_defines(declared: str, used: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = MISSING.format(declared=declared, used=used)
    with pytest.raises(CompileError, match=r"^it uses what nothing defines: g$"):
        compile(text)
    assert not capfd.readouterr().err
    kernel = compile(MISSING.format(declared=declared, used=""))
    assert kernel(np.full(4, 1.5, np.float32)) == 1


def test_upstream_gather_and_scatter() -> None:
    kernel = compile("""
    func.func @f(%s: tensor<?x64xf32>, %i: tensor<?x1xindex>) -> tensor<?x64xf32> {
      %r = tensor.gather %s[%i] gather_dims([0])
          : (tensor<?x64xf32>, tensor<?x1xindex>) -> tensor<?x64xf32>
      return %r : tensor<?x64xf32>
    }""")
    np.testing.assert_array_equal(kernel(TABLE, IDS[:, None]), TABLE[IDS])


def test_loops_on_memrefs() -> None:
    kernel = compile("""
    func.func @sum(%a: memref<?xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %n = memref.dim %a, %c0 : memref<?xf32>
      %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = arith.addf %acc, %x : f32
        scf.yield %y : f32
      }
      return %s : f32
    }""")
    assert kernel(np.arange(5, dtype=np.float32)) == 10


def test_the_entry() -> None:
    two = "func.func @a() -> index { %c = arith.constant 1 : index\n return %c : index }\n"
    two += two.replace("@a", "@b").replace("constant 1", "constant 2")
    assert compile(two, "a")() == 1
    assert compile(two, entry="b")() == 2
    assert compile(two.replace("@b", "@main"))() == 2
    assert compile(two.replace("@a", "private @a"))() == 2
    with pytest.raises(CompileError, match=r"Name one as the entry: the module has a, b$"):
        compile(two)
    with pytest.raises(CompileError, match=r"no function 'c' with a body: the module has a, b$"):
        compile(two, "c")
    with pytest.raises(CompileError, match=r"^the module has no func.func with a body$"):
        compile("func.func private @a()")
    with pytest.raises(CompileError, match=r"body: an llvm.func does not say which arguments"):
        compile("llvm.func @a() { llvm.return }")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("func.func @f() { retur }", "-:1:18: error: custom op 'retur' is unknown"),
        (identity("tensor<?xi7>"), "argument 0: no array has elements of i7"),
        (identity("tensor<*xf32>"), "argument 0: a tensor<*xf32> cannot be passed"),
        (identity("memref<?xf32, 1>"), "argument 0: memory space 1"),
        (identity("memref<?xf32, affine_map<(d) -> (d floordiv 2)>>"), "is not strided"),
        (
            'func.func @f() {\n  "test.unknown"() : () -> ()\n  return\n}',
            "-:2:17: error: operation being parsed with an unregistered dialect",
        ),
        (
            "func.func @f() -> index {\n  %x = gpu.thread_id x\n  return %x : index\n}",
            "-:2:8: error: 'gpu.thread_id' has no lowering to LLVM",
        ),
    ],
)
def test_what_does_not_compile(source: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        compile(source)
    assert message in str(error.value)
    assert "\n" not in str(error.value).strip()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads(threads: int) -> None:
    kernel = compile(
        """
    func.func @f(%a: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %n = memref.dim %a, %c0 : memref<?xf32>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = arith.addf %x, %one : f32
        memref.store %y, %a[%i] : memref<?xf32>
      }
      return
    }""",
        threads=threads,
    )
    a = np.zeros(1001, np.float32)
    for _ in range(5):
        kernel(a)
    assert (a == 5).all()


def test_compiling_and_calling_from_several_threads() -> None:
    failures: list[BaseException] = []
    shared = compile(GATHER)

    def work(seed: int) -> None:
        try:
            rng = np.random.default_rng(seed)
            own = compile(GATHER if seed % 2 else scatter_add())
            for _ in range(200):
                ids = rng.integers(0, 10, 5)
                np.testing.assert_array_equal(shared(TABLE, ids), TABLE[ids])
                np.testing.assert_array_equal(shared(TABLE[::-1], ids), TABLE[::-1][ids])
                if seed % 2:
                    np.testing.assert_array_equal(own(TABLE, ids), TABLE[ids])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_calls_do_not_leak(resident) -> None:
    rows, first = compile(GATHER), compile(FIRST)
    values = np.array([1000], np.float32)

    def call() -> None:
        rows(TABLE, IDS)
        rows(TABLE[::-1], IDS)
        first(values)

    assert resident(call, 5000) < 2000


def test_kernels_do_not_leak(resident) -> None:
    def call() -> None:
        compile(scatter_add("error"), threads=1)

    resident(call, 30)  # what the allocator keeps of the first ones
    assert resident(call, 30) < 3000


def test_attributes_of_a_module_are_kept() -> None:
    with dialect.context():
        module = parse(f'module attributes {{my.note = "x"}} {{ {GATHER} }}')
        np.testing.assert_array_equal(compile(module)(TABLE, IDS), TABLE[IDS])


@pytest.mark.parametrize("sizes", ["?,?", "3,?", "?,5", "3,5"])
@pytest.mark.parametrize("columns", ["", "x4", "x?"])
def test_concatenated_parts(sizes: str, columns: str) -> None:
    first, second = (f"tensor<{size}{columns}xf32>" for size in sizes.split(","))
    both = f"tensor<{'?' if '?' in sizes else 8}{columns}xf32>"
    source = f"""func.func @f(%a: {first}, %b: {second}) -> {both} {{
      %c = tensor.concat dim(0) %a, %b : ({first}, {second}) -> {both}
      return %c : {both}
    }}"""
    shape = () if columns == "" else (4,)
    a, b = (np.random.default_rng(n).random((n, *shape), np.float32) for n in (3, 5))
    np.testing.assert_array_equal(compile(source, "f")(a, b), np.concatenate([a, b]))


ENGINES = """
import sys
import numpy as np
from mlir_gs.execution import compile
from mlir_gs.execution.generated.blocks import _alive, leave_to_system
first, second = (compile(text) for text in sys.argv[1:])
assert first.function is first.function, "tvm-ffi's functions hold the code, too"
assert len(_alive) == 2
del first
assert len(_alive) == 1, "a kernel that goes takes its code along"
(block,) = _alive
before = sys.getrefcount(block)
leave_to_system()
assert sys.getrefcount(block) == before + 1
del second
assert list(_alive) == [block]
"""


def test_engines_go_with_their_kernels_but_not_at_the_end_of_the_process() -> None:
    texts = [identity("tensor<3xf32>"), identity("tensor<4xf32>")]
    environment = {**os.environ, "MLIR_GS_CACHE": "off"}
    subprocess.run([sys.executable, "-P", "-c", ENGINES, *texts], env=environment, check=True)
