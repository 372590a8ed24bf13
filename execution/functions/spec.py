"""One loop nest over arrays, described by tuples: what a kernel is cached by and built from."""

from dataclasses import dataclass

UNSIGNED = "unsigned "
"""Before the name of a body for integers, of inputs or of the output, without a sign."""

Where = tuple[str, ...]
"""One entry per dimension of an array: `d0`, `d1`, ... for a dim of the iteration space, `s0`, ...
for a coordinate, a number for a place that is fixed."""


_MODES = {"fill": "fill_or_drop", "drop": "fill_or_drop", "wrap": "promise_in_bounds"}
"""What `gs.generic` calls modes; under `wrap` coordinates come modulo the size of their axis."""


@dataclass(frozen=True)
class Operand:
    """An array of a kernel: its MLIR element type, and where each dimension is read or written."""

    element: str
    where: Where


@dataclass(frozen=True)
class Coordinates:
    """An integer array of a kernel, where each of the coordinates that it gives is read, and the
    sizes of its last dims that are known."""

    element: str
    places: tuple[Where, ...]
    static: tuple[int, ...] = ()


@dataclass(frozen=True)
class Spec:
    """A kernel: `output[...] = body(inputs[...], output[...])` over `rank` dims, in order.

    `body` names a function in `bodies`. `fresh`: the output is a new array that the kernel only
    writes; its dims are those of the iteration space. Otherwise it is the last array of the call,
    and written in place. `mode` and `wrap` are one for all coordinates or one for each. With
    `fill`, one out of bounds gives the element of one more input, an array of rank 0. `width`: the
    size of the last dim, where it is known.
    """

    rank: int
    inputs: tuple[Operand, ...]
    indices: tuple[Coordinates, ...]
    output: Operand
    body: str
    mode: str | tuple[str, ...] = "error"
    wrap: bool | tuple[bool, ...] = True
    fill: bool = False
    fresh: bool = True
    unique: bool = False
    sorted: bool = False
    width: int | None = None

    @property
    def symbols(self) -> int:
        return sum(len(one.places) for one in self.indices)

    @property
    def modes(self) -> list[str]:
        """The mode of each coordinate, as `gs.generic` calls it."""
        modes = [self.mode] * self.symbols if isinstance(self.mode, str) else self.mode
        return [_MODES.get(mode, mode) for mode in modes]


def dims(count: int, first: int = 0) -> Where:
    """`d<first>`, ... of `count` dims."""
    return tuple(f"d{first + number}" for number in range(count))
