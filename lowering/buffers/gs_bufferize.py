"""`gs-bufferize`: `gs.generic` on tensors to memrefs, decided by upstream's One-Shot Bufferize.

Bufferization's interface cannot be attached to an op that is defined in Python. So each
`gs.generic` is wrapped in a linalg.generic over the outputs, whose `ins` and `outs` say what is
read and what is written in place. Upstream's in-place analysis, empty tensor elimination and
function boundaries then hold for `gs` as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import destination
from mlir_gs.dialect.structure import Structure, groups, segments
from mlir_gs.lowering.ir.asserts import refuse_named
from mlir_gs.lowering.ir.builders import module_of, move_block, replace_op, walk_named
from mlir_gs.lowering.kernel.attributes import WRITABLE, dictionaries, write
from mlir_gs.lowering.passes.registry import (
    CONVERTED,
    fail,
    register_pass,
    register_pipeline,
)
from mlir_gs.lowering.repair.branches import switch_in_conditions, switches_to_ifs

_SHELL = "gs.generic"
_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")


@register_pass
@dataclass(frozen=True)
class GsEnterBufferization:
    """Wrap each `gs.generic` on tensors in a linalg.generic, which One-Shot Bufferize understands.

    Arguments of public functions without `bufferization.writable` are marked as not writable.
    An scf.index_switch of tensors becomes scf.if, which is bufferized rightly. Each op that writes
    over a linalg.fill gets one of its own, instead of a copy of one that others use.
    Nested modules stay as they are, as in One-Shot Bufferize.
    """

    name: ClassVar[str] = "gs-enter-bufferization"

    def run(self, module: ir.Operation) -> None:
        refuse_named(_own(module, *NAMED), "bufferization")
        for op in _own(module, *CONVERTED):
            fail(op, f"'{op.name}' op must be converted before bufferization: {CONVERTED[op.name]}")
        for function in _own(module, "func.func"):
            _protect_arguments(function)
        switches_to_ifs(_own(module, "scf.index_switch"))
        for op in _own(module, "linalg.fill"):
            uses = [use for value in op.results for use in value.uses]
            for use in uses if len(uses) > 1 else []:
                user = use.owner.operation
                if op.results[0] in filter(None, map(destination, user.results)):
                    with ir.InsertionPoint(user):
                        user.operands[use.operand_number] = op.clone().results[0]
            if uses and not any(list(value.uses) for value in op.results):
                op.erase()
        for op in _own(module, "gs.generic"):
            if len(op.results) > 0:
                _enter(op)


@register_pass
@dataclass(frozen=True)
class GsLeaveBufferization:
    """Unwrap each `gs.generic`, now mostly on memrefs, from its linalg.generic."""

    name: ClassVar[str] = "gs-leave-bufferization"
    only_with: ClassVar[tuple[str, ...]] = ("linalg.generic", "scf.while")

    def run(self, module: ir.Operation) -> None:
        switch_in_conditions(module)
        for op in carriers(module):
            _leave(op)


def carriers(module: ir.Operation) -> list[ir.Operation]:
    """Each linalg.generic that carries a gs.generic."""
    return [op for op in walk_named(module, "linalg.generic") if _SHELL in op.attributes]


def _own(module: ir.Operation, *names: str) -> list[ir.Operation]:
    """The ops of these names that are in no other module."""
    return [op for op in walk_named(module, *names) if module_of(op) == module.operation]


@register_pipeline("gs-bufferize", doc="Bufferize a module that may hold gs.generic.")
def gs_bufferize(
    layout: Annotated[
        Literal["identity", "dynamic"], "layout of arguments; dynamic: any strides"
    ] = "identity",
) -> list[str]:
    """Runs One-Shot Bufferize, at function boundaries too, between passes for `gs.generic`."""
    layouts = {"identity": "identity-layout-map", "dynamic": "fully-dynamic-layout-map"}
    # Other layouts than that of whole tensors come in as arguments.
    arguments = "true" if layout == "identity" else "false"
    return [
        "gs-repair",
        f"gs-limit-aliases{{arguments={arguments}}}",
        "eliminate-empty-tensors",
        "gs-enter-bufferization",
        "eliminate-empty-tensors",
        "one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true "
        f"function-boundary-type-conversion={layouts[layout]}}}",
        "gs-leave-bufferization",
    ]


def _protect_arguments(function: ir.Operation) -> None:
    """Tensor arguments of a public function with a body are not written unless it says so."""
    if len(function.regions[0].blocks) == 0 or (
        "sym_visibility" in function.attributes
        and function.attributes["sym_visibility"].value == "private"
    ):
        return
    arguments = function.regions[0].blocks[0].arguments
    marks = dictionaries(function, "arg_attrs", len(arguments))
    for argument, each in zip(arguments, marks, strict=True):
        if isinstance(argument.type, ir.RankedTensorType):
            each.setdefault(WRITABLE, ir.BoolAttr.get(False))
    if marks:
        write(function, "arg_attrs", marks)


def _enter(op: ir.Operation) -> None:
    structure = Structure.of(op.opview)
    inputs, indices, outputs = groups(op.opview)
    ins = [*inputs, *indices]
    kept = {name: kind for name, kind in op.attributes.items() if name not in _SEGMENTS}
    kept["indices"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), len(indices))
    maps, rank = _shell_maps(ins, outputs)
    for number in _lying_alike(structure):
        maps[number] = maps[-1]
    with op.location, ir.InsertionPoint(op):
        shell = ir.Operation.create(
            "linalg.generic",
            results=[result.type for result in op.results],
            operands=[*ins, *outputs],
            attributes={
                "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(map_) for map_ in maps]),
                "iterator_types": ir.ArrayAttr.get(
                    [ir.Attribute.parse("#linalg.iterator_type<parallel>")] * rank
                ),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(ins), len(outputs)]),
                _SHELL: ir.DictAttr.get(kept),
            },
            regions=1,
        )
    _fill_shell(shell, structure, len(inputs), op.regions[0].blocks[0])
    replace_op(op, shell.results)


def _shell_maps(
    ins: Sequence[ir.Value], outputs: Sequence[ir.Value]
) -> tuple[list[ir.AffineMap], int]:
    """Each output has dims of its own, of which upstream takes the sizes of copies."""
    rank = sum(value.type.rank for value in outputs)
    zero = ir.AffineConstantExpr.get(0)
    maps = [ir.AffineMap.get(rank, 0, [zero] * value.type.rank) for value in ins]
    first = 0
    for value in outputs:
        dims = range(first, first + value.type.rank)
        maps.append(ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in dims]))
        first += value.type.rank
    return maps, rank


def _lying_alike(structure: Structure) -> list[int]:
    """The inputs that each point reads where it, and no other point, writes the only output. They
    may be its memory: with the map of the output upstream sees that."""
    if len(structure.outputs) != 1:
        return []
    output = structure.outputs[0]
    where = [e for e in output.map.results if not isinstance(e, ir.AffineConstantExpr)]
    if sorted(-1 if (d := plain_dim(e)) is None else d for e in where) != [*range(structure.rank)]:
        return []
    return [
        number
        for number, each in enumerate(structure.inputs)
        if each.map == output.map and _same_sizes(each.value.type, output.value.type)
    ]


def _same_sizes(a: ir.RankedTensorType, b: ir.RankedTensorType) -> bool:
    """Whether no known size differs, as may be where the smaller one says how far a dim goes."""
    return all(m == n or DYNAMIC in (m, n) for m, n in zip(a.shape, b.shape, strict=True))


def _fill_shell(shell: ir.Operation, structure: Structure, n_in: int, body: ir.Block) -> None:
    """Move `body` into the shell, whose block has an element of each operand as argument.

    What upstream takes for read is what the block uses, so all that is read is used.
    """
    elements = [operand.type.element_type for operand in shell.operands]
    block = shell.regions[0].blocks.append(*elements, arg_locs=[shell.location] * len(elements))
    n_ins = len(elements) - len(structure.outputs)
    read = list(block.arguments)[:n_ins] + [
        block.arguments[n_ins + number]
        for number, _ in enumerate(structure.outputs)
        if not overwrites(structure, number)
    ]
    with shell.location, ir.InsertionPoint(block):
        ir.Operation.create(
            "builtin.unrealized_conversion_cast",
            results=[ir.IntegerType.get_signless(1)],
            operands=read,
        )
    _move_body(body, block, [*range(n_in), *range(n_ins, len(elements))], "linalg.yield")


def _move_body(body: ir.Block, block: ir.Block, numbers: Sequence[int], terminator: str) -> None:
    """Append the ops of `body` to `block`; its arguments become those of these `numbers`."""
    found = move_block(body, block, [block.arguments[number] for number in numbers])
    with body.operations[0].location, ir.InsertionPoint(block):
        ir.Operation.create(terminator, operands=found)


def overwrites(structure: Structure, number: int) -> bool:
    """Output `number` is written in every element: what it held before is not seen."""
    output = structure.outputs[number]
    seen = set()
    for position, expr in enumerate(output.map.results):
        size = output.value.type.shape[position]
        dim = plain_dim(expr)
        if dim is None:
            if not (isinstance(expr, ir.AffineConstantExpr) and size == 1):
                return False
            continue
        if dim in seen or not structure.spans(output, position):
            return False
        seen.add(dim)
    # A dim of no points would write nothing.
    others = set(range(structure.rank)) - seen
    return all(structure.static_extent(dim) > 0 for dim in others)


def _leave(shell: ir.Operation) -> None:
    kept = {named.name: named.attr for named in shell.attributes[_SHELL]}
    n_indices = kept.pop("indices").value
    n_ins, n_outputs = list(shell.attributes["operandSegmentSizes"])
    n_in = n_ins - n_indices
    with shell.location, ir.InsertionPoint(shell):
        results = [result.type for result in shell.results]
        op = ir.Operation.create(
            "gs.generic",
            results=results,
            operands=list(shell.operands),
            attributes={**kept, **segments(n_in, n_indices, n_outputs, on_tensors=bool(results))},
            regions=1,
        )
    for old, new in zip(shell.results, op.results, strict=True):
        old.replace_all_uses_with(new)
    body = shell.regions[0].blocks[0]
    next(iter(body.operations)).operation.erase()
    for number in reversed(range(n_in, n_ins)):
        body.erase_argument(number)
    elements = [argument.type for argument in body.arguments]
    block = op.regions[0].blocks.append(*elements, arg_locs=[op.location] * len(elements))
    _move_body(body, block, range(len(elements)), "gs.yield")
    shell.erase()
