"""What is no source, and arguments of other types: a TypeError that names what was found."""

import numpy as np
import pytest
from mlir_gs import compile, parse

TEXT = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


@pytest.mark.parametrize("source", [None, 42, b"module {}", [], object(), np.zeros(3)])
def test_no_source(source: object) -> None:
    with pytest.raises(
        TypeError, match=f"a module, or an ir.Module, found {type(source).__name__}"
    ):
        compile(source)
    if not isinstance(source, bytes):
        with pytest.raises(TypeError, match=f"bytecode, found {type(source).__name__}"):
            parse(source)  # pyright: ignore[reportArgumentType]


def test_an_op_that_is_no_module() -> None:
    module = parse(TEXT)
    with pytest.raises(TypeError, match=r"found func\.func"):
        compile(module.body.operations[0])


@pytest.mark.parametrize(
    ("name", "value"), [("entry", 1), ("target", 1), ("donate", 1), ("donate", "x")]
)
def test_options_of_other_types(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"{name}: expected a .*, found {type(value).__name__}"):
        compile(TEXT, **{name: value})  # pyright: ignore[reportArgumentType]
