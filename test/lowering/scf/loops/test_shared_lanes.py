"""Maps that divide the dim in lanes: each lane reads what NumPy reads at its place."""

import numpy as np
import pytest
from mlir_gs import compile

_PLACES = (
    "d1 floordiv 2", "d1 mod 2", "(d1 + 1) floordiv 2", "(d1 * 2) floordiv 4 + 1", "d1 floordiv 3",
    "d1 mod 3", "d1 floordiv 32", "(d1 + 32) mod 32", "d1 floordiv 24", "(d0 * 8 + d1) floordiv 8",
)  # fmt: skip


def _module(place: str, width: str, element: str) -> str:
    table, out = f"tensor<?x?x{element}>", f"tensor<?x{width}x{element}>"
    maps = ", ".join(f"affine_map<(d0, d1)[s0] -> ({p})>" for p in (f"s0, {place}", "d0, d1"))
    return f"""
func.func @f(%table: {table}, %i: tensor<?xi32>, %out: {out}) -> {out} {{
  %r = "gs.generic"(%table, %i, %out) ({{
  ^bb0(%a: {element}, %b: {element}):
    %new = arith.addi %a, %b : {element}
    gs.yield %new : {element}
  }}) {{
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]], indexing_maps = [{maps}],
    iterator_types = ["parallel", "parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : ({table}, tensor<?xi32>, {out}) -> {out}
  return %r : {out}
}}"""


@pytest.mark.parametrize("place", _PLACES)
def test_places(place: str) -> None:
    rng = np.random.default_rng(len(place))
    where = place.replace("floordiv", "//").replace("mod", "%")
    for width in ("?", "40"):
        kernels = [
            compile(_module(place, width, "i16"), threads=n) for n in (1, 2)[: 1 + (width == "?")]
        ]
        for size in (0, 1, 31, 40, 67, 200) if width == "?" else (40,):
            rows = 3 if size < 200 else 400
            d0, d1 = np.indices((rows, size))
            columns = eval(where, {"d0": d0, "d1": d1})
            table = rng.integers(-99, 99, (7, max(columns.max(initial=0) + 1, 1))).astype(np.int16)
            ids = rng.integers(0, 7, rows).astype(np.int32)
            out = rng.integers(-99, 99, (rows, size)).astype(np.int16)
            wanted = table[ids[:, None], columns] + out
            for kernel in kernels:
                np.testing.assert_array_equal(kernel(table, ids, out), wanted)
                # A last stride that is not 1.
                apart = np.repeat(table, 2, axis=1)[:, ::2]
                np.testing.assert_array_equal(kernel(apart, ids, out), wanted)
