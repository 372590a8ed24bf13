"""Memrefs: buffers, what they hold now, and views of them.

Arguments do not overlap. A buffer's contents are a tensor, which each write replaces; in a loop
they are carried, as a tensor in iter_args is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import global_value
from mlir_gs.dialect.reference.vectors import READS, WRITES
from mlir_gs.lowering.ir.builders import memory_of, walk
from mlir_gs.prove import vectors
from mlir_gs.prove.generic import RunBlock, nest_of
from mlir_gs.prove.linalg import linalg_nest
from mlir_gs.prove.nest import Nest, Writes, new_current, results
from mlir_gs.prove.scalars import function
from mlir_gs.prove.shapes import dim_of, mixed, shape_of, spelled_out, viewed
from mlir_gs.prove.symbols import symbols_of
from mlir_gs.prove.terms import NEVER, Element, Item, equal, inside, pick, some, sort_of
from mlir_gs.prove.values import Side, Tensor, Unsupported

Terms = Sequence[z3.ArithRef]
Place = Callable[[Terms], Terms]


@dataclass(frozen=True)
class View:
    """Elements of a buffer, by a number: element `index` is the buffer's at `place(index)`."""

    buffer: int
    shape: tuple[z3.ArithRef, ...]
    element: ir.Type
    place: Place | None = None

    def at(self, index: Terms) -> Terms:
        return tuple(index) if self.place is None else self.place(index)


