"""Rewrite patterns: the decorator that registers one, and the driver that runs them."""

from collections.abc import Callable, Collection
from typing import Any

from mlir_gs.dialect._bindings import ir, rewrite
from mlir_gs.lowering.passes.context_store import store_of

# A pattern gets an op and a rewriter; it says whether it has rewritten the op.
Pattern = Callable[[ir.OpView, Any], bool]

_patterns: list[tuple[str | Collection[str], Pattern]] = []


def pattern(op_name: str | Collection[str]) -> Callable[[Pattern], Pattern]:
    """Function decorator: a canonical pattern rooted at ops of this name, or of these names, which
    may become more."""

    def register(function: Pattern) -> Pattern:
        _patterns.append((op_name, function))
        return function

    return register


def patterns() -> list[tuple[str, Pattern]]:
    """All registered patterns with the op that each is rooted at."""
    return [
        (name, function)
        for names, function in _patterns
        for name in ([names] if isinstance(names, str) else names)
    ]


def apply_greedily(module: ir.Operation) -> None:
    """Run all patterns on `module` until none fires; upstream's driver folds on the way."""
    kept = store_of(module.context)
    # The set grows when a module with patterns is imported.
    key = f"patterns {len(patterns())}"
    raised, frozen = kept.pop(key, None) or _frozen()
    rewrite.apply_patterns_and_fold_greedily(module, frozen)
    if raised:
        # The traceback holds `frozen`, which holds this list.
        raise raised.pop()
    kept[key] = raised, frozen


def _frozen() -> tuple[list[BaseException], Any]:
    """All patterns, for the current context, and what one of them has raised: that must not unwind
    through MLIR's frames."""
    raised: list[BaseException] = []

    def guarded(function: Pattern) -> Callable[[Any, Any], bool]:
        def run(op: Any, rewriter: Any) -> bool:
            if raised:
                return True
            try:
                with rewriter.ip, op.location:
                    # The bindings take a falsy value for a match.
                    return not function(op, rewriter)
            except BaseException as error:
                raised.append(error)
                return True

        return run

    chosen = rewrite.RewritePatternSet()
    for name, function in patterns():
        chosen.add(name, guarded(function))
    return raised, chosen.freeze()
