"""Numbers of equal bins: computed from the value, and compared with the edges of the bin if the
value lies near one."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile

Array = np.ndarray[Any, Any]

_ROOM = 64
"""Bins are wider than so many spacings of their edges' numbers: what is computed is off by less
than one bin, whatever is rounded."""

_NEAR = 16
"""Spacings from an edge within which rounding decides: what is computed is off by half of that."""

_EXACT = 1 << 53
"""Up to this, float64 holds every integer."""

# Values that are fewer are no work for several threads.
_SHARED = 1 << 14


def spacing_of(values: Array, edges: Array) -> float | None:
    """The spacing of the numbers at such edges of equal bins, in bins; None where `numbers` does
    not know them, or values of this dtype."""
    dtype = values.dtype
    if not (dtype.kind in "iuf" and dtype.isnative) or edges.dtype not in _FLOATS:
        return None
    if dtype.kind == "f" and dtype not in _FLOATS:
        return None
    greatest = max(abs(float(edges[0])), abs(float(edges[-1])))
    if dtype.kind in "iu" and (greatest > _EXACT or edges.dtype != np.float64):
        return None
    with np.errstate(over="ignore"):
        width = float(np.diff(edges).min())
        whole = float(edges[-1] - edges[0])
    spacing = float(np.finfo(edges.dtype).eps) * greatest
    return spacing / width if _ROOM * spacing < width and np.isfinite(whole) else None


def numbers(values: Array, edges: Array, spacing: float, result: Array) -> None:
    """`result[k]`, int32, is the i with edges[i] <= values[k] < edges[i + 1], of the last bin also
    where values[k] is its end, and the number of bins for values in none, such as NaN.

    `values`: [n], `edges`: the n + 1 ascending ends of equal bins, `spacing`: their `spacing_of`.
    """
    count = len(edges) - 1
    kind = edges.dtype.type
    run = _kernel(values.dtype, edges.dtype, len(values) >= _SHARED)
    scale = count / (float(edges[-1]) - float(edges[0]))
    near = _NEAR * spacing
    run(values, edges, np.array([scale, near, 1 - near], kind), result)


_FLOATS = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}

_LANES = 16


@lru_cache(None)
def _kernel(value: np.dtype[Any], edge: np.dtype[Any], shared: bool) -> Kernel:
    to = _FLOATS[edge]
    if value.kind == "f":
        of, cast = _FLOATS[value], "extf"
    else:
        of, cast = f"i{8 * value.itemsize}", "uitofp" if value.kind == "u" else "sitofp"

    def body(n: int) -> str:
        source, target = f"vector<{n}x{of}>", f"vector<{n}x{to}>"
        converted = f"arith.{cast} %value : {source} to {target}"
        if of == to:
            converted = f"arith.addf %value, %zero : {target}"
        return template(__file__, "mlir/number_body.mlir").substitute(
            value=of, edge=to, n=n, converted=converted
        )

    text = template(__file__, "mlir/number.mlir").substitute(
        value=of, edge=to, lanes=_LANES, many=body(_LANES), one=body(1)
    )
    return compile(text, threads=None if shared else 1)
