"""The registry of repairs: rewrites of ops that upstream's passes lower wrongly."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.lowering.ir.builders import has_named, replace_op, walk_named

Repair = Callable[[Any], ir.Value | Sequence[ir.Value] | None]
Condition = Callable[[Any], bool]

_repairs: dict[str, Repair] = {}
_conditions: dict[str, Condition] = {}
"""By name, which ops a repair is for; without an entry, all."""

_first: set[str] = set()
"""Names of ops that are repaired to ops which have repairs themselves."""

_lowered: dict[str, tuple[Condition, str, tuple[str, ...]]] = {}
"""By name, which ops an upstream pass has to lower, and to ops of which names that are repaired."""


def repairs(
    *names: str, where: Condition | None = None, first: bool = False
) -> Callable[[Repair], Repair]:
    """Function decorator: the repair of ops of these names; of those alone for which `where` holds.
    `first`: it runs before the others, on ops that it may make.

    It gets one op, inside its location and with the insertion point before it, and builds and
    returns what takes the place of its results; None for an op that stays. To refuse a form that
    has no meaning: `fail(op, "'tensor.pad' op ...")`.

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
            if first:
                _first.add(name)
        return function

    return register


def lowered(*names: str, by: str, to: tuple[str, ...], where: Condition) -> None:
    """Where `where` holds for an op of these names after the repairs, the upstream pass `by` runs
    on the module, and then the repairs of ops of the names `to`."""
    _lowered.update(dict.fromkeys(names, (where, by, to)))


def _to_lower(module: ir.Operation) -> set[tuple[str, tuple[str, ...]]]:
    ops = walk_named(module, *_lowered)
    return {(by, to) for op in ops for where, by, to in [_lowered[op.name]] if where(op)}


def repaired() -> tuple[str, ...]:
    """The names of ops that may have to be repaired or lowered."""
    return (*_repairs, *_lowered)


def repair(module: ir.Operation) -> None:
    """Run all repairs. Raises PassFailure."""
    if not has_named(module, *repaired()):
        return
    _repair_named(module, *_first)
    _repair_named(module, *(_repairs.keys() - _first))
    for name, made in _to_lower(module):
        PassManager.parse(f"builtin.module({name})").run(module)
        _repair_named(module, *made)


def _repair_named(module: ir.Operation, *names: str) -> None:
    for op in walk_named(module, *names):
        if op.name in _conditions and not _conditions[op.name](op):
            continue
        with op.location, ir.InsertionPoint(op):
            made = _repairs[op.name](op)
        if made is not None:
            replace_op(op, [made] if isinstance(made, ir.Value) else made)
