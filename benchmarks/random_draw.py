"""What a seed of random_workloads.py draws, and its arrays."""

from dataclasses import dataclass
from typing import Any

import numpy as np

LINE = 64
READS, WRITES = ("take", "along", "pairs"), ("set", "add", "segments", "messages", "bins")


@dataclass(frozen=True)
class Draw:
    """What a seed gives: `rows` of `width` elements of `dtype`, `count` coordinates of the type
    `index`, spread over the rows as `spread` says, in an array that begins `offset` bytes past a
    cache line."""

    seed: int
    access: str
    door: str
    rows: int
    width: int
    count: int
    dtype: str
    index: str
    spread: str
    offset: int

    def arrays(self) -> dict[str, Any]:
        """x: [rows, width], of `along` [batch, rows, width]; i: [count], of `along` [batch, count,
        1]; j: [count]; u: [count, width]; w: [count]. Of width 1 rows are elements."""
        rng = np.random.default_rng(self.seed)
        if self.access == "along":
            batch = 16
            shape = (batch, max(self.rows // batch, 2), self.width)
            ids = self._ids(rng, batch * max(self.count // batch, 1), shape[1])
            return {"x": self._numbers(rng, shape), "i": ids.reshape(batch, -1, 1)}
        slice_ = () if self.width == 1 else (self.width,)
        found = {"i": self._ids(rng, self.count, self.rows)}
        if self.access == "pairs":
            found["j"] = rng.integers(0, 8, self.count).astype(self.index)
            shape = (self.rows, 8, *slice_)
        else:
            shape = (self.rows, *slice_)
        if self.access in ("take", "pairs", "set", "add", "messages"):
            found["x"] = self._numbers(rng, shape)
        if self.access in ("set", "add", "segments", "bins"):
            found["u"] = self._numbers(rng, (self.count, *slice_))
        if self.access == "messages":
            found["j"] = self._ids(rng, self.count, self.rows)
            found["w"] = self._numbers(rng, (self.count,))
        return found

    def _numbers(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
        given = (rng.random(shape) * 100).astype(self.dtype)
        room = np.empty(given.nbytes + 2 * LINE, np.uint8)
        begin = -room.ctypes.data % LINE + self.offset
        placed = room[begin : begin + given.nbytes].view(given.dtype).reshape(shape)
        placed[...] = given
        return placed

    def _ids(self, rng: np.random.Generator, count: int, rows: int) -> Any:
        if self.spread == "zipf":
            ids = rng.zipf(1.3, count) % rows
        elif self.spread == "permuted":
            ids = np.concatenate([rng.permutation(rows) for _ in range(-(-count // rows))])[:count]
        elif self.spread == "strided":
            ids = np.arange(count) * 7 % rows
        elif self.spread == "clustered":
            ids = (np.repeat(rng.integers(0, rows, -(-count // 16)), 16)[:count]) + np.arange(count)
            ids %= rows
        else:
            ids = rng.integers(0, rows, count)
        return (np.sort(ids) if self.spread == "sorted" else ids).astype(self.index)
