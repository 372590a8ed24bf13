"""What `gs-run` prints: arrays, times, comparisons."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs.execution import Parameter

_SECONDS = 1.0


def array_text(label: str, value: Any, note: str = "", quiet: bool = False) -> str:
    """`result 0: float32[100, 64]` and, unless `quiet`, the abridged elements under it."""
    about = f"  ({note})" if note else ""
    if not isinstance(value, np.ndarray):
        return f"{label}: {value}{about}"
    sizes = ", ".join(str(size) for size in value.shape)
    head = f"{label}: {value.dtype.name}[{sizes}]{about}"
    if quiet:
        return head
    is_small_float = value.dtype.kind == "V" and "float" in value.dtype.name
    shown = value.astype(np.float32) if is_small_float else value
    body = np.array2string(shown, threshold=50, edgeitems=3, precision=6, max_line_width=98)
    return head + "\n" + "\n".join(f"  {line}" for line in body.splitlines())


def tried_text(tried: Sequence[tuple[str, float]]) -> str:
    """A line for each target that was measured, the best first."""
    return "\n".join(f"tune: {seconds * 1e3:.4g} ms  {target}" for target, seconds in tried)


def moved_bytes(
    parameters: Sequence[Parameter],
    arguments: Sequence[Any],
    results: Sequence[Any],
    indexed: set[int],
) -> int:
    """Bytes that a call has to move at least.

    Arrays that are read or written whole count as they are; of one that is reached through
    coordinates, as much as the larger of the results and the other floating-point arguments holds.
    """
    arrays = [value.nbytes if isinstance(value, np.ndarray) else 0 for value in arguments]
    made = sum(value.nbytes for value in results if isinstance(value, np.ndarray))
    whole = sum(n for k, n in enumerate(arrays) if k not in indexed)
    partly = sum(min(arrays[k], max(made, whole)) for k in indexed)
    return whole + partly + made


def measure(call: Callable[[], Any], calls: int) -> list[float]:
    """Seconds of each of `calls` calls; 0 for as many as fit into about a second."""
    start = time.perf_counter()
    call()
    first = time.perf_counter() - start
    count = calls or int(min(max(_SECONDS / max(first, 1e-7), 5), 100_000))
    found = []
    for _ in range(count):
        before = time.perf_counter()
        call()
        found.append(time.perf_counter() - before)
    return found


def time_text(seconds: Sequence[float], bytes_moved: int, copied: float) -> str:
    """Two lines: the names of the columns and the numbers; `copied` is the speed of a copy of as
    many bytes, in bytes per second."""
    median, fastest = float(np.median(seconds)), min(seconds)
    columns = [
        ("calls", str(len(seconds))),
        ("median", duration(median)),
        ("fastest", duration(fastest)),
        ("bytes", size(bytes_moved)),
        ("bytes/s (median)", f"{size(bytes_moved / median)}/s"),
        ("a copy here", f"{size(copied)}/s"),
        ("share", f"{bytes_moved / median / copied:.0%}"),
    ]
    widths = [max(len(name), len(value)) for name, value in columns]
    names = "  ".join(name.rjust(w) for (name, _), w in zip(columns, widths, strict=True))
    values = "  ".join(value.rjust(w) for (_, value), w in zip(columns, widths, strict=True))
    return f"{names}\n{values}"


def duration(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def size(count: float) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} B"


def difference(label: str, found: Any, expected: Any, *, rounded: bool = False) -> str | None:
    """One line on how a result differs from the reference's, None if it does not.

    Results are equal bit for bit, except that any NaN equals any other. `rounded`: floats may
    differ by eps^(2/3) of the largest, where others add and round in another order.
    """
    a, b = np.asarray(found), np.asarray(expected)
    if a.shape != b.shape:
        return f"{label}: shape {list(a.shape)}, the reference has {list(b.shape)}"
    if a.dtype != b.dtype and a.dtype.kind in "iu" and a.dtype.itemsize == b.dtype.itemsize:
        b = b.view(a.dtype) if b.shape else b.astype(a.dtype)
    with np.errstate(invalid="ignore"):
        same = (a == b) | ((a != a) & (b != b))
        if rounded:
            same |= _is_near(a, b)
    if np.all(same):
        return None
    place = tuple(int(k) for k in np.argwhere(~np.atleast_1d(same))[0])
    wrong = int(np.sum(~same))
    x, y = np.atleast_1d(a)[place], np.atleast_1d(b)[place]
    return f"{label}: {wrong} of {a.size} elements differ, first at {list(place)}: {x}, not {y}"


def _is_near(a: np.ndarray, b: np.ndarray) -> np.ndarray | bool:
    try:
        eps = float(ml_dtypes.finfo(a.dtype).eps)
    except ValueError:
        return False
    wide = np.result_type(np.float64, a.dtype) if a.dtype.kind in "fc" else np.float64
    a, b = a.astype(wide), b.astype(wide)
    known = np.abs(b[np.isfinite(b)])
    limit = eps ** (2 / 3) * (known.max() if known.size else 0.0)
    return np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= limit)
