"""`searchsorted`, as NumPy has it: binary searches, side by side on several threads."""

from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import WIDE, computed, integers, is_unsigned
from mlir_gs.execution.functions.take import take

# Values that are fewer are no work for several threads.
_SHARED = 1 << 12


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where `v` would be inserted into `a`, which ascends, as `numpy.searchsorted`.

    `a`: [n]; `v`: any shape, that of the result, int64. `side`: "left" gives the first i with
    `v <= a[i]`, "right" the first one with `v < a[i]`, n where there is none. NaN comes behind all
    other numbers. `sorter`: `a[sorter]` ascends in the place of `a`. Both are compared in the dtype
    that `numpy.promote_types` gives.

    Raises ValueError for shapes and `side`, IndexError for `sorter`; what `gs` does not compare,
    such as texts and complex numbers, is left to NumPy.
    """
    x, values = frameworks.array(a), frameworks.array(v)
    if x.ndim != 1:
        raise ValueError(f"a must have rank 1, found {x.ndim}")
    if side not in ("left", "right"):
        raise ValueError(f"side must be left or right, found {side!r}")
    if sorter is not None:
        order = integers(frameworks.plain(sorter), "sorter")
        if order.shape != x.shape:
            raise ValueError(f"sorter must have shape {x.shape}, found {order.shape}")
        x = take(x, order)
    give = frameworks.back(a, v)
    dtype = np.promote_types(x.dtype, values.dtype)
    if dtype.kind not in "iufb" and dtype.name != "bfloat16":
        return give(np.searchsorted(x, values, side))
    dtype = np.dtype(np.float64) if dtype.kind == "f" and dtype.itemsize > 8 else dtype
    result = empty(values.shape, WIDE)
    keys, wanted = (np.ascontiguousarray(each, dtype) for each in (x, values))
    if result.size:
        run = _kernel(_element(dtype), is_unsigned(dtype), side, result.size >= _SHARED)
        as_kept = np.dtype(f"i{dtype.itemsize}") if dtype.kind in "iub" else dtype
        run(keys.view(as_kept), wanted.reshape(-1).view(as_kept), result.reshape(-1))
    return give(result if result.ndim else result[()])


def _element(dtype: np.dtype[Any]) -> str:
    return "i8" if dtype.kind == "b" else computed(dtype)


_TEXT = Template("""
func.func @f(%a: memref<?x$t>, %v: memref<?x$t>, %result: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %a, %c0 : memref<?x$t>
  %n = memref.dim %v, %c0 : memref<?x$t>
  %room = memref.dim %result, %c0 : memref<?xi64>
  %fits = arith.cmpi eq, %n, %room : index
  cf.assert %fits, "a place for each value"
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %x = memref.load %v[%k] : memref<?x$t>
    %found:2 = scf.while (%low = %c0, %high = %size) : (index, index) -> (index, index) {
      %go = arith.cmpi ult, %low, %high : index
      scf.condition(%go) %low, %high : index, index
    } do {
    ^bb0(%low: index, %high: index):
      %sum = arith.addi %low, %high : index
      %middle = arith.shrui %sum, %c1 : index
      %y = memref.load %a[%middle] : memref<?x$t>
      $before
      %next = arith.addi %middle, %c1 : index
      %from = arith.select %before, %next, %low : index
      %to = arith.select %before, %high, %middle : index
      scf.yield %from, %to : index, index
    }
    %place = arith.index_cast %found#0 : index to i64
    memref.store %place, %result[%k] : memref<?xi64>
    scf.reduce
  }
  return
}
""")


def _before(t: str, unsigned: bool, side: str) -> str:
    """The lines that compute `%before`: y < x for the left side, else y <= x."""
    relation = "lt" if side == "left" else "le"
    if t.startswith("i"):
        return f"%before = arith.cmpi {'u' if unsigned else 's'}{relation}, %y, %x : {t}"
    # NaN comes last: all numbers are before one, and it is not before itself, but as good as it.
    nan = "%seen" if side == "left" else "%nan"
    return f"""%less = arith.cmpf o{relation}, %y, %x : {t}
      %nan = arith.cmpf uno, %x, %x : {t}
      %number = arith.cmpf oeq, %y, %y : {t}
      %seen = arith.andi %nan, %number : i1
      %before = arith.ori %less, {nan} : i1"""


@lru_cache(None)
def _kernel(t: str, unsigned: bool, side: str, shared: bool) -> Kernel:
    text = _TEXT.substitute(t=t, before=_before(t, unsigned, side))
    return compile(text, threads=None if shared else 1)
