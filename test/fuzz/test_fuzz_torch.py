"""A few of the functions that fuzz_torch.py runs by the hundred, in its watched process: what ends
that is told by its signal, and costs no other test."""

import pytest

pytest.importorskip("torch")

import fuzz_torch
from watched import watch


def test_random_functions() -> None:
    assert [each for each in watch(fuzz_torch.check, 1, [*range(6), 10, 28], 1, 120) if each] == []
