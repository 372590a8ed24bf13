"""The registry of repairs: rewrites of ops that upstream's passes lower wrongly."""

from collections.abc import Callable
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import has_named, walk_named

Repair = Callable[[Any], bool]

_repairs: dict[str, Repair] = {}
_conditions: dict[str, Repair] = {}
"""By name, which ops a repair is for; without an entry, all."""


def repairs(*names: str, where: Repair | None = None) -> Callable[[Repair], Repair]:
    """Function decorator: the repair of ops of these names; of those alone for which `where` holds.

    It gets one op, inside its location and with the insertion point before it, and builds what
    replaces it: all uses of the results are to be replaced. It says whether it did; the op is then
    erased. To refuse a form that has no meaning: `fail(op, "'tensor.pad' op ...")`.

    What is repaired here is right for every front end and for files of upstream's ops: compiling
    does it when everything is in gs and upstream's dialects, before any of upstream's passes that
    might fold, and `gs-bufferize` does it for pipelines of one's own. Raises ValueError for a
    second repair of one op.
    """

    def register(function: Repair) -> Repair:
        for name in names:
            if name in _repairs:
                raise ValueError(f"'{name}' is repaired twice")
            _repairs[name] = function
            if where is not None:
                _conditions[name] = where
        return function

    return register


def needs_repair(module: ir.Operation) -> bool:
    """Whether there are ops that have a repair."""
    if has_named(module, *(_repairs.keys() - _conditions.keys())):
        return True
    return any(_conditions[op.name](op) for op in walk_named(module, *_conditions))


def repair(module: ir.Operation) -> None:
    """Run all repairs. Raises PassFailure."""
    for op in walk_named(module, *_repairs):
        if op.name in _conditions and not _conditions[op.name](op):
            continue
        with op.location, ir.InsertionPoint(op):
            done = _repairs[op.name](op)
        if done:
            op.erase()
