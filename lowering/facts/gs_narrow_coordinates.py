"""`gs-narrow-coordinates`: computes coordinates in fewer bits."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED, structure_of
from mlir_gs.dialect.structure import groups
from mlir_gs.lowering.facts.analysis import Analysis
from mlir_gs.lowering.facts.numbers import Facts, limits
from mlir_gs.lowering.ir.builders import arith, producer, remap, tensor, walk_named
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.passes.registry import register_pass

_WIDTHS = (8, 16, 32, 64)
_ARITHMETIC = ("arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minsi")
_SHAPES = (
    *("tensor.cast", "tensor.collapse_shape", "tensor.expand_shape", "tensor.extract_slice"),
)


@register_pass
@dataclass(frozen=True)
class GsNarrowCoordinates:
    """Compute coordinates in the narrowest type that holds each intermediate number.

    before: `gather(x, extsi(i: i8) * 4 + dense<1> : i64)`
    after:  `gather(x, extsi(i: i8) * 4 + dense<1> : i16)`

    Applies to constants, to iotas (tensor.generate), and to sums, products, bounds and shapes of
    those and of narrower tensors, where integer ranges show that nothing overflows. Does not apply
    to coordinates that the function gets in a wide type, nor where something other than
    coordinates uses the wide ones.
    """

    name: ClassVar[str] = "gs-narrow-coordinates"
    least: Literal["8", "16", "32"] = field(
        default="8", metadata={"help": "bits of the narrowest type"}
    )

    def run(self, module: ir.Operation) -> None:
        ops = walk_named(module, *NAMED, "gs.generic")
        if not ops:
            return
        facts = Analysis.of(module)
        made: dict[tuple[ir.Value, int], ir.Value] = {}
        for op in ops:
            for number in _index_operands(op):
                self._narrow(op, number, facts, made)

    def _narrow(
        self,
        op: ir.Operation,
        number: int,
        facts: Analysis,
        made: dict[tuple[ir.Value, int], ir.Value],
    ) -> None:
        value = op.operands[number]
        width = _width(value.type.element_type)
        if width is None:
            return
        for target in _WIDTHS:
            if int(self.least) <= target < width and _can(value, target, facts):
                op.operands[number] = _narrowed(value, target, made)
                note(op, "proved", f"coordinates fit in i{target}, not {value.type.element_type}")
                return


def _index_operands(op: ir.Operation) -> list[int]:
    if op.name != "gs.generic":
        structure = structure_of(op)
        read = [] if structure is None else [access.value for access in structure.coordinates]
        moved = () if structure is None else (*structure.inputs, *structure.outputs)
        # What is coordinates and elements at once keeps its type.
        kept = [access.value for access in moved]
        return [n for n, v in enumerate(op.operands) if v in read and v not in kept]
    inputs, indices, _ = groups(op.opview)
    return list(range(len(inputs), len(inputs) + len(indices)))


def _width(type_: ir.Type) -> int | None:
    """Bits of signless coordinates."""
    if isinstance(type_, ir.IndexType):
        return 64
    if isinstance(type_, ir.IntegerType) and type_.is_signless and 1 < type_.width <= 64:
        return type_.width
    return None


def _can(value: ir.Value, target: int, facts: Analysis) -> bool:
    """Each number that `value` is computed from fits in `target` bits, and has no other use."""
    narrow = limits(ir.IntegerType.get_signless(target))
    todo, seen = [value], set()
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen.add(value)
        op, found = producer(value), facts(value)
        if op is None or not _fits(found, narrow):
            return False
        if op.name == "arith.constant":
            if not isinstance(op.attributes["value"], ir.DenseIntElementsAttr):
                return False
            continue
        if any(not _only_computes_coordinates(use.owner.operation) for use in value.uses):
            return False
        if op.name in _ARITHMETIC:
            todo += op.operands
        elif op.name in _SHAPES:
            todo.append(op.operands[0])
        elif op.name == "tensor.generate":
            continue
        elif op.name in ("arith.extsi", "arith.index_cast"):
            given = op.operands[0]
            width = _width(given.type.element_type)
            if width is None:
                return False
            if isinstance(given.type.element_type, ir.IndexType) or width > target:
                todo.append(given)
        else:
            return False
    return True


def _fits(found: Facts | None, narrow: tuple[int, int] | None) -> bool:
    assert narrow is not None
    return found is not None and narrow[0] <= found.low and found.high <= narrow[1]


def _only_computes_coordinates(user: ir.Operation) -> bool:
    return user.name.startswith("gs.") or user.name in (
        *_ARITHMETIC,
        *_SHAPES,
        "arith.extsi",
        "arith.index_cast",
        "tensor.dim",
    )


def _narrowed(value: ir.Value, target: int, made: dict[tuple[ir.Value, int], ir.Value]) -> ir.Value:
    """`value` in `target` bits, computed in front of its op."""
    key = (value, target)
    if key not in made:
        op = producer(value)
        assert op is not None
        with op.location, ir.InsertionPoint(op):
            made[key] = _make(op, value, target, lambda v: _narrowed(v, target, made))
    return made[key]


def _make(
    op: ir.Operation, value: ir.Value, target: int, narrowed: Callable[[ir.Value], ir.Value]
) -> ir.Value:
    element = ir.IntegerType.get_signless(target)
    type_ = ir.RankedTensorType.get(list(value.type.shape), element)
    if op.name == "arith.constant":
        return arith.constant(type_, _narrow_constant(op.attributes["value"], type_))
    if op.name in _ARITHMETIC:
        operands = [narrowed(operand) for operand in op.operands]
        return ir.Operation.create(op.name, results=[type_], operands=operands).result
    if op.name in _SHAPES:
        operands = [narrowed(op.operands[0]), *list(op.operands)[1:]]
        attributes = dict(op.attributes)
        return ir.Operation.create(
            op.name, results=[type_], operands=operands, attributes=attributes
        ).result
    if op.name == "tensor.generate":
        return _narrow_generate(op, type_)
    given = op.operands[0]
    width = _width(given.type.element_type)
    if isinstance(given.type.element_type, ir.IndexType) or width is None or width > target:
        return narrowed(given)
    return given if width == target else arith.extsi(type_, given)


def _narrow_constant(
    value: ir.DenseIntElementsAttr, type_: ir.RankedTensorType
) -> ir.DenseElementsAttr:
    def element(number: int) -> ir.Attribute:
        signed = number - (1 << 64) if number >= 1 << 63 else number
        return ir.IntegerAttr.get(type_.element_type, signed)

    if value.is_splat:
        return ir.DenseElementsAttr.get_splat(type_, element(value.get_splat_value().value))
    return ir.DenseElementsAttr.get([element(number) for number in value], type_)


def _narrow_generate(op: ir.Operation, type_: ir.RankedTensorType) -> ir.Value:
    """`op` with a cast of what its body yields."""
    new = tensor.GenerateOp(type_, list(op.operands))
    old = op.regions[0].blocks[0]
    index = [ir.IndexType.get()] * len(old.arguments)
    block = new.operation.regions[0].blocks.append(*index, arg_locs=[op.location] * len(index))
    values: dict[ir.Value, ir.Value] = dict(zip(old.arguments, block.arguments, strict=True))
    with ir.InsertionPoint(block):
        for nested in list(old.operations)[:-1]:
            clone = nested.operation.clone()
            remap(clone, values)
            values.update(zip(nested.operation.results, clone.results, strict=True))
        last = list(old.operations)[-1].operands[0]
        last = values.get(last, last)
        wide = last.type
        cast = arith.index_cast if isinstance(wide, ir.IndexType) else arith.trunci
        tensor.YieldOp(cast(type_.element_type, last))
    return new.result
