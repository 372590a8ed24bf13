"""`gs-fuse`: merges producers into the `gs.generic` that reads them."""

from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import destination
from mlir_gs.lowering.checks.bounds import emit_checks
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.fuse.equal_sizes import Sizes, token
from mlir_gs.lowering.fuse.fills import name_fills
from mlir_gs.lowering.fuse.hazards import Hazards
from mlir_gs.lowering.fuse.loops import LOOPS, Loops, build
from mlir_gs.lowering.fuse.merge import (
    Refused,
    RefusedErrors,
    merge_coordinate,
    merge_input,
    merge_splat,
)
from mlir_gs.lowering.fuse.pieces import put_together, split_pieces
from mlir_gs.lowering.fuse.scalars import take_scalars
from mlir_gs.lowering.fuse.simplify import simplified
from mlir_gs.lowering.fuse.views import VIEWS, show_slices, view, why_apart
from mlir_gs.lowering.ir.builders import producer, slice_numbers, tensor, walk
from mlir_gs.lowering.op.coordinates import Coordinates
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.passes.conditions import register_condition
from mlir_gs.lowering.passes.explain import named, note
from mlir_gs.lowering.passes.registry import register_pass, register_pipeline
from mlir_gs.lowering.repair.accumulations import fresh_output

# The most ops in one nest, views included: the cost of another one grows with their number.
_MOST = 16
_COMPUTING = ("gs.", "linalg.", "arith.", "math.")
_GIVEN = ("arith.constant", "linalg.fill")


@register_pass
@dataclass(frozen=True)
class GsFuse:
    """Merge element-wise producers and consumers of a `gs.generic` into its region.

    Run linalg-generalize-named-ops and convert-elementwise-to-linalg first. A producer is a
    gs.generic or linalg.generic that writes each element of its result once, or a view of such a
    result. A tensor.splat becomes a scalar operand. A consumer is a linalg.generic that reads such
    a gs.generic, reductions included. The merged op overwrites one of its inputs in place if
    nothing reads that input later. If both ops have mode error, the coordinates of the first are
    checked in a separate loop. Nothing is computed more often than before, and floats are added in
    the same order. At most 16 ops become one, which bounds the time to compile. A nest that reads a
    pad, a concatenation or a slice put into a tensor becomes a nest for each box of points that
    read one piece: the inside of a padded array has no test for its edges, and nothing is stored.
    """

    name: ClassVar[str] = "gs-fuse"

    def run(self, module: ir.Operation) -> None:
        sites = Sites(module)
        for block in list(_blocks(module)):
            ops = [op.operation for op in block.operations]
            if any(op.name == "gs.generic" or _reads_pieces(op) for op in ops):
                _Block(block, sites).run()
                while split_pieces(block):
                    _Block(block, sites).run()
                name_fills(block)
                show_slices(block)
        sites.write()


@register_pipeline("gs-optimize", doc="Generalize and merge what belongs in one loop nest.")
def gs_optimize() -> list[str]:
    """Takes named ops, linalg and arith on tensors."""
    return ["gs-infer", "gs-canonicalize", "gs-merge"]


@register_pipeline("gs-merge", doc="Merge ops that read each other's results into one loop nest.")
def gs_merge() -> list[str]:
    """The part of `gs-optimize` for modules where indirect ops meet others."""
    return [
        "gs-generalize",
        "linalg-generalize-named-ops",
        "convert-elementwise-to-linalg",
        "canonicalize",
        "cse",
        "gs-fuse-coordinates",
        "gs-fuse",
        "canonicalize",
        "cse",
    ]


@register_condition("may-merge")
def may_merge(module: ir.Operation) -> bool:
    """Whether some indirect op reads, or is read by, an op that gs-fuse may merge with it."""
    ops = [op for op in walk(module) if len(op.results) > 0]
    indirect = (op for op in ops if op.name.startswith("gs."))
    return any(map(_reads_pieces, ops)) or any(
        any(map(_is_read, op.results)) or any(map(_is_computed, op.operands)) for op in indirect
    )


def _reads_pieces(op: ir.Operation) -> bool:
    return op.name.startswith("linalg.") and any(map(put_together, op.operands))


def _is_computed(value: ir.Value) -> bool:
    """Made by loops, and neither constant nor filled."""
    op = producer(value)
    while op is not None and op.name in VIEWS:
        op = producer(op.operands[0])
    return op is not None and op.name.startswith(_COMPUTING) and op.name not in _GIVEN


def _is_read(value: ir.Value) -> bool:
    todo = [value]
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if user.name.startswith(("tensor.extract_slice", *_COMPUTING)):
                return True
            if user.name in VIEWS:
                todo += user.results
    return False


