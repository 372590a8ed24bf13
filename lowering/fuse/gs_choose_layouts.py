"""`gs-choose-layouts`: the order of the dims in memory of what only loops read."""

from dataclasses import dataclass, replace
from math import prod
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.fuse.loops import LOOPS, Loops, build
from mlir_gs.lowering.ir.builders import is_within, producer, replace_op, tensor, walk_named
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsChooseLayouts:
    """Store a short last dim first, such as that of coordinates, where readers run along another.

    before: `%v[d0, d1, d2]`, n x n x 2, read as `%v[d0, d1, 0]` and `%v[d0, d1, 1]` along d1
    after:  `%v[d2, d0, d1]`, 2 x n x n, read as `%v[0, d0, d1]` and `%v[1, d0, d1]`

    Applies to a result of static sizes that loops overwrite and only inputs of loops read, none
    along its last dim and some along the one before, whose size is at least the square. Rows at
    coordinates must be read twice as often as written. A linalg.generic with at least the square of
    rows, of a vector each, in a loop, where it may write to what it reads, becomes a gs.generic.
    """

    name: ClassVar[str] = "gs-choose-layouts"
    only_with: ClassVar[tuple[str, ...]] = LOOPS

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "linalg.generic"):
            inside = len(op.results) == 1 and is_within(op, "scf.for", "scf.while")
            made, kind = Loops.of(op) if inside else None, op.operands[len(op.operands) - 1].type
            if made and _is_short(kind, 0) and kind.shape[-1].bit_count() == 1:
                replace_op(op, [build(made).results[0]])
        for op in reversed(walk_named(module, *LOOPS)):
            made = Loops.of(op) if len(op.results) == 1 else None
            if made is not None and (readers := _readers(made)):
                (write,), old = made.writes, op.results[0]
                *shape, last = old.type.shape
                with op.location, ir.InsertionPoint(op):
                    empty = tensor.empty([last, *shape], old.type.element_type)
                new = build(replace(made, writes=(_turned(write, empty),))).results[0]
                for user in readers:
                    loops: Any = Loops.of(user)
                    reads = [_turned(r, new) if r.value == old else r for r in loops.reads]
                    again = build(replace(loops, reads=tuple(reads)))
                    replace_op(user, again.results)
                op.erase()


def _readers(made: Loops) -> list[ir.Operation]:
    """The loops that read what `made` gives, if that is to be in another layout."""
    value, write, found = made.op.results[0], made.writes[0], dict[ir.Operation, tuple[bool, int]]()
    is_read = write.arg is not None and list(write.arg.uses)
    if not _is_short(value.type) or is_read or producer(write.value, "tensor.empty") is None:
        return []
    for user in (use.owner.operation for use in value.uses):
        loops = Loops.of(user) if user.name in LOOPS else None
        along = None if loops is None else _along(loops, value)
        if loops is None or along is None:
            return []
        found[user] = along, prod(map(loops.structure.static_extent, range(loops.rank)))
    few = made.symbols and sum(n for _, n in found.values()) < 2 * prod(value.type.shape)
    return [*found] if any(gains for gains, _ in found.values()) and not few else []


def _turned(entry: Any, value: ir.Value) -> Any:
    return replace(entry, value=value, exprs=(entry.exprs[-1], *entry.exprs[:-1]))


def _is_short(type_: Any, first: int = -2) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or type_.rank < 2 or not type_.has_static_shape:
        return False
    return type_.shape[-1] > 1 and type_.shape[-1] ** 2 <= prod(type_.shape[first:-1])


def _along(loops: Loops, value: ir.Value) -> bool | None:
    """Whether the loops run along the last dim but one of `value`; None if along the last one or
    if it is more than an input."""
    extent = loops.structure.static_extent
    first = loops.writes[0].exprs if len(loops.writes) == 1 else ()
    dim = next((d for e in reversed(first) if (d := plain_dim(e)) is None or extent(d) != 1), None)
    reads = [read.exprs for read in loops.reads if read.value == value]
    if dim is None or any(e.value == value for e in (*loops.symbols, *loops.writes)):
        return None
    if any(dim in dims_in(exprs[-1]) for exprs in reads):
        return None
    return any(plain_dim(exprs[-2]) == dim for exprs in reads)
