"""Nests of scf.for that carry tensors and write an element of each, at most, in the innermost body.

That is what `convert-gs-to-linalg` makes of an op that writes through coordinates.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.prove import tiles
from mlir_gs.prove.nest import Nest, Writes, depends, equal_terms, new_current, results
from mlir_gs.prove.terms import every, in_range, inside, unsigned
from mlir_gs.prove.tiles import Piece, Tiled
from mlir_gs.prove.values import Side, Tensor, Unsupported

_PUT_BACK = ("tensor.insert_slice", "tensor.parallel_insert_slice")
_FORM = "a loop that is no nest with one tensor.insert per result in its innermost body"


@dataclass(frozen=True)
class Carried:
    """A tensor that the loops carry, before it is written; `tensor` is what they start from."""

    tensor: Tensor
    current: z3.ExprRef


@dataclass(frozen=True)
class Written:
    """A carried tensor with `value` at `place`, where `valid`."""

    carried: Carried
    place: tuple[z3.ArithRef, ...]
    valid: z3.BoolRef
    value: z3.ExprRef


@dataclass(frozen=True)
class Number:
    """The number that the loops carry, and what it was compared with in this point."""

    current: z3.ArithRef
    compared: z3.ArithRef | None = None
    type: Any = None


_HANDLED = (Carried, Written, Number, Piece, Tiled)


class Loops:
    """One nest; `run_op` computes what is no part of it, `run_block` the body of an op."""

    def __init__(
        self,
        side: Side,
        values: dict[Any, Any],
        run_op: Callable[[Any], None],
        run_block: Callable[..., Any],
    ) -> None:
        self.side, self.values = side, values
        self.run_op, self.run_block = run_op, run_block
        self.dims: list[z3.ArithRef] = []
        self.extents: list[z3.ArithRef] = []
        self.guards: list[z3.BoolRef] = []
        self.tiles: list[tuple[z3.ArithRef, int]] = []
        self.reads: list[tuple[Carried, tuple[z3.ArithRef, ...]]] = []

    def results(self, op: Any) -> list[Any]:
        """What the outermost loop gives."""
        starts = [self.values[operand] for operand in list(op.operands)[3:]]
        if not starts:
            self._loop(op, [])
            return []
        if len(starts) == 1 and isinstance(starts[0], z3.ArithRef):
            return [self._greatest(op, starts[0])]
        if not all(isinstance(each, Tensor) for each in starts):
            raise Unsupported(_FORM)
        carried = [Carried(each, new_current(self.side, each.element)) for each in starts]
        ends = self._loop(op, carried)
        return self._written(carried, ends)

    def in_parallel(self, op: Any) -> list[Tensor]:
        """What a scf.forall gives, if its steps write different elements."""
        values = iter([self.values[operand] for operand in op.operands])
        bounds = [
            [next(values) if n == DYNAMIC else z3.IntVal(n) for n in op.attributes[name]]
            for name in ("staticLowerBound", "staticUpperBound", "staticStep")
        ]
        starts = list(values)
        if not all(isinstance(each, Tensor) for each in starts):
            raise Unsupported(_FORM)
        carried = [Carried(each, new_current(self.side, each.element)) for each in starts]
        places, guards = zip(*(self._dim(*each) for each in zip(*bounds, strict=True)), strict=True)
        block = op.regions[0].blocks[0]
        for argument, value in zip(block.arguments, [*places, *carried], strict=True):
            self.values[argument] = value
        with self.side.under(self.dims, guards):
            ends = self._body(block)
        if not all(isinstance(end, Tiled) for end in ends):
            raise Unsupported(_FORM)
        of_each = [[end for end in ends if end.piece.carried is each] for each in carried]
        if any(len(found) != 1 for found in of_each) or len(ends) != len(carried):
            raise Unsupported(_FORM)
        by_start = [end for found in of_each for end in found]
        nest = replace(self.nest(), in_parallel=tuple(self.dims))
        return tiles.results(self.side, nest, carried, by_start)

    def _written(self, carried: Sequence[Carried], ends: Sequence[Any]) -> list[Tensor]:
        """The tensors that are carried, after the loops."""
        if all(isinstance(end, Tiled) for end in ends):
            return tiles.results(self.side, self.nest(), carried, ends)
        writes = []
        for start, end in zip(carried, ends, strict=True):
            if isinstance(end, Carried):
                end = Written(start, _nowhere(start), z3.BoolVal(False), start.current)
            if end.carried is not start:
                raise Unsupported(_FORM)
            for read, place in self.reads:
                if read is start and not equal_terms(_simple(place), _simple(end.place)):
                    raise Unsupported("a loop that reads another element than it writes")
            writes.append(
                Writes(start.tensor, start.current, end.place, end.valid, end.value, False)
            )
        return results(self.side, self.nest(), writes)

    def nest(self) -> Nest:
        return Nest(tuple(self.dims), tuple(self.extents), tiles=tuple(self.tiles))

    def _greatest(self, op: Any, start: z3.ArithRef) -> z3.ArithRef:
        """The greatest number of all points and `start`, without signs, which loops carry."""
        if self.side.scope.variables:
            raise Unsupported("the greatest number of a loop in a loop")
        carried = Number(z3.Int(self.side.new_name("greatest")))
        (end,) = self._loop(op, [carried])
        if not isinstance(end, Number) or end.compared is None:
            raise Unsupported(_FORM)
        found, number, type_ = z3.Int(self.side.new_name("found")), end.compared, end.type
        box = inside(self.dims, self.extents)
        witness = [(dim, z3.Int(f"{found}.{n}")) for n, dim in enumerate(self.dims)]
        here = z3.And(*box, found == number)
        least, most = unsigned(start, type_), unsigned(found, type_)
        self.side.facts += [
            *in_range(found, type_),
            least <= most,
            z3.ForAll(self.dims, z3.Implies(every(box), unsigned(number, type_) <= most)),
            z3.Or(found == start, z3.substitute(here, *witness)),
        ]
        return found

    def _loop(self, op: Any, carried: Sequence[Any]) -> list[Any]:
        lower, upper, step = (self.values[operand] for operand in list(op.operands)[:3])
        at, guard = self._dim(lower, upper, step)
        block = op.regions[0].blocks[0]
        for argument, value in zip(block.arguments, [at, *carried], strict=True):
            self.values[argument] = value
        with self.side.under([self.dims[-1]], [guard]):
            return self._body(block)

    def _dim(
        self, lower: z3.ArithRef, upper: z3.ArithRef, step: z3.ArithRef
    ) -> tuple[z3.ArithRef, z3.BoolRef]:
        """A new dim: where a loop is at it, and that it is there at all."""
        lower, upper, step = map(z3.simplify, (lower, upper, step))
        is_simple = str(lower) == "0" and z3.is_int_value(step) and step.as_long() > 0
        if not is_simple or any(depends(upper, dim) for dim in self.dims):
            raise Unsupported(_FORM)
        (dim,) = self.side.new_indices(1)
        size = step.as_long()
        self.dims.append(dim)
        self.extents.append(upper if size == 1 else z3.simplify((upper + (size - 1)) / size))
        if size == 1:
            return dim, z3.And(dim >= 0, dim < upper)
        self.tiles.append((dim, size))
        return dim * size, z3.And(dim >= 0, dim * size < upper)

    def _body(self, block: Any) -> list[Any]:
        """What the block yields."""
        for view in block.operations:
            op = view.operation
            if op.name == "scf.yield":
                return [self.values[operand] for operand in op.operands]
            if op.name == "scf.forall.in_parallel":
                inner = (view.operation for view in op.regions[0].blocks[0].operations)
                return [each for view in inner for each in self._op(view) or [None]]
            found = self._op(op)
            if found is None:
                self.run_op(op)
                continue
            for result, value in zip(op.results, found, strict=True):
                self.values[result] = value
        raise Unsupported(_FORM)

    def _op(self, op: Any) -> list[Any] | None:
        """The results of an op that handles carried tensors; None for one that does not."""
        operands: list[Any] = [self.values.get(operand) for operand in op.operands]
        touches = any(isinstance(each, _HANDLED) for each in operands)
        if op.name == "scf.for" and touches:
            if not all(isinstance(each, (Carried, Number)) for each in operands[3:]):
                raise Unsupported(_FORM)
            return self._loop(op, operands[3:])
        if op.name == "scf.if":
            return self._if(op)
        if not touches:
            return None
        if op.name == "arith.maxui" and any(isinstance(each, Number) for each in operands):
            (one,) = (each for each in operands if isinstance(each, Number))
            others = [each for each in operands if each is not one]
            if one.compared is not None or len(others) != 1:
                raise Unsupported(_FORM)
            return [Number(one.current, others[0], op.results[0].type)]
        if op.name == "gs.generic":
            return tiles.written(self.side, op, self.values, self.run_block, _is_carried)
        if op.name == "tensor.extract_slice" and isinstance(operands[0], Carried):
            return [tiles.slice_of(self.side, operands[0], op, operands[1:])]
        if op.name in _PUT_BACK and isinstance(operands[0], Tiled):
            return [tiles.put_back(self.side, operands[0], operands[1], op, operands[2:])]
        if op.name == "tensor.extract" and isinstance(operands[0], Carried):
            self._inside(operands[0], operands[1:])
            self.reads.append((operands[0], tuple(operands[1:])))
            return [operands[0].current]
        if op.name == "tensor.insert" and isinstance(operands[1], Carried):
            self._inside(operands[1], operands[2:])
            valid = every(self.guards)
            return [Written(operands[1], tuple(operands[2:]), valid, operands[0])]
        if op.name == "tensor.dim" and isinstance(operands[0], (Carried, Written)):
            kept = operands[0].carried if isinstance(operands[0], Written) else operands[0]
            return [kept.tensor.shape[z3.simplify(operands[1]).as_long()]]
        raise Unsupported(_FORM)

    def _inside(self, carried: Carried, place: Sequence[z3.ArithRef]) -> None:
        for at, size in zip(place, carried.tensor.shape, strict=True):
            self.side.is_undefined(z3.Or(at < 0, at >= size), "a place out of bounds")

    def _if(self, op: Any) -> list[Any]:
        condition = self.values[op.operands[0]]
        branches = []
        for region, guard in zip(op.regions, (condition, z3.Not(condition)), strict=True):
            self.guards.append(guard)
            with self.side.under((), [guard]):
                branches.append(self._body(region.blocks[0]) if len(region.blocks) else [])
            self.guards.pop()
        return [_merged(condition, a, b) for a, b in zip(*branches, strict=True)]


def _is_carried(value: Any) -> bool:
    return isinstance(value, Carried)


def _merged(condition: z3.BoolRef, a: Any, b: Any) -> Any:
    """What a conditional gives: a write of one branch holds under its guard."""
    if isinstance(a, Carried) and a is b:
        return a
    if isinstance(a, Written) and isinstance(b, Carried) and a.carried is b:
        return a
    if isinstance(b, Written) and isinstance(a, Carried) and b.carried is a:
        return b
    if isinstance(a, z3.ExprRef) and isinstance(b, z3.ExprRef):
        return z3.If(condition, a, b)
    raise Unsupported(_FORM)


def _nowhere(carried: Carried) -> tuple[z3.ArithRef, ...]:
    return tuple(z3.IntVal(0) for _ in carried.tensor.shape)


def _simple(place: Sequence[z3.ArithRef]) -> list[z3.ArithRef]:
    return [z3.simplify(at) for at in place]
