"""Parallel loops of several dims, on threads that share outer dims or the last one."""

import mlir_gs
import numpy as np
import pytest


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("rank", [2, 3])
def test_points_once_each(rank: int, threads: int) -> None:
    dims = [f"%i{d}" for d in range(rank)]
    type_ = f"memref<{'?x' * rank}xi64>".replace("xx", "x")
    sizes = "".join(f"  %n{d} = memref.dim %x, %c{d} : {type_}\n" for d in range(rank))
    constants = "".join(f"  %c{d} = arith.constant {d} : index\n" for d in range(3))
    at = ", ".join(dims)
    kernel = mlir_gs.compile(
        f"""
func.func @f(%x: {type_}) {{
{constants}{sizes}  %one = arith.constant 1 : i64
  scf.parallel ({at}) = ({", ".join(["%c0"] * rank)}) to
      ({", ".join(f"%n{d}" for d in range(rank))}) step ({", ".join(["%c1"] * (rank - 1))}, %c2) {{
    %0 = memref.load %x[{at}] : {type_}
    %1 = arith.addi %0, %one : i64
    memref.store %1, %x[{at}] : {type_}
    scf.reduce
  }}
  return
}}""",
        threads=threads,
    )
    for outer in (0, 1, 2, 5):
        for last in (0, 1, 2, 9):
            x = np.zeros((outer, *[2] * (rank - 2), last), np.int64)
            kernel(x)
            expected = np.zeros_like(x)
            expected[..., ::2] = 1
            np.testing.assert_array_equal(x, expected)
