"""What kernels do to elements, by name: functions of inputs and the current output."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.functions.spec import UNSIGNED
from mlir_gs.frontend.common.combiners import combiner

arith = dialect("arith")
complex_ = dialect("complex")

REDUCTIONS = ("add", "mul", "min", "max")


def build(name: str, elements: Sequence[Any]) -> Any:
    """Emit body `name` on the inputs and the current output, and return the new element.

    `move` is the input; `add`, `mul`, `min` and `max` combine with it; `subtract` has the output
    on its left; `multiply_add` adds the product of two inputs. Raises TypeError for elements that
    have no such operation.
    """
    *inputs, current = elements
    unsigned = name.startswith(UNSIGNED)
    name = name.removeprefix(UNSIGNED)
    inputs = [_widened(value, current.type, unsigned) for value in inputs]
    if name == "move":
        return inputs[0]
    if name == "multiply_add":
        product = _combine("mul", unsigned, inputs[0], inputs[1])
        return _combine("add", unsigned, current, product)
    if name in REDUCTIONS:
        return _combine(name, unsigned, current, inputs[0])
    return _subtract(current, inputs[0])


def _combine(name: str, unsigned: bool, left: Any, right: Any) -> Any:
    kind = left.type
    if name in _ORDERED and isinstance(kind, ir.ComplexType):
        return _chosen(left, right, *_ORDERED[name])
    if unsigned and isinstance(kind, ir.IntegerType):
        kind = ir.IntegerType.get_unsigned(kind.width)
    operation = combiner(name, kind)
    if operation is None:
        raise TypeError(f"'{name}' of {kind} elements is not defined")
    return operation(left, right)


def _widened(value: Any, wanted: Any, unsigned: bool) -> Any:
    """A number in the wider type of the output."""
    if value.type == wanted:
        return value
    if isinstance(value.type, ir.IntegerType):
        return (arith.uitofp if unsigned else arith.sitofp)(wanted, value)
    return arith.extf(wanted, value)


_P = arith.CmpFPredicate
_ORDERED = {"min": (_P.OLT, _P.OLE), "max": (_P.OGT, _P.OGE)}


def _chosen(left: Any, right: Any, strict: Any, weak: Any) -> Any:
    """Of two complex numbers the one before the other, by real and then by imaginary parts, as
    `numpy.minimum` and `numpy.maximum` have it: the first that is no number, the left of equals."""
    a, b = ([complex_.re(value), complex_.im(value)] for value in (left, right))
    by_real = arith.andi(arith.cmpf(strict, a[0], b[0]), arith.cmpf(_P.ORD, a[1], b[1]))
    by_both = arith.andi(arith.cmpf(_P.OEQ, a[0], b[0]), arith.cmpf(weak, a[1], b[1]))
    stays = arith.ori(arith.ori(by_real, by_both), arith.cmpf(_P.UNO, a[0], a[1]))
    return arith.select(stays, left, right)


def _subtract(left: Any, right: Any) -> Any:
    if isinstance(left.type, ir.ComplexType):
        return complex_.sub(left, right)
    return arith.subf(left, right) if _is_float(left) else arith.subi(left, right)


def _is_float(value: Any) -> bool:
    return isinstance(value.type, ir.FloatType)
