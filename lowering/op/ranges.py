"""The parts of iteration dims that loops run over."""

from typing import NamedTuple

from mlir_gs.lowering.ir.emit import Ix, sub


class Range(NamedTuple):
    """[lower, upper), a part of an iteration dim, whose length is a multiple of `multiple`.

    `length`: its length, where that is static. `least`: the length is in [least, 2 * least).
    `following`: the end of the points after it, if there are any. `begins`: a factor of `lower`.
    """

    lower: Ix
    upper: Ix
    multiple: int = 1
    length: int | None = None
    following: Ix | None = None
    least: int | None = None
    begins: int = 1

    @property
    def first(self) -> int:
        """What `lower` is a multiple of, as far as is known; 0 is one of everything."""
        return self.lower if isinstance(self.lower, int) else self.begins

    @property
    def size(self) -> Ix:
        return sub(self.upper, self.lower) if self.length is None else self.length


class Run(NamedTuple):
    """`width` points along the vector dim from `position` on, a multiple of `multiple`.

    `at_end`: the remainder behind whole vectors, which is not prefetched; it may overlap with them.
    """

    position: Ix
    width: int
    at_end: bool = False
    multiple: int = 1
