"""Kernels as targets of XLA's foreign function interface, through jax-tvm-ffi."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import count
from typing import Any

import jax
import numpy as np
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import Kernel
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.generated import tvm
from mlir_gs.execution.generated.wrapper import alias_text
from mlir_gs.execution.signature.sizes import python_source, truncating_div

_CARRIED = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64",
    "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz",
    "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
}  # fmt: skip
"""The dtypes that jax-tvm-ffi hands on."""

_numbers = count()


@cache
def _bridge() -> Any:
    try:
        return import_module("jax_tvm_ffi")
    except ImportError as error:
        message = "kernels inside JAX need jax-tvm-ffi: pip install jax-tvm-ffi"
        raise ImportError(message) from error


def is_carried(dtype: Any) -> bool:
    """Whether arrays of `dtype` can go through the interface."""
    return np.dtype(dtype).name in _CARRIED


@dataclass(frozen=True)
class Target:
    """A kernel that XLA knows by `name`.

    Its outputs are the kernel's results and then the written arguments that are none of them.
    `aliases` has, by argument, the output that is that argument, written in place.
    """

    name: str
    kernel: Kernel
    aliases: dict[int, int]

    def outputs(self, arguments: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
        """Shapes and dtypes; `arguments` are arrays (traced ones too) and Python numbers."""
        places = {output: argument for argument, output in self.aliases.items()}
        found = []
        for number in range(len(self.kernel.results) + len(self.aliases)):
            if number in places:
                given = arguments[places[number]]
                found.append(jax.ShapeDtypeStruct(given.shape, given.dtype))
            elif number < len(self.kernel.results):
                result = self.kernel.results[number]
                shape = tuple(_evaluate(size, arguments) for size in result.sizes or ())
                found.append(jax.ShapeDtypeStruct(shape, result.parameter.element.dtype))
        return found


def _evaluate(size: Any, arguments: Sequence[Any]) -> int:
    names = {f"a{number}": argument for number, argument in enumerate(arguments)}
    return int(eval(python_source(size), {"truncating_div": truncating_div, **names}))


@lru_cache(None)
def target_of(kernel: Kernel) -> Target:
    """Register `kernel`, once; XLA keeps what is registered for the life of the process.

    Raises TypeError for a kernel that XLA cannot call.
    """
    for parameter in [*kernel.parameters, *(result.parameter for result in kernel.results)]:
        if parameter.is_array and not is_carried(parameter.element.dtype):
            raise TypeError(
                f"{parameter.expected}: jax-tvm-ffi hands no {parameter.element.name} arrays to XLA"
            )
    for result in kernel.results:
        if result.argument is None and not result.is_destination:
            raise TypeError(
                f"{result.parameter.label} has a size that depends on data, which XLA lacks"
            )
    aliases = {r.argument: n for n, r in enumerate(kernel.results) if r.argument is not None}
    in_place = [n for n, p in enumerate(kernel.parameters) if p.written and n not in aliases]
    aliases |= {argument: len(kernel.results) + n for n, argument in enumerate(in_place)}
    name = f"mlir_gs.{next(_numbers)}.{kernel.name}"
    function, spec = _function(kernel, aliases)
    _bridge().register_ffi_target(name, function, spec, platform="cpu")
    return Target(name, kernel, aliases)


def attribute(number: int) -> str:
    """The name under which XLA hands on argument `number`, a Python number."""
    return f"a{number}"


def _function(kernel: Kernel, aliases: dict[int, int]) -> tuple[Any, list[str]]:
    """What XLA calls, and the order of what it passes."""
    numbers = [n for n, p in enumerate(kernel.parameters) if not p.is_array]
    if not numbers and not aliases:
        return kernel.function, ["args", "rets"]
    if not numbers and all(result.argument is not None for result in kernel.results):
        return kernel.function, ["args"]
    arrays = [n for n, p in enumerate(kernel.parameters) if p.is_array]
    places = {n: position for position, n in enumerate([*arrays, *numbers])}
    order = [places[n] for n in range(len(kernel.parameters))]
    order += [len(places) + n for n, result in enumerate(kernel.results) if result.argument is None]
    spec = ["args", *(f"attrs.{attribute(n)}" for n in numbers), "rets"]
    return _picking(kernel.function, order), spec


def _picking(function: Any, order: Sequence[int]) -> Any:
    """`f(*values)` that calls `function(values[order[0]], values[order[1]], ...)`, without Python.

    `function` has to be kept alive with it.
    """
    lines = []
    for position, number in enumerate(order):
        lines.append(
            f"  %from{position} = llvm.getelementptr %args[{16 * number}]"
            " : (!llvm.ptr) -> !llvm.ptr, i8\n"
            f"  %to{position} = llvm.getelementptr %values[{16 * position}]"
            " : (!llvm.ptr) -> !llvm.ptr, i8\n"
            f"  %value{position} = llvm.load %from{position} : !llvm.ptr -> i128\n"
            f"  llvm.store %value{position}, %to{position} : i128, !llvm.ptr\n"
        )
    text = (
        "llvm.func @TVMFFIFunctionCall(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32\n"
        "llvm.func internal @pick(%self: !llvm.ptr, %args: !llvm.ptr, %count: i32,"
        " %result: !llvm.ptr) -> i32 {\n"
        f"  %n = llvm.mlir.constant({len(order)} : i32) : i32\n"
        "  %values = llvm.alloca %n x i128 : (i32) -> !llvm.ptr\n"
        f"  %address = llvm.mlir.constant({function.__chandle__()} : i64) : i64\n"
        "  %function = llvm.inttoptr %address : i64 to !llvm.ptr\n"
        + "".join(lines)
        + "  %status = llvm.call @TVMFFIFunctionCall(%function, %values, %n, %result)"
        " : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32\n"
        "  llvm.return %status : i32\n}\n" + alias_text("pick")
    )
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        machine, address = engine.load(module, "pick", "none")
    return tvm.ffi().Function.__from_extern_c__(address, keep_alive_object=machine)
