"""Private copies of small outputs: sums, products, minima, maxima."""

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import execution

TEXT = """
func.func @f(%updates: tensor<?{row}x{type}>, %dest: tensor<{bins}{row}x{type}>,
    %i: tensor<?x1xi64>) -> tensor<{bins}{row}x{type}> {{
  %r = "gs.scatter"(%updates, %dest, %i) ({{
  ^bb0(%current: {type}, %update: {type}):
    %new = arith.{combiner} %current, %update {flags}: {type}
    gs.yield %new : {type}
  }}) {{scatter_dims = array<i64: 0>{attributes}}}
      : (tensor<?{row}x{type}>, tensor<{bins}{row}x{type}>, tensor<?x1xi64>)
        -> tensor<{bins}{row}x{type}>
  return %r : tensor<{bins}{row}x{type}>
}}"""

COMBINERS = {
    "addf": np.add,
    "mulf": np.multiply,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
}
TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
COUNTS = (0, 1, 3, 17, 100, 40_003)


def module(
    combiner: str, type_: str, bins: int | str, row: str = "", attributes: str = "", flags: str = ""
) -> str:
    return TEXT.format(
        combiner=combiner, type=type_, bins=bins, row=row, attributes=attributes, flags=flags
    )


def drawn(
    combiner: str, rng: np.random.Generator, shape: tuple[int, ...], dtype: type
) -> np.ndarray:
    """Numbers of which any order of additions or multiplications gives the same bits."""
    if combiner == "addf":
        steps = rng.integers(-1, 2, shape)
        # A bfloat16 holds all integers up to 256: no part of a sum may pass that.
        steps[rng.permutation(shape[0])[255:]] *= dtype is not ml_dtypes.bfloat16
        return steps.astype(dtype)
    if combiner == "mulf":
        return rng.choice([-1, 1], shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def flags_of(combiner: str) -> str:
    return "fastmath<reassoc> " if combiner in ("addf", "mulf") else ""


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("bins", [1, 7, 100, "?"])
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("combiner", COMBINERS)
def test_elements(combiner: str, type_: str, bins: int | str, threads: int) -> None:
    text = module(combiner, type_, bins, flags=flags_of(combiner))
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(1)
    for size in (1, 100, 3000, 70_000) if bins == "?" else (bins,):
        for count in COUNTS:
            updates = drawn(combiner, rng, (count,), TYPES[type_])
            dest = drawn(combiner, rng, (size,), TYPES[type_])
            ids = rng.integers(0, size, (count, 1))
            expected = dest.copy()
            COMBINERS[combiner].at(expected, ids[:, 0], updates)
            for given in (updates, np.repeat(updates, 2)[::2]):
                assert kernel(given, dest, ids).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", ["drop", "clip"])
@pytest.mark.parametrize("row", ["", "x5", "x33"])
def test_out_of_bounds(row: str, mode: str, threads: int) -> None:
    """What is out of bounds reaches none of the copies, or the first or last element of one."""
    text = module("addf", "f32", 9, row, f', mode = "{mode}"', "fastmath<reassoc> ")
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(2)
    shape = [int(row[1:])] if row else []
    for count in (5, 30_001):
        updates = drawn("addf", rng, (count, *shape), np.float32)
        dest = drawn("addf", rng, (9, *shape), np.float32)
        ids = rng.integers(-4, 13, (count, 1))
        expected = dest.copy()
        inside = (ids[:, 0] >= 0) & (ids[:, 0] < 9) if mode == "drop" else slice(None)
        np.add.at(expected, ids[inside, 0].clip(0, 8), updates[inside])
        assert kernel(updates, dest, ids).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_what_copies_begin_with_changes_nothing(threads: int) -> None:
    """Sums of negative zeros are negative, elements without points keep their bits, and a NaN that
    one point brings is found."""
    kernel = execution.compile(
        module("addf", "f32", 8, flags="fastmath<reassoc> "), threads=threads
    )
    ids = np.arange(40_000)[:, None] % 7
    zeros = np.full(40_000, -0.0, np.float32)
    assert np.signbit(kernel(zeros, np.full(8, -0.0, np.float32), ids)).all()
    kept = np.array([np.nan], np.float32).view(np.uint32) | 0x1234
    dest = np.ones(8, np.float32)
    dest[7:] = kept.view(np.float32)
    assert kernel(zeros, dest, ids)[7:].view(np.uint32) == kept
    greatest = execution.compile(module("maximumf", "f32", 8), threads=threads)
    updates = np.zeros(40_000, np.float32)
    updates[20_001] = np.nan
    found = greatest(updates, np.full(8, -np.inf, np.float32), ids)
    assert np.isnan(found).tolist() == [n == 20_001 % 7 for n in range(8)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("flags", ["", "fastmath<reassoc> "], ids=["in order", "in any order"])
def test_sums_by_rounding(flags: str, threads: int) -> None:
    """In order a sum has the bits of NumPy's loop; in any order it is as near to the exact one."""
    kernel = execution.compile(module("addf", "f32", 50, flags=flags), threads=threads)
    rng = np.random.default_rng(3)
    updates = rng.standard_normal(300_000, np.float32)
    ids = rng.integers(0, 50, (300_000, 1))
    expected, exact = np.zeros(50, np.float32), np.zeros(50)
    np.add.at(expected, ids[:, 0], updates)
    np.add.at(exact, ids[:, 0], updates)
    found = kernel(updates, np.zeros(50, np.float32), ids)
    assert (found.tobytes() == expected.tobytes()) == (not flags or threads == 1)
    assert kernel(updates, np.zeros(50, np.float32), ids).tobytes() == found.tobytes()
    largest = np.bincount(ids[:, 0], np.abs(updates)).max()
    # 6,000 additions, each of which rounds to within half an ulp of a part of the sum.
    assert np.abs(found - exact).max() <= 6200 * np.finfo(np.float32).eps / 2 * largest
