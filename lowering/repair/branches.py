"""Branches that upstream gets wrong: in the condition of an `scf.while`, and by a switch."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, index, replace_op, walk_named


def switch_in_conditions(module: ir.Operation) -> None:
    """Let the first region of each loop branch by a switch.

    before: `scf.while ... { scf.if %c { } else { } scf.condition(%c) ... }`
    after:  `scf.while ... { scf.index_switch %i case 1 { } default { } scf.condition(%c) ... }`

    canonicalize moves an scf.if before the condition into the body. If the condition passes one of
    its results twice, or another such branch reads it, the body gets the result for `%c` = false.
    """
    for loop in walk_named(module, "scf.while"):
        for op in loop.regions[0].blocks[0].operations:
            for branch in walk_named(op.operation, "scf.if"):
                _to_switch(branch)


def _to_switch(op: ir.Operation) -> None:
    with op.location, ir.InsertionPoint(op):
        new = ir.Operation.create(
            "scf.index_switch",
            results=[result.type for result in op.results],
            operands=[arith.index_castui(ir.IndexType.get(), op.operands[0])],
            attributes={"cases": ir.DenseI64ArrayAttr.get([1])},
            regions=2,
        )
        then, other = op.regions
        default, case = new.regions
        then.blocks[0].append_to(case)
        if len(other.blocks):
            other.blocks[0].append_to(default)
        else:
            with ir.InsertionPoint(default.blocks.append()):
                ir.Operation.create("scf.yield")
    replace_op(op, new.results)


def switches_to_ifs(switches: list[ir.Operation]) -> None:
    """Let what gives tensors branch by conditions.

    before: `scf.index_switch %i -> tensor case 3 { } default { }`
    after:  `scf.if %i == 3 { } else { }`

    One-Shot Bufferize writes over a tensor that a region of a switch has yielded.
    """
    for op in switches:
        if any(isinstance(result.type, ir.RankedTensorType) for result in op.results):
            cases = [*zip(op.attributes["cases"], list(op.regions)[1:], strict=True)]
            with op.location, ir.InsertionPoint(op):
                replace_op(op, _asked(op, cases))


def _asked(op: ir.Operation, cases: list[tuple[int, ir.Region]]) -> list[ir.Value]:
    """The results of `op`, which is in none of the cases before."""
    if not cases:
        *operations, last = op.regions[0].blocks[0].operations
        for view in operations:
            ir.InsertionPoint.current.insert(view.operation.detach_from_parent())
        return list(last.operands)
    (number, region), *rest = cases
    is_case = arith.cmpi(arith.CmpIPredicate.eq, op.operands[0], index(number))
    types = [result.type for result in op.results]
    new = ir.Operation.create("scf.if", results=types, operands=[is_case], regions=2)
    region.blocks[0].append_to(new.regions[0])
    with ir.InsertionPoint(new.regions[1].blocks.append()):
        ir.Operation.create("scf.yield", operands=_asked(op, rest))
    return list(new.results)
