"""convert-gs-to-stablehlo: StableHLO's own interpreter gives what the reference of gs gives, and so
does what is imported again. `python test/frontend/stablehlo/test_to_stablehlo.py 2000` runs more.
"""

import re
import sys
from typing import Any

import mlir_gs
import numpy as np
import pytest
import stablehlo_harness as harness
from mlir_gs.lowering import PassFailure, run_pipeline

DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i8": np.int8, "i64": np.int64}
COMBINERS = {
    "f": ("add", "mul", "min", "max"),
    "i": ("add", "mul", "min", "max", "and", "or", "xor"),
}
PROGRAMS = 25


def spelled(shape: tuple[int, ...], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def program(rng: np.random.Generator) -> tuple[str, list[np.ndarray]]:
    """One op of random shapes, and arguments, a third of the coordinates out of bounds."""
    rank = int(rng.integers(1, 5))
    shape = tuple(int(n) for n in rng.integers(1, 5, rank))
    batch = int(rng.integers(0, rank))
    count = int(rng.integers(1, rank - batch + 1))
    dims = sorted(int(d) for d in rng.choice(range(batch, rank), count, replace=False))
    leading = shape[:batch] + tuple(int(n) for n in rng.integers(0, 4, rng.integers(0, 3)))
    element = str(rng.choice(list(DTYPES)))
    is_unit = rng.random() < 0.4
    rest = tuple(
        1 if dim in dims else size
        for dim, size in enumerate(shape)
        if dim >= batch and (is_unit or dim not in dims)
    )
    index = str(rng.choice(["i32", "i64", "i16"]))
    operand = rng.integers(-9, 9, shape).astype(DTYPES[element])
    most = np.array([shape[dim] for dim in dims])
    indices = rng.integers(-most - 1, 2 * most + 1, (*leading, count)).astype(
        DTYPES.get(index, np.int16)
    )
    types = {"x": spelled(shape, element), "i": spelled((*leading, count), index)}
    types["u"] = spelled((*leading, *rest), element)
    clauses = f" batch_dims({batch})" if batch else ""
    if rng.random() < 0.5:
        if rng.random() < 0.5:
            indices = np.clip(indices, 0, most - 1).astype(indices.dtype)
        else:
            clauses += str(rng.choice([" mode(clip)", " mode(fill)"]))
            clauses += str(rng.choice(["", " wrap_negative"]))
        op = f"gs.gather %x[%i] gather_dims({dims}){clauses} : ({types['x']}, {types['i']})"
        return function(op, types, "xi", "u"), [operand, indices]
    if rng.random() < 0.7:
        clauses += str(rng.choice([" mode(drop)", " mode(clip)"]))
        clauses += str(rng.choice(["", " wrap_negative"]))
    else:
        indices = np.clip(indices, 0, most - 1).astype(indices.dtype)
    combiner = rng.choice(COMBINERS[element[0]])
    updates = rng.integers(-3, 4, (*leading, *rest)).astype(DTYPES[element])
    op = f"gs.scatter %u into %x[%i] scatter_dims({dims}){clauses} combine({combiner})"
    if rng.random() < 0.25:
        # The last of the updates stays.
        op = op.replace(f" combine({combiner})", "")
    op += f" : ({types['u']}, {types['x']}, {types['i']})"
    return function(op, types, "uxi", "x"), [updates, operand, indices]


def function(op: str, types: dict[str, str], arguments: str, result: str) -> str:
    listed = ", ".join(f"%{name}: {types[name]}" for name in arguments)
    return (
        f"func.func @main({listed}) -> {types[result]} {{\n"
        f"  %0 = {op} -> {types[result]}\n  return %0 : {types[result]}\n}}"
    )


def check(text: str, arguments: list[np.ndarray]) -> None:
    module = mlir_gs.parse(text)
    expected = harness.referenced(module, arguments)
    run_pipeline(module, "convert-gs-to-stablehlo")
    assert "gs." not in str(module), text
    found = harness.interpreted(str(module), arguments)
    harness.assert_same(found, expected, text)
    again = harness.referenced(harness.imported(str(module)), arguments)
    harness.assert_same(again, expected, text)


def test_stablehlo_means_the_same() -> None:
    rng = np.random.default_rng(7)
    for _ in range(PROGRAMS):
        check(*program(rng))


@pytest.mark.parametrize(
    ("shape", "offsets", "sizes", "strides"),
    [
        ((7,), [1], [5], [2]),
        ((7,), [1], [5], [-2]),
        ((5, 6), [0, 2], [5, 1], [-1, 3]),
        ((3, 1, 4), [2, 0, 0], [1, 1, 4], [1, -1, -3]),
    ],
)
def test_slices_mean_the_same(shape: Any, offsets: Any, sizes: Any, strides: Any) -> None:
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    left = tuple(1 + (n - 1) // abs(s) for n, s in zip(sizes, strides, strict=True))
    op = f"gs.strided_slice %x{offsets} {sizes} {strides} : ({spelled(shape, 'f32')})"
    types = {"x": spelled(shape, "f32"), "r": spelled(left, "f32")}
    check(function(op, types, "x", "r"), [array])


def test_unsigned_and_boolean_elements() -> None:
    types = {"u": "tensor<3xi1>", "x": "tensor<4xi1>", "i": "tensor<3x1xui8>"}
    op = "gs.scatter %u into %x[%i] scatter_dims([0]) mode(drop) combine(or)"
    op += " : (tensor<3xi1>, tensor<4xi1>, tensor<3x1xui8>)"
    arguments = [
        np.array([1, 0, 1], bool),
        np.zeros(4, bool),
        np.array([[2], [0], [200]], np.uint8),
    ]
    module = mlir_gs.parse(function(op, types, "uxi", "x"))
    run_pipeline(module, "convert-gs-to-stablehlo")
    (found,) = harness.interpreted(str(module), arguments)
    assert found.tolist() == [False, False, True, False]


GENERIC = """
func.func @main(%x: tensor<5x6xf32>, %i: tensor<4x2xi32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = gs.generic (n, k) [r = %i[n, 0] mode(fill_or_drop), c = %i[n, 1] mode(clip)]
      ins(%x[r, c + k * 2 + 1]) outs(%y[n, k]) iterators(n = parallel, k = parallel)
      : (tensor<5x6xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> tensor<4x3xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r : tensor<4x3xf32>
}"""


def test_a_generic_of_windows() -> None:
    x = np.arange(30, dtype=np.float32).reshape(5, 6)
    indices = np.array([[0, 0], [4, 7], [5, 0], [2, -9]], np.int32)
    check(GENERIC, [x, indices, np.zeros((4, 3), np.float32)])


@pytest.mark.parametrize("op", ["gather_elements", "scatter_elements"])
def test_elements(op: str) -> None:
    x, j = np.arange(12, dtype=np.float32).reshape(4, 3), np.array([[3, 0, 1], [3, 2, -9]])
    types = {"x": "tensor<4x3xf32>", "j": "tensor<2x3xi64>", "u": "tensor<2x3xf32>"}
    if op == "gather_elements":
        text = f"gs.gather_elements %x[%j] dim(0) mode(fill) : ({types['x']}, {types['j']})"
        check(function(text, types, "xj", "u"), [x, j])
        return
    text = "gs.scatter_elements %u into %x[%j] dim(0) mode(drop)"
    text += f" : ({types['u']}, {types['x']}, {types['j']})"
    check(function(text, types, "uxj", "x"), [-x[:2], x, j])


@pytest.mark.parametrize(
    ("op", "why"),
    [
        (
            "gs.gather %x[%n] gather_dims([0]) : (X, N) -> tensor<2xf32>",
            "it has elements of index",
        ),
        (
            "gs.gather %d[%i] gather_dims([0]) : (D, I) -> tensor<3x?xf32>",
            "'source' has size ? in 1",
        ),
        (
            "gs.gather %x[%i] gather_dims([0]) mode(error) : (X, I) -> tensor<3xf32>",
            "it must not be mode 'error'",
        ),
        (
            "gs.scatter %u into %x[%i] scatter_dims([0]) combine(minnum) : (U, X, I) -> X",
            "it combines by arith.minnumf on f32",
        ),
        (
            "gs.scatter %v into %b[%i] scatter_dims([0]) combine(add) : (V, B, I) -> B",
            "it combines by arith.addi on i1",
        ),
    ],
)
def test_forms_that_stablehlo_has_not(op: str, why: str) -> None:
    types = {
        "x": "tensor<4xf32>", "n": "tensor<2x1xindex>", "d": "tensor<4x?xf32>",
        "i": "tensor<3x1xi32>", "u": "tensor<3xf32>",
        "v": "tensor<3xi1>", "b": "tensor<4xi1>",
    }  # fmt: skip
    op = re.sub(r"\b[A-Z]\b", lambda found: types[found[0].lower()], op)
    listed = ", ".join(f"%{name}: {type_}" for name, type_ in types.items())
    refuse(f"func.func @main({listed}) {{\n  %0 = {op}\n  return\n}}", why)


def test_ops_on_memrefs() -> None:
    types = "tensor<4xf32>, tensor<3x1xi32>"
    text = f"""
    func.func @main(%x: tensor<4xf32>, %i: tensor<3x1xi32>) -> tensor<3xf32> {{
      %0 = gs.gather %x[%i] gather_dims([0]) : ({types}) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }}"""
    refuse(text, "it is on memrefs", "gs-generalize,gs-bufferize,")


def refuse(text: str, why: str, before: str = "") -> None:
    with pytest.raises(PassFailure) as error:
        run_pipeline(mlir_gs.parse(text), f"{before}convert-gs-to-stablehlo")
    assert "has no form in StableHLO" in str(error.value)
    assert why in str(error.value)


if __name__ == "__main__":
    generator = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(int(sys.argv[1])):
        check(*program(generator))
    print(f"{sys.argv[1]} programs: equal to the reference, in StableHLO and imported again")