@dataclass
class Memory:
    """The contents of all buffers: tensors, or what a loop carries."""

    side: Side
    values: dict[Any, Any]
    contents: list[Any] = field(default_factory=list)
    # Of each buffer, in how many loops and bodies it was made.
    depths: list[int] = field(default_factory=list)
    # And which memory that is: a name that both functions know, or that of an op.
    owners: list[str] = field(default_factory=list)
    # What it held first.
    first: list[Tensor] = field(default_factory=list)
    # What its alignment is, where the text says so.
    alignments: dict[int, int] = field(default_factory=dict)
    # The tensors that are in a buffer.
    lent: list[tuple[View, ir.Value]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.side.written = self.written

    def written(self) -> dict[str, Any]:
        """The arguments that were written, and what they hold."""
        buffers = zip(self.owners, self.contents, self.first, strict=True)
        return {owner: now for owner, now, first in buffers
                if owner.startswith("arg") and now is not first}  # fmt: skip

    def new(self, tensor: Tensor, owner: str = "") -> View:
        self.contents.append(tensor)
        self.depths.append(len(self.side.scope.variables))
        self.owners.append(owner or self.side.new_name("memory"))
        self.first.append(tensor)
        return View(len(self.contents) - 1, tensor.shape, tensor.element)

    def whole(self, view: View) -> Tensor:
        """What the buffer of a view holds now."""
        found = self.contents[view.buffer]
        if not isinstance(found, Tensor):
            raise Unsupported("memory that is freed, or that a loop around writes")
        return found

    def held(self, view: View) -> Tensor:
        """What a view shows now."""
        whole = self.whole(view)
        if view.place is None:
            return whole
        return self.side.tensor(view.shape, view.element, lambda i: whole.at(view.at(i)))

    def write(self, view: View, tensor: Tensor | None) -> None:
        """The buffer of `view` holds `tensor` from here on; None: it is freed."""
        if self.depths[view.buffer] != len(self.side.scope.variables):
            raise Unsupported("memory that is constant, or that each step of a loop writes")
        self.contents[view.buffer] = tensor

    def used_by(self, *ops: Any) -> set[int]:
        """The buffers that are operands of `ops`."""
        roots = [self.values.get(memory_of(o)) for each in ops for o in each.operands]
        return {root.buffer for root in roots if isinstance(root, View)}

    def written_by(self, op: Any) -> set[int]:
        """The buffers to which `op` stores, in its regions, one element at a time."""
        found = self.used_by(*(o for o in walk(op) if o.name in ("memref.store", *WRITES)))
        if any(self.depths[n] == _CONSTANT for n in found):
            raise Unsupported("a constant that is written")
        return found

    def run(self, op: Any, run: RunBlock) -> list[Any] | None:
        """The results of an op on memrefs; None where it is no such op."""
        handler = _OPS.get(op.name)
        if handler is not None:
            return handler(self, op)
        if op.name in ("gs.generic", "linalg.generic") and not len(op.results):
            self._generic(op, run)
            return []
        return None

    def _generic(self, op: Any, run: RunBlock) -> None:
        """Loops of an op that writes to memrefs."""
        views = {o: self.values[o] for o in op.operands if isinstance(self.values[o], View)}
        outputs = outputs_of(op)
        written = [views[each].buffer for each in outputs]
        for operand, view in views.items():
            if view.buffer in written and operand not in outputs:
                raise Unsupported("an op that reads the memory that it writes")
        inner = [each for each in walk(op) if each != op]
        used = {operand for each in inner for operand in each.operands}
        if used & views.keys() or self.used_by(*inner) & {*written}:
            raise Unsupported("an op whose body reads the memory of its operands")
        if len(set(written)) < len(written) or len(set(op.operands)) < len(op.operands):
            raise Unsupported("an op that uses the same memory twice")
        self.values.update({operand: self.held(view) for operand, view in views.items()})
        try:
            read = nest_of if op.name == "gs.generic" else linalg_nest
            nest, writes = read(self.side, op, self.values, run)
        finally:
            self.values.update(views)
        moved = [
            w if view.place is None else _moved(w, self.contents[view.buffer], view)
            for w, view in zip(writes, (views[each] for each in outputs), strict=True)
        ]
        tensors = results(self.side, nest, moved)
        for operand, tensor in zip(outputs, tensors, strict=True):
            self.write(views[operand], tensor)

    def branches(self, op: Any, run: Any, merge: Any) -> list[Any]:
        """What a scf.if or scf.index_switch gives: `run` reads a block under a guard, `merge` takes
        one of two."""
        number = self.side.used(self.values[op.operands[0]], "a condition")
        regions, conditions = list(op.regions), [number]
        if op.name == "scf.index_switch":
            regions = [*regions[1:], regions[0]]
            conditions = [number == case for case in op.attributes["cases"]]
        guards = [*conditions, z3.Not(some(conditions))]
        found, held, before = [], [], list(self.contents)
        for region, guard in zip(regions, guards, strict=True):
            self.contents[: len(before)] = before
            with self.side.under((), [guard]):
                found.append(run(region.blocks[0], guard) if len(region.blocks) else [])
            held.append(self.contents[: len(before)])

        def merged(values: Sequence[Any]) -> Any:
            last = values[-1]
            for condition, each in zip(conditions[::-1], values[-2::-1], strict=True):
                last = each if each is last else merge(self.side, condition, each, last)
            return last

        self.contents[: len(before)] = map(merged, zip(*held, strict=True))
        return [merged(each) for each in zip(*found, strict=True)]

    def inside(self, op: Any, view: View, items: Sequence[Item]) -> Terms:
        """The place in the buffer of an element of a view, in bounds."""
        index = [self.side.used(each, "a place") for each in items]
        out = some([z3.Not(each) for each in inside(index, view.shape)])
        self.side.is_undefined(out, "a place out of bounds")
        self.aligned(op, view, index)
        return view.at(index)

    def aligned(self, op: Any, view: View, index: Terms) -> None:
        """What `op` says of the address of an element."""
        if "alignment" in op.attributes:
            address = function(f"address:{self.owners[view.buffer]}", view.at(index), z3.IntSort())
            bytes_ = op.attributes["alignment"].value
            self.side.is_undefined(address % bytes_ != 0, "an address that is not aligned")

    def leave(self, found: Sequence[Any], first: int) -> None:
        """A function returns `found`; its buffers are those from `first` on."""
        for view in found:
            if (
                isinstance(view, View)
                and view.buffer >= first
                and self.owners[view.buffer] == _STACK
            ):
                self.side.is_undefined(z3.BoolVal(True), "memory of the stack that is returned")


def _moved(write: Any, whole: Tensor, view: View) -> Any:
    return replace(write, output=whole, place=tuple(map(z3.simplify, view.at(write.place))))


def outputs_of(op: Any) -> list[ir.Value]:
    """What a gs.generic or linalg.generic writes."""
    sizes = list(op.attributes["operandSegmentSizes"])
    count = sum(sizes[16:]) if op.name == "gs.generic" else sizes[-1]
    return list(op.operands)[len(op.operands) - count :]


def _load(memory: Memory, op: Any) -> list[Any]:
    view, *index = (memory.values[o] for o in op.operands)
    place = memory.inside(op, view, index)
    whole = memory.whole(view)
    return [whole.at(place)]


def _store(memory: Memory, op: Any) -> list[Any]:
    item, view, *index = (memory.values[o] for o in op.operands)
    if not isinstance(item, (Element, z3.ExprRef)):
        raise Unsupported("memory of vectors or of memory")
    place = memory.inside(op, view, index)
    whole = memory.whole(view)
    written = memory.side.tensor(
        whole.shape, whole.element, lambda i: pick(equal(i, place), item, whole.at(i))
    )
    memory.write(view, written)
    return []


def _store_lanes(memory: Memory, op: Any) -> list[Any]:
    view, (lanes, sizes), place, is_on, item = vectors.write(memory, op)
    whole = memory.whole(view)
    current = new_current(memory.side, whole.element, isinstance(item, Element))
    write = Writes(whole, current, place, is_on, item, False)
    memory.write(view, *results(memory.side, Nest(tuple(lanes), tuple(sizes)), [write]))
    return []


def _dealloc(memory: Memory, op: Any) -> list[Any]:
    view = memory.values[op.operands[0]]
    memory.held(view)
    if view.place is not None or memory.owners[view.buffer] == _STACK:
        memory.side.is_undefined(z3.BoolVal(True), "memory that is not from memref.alloc is freed")
    memory.write(view, None)
    return []


def _alloc(memory: Memory, op: Any) -> list[Any]:
    type_, side = op.results[0].type, memory.side
    count = next(iter(op.attributes["operandSegmentSizes"]))
    dynamic = [side.used(memory.values[o], "a size") for o in list(op.operands)[:count]]
    shape = shape_of(side, type_, dynamic)
    point = side.new_indices(type_.rank, "p")
    name = side.new_name("alloc")
    term = function(name, [*side.scope.variables, *point], sort_of(type_.element_type))
    owner = _STACK if op.name == "memref.alloca" else ""
    return [_aligned(memory, op, Tensor(shape, type_.element_type, point, term, NEVER), owner)]


def _aligned(memory: Memory, op: Any, tensor: Tensor, owner: str) -> View:
    view = memory.new(tensor, owner)
    if "alignment" in op.attributes:
        memory.alignments[view.buffer] = op.attributes["alignment"].value
    return view


def _copy(memory: Memory, op: Any) -> list[Any]:
    source, target = (memory.values[o] for o in op.operands)
    for n, m in zip(source.shape, target.shape, strict=True):
        memory.side.is_undefined(n != m, "a copy of another size")
    held, side = memory.held(source), memory.side
    if target.place is None:
        memory.write(target, replace(held, shape=target.shape))
        return []
    if source.buffer == target.buffer:
        raise Unsupported("a copy inside of the same memory")
    dims = side.new_indices(len(target.shape))
    whole = memory.whole(target)
    item = held.at(dims)
    current = new_current(side, held.element, isinstance(item, Element))
    place = tuple(map(z3.simplify, target.at(dims)))
    write = Writes(whole, current, place, z3.BoolVal(True), item, False)
    (tensor,) = results(side, Nest(dims, target.shape), [write])
    memory.write(target, tensor)
    return []


def _dim(memory: Memory, op: Any) -> list[Any]:
    view, number = (memory.values[o] for o in op.operands)
    return [dim_of(memory.side, view.shape, memory.side.used(number, "a dim"))]


def _view(memory: Memory, op: Any) -> list[Any]:
    view, *dynamic = (memory.values[o] for o in op.operands)
    dynamic = [memory.side.used(each, "a place or size") for each in dynamic]
    shape, place = viewed(memory.side, op, view.shape, dynamic)
    at = view.place if place is None else lambda index: view.at(place(index))
    return [View(view.buffer, shape, view.element, at)]


def _reinterpreted(memory: Memory, op: Any) -> list[Any]:
    """Elements of a buffer of one dim at an offset, some apart: all are in the buffer."""
    view, *dynamic = (memory.values[o] for o in op.operands)
    values = iter([memory.side.used(each, "a place or size") for each in dynamic])
    names = ("static_offsets", "static_sizes", "static_strides")
    (offset,), shape, strides = (mixed(list(op.attributes[n]), values) for n in names)
    side, source = memory.side, ir.MemRefType(op.operands[0].type)
    same = ir.AffineMapAttr.get(ir.AffineMap.get_identity(1, source.context))
    is_plain = view.place is None and source.rank == 1 and source.layout == same
    # In `before` it may leave the buffer, where nothing is accessed.
    if not is_plain or side.name == "before":
        raise Unsupported("memory in another shape")

    def place(index: Terms) -> Terms:
        return (z3.Sum(offset, *(i * s for i, s in zip(index, strides, strict=True))),)

    lanes = side.new_indices(len(shape))
    with side.under(lanes, inside(lanes, shape)):
        out = some([z3.Not(each) for each in inside(place(lanes), view.shape)])
        side.is_undefined(out, "memory in another shape that leaves it")
    return [View(view.buffer, tuple(shape), view.element, place)]


def _global(memory: Memory, op: Any) -> list[Any]:
    owner = symbols_of(op)[op.attributes["name"].value]
    if "constant" not in owner.attributes or "initial_value" not in owner.attributes:
        raise Unsupported("a global that may be written")
    tensor = spelled_out(memory.side, global_value(owner), op.results[0].type)
    name = f"{FIXED}{op.attributes['name']} {owner.attributes.get('alignment', '')}"
    return [_constant(memory, _aligned(memory, owner, tensor, name))]


def _constant(memory: Memory, view: View) -> View:
    memory.depths[view.buffer] = _CONSTANT
    return view


def _to_buffer(memory: Memory, op: Any) -> list[Any]:
    """The memory of a tensor, which nothing may write that still may be read."""
    held, source = memory.values[op.operands[0]], op.operands[0]
    if getattr(source.owner, "name", "") == "tensor.empty" and len(list(source.uses)) == 1:
        return [memory.new(held)]
    return [_constant(memory, memory.new(held, FIXED + memory.side.new_name("")))]


def _to_tensor(memory: Memory, op: Any) -> list[Any]:
    """What the memory holds, which nothing may write any more."""
    view = memory.values[op.operands[0]]
    memory.lent.append((view, op.results[0]))
    return [memory.held(_constant(memory, view))]


def _assume(memory: Memory, op: Any) -> list[Any]:
    view = memory.values[op.operands[0]]
    memory.aligned(op, view, [z3.IntVal(0)] * len(view.shape))
    return [view for _ in op.results]


# The depth of what nothing may write.
_CONSTANT = -1
# Owners of buffers.
_STACK, FIXED = "stack", "constant"
_OPS: dict[str, Callable[[Memory, Any], list[Any]]] = {
    "bufferization.to_buffer": _to_buffer,
    "bufferization.to_tensor": _to_tensor,
    "memref.alloc": _alloc,
    "memref.alloca": _alloc,
    "memref.assume_alignment": _assume,
    "memref.cast": _view,
    "memref.collapse_shape": _view,
    "memref.copy": _copy,
    "memref.dealloc": _dealloc,
    "memref.dim": _dim,
    "memref.expand_shape": _view,
    "memref.get_global": _global,
    "memref.load": _load,
    "memref.prefetch": lambda memory, op: [],
    "memref.reinterpret_cast": _reinterpreted,
    "memref.store": _store,
    "memref.subview": _view,
    **dict.fromkeys(READS, vectors.read),
    **dict.fromkeys(WRITES, _store_lanes),
}
