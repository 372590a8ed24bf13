"""`gs-repair`: rewrites ops that upstream's passes lower wrongly."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.repair import divisions as _divisions
from mlir_gs.lowering.repair import loop_carried as _loops
from mlir_gs.lowering.repair import pads as _pads
from mlir_gs.lowering.repair import powers as _powers
from mlir_gs.lowering.repair import reshapes as _reshapes
from mlir_gs.lowering.repair import resources as _resources
from mlir_gs.lowering.repair import steps as _steps
from mlir_gs.lowering.repair import unread as _unread
from mlir_gs.lowering.repair.repairs import repair

REPAIR_MODULES = (_divisions, _loops, _pads, _powers, _reshapes, _resources, _steps, _unread)


@register_pass
@dataclass(frozen=True)
class GsRepair:
    """Rewrite ops of upstream's dialects that upstream's passes lower wrongly.

    A `tensor.pad` with negative amounts crops: it becomes a slice that is padded by what is left.
    Where sizes are known at run time only, so are the amounts; a result whose size would be
    negative is an error. A `tensor.reshape` to another number of elements is an error, too. A loop
    that carries one `tensor.empty` twice gets another one, since upstream would make one buffer of
    both. A `math.fpowi` by more than 32 bits, of which upstream would take the low ones, becomes
    `math.powf`. An output of a linalg op whose elements may stay as they are, since a dim that is
    reduced has the size 0, is copied if the body does not read it: it would be memory that nobody
    writes. An integer division by what may be 0 divides by 1 there, and so does one of the least
    number by -1: these have no meaning, and the CPU would end the process. A constant or global
    whose elements are a resource holds them itself if there are none, if it has rank 0, or if they
    are complex or no whole bytes. A loop of scf or of the affine dialect that may step past the
    largest number counts its turns instead, and a step that is not positive is an error. Other ops
    stay.
    """

    name: ClassVar[str] = "gs-repair"

    def run(self, module: ir.Operation) -> None:
        repair(module)
