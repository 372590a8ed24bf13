"""StableHLO's loops and branches to scf, its checks to cf."""

import re
from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.stablehlo.common import UPSTREAM, arith, tensor
from mlir_gs.frontend.stablehlo.scalars import is_0d
from mlir_gs.lowering.ir.builders import move_block

scf = dialect("scf")

CALL = Refusal(
    "custom calls other than shape_assertion, ApproxTopK and notes on sharding",
    "calls {target}, which only XLA has",
)
_NOTES_ON_PLACEMENT = ("Sharding", "annotate_device_placement", "xla.sdy.FuncResultSharding")


def _carried(type_: ir.Type) -> ir.Type:
    return type_.element_type if is_0d(type_) else type_


def _unpacked(values: Sequence[ir.Value]) -> list[ir.Value]:
    """0-d tensors as scalars."""
    return [tensor.extract(v, []) if is_0d(v.type) else v for v in values]


def _packed(values: Sequence[ir.Value], types: Sequence[ir.Type]) -> list[ir.Value]:
    """The inverse of `_unpacked`."""
    return [
        tensor.from_elements(type_, [value]) if is_0d(type_) else value
        for value, type_ in zip(values, types, strict=True)
    ]


@UPSTREAM.converts("stablehlo.while", {"every form": "`scf.while`"})
def convert_while(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.while` --> `scf.while` that carries scalars for 0-d tensors."""
    types = [result.type for result in op.results]
    carried = [_carried(type_) for type_ in types]
    loop = scf.WhileOp(carried, _unpacked(list(op.operands)))
    locations = [op.location] * len(types)
    before, after = (region.blocks.append(*carried, arg_locs=locations) for region in loop.regions)
    with ir.InsertionPoint(before):
        arguments = _packed(before.arguments, types)
        (condition,) = move_block(op.regions[0].blocks[0], before, arguments)
        scf.condition(tensor.extract(condition, []), list(before.arguments))
    with ir.InsertionPoint(after):
        arguments = _packed(after.arguments, types)
        scf.yield_(_unpacked(move_block(op.regions[1].blocks[0], after, arguments)))
    return _packed(list(loop.results), types)


def _branch(region: ir.Region, into: ir.Block) -> None:
    with ir.InsertionPoint(into):
        scf.yield_(_unpacked(move_block(region.blocks[0], into, [])))


@UPSTREAM.converts("stablehlo.if", {"every form": "`scf.if`"})
def convert_if(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.if` --> `scf.if`."""
    types = [result.type for result in op.results]
    condition = tensor.extract(op.operands[0], [])
    branch = scf.IfOp(condition, [_carried(type_) for type_ in types], has_else=True)
    for region, block in zip(op.regions, (branch.then_block, branch.else_block), strict=True):
        _branch(region, block)
    return _packed(list(branch.results), types)


@UPSTREAM.converts("stablehlo.case", {"every form": "`scf.index_switch`"})
def convert_case(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.case` --> `scf.index_switch`; an index out of range takes the last branch."""
    types = [result.type for result in op.results]
    *cases, default = list(op.regions)
    index = arith.index_cast(ir.IndexType.get(), tensor.extract(op.operands[0], []))
    switch = ir.Operation.create(
        "scf.index_switch",
        results=[_carried(type_) for type_ in types],
        operands=[index],
        attributes={"cases": ir.DenseI64ArrayAttr.get(list(range(len(cases))))},
        regions=len(op.regions),
    )
    for source, region in zip([default, *cases], switch.regions, strict=True):
        _branch(source, region.blocks.append())
    return _packed(list(switch.results), types)


@UPSTREAM.converts("stablehlo.optimization_barrier", {"every form": "its operands"})
def convert_barrier(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.optimization_barrier` --> its operands."""
    return list(op.operands)


@UPSTREAM.converts(
    "stablehlo.custom_call",
    {"shape_assertion": "`cf.assert`", "notes on sharding and placement": "their operands"},
    refuses=(CALL,),
)
def convert_custom_call(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.custom_call`, as far as it is not a kernel of XLA's own."""
    target = ir.StringAttr(op.attributes["call_target_name"]).value
    if target == "shape_assertion":
        message = ir.StringAttr(op.attributes["error_message"]).value
        condition = tensor.extract(op.operands[0], [])
        text = {"msg": ir.StringAttr.get(_static_part(message))}
        ir.Operation.create("cf.assert", operands=[condition], attributes=text)
        return []
    if target in _NOTES_ON_PLACEMENT and len(op.operands) == len(op.results):
        return list(op.operands)
    named = re.search(r'"([^"]*)"', re.sub(r'"[^"]*":', "", str(op.location)))
    raise CALL(target=f"@{target}" + (f" for {named[1]}" if named else ""))


def _static_part(message: str) -> str:
    """The sentences before the one that is filled in with sizes at run time."""
    head = message.split("{", 1)[0]
    if head == message:
        return message
    sentences = head.split(". ")
    kept = sentences[:-1] if len(sentences) > 1 else sentences
    return ". ".join(kept).split(". Using the following")[0] + "."
