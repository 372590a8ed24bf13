"""Reductions whose order is free run in lanes: every combiner and size against NumPy."""

import itertools
from typing import Any

import mlir_gs
import numpy as np
import pytest

COMBINERS: dict[str, tuple[str, Any]] = {
    "addi": ("i32", np.add), "muli": ("i32", np.multiply), "andi": ("i32", np.bitwise_and),
    "ori": ("i32", np.bitwise_or), "xori": ("i32", np.bitwise_xor),
    "minsi": ("i32", np.minimum), "maxsi": ("i32", np.maximum), "minui": ("i32", np.minimum),
    "maxui": ("i32", np.maximum), "minimumf": ("f32", np.minimum), "maximumf": ("f32", np.maximum),
    "addf": ("f32", np.add), "mulf": ("f32", np.multiply),
}  # fmt: skip

SEGMENTS = """operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0,
 0, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0>"""


def module(combiner: str, columns: str, flags: str) -> str:
    """dest[i] combined with source[rows[i, j], k] for all j and k."""
    element = COMBINERS[combiner][0]
    return f"""
func.func @f(%source: tensor<?x{columns}x{element}>, %rows: tensor<?x?xi64>,
    %dest: tensor<?x{element}>) -> tensor<?x{element}> {{
  %0 = "gs.generic"(%source, %rows, %dest) ({{
  ^bb0(%x: {element}, %current: {element}):
    %new = arith.{combiner} %current, %x {flags} : {element}
    gs.yield %new : {element}
  }}) {{coordinate_maps = [[affine_map<(d0, d1, d2)[s0] -> (d0, d1)>]],
       indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>,
                        affine_map<(d0, d1, d2)[s0] -> (d0)>],
       iterator_types = ["parallel", "reduction", "reduction"], {SEGMENTS}}}
       : (tensor<?x{columns}x{element}>, tensor<?x?xi64>, tensor<?x{element}>)
       -> tensor<?x{element}>
  return %0 : tensor<?x{element}>
}}
"""


def _reduced(combine: Any, taken: Any) -> Any:
    """Along the last dim, in the type of the elements."""
    wraps = combine in (np.add, np.multiply)
    return combine.reduce(taken, 1, dtype=taken.dtype) if wraps else combine.reduce(taken, 1)


def drawn(combiner: str, shape: tuple[int, ...]) -> Any:
    rng = np.random.default_rng(20261121)
    if combiner == "mulf":
        return rng.uniform(0.9, 1.1, shape).astype(np.float32)
    if combiner.endswith("f"):
        return rng.standard_normal(shape).astype(np.float32)
    limits = np.iinfo(np.int32)
    found = rng.integers(limits.min, limits.max, shape, np.int32, endpoint=True)
    return found.view(np.uint32) if combiner.endswith("ui") else found


@pytest.mark.parametrize("combiner", COMBINERS)
@pytest.mark.parametrize("is_static", [False, True])
def test_each_combiner(combiner: str, is_static: bool) -> None:
    """At sizes around those of a vector and of a block of vectors; strided sources too."""
    flags = "fastmath<reassoc>" if combiner in ("addf", "mulf") else ""
    sizes = (5, 64, 83) if is_static else (0, 1, 3, 15, 16, 17, 63, 64, 65, 200)
    kernels = {
        size: mlir_gs.compile(module(combiner, str(size), flags), "f")
        for size in (sizes if is_static else ())
    }
    any_size = mlir_gs.compile(module(combiner, "?", flags), "f")
    for size, reads in itertools.product(sizes, (0, 1, 4)):
        source = drawn(combiner, (9, size))
        rows = np.random.default_rng(7).integers(0, 9, (5, reads))
        dest = drawn(combiner, (5,))
        combine = COMBINERS[combiner][1]
        wide = np.float64 if combiner in ("addf", "mulf") else source.dtype
        taken = source[rows].reshape(5, -1).astype(wide)
        wanted = combine(dest, _reduced(combine, taken)) if taken.shape[1] else dest
        for given in (source, np.repeat(source, 2, 1)[:, ::2]):
            signless = [a.view(np.int32) if a.dtype == np.uint32 else a for a in (given, dest)]
            got = kernels.get(size, any_size)(signless[0], rows, signless[1])
            if wide is np.float64:
                np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-4)
            else:
                np.testing.assert_array_equal(got.view(source.dtype), wanted)


def test_sums_of_negative_zeros_and_nans() -> None:
    """The zeros that lanes begin with change no sign; a NaN is found in every lane."""
    kernel = mlir_gs.compile(module("addf", "?", "fastmath<reassoc>"), "f")
    zeros = np.full((1, 70), -0.0, np.float32)
    got = kernel(zeros, np.zeros((1, 1), np.int64), np.array([-0.0], np.float32))
    assert np.signbit(got).all()
    greatest = mlir_gs.compile(module("maximumf", "?", ""), "f")
    for place in range(70):
        source = np.ones((1, 70), np.float32)
        source[0, place] = np.nan
        found = greatest(source, np.zeros((1, 1), np.int64), np.ones(1, np.float32))
        assert np.isnan(found).all()


def test_threads_give_the_same_bits() -> None:
    rng = np.random.default_rng(3)
    source = rng.standard_normal((300, 700)).astype(np.float32)
    rows = rng.integers(0, 300, (2000, 3))
    text = module("addf", "?", "fastmath<reassoc>")
    found = [
        mlir_gs.compile(text, "f", threads=threads)(source, rows, np.zeros(2000, np.float32))
        for threads in (1, 2, 3)
    ]
    assert (found[0].view(np.int32) == found[1].view(np.int32)).all()
    assert (found[0].view(np.int32) == found[2].view(np.int32)).all()
