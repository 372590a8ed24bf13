"""`gs-repair`: rewrites ops that upstream's passes lower wrongly."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.conditions import names_in
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.repair import absolute as _absolute
from mlir_gs.lowering.repair import divisions as _divisions
from mlir_gs.lowering.repair import index_ops as _index
from mlir_gs.lowering.repair import loop_carried as _loops
from mlir_gs.lowering.repair import pads as _pads
from mlir_gs.lowering.repair import poison as _poison
from mlir_gs.lowering.repair import powers as _powers
from mlir_gs.lowering.repair import reshapes as _reshapes
from mlir_gs.lowering.repair import resources as _resources
from mlir_gs.lowering.repair import slices as _slices
from mlir_gs.lowering.repair import steps as _steps
from mlir_gs.lowering.repair import unread as _unread
from mlir_gs.lowering.repair.accumulations import read_outputs_as_inputs
from mlir_gs.lowering.repair.branches import switch_in_conditions
from mlir_gs.lowering.repair.least import MARKED, keep_from_mark
from mlir_gs.lowering.repair.repairs import repair, repaired

REPAIR_MODULES = (
    *(_absolute, _divisions, _index, _loops, _pads, _poison, _powers),
    *(_reshapes, _resources, _slices, _steps, _unread),
)


@register_pass
@dataclass(frozen=True)
class GsRepair:
    """Rewrite ops of upstream's dialects that upstream's passes lower wrongly. Other ops stay.

    - `tensor.pad` by negative amounts crops: it becomes a slice, padded by the other amounts. A
      result of negative size is an error, at run time where sizes are dynamic.
    - `tensor.reshape` to another number of elements is an error.
    - A loop that carries one `tensor.empty` twice gets a second one, for a buffer of its own.
    - `math.fpowi` by more than 32 bits becomes `math.powf`; upstream would take the low 32 bits.
    - `complex.abs` scales the parts, whose squares may overflow or vanish.
    - An output of a linalg op is copied if a reduced dim may have the size 0 and the body does not
      read the output. Otherwise nobody would write that memory.
    - An integer division divides by 1 where the divisor is 0, and where the least number is divided
      by -1. Both are undefined, and the CPU would end the process.
    - Ops of the index dialect become those of arith, which upstream folds and lowers at the ends of
      64 bits, too.
    - An scf.if in the condition of an scf.while becomes an scf.index_switch. canonicalize moves the
      former into the body, and takes the wrong branch of those that are read twice.
    - Constants and globals with a resource hold their elements themselves if there are none, or if
      these have rank 0, are complex, or are no whole bytes.
    - `ub.poison` of integers, and a shift by a constant that is too large, becomes 0.
    - A slice that drops dims of size 1, where others are or may become 1 too, keeps all dims. Its
      result is collapsed, and what it inserts expanded.
    - An offset or stride of a slice that may fold to -2^63, upstream's mark of a dynamic number,
      becomes at least -2^63 + 1.
    - A loop of scf or affine that may step past the largest number counts its iterations instead. A
      step that is not positive is an error.
    - A linalg.generic whose dims are all parallel reads what it adds to as an input, if an op reads
      its result. Else linalg-fuse-elementwise-ops might add several times.
    """

    name: ClassVar[str] = "gs-repair"
    only_with: ClassVar[tuple[str, ...]] = (*repaired(), *MARKED, "scf.while", "linalg.")

    def run(self, module: ir.Operation) -> None:
        repair(module)
        names = names_in(module)
        if "scf.while" in names:
            switch_in_conditions(module)
        if "linalg.generic" in names:
            read_outputs_as_inputs(module)
        if not names.isdisjoint(MARKED):
            keep_from_mark(module)
