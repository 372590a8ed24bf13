"""What a compiled function takes and gives, as the attributes of its kernel say."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.execution.signature.parameters import parameter
from mlir_gs.execution.signature.signature import Entry, Parameter, Result
from mlir_gs.execution.signature.sizes import Size
from mlir_gs.lowering.ir.builders import symbol
from mlir_gs.lowering.kernel.attributes import ARGUMENTS, RESULTS, TRACKED, Record, records


def entry_of(function: Any) -> Entry:
    """The entry that a kernel, the result of `gs-to-llvm`, describes. Raises CompileError."""
    arguments = records(function, ARGUMENTS)
    return Entry(
        symbol(function),
        arguments_of(arguments),
        [_result(number, record) for number, record in enumerate(records(function, RESULTS))],
        not any("memref" in record for record in arguments),
        TRACKED in function.attributes,
    )


def arguments_of(found: Sequence[Record]) -> list[Parameter]:
    """The parameters that the records describe. Raises CompileError."""
    return [_parameter(argument_label(number, one), one) for number, one in enumerate(found)]


def argument_label(number: int, record: Record) -> str:
    """`argument 0 (x)`."""
    return f"argument {number}" + (f" ({record['name'].value})" if "name" in record else "")


def _parameter(label: str, record: Record, **others: Any) -> Parameter:
    found = parameter(label, record["type"].value)
    values = {"written": "written" in record, "is_memref": "memref" in record, **others}
    found = Parameter(**{**vars(found), **values})
    return found.as_unsigned() if "unsigned" in record else found


def _result(number: int, record: Record) -> Result:
    label = f"result {number}"
    if "scalar" in record:
        found = _parameter(label, record, shape=(), written=True)
        return Result(found, None, (), is_scalar=True)
    if "sizes" in record:
        sizes = tuple(map(_size, record["sizes"]))
        return Result(_parameter(label, record, written=True), None, sizes)
    argument = record["argument"].value if "argument" in record else None
    return Result(_parameter(label, record), argument)


def _size(attribute: Any) -> Size:
    if not hasattr(attribute, "__len__"):
        return Size("constant", (attribute.value,))
    op, *operands = attribute
    if op.value in ("size", "scalar"):
        return Size(op.value, tuple(one.value for one in operands))
    return Size(op.value, (), tuple(map(_size, operands)))
