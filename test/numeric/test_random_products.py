"""Some of what random_products.py runs."""

import pytest
from random_products import check


@pytest.mark.parametrize("seed", [*range(40), 374, 407, 520])
def test_random_products(seed: int) -> None:
    check(seed)