def _blocks(op: ir.Operation) -> Iterator[ir.Block]:
    for region in op.regions:
        for block in region.blocks:
            yield block
            for nested in block.operations:
                if nested.operation.name not in (*LOOPS, "tensor.pad"):
                    yield from _blocks(nested.operation)


@dataclass
class _Block:
    """One block: ops are merged from the last to the first, each at most once."""

    block: ir.Block
    sites: Sites
    dead: set[ir.Value | None] = field(default_factory=set)

    def run(self) -> None:
        operations = [op.operation for op in self.block.operations]
        for op in operations:
            if op.name in LOOPS:
                free_dims(op)
            if op.name == "linalg.generic":
                take_scalars(op)
        operations = [op.operation for op in self.block.operations]
        for op in operations:
            if op.name in LOOPS:
                self._free_outputs(op)
        indirect = _indirect(operations)
        slices = [(op, copy) for op in operations if (copy := copied_slice(op, indirect))]
        self.dead.update(token(op) for op, _ in slices)
        operations = [op.operation for op in self.block.operations]
        self.sizes = Sizes(self.block)
        self.hazards = Hazards(operations)
        indirect = _indirect(operations)
        for op in reversed(operations):
            if op.name in LOOPS and token(op) in indirect and token(op) not in self.dead:
                self._root(op, indirect)
        for op, copy in slices:
            if token(copy) not in self.dead:
                self.dead.remove(token(op))
                copy.results[0].replace_all_uses_with(op.results[0])
                self.dead.add(token(copy))
        for op in reversed(operations):
            if token(op) in self.dead:
                op.erase()

    def _free_outputs(self, op: ir.Operation) -> None:
        """Let an output whose old elements are not read depend on nothing that made them."""
        if op.name != "linalg.generic":
            return
        count = next(iter(op.attributes["operandSegmentSizes"]))
        block = op.regions[0].blocks[0]
        for number in range(count, len(op.operands)):
            value = op.operands[number]
            made = producer(value)
            if made is None or made.name not in LOOPS or list(block.arguments[number].uses):
                continue
            if not op.attributes["indexing_maps"][number].value.is_permutation:
                continue
            with op.location, ir.InsertionPoint(op):
                op.operands[number] = fresh_output(value)

    def _root(self, op: ir.Operation, indirect: set[ir.Value | None]) -> None:
        loops = Loops.of(op)
        if loops is None:
            return
        start = loops = replace(simplified(loops, self.sizes), dying=(op,))
        tried: set[tuple[bool, ir.Value, tuple]] = set()
        while len(loops.merged) < _MOST and (grown := self._grow(loops, tried, indirect)):
            loops = grown
        if len(loops.merged) >= _MOST:
            note(op, "refused", f"{_MOST} ops are merged into it already")
        if op.name == "linalg.generic" and not any(m.name == "gs.generic" for m in loops.merged):
            return
        loops = self.hazards.in_place(loops, self.sizes)
        if loops is start:
            return
        for made in loops.merged:
            note(op, "merged", named(made))
        new = build(loops)
        for old, result in zip(op.results, new.results, strict=True):
            old.replace_all_uses_with(result)
        self.dead.update(map(token, loops.dying))

    def _grow(self, loops: Loops, tried: set, indirect: set[ir.Value | None]) -> Loops | None:
        """The loops with one more producer merged; None if there is none that can be."""
        entries = [(False, n, read.value, read.exprs) for n, read in enumerate(loops.reads)]
        entries += [(True, n, s.value, s.exprs) for n, s in enumerate(loops.symbols)]
        for coordinate, number, value, exprs in entries:
            made = producer(value)
            if made is None or (coordinate, value, exprs) in tried:
                continue
            tried.add((coordinate, value, exprs))
            try:
                merged = self._merge(loops, coordinate, number, made, value)
            except Refused as refused:
                reads = any(op.name == "gs.generic" for op in (loops.op, *loops.merged))
                if reads or token(made) in indirect:
                    note(loops.op, "refused", f"{named(made)} is not merged: {refused}")
                continue
            if merged is not None:
                return merged
        return None

    def _merge(
        self, loops: Loops, coordinate: bool, number: int, made: ir.Operation, value: ir.Value
    ) -> Loops | None:
        """`made`, or what it shows in another shape, merged where `value` is read.

        None where there is nothing to merge.
        """
        if made.name in ("arith.constant", "tensor.splat") and not coordinate:
            return merge_splat(loops, number, made, self.sizes)
        parts = view(made) or (Loops.of(made) if made.name in LOOPS else None)
        if parts is None:
            reason = why_apart(made)
            if reason is not None:
                raise Refused(reason)
            return None
        if not self.hazards.same_block(made, loops.op):
            raise Refused("it is in another block")
        result = next(n for n, each in enumerate(made.results) if each == value)
        dies, checks = self._dies(loops, parts, result), False
        merge = merge_coordinate if coordinate else merge_input
        try:
            merged = merge(loops, number, parts, result, self.sizes)
        except RefusedErrors:
            # Elsewhere than in a function, passes may move what is checked to before the check.
            where = (made.name, made.parent.operation.name)
            if not dies or where != ("gs.generic", "func.func"):
                raise
            parts, checks = _promising(parts), True
            merged = merge(loops, number, parts, result, self.sizes)
        if dies:
            merged = replace(merged, dying=(*merged.dying, made))
        if made.name in LOOPS:
            merged = self.hazards.check(loops, parts, merged)
            if checks:
                self._check(made)
            return merged
        # A view is merged for the sake of what made its source.
        source = parts.reads[0].value
        inner = producer(source)
        entries = merged.symbols if coordinate else merged.reads
        place = next((n for n, entry in enumerate(entries) if entry.value == source), None)
        if inner is None or place is None:
            return None
        return self._merge(merged, coordinate, place, inner, source)

    def _check(self, op: ir.Operation) -> None:
        """Look at the coordinates of `op` where it stands, as it does itself, and where they lie
        before they are moved, such as broadcast."""
        loops = Loops.of(op)
        assert loops is not None
        for number, symbol in reversed(list(enumerate(loops.symbols))):
            made = producer(symbol.value)
            with suppress(Refused):
                merged = made and self._merge(loops, True, number, made, symbol.value)
                if merged and len(merged.symbols) == len(loops.symbols):
                    loops = merged
        structure = loops.structure
        with op.location, ir.InsertionPoint(op):
            emit_checks(op, Coordinates(structure, extents_of(structure)), self.sites)

    def _dies(self, loops: Loops, made: Loops, result: int) -> bool:
        """Whether nothing else needs `made`. Where something does, `made` must only move elements.

        Raises Refused.
        """
        users = (use.owner.operation for value in made.op.results for use in value.uses)
        # The user is mostly what was merged last.
        others = any(
            token(user) not in self.dead and not any(user == op for op in reversed(loops.dying))
            for user in users
        )
        value = made.op.results[result]
        places = sum(entry.value == value for entry in (*loops.reads, *loops.symbols))
        places += sum(write.value == value for write in loops.writes)
        moves = any(made.yields[result] in read.args for read in made.reads)
        if others and not (moves and not made.symbols):
            raise Refused("its result is also used elsewhere")
        if places > 1 and (made.symbols or not moves):
            raise Refused("its result is read at several places")
        return not others and places == 1


