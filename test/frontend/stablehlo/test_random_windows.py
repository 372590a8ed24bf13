"""A few of the random programs of random_windows.py; its command runs as many as one likes."""

import pytest
from random_windows import check
from window_cases import DRAWS


@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("seed", range(1000, 1008))
def test_equals_the_interpreter(kind: str, seed: int) -> None:
    check(kind, seed)
