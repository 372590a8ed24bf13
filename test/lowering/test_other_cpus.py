"""What kernels become on CPUs that this machine may not have: assembly for NEON and AVX2.

LLVM of llvmlite makes it, which knows all CPUs; it is read, not run.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import dialect as bindings_of
from mlir_gs.execution.compilation.lower import lowered
from mlir_gs.execution.machine import cpu as this_cpu
from mlir_gs.execution.machine import host
from mlir_gs.frontend.parse import parse


class Cpu(NamedTuple):
    """What LLVM calls a CPU, what Linux says of it, and its instructions for vectors: loads, stores
    and additions of f32, prefetches, gathers; and how lines mention the stack."""

    triple: str
    name: str
    identity: str
    load: str
    store: str
    add: str
    prefetch: str
    gather: str
    stack: str


CPUS = {
    "NEON": Cpu(
        "aarch64-linux-gnu",
        "neoverse-n1",
        "Features : fp asimd\nCPU implementer : 0x41",
        r"ld[pr]\s+q\d+",
        r"st[pr]\s+q\d+",
        r"fadd\s+v\d+\.4s",
        r"prfm\s+pldl\dkeep",
        r"ld1\w\s+\{ z",
        r"\[sp",
    ),
    "AVX2": Cpu(
        "x86_64-linux-gnu",
        "haswell",
        "vendor_id : GenuineIntel\ncpu family : 6\nflags : sse2 avx2",
        r"vmovups\s+.*\), %ymm",
        r"vmovups\s+%ymm\d+, .*\(",
        r"vaddps\s+.*%ymm",
        r"prefetcht\d",
        r"vgather",
        r"\(%rsp\)",
    ),
}

ROWS = """
func.func @f(%table: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %r = gs.gather %table[%i] gather_dims([0])
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}"""
ELEMENTS = """
func.func @f(%table: tensor<?xTYPE>, %i: tensor<?x1xi32>) -> tensor<?xTYPE> {
  %r = "gs.gather"(%table, %i) {gather_dims = array<i64: 0>MODE}
      : (tensor<?xTYPE>, tensor<?x1xi32>) -> tensor<?xTYPE>
  return %r : tensor<?xTYPE>
}"""
ADD = """
func.func @f(%updates: tensor<5000x64xf32>, %i: tensor<5000x1xi64>,
    %dest: tensor<ROWSx64xf32> {bufferization.writable = true}) -> tensor<ROWSx64xf32> {
  %r = gs.scatter %updates into %dest[%i] scatter_dims([0]) combine(add)
      : (tensor<5000x64xf32>, tensor<ROWSx64xf32>, tensor<5000x1xi64>) -> tensor<ROWSx64xf32>
  return %r : tensor<ROWSx64xf32>
}"""
BAGS = """
func.func @f(%table: tensor<?x128xf32>, %i: tensor<?x?xi64>, %zeros: tensor<?x128xf32>)
    -> tensor<?x128xf32> {
  %r = gs.generic (b, k, j) [s = %i[b, k]]
      ins(%table[s, j]) outs(%zeros[b, j]) iterators(b = parallel, k = reduction, j = parallel)
      : (tensor<?x128xf32>, tensor<?x?xi64>, tensor<?x128xf32>) -> tensor<?x128xf32> {
  ^bb0(%row: f32, %sum: f32):
    %new = arith.addf %sum, %row : f32
    gs.yield %new : f32
  }
  return %r : tensor<?x128xf32>
}"""

Compile = Callable[[str], str]


@pytest.fixture(params=CPUS)
def cpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cpu]:
    """This machine is taken for one of `CPUS`."""
    found = CPUS[request.param]
    monkeypatch.setattr(this_cpu, "identity", lambda: found.identity)
    monkeypatch.setattr(this_cpu.platform, "machine", lambda: found.triple.partition("-")[0])
    host._system.cache_clear()
    yield found
    host._system.cache_clear()


@pytest.fixture
def assembly(cpu: Cpu, needs: Callable[[str], Any]) -> Compile:
    """From a function `f` to its assembly for that CPU."""
    llvm = needs("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()

    def compile(text: str) -> str:
        with dialect.context() as context:
            source = parse(text, context)
        module = lowered(source, "f", threads=1)
        text = bindings_of("llvm").translate_module_to_llvmir(module.operation)
        found = llvm.parse_assembly(text)
        found.triple = cpu.triple
        target = llvm.Target.from_triple(cpu.triple).create_target_machine(cpu=cpu.name, opt=2)
        found.data_layout = str(target.target_data)
        tuning = llvm.create_pipeline_tuning_options(speed_level=2)
        builder = llvm.create_pass_builder(target, tuning)
        builder.getModulePassManager().run(found, builder)
        # Without what runs in case of errors.
        return re.sub(r"(?ms)^__gs_(?!kernel)\w+:.*?^\.Lfunc_end", "", target.emit_assembly(found))

    return compile


def _loops(text: str) -> list[str]:
    """The innermost loops: what lies between a label and a jump back to it."""
    lines = text.splitlines()
    places = {line.partition(":")[0]: n for n, line in enumerate(lines) if line.startswith(".L")}
    found = []
    for number, line in enumerate(lines):
        jump = re.match(r"\t(?:j\w+|b[.\w]*|cbn?z|tbn?z)\s+(?:.*, )?(\.L\w+)$", line)
        if jump and places.get(jump[1], number) < number:
            found.append((places[jump[1]], number))
    inner = [a for a in found if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in found)]
    texts = ["\n".join(lines[first:last]) for first, last in inner]
    # What lies behind a return are blocks that hardly ever run, and come back from there.
    return [text for text in texts if not re.search(r"\tretq?\b", text)]


def test_rows(cpu: Cpu, assembly: Compile) -> None:
    """Rows move in whole registers, those that come next are asked for, and nothing is called."""
    text = assembly(ROWS)
    assert re.search(cpu.load, text)
    assert re.search(cpu.store, text)
    assert re.search(cpu.prefetch, text)
    assert not re.search(r"\t(bl|callq?)\s", text)
    assert "zmm" not in text


# Of a value that every LLVM writes in the same way.
FILLED = ', mode = "fill", fill_value = VALUE : TYPE'


@pytest.mark.parametrize("mode", ["", ', mode = "clip"', FILLED, ", wrap_negative"])
@pytest.mark.parametrize("element", ["f32", "f64", "f16", "i8"])
def test_elements(element: str, mode: str, cpu: Cpu, assembly: Compile) -> None:
    """Elements are read one by one: neither core gathers as fast. Loops call nothing."""
    mode = mode.replace("VALUE", "1" if element == "i8" else "1.0")
    text = assembly(ELEMENTS.replace("MODE", mode).replace("TYPE", element))
    assert not re.search(cpu.gather, text)
    loops = _loops(text)
    assert loops
    for loop in loops:
        assert not re.search(r"\t(bl|callq?)\s", loop)


@pytest.mark.parametrize("rows", [8, 1000, 1_000_000])
def test_sums_of_rows(rows: int, cpu: Cpu, assembly: Compile) -> None:
    """A row of the output is added to in whole registers: where neighbours have equal coordinates
    it stays there, else it is read and written. All sizes are known: else there are loops with
    prefetches and loops without."""
    text = assembly(ADD.replace("ROWS", str(rows)))
    loops = [loop for loop in _loops(text) if re.search(cpu.add, loop)]
    assert sum(bool(re.search(cpu.store, loop)) for loop in loops) == 1
    assert len(loops) <= 2
    for loop in loops:
        assert len(re.findall(cpu.add, loop)) == 64 // (4 if "fadd" in cpu.add else 8)
        assert not re.search(cpu.stack, loop)


def test_bags_stay_in_registers(cpu: Cpu, assembly: Compile) -> None:
    """Sums of rows run with the output in registers, of which there are enough."""
    loops = [loop for loop in _loops(assembly(BAGS)) if re.search(cpu.add, loop)]
    assert loops
    for loop in loops:
        assert not re.search(cpu.stack, loop)
        assert not re.search(cpu.store, loop)
