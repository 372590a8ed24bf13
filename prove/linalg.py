"""linalg: its loop nests are those of `gs.generic` without coordinates."""

from typing import Any

import z3
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.prove.generic import RunBlock, affine_term, may_hold_poison, regrouped
from mlir_gs.prove.nest import Nest, Writes, new_current
from mlir_gs.prove.terms import inside, least_of
from mlir_gs.prove.values import Side, Tensor, Unsupported

Values = dict[Any, Any]


def linalg_nest(side: Side, op: Any, values: Values, run: RunBlock) -> tuple[Nest, list[Writes]]:
    """The loops of a linalg.generic, and what they write; the last operands are the outputs."""
    operands = [values[o] for o in op.operands]
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    inputs = next(iter(op.attributes["operandSegmentSizes"]))
    rank = maps[0].n_dims
    dims = side.new_indices(rank)
    found: list[list[z3.ArithRef]] = [[] for _ in range(rank)]
    for operand, map_ in zip(operands, maps, strict=True):
        for expr, size in zip(map_.results, _shape(operand), strict=True):
            d = plain_dim(expr)
            if d is not None:
                found[d].append(size)
    if not all(found):
        raise Unsupported(f"{op.name} with a dim whose extent no operand says")
    for sizes in found:
        for size in sizes[1:]:
            side.is_undefined(size != sizes[0], f"sizes of {op.name} that differ")
    extents = tuple(least_of(sizes) for sizes in found)
    box = inside(dims, extents)
    places = [tuple(affine_term(e, dims, ()) for e in map_.results) for map_ in maps]
    with side.under(dims, box):
        for operand, map_, place in zip(operands, maps, places, strict=True):
            for expr, at, size in zip(map_.results, place, _shape(operand), strict=True):
                if plain_dim(expr) is None:
                    side.is_undefined(z3.Or(at < 0, at >= size), f"{op.name} leaves an operand")
        elements = [
            operand.at(place) if isinstance(operand, Tensor) else operand
            for operand, place in zip(operands[:inputs], places[:inputs], strict=True)
        ]
        outputs = list(operands[inputs:])
        poisons = may_hold_poison(op, elements, outputs, side.flags)
        currents = [new_current(side, output.element, poisons) for output in outputs]
        block = op.regions[0].blocks[0]
        yielded = run(block, [*elements, *currents][: len(block.arguments)], dims)
    regroups = regrouped(block, inputs) if len(block.arguments) > inputs else [False]
    writes = [
        Writes(output, current, place, z3.BoolVal(True), value, regroup)
        for output, current, place, value, regroup in zip(
            outputs, currents, places[inputs:], yielded, regroups, strict=True
        )
    ]
    return Nest(dims, extents), writes


def _shape(operand: Any) -> tuple[z3.ArithRef, ...]:
    return operand.shape if isinstance(operand, Tensor) else ()
