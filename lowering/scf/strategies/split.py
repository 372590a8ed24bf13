"""The part of an op that each of several threads takes, and the calls that run them."""

from dataclasses import dataclass
from typing import NamedTuple

from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.scf.loops.halo_share import Halo


class Cut(NamedTuple):
    """An iteration dim that threads may share, in pieces of `grain`: its points write elsewhere.
    `length`: of each part but the last, if it is certain that this dim is cut."""

    dim: int
    grain: int = 1
    length: int | None = None


class Owned(NamedTuple):
    """The outputs' dimension `position` is shared in pieces of `grain`; the coordinate `symbol`,
    which changes with the iteration dim `dim`, addresses it. `row` bytes are written at a point."""

    symbol: int
    dim: int
    position: int
    grain: int
    row: Ix


@dataclass(frozen=True)
class Split:
    """How threads share an op, so that the result has the bits of the sequential loop.

    `cuts`: one of these dims is cut, the first that is long enough for the threads. `owned` and
    `halo`: each thread runs the points that write to its part of the output.
    """

    cuts: tuple[Cut, ...] = ()
    owned: Owned | None = None
    halo: Halo | None = None

    @property
    def of_output(self) -> tuple[int, int] | None:
        """The dimension of the output that threads share, and the pieces in which they do."""
        shared = self.owned or self.halo
        return None if shared is None else (shared.position, shared.grain)
