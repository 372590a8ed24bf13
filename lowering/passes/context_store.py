"""What is kept as long as a context of MLIR: to make it anew takes longer than to use it."""

from typing import Any

from mlir_gs.dialect._bindings import ir

_STORE = "_mlir_gs_store"


def store_of(context: ir.Context) -> dict[Any, Any]:
    """What is kept with `context`, by names; it ends with it, for nothing may outlive it that was
    made in it. One that was not made in Python keeps nothing.

    What is in use is taken out, so that what runs meanwhile makes its own.
    """
    try:
        found: dict[Any, Any] = context.__dict__.setdefault(_STORE, {})
    except AttributeError:
        return {}
    return found
