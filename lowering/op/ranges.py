"""The parts of iteration dims that loops run over."""

from typing import NamedTuple

from mlir_gs.lowering.ir.emit import Ix, sub


class Range(NamedTuple):
    """A part of an iteration dim: its length is known to be a multiple of `multiple`.

    `length`: the whole length, where that is known; `least`: that it is so much or more, and less
    than twice as much. Points up to `following` come after it, if that is given.
    """

    lower: Ix
    upper: Ix
    multiple: int = 1
    length: int | None = None
    following: Ix | None = None
    least: int | None = None

    @property
    def size(self) -> Ix:
        return sub(self.upper, self.lower) if self.length is None else self.length


class Run(NamedTuple):
    """`width` neighbours along the vector dim, from `position` on; `at_end`: what whole vectors
    leave, for which nothing is asked; it may have some of what is in them."""

    position: Ix
    width: int
    at_end: bool = False
