"""A few of the random nodes of random_onnx.py; its command runs as many as one likes."""

import pytest

pytest.importorskip("onnxruntime")

import random_onnx


@pytest.mark.parametrize("kind", random_onnx.DRAWS)
def test_equals_onnxruntime(kind: str) -> None:
    found = [random_onnx.check(kind, seed) for seed in range(1000, 1008)]
    assert "same" in found
