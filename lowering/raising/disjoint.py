"""What shares no memory: shown, or tested when the loops are reached."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.checks.overlap import Memory
from mlir_gs.lowering.ir.builders import arith, memory_of, producer
from mlir_gs.lowering.ir.emit import both, compare, memref, scf, tensor
from mlir_gs.lowering.raising.nest import Nest
from mlir_gs.lowering.raising.places import Left
from mlir_gs.lowering.raising.plan import Plan

Pairs = list[tuple[ir.Value, ir.Value]]
"""Of memory that must not be shared."""

_FRESH = ("memref.alloc", "memref.alloca")


def replaced(nest: Nest, pairs: Pairs | None = None, indirect: bool = False) -> None:
    """Put a `gs.generic` in the place of the loops of `nest`.

    Of memrefs that may share memory with one that is written it is tested whether they do: then the
    loops run. With `pairs`, the caller tests those that are added to it. Raises Left.
    """
    op = nest.op
    plan = Plan(nest, indirect)
    found = suspects(plan)
    for each in found if pairs is not None else []:
        pairs.append(each)
    with op.location:
        if not found or pairs is not None:
            with ir.InsertionPoint(op):
                for old, new in _built(plan):
                    old.replace_all_uses_with(new)
            op.erase()
            return
        types = [result.type for result in op.results]
        with ir.InsertionPoint(op):
            choice = scf.IfOp(_apart(found), types, has_else=True)
        with ir.InsertionPoint(choice.then_block):
            news = dict(_built(plan))
            scf.yield_([news[result] for result in op.results])
        for old, new in zip(op.results, choice.results, strict=True):
            old.replace_all_uses_with(new)
        with ir.InsertionPoint(choice.else_block):
            scf.yield_(list(op.results))
        op.move_before(choice.else_block.operations[0])


def _built(plan: Plan) -> list[tuple[ir.Value, ir.Value]]:
    """The results of the loops, and those of the `gs.generic` that is built for them."""
    writes = plan.nest.writes
    on_memrefs = isinstance(writes[0].ref.type, ir.MemRefType)
    for write in writes:
        if write.init is not None and on_memrefs:
            memref.store(write.init, write.ref, [])
    found = plan.build()
    pairs = []
    for number, write in enumerate(writes):
        if write.result is None:
            continue
        if write.init is None:
            pairs.append((write.result, found[number]))
        else:
            made = memref.load(write.ref, []) if on_memrefs else tensor.extract(found[number], [])
            pairs.append((write.result, made))
    return pairs


def suspects(plan: Plan) -> Pairs:
    """The pairs of a memref that is written and another operand of which nothing shows that they
    share no memory. Raises Left where they do."""
    if not isinstance(plan.writes[0].ref.type, ir.MemRefType):
        return []
    found: Pairs = []
    refs = list(dict.fromkeys(part.ref for part in plan.parts))
    written = [part.ref for part in plan.writes]
    if len(set(written)) < len(written):
        raise Left("a memref is written at two places")
    for one in written:
        for other in refs:
            if other == one or (other, one) in found:
                continue
            a, b = memory_of(one), memory_of(other)
            if a == b:
                raise Left("the loops read what they write, as another view of it")
            if not _apart_by_origin(a, b):
                found.append((one, other))
    return found


def _apart_by_origin(a: ir.Value, b: ir.Value) -> bool:
    fresh = [producer(each, *_FRESH) is not None for each in (a, b)]
    if all(fresh):
        return True
    other = b if fresh[0] else a
    if any(fresh):
        # What an argument is was there before.
        return isinstance(other.owner, ir.Block) or _global(other) is not None
    return None not in (_global(a), _global(b)) and _global(a) != _global(b)


def _global(value: ir.Value) -> str | None:
    made = producer(value, "memref.get_global")
    return None if made is None else str(made.attributes["name"])


def _apart(pairs: Pairs) -> ir.Value:
    """Whether the addresses of each pair lie apart."""
    ends = {ref: Memory.of(ref).ends() for ref in dict.fromkeys(sum(pairs, ()))}
    found: ir.Value | None = None
    for a, b in pairs:
        (a_low, a_high), (b_low, b_high) = ends[a], ends[b]
        apart = arith.ori(compare("sle", a_high, b_low), compare("sle", b_high, a_low))
        found = both(found, apart)
    assert found is not None
    return found
