"""Branches in the condition of an `scf.while`, of which upstream moves the wrong one."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, walk_named


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
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.erase()
