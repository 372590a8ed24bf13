"""Erasing an op whose results something still reads is an error here: MLIR's release build checks
nothing, and the reader then writes into freed memory when it is erased itself."""

from typing import Any

from mlir_gs.dialect._bindings import ir


def watch_erasures() -> None:
    """From now on `erase` raises where an op outside the erased one reads a result in it."""
    for kind in (ir.Operation, ir.OpView):
        base: Any = next(one for one in kind.__mro__ if "erase" in one.__dict__)
        if getattr(base.erase, "is_watched", False):
            continue
        base.erase = _watched(base.erase)


def _watched(erase: Any) -> Any:
    def watched(op: Any) -> None:
        chosen = op.operation
        inside, todo = [], [chosen]
        while todo:
            one = todo.pop()
            inside.append(one)
            todo += [
                nested.operation
                for region in one.regions
                for block in region.blocks
                for nested in block.operations
            ]
        for one in inside:
            for result in one.results:
                for use in result.uses:
                    reader = use.owner.operation
                    if reader not in inside:
                        raise AssertionError(f"'{reader.name}' reads what '{one.name}' gives")
        erase(op)

    watched.is_watched = True  # pyright: ignore[reportFunctionMemberAccess]
    return watched
