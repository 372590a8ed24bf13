"""A few of the programs that fuzz_products.py runs by the thousand."""

from fuzz_products import check
from watched import watch


def test_products_and_what_reads_them() -> None:
    found = [each for each in watch(check, 0, range(30), 1, 60.0) if each is not None]
    assert not found, "\n".join(each.text for each in found)
