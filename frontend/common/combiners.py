"""Reductions by name, for elements whose sign is known."""

from collections.abc import Callable

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.scatter import Combiner

arith = dialect("arith")
complex_ = dialect("complex")

# Reduction to the ops for floats, signed and unsigned integers, and bools. Addition of bools is
# or, as in the frameworks, not the exclusive or of one-bit integers.
_OPS: dict[str, tuple[Callable[..., ir.Value], ...]] = {
    "add": (arith.addf, arith.addi, arith.addi, arith.ori),
    "mul": (arith.mulf, arith.muli, arith.muli, arith.andi),
    "min": (arith.minimumf, arith.minsi, arith.minui, arith.andi),
    "max": (arith.maximumf, arith.maxsi, arith.maxui, arith.ori),
}
_COMPLEX: dict[str, Callable[..., ir.Value]] = {"add": complex_.add, "mul": complex_.mul}


def combiner(name: str, element: ir.Type) -> Combiner | None:
    """`add`, `mul`, `min` or `max` of two elements; None if such elements have none.

    `element` may be signed or unsigned; the values are signless. NaN is the result of min and max
    with a NaN.
    """
    if isinstance(element, ir.ComplexType):
        return _COMPLEX.get(name)
    floats, signed, unsigned, bools = _OPS[name]
    if isinstance(element, ir.FloatType):
        return floats
    if element.width == 1:
        return bools
    return unsigned if element.is_unsigned else signed
