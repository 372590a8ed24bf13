"""Nests of scf.for that carry tensors and numbers.

Each tensor is written in one place of the nest, an element at a time or a tile: that is what
`convert-gs-to-linalg` and `gs-tile` make. A number that a loop carries is a tensor of rank 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import z3
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.reference.vectors import WRITES
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.prove import tiles, vectors
from mlir_gs.prove.carried import (
    FORM,
    HANDLED,
    Carried,
    Number,
    Written,
    all_carried,
    captured_by,
    is_carried,
    merged,
    simple,
)
from mlir_gs.prove.memory import Memory
from mlir_gs.prove.nest import Nest, Writes, equal_terms, results
from mlir_gs.prove.terms import Element, every, in_range, inside, occurs, term_of, unsigned
from mlir_gs.prove.tiles import Tiled
from mlir_gs.prove.values import Side, Tensor, Unsupported

_PUT_BACK = ("tensor.insert_slice", "tensor.parallel_insert_slice")


class Loops:
    """One nest; `run_op` computes what is no part of it, `run_block` the body of an op."""

    def __init__(
        self,
        side: Side,
        values: dict[Any, Any],
        memory: Memory,
        run_op: Callable[[Any], None],
        run_block: Callable[..., Any],
    ) -> None:
        self.side, self.values, self.memory = side, values, memory
        # The buffers that the loops use, as they carry them.
        self.buffers: dict[int, Carried] = {}
        self.run_op, self.run_block = run_op, run_block
        # Of the loops around the op that is read.
        self.dims: list[z3.ArithRef] = []
        self.extents: list[z3.ArithRef] = []
        self.tiles: list[tuple[z3.ArithRef, int]] = []
        self.guards: list[z3.BoolRef] = []
        self.reads: list[tuple[Carried, tuple[z3.ArithRef, ...], Nest]] = []
        # Numbers that are carried now.
        self.numbers: list[Carried] = []
        # Of each gs.generic on tiles, its nest and the one around it.
        self.around: list[tuple[Nest, Nest]] = []
        self.greatest: tuple[list[z3.ArithRef], list[z3.ArithRef]] = ([], [])

    def results(self, op: Any) -> list[Any]:
        """What the outermost loop gives."""
        starts = [self.values[operand] for operand in list(op.operands)[3:]]
        if len(starts) == 1 and isinstance(starts[0], z3.ArithRef):
            try:
                return [self._greatest(op, starts[0])]
            except Unsupported:
                self.dims, self.extents, self.tiles, self.guards = [], [], [], []
        carried = all_carried(self, op, starts, list(op.operands)[3:])
        written = sorted(self.memory.written_by(op))
        contents = [self.memory.contents[n] for n in written]
        if not all(isinstance(each, Tensor) for each in contents):
            raise Unsupported("memory that a loop around writes")
        held = all_carried(self, op, contents, [])
        self.buffers = dict(zip(written, held, strict=True))
        for n, each in self.buffers.items():
            self.memory.contents[n] = each
        try:
            ends = self._loop(op, carried)
            ends += [self.memory.contents[n] for n in written]
        finally:
            for n, start in zip(written, contents, strict=True):
                self.memory.contents[n] = start
        found = self._written([*carried, *held], ends)
        for n, tensor in zip(written, found[len(carried) :], strict=True):
            self.memory.contents[n] = tensor
        return found[: len(carried)]

    def in_parallel(self, op: Any) -> list[Tensor]:
        """What a scf.forall gives, if its steps write different elements."""
        values = iter([self.values[operand] for operand in op.operands])
        bounds = [
            [next(values) if n == DYNAMIC else z3.IntVal(n) for n in op.attributes[name]]
            for name in ("staticLowerBound", "staticUpperBound", "staticStep")
        ]
        starts = list(values)
        if not all(isinstance(each, Tensor) for each in starts):
            raise Unsupported(FORM)
        carried = all_carried(self, op, starts, [])
        places, guards = zip(*(self._dim(*each) for each in zip(*bounds, strict=True)), strict=True)
        carried = [replace(each, depth=len(self.dims)) for each in carried]
        block = op.regions[0].blocks[0]
        for argument, value in zip(block.arguments, [*places, *carried], strict=True):
            self.values[argument] = value
        in_parallel = tuple(self.dims)
        with self.side.under(self.dims, guards):
            ends = self._body(block)
        if not all(isinstance(end, Tiled) for end in ends):
            raise Unsupported(FORM)
        of_each = [[end for end in ends if each.is_kin(end.piece.carried)] for each in carried]
        if any(len(found) != 1 for found in of_each) or len(ends) != len(carried):
            raise Unsupported(FORM)
        return self._tiled(carried, [end for found in of_each for end in found], in_parallel)

    def _tiled(
        self, carried: Sequence[Carried], ends: Sequence[Tiled], in_parallel: Any = ()
    ) -> list[Tensor]:
        (outer,) = (outer for inner, outer in self.around if inner is ends[0].nest)
        nest = replace(outer, in_parallel=in_parallel)
        return tiles.results(self.side, nest, carried, ends)

    def _written(self, carried: Sequence[Carried], ends: Sequence[Any]) -> list[Any]:
        """What is carried, after the loops."""
        if ends and all(isinstance(end, Tiled) for end in ends):
            return self._tiled(carried, ends)
        if any(isinstance(end, Tiled) for end in ends):
            raise Unsupported(FORM)
        found: list[Any] = [None] * len(ends)
        groups: dict[Nest, list[int]] = {}
        for n, (start, end) in enumerate(zip(carried, ends, strict=True)):
            reads = [(place, nest) for read, place, nest in self.reads if read.is_kin(start)]
            if isinstance(end, Carried):
                if reads or start.is_number:
                    raise Unsupported("a loop that reads what it carries and does not write")
                found[n] = start.tensor
                continue
            for place, nest in reads:
                if nest != end.nest or not equal_terms(simple(place), simple(end.place)):
                    raise Unsupported("a loop that reads another element than it writes")
            groups.setdefault(end.nest, []).append(n)
        writes = {
            n: Writes(carried[n].tensor, carried[n].current, e.place, e.valid, e.value, False)
            for n, e in enumerate(ends)
            if isinstance(e, Written)
        }
        for nest, numbers in groups.items():
            for n in numbers:
                if any(writes[n].reads(writes[m]) for m in writes if m not in numbers):
                    raise Unsupported("loops side by side, one of which reads what another writes")
            tensors = results(self.side, nest, [writes[n] for n in numbers])
            for n, tensor in zip(numbers, tensors, strict=True):
                found[n] = tensor.at(()) if carried[n].is_number else tensor
        return found

    def nest(self) -> Nest:
        """The loops around what is read."""
        return Nest(tuple(self.dims), tuple(self.extents), tiles=tuple(self.tiles))

    def _greatest(self, op: Any, start: z3.ArithRef) -> z3.ArithRef:
        """The greatest number of all points and `start`, without signs, which loops carry."""
        if self.side.scope.variables:
            raise Unsupported("the greatest number of a loop in a loop")
        carried = Number(z3.Int(self.side.new_name("greatest")))
        (end,) = self._loop(op, [carried])
        if not isinstance(end, Number) or end.compared is None:
            raise Unsupported(FORM)
        found, number, type_ = z3.Int(self.side.new_name("found")), end.compared, end.type
        dims, extents = self.greatest
        box = inside(dims, extents)
        witness = [(dim, z3.Int(f"{found}.{n}")) for n, dim in enumerate(dims)]
        here = z3.And(*box, found == number)
        least, most = unsigned(start, type_), unsigned(found, type_)
        self.side.facts += [
            *in_range(found, type_),
            least <= most,
            z3.ForAll(dims, z3.Implies(every(box), unsigned(number, type_) <= most)),
            z3.Or(found == start, z3.substitute(here, *witness)),
        ]
        return found

    def _loop(self, op: Any, carried: Sequence[Any]) -> list[Any]:
        if "unsignedCmp" in op.attributes:
            raise Unsupported("a loop with bounds without signs")
        lower, upper, step = (
            self.side.used(self.values[operand], "a bound of a loop")
            for operand in list(op.operands)[:3]
        )
        at, guard = self._dim(lower, upper, step)
        depth = len(self.dims)
        inner = [replace(c, depth=depth) if isinstance(c, Carried) else c for c in carried]
        block = op.regions[0].blocks[0]
        given = [c.current if isinstance(c, Carried) and c.is_number else c for c in inner]
        for argument, value in zip(block.arguments, [at, *given], strict=True):
            self.values[argument] = value
        # Inside, the numbers that an outer loop carries are those of a step before.
        outer = {operand: self.values[operand] for operand in list(op.operands)[3:]}
        stale = [c for c in carried if isinstance(c, Carried) and c.is_number and depth > 1]
        self.values.update({o: c for o, v in outer.items() for c in stale if v is c.current})
        numbers, self.numbers = (
            self.numbers,
            [c for c in inner if isinstance(c, Carried) and c.is_number],
        )
        held = {n: each for n, each in enumerate(self.memory.contents) if isinstance(each, Carried)}
        for n, each in held.items():
            self.memory.contents[n] = replace(each, depth=depth)
        starts = [*inner, *(self.memory.contents[n] for n in held)]
        with self.side.under([self.dims[-1]], [guard]):
            ends = [*self._body(block), *(self.memory.contents[n] for n in held)]
            ends = [self._end(*each) for each in zip(starts, ends, strict=True)]
        for (n, start), end in zip(held.items(), ends[len(inner) :], strict=True):
            self.memory.contents[n] = start if isinstance(end, Carried) else end
        ends = ends[: len(inner)]
        self.values.update(outer)
        self.numbers = numbers
        self.dims.pop()
        self.extents.pop()
        self.tiles = [each for each in self.tiles if any(each[0].eq(dim) for dim in self.dims)]
        return [
            start if isinstance(end, Carried) else end
            for start, end in zip(carried, ends, strict=True)
        ]

    def _end(self, start: Any, end: Any) -> Any:
        """What an argument of a loop is after one step: itself, or written."""
        if isinstance(start, Carried) and start.is_number and not isinstance(end, Written):
            return Written(start, (), z3.BoolVal(True), end, self.nest())
        if not isinstance(end, (Carried, Written, Tiled) if isinstance(start, Carried) else Number):
            raise Unsupported(FORM)
        kept = end.carried if isinstance(end, Written) else end
        if isinstance(end, (Carried, Written)) and not start.is_kin(kept):
            raise Unsupported("a loop that exchanges what it carries")
        if isinstance(end, Carried) and end.depth != start.depth:
            raise Unsupported("a loop that gives back what an outer one carries")
        return end

    def _dim(
        self, lower: z3.ArithRef, upper: z3.ArithRef, step: z3.ArithRef
    ) -> tuple[z3.ArithRef, z3.BoolRef]:
        """A new dim: where a loop is at it, and that it is there at all."""
        lower, upper, step = map(z3.simplify, (lower, upper, step))
        if not z3.is_int_value(step) or step.as_long() <= 0:
            raise Unsupported("a loop whose step is not known")
        if occurs(self.side.currents, [lower, upper]):
            raise Unsupported("a loop whose bounds hang on what is written")
        (dim,) = self.side.new_indices(1)
        size = step.as_long()
        count = z3.simplify(upper - lower)
        self.dims.append(dim)
        self.extents.append(count if size == 1 else z3.simplify((count + (size - 1)) / size))
        if size == 1:
            at = dim if str(lower) == "0" else dim + lower
            return at, z3.And(dim >= 0, dim < count)
        if str(lower) == "0":
            self.tiles.append((dim, size))
            return dim * size, z3.And(dim >= 0, dim * size < upper)
        return lower + dim * size, z3.And(dim >= 0, dim * size < count)

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
        raise Unsupported(FORM)

    def _op(self, op: Any) -> list[Any] | None:
        """The results of an op that handles carried tensors; None for one that does not."""
        operands: list[Any] = [self.values.get(operand) for operand in op.operands]
        if op.name == "scf.for":
            operands[3:] = [
                next((n for n in self.numbers if o is n.current), o) for o in operands[3:]
            ]
        touches = any(isinstance(each, HANDLED) for each in operands)
        if op.name in ("memref.load", "memref.store"):
            return self._access(op, operands)
        if op.name in WRITES and isinstance(self.memory.contents[self._written_by(op)], HANDLED):
            return self._store_lanes(op)
        is_inner = op.name == "scf.for" and self.memory.used_by(*walk(op)) & self.buffers.keys()
        if op.name == "scf.for" and (touches or is_inner):
            if not all(isinstance(each, (Carried, Number)) for each in operands[3:]):
                raise Unsupported(FORM)
            return self._loop(op, operands[3:])
        if op.name in ("scf.if", "scf.index_switch"):
            return self.memory.branches(op, self._guarded, merged)
        captured = () if op.name == "scf.for" else captured_by(op, self.values)
        if any(isinstance(each, HANDLED) for each in captured):
            raise Unsupported(FORM)
        if not touches:
            return None
        if any(isinstance(each, Carried) and each.owner is not self for each in operands):
            raise Unsupported("a loop in a loop that uses what the outer one carries")
        if op.name == "arith.maxui" and any(isinstance(each, Number) for each in operands):
            (one,) = (each for each in operands if isinstance(each, Number))
            others = [each for each in operands if each is not one]
            if one.compared is not None or len(others) != 1 or isinstance(others[0], Element):
                raise Unsupported(FORM)
            self.greatest = (list(self.dims), list(self.extents))
            return [Number(one.current, term_of(others[0]), op.results[0].type)]
        if op.name == "gs.generic":
            if any(isinstance(each, Carried) and self._is_stale(each) for each in operands):
                raise Unsupported("a loop that uses what an outer one carries")
            found = tiles.written(self.side, op, self.values, self.run_block, is_carried)
            self.around.append((found[0].nest, self.nest()))
            return found
        if op.name == "tensor.extract_slice" and isinstance(operands[0], Carried):
            if self._is_stale(operands[0]):
                raise Unsupported("a loop that uses what an outer one carries")
            return [tiles.slice_of(self.side, operands[0], op, self._places(operands[1:]))]
        if op.name in _PUT_BACK and isinstance(operands[0], Tiled):
            rest = self._places(operands[2:])
            return [tiles.put_back(self.side, operands[0], operands[1], op, rest)]
        if op.name == "tensor.extract" and isinstance(operands[0], Carried):
            place = self._inside(operands[0], operands[1:])
            self.reads.append((operands[0], place, self.nest()))
            return [operands[0].current]
        if op.name == "tensor.insert" and isinstance(operands[1], Carried):
            place = self._inside(operands[1], operands[2:])
            return [Written(operands[1], place, every(self.guards), operands[0], self.nest())]
        if op.name == "tensor.dim" and isinstance(operands[0], (Carried, Written)):
            kept = operands[0].carried if isinstance(operands[0], Written) else operands[0]
            return [kept.tensor.shape[z3.simplify(operands[1]).as_long()]]
        raise Unsupported(FORM)

    def _access(self, op: Any, operands: list[Any]) -> list[Any] | None:
        """A load or store of memory that the loops write; None of other memory."""
        is_store = op.name == "memref.store"
        view, *index = operands[is_store:]
        held = self.memory.contents[view.buffer]
        if isinstance(held, Tensor):
            return None
        if isinstance(held, Carried) and (held.owner is not self or self._is_stale(held)):
            raise Unsupported("a loop in a loop that uses what the outer one carries")
        place = tuple(self.memory.inside(op, view, index))
        if isinstance(held, Written):
            if is_store or not equal_terms(simple(place), simple(held.place)):
                raise Unsupported("a loop that uses twice the memory that it writes")
            if not held.valid.eq(every(self.guards)) or held.nest != self.nest():
                raise Unsupported("a loop that reads what it may have written")
            return [held.value]
        if is_store and isinstance(operands[0], HANDLED):
            raise Unsupported(FORM)
        if not is_store:
            self.reads.append((held, place, self.nest()))
            return [held.current]
        valid = every(self.guards)
        self.memory.contents[view.buffer] = Written(held, place, valid, operands[0], self.nest())
        return []

    def _written_by(self, op: Any) -> int:
        return self.values[op.operands[op.name == "vector.store"]].buffer

    def _store_lanes(self, op: Any) -> list[Any]:
        """A vector that is written to memory that the loops write."""
        held = self.memory.contents[self._written_by(op)]
        if not isinstance(held, Carried) or held.owner is not self or self._is_stale(held):
            raise Unsupported("a loop that uses twice the memory that it writes")
        view, (lanes, sizes), place, is_on, item = vectors.write(self.memory, op)
        nest = self.nest()
        nest = replace(nest, dims=(*nest.dims, *lanes), extents=(*nest.extents, *sizes))
        valid = every([*self.guards, is_on])
        self.memory.contents[view.buffer] = Written(held, place, valid, item, nest)
        return []

    def _is_stale(self, carried: Carried) -> bool:
        return carried.depth != len(self.dims)

    def _places(self, items: Sequence[Any]) -> list[z3.ArithRef]:
        return [self.side.used(each, "a place") for each in items]

    def _inside(self, carried: Carried, items: Sequence[Any]) -> tuple[z3.ArithRef, ...]:
        if self._is_stale(carried):
            raise Unsupported("a loop that uses what an outer one carries")
        place = self._places(items)
        for at, size in zip(place, carried.tensor.shape, strict=True):
            self.side.is_undefined(z3.Or(at < 0, at >= size), "a place out of bounds")
        return tuple(place)

    def _guarded(self, block: Any, guard: z3.BoolRef) -> list[Any]:
        self.guards.append(guard)
        ends = self._body(block)
        self.guards.pop()
        return ends
