"""A few of the programs of fuzz_objects.py, called from C on this machine."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from fuzz_objects import BATCH, HERE, commands_for, programs, run_batch
from harness import numbered


@pytest.fixture(autouse=True)
def compiler() -> None:
    """The tests need one for C."""
    if commands_for(HERE) is None:
        pytest.skip("no C compiler, which builds the programs around kernels")


def test_programs_called_from_c() -> None:
    counts: Counter[str] = Counter()
    batch = numbered(list(islice(programs(0), BATCH)))
    assert not list(run_batch(batch, HERE, counts))
    assert sum(count for what, count in counts.items() if what.startswith("gs.")) > BATCH // 2


def test_another_value_is_found() -> None:
    one = next(each for each in numbered(list(islice(programs(0), BATCH))) if each.moves)
    wrong = replace(one, spelling=lambda: tuple(~array.view("u1") for array in one.spelling()))
    assert list(run_batch([wrong], HERE, Counter()))
