"""What a value of the IR is to the solver, and what is known while one is computed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.terms import (
    NEVER,
    Element,
    Item,
    element,
    every,
    in_range,
    inside,
    parts_of,
    pick,
    poison_of,
    sort_of,
    term_of,
)

# In the names of lanes that a mask may turn off.
LANE = ".lane"
Index = Sequence[z3.ArithRef]


class Unsupported(Exception):
    """An op, or a form of one, whose meaning is not stated here."""


@dataclass(frozen=True)
class Tensor:
    """Sizes, and the element at `variables` as a term: all elements at once."""

    shape: tuple[z3.ArithRef, ...]
    element: ir.Type
    variables: tuple[z3.ArithRef, ...]
    term: z3.ExprRef
    # Where the element is poison.
    poison: z3.BoolRef = NEVER

    def at(self, index: Index) -> Item:
        """The element at `index`, which has to be in bounds."""
        swap = list(zip(self.variables, index, strict=True))
        term = z3.substitute(self.term, *swap)
        return (
            term if z3.is_false(self.poison) else element(term, z3.substitute(self.poison, *swap))
        )


Value = Tensor | Item


@dataclass(frozen=True)
class Event:
    """What may go wrong, in the order of the program: for some `variables`, `condition` holds.

    `undefined`: the program has no meaning then; otherwise it reports an error and stops.
    """

    undefined: bool
    variables: tuple[z3.ArithRef, ...]
    condition: z3.BoolRef
    why: str
    # How many facts were known before.
    facts: int
    # The last values of the variables, as far as they are known.
    ends: tuple["End", ...] = ()
    # Of an error: what the caller finds in arguments that were written before.
    held: dict[str, Any] = field(default_factory=dict)

    def never(self) -> z3.BoolRef:
        condition = z3.Not(self.condition)
        if not self.variables:
            return condition
        everywhere = z3.ForAll(list(self.variables), condition)
        return z3.And(everywhere, *self._flat(), *map(z3.Not, self._corners()))

    def _flat(self) -> list[z3.BoolRef]:
        """The same by the place in all vectors, where a vector and a lane are variables: what is
        read there is known by that."""
        found = []
        for (tile, _, size, _), (inner, last, *_) in product(self.ends, self.ends):
            if size > 1 and LANE in str(inner) and str(last) == str(size - 1):
                place = z3.Int(f"{tile}.{inner}")
                whole = z3.substitute(self.condition, (z3.simplify(size * tile + inner), place))
                parts = [(tile, place / size), (inner, place % size)]
                rest = [v for v in self.variables if not v.eq(tile) and not v.eq(inner)]
                found.append(z3.ForAll([place, *rest], z3.Not(z3.substitute(whole, *parts))))
        return found

    def _corners(self) -> list[z3.BoolRef]:
        """The condition where all variables are 0 or at their ends, or at the last place in the
        last tile. The solver knows which points to look at from the functions that are applied to
        them; without one it is given these."""
        if len(self.ends) != len(self.variables) or _applies(self.condition):
            return []
        points = [[(v, z3.IntVal(0)) for v in self.variables], [end[:2] for end in self.ends]]
        for _, _, size, at in self.ends:
            if size > 1:
                points.append([(v, at if z3.is_int_value(last) and last.as_long() == size - 1
                                else last) for v, last, *_ in self.ends])  # fmt: skip
        return [z3.substitute(self.condition, *swap) for swap in points]

    def somewhere(self, name: str) -> z3.BoolRef:
        """The condition at new constants, which are the same for the same `name`."""
        new = [(v, z3.Int(f"{name}.{n}")) for n, v in enumerate(self.variables)]
        return z3.substitute(self.condition, *new)


def _applies(term: z3.ExprRef) -> bool:
    """A function is applied in `term`."""
    return any(
        z3.is_app(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED and part.num_args() > 0
        for part in parts_of([term])
    )


# A variable, its last value, the size of a tile where it goes from tile to tile, and the last place
# in the last tile.
End = tuple[z3.ArithRef, z3.ArithRef, int, z3.ArithRef]


def _end(guard: z3.BoolRef) -> list[End]:
    """What a guard says that `inside` or a loop made."""
    below = guard.arg(1) if z3.is_and(guard) and guard.num_args() == 2 else guard
    if not z3.is_lt(below) and not z3.is_gt(below):
        return []
    # A number on the right turns the comparison around.
    at, end = below.children() if z3.is_lt(below) else below.children()[::-1]
    if z3.is_mul(at) and z3.is_int_value(at.arg(1)):
        size = at.arg(1).as_long()
        return [(at.arg(0), (end - 1) / size, size, (end - 1) % size)]
    return [(at, z3.simplify(end - 1), 1, z3.IntVal(0))]


@dataclass
class Scope:
    """Where an op runs: for which variables, and under which condition."""

    variables: tuple[z3.ArithRef, ...] = ()
    guards: tuple[z3.BoolRef, ...] = ()


@dataclass
class Side:
    """One of the two functions, as far as it was read."""

    name: str
    events: list[Event] = field(default_factory=list)
    facts: list[z3.BoolRef] = field(default_factory=list)
    folds: list[Any] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)
    # What stands for elements that are written over, wherever that is done.
    currents: list[z3.ExprRef] = field(default_factory=list)
    # Ops whose meaning is not stated, and whether a function that is called is read.
    opaque: set[str] = field(default_factory=set)
    is_called: bool = False
    counter: int = 0
    # Gives the arguments that were written, and what they hold.
    written: Any = dict
    muted: bool = False
    # Whether flags such as nsw are looked at.
    flags: Any = True

    def new_name(self, what: str) -> str:
        self.counter += 1
        return f"{self.name}.{what}{self.counter}"

    def new_indices(self, count: int, what: str = "d") -> tuple[z3.ArithRef, ...]:
        name = self.new_name(what)
        return tuple(z3.Int(f"{name}.{n}") for n in range(count))

    @contextmanager
    def under(
        self, variables: Sequence[z3.ArithRef] = (), guards: Sequence[z3.BoolRef] = ()
    ) -> Iterator[None]:
        """What is recorded meanwhile may happen for any `variables` for which `guards` hold."""
        before = self.scope
        self.scope = Scope((*before.variables, *variables), (*before.guards, *guards))
        try:
            yield
        finally:
            self.scope = before

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Nothing is recorded meanwhile: it was, or will be."""
        before, self.muted = self.muted, True
        try:
            yield
        finally:
            self.muted = before

    def may(self, undefined: bool, condition: z3.BoolRef, why: str) -> None:
        """Something goes wrong where `condition` holds."""
        if self.muted:
            return
        whole = z3.simplify(every([*self.scope.guards, condition]))
        if not z3.is_false(whole):
            ends = tuple(end for guard in self.scope.guards for end in _end(guard))
            held = {} if undefined else self.written()
            event = Event(undefined, self.scope.variables, whole, why, len(self.facts), ends, held)
            self.events.append(event)

    def is_undefined(self, condition: z3.BoolRef, why: str) -> None:
        self.may(True, condition, why)

    def fails(self, condition: z3.BoolRef, why: str) -> None:
        self.may(False, condition, why)

    def typed(self, shape: Sequence[z3.ArithRef], type_: Any, why: str) -> tuple[Any, ...]:
        """`shape` with the static sizes of `type_`, from which it must not differ."""
        found = []
        for d, size in enumerate(shape):
            if type_.is_dynamic_dim(d):
                found.append(size)
                continue
            static = stands_for(type_.shape[d])
            self.is_undefined(size != static, f"{why} has another size")
            found.append(static)
        return tuple(found)

    def tensor(self, shape: Sequence[z3.ArithRef], element: ir.Type, at: Any) -> Tensor:
        """The tensor whose element at an index is `at(index)`."""
        variables = self.new_indices(len(shape), "p")
        with self.under(variables, inside(variables, shape)):
            item = at(variables)
        return Tensor(tuple(shape), element, variables, term_of(item), poison_of(item))

    def used(self, item: Item, why: str) -> z3.ExprRef:
        """An item on which it hangs what is done: poison has no meaning there."""
        if isinstance(item, Element):
            self.is_undefined(item.poison, f"{why} that is poison")
        return term_of(item)

    def learn(self, facts: Sequence[z3.BoolRef]) -> None:
        """`facts` hold where this place is reached."""
        guards = self.scope.guards
        self.facts += [z3.Implies(every(guards), fact) for fact in facts] if guards else facts


