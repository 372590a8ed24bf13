"""A few of the programs that fuzz_places.py runs by the hundred."""

from fuzz_places import check
from watched import watch


def test_constant_places_in_nests() -> None:
    found = [each for each in watch(check, 0, range(20), 1, 60.0) if each is not None]
    assert not found, "\n".join(each.text for each in found)
