"""Loops around others that are raised: over the segments of a CSR matrix, over rows, over time."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.checks.overlap import Pairs
from mlir_gs.lowering.ir.builders import arith, index, made_in, walk
from mlir_gs.lowering.raising.accesses import LOADS, PURE, STAYS, STORES, access, indirect
from mlir_gs.lowering.raising.disjoint import choose_apart, may_overlap, suspects
from mlir_gs.lowering.raising.linalg_reads import raise_linalg
from mlir_gs.lowering.raising.loop_nests import KNOWN, LOOPS, raise_loops
from mlir_gs.lowering.raising.places import Left
from mlir_gs.lowering.raising.ranges import uncast


def raise_inside(op: ir.Operation) -> bool:
    """Raise loops in the loop `op`; whether there were some.

    before: for i { s = 0; for k = p[i] to p[i + 1] { s = s + v[k] * x[c[k]] }; y[i] = s }
    after:  the inner loop as a `gs.generic` on the segment; the outer one in parallel, if its steps
            write different elements

    Where memrefs may share memory, both forms are there, with one test before the loops.
    """
    copy = op.clone(ip=ir.InsertionPoint(op))
    pairs: Pairs = []
    try:
        pairs += _parallel(op)
        copy = _in_parallel(copy)
    except Left:
        pass
    if not _raised(copy, copy, pairs):
        copy.erase()
        return False

    def moved() -> dict[ir.Value, ir.Value]:
        here = index(0).owner.operation
        copy.move_before(here)
        here.erase()
        return dict(zip(op.results, copy.results, strict=True))

    with op.location:
        choose_apart(op, moved, list(dict.fromkeys(pairs)))
    return True


def as_type(number: ir.Value, type_: ir.Type) -> ir.Value:
    """A number as one of type index, or the other way round."""
    return number if number.type == type_ else arith.index_cast(type_, number)


def _raised(op: ir.Operation, outermost: ir.Operation, pairs: Pairs) -> bool:
    found = False
    for region in op.regions:
        for block in region.blocks:
            for each in [one.operation for one in block.operations]:
                loops = each.name in (*LOOPS, "linalg.generic")
                if loops and STAYS not in each.attributes and indirect(each):
                    form = raise_linalg if each.name == "linalg.generic" else raise_loops
                    try:
                        form(each, (outermost, pairs))
                        found = True
                        continue
                    except Left:
                        pass
                found = _raised(each, outermost, pairs) or found
    return found


def _parallel(op: ir.Operation) -> Pairs:
    """What must share no memory for the steps of a scf.for to run in any order. Raises Left."""
    if op.name != "scf.for" or len(op.results) or "unsignedCmp" in op.attributes:
        raise Left("the loop carries something")
    counter = op.regions[0].blocks[0].arguments[0]
    written: dict[ir.Value, set[int]] = {}
    refs: list[ir.Value] = []
    inner = walk(op)
    for each in inner:
        if not each.name.startswith((*PURE, *KNOWN)) or each.name.startswith("affine."):
            raise Left("the loop does more than load and store")
        if each.name in STORES:
            written[access(each)[0]] = set(range(len(access(each)[1])))
    for each in inner:
        if each.name in (*LOADS, *STORES):
            ref, places, _ = access(each)
            refs.append(ref)
            if ref in written:
                written[ref] &= {n for n, x in enumerate(places) if uncast(x) == counter}
    if not written or not all(written.values()) or any(made_in(r, op) for r in refs):
        raise Left("steps may write the same element")
    if any(map(may_overlap, written)):
        raise Left("a memref that is written may have places that share an element")
    return suspects(list(written), refs)


def _in_parallel(op: ir.Operation) -> ir.Operation:
    """The scf.for as a scf.parallel."""
    with op.location, ir.InsertionPoint(op):
        new = ir.Operation.create(
            "scf.parallel",
            operands=[as_type(each, ir.IndexType.get()) for each in op.operands],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, 1, 0])},
            regions=1,
        )
        old = op.regions[0].blocks[0]
        block = new.regions[0].blocks.append(ir.IndexType.get(), arg_locs=[op.location])
        with ir.InsertionPoint(block):
            counter = as_type(block.arguments[0], old.arguments[0].type)
        old.arguments[0].replace_all_uses_with(counter)
        for each in list(old.operations)[:-1]:
            block.append(each)
        ir.Operation.create("scf.reduce", ip=ir.InsertionPoint(block))
    op.erase()
    return new
