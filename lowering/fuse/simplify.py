"""Loops without repeated inputs and unused coordinates."""

from dataclasses import replace

from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.fuse.equal_sizes import Sizes
from mlir_gs.lowering.fuse.loops import Loops, once, renumbered, with_symbols
from mlir_gs.lowering.ir import affine_rewrites


def simplified(loops: Loops, sizes: Sizes) -> Loops:
    """Equal inputs and coordinates once, and no coordinates that address nothing."""
    loops = _equal_symbols_once(loops, sizes)
    used = [
        k
        for k, symbol in enumerate(loops.symbols)
        if loops.uses(k) or symbol.mode in ("fill_or_drop", "error") or _bounds_others(loops, k)
    ]
    if len(used) < len(loops.symbols):
        return simplified(with_symbols(loops, used), sizes)
    # What is kept for the bounds of others only has none itself.
    symbols = tuple(
        symbol
        if loops.uses(k) or symbol.mode in ("fill_or_drop", "error")
        else replace(symbol, mode="promise_in_bounds", wrap=False)
        for k, symbol in enumerate(loops.symbols)
    )
    return replace(loops, symbols=symbols, reads=once(loops.reads))


def _bounds_others(loops: Loops, number: int) -> bool:
    """Where symbol `number` is read, the bounds of another coordinate are looked at."""
    used = {k for expr in loops.symbols[number].exprs for k in symbols_of(expr)}
    return any(loops.symbols[k].checked for k in used)


def _equal_symbols_once(loops: Loops, sizes: Sizes) -> Loops:
    for k, symbol in enumerate(loops.symbols):
        for first in range(k):
            if symbol != loops.symbols[first]:
                continue
            structure = loops.structure
            if symbol.checked and sizes.bounds(structure, first) != sizes.bounds(structure, k):
                continue
            numbers = [affine_rewrites.symbol(n) for n in range(len(loops.symbols))]
            numbers[k] = affine_rewrites.symbol(first)
            merged = renumbered(loops, numbers, loops.symbols)
            order = [n for n in range(len(loops.symbols)) if n != k]
            return _equal_symbols_once(with_symbols(merged, order), sizes)
    return loops
