"""Masked reads: elements that may be out of bounds are read without a branch for each."""

from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.scf.loops.read_or_fill import have_a_first, masked_inputs
from mlir_gs.lowering.scf.remarks import names
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy


class MaskedReads(Strategy[Loops, frozenset[int]]):
    """What is out of bounds reads a place that is always there, and takes the fill instead."""

    name = "masked-reads"
    meaning = "masked loads in the place of a branch where elements may be out of bounds"

    def applies(self, work: Loops) -> frozenset[int] | None:
        assert work.dim is not None
        return masked_inputs(work.job, work.dim) or None

    def pays(self, work: Loops, match: frozenset[int]) -> ir.Value | bool:
        return have_a_first(work.job, match)

    def emit(
        self, work: Loops, match: frozenset[int], pays: ir.Value | bool, later: Later[Loops]
    ) -> None:
        conditions = dict(work.conditions)
        if isinstance(pays, ir.Value):
            conditions["where there is nothing to read"] = pays
        later(replace(work, job=replace(work.job, masked=match), conditions=conditions))

    def describe(self, work: Loops, match: frozenset[int], pays: ir.Value | bool) -> str:
        read = [work.job.inputs[number] for number in sorted(match)]
        return (
            f"{names(work.job, read)} without a branch: what is out of bounds reads the first "
            "element, and takes the fill"
        )
