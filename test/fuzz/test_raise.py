"""A few of the loops that fuzz_raise.py runs by the thousand."""

import pytest
from fuzz_raise import check, is_raised
from raised_loops import program, text


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_loops_raised(first: int) -> None:
    assert not any(check(1, number) for number in range(first, first + 10))


def test_some_are_raised() -> None:
    assert sum(is_raised(text(program(number))) for number in range(60)) >= 8


def test_what_was_found() -> None:
    # A coordinate of a coordinate under a condition.
    assert not check(7, 3471)
    # Coordinates under several conditions, and windows under one.
    assert not any(check(31, number) for number in (50, 84, 139))
