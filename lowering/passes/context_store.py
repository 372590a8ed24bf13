"""Objects that are expensive to make, kept with a context of MLIR."""

from typing import Any

from mlir_gs.dialect._bindings import ir

_STORE = "_mlir_gs_store"


def store_of(context: ir.Context) -> dict[Any, Any]:
    """The objects kept with `context`, by key; they end with it. A context that was not made in
    Python keeps none.

    Pop an object while you use it: a nested use then makes its own.
    """
    try:
        found: dict[Any, Any] = context.__dict__.setdefault(_STORE, {})
    except AttributeError:
        return {}
    return found
