"""Functions that are not inlined compile where they read constant places of dynamic arrays."""

import mlir_gs
import numpy as np
import pytest

PLACE = """
  %c2 = arith.constant 2 : index
  %v = memref.load %x[%c2] : memref<?xf32>
  memref.store %v, %y[%n] : memref<?xf32>
"""
CALL = "func.call @part(%x, %y, {}) : (memref<?xf32>, memref<?xf32>, index) -> ()"
LOOP = f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {{
    {CALL.format("%k")}
  }}
"""
AGAIN = f"""
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sge, %n, %c1 : index
  scf.if %more {{
    %m = arith.subi %n, %c1 : index
    {CALL.format("%m")}
  }}
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("body", "more", "attributes", "written"),
    [
        (CALL.format("%n"), "", "attributes {no_inline}", [3]),
        (CALL.format("%n"), AGAIN, "", [0, 1, 2, 3]),
        (LOOP, "", "", [0, 1, 2]),
    ],
    ids=["no_inline", "recursive", "parallel"],
)
def test_a_place_in_it(
    body: str, more: str, attributes: str, written: list[int], threads: int
) -> None:
    types = "(%x: memref<?xf32>, %y: memref<?xf32>, %n: index)"
    kernel = mlir_gs.compile(
        f"""func.func @whole{types} {{ {body} return }}
        func.func private @part{types} {attributes} {{ {PLACE} {more} return }}""",
        threads=threads,
    )
    y = np.zeros(4, np.float32)
    kernel(np.array([1, 2, 5], np.float32), y, 3)
    assert np.flatnonzero(y == 5).tolist() == written
