"""Computations on scalars: regions of StableHLO, on 0-d tensors, as arith, math and complex ops.

Upstream legalizes the region of a `stablehlo.map` to scalars. So a region is put into one, in a
module of its own, and what comes out has the numerics of the rest of the program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import PassManager, dialect, ir
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.stablehlo.common import bindings
from mlir_gs.lowering.ir.builders import cast, clone_block, remap, walk
from mlir_gs.lowering.passes.context_store import store_of
from mlir_gs.lowering.passes.diagnostics import location_text

func = dialect("func")

CAPTURE = Refusal(
    "computations that use values from outside, other than constants",
    "computation must use its own values and constants only, found another in '{found}'",
)
NO_SCALAR = Refusal(
    "computations with an op that upstream does not legalize to scalars",
    "computation must consist of element-wise ops that upstream legalizes, found '{found}' "
    "at {place}",
)
BODY = (CAPTURE, NO_SCALAR)

_SCALAR_DIALECTS = ("arith.", "math.", "complex.", "builtin.unrealized_conversion_cast")
# On scalars they change nothing.
_IDENTITIES = ("stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.optimization_barrier")


@dataclass(frozen=True)
class ScalarBody:
    """One result of a region, computed from its `arguments` (by number), in order.

    `block` is None where the result is the one argument itself; `module` owns the block.
    """

    arguments: tuple[int, ...]
    result: ir.Type
    block: Any = None
    module: Any = None

    def build(self, values: Sequence[ir.Value]) -> ir.Value:
        """The result at the insertion point; `values` are those of `arguments`, by position.

        The block is on signless types: unsigned values are cast to them and back.
        """
        if self.block is None:
            return values[0]
        pairs = zip(values, self.block.arguments, strict=True)
        (found,) = clone_block(self.block, [cast(value, like.type) for value, like in pairs])
        return cast(found, self.result)


def scalar_bodies(region: ir.Region) -> list[ScalarBody]:
    """What `region`, one block on 0-d tensors, returns, each result by itself.

    Raises a refusal for an op that has no form on scalars.
    """
    block = region.blocks[0]
    key, store = _form(block), store_of(block.owner.context)
    if key is None or key not in store:
        found = _bodies(block)
        if key is None:
            return found
        store[key] = found
    return store[key]


def _form(block: ir.Block) -> Any:
    """What the ops of `block` are, equal for blocks that compute the same; None where it uses
    values from outside."""
    places = {argument: number for number, argument in enumerate(block.arguments)}
    form: list[Any] = ["body", *(str(argument.type) for argument in block.arguments)]
    for op in block.operations:
        if len(op.regions) or any(operand not in places for operand in op.operands):
            return None
        at, types = [places[operand] for operand in op.operands], [str(r.type) for r in op.results]
        attributes = sorted((name, str(each)) for name, each in op.attributes.items())
        form.append((op.name, *at, *types, *attributes))
        places.update({result: len(places) + n for n, result in enumerate(op.results)})
    return tuple(form)


def _bodies(block: ir.Block) -> list[ScalarBody]:
    *operations, last = [view.operation for view in block.operations]
    operations = _captured_constants(block, [*operations, last]) + operations
    bodies = []
    for value in last.operands:
        value = _source(value)
        needed, arguments = _needed(value, operations, list(block.arguments))
        if not needed and len(arguments) == 1:
            bodies.append(ScalarBody(arguments, value.type.element_type))
            continue
        bodies.append(_legalized(block, needed, arguments, value))
    return bodies


def _source(value: ir.Value) -> ir.Value:
    """`value` behind ops that change nothing on scalars."""
    while not isinstance(value.owner, ir.Block) and value.owner.name in _IDENTITIES:
        number = next(n for n, result in enumerate(value.owner.results) if result == value)
        if value.owner.operands[number].type != value.type:
            break
        value = value.owner.operands[number]
    return value


def _captured_constants(block: ir.Block, operations: Sequence[ir.Operation]) -> list[ir.Operation]:
    """The constants outside of `block` that it uses: canonicalization moves them there."""
    own = set(block.arguments)
    found: list[ir.Operation] = []
    for op in operations:
        for operand in op.operands:
            if operand in own:
                continue
            owner = operand.owner
            if isinstance(owner, ir.Block) or owner.name != "stablehlo.constant":
                raise CAPTURE(found=op.name)
            found.append(owner)
            own |= set(owner.results)
        own |= set(op.results)
    return found


def _needed(
    value: ir.Value, operations: Sequence[ir.Operation], arguments: Sequence[ir.Value]
) -> tuple[list[ir.Operation], tuple[int, ...]]:
    """The operations that `value` is computed from, and the numbers of the arguments."""
    wanted = {value}
    needed = []
    for op in reversed(operations):
        if any(result in wanted for result in op.results):
            needed.append(op)
            wanted |= set(op.operands)
    used = tuple(number for number, argument in enumerate(arguments) if argument in wanted)
    return needed[::-1], used


def _legalized(
    block: ir.Block, needed: Sequence[ir.Operation], arguments: tuple[int, ...], value: ir.Value
) -> ScalarBody:
    taken = [block.arguments[number] for number in arguments]
    # A map needs an operand, a constant none.
    types = [argument.type for argument in taken] or [value.type]
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        _build_map(types, taken, needed, value)
    bindings()
    text = "func.func(chlo-legalize-to-stablehlo),stablehlo-legalize-to-linalg"
    PassManager.parse(f"builtin.module({text})").run(module.operation)
    _unwrap(module)
    PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
    scalar = module.body.operations[0].regions[0].blocks[0]
    for view in list(scalar.operations)[:-1]:
        if not view.operation.name.startswith(_SCALAR_DIALECTS):
            raise NO_SCALAR(found=view.operation.name, place=location_text(view.location))
    if not taken:
        scalar.erase_argument(0)
    return ScalarBody(arguments, value.type.element_type, scalar, module)


def _build_map(
    types: Sequence[ir.Type],
    taken: Sequence[ir.Value],
    needed: Sequence[ir.Operation],
    value: ir.Value,
) -> None:
    """A function with a stablehlo.map on one element, which computes `value`."""

    def vector(type_: ir.Type) -> ir.Type:
        return ir.RankedTensorType.get([1], type_.element_type)

    function = func.FuncOp("body", ([vector(t) for t in types], [vector(value.type)]))
    with ir.InsertionPoint(function.add_entry_block()):
        mapped = ir.Operation.create(
            "stablehlo.map",
            results=[vector(value.type)],
            operands=list(function.arguments),
            attributes={"dimensions": ir.DenseI64ArrayAttr.get([0])},
            regions=1,
        )
        func.ReturnOp([mapped.result])
    inner = mapped.regions[0].blocks.append(*types, arg_locs=[value.location] * len(types))
    known: dict[ir.Value, ir.Value] = dict(zip(taken, inner.arguments, strict=False))
    with ir.InsertionPoint(inner):
        for op in needed:
            if op.name in _IDENTITIES and op.operands[0].type == op.results[0].type:
                known[op.results[0]] = known[op.operands[0]]
                continue
            clone = op.clone()
            remap(clone, known)
            known.update(zip(op.results, clone.results, strict=True))
        ir.Operation.create("stablehlo.return", operands=[known[value]])


def _unwrap(module: ir.Module) -> None:
    """The block of the linalg.generic that the map became is made the body of the one function.

    What is not legalized is refused, before it meets passes that fail on it less clearly.
    """
    found = None
    for op in walk(module.operation):
        if op.name.startswith(("stablehlo.", "chlo.")) and op.name != "stablehlo.return":
            if op.name != "stablehlo.map":
                raise NO_SCALAR(found=op.name, place=location_text(op.location))
        elif op.name == "linalg.generic" and found is None:
            found = op
    if found is None:
        raise NO_SCALAR(found="stablehlo.map", place=location_text(module.operation.location))
    block = found.regions[0].blocks[0]
    *operations, last = list(block.operations)
    inputs = list(block.arguments)[:-1]
    with ir.InsertionPoint(module.body), found.location:
        function = func.FuncOp(
            "scalars", ([argument.type for argument in inputs], [last.operands[0].type])
        )
        entry = function.add_entry_block()
    for old, new in zip(inputs, entry.arguments, strict=True):
        old.replace_all_uses_with(new)
    for view in operations:
        entry.append(view)
    with ir.InsertionPoint(entry), found.location:
        func.ReturnOp([last.operands[0]])
    module.body.operations[0].operation.erase()
