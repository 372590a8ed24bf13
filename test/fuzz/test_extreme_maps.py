"""A few of the programs that fuzz_extreme_maps.py runs by the thousand."""

import pytest
from fuzz_extreme_maps import check
from watched import watch


def test_maps_near_the_ends_of_64_bits() -> None:
    found = [each for each in watch(check, 0, range(40), 1, 60.0) if each is not None]
    assert not found, "\n".join(each.text for each in found)


# A window of no points, two constants out of bounds, a sum of distances beyond 64 bits.
@pytest.mark.parametrize("number", [183, 648, 662])
def test_what_was_found(number: int) -> None:
    (found,) = watch(check, 0, range(number, number + 1), 1, 60.0)
    assert found is None
