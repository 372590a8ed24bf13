"""Integer divisions that would end the process: by 0, and of the least number by -1."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, dim_of, element_of, producer, uniform
from mlir_gs.lowering.repair.repairs import repairs

tensor = dialect("tensor")

_SIGNED = ("divsi", "remsi", "ceildivsi", "floordivsi")


@repairs(*(f"arith.{name}" for name in (*_SIGNED, "divui", "remui", "ceildivui")))
def undefined_division(op: Any) -> None:
    """A division that MLIR leaves undefined, and on which the CPU raises a signal.

    before: `arith.divsi x, y`
    after:  `arith.divsi x, z`, where z is 1 if y is 0, or if y is -1 and x the least number; else y

    Does not apply to a divisor that is a constant other than 0 and, for signed ones, -1. Named
    linalg ops have their divisions in a region, too.
    """
    left, right = op.operands
    is_signed = op.name.partition(".")[2] in _SIGNED
    known = constant_of(right)
    if known is not None and known != 0 and not (is_signed and known == -1):
        return
    bad = arith.cmpi(arith.CmpIPredicate.eq, right, _splat(right, 0))
    if is_signed:
        least = -(1 << (_width(right.type) - 1))
        lowest = arith.cmpi(arith.CmpIPredicate.eq, left, _splat(left, least))
        negated = arith.cmpi(arith.CmpIPredicate.eq, right, _splat(right, -1))
        bad = arith.ori(bad, arith.andi(lowest, negated))
    op.operands[1] = arith.select(bad, _splat(right, 1), right)


@repairs("affine.delinearize_index")
def parts_of_nothing(op: Any) -> None:
    """Sizes by which upstream's folder divides. They must be positive.

    before: `affine.delinearize_index %i into (%n, 4)`
    after:  `affine.delinearize_index %i into (arith.maxsi %n, 1, 4)`
    """
    for number in range(1, len(op.operands)):
        size = op.operands[number]
        if (constant_of(size) or 0) < 1:
            op.operands[number] = arith.maxsi(size, _splat(size, 1))


def constant_of(value: ir.Value) -> int | None:
    """The number of a constant, or of each place of one."""
    made = producer(value, "arith.constant")
    if made is None:
        return None
    held = made.attributes["value"]
    if isinstance(held, ir.DenseElementsAttr) and held.is_splat:
        held = held.get_splat_value()
    return held.value if isinstance(held, ir.IntegerAttr) else None


def _width(type_: ir.Type) -> int:
    element = element_of(type_)
    return 64 if isinstance(element, ir.IndexType) else element.width


def _splat(like: ir.Value, number: int) -> ir.Value:
    """A number in each place of the shape of `like`."""
    type_ = like.type
    element = element_of(type_)
    # Bit 1 of an i1 is -1.
    held = -number if _width(type_) == 1 and number == 1 else number
    single = ir.IntegerAttr.get(element, held)
    if element == type_ or DYNAMIC not in type_.shape:
        return uniform(type_, single)
    sizes = [dim_of(like, dim) for dim, size in enumerate(type_.shape) if size == DYNAMIC]
    return tensor.splat(type_, arith.constant(element, single), sizes)