def free_dims(op: ir.Operation) -> None:
    """Read sizes of results off what the op writes to, which is there before it."""
    for result in op.results:
        for use in list(result.uses):
            user = use.owner.operation
            if user.name == "tensor.dim":
                root = destination(result)
                assert root is not None
                user.operands[0] = root


def copied_slice(op: ir.Operation, indirect: Container[ir.Value | None]) -> ir.Operation | None:
    """Loops in the place of a slice of what indirect loops move or compute for it alone: what of
    that is not read need not be made. None where loops read the slice, which merge it anyway."""
    made = producer(op.operands[0], *LOOPS) if op.name == "tensor.extract_slice" else None
    if made is None or token(made) not in indirect or len(list(op.operands[0].uses)) != 1:
        return None
    users = {use.owner.operation.name for use in op.results[0].uses}
    found, sizes = view(op), list(op.results[0].type.shape)
    if DYNAMIC in sizes:
        sizes = slice_numbers(op)[1]
    if found is None or found.rank != len(sizes) or users <= {*LOOPS}:
        return None
    with op.location, ir.InsertionPoint(op):
        empty = tensor.empty(sizes, op.results[0].type.element_type)
        loops = replace(found, writes=(replace(found.writes[0], value=empty),))
        copy = build(loops, made=lambda element, _: [element])
    op.results[0].replace_all_uses_with(copy.results[0])
    return copy


def _promising(loops: Loops) -> Loops:
    """The loops where no coordinate under mode error is out of bounds."""
    return replace(
        loops,
        symbols=tuple(
            replace(s, mode="promise_in_bounds") if s.mode == "error" else s for s in loops.symbols
        ),
    )


def _indirect(operations: list[ir.Operation]) -> set[ir.Value | None]:
    """Results of gs.generics, and of what reads the results of such ops directly or not."""
    found: set[ir.Value | None] = set()
    for op in operations:
        made = (producer(operand) for operand in op.operands)
        if op.name == "gs.generic" or any(token(m) in found for m in made if m is not None):
            found.update(op.results)
    return found
