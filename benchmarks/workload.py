"""What a workload is: its IR, its data, what it has to move, and who else can do it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from string import Template
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np

LINE = 64
"""Bytes of a cache line: memory moves in whole ones."""

begin = 0
"""Bytes after the begin of a line that arrays begin; other runtimes' own begin at one."""

DTYPES = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
}
"""By MLIR's names."""

Maker = Callable[["Case"], Callable[[], Any]]
"""From a case to a call without arguments that returns the output, in the peer's own arrays."""


@dataclass(frozen=True)
class Slices:
    """The slices of `table` along its first dim that a workload has to touch, in this order.

    `positions` are their coordinates, of the type and in the number that the workload reads.
    `access` is "read", "set" (written, not read) or "update" (read and written).
    """

    table: np.ndarray
    positions: np.ndarray
    access: str = "read"

    @property
    def bytes(self) -> int:
        """Those of one slice."""
        return self.table.itemsize * math.prod(self.table.shape[1:])

    @cached_property
    def lines(self) -> int:
        """Bytes of the lines that they touch."""
        return lines(self.positions, self.bytes)

    @property
    def read(self) -> int:
        """Bytes that have to be read for them. A line that is written in part is read first: what
        else is in it has to stay."""
        is_whole = self.access == "set" and self.bytes % LINE == 0 and not begin
        return self.positions.nbytes + (0 if is_whole else self.lines)

    @property
    def written(self) -> int:
        return 0 if self.access == "read" else self.lines


class Case(SimpleNamespace):
    """The data of one workload in one run; all arrays are shared between ours and the peers.

    Set by the workload: the arrays that its peers name; `arguments`, those of our kernel;
    `expected`, the output by the sequential loop; and `out`, an array to write, or `dest`, an array
    that is updated in place, with its contents at the start in `initial`. `read` and `written` are
    the bytes that have to move; `temporaries`, those of the tensors between the ops of a chain,
    which the compiler does away with. `slices`: what lies at coordinates. `threads` is set by the
    runner.
    """

    threads: int
    arguments: tuple[np.ndarray, ...]
    expected: np.ndarray
    read: int
    written: int
    temporaries: int
    slices: tuple[Slices, ...] = ()

    @property
    def in_place(self) -> bool:
        return hasattr(self, "dest")

    def reset(self) -> None:
        """The contents of `dest` as they were; something wrong into `out`."""
        if self.in_place:
            self.dest[...] = self.initial
        else:
            self.out.view(np.uint8)[...] = 0x55


@dataclass(frozen=True)
class Workload:
    """One row of the table.

    `ir`: a module whose placeholders (`$width`) are sizes. `make` gives a case from sizes and a
    random generator; `tiny` are sizes for a quick look. Peers are checked up to `tolerance`,
    relative to the largest result; 0 is equality. Ours is checked for equality, unless the IR says
    that a sum has the order of no loop (`in_any_order`). `chain`: the IR is a chain of ops for the
    compiler to merge, and runs a second time as it is written. `why`: what takes the time where
    neither bandwidth nor slices at coordinates do.
    """

    id: str
    title: str
    ir: str
    make: Callable[[np.random.Generator, SimpleNamespace], Case]
    peers: Mapping[str, Maker]
    sizes: Mapping[str, Any]
    tiny: Mapping[str, Any]
    tolerance: float = 0.0
    left_out: Mapping[str, str] = field(default_factory=dict)
    chain: bool = False
    why: str = ""
    in_any_order: bool = False

    def source(self, quick: bool) -> str:
        return Template(self.ir).substitute(self._sizes(quick))

    def case(self, quick: bool, threads: int) -> Case:
        case = self.make(np.random.default_rng(7), SimpleNamespace(**self._sizes(quick)))
        case.threads = threads
        return case

    def _sizes(self, quick: bool) -> dict[str, Any]:
        return {**self.sizes, **(self.tiny if quick else {})}


def empty(shape: tuple[int, ...], dtype: Any, after: int | None = None) -> np.ndarray:
    """An array that begins `after` bytes after the begin of a cache line, or else `begin`."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    memory = np.empty(size + 2 * LINE, np.uint8)
    start = -memory.ctypes.data % LINE + (begin if after is None else after)
    return memory[start : start + size].view(dtype).reshape(shape)


def aligned(array: np.ndarray) -> np.ndarray:
    copy = empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def floats(rng: np.random.Generator, shape: tuple[int, ...], name: str = "f32") -> np.ndarray:
    """Numbers in [0, 1) with all bits of the mantissa in use."""
    dtype = DTYPES[name]
    array = empty(shape, dtype)
    if dtype in (np.float32, np.float64):
        rng.random(out=array, dtype=dtype)
    else:
        # Any bits but those of NaN: the top exponent bit is clear.
        bits = array.view(np.uint16)
        bits[...] = rng.integers(0, 1 << 14, shape, np.uint16)
    return array


def coordinates(
    rng: np.random.Generator, size: int, shape: tuple[int, ...], name: str = "i64"
) -> np.ndarray:
    """Uniform ones below `size`."""
    return aligned(rng.integers(0, size, shape).astype(DTYPES[name]))


def lines(positions: np.ndarray, slice_bytes: int) -> int:
    """Bytes of the distinct cache lines that slices at these (linear) positions touch."""
    if slice_bytes % LINE == 0 and not begin:
        return int(np.unique(positions).size) * slice_bytes
    at = positions.astype(np.int64).ravel() * slice_bytes + begin
    first, last = at // LINE, (at + slice_bytes - 1) // LINE
    spans = [first + k for k in range(int((last - first).max(initial=0)) + 1)]
    touched = np.concatenate([np.minimum(span, last) for span in spans])
    return int(np.unique(touched).size) * LINE
