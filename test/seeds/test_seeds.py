"""The examples of the documents that the project is built on, with their published numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.dialect.reference.types import element_dtype
from mlir_gs.frontend.parse import parse

FILES = sorted((Path(__file__).parent / "Inputs").glob("*.mlir"))


def _functions(module: ir.Module) -> dict[str, Any]:
    return {op.attributes["sym_name"].value: op for op in module.body.operations}


def _parsed(file: Path) -> ir.Module:
    with dialect.context(), ir.Location.unknown():
        return parse(file.read_bytes(), name=str(file))


CASES = [
    pytest.param(file, name, id=f"{file.stem}-{name}")
    for file in FILES
    for name in _functions(_parsed(file))
    if not name.endswith("_numbers")
]


def _numbers(module: ir.Module, name: str) -> tuple[list[np.ndarray], np.ndarray]:
    """(arguments of the case, what it must give); constants are signless, arguments need not be."""
    *given, expected = reference_run.run(module, f"{name}_numbers")
    function_type = _functions(module)[name].attributes["function_type"].value
    arguments = [
        value.view(element_dtype(type_))
        for value, type_ in zip(given, function_type.inputs, strict=True)
    ]
    if function_type.results:
        expected = expected.view(element_dtype(function_type.results[0]))
    return arguments, expected


def _assert_bits(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert found.tobytes() == expected.tobytes(), f"\n{found}\nexpected\n{expected}"


@pytest.mark.parametrize(("file", "name"), CASES)
def test_reference(file: Path, name: str) -> None:
    module = _parsed(file)
    arguments, expected = _numbers(module, name)
    results = reference_run.run(module, name, arguments)
    # A function on buffers writes its last argument.
    _assert_bits(results[0] if results else arguments[-1], expected)


@pytest.mark.parametrize(("file", "name"), CASES)
def test_compiled(file: Path, name: str) -> None:
    module = _parsed(file)
    arguments, expected = _numbers(module, name)
    result = execution.compile(module, name)(*arguments)
    _assert_bits(arguments[-1] if result is None else result, expected)


def test_every_document_has_its_examples() -> None:
    names = {file.stem: set(_functions(_parsed(file))) for file in FILES}
    documents = {"rfc_gather", "rfc_scatter", "tcp_elements", "tcp_slices", "tcp_nd"}
    assert names.keys() == documents | {"directml", "jax"}
    assert {f"gather_{n}" for n in range(1, 6)} | {"slice_1", "slice_2"} <= names["directml"]
