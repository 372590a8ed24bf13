"""What shares no memory: shown, or tested when the loops are reached."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.checks.overlap import Memory, Pairs, apart_by_origin, lie_apart
from mlir_gs.lowering.ir.builders import arith, made_in, memory_of
from mlir_gs.lowering.ir.emit import add, both, choose_all, compare, memref, mul, scf, sub, tensor
from mlir_gs.lowering.raising.accesses import STAYS
from mlir_gs.lowering.raising.nest import Nest
from mlir_gs.lowering.raising.places import Left
from mlir_gs.lowering.raising.plan import Plan

Around = tuple[ir.Operation, Pairs]


def replaced(nest: Nest, around: Around | None = None, stays: ir.Operation | None = None) -> None:
    """Put a `gs.generic` in the place of the loops of `nest`.

    Of memrefs that may share memory with one that is written it is tested whether they do: then the
    loops run, or what `stays` for them. `around`: a loop around them before which the caller tests
    the pairs that are added.
    Raises Left.
    """
    op = nest.op
    plan = Plan(nest)
    if around is not None and around[0].name == "scf.for" and len(nest.extents) == 1:
        extent = nest.extents[0]
        if not isinstance(extent, int) and made_in(extent, around[0]):
            raise Left("a segment in loops that run in order gains nothing")
    pairs: Pairs = []
    if isinstance(plan.writes[0].ref.type, ir.MemRefType):
        pairs = suspects([p.ref for p in plan.writes], [p.ref for p in plan.parts])
    written = [part.ref for part in plan.writes if may_overlap(part.ref)]
    if around is not None and (plan.reached or written):
        raise Left("what is asked for before loops is asked for in others")

    def holds() -> ir.Value | None:
        found = plan.is_in_bounds()
        for ref in written:
            found = both(found, _spread(ref))
        return found

    if around is not None and not any(made_in(ref, around[0]) for pair in pairs for ref in pair):
        around[1].extend(pairs)
        pairs = []
    with op.location:
        choose_apart(stays or op, lambda: _built(plan), pairs, holds)


def choose_apart(
    op: ir.Operation,
    build: Callable[[], dict[ir.Value, ir.Value]],
    pairs: Pairs,
    more: Callable[[], ir.Value | None] = lambda: None,
) -> None:
    """Put what `build` builds, with what takes the place of the results of `op`, in its place,
    where the memory of `pairs` lies apart and `more` holds."""
    types = [result.type for result in op.results]
    with ir.InsertionPoint(op):
        test = more()
        if pairs:
            test = both(test, lie_apart(pairs))
        if test is None:
            for old, new in build().items():
                old.replace_all_uses_with(new)
            op.erase()
            return
        choice = scf.IfOp(test, types, has_else=True)
    with ir.InsertionPoint(choice.then_block):
        news = build()
        scf.yield_([news[result] for result in op.results])
    for old, new in zip(op.results, choice.results, strict=True):
        old.replace_all_uses_with(new)
    with ir.InsertionPoint(choice.else_block):
        scf.yield_(list(op.results))
    op.attributes[STAYS] = ir.UnitAttr.get()
    op.move_before(choice.else_block.operations[0])


def _built(plan: Plan) -> dict[ir.Value, ir.Value]:
    """The results of the loops, and those of the `gs.generic` that is built for them."""
    writes = plan.nest.writes
    on_memrefs = isinstance(writes[0].ref.type, ir.MemRefType)
    for write in writes:
        if write.init is not None and on_memrefs:
            memref.store(write.init, write.ref, [])
    others = [part.ref for part in plan.writes if not on_memrefs]
    found = choose_all(plan.runs(), [ref.type for ref in others], plan.build, lambda: others)
    news = {}
    for number, write in enumerate(writes):
        if write.result is not None and write.init is None:
            news[write.result] = found[number]
        elif write.result is not None:
            made = memref.load(write.ref, []) if on_memrefs else tensor.extract(found[number], [])
            news[write.result] = made
    return news


def suspects(written: Sequence[ir.Value], refs: Sequence[ir.Value]) -> Pairs:
    """The pairs of a memref that is written and another one of which nothing shows that they share
    no memory. Raises Left where they do."""
    found: Pairs = []
    if len(set(written)) < len(written):
        raise Left("a memref is written at two places")
    if any(map(_overlaps_itself, written)):
        raise Left("a memref that is written has places that share an element")
    for one in written:
        for other in dict.fromkeys(refs):
            if other == one or (other, one) in found:
                continue
            a, b = memory_of(one), memory_of(other)
            if a == b:
                raise Left("the loops read what they write, as another view of it")
            if not apart_by_origin(a, b):
                found.append((one, other))
    return found


def _overlaps_itself(ref: ir.Value) -> bool:
    """Two places may be one element, as far as strides and sizes are static."""
    try:
        strides, _ = ref.type.get_strides_and_offset()
    except RuntimeError:
        return True
    reach = 0
    steps = [n if n == DYNAMIC else abs(n) for n in strides]
    for stride, size in sorted(zip(steps, ref.type.shape, strict=True)):
        if stride == DYNAMIC or size in (0, 1):
            continue
        if stride <= reach:
            return True
        reach += stride * (size - 1) if size != DYNAMIC else 0
    return False


def may_overlap(ref: ir.Value) -> bool:
    """Whether two places are one element is known when the loops are reached."""
    layout: Any = ref.type.layout if isinstance(ref.type, ir.MemRefType) else None
    return isinstance(layout, ir.StridedLayoutAttr) and DYNAMIC in layout.strides


def _spread(ref: ir.Value) -> ir.Value:
    """Whether the rows of a memref follow each other, in all dimensions."""
    known = Memory.of(ref)
    found, reach = None, known.width - 1
    for size, stride in reversed(list(zip(known.sizes, known.strides, strict=True))):
        single = compare("sle", size, 1)
        found = both(found, arith.ori(single, compare("sgt", stride, reach)))
        reach = add(reach, mul(stride, sub(size, 1)))
    assert found is not None
    return found
