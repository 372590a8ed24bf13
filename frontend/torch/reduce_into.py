"""Torch's reductions into a tensor: combiners, `include_self`, and the mean."""

from collections.abc import Callable

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.scatter import Combiner
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.masks import is_set
from mlir_gs.frontend.torch.op import ELEMENTS, REDUCTION, cast, number, signless

arith = dialect("arith")

Write = Callable[[ir.Value, ir.Value, Combiner | None], ir.Value]
"""`write(updates, dest, combiner)`: the scatter of an op."""

# Torch's names to those of `combiner`; the mean adds up first.
COMBINERS = {
    "sum": "add",
    "add": "add",
    "mean": "add",
    "prod": "mul",
    "multiply": "mul",
    "amax": "max",
    "amin": "min",
}


def combiner_of(reduction: str, element: ir.Type, known: tuple[str, ...]) -> Combiner:
    """The combiner for `reduction`, one of `known`. Raises a refusal."""
    if reduction not in known:
        raise REDUCTION(known=" or ".join(known), found=reduction)
    found = combiner(COMBINERS[reduction], element)
    if found is None:
        raise ELEMENTS(name=reduction, element=element)
    return found


def accumulated(element: ir.Type) -> ir.Type:
    """What elements are added up and multiplied in: floats of less than 32 bits in f32."""
    is_half = isinstance(element, ir.FloatType) and element.width < 32
    return ir.F32Type.get() if is_half else element


def combined(
    dest: ir.Value,
    updates: ir.Value,
    element: ir.Type,
    reduction: str,
    known: tuple[str, ...],
    write: Write,
    each_rounded: bool = False,
) -> ir.Value:
    """`dest` with `updates` reduced into it, rounded to `element` at the end.

    `each_rounded`: after each step instead.
    """
    # The least and largest of halves are exact.
    is_exact = reduction in ("amax", "amin")
    held = element if each_rounded or is_exact else accumulated(element)
    combine = combiner_of(reduction, held, known)
    if held == element:
        return write(updates, dest, combine)
    ours, theirs = (
        elementwise([v], held, lambda each: cast(each, element, held)) for v in (updates, dest)
    )
    found = write(ours, theirs, combine)
    return elementwise([found], element, lambda each: cast(each, held, element))


def reduced(
    dest: ir.Value,
    updates: ir.Value,
    element: ir.Type,
    reduction: str,
    include_self: bool,
    known: tuple[str, ...],
    write: Write,
    each_rounded: bool = False,
    each_count_rounded: bool = False,
) -> ir.Value:
    """`dest` with `updates` reduced into it, as scatter_reduce and index_reduce define it.

    Without `include_self` the elements that are reduced into start from the reduction's neutral
    element. The mean is the sum by the number of updates, plus one for the element itself, both
    rounded to the element type first; integers round down. `each_rounded`: as for `combined`, and
    `each_count_rounded` the same of the number of updates.
    """
    combiner_of(reduction, element, known)
    start = dest
    if not include_self:
        neutral = filled(sizes_of(updates), neutral_element(reduction, element))
        start = write(neutral, dest, None)
    found = combined(start, updates, element, reduction, known, write, each_rounded)
    if reduction != "mean":
        return found
    ones = filled(sizes_of(updates), number(1, element))
    own = filled(sizes_of(dest), number(1 if include_self else 0, element))
    counts = combined(own, ones, element, reduction, known, write, each_count_rounded)
    return elementwise([found, counts], dest.type.element_type, _division(element))


def neutral_element(reduction: str, element: ir.Type) -> ir.Value:
    """What changes nothing under `reduction`."""
    if reduction in ("sum", "mean"):
        return number(0, element)
    if reduction == "prod":
        return number(1, element)
    largest = reduction == "amin"
    if isinstance(element, ir.FloatType):
        return number(float("inf") if largest else float("-inf"), element)
    width = element.width
    if width == 1 or element.is_unsigned:
        return number((1 << width) - 1 if largest else 0, element)
    return number((1 << (width - 1)) - 1 if largest else -(1 << (width - 1)), element)


def _division(element: ir.Type) -> Callable[[ir.Value, ir.Value], ir.Value]:
    """sum / max(count, 1); a count of 0 is where nothing was reduced into."""
    is_float = isinstance(element, ir.FloatType)
    if not is_float and (not isinstance(element, ir.IntegerType) or element.width == 1):
        raise ELEMENTS(name="mean", element=signless(element))
    ratio = arith.divf if is_float else arith.divui if element.is_unsigned else arith.floordivsi
    one = number(1, element)
    return lambda total, count: ratio(total, arith.select(is_set(count), count, one))
