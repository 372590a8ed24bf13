"""Constants whose elements are a resource at the end of the file."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import compile
from mlir_gs.execution import CompileError

FORMS: list[tuple[str, Any]] = [
    ("tensor<2xf32>", np.array([1, 2], np.float32)),
    ("tensor<2xindex>", np.array([1, 2], np.int64)),
    ("tensor<f32>", np.array(1, np.float32)),
    ("tensor<i1>", np.array(True)),
    ("tensor<0xi64>", np.zeros(0, np.int64)),
    ("tensor<2x0xf32>", np.zeros((2, 0), np.float32)),
    ("tensor<0xcomplex<f32>>", np.zeros(0, np.complex64)),
    ("tensor<2xcomplex<f64>>", np.array([1 + 2j, -3j])),
    ("tensor<3xi1>", np.array([True, False, True])),
    ("tensor<2xi4>", np.array([1, -2], ml_dtypes.int4)),
    ("tensor<2xf4E2M1FN>", np.array([0.5, 6], ml_dtypes.float4_e2m1fn)),
]


def program(type_: str, data: bytes | None) -> str:
    entry = "" if data is None else f'r: "0x04000000{data.hex()}"'
    return f"""
        func.func @main() -> {type_} {{
          %c = arith.constant dense_resource<r> : {type_}
          return %c : {type_}
        }}
        {{-# dialect_resources: {{ builtin: {{ {entry} }} }} #-}}"""


@pytest.mark.parametrize(("type_", "wanted"), FORMS, ids=[type_ for type_, _ in FORMS])
def test_elements(type_: str, wanted: Any) -> None:
    found = np.asarray(compile(program(type_, wanted.tobytes()))())
    assert found.shape == wanted.shape
    assert found.tolist() == wanted.tolist()


def test_packed_bits() -> None:
    found = compile(program("tensor<9xi1>", b"\x05\x01"))()
    assert np.asarray(found).nonzero()[0].tolist() == [0, 2, 8]


def test_global() -> None:
    kernel = compile("""
        memref.global "private" constant @g : memref<i1> = dense_resource<r>
        func.func @main() -> i1 {
          %g = memref.get_global @g : memref<i1>
          %x = memref.load %g[] : memref<i1>
          return %x : i1
        }
        {-# dialect_resources: { builtin: { r: "0x0100000001" } } #-}""")
    assert kernel()


@pytest.mark.parametrize("type_", ["tensor<f32>", "tensor<2xf32>", "tensor<2xi1>"])
@pytest.mark.parametrize("data", [None, b"", bytes(12)], ids=["none", "few", "many"])
def test_other_sizes_are_refused(
    type_: str, data: bytes | None, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CompileError, match=r"'arith\.constant' op"):
        compile(program(type_, data))
    assert not capfd.readouterr().err
