"""Whether one function may stand for another, for all arguments.

`after` may stand for `before` if, wherever `before` is defined: it is defined, it reports an error
exactly where `before` does, and otherwise its results have the same sizes and elements. The solver
looks for arguments for which one of these does not hold; if it shows that there are none, that is
a proof.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, permutations
from typing import Any

import z3
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.memory import FIXED
from mlir_gs.prove.models import Question
from mlir_gs.prove.nest import Fold
from mlir_gs.prove.permitted import permitted
from mlir_gs.prove.poison import Flags, spelled_flags
from mlir_gs.prove.solver import SOON, Solver
from mlir_gs.prove.symbols import seen_afterwards
from mlir_gs.prove.terms import Item, equal, every, inside, parts_of, poison_of, term_of
from mlir_gs.prove.values import Event, Tensor, Unsupported

# How flags are printed.
_FLAGS = ("overflow<", " nneg", " exact", "fastmath<")
# The most dims of which all orders are tried.
_MOST_ORDERED = 3


@dataclass(frozen=True)
class Verdict:
    """`proved`, or `reason`: what the solver could not show."""

    proved: bool
    reason: str = ""
    # What did not follow.
    question: Question | None = None


def compare(before: Any, after: Any, timeout: float) -> Verdict:
    """Whether the function `after` may stand for `before`, within `timeout` seconds."""
    solver = Solver(time.monotonic() + timeout)
    reason, second = "", None
    # What flags of `before` leave open may be taken as if it had none.
    for flags in _readings(before, after):
        try:
            first = Meaning("before", before, flags is None or flags, solver.deadline)
            second = second or Meaning("after", after, end=solver.deadline)
            if flags is None and not permitted(first, second, before.context):
                break
            seen = seen_afterwards(before, after)
            reason = _Comparison(solver, first, second, seen).differs()
        except Unsupported as problem:
            return Verdict(False, str(problem))
        except z3.Z3Exception as problem:
            return Verdict(False, f"that in the memory that the solver may take: {problem}")
        if not reason:
            return Verdict(True)
    if reason and solver.timed_out:
        reason += f" (the time limit of {timeout:g} s was reached)"
    return Verdict(not reason, reason, solver.last)


def _readings(before: Any, after: Any) -> list[Flags | None]:
    """With all flags; with those of ops that `after` has as well; with none; None: with what
    `after` makes of ops whose flags allow that."""
    if not any(flag in str(before) for flag in _FLAGS):
        return [True]
    kept = frozenset(spelled_flags(op) for op in walk(after) if "." in op.name)
    return [True, kept, False, *([None] if _FLAGS[-1] in str(before) else [])]


@dataclass(frozen=True)
class _Joined:
    """One dim, or a dim of tiles and one inside of a tile: `at` is the dim that they were cut from.

    Where `within` holds, each place is one tile and one place in it, in the same order.
    """

    dims: tuple[z3.ArithRef, ...]
    at: z3.ArithRef
    within: z3.BoolRef


Paired = tuple[z3.ArithRef, _Joined]


class _Comparison:
    """Two functions and what was shown of them so far."""

    def __init__(
        self, solver: Solver, before: Meaning, after: Meaning, written: Sequence[int]
    ) -> None:
        self.solver, self.before, self.after = solver, before, after
        # The arguments that the caller may look at afterwards.
        self.written = written
        self.equal_folds: list[z3.BoolRef] = []

    def differs(self) -> str:
        """What could not be shown; nothing if `after` may stand for `before`."""
        before, after = self.before.side, self.after.side
        new = sorted(after.opaque - before.opaque)
        if new:
            return f"that '{new[0].split(':')[0]}', whose meaning is not stated, has one here"
        defined = [event.never() for event in before.events]
        known = [*before.facts, *defined]
        self._match_folds(known)
        shown: list[z3.BoolRef] = []
        for count, group in groupby(after.events, key=lambda event: event.facts):
            events = list(group)
            past = [*known, *self._facts_before(count), *shown]
            never = [event.never() for event in events]
            if not self._none_happens(past, events):
                for n, event in enumerate(events):
                    if not self._none_happens([*past, *never[:n]], [event]):
                        word = "has no meaning" if event.undefined else "reports an error"
                        return f"that the result {word} only where the original does: {event.why}"
            shown += never
        for n, error in enumerate(before.events):
            if not error.undefined:
                reason = self._still_reported(n, error)
                if reason:
                    return reason
        known += [*after.facts, *shown, *self.equal_folds]
        for n, (mine, theirs) in enumerate(zip(self.before.shared, self.after.shared, strict=True)):
            if mine is None or theirs is None:
                continue
            if theirs.alignment % mine.alignment:
                return f"that result {n} is aligned as it was"
            if not self._shares(known, mine, theirs):
                return f"that result {n} shares memory with the same arguments and results"
        pairs = zip(self.before.results, self.after.results, strict=True)
        for n, (one, other) in enumerate(pairs):
            reason = self._same(known, one, other)
            if reason:
                return f"that {reason} of result {n} {'are' if reason[-1] == 's' else 'is'} equal"
        for n in self.written:
            reason = self._same(known, self.before.arguments[n], self.after.arguments[n])
            if reason:
                return f"that argument {n} holds the same in the end"
        return ""

    def _none_happens(self, known: list[z3.BoolRef], events: Sequence[Event]) -> bool:
        """None of `events` happens, each at a point of its own."""
        goals = [z3.Not(event.somewhere(f"witness{n}")) for n, event in enumerate(events)]
        with self.solver.within(SOON if len(events) > 1 else self.solver.slice):
            return self.solver.holds(known, every(goals))

    def _facts_before(self, count: int) -> list[z3.BoolRef]:
        """What is known of `after` where its first `count` facts are."""
        folds = [fold for fold in self.after.side.folds if fold.facts < count]
        return [*self.after.side.facts[:count], *self.equal_folds[: len(folds)]]

    def _still_reported(self, number: int, error: Event) -> str:
        """Where this is the first error of `before`, `after` reports one too."""
        before, after = self.before.side, self.after.side
        known = [
            *before.facts[: error.facts],
            *(event.never() for event in before.events[:number]),
            error.somewhere("error"),
        ]
        last = max((n for n, each in enumerate(after.events) if not each.undefined), default=-1)
        until = after.events[: last + 1]
        facts = after.facts[: after.events[last].facts] if until else []
        if not self.solver.holds(
            [*known, *facts, *(e.never() for e in until if not e.undefined)], z3.BoolVal(False)
        ):
            return f"that the result reports the error that the original does: {error.why}"
        # Nor is anything undefined before it does.
        for n, event in enumerate(until):
            past = [*known, *after.facts[: event.facts], *(e.never() for e in until[:n])]
            if event.undefined and not self.solver.holds(past, z3.Not(event.somewhere("witness"))):
                return f"that the result has a meaning where the original fails: {event.why}"
            # What is written by then is what the original has written.
            past.append(event.somewhere("witness"))
            for name, other in event.held.items():
                one = error.held.get(name)
                is_known = isinstance(one, Tensor) and isinstance(other, Tensor)
                if not is_known or self._same(past, one, other):
                    return f"that {name} holds the same after an error: {event.why}"
        return ""

    def _shares(self, known: list[z3.BoolRef], one: Any, other: Any) -> bool:
        """Two results are in the same memory, at the same place where others see that."""
        if other.view is None and one.name in (FIXED, other.name):
            return True
        if one.name != other.name or one.view is None or other.view is None:
            return False
        point = [z3.Int(f"point.{d}") for d in range(len(one.view.shape))]
        where = [*inside(point, one.view.shape), *inside(point, other.view.shape)]
        return self.solver.holds([*known, *where], equal(one.view.at(point), other.view.at(point)))

    def _same(self, known: list[z3.BoolRef], one: Any, other: Any) -> str:
        if not isinstance(one, Tensor):
            return "" if self._refines(known, one, other) else "the value"
        sizes = equal(one.shape, other.shape)
        if not self.solver.holds(known, sizes):
            return "the sizes"
        point = [z3.Int(f"point.{d}") for d in range(len(one.shape))]
        where = [*inside(point, one.shape), sizes]
        same = self._refines([*known, *where], one.at(point), other.at(point))
        return "" if same else "the elements"

    def _refines(self, known: list[z3.BoolRef], one: Item, other: Item) -> bool:
        """`other` may stand for `one`: it is the same, where that is not poison."""
        kept = [z3.Not(each) for each in [poison_of(one)] if not z3.is_false(each)]
        same = term_of(one) == term_of(other)
        goal = same if z3.is_false(poison_of(other)) else z3.And(z3.Not(poison_of(other)), same)
        return self.solver.holds([*known, *kept], goal)

    def _match_folds(self, known: list[z3.BoolRef]) -> None:
        """Find for each fold of `after` one of `before` with the same result at each point."""
        for fold in self.after.side.folds:
            past = [*known, *self.after.side.facts[: fold.facts], *self.equal_folds]
            other = self._partner(past, fold)
            # One per fold, so that they are counted as the folds are.
            same = z3.BoolVal(True) if other is None else _equality(other, fold)
            self.equal_folds.append(same)

    def _partner(self, known: list[z3.BoolRef], fold: Fold) -> Fold | None:
        folds = self.before.side.folds
        # What is equal shows itself soon; what differs takes the whole time.
        for limit in (SOON, self.solver.slice) if len(folds) > 1 else (self.solver.slice,):
            with self.solver.within(limit):
                found = next((other for other in folds if self._equal(known, other, fold)), None)
            if found is not None:
                return found
        return None

    def _equal(self, known: list[z3.BoolRef], one: Fold, other: Fold) -> bool:
        """The folds have the same elements: the same steps from the same start."""
        sorts = [[f.range() for f in fold.functions] for fold in (one, other)]
        if sorts[0] != sorts[1] or len(one.point) != len(other.point):
            return False
        point = [z3.Int(f"fold.point.{d}") for d in range(len(one.point))]
        mine, theirs = one.at(point), other.at(point)
        known = [*known, mine.where, theirs.where]
        if not self._same_start(known, mine, theirs):
            return False
        orders = self._orders(known, mine, theirs)
        return any(self._same_steps(known, mine, theirs, dims) for dims in orders)

    def _same_start(self, known: list[z3.BoolRef], one: Fold, other: Fold) -> bool:
        nothing = []
        if one.overwrites and other.overwrites:
            # Then the start is seen only where nothing is written.
            nothing = [z3.ForAll(list(fold.dims), z3.Not(fold.hit)) for fold in (one, other)]
        return self.solver.holds([*known, *nothing], equal(one.initial, other.initial))

    def _orders(self, known: list[z3.BoolRef], one: Fold, other: Fold) -> Iterator[list[Paired]]:
        """Ways to pair the dims of both, the others being of size 1."""
        mine, inner, count = _wide(one), _inner(other), len(other.tiles)
        if len(mine) != len(inner) or count > len(inner):
            return
        if count <= 1:
            # What is cut into tiles is the first dim, so that all comes in order.
            yield list(zip(mine, _joined(other, inner[:count]), strict=True))
        # If they do the same at each point: where one writes once at most, so does the other; what
        # may come in any order in `before`, may come in this one.
        free = one.single or one.regrouped or self._commutes(known, one)
        if not free or len(mine) > _MOST_ORDERED:
            return
        for first in permutations(inner, count):
            for order in permutations(_joined(other, first)) if count == 0 else [None]:
                yield list(zip(mine, order or _joined(other, first), strict=True))
        if count == 0 and len(mine) == 1:
            (dim,) = inner
            extent = next(e for d, e in zip(other.dims, other.extents, strict=True) if d.eq(dim))
            yield [(mine[0], _Joined((dim,), extent - 1 - dim, z3.BoolVal(True)))]

    def _commutes(self, known: list[z3.BoolRef], fold: Fold) -> bool:
        """Any two points of a fold may be swapped: then it gives the same in all orders."""
        others = [z3.Int(f"swapped.{n}") for n in range(len(fold.dims))]
        move = list(zip(fold.dims, others, strict=True))
        moved = [z3.substitute(value, *move) for value in fold.values]

        def after(first: Sequence[z3.ExprRef], second: Sequence[z3.ExprRef]) -> list[z3.ExprRef]:
            swap = list(zip(fold.currents, first, strict=True))
            return [z3.substitute(value, *swap) for value in second]

        both = [fold.hit, z3.substitute(fold.hit, *move), *fold.ranges]
        one, other = after(fold.values, moved), after(moved, fold.values)
        names = _names([*one, *both])
        told = [fact for fact in known if _names([fact]) <= names]
        return self.solver.holds([*told, *both], equal(one, other))

    def _same_steps(
        self, known: list[z3.BoolRef], one: Fold, other: Fold, dims: list[Paired]
    ) -> bool:
        """At each point, both do the same to the current elements."""
        swap = [(mine, theirs.at) for mine, theirs in dims]
        used = [dim for mine, theirs in dims for dim in (mine, *theirs.dims)]
        narrow = [
            (dim, z3.IntVal(0))
            for fold in (one, other)
            for dim in fold.dims
            if not any(dim.eq(each) for each in used)
        ]
        currents = list(zip(other.currents, one.currents, strict=True))
        steps = []
        for fold, swapped in ((one, [*swap, *narrow]), (other, [*narrow, *currents])):
            steps.append(
                [
                    z3.substitute(z3.If(fold.hit, value, current), *swapped)
                    for value, current in zip(fold.values, fold.currents, strict=True)
                ]
            )
        known = [*known, *one.ranges]
        within = [theirs.within for _, theirs in dims]
        hit = z3.substitute(other.hit, *narrow)
        if not self.solver.holds([*known, hit], every(within)):
            return False
        return self.solver.holds([*known, *within], equal(*steps))


def _joined(fold: Fold, first: Sequence[z3.ArithRef]) -> list[_Joined]:
    """The wide dims, those of tiles with the ones in `first`, as many."""
    partners = dict(zip(map(str, first), fold.tiles, strict=True))
    found = []
    for dim in _inner(fold):
        if str(dim) not in partners:
            found.append(_Joined((dim,), dim, z3.BoolVal(True)))
            continue
        tile, size = partners[str(dim)]
        found.append(_Joined((tile, dim), tile * size + dim, z3.And(dim >= 0, dim < size)))
    return found


def _inner(fold: Fold) -> list[z3.ArithRef]:
    """The wide dims but those of tiles."""
    return [dim for dim in _wide(fold) if not any(dim.eq(tile) for tile, _ in fold.tiles)]


def _names(terms: Sequence[z3.ExprRef]) -> set[str]:
    """The constants and functions in `terms`."""
    apps = (part for part in parts_of(terms) if z3.is_app(part))
    return {str(a.decl()) for a in apps if a.decl().kind() == z3.Z3_OP_UNINTERPRETED}


def _wide(fold: Fold) -> list[z3.ArithRef]:
    """The dims that may have more than one point."""
    return [
        dim
        for dim, extent in zip(fold.dims, fold.extents, strict=True)
        if not (z3.is_int_value(extent) and extent.as_long() == 1)
    ]


def _equality(one: Fold, other: Fold) -> z3.BoolRef:
    """The functions of both are equal at all points."""
    point = other.point
    mine, theirs = ([f(*point) for f in fold.functions] for fold in (one, other))
    same = z3.Implies(z3.And(one.at(point).where, other.where), equal(mine, theirs))
    if not point:
        return same
    return z3.ForAll(list(point), same, patterns=[*theirs])
