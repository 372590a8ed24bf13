"""What kernels do to elements, by name: functions of inputs and the current output."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.combiners import combiner

arith = dialect("arith")
complex_ = dialect("complex")
math = dialect("math")

REDUCTIONS = ("add", "mul", "min", "max")
UNSIGNED = "unsigned "
"""Before the name of a body for integers without a sign."""


def build(name: str, elements: Sequence[Any]) -> Any:
    """Emit body `name` on the inputs and the current output, and return the new element.

    `move` is the input; `add`, `mul`, `min` and `max` combine with it; `subtract`, `divide` and
    `power` have the output on their left; `multiply_add` adds the product of two inputs.
    Raises TypeError for elements that have no such operation.
    """
    *inputs, current = elements
    unsigned = name.startswith(UNSIGNED)
    name = name.removeprefix(UNSIGNED)
    inputs = [_widened(value, current.type) for value in inputs]
    if name == "move":
        return inputs[0]
    if name == "multiply_add":
        product = _combine("mul", unsigned, inputs[0], inputs[1])
        return _combine("add", unsigned, current, product)
    if name in REDUCTIONS:
        return _combine(name, unsigned, current, inputs[0])
    return _SIDED[name](current, inputs[0], unsigned)


def _combine(name: str, unsigned: bool, left: Any, right: Any) -> Any:
    kind = left.type
    if unsigned:
        kind = ir.IntegerType.get_unsigned(kind.width)
    operation = combiner(name, kind)
    if operation is None:
        raise TypeError(f"'{name}' of {kind} elements is not defined")
    return operation(left, right)


def _widened(value: Any, wanted: Any) -> Any:
    """A float in the wider type of the output."""
    if value.type == wanted:
        return value
    return arith.extf(wanted, value)


def _subtract(left: Any, right: Any, unsigned: bool) -> Any:
    if isinstance(left.type, ir.ComplexType):
        return complex_.sub(left, right)
    return arith.subf(left, right) if _is_float(left) else arith.subi(left, right)


def _divide(left: Any, right: Any, unsigned: bool) -> Any:
    if isinstance(left.type, ir.ComplexType):
        return complex_.div(left, right)
    return arith.divf(left, right)


def _power(left: Any, right: Any, unsigned: bool) -> Any:
    return math.powf(left, right)


def _is_float(value: Any) -> bool:
    return isinstance(value.type, ir.FloatType)


_SIDED = {"subtract": _subtract, "divide": _divide, "power": _power}
