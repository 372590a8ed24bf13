"""How the builders build: Python values become attributes, the op's own verifier speaks at once."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import InsertionPoint, Location, Operation, Region, Type, Value, ir

Constant = int | float | complex | np.generic | ir.Attribute
"""A constant of an element type: a number of Python or NumPy, or an attribute."""


class InvalidOp(ValueError):
    """A builder got what its op does not take: one sentence, that of the op's verifier."""


def build(
    op_class: Any,
    operands: Mapping[str, Any],
    results: Callable[[], Sequence[Type]],
    attributes: Mapping[str, Any],
    fill: Callable[[Region], None] | None = None,
    *,
    element: Callable[[], Type] | None = None,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Operation:
    """A verified op of `op_class`. Raises InvalidOp, a ValueError; nothing is left of the op then.

    `attributes` are values of Python or of MLIR; None and False are left out. `results` gives the
    types of the results from operands that are as they should be. `fill` builds the region, and
    `element` is the type of a constant among the attributes.
    """
    name = op_class.OPERATION_NAME
    values = [value_of(name, each, given) for each, given in operands.items()]
    kinds = {**op_class.ATTRIBUTES.required, **op_class.ATTRIBUTES.optional}
    op = ir.Operation.create(
        name,
        results=_results(op_class, results),
        operands=values,
        attributes={
            each: _attribute(name, each, kinds[each], given, element)
            for each, given in attributes.items()
            if given is not None and given is not False
        },
        regions=int(fill is not None),
        loc=loc,
        ip=ip,
    )
    return checked(op, fill)


def checked(op: Operation, fill: Callable[[Region], None] | None = None) -> Operation:
    """`op` with the region that `fill` builds, verified. Raises InvalidOp, and erases `op` then."""
    try:
        if fill is not None:
            fill(op.regions[0])
        op.verify()
    except BaseException as error:
        _discard(op)
        if not isinstance(error, ir.MLIRError):
            raise
        found: Any = error
        messages = [each.message for each in found.error_diagnostics]
        raise InvalidOp(messages[0] if messages else str(error)) from None
    return op


def _discard(op: Operation) -> None:
    """Erase `op` where `fill` may have moved ops into it that others still use. Those would write
    into freed memory when they end: they use casts of nothing instead, and do not verify."""
    found: list[Operation] = []

    def visit(each: Operation) -> ir.WalkResult:
        found.append(each)
        return ir.WalkResult.ADVANCE

    op.walk(visit)
    for each in found:
        blocks = [block for region in each.regions for block in region.blocks]
        for value in [*each.results, *(arg for block in blocks for arg in block.arguments)]:
            for use in list(value.uses):
                user = use.owner.operation
                if user not in found:
                    user.operands[use.operand_number] = ir.Operation.create(
                        "builtin.unrealized_conversion_cast",
                        results=[value.type],
                        loc=user.location,
                        ip=ir.InsertionPoint(user),
                    ).results[0]
    op.erase()


def value_of(op: str, name: str, given: Any) -> Value:
    """`given`, or the only result of the op that it is. Raises InvalidOp."""
    if isinstance(given, ir.Value):
        return given
    if isinstance(given, ir.Operation | ir.OpView) and len(given.results) == 1:
        return given.results[0]
    found = type(given).__name__
    raise InvalidOp(f"'{op}' op operand '{name}' must be a value of MLIR, found {found}")


def _results(op_class: Any, infer: Callable[[], Sequence[Type]]) -> Sequence[Type]:
    try:
        return infer()
    except (AttributeError, IndexError, TypeError, ValueError, ir.MLIRError):
        # From wrong operands. The verifier says what is wrong with them before it sees this.
        results = op_class.__annotations__.values()
        return [ir.NoneType.get()] * sum("Result" in str(each) for each in results)


def constant_of(op: str, name: str, given: Any, type_: Type) -> ir.Attribute:
    """A number of Python as a constant of `type_`. Raises InvalidOp."""
    if isinstance(given, ir.Attribute):
        return given
    try:
        if isinstance(type_, ir.ComplexType):
            parts = [complex(given).real, complex(given).imag]
            return ir.ArrayAttr.get([constant_of(op, name, p, type_.element_type) for p in parts])
        if isinstance(type_, ir.FloatType):
            return ir.FloatAttr.get(type_, float(given))
        if isinstance(given, str) or int(given) != given:
            raise TypeError
        return _integer(type_, int(given))
    except (TypeError, ValueError, OverflowError):
        wanted = f"'{op}' op attribute '{name}' must be a constant of type {type_}"
        raise InvalidOp(f"{wanted}, found {given!r}") from None


def _integer(type_: Type, number: int) -> ir.Attribute:
    width = 64 if isinstance(type_, ir.IndexType) else type_.width
    unsigned = isinstance(type_, ir.IntegerType) and type_.is_unsigned
    signed = isinstance(type_, ir.IntegerType) and type_.is_signed
    low = 0 if unsigned else -(1 << (width - 1))
    high = 1 << (width - 1) if signed else 1 << width
    if not low <= number < high:
        raise ValueError(number)
    # The bindings take no numbers of more than 64 bits.
    return ir.Attribute.parse(f"{number} : {type_}")


# What a value of Python must be to become an attribute of a kind, and how it does.
_ARRAYS = {
    ir.DenseI64ArrayAttr: (operator.index, "integers"),
    ir.DenseI32ArrayAttr: (operator.index, "integers"),
    ir.DenseBoolArrayAttr: (bool, "bools"),
}


def _attribute(
    op: str, name: str, kind: Any, given: Any, element: Callable[[], Type] | None
) -> ir.Attribute:
    wanted = f"'{op}' op attribute '{name}' must be"
    if isinstance(given, ir.Attribute):
        return given
    if kind in _ARRAYS:
        convert, each = _ARRAYS[kind]
        try:
            return kind.get([convert(one) for one in given])
        except (TypeError, OverflowError):
            raise InvalidOp(f"{wanted} a sequence of {each}, found {given!r}") from None
    if kind is ir.StringAttr:
        if isinstance(given, str):
            return ir.StringAttr.get(given)
        raise InvalidOp(f"{wanted} a string, found {given!r}")
    if kind is ir.UnitAttr:
        if isinstance(given, bool | np.bool_):
            return ir.UnitAttr.get()
        raise InvalidOp(f"{wanted} True or False, found {given!r}")
    if kind is ir.IntegerAttr:
        try:
            return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), operator.index(given))
        except (TypeError, OverflowError):
            raise InvalidOp(f"{wanted} an integer, found {given!r}") from None
    try:
        type_ = element() if element is not None else None
    except AttributeError:
        type_ = None
    # The operand that has the elements is wrong, and the verifier says so.
    return ir.UnitAttr.get() if type_ is None else constant_of(op, name, given, type_)
