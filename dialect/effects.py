"""Memory effects of the ops: what passes may remove or move."""

from collections.abc import Iterator
from typing import Any

from mlir_gs.dialect._bindings import ir


class Effects(ir.MemoryEffectsOpInterface):
    """An op on memrefs reads and writes; one that may report an error writes. No op is
    speculatable: its promises may hold only where it stands."""

    @staticmethod
    def get_effects(op: Any, effects: Any) -> None:
        if any(isinstance(operand.type, ir.MemRefType) for operand in op.operands):
            effects.append(ir.MemoryEffect.Read)
            effects.append(ir.MemoryEffect.Write)
        elif reports_errors(op):
            effects.append(ir.MemoryEffect.Write)


def reports_errors(op: Any) -> bool:
    """Whether a coordinate out of bounds makes the op fail; the op may not have been verified."""
    return any(str(mode) == '"error"' for mode in _modes(op.attributes))


def _modes(attributes: Any) -> Iterator[ir.Attribute]:
    if "mode" in attributes:
        yield attributes["mode"]
    if "modes" in attributes:
        modes = attributes["modes"]
        yield from modes if isinstance(modes, ir.ArrayAttr) else ()
