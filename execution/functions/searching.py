"""`searchsorted`, as NumPy has it: binary searches without branches, several at a time."""

from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import WIDE, computed, integers, is_unsigned
from mlir_gs.execution.functions.take import take

Array = np.ndarray[Any, Any]

# Values that are fewer are no work for several threads.
_SHARED = 1 << 14
# Searches side by side: while one waits for a key, others go on.
_LANES = 16
# Blocks of as many values in order: each begins where values that ascend ended in the last one.
_TURN = 64


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
    search(side, (x, values), dtype, result.reshape(-1))
    return give(result if result.ndim else result[()])


def bins(edges: Array, values: Array, result: Array) -> bool:
    """Write to `result`, int32, the bin of each of `values` between `edges`, as `numpy.histogram`
    has it, and the number of bins for a value in none; False, and nothing, for elements that `gs`
    does not compare."""
    dtype = np.promote_types(edges.dtype, values.dtype)
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        return False
    search("bins", (edges[1:-1], values, edges[[0, -1]]), dtype, result)
    return True


def search(
    what: str,
    arrays: tuple[Array, ...],
    dtype: np.dtype[Any],
    result: Array,
    threads: int | None = None,
) -> None:
    """Write to `result`, a line of int32 or int64, where the values go in the keys, the second and
    the first of `arrays`: `what` is the side. Compared in `dtype`; `threads`: 1 for one alone."""
    if not result.size:
        return
    element = "i8" if dtype.kind == "b" else computed(dtype)
    as_kept = np.dtype(f"i{dtype.itemsize}") if dtype.kind in "iub" else dtype
    given = [np.ascontiguousarray(each, dtype).reshape(-1).view(as_kept) for each in arrays]
    shared, place = threads != 1 and result.size >= _SHARED, f"i{8 * result.itemsize}"
    _kernel(element, is_unsigned(dtype), what, place, shared)(*given, result)


_LOAD = Template("""
    %o$l = arith.constant $l : index
    %k$l = arith.addi %k, %o$l : index
    %x$l = memref.load %v[%k$l] : memref<?x$t>""")
_STEP = Template("""
      %m$l = arith.addi %b$l, %last : index
      %y$l = memref.load %a[%m$l] : memref<?x$t>
      %is$l = arith.$before, %y$l, %x$l : $t
      %h$l = arith.addi %b$l, %half : index
      %n$l = arith.select %is$l, %h$l, %b$l : index""")
_STORE = Template("""
    $finish
    %r$l = arith.index_cast %f$l : index to $place
    memref.store %r$l, %result[%k$l] : memref<?x$place>""")
_FINISH = {
    "left": Template("%f$l = arith.addi %found#$number, %c0 : index"),
    "right": Template("""%u$l = arith.cmpf uno, %x$l, %x$l : $t
    %f$l = arith.select %u$l, %size, %found#$number : index"""),
    # A value at the last edge is in the last bin.
    "bins": Template("""%lower$l = arith.$least, %first, %x$l : $t
    %upper$l = arith.$least, %x$l, %final : $t
    %in$l = arith.andi %lower$l, %upper$l : i1
    %f$l = arith.select %in$l, %found#$number, %none : index"""),
}
_ENDS = Template("""
  %none = arith.addi %size, %c1 : index
  %first = memref.load %ends[%c0] : memref<?x$t>
  %final = memref.load %ends[%c1] : memref<?x$t>""")


def _searches(count: int, finish: str, place: str, parts: dict[str, str]) -> str:
    """The lines that search from `place` on for `count` values from `%k` on, and store what is
    found."""
    lanes = [{**parts, "l": str(n), "number": str(n + 1)} for n in range(count)]
    return template(__file__, "mlir/search_step.mlir").substitute(
        parts,
        loads="".join(map(_LOAD.substitute, lanes)),
        results=count + 1,
        starts=", ".join(f"%b{n} = {place}" for n in range(count)),
        types=", ".join(["index"] * (count + 1)),
        places=", ".join(f"%b{n}" for n in range(count)),
        arguments=", ".join(f"%b{n}: index" for n in range(count)),
        steps="".join(map(_STEP.substitute, lanes)),
        nexts=", ".join(f"%n{n}" for n in range(count)),
        stores="".join(
            _STORE.substitute(one, finish=_FINISH[finish].substitute(one)) for one in lanes
        ),
    )


@lru_cache(None)
def _kernel(t: str, unsigned: bool, what: str, place: str, shared: bool) -> Kernel:
    floats, in_bins = not t.startswith("i"), what == "bins"
    sign = "u" if unsigned else "s"
    least = "cmpf ole" if floats else f"cmpi {sign}le"
    # Of numbers that are no NaN, the unordered comparison is one instruction less.
    less = ("cmpf u" if floats else f"cmpi {sign}") + ("lt" if what == "left" else "le")
    parts = {"t": t, "place": place, "before": less, "least": least}
    parts["keys"] = "%number" if floats else "%size"
    finish = "left" if what == "right" and not floats else what
    numbers = ""
    if floats:
        numbers = template(__file__, "mlir/search_numbers.mlir").substitute(parts)
    text = template(__file__, "mlir/search.mlir").substitute(
        parts,
        lanes=_LANES,
        ends=f"%ends: memref<?x{t}>, " if in_bins else "",
        numbers=numbers + (_ENDS.substitute(parts) if in_bins else ""),
        turn=_TURN,
        many=_searches(_LANES, finish, "%from", {**parts, "keys": "%keys"}),
        one=_searches(1, finish, "%c0", parts),
    )
    return compile(text, threads=None if shared else 1)
