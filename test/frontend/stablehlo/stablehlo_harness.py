"""Runs StableHLO: imported and compiled, by the reference, and by StableHLO's own interpreter."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.frontend import stablehlo
from mlir_gs.frontend.stablehlo.common import bindings
from mlir_gs.lowering import run_pipeline

Array = np.ndarray


def imported(source: str | bytes) -> Any:
    """The module of `source` after gs-import-stablehlo."""
    context = dialect.context()
    with context, ir.Location.unknown():
        module = stablehlo.load(source, context)
        run_pipeline(module, "gs-import-stablehlo")
        return module


def compiled(module: Any, arguments: Sequence[Array]) -> list[Array]:
    """What the compiled function `main` returns on copies of `arguments`."""
    results = execution.compile(module, "main")(*(argument.copy() for argument in arguments))
    return [np.asarray(r) for r in (results if isinstance(results, (tuple, list)) else (results,))]


def referenced(module: Any, arguments: Sequence[Array]) -> list[Array]:
    """What `dialect.reference_run` returns."""
    return list(reference_run.run(module, "main", [argument.copy() for argument in arguments]))


def interpreted(text: str, arguments: Sequence[Array]) -> list[Array]:
    """What StableHLO's own interpreter returns, for elements that the bindings can hand out."""
    context = dialect.context()
    with context, ir.Location.unknown():
        module = stablehlo.load(text, context)
        function = module.body.operations[0]
        given = [
            _attribute(argument, type_)
            for argument, type_ in zip(arguments, function.type.inputs, strict=True)
        ]
        results = bindings().eval_module(module, given)
        return [
            np.array(result).reshape(type_.shape)
            for result, type_ in zip(results, function.type.results, strict=True)
        ]


def _attribute(array: Array, type_: Any) -> Any:
    if array.dtype == np.bool_:
        # The bytes of a mask of one byte would be read as a splat.
        listed = str(array.tolist()).lower() if array.size else ""
        return ir.Attribute.parse(f"dense<{listed}> : {type_}")
    return ir.DenseElementsAttr.get(np.frombuffer(array.tobytes(), np.uint8), type=type_)


def assert_same(found: Sequence[Array], expected: Sequence[Array], what: str) -> None:
    """Equal bit for bit; results are signless, so unsigned ones are read as what they are."""
    assert len(found) == len(expected), what
    for array, wanted in zip(found, expected, strict=True):
        if array.dtype != wanted.dtype and array.dtype.itemsize == wanted.dtype.itemsize:
            array = array.view(wanted.dtype)
        assert array.dtype == wanted.dtype, what
        if wanted.dtype.name == "bfloat16":
            # NumPy does not know its NaN.
            array, wanted = array.astype(np.float32), wanted.astype(np.float32)
        np.testing.assert_array_equal(array, wanted, err_msg=what, strict=True)
