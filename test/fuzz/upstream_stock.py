"""Functions on tensors through upstream's passes alone: bufferized, to loops, to LLVM."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import PassManager, ir, module
from mlir_gs.execution.signature.dtypes import element_of

TO_LLVM = (
    "func.func(convert-elementwise-to-linalg),"
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops),func.func(scf-forall-to-parallel),"
    "fold-memref-alias-ops,lower-affine,expand-strided-metadata,lower-affine,arith-expand,"
    "convert-scf-to-cf,convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm,"
    "convert-complex-to-standard,convert-complex-to-llvm,finalize-memref-to-llvm,"
    "convert-arith-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,convert-cf-to-llvm,"
    "convert-func-to-llvm,reconcile-unrealized-casts"
)
"""From linalg, tensor, arith, math, scf and the like."""


def run(
    source: Any, arguments: Sequence[np.ndarray], results: Sequence[Any] | None = None
) -> list[np.ndarray]:
    """What the one function of a module, with tensors as arguments and results, returns.

    `source`: an `ir.Module`, which is lowered in place, with the context entered. `results`: the
    types of the results before integers became signless. Raises what MLIR raises.
    """
    function = next(op for op in source.body.operations if op.operation.name == "func.func")
    types = list(results or function.type.results)
    function.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
    name = ir.StringAttr(function.attributes["sym_name"]).value
    PassManager.parse(f"builtin.module({TO_LLVM})").run(source.operation)
    engine = module("execution_engine").ExecutionEngine(source, opt_level=0)
    made = [_descriptor(array) for array in arguments]
    returned = np.zeros(sum(3 + 2 * type_.rank for type_ in types) or 1, np.int64)
    # The entry point takes the addresses of pointers to the descriptors.
    given = [_address(each) for each in ([returned] if types else []) + made]
    slots = (ctypes.c_void_p * len(given))(*(ctypes.addressof(each) for each in given))
    engine.lookup(name)(ctypes.cast(slots, ctypes.c_void_p))
    return _read(returned, types)


def _descriptor(array: np.ndarray) -> np.ndarray:
    steps = [step // array.itemsize for step in array.strides]
    return np.array([array.ctypes.data, array.ctypes.data, 0, *array.shape, *steps], np.int64)


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _read(returned: np.ndarray, types: Sequence[Any]) -> list[np.ndarray]:
    found, at = [], 0
    for type_ in types:
        rank = type_.rank
        shape = tuple(int(n) for n in returned[at + 3 : at + 3 + rank])
        element = element_of(type_.element_type)
        assert element is not None, type_
        count = int(np.prod(shape, dtype=np.int64)) * element.bytes
        start = int(returned[at + 1]) + int(returned[at + 2]) * element.bytes
        data = ctypes.string_at(start, count) if count else b""
        found.append(np.frombuffer(data, element.dtype).reshape(shape).copy())
        at += 3 + 2 * rank
    return found
