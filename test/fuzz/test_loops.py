"""A few of the programs that fuzz_loops.py runs by the thousand."""

import pytest
from fuzz_loops import check
from watched import watch


def _found(seed: int, numbers: range) -> list[str]:
    return [each.text for each in watch(check, seed, numbers, 1, 60.0) if each is not None]


def test_random_programs_to_loops() -> None:
    assert not _found(1, range(40))


# A next row that follows from a number of an if; rows of small floats in lanes that only move.
@pytest.mark.parametrize(("seed", "number"), [(0, 47), (0, 477), (3, 3594), (3, 3812), (3, 5920)])
def test_what_was_found(seed: int, number: int) -> None:
    assert not _found(seed, range(number, number + 1))
