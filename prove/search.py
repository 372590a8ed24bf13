"""Counterexamples: arguments for which the reference gives other results for the two functions.

They are found by running both on small arguments, so whatever is shown has been run.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import is_integer
from mlir_gs.prove.arguments import Hints, Maker
from mlir_gs.prove.overlaps import Shared
from mlir_gs.prove.runs import UNDEFINED, Outcome, OutOfTime, Results, bits, outcome
from mlir_gs.prove.shrink import is_large, laid_out, shrunk
from mlir_gs.prove.symbols import functions, seen_afterwards

# The most elements of an argument that are made plainer.
_MOST_PLAINER = 16
# Seconds for that.
_PLAINER = 0.5
_ASCENDING = "gs.ascending"
_SHARED_TRIALS = 400


@dataclass(frozen=True)
class Counterexample:
    """Arguments, and what each function gives for them."""

    arguments: list[np.ndarray]
    before: Outcome
    after: Outcome
    # The functions that were run have smaller static sizes: it is none for those that were given.
    is_of_small_sizes: bool = False

    def text(self) -> str:
        lines = [_shown(f"argument {n}", array) for n, array in enumerate(self.arguments)]
        lines += [self.arguments.text()] if isinstance(self.arguments, Shared) else []
        for name, found in (("before", self.before), ("after", self.after)):
            if isinstance(found, str):
                lines.append(f"{name}: {found}")
                continue
            pairs = zip(found.arrays, found.poison, strict=True)
            lines += [_shown(f"{name}, result {n}", *pair) for n, pair in enumerate(pairs)]
        return "\n".join(lines)


def _shown(what: str, array: np.ndarray, poison: Any = False) -> str:
    spelled = array
    if np.any(poison):
        spelled = np.where(poison, "poison", array.astype(str)).astype(object)
    text = np.array2string(spelled, separator=", ", threshold=64)
    between = "\n" if "\n" in text else " "
    return f"{what}: {array.dtype}{list(array.shape)}{between}{text}"


def search(before: Any, after: Any, entry: str, seconds: float, trials: int, seed: int = 0) -> Any:
    """A counterexample, or None where none was found in that time or so many trials."""
    types = types_of(before, entry)
    end = time.monotonic() + seconds
    if is_large(types):
        return _on_large(before, after, entry, end, trials, seed)
    try:
        maker = Maker(types, Hints.of(str(before), str(after)), seed)
    except TypeError:
        # No array holds an argument.
        return None
    return first_of(before, after, entry, seconds, map(maker.make, range(trials)))


def _on_large(before: Any, after: Any, entry: str, end: float, trials: int, seed: int) -> Any:
    """A counterexample of large static sizes, from one of small ones."""
    types, small = types_of(before, entry), None
    for one, other in shrunk(before, after):
        found = search(one, other, entry, (end - time.monotonic()) / 3, trials, seed)
        if found:
            small = small or replace(found, is_of_small_sizes=True)
            candidates = laid_out(found.arguments, types)
            found = first_of(before, after, entry, (end - time.monotonic()) / 2, candidates)
            if found:
                return found
    return small


def search_shared(
    before: Any, after: Any, entry: str, seconds: float, pairs: Sequence[tuple[int, int]]
) -> Any:
    """A counterexample where the arguments of one of `pairs` share memory, or None."""
    types = types_of(before, entry)
    pairs = [(n, m) for n, m in pairs if types[n].element_type == types[m].element_type]
    if not pairs:
        return None
    maker = Maker(types, Hints.of(str(before), str(after)), seed=2)
    made = (maker.make(trial) for trial in range(_SHARED_TRIALS))
    return first_of(before, after, entry, seconds, (
        Shared(arrays, *pairs[n % len(pairs)], n // len(pairs) % 3)
        for n, arrays in enumerate(made) if arrays is not None
    ))  # fmt: skip


def first_of(
    before: Any, after: Any, entry: str, seconds: float, candidates: Iterable[Any]
) -> Counterexample | None:
    """The first of `candidates`, lists of arguments or None, that is a counterexample."""
    if _ASCENDING in str(before):
        # The reference does not look whether this promise holds.
        return None
    end = time.monotonic() + seconds
    try:
        for arguments in candidates:
            found = tried(before, after, entry, arguments, end) if arguments is not None else None
            if found:
                if isinstance(arguments, Shared):
                    return found
                return _plainer(before, after, entry, found, end + _PLAINER)
            if time.monotonic() > end:
                return None
    except (NotImplementedError, TypeError, KeyError, MemoryError, OutOfTime):
        return None
    return None


def types_of(module: Any, entry: str) -> list[ir.Type]:
    """The types of the arguments of a function."""
    return [argument.type for argument in functions(module)[entry].regions[0].blocks[0].arguments]


def _plainer(
    before: Any, after: Any, entry: str, found: Counterexample, end: float
) -> Counterexample:
    """The same with integers nearer to 0, where both still differ."""
    for n, array in enumerate(found.arguments):
        if not is_integer(array.dtype) or array.size > _MOST_PLAINER:
            continue
        for place in np.ndindex(array.shape):
            for number in (0, 1, -1, 2):
                if abs(number) >= abs(int(found.arguments[n][place])):
                    break
                arguments = [each.copy() for each in found.arguments]
                arguments[n][place] = np.array(number).astype(array.dtype)
                try:
                    other = tried(before, after, entry, arguments, end)
                except OutOfTime:
                    return found
                if other:
                    found = other
                    break
    return found


def tried(
    before: Any, after: Any, entry: str, arguments: list[np.ndarray], end: float, first: Any = None
) -> Any:
    """A counterexample if these are one; `first` is what `before` gives, where that is known."""
    seen = seen_afterwards(functions(before)[entry], functions(after)[entry])
    if first is None:
        first = outcome(before, entry, arguments, end, seen, open_is_poison=True)
    if isinstance(first, str) and first.startswith(UNDEFINED):
        return None
    second = outcome(after, entry, arguments, end, seen)
    # Nothing was read or written, so no promise was needed; or it is broken by what is shared.
    arrays = first.arrays if isinstance(first, Results) else None
    is_nothing = arrays is not None and all(array.size == 0 for array in arrays)
    is_free = is_nothing or isinstance(arguments, Shared)
    if is_free and isinstance(second, str) and second.startswith(UNDEFINED):
        return None
    if _stands_for(first, second):
        return None
    return Counterexample(arguments, first, second)


def _stands_for(a: Outcome, b: Outcome) -> bool:
    """Both report an error, or `b` has the bits of `a` where that is not poison."""
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a[:5] == b[:5]
    return all(map(_same_array, a.arrays, b.arrays, a.poison, b.poison))


def _same_array(a: np.ndarray, b: np.ndarray, skip: np.ndarray, poison: np.ndarray) -> bool:
    if a.shape != b.shape:
        return False
    same = bits(a) == bits(b)
    if a.dtype != np.bool_ and not is_integer(a.dtype):
        with np.errstate(all="ignore"):
            same = same | ((a != a) & (b != b))
    return bool(np.all((same & ~poison) | skip))
