"""What `gs-run --time` reports with a kernel's time: the speed of a copy, and the strategies."""

import math
from typing import Any

import numpy as np
from mlir_gs import execution
from mlir_gs.lowering.passes import explain
from mlir_gs.tools.run.report import measure

_COPY = """
func.func @copy(%from: tensor<?xi64>, %to: tensor<?xi64> {bufferization.writable = true})
    -> tensor<?xi64> {
  %r = gs.generic (d0) ins(%from[d0]) outs(%to[d0]) iterators(d0 = parallel)
      : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64> {
  ^bb0(%word: i64, %current: i64):
    gs.yield %word : i64
  }
  return %r : tensor<?xi64>
}
"""
_LEAST, _MOST = 1 << 12, 1 << 30
_CALLS = 15


def copy_speed(moved: int, threads: int | None) -> float:
    """Bytes per second of a copy that reads and writes `moved` bytes in all, on as many threads
    (None: as a kernel has by itself); from 4 KiB to 1 GiB."""
    words = min(max(moved, _LEAST), _MOST) // 16
    kernel = execution.compile(_COPY, threads=threads)
    source, target = np.ones(words, np.int64), np.zeros(words, np.int64)
    for _ in range(5):
        kernel(source, target)
    # A call of less than a tenth of a millisecond is too short for the clock.
    repeats = math.ceil((1 << 20) / (16 * words))

    def copy() -> None:
        for _ in range(repeats):
            kernel(source, target)

    return 16 * words * repeats / float(np.median(measure(copy, _CALLS)))


def strategies(
    module: Any, name: str, threads: int | None, target: str | None
) -> list[explain.Note]:
    """What the lowering chose for each op of function `name`, in the order of the ops."""
    with explain.collecting() as notes:
        execution.lowered(module, name, threads=threads, target=target)
    return [one for one in dict.fromkeys(notes) if one.kind == "runs"]


def strategies_text(notes: list[explain.Note]) -> str:
    """The notes by place."""
    lines, last = [], ""
    for one in notes:
        if one.place != last:
            lines.append(f"the op at {one.place} runs")
            last = one.place
        lines.append(f"  {one.text}")
    return "\n".join(lines)
