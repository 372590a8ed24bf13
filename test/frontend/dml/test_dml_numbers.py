"""DirectML's GATHER and SLICE1, run: the published examples and NumPy's spelling."""

import numpy as np
import pytest
from frontend_harness import check
from mlir_gs import dialect
from mlir_gs.dialect._bindings import dialect as upstream
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend import dml

func = upstream("func")
PASS = "convert-dml-to-gs"
SEED = 1903
DTYPES = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    **{f"{sign}{bits}": np.dtype(f"int{bits}") for sign in ("i", "si") for bits in (64, 32, 16, 8)},
    **{f"ui{bits}": np.dtype(f"uint{bits}") for bits in (64, 32, 16, 8)},
}
INDICES = {k: v for k, v in DTYPES.items() if k.endswith(("i64", "i32"))}


def sizes(array: np.ndarray, dynamic: bool = False) -> str:
    # A dim of size 1 may be one that is cropped, which has to be static.
    return "".join("?x" if dynamic and n != 1 else f"{n}x" for n in array.shape)


def gather(
    x: np.ndarray,
    i: np.ndarray,
    axis: int,
    index_dimensions: int,
    expected: np.ndarray,
    element: str = "f32",
    index: str = "ui32",
    dynamic: bool = False,
) -> None:
    types = [
        f"tensor<{sizes(array, dynamic)}{kind}>"
        for array, kind in ((x, element), (i, index), (expected, element))
    ]
    text = f"""
func.func @f(%x: {types[0]}, %i: {types[1]}) -> {types[2]} {{
  %y = "dml.gather"(%x, %i) {{axis = {axis} : i32, index_dimensions = {index_dimensions} : i32}}
      : ({types[0]}, {types[1]}) -> {types[2]}
  return %y : {types[2]}
}}"""
    check(text, PASS, [x, i], expected)


EXAMPLES = [
    (0, 1, [11, 12, 13, 14], [3, 1, 3, 0, 2], [14, 12, 14, 11, 13]),
    (0, 1, [[1, 2], [3, 4], [5, 6]], [[0, 1, 1, 2]], [[1, 2], [3, 4], [3, 4], [5, 6]]),
    (1, 2, [[1, 2], [3, 4], [5, 6]], [[1, 0]], [[2, 1], [4, 3], [6, 5]]),
    (2, 2, [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]], [[[0, 2]]], [[[1, 3]], [[4, 6]], [[7, 9]]]),
    (
        *(1, 2, [[[1, 2], [3, 4], [5, 6]]], [[[0, 1], [1, 2]]]),
        [[[1, 2], [3, 4]], [[3, 4], [5, 6]]],
    ),
]


@pytest.mark.parametrize("number", range(5))
def test_gather_examples(number: int) -> None:
    axis, index_dimensions, x, i, y = EXAMPLES[number]
    arrays = [np.array(x, np.float32), np.array(i, np.uint32), np.array(y, np.float32)]
    gather(arrays[0], arrays[1], axis, index_dimensions, arrays[2])


def numbers(rng: np.random.Generator, element: str, shape: list[int]) -> np.ndarray:
    return rng.integers(0, 100, shape).astype(DTYPES[element])


def spelled(x: np.ndarray, i: np.ndarray, axis: int, index_dimensions: int) -> np.ndarray:
    """NumPy: wrap, clamp, take, right-align."""
    n = x.shape[axis]
    i = i.astype(object)
    i = np.clip(np.where(i < 0, i + n, i), 0, n - 1).astype(np.int64)
    taken = np.take(x, i.reshape(i.shape[i.ndim - index_dimensions :]), axis=axis)
    shape = list(taken.shape)
    while len(shape) > x.ndim:
        shape.remove(1)
    return taken.reshape([1] * (x.ndim - len(shape)) + shape)


@pytest.mark.parametrize("element", DTYPES)
def test_gather_data_types(element: str) -> None:
    rng = np.random.default_rng(SEED)
    x = numbers(rng, element, [5, 3, 4])
    i = rng.integers(0, 3, (1, 1, 6)).astype(np.uint32)
    gather(x, i, 1, 1, spelled(x, i, 1, 1), element)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("index", INDICES)
def test_gather_wraps_and_clamps(index: str, axis: int) -> None:
    rng = np.random.default_rng(SEED)
    x = numbers(rng, "f32", [5, 4])
    limits = np.iinfo(INDICES[index])
    values = [0, 3, 4, 5, 100, limits.max, limits.max - 1]
    values += [-1, -4, -5, -6, -100, limits.min] if limits.min < 0 else [2**31, 2**31 + 1]
    i = np.array([values], INDICES[index])
    gather(x, i, axis, 1, spelled(x, i, axis, 1), "f32", index)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("rank", range(1, 9))
