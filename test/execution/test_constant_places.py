"""Constants out of bounds: an error with the place, where they are met, and no other memory."""

import numpy as np
import pytest
from mlir_gs import CompileError, compile

OUTSIDE = (-(2**63), -1, 4, 2**31, 2**62, 2**63 - 1)
LEAST = -(2**63)
OPS = {
    "tensor.extract": "%r = tensor.extract %t[%c] : {t}",
    "tensor.insert": "%w = tensor.insert %a into %t[%c] : {t}\n%r = tensor.extract %w[%z] : {t}",
    "memref.load": "%r = memref.load %m[%c] : {m}",
    "memref.store": "memref.store %a, %m[%c] : {m}\n%r = memref.load %m[%z] : {m}",
    "affine.load": "%r = affine.load %m[symbol(%c)] : {m}",
}
AROUND = {
    "always": "{op}",
    "branch": "%q = scf.if %b -> f32 {{\n{op}\nscf.yield %r : f32\n}} else {{\n"
    "scf.yield %a : f32\n}}",
    "loop": "%q = scf.for %i = %z to %n step %o iter_args(%s = %a) -> f32 {{\n{op}\n"
    "scf.yield %r : f32\n}}",
}


def program(op: str, around: str, number: int, size: str) -> str:
    types = {"t": f"tensor<{size}xf32>", "m": f"memref<{size}xf32>"}
    lines = AROUND[around].format(op=OPS[op].format(**types))
    result = "%r" if around == "always" else "%q"
    return f"""
        func.func @f(%t: {types["t"]}, %m: {types["m"]}, %a: f32, %b: i1, %n: index) -> f32 {{
          %c = arith.constant {number} : index
          %z = arith.constant 0 : index
          %o = arith.constant 1 : index
          {lines}
          return {result} : f32
        }}"""


def arguments(runs: bool) -> list:
    return [
        np.ones(4, np.float32),
        np.ones(4, np.float32),
        np.float32(3),
        np.bool_(runs),
        int(runs),
    ]


@pytest.mark.parametrize("op", OPS)
def test_a_constant_that_is_always_met_is_refused(op: str) -> None:
    for number in OUTSIDE:
        with pytest.raises(CompileError, match=rf"5:\d+: error: '{op}' op, index 0 must be at"):
            compile(program(op, "always", number, "4").replace("\n        func", "func", 1))


@pytest.mark.parametrize("op", OPS)
def test_a_constant_of_a_dynamic_size_is_an_error_of_the_call(op: str) -> None:
    kernel = compile(program(op, "always", 2**31, "?"))
    with pytest.raises(ValueError, match=rf"'{op}' op, index 0 .* expected 3, found 2147483648"):
        kernel(*arguments(True))
    assert compile(program(op, "always", 3, "?"))(*arguments(True)) in (1, 3)


@pytest.mark.parametrize("around", ["branch", "loop"])
@pytest.mark.parametrize("number", [-1, 2**31])
def test_a_constant_that_is_not_met_is_none(around: str, number: int) -> None:
    for op in ("tensor.extract", "memref.store"):
        kernel = compile(program(op, around, number, "4"))
        assert kernel(*arguments(False)) == 3
        with pytest.raises(ValueError, match=rf"'{op}' op, index 0 must be at"):
            kernel(*arguments(True))


def test_a_constant_in_a_body() -> None:
    text = """
        #i = affine_map<(d0) -> (d0)>
        func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          %c = arith.constant 7 : index
          %r = linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]}
              outs(%x : tensor<4xf32>) {
          ^bb0(%a: f32):
            %v = tensor.extract %x[%c] : tensor<4xf32>
            linalg.yield %v : f32
          } -> tensor<4xf32>
          return %r : tensor<4xf32>
        }"""
    with pytest.raises(ValueError, match=r"'tensor\.extract' op, index 0 must be at most"):
        compile(text)(np.ones(4, np.float32))


WAYS = {
    "constant": f"%c = arith.constant {LEAST} : index",
    "sum": f"%h = arith.constant {LEAST // 2} : index\n%c = arith.addi %h, %h : index",
    "index": f"%h = index.constant {LEAST // 2}\n%c = index.add %h, %h",
    "cast": f"%h = arith.constant {LEAST} : i64\n%c = arith.index_cast %h : i64 to index",
    "branch": f"%h = arith.constant {LEAST} : index\n%y = arith.constant true\n"
    "%c = scf.if %y -> index {\nscf.yield %h : index\n} else {\nscf.yield %z : index\n}",
    "element": f"%h = arith.constant dense<[{LEAST}, 0]> : tensor<2xindex>\n"
    "%c = tensor.extract %h[%z] : tensor<2xindex>",
    "block": f"%h = arith.constant {LEAST} : index\ncf.br ^b(%h : index)\n^b(%c: index):",
}
SLICES = {
    "tensor.extract_slice": "%r = tensor.extract_slice %t[{0}] [2] [{1}]"
    " : tensor<4xf32> to tensor<2xf32>",
    "tensor.insert_slice": "%r = tensor.insert_slice %u into %t[{0}] [2] [{1}]"
    " : tensor<2xf32> into tensor<4xf32>",
    "memref.subview": "%r = memref.subview %m[{0}] [2] [{1}]"
    " : memref<4xf32> to memref<2xf32, strided<[?], offset: ?>>\n"
    "%s = memref.load %r[%z] : memref<2xf32, strided<[?], offset: ?>>\n"
    "memref.store %s, %m[%z] : memref<4xf32>",
}


@pytest.mark.parametrize("op", SLICES)
@pytest.mark.parametrize("way", WAYS)
def test_upstreams_mark_of_a_dynamic_number(op: str, way: str) -> None:
    """A constant of -2^63 that is folded is taken for it, and ended the process."""
    text = SLICES[op].format(*(("%c", "%o") if len(way) % 2 else ("%z", "%c")))
    with pytest.raises((CompileError, ValueError), match=rf"'{op}' op, (offset|size|the end of)"):
        compile(f"""
            func.func @f(%t: tensor<4xf32>, %u: tensor<2xf32>, %m: memref<4xf32>) {{
              %z = arith.constant 0 : index
              %o = arith.constant 1 : index
              {WAYS[way]}
              {text}
              return
            }}""")(np.ones(4, np.float32), np.ones(2, np.float32), np.ones(4, np.float32))


def test_the_mark_as_the_stride_of_one_element() -> None:
    kernel = compile(f"""
        func.func @f(%x: tensor<4xf32>) -> tensor<1xf32> {{
          %c = arith.constant {LEAST} : index
          %r = tensor.extract_slice %x[2] [1] [%c] : tensor<4xf32> to tensor<1xf32>
          return %r : tensor<1xf32>
        }}""")
    assert kernel(np.arange(4, dtype=np.float32)) == [2]


def test_a_linear_index_by_the_mark() -> None:
    kernel = compile(f"""
        func.func @f(%i: index) -> index {{
          %c = arith.constant {LEAST} : index
          %r = affine.linearize_index [%i, %i] by (%c, %c) : index
          return %r : index
        }}""")
    assert kernel(0) == 0


def test_a_result_that_no_memory_holds() -> None:
    kernel = compile("""
        func.func @f(%a: f32, %n: index) -> tensor<?xf32> {
          %r = tensor.splat %a[%n] : tensor<?xf32>
          return %r : tensor<?xf32>
        }""")
    for size in (2**50, 2**60, 2**62, 2**63 - 1):
        with pytest.raises(MemoryError, match=rf"a result of shape \({size},\) .* does not fit"):
            kernel(np.float32(1), size)
