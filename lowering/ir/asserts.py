"""Conditions on sizes, checked at run time: `cf.assert`, whose error names its place."""

from collections.abc import Iterable

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import is_within
from mlir_gs.lowering.ir.emit import Ix, compare
from mlir_gs.lowering.passes.diagnostics import location_text
from mlir_gs.lowering.passes.registry import fail


def require(op: ir.Operation, condition: ir.Value, message: str) -> None:
    """Where `condition` does not hold, a call raises RuntimeError with the place and the name of
    `op` and the message."""
    text = f"{location_text(op.location)}: error: '{op.name}' op {message}"
    ir.Operation.create(
        "cf.assert", operands=[condition], attributes={"msg": ir.StringAttr.get(text)}
    )


def require_size(op: ir.Operation, dim: int, size: Ix, known: int) -> None:
    """Require that `size`, computed for `dim` of the result, is not negative, and is `known`, the
    size in its type, unless that is dynamic. Raises PassFailure where it is known not to be."""
    if isinstance(size, int):
        if size < 0:
            fail(op, f"'{op.name}' op dim {dim} of the result has the negative size {size}")
        if known not in (size, DYNAMIC):
            fail(op, f"'{op.name}' op dim {dim} of the result has the size {size}, not {known}")
    elif known == DYNAMIC:
        require(op, compare("sge", size, 0), f"dim {dim} of the result has a negative size")
    else:
        message = f"dim {dim} of the result has another size than {known}"
        require(op, compare("eq", size, known), message)


def refuse_named(ops: Iterable[ir.Operation], step: str) -> None:
    """An error at the first of `ops` that is a named op: `step` knows `gs.generic` alone."""
    for op in ops:
        if op.name in NAMED:
            fail(op, f"'{op.name}' op must become gs.generic before {step}: gs-generalize")


def refuse_nested(ops: Iterable[ir.Operation]) -> None:
    """An error at the first of `ops` that is in the body of a `gs.generic`: loops would be made of
    that body, and of what is in it no more."""
    for op in ops:
        if is_within(op, "gs.generic"):
            fail(op, f"'{op.name}' op is in the body of a 'gs.generic': it has no loops there")
