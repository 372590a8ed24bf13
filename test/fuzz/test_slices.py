"""A few of the programs that fuzz_slices.py runs by the thousand."""

from fuzz_slices import check
from watched import watch


def test_slices_and_reshapes() -> None:
    found = [each for each in watch(check, 0, range(40), 1, 60.0) if each is not None]
    assert not found, "\n".join(each.text for each in found)
