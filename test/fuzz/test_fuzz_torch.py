"""A few of the functions that fuzz_torch.py runs by the hundred."""

import pytest

pytest.importorskip("torch")

import fuzz_torch


@pytest.mark.parametrize("number", [*range(6), 10, 28])
def test_random_functions(number: int) -> None:
    assert fuzz_torch.check(1, number) == ""
