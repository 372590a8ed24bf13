"""Register tiles: rows that are multiplied by one matrix run several at once."""

from functools import reduce

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.emit import all_at_least, compare, either, mul, size_of
from mlir_gs.lowering.scf.loops.register_tiles import FEWEST, ROWS, TileLoops, Tiles, find_tiles
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy, unless_always

LEAST = 8
"""Points that are added up, at least, for a panel to pay."""


class RegisterTiles(Strategy[Loops, Tiles]):
    """Sums of several rows stay in registers, and what the rows share is read from a panel."""

    name = "tiles"
    meaning = "register tiles: several rows times one matrix at a time"
    numbers = ("tile_vectors", "tile_bytes")

    def applies(self, work: Loops) -> Tiles | None:
        if work.dim is None or work.segments or work.owner or work.halo or work.is_narrow:
            return None
        return find_tiles(work.job, work.dim)

    def pays(self, work: Loops, match: Tiles) -> ir.Value | bool:
        filled = [ref for ref, fill in zip(work.job.inputs, work.job.fills, strict=True) if fill]
        return all_at_least(
            [
                # What is out of bounds reads the first element.
                *(
                    (size_of(ref.memref, position), 1)
                    for ref in filled
                    for position, expr in enumerate(ref.map.results)
                    if symbols_of(expr)
                ),
                (work.part(match.row).size, 2),
                (work.part(match.lanes).size, work.lanes),
                (reduce(mul, (work.part(dim).size for dim in match.reduced)), LEAST),
            ]
        )

    def emit(self, work: Loops, match: Tiles, pays: ir.Value | bool, later: Later[Loops]) -> None:
        def tiles(few: bool) -> None:
            TileLoops(work.job, work.policy, match, work.lanes, work.ranges, few).emit()

        def in_tiles() -> None:
            size = work.part(match.row).size
            if isinstance(size, int):
                tiles(size < FEWEST)
            else:
                either(compare("slt", size, FEWEST), lambda: tiles(True), lambda: tiles(False))

        either(unless_always(pays), in_tiles, lambda: later(work))

    def describe(self, work: Loops, match: Tiles, pays: ir.Value | bool) -> str:
        when = "" if pays is True else ", where there are enough of them"
        copied = f"copied to a panel if they are {FEWEST} or more"
        if match.across:
            copied = "copied to a panel, as it lies across"
        dims = ", ".join(f"d{dim}" for dim in match.reduced)
        return (
            f"{ROWS} points of d{match.row} at once{when}: they share what is read along "
            f"d{match.lanes}, {copied}; each sum takes {dims} in order"
        )