def test_gather_ranks(rank: int, dynamic: bool) -> None:
    """Random sizes and numbers of index dims, with as many leading 1s as they need."""
    rng = np.random.default_rng([SEED, rank, dynamic])
    for _ in range(3):
        count = int(rng.integers(0, rank + 1))
        axis = int(rng.integers(0, rank))
        shape = [int(n) for n in rng.integers(2, 4, rank)]
        index_shape = [1] * (rank - count) + [int(n) for n in rng.integers(2, 4, count)]
        crop = max(count - 1, 0)
        from_input = min(crop, axis)
        shape[:from_input] = [1] * from_input
        first = rank - count
        index_shape[first : first + crop - from_input] = [1] * (crop - from_input)
        x = numbers(rng, "f32", shape)
        i = rng.integers(-shape[axis], shape[axis], index_shape)
        gather(x, i, axis, count, spelled(x, i, axis, count), "f32", "i64", dynamic)


X = np.arange(1, 17, dtype=np.float32).reshape(1, 1, 4, 4)


def slice1(
    x: np.ndarray, window: tuple[list[int], list[int], list[int]], y: np.ndarray, element: str
) -> None:
    offsets, window_sizes, strides = (f"array<i64: {', '.join(map(str, v))}>" for v in window)
    types = [f"tensor<{sizes(array)}{element}>" for array in (x, y)]
    text = f"""
func.func @f(%x: {types[0]}) -> {types[1]} {{
  %y = "dml.slice1"(%x) {{offsets = {offsets}, sizes = {window_sizes}, strides = {strides}}}
      : ({types[0]}) -> {types[1]}
  return %y : {types[1]}
}}"""
    check(text, PASS, [x], y)


@pytest.mark.parametrize(
    ("strides", "expected"),
    [([1, 1, 2, 2], [[2, 4], [10, 12]]), ([1, 1, -2, 2], [[14, 16], [6, 8]])],
)
def test_slice1_examples(strides: list[int], expected: list[list[int]]) -> None:
    y = np.array([[expected]], np.float32)
    slice1(X, ([0, 0, 0, 1], [1, 1, 4, 3], strides), y, "f32")


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("rank", [1, 2, 5, 8])
def test_slice1(rank: int, element: str) -> None:
    """Random windows and strides, some with fewer outputs than they allow."""
    rng = np.random.default_rng([SEED, rank])
    shape = [int(n) for n in rng.integers(1, 5, rank)]
    x = numbers(rng, element, shape)
    offsets = [int(rng.integers(0, n)) for n in shape]
    window = [int(rng.integers(1, n - o + 1)) for n, o in zip(shape, offsets, strict=True)]
    strides = [int(s) for s in rng.choice([-3, -2, -1, 1, 2, 3], rank)]
    cuts = []
    for offset, size, stride in zip(offsets, window, strides, strict=True):
        found = range(offset, offset + size)[:: abs(stride)]
        if stride < 0:
            found = range(offset, offset + size)[::-1][:: abs(stride)]
        cuts.append(list(found)[: int(rng.integers(1, len(found) + 1))])
    slice1(x, (offsets, window, strides), x[np.ix_(*cuts)], element)


def test_builders_take_the_fields_of_the_descriptors() -> None:
    with dialect.context(), ir.Location.unknown():
        f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):

            @func.FuncOp.from_py_func(
                ir.RankedTensorType.get([1, 3, 2], f32),
                ir.RankedTensorType.get([1, 2, 2], i32),
                ir.RankedTensorType.get(X.shape, f32),
            )
            def f(x: ir.Value, i: ir.Value, s: ir.Value) -> list[ir.Value]:
                window = ([0, 0, 0, 1], [1, 1, 4, 3], [1, 1, -2, 2])
                return [
                    dml.gather(x, i, axis=1, index_dimensions=2),
                    dml.slice1(s, *window),
                    dml.slice1(s, *window, output_sizes=[1, 1, 1, 2]),
                ]

        assert module.operation.verify()
        text = str(module)
    axis, index_dimensions, x, i, y = EXAMPLES[4]
    assert f"axis = {axis} : i32, index_dimensions = {index_dimensions} : i32" in text
    sliced = np.array([[[[14, 16], [6, 8]]]], np.float32)
    arrays = [np.array(x, np.float32), np.array(i, np.int32), X]
    check(text, PASS, arrays, np.array(y, np.float32), sliced, sliced[:, :, :1])


def test_builders_refuse() -> None:
    with dialect.context(), ir.Location.unknown():
        f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)

        def value(element: ir.Type, *shape: int) -> ir.Value:
            type_ = ir.RankedTensorType.get(shape, element)
            return ir.Operation.create("tensor.empty", results=[type_]).result

        with ir.InsertionPoint(ir.Module.create().body):
            x, i = value(f32, 3, 4), value(i32, 2, 5)
            with pytest.raises(ValueError, match=r"no output of rank 2"):
                dml.gather(x, i, axis=0, index_dimensions=2)
            with pytest.raises(ValueError, match=r"axis must be in \[0, 1\], found 2"):
                dml.gather(x, i, axis=2, index_dimensions=1)
            with pytest.raises(ValueError, match=r"same rank, found 2 and 1"):
                dml.gather(x, value(i32, 5), axis=0, index_dimensions=1)
            with pytest.raises(ValueError, match=r"strides must not be 0"):
                dml.slice1(x, [0, 0], [1, 1], [0, 1])
