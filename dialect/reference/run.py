"""An interpreter for modules: `gs` ops by the reference, their bodies in the element's arithmetic.

It also runs the upstream ops around them: functions and calls, arith, index, math and complex,
affine's expressions, tensor, memref and bufferization, linalg.generic and its simple kin, scf, cf.
Of source languages it runs the gathers and scatters of TOSA, tcp and DirectML.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.reference.control import CONTROL, TERMINATORS, next_block
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.linalg import LINALG
from mlir_gs.dialect.reference.math import EXTENDED, MATH
from mlir_gs.dialect.reference.memory import MEMORY
from mlir_gs.dialect.reference.ops import GATHER_SCATTER, named
from mlir_gs.dialect.reference.scalar import ELEMENTWISE
from mlir_gs.dialect.reference.sources import SOURCES
from mlir_gs.dialect.reference.tensor import TENSOR
from mlir_gs.dialect.reference.types import (
    Located,
    element_dtype,
    global_value,
    is_shaped,
    site,
)
from mlir_gs.dialect.reference.vectors import VECTOR

Array = np.ndarray
_ELEMENTWISE = {**ELEMENTWISE, **MATH}
_HANDLERS = {**GATHER_SCATTER, **TENSOR, **MEMORY, **LINALG, **CONTROL, **EXTENDED, **SOURCES,
             **VECTOR}  # fmt: skip


# (op, handler, elementwise) -> handler
Around = Callable[[Any, Any, bool], Any]


class UnsupportedOp(NotImplementedError):
    """The module holds an op that the reference does not interpret."""


def run(
    module: Any, entry: str | None = None, args: Sequence[Any] = (), around: Around | None = None
) -> tuple[Array, ...]:
    """The results of function `entry` (default: the only one) of `module` on `args`.

    An argument for a tensor is an array of its dtype, rank and static sizes, and is not written;
    one for a memref is written in place. A scalar may be a Python number. Signless integers take
    signed and unsigned arrays and return signed ones. Raises UnsupportedOp, TypeError and
    ValueError for a module or arguments it cannot run, CoordinateError (an IndexError) under mode
    "error", UndefinedBehavior on a broken promise and RuntimeError where a cf.assert does not hold;
    each names the op's location. `around` makes another handler of an op's: that of an elementwise
    op gets (op, operands), any other (machine, op, operands).
    """
    program = replace(_Program.of(module.operation), around=around)
    functions = program.functions
    name = _entry(functions, entry)
    types = [argument.type for argument in functions[name].regions[0].blocks[0].arguments]
    if len(types) != len(args):
        raise TypeError(f"'{name}' takes {len(types)} arguments, found {len(args)}")
    arguments = [
        as_operand(value, type_, f"argument {n} of '{name}'")
        for n, (value, type_) in enumerate(zip(args, types, strict=True))
    ]
    with np.errstate(all="ignore"):
        results = _Frame(program).call(name, arguments)
    # A tensor result never shares memory with an argument; a memref one may be one.
    returned = functions[name].attributes["function_type"].value.results
    return tuple(
        value if isinstance(type_, ir.MemRefType) else np.array(value)
        for value, type_ in zip(results, returned, strict=True)
    )


def _entry(functions: dict[str, Any], wanted: str | None) -> str:
    if wanted is None:
        if len(functions) != 1:
            raise ValueError(f"name an entry: the module has {', '.join(functions) or 'none'}")
        return next(iter(functions))
    if wanted not in functions:
        raise ValueError(f"no function '{wanted}' with a body; there is {', '.join(functions)}")
    return wanted


def as_operand(value: Any, type_: ir.Type, what: str) -> Array:
    """`value` as the array that stands for a value of `type_`. TypeError, ValueError if it fits
    not."""
    dtype = element_dtype(type_)
    if not is_shaped(type_):
        return np.asarray(value).astype(dtype).reshape(())
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{what} must be an array for {type_}, found {type(value).__name__}")
    if value.dtype != dtype:
        other_sign = {value.dtype.kind, dtype.kind} == {"i", "u"} and "ui" not in str(type_)
        if not other_sign or value.dtype.itemsize != dtype.itemsize:
            raise TypeError(f"{what} must have dtype {dtype} for {type_}, found {value.dtype}")
        value = value.view(dtype)
    if value.ndim != type_.rank or any(
        not type_.is_dynamic_dim(d) and type_.shape[d] != n for d, n in enumerate(value.shape)
    ):
        raise ValueError(f"{what} must be {type_}, found shape {list(value.shape)}")
    # What the function does to the flags of its array is not seen outside.
    return value.view()


@dataclass(frozen=True)
class _Program:
    """The symbols of a module, and what a run knows of them: ops by block, buffers by global."""

    functions: dict[str, Any]
    globals: dict[str, Any]
    steps: dict[Any, list[Any]] = field(default_factory=dict)
    buffers: dict[str, Array] = field(default_factory=dict)
    around: Around | None = None

    @classmethod
    def of(cls, module: ir.Operation) -> "_Program":
        found = cls({}, {})
        for op in (view.operation for view in module.regions[0].blocks[0].operations):
            if op.name == "func.func" and len(op.regions[0].blocks):
                found.functions[op.attributes["sym_name"].value] = op
            elif op.name == "memref.global":
                found.globals[op.attributes["sym_name"].value] = op
        return found


class _Frame:
    """One activation of a function: the values of its SSA names."""

    def __init__(self, program: "_Program") -> None:
        self.program = program
        self.values: dict[Any, Array] = {}
        self.iteration: tuple[Array, ...] = ()

    def call(self, name: str, arguments: Sequence[Array]) -> tuple[Array, ...]:
        if name not in self.program.functions:
            raise UnsupportedOp(f"function '{name}' has no body")
        return _Frame(self.program).region(self.program.functions[name].regions[0], arguments)

    def global_(self, name: str) -> Array:
        if name not in self.program.buffers:
            owner = self.program.globals[name]
            self.program.buffers[name] = global_value(owner)
            self.program.buffers[name].flags.writeable = "constant" not in owner.attributes
        return self.program.buffers[name]

    def region(self, region: Any, arguments: Sequence[Array]) -> tuple[Array, ...]:
        block = region.blocks[0]
        while True:
            values = self.block(block, arguments)
            target = next_block(block.operations[-1].operation, values)
            if target is None:
                return values
            block, arguments = target

    def block(self, block: Any, arguments: Sequence[Array]) -> tuple[Array, ...]:
        for name, value in zip(block.arguments, arguments, strict=True):
            self.values[name] = value
        for op, handler, elementwise, operands, results in self._steps_of(block):
            values = [self.values[operand] for operand in operands]
            if handler is None:
                return tuple(values)
            try:
                found = (handler(op, values),) if elementwise else handler(self, op, values)
            except (IndexError, TypeError, ValueError) as error:
                _locate(error, op)
                raise
            for name, value in zip(results, found, strict=True):
                self.values[name] = np.asarray(value)
        return ()

    def is_elementwise(self, block: Any) -> bool:
        return all(
            handler is None or elementwise or op.name == "linalg.index"
            for op, handler, elementwise, _, _ in self._steps_of(block)
        )

    def _steps_of(self, block: Any) -> list[Any]:
        """The block's ops, each with its handler (None: the terminator), looked up once."""
        known = self.program.steps.get(block)
        if known is not None:
            return known
        steps = []
        for view in block.operations:
            op = view.operation
            elementwise = op.name in _ELEMENTWISE
            handler = _ELEMENTWISE.get(op.name) or _HANDLERS.get(op.name)
            if handler is None and op.name in NAMED:
                handler = named
            if handler is None and op.name not in TERMINATORS:
                raise UnsupportedOp(
                    f"{site(op.location)}: '{op.name}' is not among the ops that the reference "
                    "interprets"
                )
            if handler is not None and self.program.around is not None:
                handler = self.program.around(op, handler, elementwise)
            if elementwise and is_shaped(op.results[0].type):
                handler = _of_equal_sizes(handler)
            steps.append((op, handler, elementwise, list(op.operands), list(op.results)))
        self.program.steps[block] = steps
        return steps


def _of_equal_sizes(handler: Any) -> Any:
    """On tensors nothing is broadcast, but the condition of a select that is one scalar."""

    def apply(op: Any, values: list[Array]) -> Any:
        tensors = zip(op.operands, values, strict=True)
        shapes = {value.shape for operand, value in tensors if is_shaped(operand.type)}
        if len(shapes) > 1:
            found = " and ".join(str(list(shape)) for shape in sorted(shapes))
            raise ValueError(f"sizes differ: {found}")
        return handler(op, values)

    return apply


def _locate(error: Exception, op: Any) -> None:
    """Put the op's place and name before the message, once."""
    if not (error.args and isinstance(error.args[0], Located)):
        error.args = (Located(f"{site(op.location)}: '{op.name}' {error}"),)


__all__ = ["UndefinedBehavior", "UnsupportedOp", "as_operand", "run"]
