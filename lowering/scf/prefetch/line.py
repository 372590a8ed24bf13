"""Asking for lines before they are needed: what a machine says of it, and the op."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import either, memref


def by_level(condition: bool | ir.Value, then: int, other: int, ask: Callable[[int], None]) -> None:
    """Ask for what comes to the cache of the level `then` where the condition holds, else of the
    level `other`."""
    if isinstance(condition, bool):
        ask(then if condition else other)
    else:
        either(condition, lambda: ask(then), lambda: ask(other))


def ask_for(shaped: ir.Value, where: Sequence[Any], written: bool, level: int = 1) -> None:
    """Ask for the line at `where` in the memref `shaped`, to read or write it later.

    x86's prefetch for writing knows no level: to the second cache all lines come as if to read
    them. A core that is alone with a line may write it all the same.
    """
    memref.prefetch(shaped, where, written and level == 1, 4 - level, True)
