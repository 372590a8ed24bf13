"""Random chains of ops: a few of those that fuzz_rewrites.py runs by the thousand."""

from collections import Counter

import pytest
from fuzz_rewrites import complaint

BLOCK = 20


@pytest.mark.parametrize("block", range(8))
def test_rewrites_keep_every_bit(block: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        found, counted = complaint(seed, compiles=False)
        assert not found, found
        counts += counted
    assert counts["ops after"] < counts["ops before"]


def test_compiled_rewrites_keep_every_bit() -> None:
    for seed in range(20):
        found, _ = complaint(seed)
        assert not found, found
