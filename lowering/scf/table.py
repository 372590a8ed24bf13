"""The strategies of `convert-gs-to-scf`: what it does beyond plain loops, from the outermost in.

Each is left out where the target's `disable` names it. Results do not change.
"""

from typing import Any

from mlir_gs.lowering.scf.strategies.cuts import Cuts
from mlir_gs.lowering.scf.strategies.halo import Halos
from mlir_gs.lowering.scf.strategies.overwritten import OverwrittenPoints
from mlir_gs.lowering.scf.strategies.owned import OwnerComputes
from mlir_gs.lowering.scf.strategies.parts import LANES, READS, RUNS
from mlir_gs.lowering.scf.strategies.private import PrivateCopies
from mlir_gs.lowering.scf.strategies.strips import ColumnStrips
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Strategy

WHOLE: tuple[Strategy[Work, Any], ...] = (
    OverwrittenPoints(),
    ColumnStrips(),
    PrivateCopies(),
    Cuts(),
    OwnerComputes(),
    Halos(),
)
"""Those for a whole op: the first that applies and pays takes it."""

EVERY: tuple[Strategy[Any, Any], ...] = (*WHOLE, *RUNS, *READS, *LANES)

STRATEGIES = {
    **{one.name: one.meaning for one in EVERY},
    "prefetch": "software prefetches",
}
"""Name and meaning of each."""