def chosen_value(side: Side, condition: z3.BoolRef, a: Value, b: Value) -> Value:
    """`a` where `condition` holds, else `b`."""
    if not isinstance(a, (Tensor, Element, z3.ExprRef)):
        raise Unsupported("a branch that gives memory")
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        return pick(condition, a, b)
    shape = [
        n if n.eq(m) else z3.If(condition, n, m) for n, m in zip(a.shape, b.shape, strict=True)
    ]
    return side.tensor(shape, a.element, lambda index: pick(condition, a.at(index), b.at(index)))


# A size is less than 2^62: no more bytes can be addressed.
MOST = 1 << 62


def given(name: str, type_: Any) -> tuple[Any, list[z3.BoolRef]]:
    """A value of which nothing but its type is known, the same one for the same name."""
    is_vector = isinstance(type_, ir.VectorType) and not type_.scalable
    if not is_vector and not isinstance(type_, (ir.RankedTensorType, ir.MemRefType)):
        if isinstance(type_, ir.ShapedType):
            raise Unsupported(f"a value of type {type_}")
        scalar = z3.Const(name, sort_of(type_))
        return scalar, in_range(scalar, type_)
    shape = tuple(
        z3.Int(f"{name}.size{d}") if type_.is_dynamic_dim(d) else stands_for(type_.shape[d])
        for d in range(type_.rank)
    )
    known = [z3.And(n >= 0, n < MOST) for n in shape if not z3.is_int_value(n)]
    element = type_.element_type
    variables = tuple(z3.Int(f"{name}.{d}") for d in range(type_.rank))
    if not variables:
        term = z3.Const(name, sort_of(element))
        return Tensor((), element, (), term), known + in_range(term, element)
    function = z3.Function(name, *[z3.IntSort()] * type_.rank, sort_of(element))
    term = function(*variables)
    known += [z3.ForAll(list(variables), fact, patterns=[term]) for fact in in_range(term, element)]
    return Tensor(shape, element, variables, term), known
