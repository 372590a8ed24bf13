"""What is known of the elements of integer tensors: range, order, whether two are equal.

The analysis goes through arithmetic, shapes, sorts and earlier gathers. A body of linalg.generic or
tensor.generate is followed scalar by scalar, as a function of the point that it is run at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.shared import Bounds
from mlir_gs.dialect.sizes import Origin, origin
from mlir_gs.lowering import facts_arithmetic
from mlir_gs.lowering.builders import producer
from mlir_gs.lowering.coordinates import never_negative
from mlir_gs.lowering.known import Known


@dataclass(frozen=True)
class Facts:
    """Elements lie in [low, high] and are less than each size in `below`.

    `distinct`: no two are equal; `ascending`: in row-major order, equal neighbours allowed;
    `along`: a dim in whose lines no two are equal.
    """

    low: int
    high: int
    below: frozenset[Origin] = frozenset()
    distinct: bool = False
    ascending: bool = False
    along: int | None = None

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None


def limits(type_: ir.Type) -> tuple[int, int] | None:
    """The least and the greatest number of a type of coordinates; None if it is none."""
    if isinstance(type_, ir.IndexType):
        return -(1 << 63), (1 << 63) - 1
    if not isinstance(type_, ir.IntegerType) or type_.width > 64:
        return None
    if never_negative(type_):
        return 0, (1 << type_.width) - 1
    return -(1 << (type_.width - 1)), (1 << (type_.width - 1)) - 1


def anything(type_: ir.Type) -> Facts | None:
    found = limits(type_)
    return None if found is None else Facts(*found)


def union(parts: Sequence[Facts]) -> Facts:
    """Each element is one of one of these tensors."""
    below = frozenset.intersection(*(part.below for part in parts))
    return Facts(min(p.low for p in parts), max(p.high for p in parts), below)


class Analysis:
    """The facts of values, each looked for once; the IR must stay as it is."""

    def __init__(self) -> None:
        self._found: dict[ir.Value, Facts | None] = {}
        self.known = Known()

    def __call__(self, value: ir.Value) -> Facts | None:
        """What is known of an integer, or of the elements of a tensor of integers."""
        if value not in self._found:
            # What depends on itself, in a loop, is not known.
            self._found[value] = anything(_element(value.type))
            self._found[value] = self._evaluate(value)
        return self._found[value]

    def _evaluate(self, value: ir.Value) -> Facts | None:
        element = _element(value.type)
        top = anything(element)
        op = producer(value)
        if top is None or op is None:
            return top
        if isinstance(value.type, ir.RankedTensorType):
            known = self.known(value)
            if known is not None and known.size:
                return _of_known(known)
        if op.name == "arith.constant":
            attribute = op.attributes["value"]
            if isinstance(attribute, ir.IntegerAttr):
                return Facts(attribute.value, attribute.value, ascending=True)
            return top
        if op.name in _RULES:
            found = _RULES[op.name](self, op, value)
        else:
            parts = [self(operand) for operand in op.operands]
            found = facts_arithmetic.transfer(op, parts)
        return fitting(found, element) or top

    def at_points(
        self, block: ir.Block, scalars: dict[ir.Value, Facts | None], sizes: list[Origin]
    ) -> Facts | None:
        """What the block yields first, at the points of an iteration space of these sizes."""
        for op in list(block.operations)[:-1]:
            op = op.operation
            if len(op.results) != 1:
                return None
            result = op.results[0]
            if op.name == "linalg.index":
                scalars[result] = iota(op.attributes["dim"].value, sizes)
                continue
            parts = [
                scalars[operand] if operand in scalars else self(operand) for operand in op.operands
            ]
            if op.name == "arith.constant":
                found = self(result)
            else:
                found = facts_arithmetic.transfer(op, parts)
            scalars[result] = fitting(found, result.type) or anything(result.type)
        last = list(block.operations)[-1].operands[0]
        return scalars[last] if last in scalars else self(last)


def fitting(facts: Facts | None, type_: ir.Type) -> Facts | None:
    """The facts, unless a number of them is none of the type: then it wrapped around."""
    bounds = limits(type_)
    if facts is None or bounds is None or facts.low < bounds[0] or facts.high > bounds[1]:
        return None
    return facts


def iota(dim: int, sizes: Sequence[Origin]) -> Facts:
    """The positions along `dim`."""
    size = sizes[dim]
    high = size - 1 if isinstance(size, int) else (1 << 63) - 2
    alone = all(n == 1 for d, n in enumerate(sizes) if d != dim)
    first = all(n == 1 for n in sizes[:dim])
    return Facts(0, max(high, 0), frozenset({size}), alone, first, dim)


def _element(type_: ir.Type) -> ir.Type:
    return type_.element_type if isinstance(type_, ir.RankedTensorType) else type_


def _of_known(known: np.ndarray) -> Facts:
    flat = known.ravel()
    steps = np.diff(flat) >= 0
    distinct = len(np.unique(flat)) == flat.size
    return Facts(int(flat.min()), int(flat.max()), frozenset(), distinct, bool(steps.all()))


def _same(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    """The elements in the same order, or some of them."""
    found = analysis(op.operands[0])
    return None if found is None else replace(found, along=None)


def _cast(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    return analysis(op.operands[0])


def _moved(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    """The elements in another order."""
    found = analysis(op.operands[0])
    return None if found is None else replace(found, ascending=False, along=None)


def _repeated(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    found = analysis(op.operands[0])
    return None if found is None else union([found])


def _several(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    parts = [analysis(v) for v in op.operands if _element(v.type) == _element(op.results[0].type)]
    return union([part for part in parts if part is not None]) if all(parts) else None


def _insert_slice(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    parts = [analysis(op.operands[0]), analysis(op.operands[1])]
    return union([part for part in parts if part is not None]) if all(parts) else None


def _fill(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    found = analysis(op.operands[0])
    return None if found is None else replace(found, ascending=True, distinct=False)


def _generate(analysis: Analysis, op: ir.Operation, value: ir.Value) -> Facts | None:
    block = op.regions[0].blocks[0]
    sizes = [origin(value, d) for d in range(value.type.rank)]
    scalars: dict[ir.Value, Facts | None] = {
        argument: iota(d, sizes) for d, argument in enumerate(block.arguments)
    }
    return analysis.at_points(block, scalars, sizes)


def _linalg(analysis: Analysis, op: ir.Operation, value: ir.Value) -> Facts | None:
    """An element-wise linalg.generic whose first result has a point of its own per element."""
    if len(op.results) != 1 or "reduction" in str(op.attributes["iterator_types"]):
        return None
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    rank = value.type.rank
    identity = ir.AffineMap.get_identity(rank)
    if maps[-1] != identity:
        return None
    block = op.regions[0].blocks[0]
    sizes = [origin(value, d) for d in range(rank)]
    scalars: dict[ir.Value, Facts | None] = {}
    for operand, map_, argument in zip(op.operands, maps, block.arguments, strict=True):
        found = analysis(operand)
        if found is None or map_ == identity:
            scalars[argument] = found
        else:
            scalars[argument] = union([found])
        if isinstance(operand.type, ir.RankedTensorType) and map_ == identity:
            continue
        if not all(plain_dim(expr) is not None for expr in map_.results):
            scalars[argument] = None
    return analysis.at_points(block, scalars, sizes)


def _gather(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    found = analysis(op.operands[0])
    bounds = Bounds.of(op.opview)
    if found is None:
        return None
    if bounds.mode == "fill":
        fill: Any = bounds.fill_value
        if not isinstance(fill, ir.IntegerAttr):
            return None
        return union([found, Facts(fill.value, fill.value)])
    result = union([found])
    if "unique" in op.attributes and bounds.mode == "promise_in_bounds":
        result = replace(result, distinct=found.distinct)
    return result


def _scatter(analysis: Analysis, op: ir.Operation, _: ir.Value) -> Facts | None:
    if len(op.regions[0].blocks):
        return None
    return _insert_slice(analysis, op, _)


def _histogram(analysis: Analysis, op: ir.Operation, value: ir.Value) -> Facts | None:
    if value != op.results[1]:
        return None
    found = analysis(op.operands[1])
    single = value.type.shape[value.type.rank - 1] == 1
    return None if found is None else replace(union([found]), distinct=single, ascending=single)


def _top_k(analysis: Analysis, op: ir.Operation, value: ir.Value) -> Facts | None:
    """Positions of the largest along a dim, the last one unless the op says so."""
    results = list(op.results)
    if len(results) != 2 or value != results[1]:
        return None
    source, rank = op.operands[0], value.type.rank
    dim = op.attributes["dimension"].value if "dimension" in op.attributes else rank - 1
    size = origin(source, dim)
    facts = iota(dim, [size if d == dim else origin(value, d) for d in range(rank)])
    return replace(facts, ascending=False)


def _sort(analysis: Analysis, op: ir.Operation, value: ir.Value) -> Facts | None:
    """What is sorted along with a key keeps its elements, line by line."""
    number = next(n for n, result in enumerate(op.results) if result == value)
    start = op.operands[number]
    found = analysis(start)
    if found is None:
        return None
    dim = op.attributes["dimension"].value if "dimension" in op.attributes else -1
    dim = dim if dim >= 0 else value.type.rank - 1
    along = dim if found.along == dim or found.distinct else None
    return replace(found, along=along, ascending=value.type.rank == 1 and _ascends(op, number))


def _ascends(op: ir.Operation, number: int) -> bool:
    """The comparator is `a < b` of the operand itself."""
    if len(op.regions) != 1 or len(op.regions[0].blocks) != 1:
        return False
    block = op.regions[0].blocks[0]
    operations = [nested.operation for nested in block.operations]
    if len(operations) != 2:
        return False
    a, b = block.arguments[2 * number], block.arguments[2 * number + 1]
    compare = operations[0]
    if list(compare.operands) != [a, b] or list(operations[1].operands) != [compare.results[0]]:
        return False
    if compare.name == "stablehlo.compare":
        return "LT" in str(compare.attributes["comparison_direction"]) or "LE" in str(
            compare.attributes["comparison_direction"]
        )
    return compare.name == "arith.cmpi" and compare.attributes["predicate"].value in (2, 3)


_RULES = {
    "tensor.cast": _cast,
    "tensor.collapse_shape": _same,
    "tensor.expand_shape": _same,
    "tensor.extract_slice": _same,
    "tensor.generate": _generate,
    "tensor.insert_slice": _insert_slice,
    "tensor.concat": _several,
    "tensor.splat": _fill,
    "tensor.extract": _repeated,
    "linalg.fill": _fill,
    "linalg.transpose": _moved,
    "linalg.broadcast": _repeated,
    "linalg.generic": _linalg,
    "gs.gather": _gather,
    "gs.gather_elements": _gather,
    "gs.scatter": _scatter,
    "gs.scatter_elements": _scatter,
    "gs.strided_slice": _moved,
    "gs.histogram": _histogram,
    "stablehlo.sort": _sort,
    "stablehlo.reshape": _same,
    "stablehlo.convert": _cast,
    "tm_tensor.sort": _sort,
    "chlo.top_k": _top_k,
    "tm_tensor.topk": _top_k,
}


def integer_tensors(operations: Sequence[ir.Operation]) -> Iterator[ir.Value]:
    """The results of these operations that facts may be known of."""
    for op in operations:
        for result in op.results:
            if isinstance(result.type, ir.RankedTensorType) and limits(result.type.element_type):
                yield result
