"""Errors at ops. MLIR shows the op in a note, which the bindings cannot attach: tools ask here."""

from typing import Any

_current: list[Any] = []


def emit_error(op: Any, message: str) -> None:
    """Emit an error at the place of an op, which is the current one meanwhile."""
    _current.append(op)
    try:
        op.location.emit_error(message)
    finally:
        _current.pop()


def current_op_text() -> str:
    """The op at which an error is being emitted, as MLIR prints it in a note; empty if none is."""
    if not _current:
        return ""
    return (
        _current[-1]
        .operation.get_asm(
            print_generic_op_form=True,
            use_local_scope=True,
            large_elements_limit=16,
            assume_verified=True,
        )
        .rstrip("\0\n")
    )
