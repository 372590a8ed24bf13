"""The parts of iteration dims that loops run over."""

from typing import NamedTuple

from mlir_gs.lowering.ir.emit import Ix, sub


class Range(NamedTuple):
    """[lower, upper), a part of an iteration dim, whose length is a multiple of `multiple`.

    `length`: its length, where that is static. `least`: the length is in [least, 2 * least).
    `following`: the end of the points after it, if there are any.
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
    """`width` points along the vector dim from `position` on. `at_end`: the remainder behind whole
    vectors, which is not prefetched; it may overlap with them."""

    position: Ix
    width: int
    at_end: bool = False
