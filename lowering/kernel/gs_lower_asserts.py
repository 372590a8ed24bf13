"""`gs-lower-asserts`: assertions to calls that raise; and what follows where those are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.sizes import compared_sizes
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.sites import ASSERT, ASSERTIONS, RAISE, Sites, one
from mlir_gs.lowering.ir.builders import callee_of, is_within, symbol, walk_named
from mlir_gs.lowering.ir.emit import negated
from mlir_gs.lowering.kernel.attributes import kernel_of
from mlir_gs.lowering.passes.conditions import register_condition
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.threads import SEQUENTIAL

func = dialect("func")
scf = dialect("scf")

PARALLEL = ("scf.parallel", "scf.forall", "omp.parallel")
CALLS = ("func.call", "llvm.call")


@register_pass
@dataclass(frozen=True)
class GsLowerAsserts:
    """Lower `cf.assert` to a call that raises.

    before: `cf.assert %c, "text"`
    after:  `scf.if %not_c { call @__gs_assert(%n) }`

    `%n` is the place of the text in the module's attribute `gs.assertions`. An assertion that
    compares sizes becomes a call that shows both, `__gs_raise_size`, with its text in `gs.sites`.
    """

    name: ClassVar[str] = "gs-lower-asserts"
    only_with: ClassVar[tuple[str, ...]] = ("cf.assert",)

    def run(self, module: ir.Operation) -> None:
        _lower_assertions(module, walk_named(module, "cf.assert"))


@register_pass
@dataclass(frozen=True)
class GsRunInSequence:
    """Mark a kernel with `gs.sequential` if something in a parallel loop may raise an error.

    An error return cannot leave a parallel region. Later passes then make no parallel loops, and
    those that there are run on one thread.
    """

    name: ClassVar[str] = "gs-run-in-sequence"
    only_with: ClassVar[tuple[str, ...]] = PARALLEL

    def run(self, module: ir.Operation) -> None:
        found = walk_named(module, *CALLS, "gs.generic")
        function = kernel_of(module)
        if function is not None and any(is_within(o, *PARALLEL) and _may_raise(o) for o in found):
            function.attributes[SEQUENTIAL] = ir.UnitAttr.get()


def _may_raise(op: ir.Operation) -> bool:
    return "error" in Structure.of(op.opview).modes if op.name == "gs.generic" else is_raise(op)


def _lower_assertions(module: Any, found: Sequence[Any]) -> None:
    known = module.attributes.get(ASSERTIONS, [])
    texts: list[str] = [text.value for text in known]
    earlier = len(texts)
    sites = Sites(module)
    i64 = ir.IntegerType.get_signless(64)
    for op in found:
        text = op.attributes["msg"].value
        compared = compared_sizes(op)
        with ir.InsertionPoint(op), op.location:
            branch = scf.IfOp(negated(op.operands[0]))
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


@register_condition("has-callees")
def has_callees(module: ir.Operation) -> bool:
    """Functions are called that can be inlined, and none of them in a parallel loop."""
    functions = [op.operation for op in module.regions[0].blocks[0]]
    names = {
        symbol(op)
        for op in functions
        if op.name == "func.func" and len(op.regions[0].blocks) and "no_inline" not in op.attributes
    }
    if len(names) < 2:
        return False
    calls = [op for op in walk_named(module, "func.call") if callee_of(op) in names]
    return bool(calls) and not any(is_within(op, *PARALLEL) for op in calls)


def is_raise(op: Any) -> bool:
    callee = callee_of(op)
    return callee.startswith(RAISE) or callee == ASSERT


def named(root: Any, name: str, parallel: bool = False) -> list[Any]:
    """The operations of a name below `root` that are in no parallel loop, or those that are."""
    return [op for op in walk_named(root, name) if is_within(op, *PARALLEL) == parallel]
