"""Narrow rows: those of less than a vector, of a length known when they run, have own loops."""

from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.scf.loops.short_vectors import is_narrow
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy


class NarrowRows(Strategy[Loops, ir.Value]):
    """A function of its own moves each of them as two short vectors, which may overlap."""

    name = "narrow-rows"
    meaning = "separate loops for rows narrower than a vector"

    def applies(self, work: Loops) -> ir.Value | None:
        if work.dim is None or not work.unit_strides or work.segments is not None:
            return None
        return is_narrow(work.job, work.dim, work.part(work.dim), work.lanes)

    def emit(
        self, work: Loops, match: ir.Value, pays: ir.Value | bool, later: Later[Loops]
    ) -> None:
        # Non-temporal stores, which are for much longer rows, are looked at before.
        later(replace(work, is_narrow=match))

    def describe(self, work: Loops, match: ir.Value, pays: ir.Value | bool) -> str:
        return (
            f"less than {work.lanes} of d{work.dim} as two shorter vectors, which may overlap: in "
            "loops of their own for each length of those"
        )
