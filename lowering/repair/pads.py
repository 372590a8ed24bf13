"""`tensor.pad` with negative amounts, which upstream bufferizes to writes outside of the result."""

from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.asserts import require_size
from mlir_gs.lowering.ir.builders import dim_of, number_of, producer
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    dynamic_and_static,
    maximum,
    minimum,
    sliced,
    sub,
    value,
)
from mlir_gs.lowering.repair.repairs import repairs

_DONE = "gs.natural"
"""On a tensor.pad whose dynamic amounts are not negative."""


class _Cut(NamedTuple):
    """Of one dim: what is left of the source, and what goes around it."""

    offset: Ix
    size: Ix
    low: Ix
    high: Ix


@repairs("tensor.pad")
def crop_by_slices(op: ir.Operation) -> ir.Value | None:
    """Negative amounts cut off elements, at both ends.

    before: `pad(x, low, high)`, the value of place i being x[i - low] if that is in x
    after:  `pad(extract_slice(x), max(low, 0), ...)`, of the same size; where nothing of x is left
            by the types, `tensor.generate` with the same body, as no slice of a result begins
            behind its end

    Does not apply where all amounts are known not to be negative. Raises PassFailure where the size
    of the result is known to be negative; else a `cf.assert` checks it, and that it is the static
    size of the type of the result.
    """
    if _DONE in op.attributes:
        return None
    low, high = pad_amounts(op)
    source, wanted = op.operands[0], op.results[0].type.shape
    given = zip(source.type.shape, low, high, wanted, strict=True)
    if 0 not in source.type.shape and all(
        is_natural(a) and is_natural(b) and (size == DYNAMIC or _all_known(n, a, b))
        for n, a, b, size in given
    ):
        return None
    cuts = [_cut(op, d, *amounts) for d, amounts in enumerate(zip(low, high, strict=True))]
    if 0 in [cut.size for cut in cuts if isinstance(cut.size, int)]:
        return _generate(op, cuts)
    part = sliced(source, [cut.offset for cut in cuts], [cut.size for cut in cuts])
    values: list[ir.Value] = [part]
    attributes: dict[str, ir.Attribute] = {_DONE: ir.UnitAttr.get()}
    counts = [1]
    for name, amounts in (
        ("static_low", [cut.low for cut in cuts]),
        ("static_high", [cut.high for cut in cuts]),
    ):
        dynamic, static = dynamic_and_static(amounts)
        values += dynamic
        counts.append(len(dynamic))
        attributes[name] = ir.DenseI64ArrayAttr.get(static)
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(counts)
    if "nofold" in op.attributes:
        attributes["nofold"] = op.attributes["nofold"]
    new = ir.Operation.create(
        op.name, results=[op.results[0].type], operands=values, attributes=attributes, regions=1
    )
    op.regions[0].blocks[0].append_to(new.regions[0])
    return new.result


def _generate(op: ir.Operation, cuts: list[_Cut]) -> ir.Value:
    """Nothing but what the body gives."""
    sizes = [
        value(add(add(cut.low, cut.size), cut.high))
        for cut, known in zip(cuts, op.results[0].type.shape, strict=True)
        if known == DYNAMIC
    ]
    new = ir.Operation.create(
        "tensor.generate", results=[op.results[0].type], operands=sizes, regions=1
    )
    op.regions[0].blocks[0].append_to(new.regions[0])
    return new.result


def pad_amounts(op: ir.Operation) -> tuple[list[Ix], list[Ix]]:
    """Low and high amounts of a tensor.pad, by dim: numbers where they are known."""
    dynamic = iter(list(op.operands)[1:])
    low, high = (
        [number_of(next(dynamic)) if n == DYNAMIC else n for n in op.attributes[name]]
        for name in ("static_low", "static_high")
    )
    return low, high


def _all_known(n: int, low: Ix, high: Ix) -> bool:
    return n != DYNAMIC and isinstance(low, int) and isinstance(high, int)


def is_natural(amount: Ix) -> bool:
    """Whether an amount is known to be 0 or more."""
    if isinstance(amount, int):
        return amount >= 0
    made = producer(amount, "arith.maxsi", "tensor.dim")
    if made is None:
        return False
    return made.name == "tensor.dim" or any(
        isinstance(number, int) and number >= 0 for number in map(number_of, made.operands)
    )


def _cut(op: ir.Operation, dim: int, low: Ix, high: Ix) -> _Cut:
    """The place of the source is from `low` on, in a result of the size n + low + high."""
    known = op.operands[0].type.shape[dim]
    n: Ix = dim_of(op.operands[0], dim) if known == DYNAMIC else known
    size = op.results[0].type.shape[dim]
    if is_natural(low) and is_natural(high) and (size == DYNAMIC or _all_known(known, low, high)):
        return _Cut(0, n, low, high)
    whole = add(add(n, low), high)
    require_size(op, dim, whole, size)
    if not isinstance(whole, int) and size != DYNAMIC:
        whole = size
    start = minimum(maximum(low, 0), whole)
    end = minimum(maximum(add(low, n), start), whole)
    # Where nothing is left the slice begins anywhere in the source.
    offset = minimum(maximum(sub(start, low), 0), n)
    return _Cut(offset, sub(end, start), start, sub(whole, end))
