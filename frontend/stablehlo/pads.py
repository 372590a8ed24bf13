"""StableHLO's pads of nothing and of sizes that are known at run time, which upstream leaves."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.common.elementwise import computed, sizes_of
from mlir_gs.frontend.stablehlo.common import UPSTREAM, element, tensor
from mlir_gs.lowering.ir.asserts import require, require_size
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    both,
    choose_all,
    compare,
    floor_div,
    maximum,
    minimum,
    mul,
    sub,
    value,
)


@UPSTREAM.converts(
    "stablehlo.pad",
    {
        "static sizes, of at least one element; dynamic ones, padded at the ends": "left to "
        "upstream",
        "others": "`linalg.generic` that chooses between element and padding at each place",
    },
)
def convert_pad(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.pad` of nothing, and one that takes elements away or has padding between them, of
    which the number is not known."""
    operand = op.operands[0]
    low, high, interior = (
        list(op.attributes[name])
        for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    shape = operand.type.shape
    is_empty = 0 in shape or 0 in op.results[0].type.shape
    only_adds = not any(interior) and min((*low, *high), default=0) >= 0
    if not is_empty and (DYNAMIC not in shape or only_adds):
        raise Left
    return [_padded(op, low, high, interior)]


@UPSTREAM.converts(
    "stablehlo.dynamic_pad",
    {"every form": "`linalg.generic` that chooses between element and padding at each place"},
)
def convert_dynamic_pad(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.dynamic_pad` --> element by element; a negative size or interior is
    an error."""
    rank = op.operands[0].type.rank
    amounts = [[element(numbers, d) for d in range(rank)] for numbers in list(op.operands)[2:]]
    for d, between in enumerate(amounts[2]):
        text = f"interior padding of dim {d} is negative"
        require(op.operation, compare("sge", between, 0), text)
    return [_padded(op, *amounts)]


def _padded(
    op: ir.OpView, low: Sequence[Ix], high: Sequence[Ix], interior: Sequence[Ix]
) -> ir.Value:
    """Place low + k * (interior + 1) of the result holds element k."""
    operand, padding = list(op.operands)[:2]
    result = op.results[0].type
    counts = sizes_of(operand)
    sizes: list[Ix] = []
    for d, (n, a, b, between) in enumerate(zip(counts, low, high, interior, strict=True)):
        gaps = mul(maximum(sub(n, 1), 0), between)
        whole = add(add(add(a, b), n), gaps)
        known = result.shape[d]
        require_size(op.operation, d, whole, known)
        sizes.append(whole if known == DYNAMIC else known)
    filler = tensor.extract(padding, [])
    if result.rank == 0:
        return operand
    if 0 in operand.type.shape or 0 in result.shape:
        return computed(sizes, result.element_type, lambda where: filler)
    some: ir.Value | None = None
    for n in counts:
        if not isinstance(n, int):
            some = both(some, compare("sgt", n, 0))

    def read(where: Sequence[ir.Value]) -> ir.Value:
        at, inside = [], some
        for place, n, a, between in zip(where, counts, low, interior, strict=True):
            step = add(between, 1)
            moved = sub(place, a)
            k = moved if step == 1 else floor_div(moved, step)
            inside = both(inside, compare("sge", moved, 0))
            inside = both(inside, compare("slt", k, n))
            if step != 1:
                inside = both(inside, compare("eq", mul(k, step), moved))
            at.append(value(minimum(maximum(k, 0), maximum(sub(n, 1), 0))))
        # No element is read where there is none.
        type_ = result.element_type
        return choose_all(inside, [type_], lambda: [tensor.extract(operand, at)], lambda: [filler])[
            0
        ]

    return computed(sizes, result.element_type, read)
