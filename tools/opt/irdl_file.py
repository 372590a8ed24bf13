"""`--irdl-file`: dialects that an IRDL file defines."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.parse_input import parse_module


def load_irdl(data: bytes, name: str, context: Any) -> None:
    """Register the dialects that `data` defines. Raises ir.MLIRError for a text that does not
    parse or verify, and UsageError for a dialect that is known already."""
    module = parse_module(data, name, context)
    names = [
        op.attributes["sym_name"].value
        for op in (view.operation for view in module.body.operations)
        if op.name == "irdl.dialect"
    ]
    for number, each in enumerate(names):
        # MLIR ends the process when it meets a second dialect of one name.
        if each in names[:number] or is_registered(each, context):
            raise UsageError(f"{name}: a dialect '{each}' has already been registered")
    if not names:
        raise UsageError(f"{name}: defines no dialect")
    with context, ir.Location.unknown():
        dialect("irdl").load_dialects(module)


def is_registered(name: str, context: Any) -> bool:
    """Whether `context` can load a dialect of this name, or has."""
    try:
        context.get_dialect_descriptor(name)
    except ValueError:
        return False
    return True
