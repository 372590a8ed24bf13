"""`cf.assert` becomes a call that raises, and what raises in a parallel loop is found."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.sizes import compared_sizes
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.sites import ASSERT, ASSERTIONS, RAISE, Sites, one
from mlir_gs.lowering.ir.builders import callee_of, is_within, walk_named

func = dialect("func")
scf = dialect("scf")

PARALLEL = ("scf.parallel", "scf.forall", "omp.parallel")
CALLS = ("func.call", "llvm.call")


def checks_in_parallel(module: Any) -> bool:
    """Whether a gs.generic checks its coordinates in a parallel loop, which then has to run
    sequentially, as for assertions."""
    return any(
        is_within(op, *PARALLEL) and "error" in Structure.of(op.opview).modes
        for op in walk_named(module, "gs.generic")
    )


def lower_assertions(module: Any) -> bool:
    """`cf.assert %c, "text"` to a call of `__gs_assert` where %c is false, or, where it compares
    sizes, to one that shows them.

    Returns whether something raises in a parallel loop, which then has to run sequentially: an
    error return cannot leave a parallel region.
    """
    found = walk_named(module, "cf.assert")
    if found:
        _lower_assertions(module, found)
    return any(is_raise(op) and is_within(op, *PARALLEL) for op in walk_named(module, *CALLS))


def _lower_assertions(module: Any, found: Sequence[Any]) -> None:
    known = module.attributes.get(ASSERTIONS, [])
    texts: list[str] = [text.value for text in known]
    earlier = len(texts)
    sites = Sites(module)
    i64 = ir.IntegerType.get_signless(64)
    i1 = ir.IntegerType.get_signless(1)
    for op in found:
        text = op.attributes["msg"].value
        compared = compared_sizes(op)
        with ir.InsertionPoint(op), op.location:
            true = dialect("arith").constant(i1, 1)
            failed = dialect("arith").xori(op.operands[0], true)
            branch = scf.IfOp(failed)
            with ir.InsertionPoint(branch.then_block):
                if compared is not None:
                    wanted, size = compared[1], compared[0]
                    sites.raise_broken("size", sites.add(text), [one(wanted), one(size)])
                else:
                    which = dialect("arith").constant(i64, len(texts))
                    func.CallOp([], ASSERT, [which])
                    texts.append(text)
                scf.YieldOp([])
        op.erase()
    sites.write()
    if len(texts) == earlier:
        return
    module.attributes[ASSERTIONS] = ir.ArrayAttr.get([ir.StringAttr.get(text) for text in texts])
    if earlier:
        return
    with ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]), ir.Location.unknown():
        declaration = func.FuncOp(ASSERT, ir.FunctionType.get([i64], []), visibility="private")
    assert declaration.is_external


def inlining(module: Any) -> str:
    """The passes, after loops are there, that bring errors of called functions into their callers;
    empty where there is no such function, or where one is called in a parallel loop."""
    names = {
        op.attributes["sym_name"].value
        for op in walk_named(module.operation, "func.func")
        if len(op.regions[0].blocks) and "no_inline" not in op.attributes
    }
    calls = [op for op in walk_named(module.operation, "func.call") if callee_of(op) in names]
    if not calls or any(is_within(op, *PARALLEL) for op in calls):
        return ""
    return ",inline{default-pipeline=},symbol-dce"


def is_raise(op: Any) -> bool:
    callee = callee_of(op)
    return callee.startswith(RAISE) or callee == ASSERT


def named(root: Any, name: str, parallel: bool = False) -> list[Any]:
    """The operations of a name below `root` that are in no parallel loop, or those that are."""
    return [op for op in walk_named(root, name) if is_within(op, *PARALLEL) == parallel]
