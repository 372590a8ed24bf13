"""A few of the random calls of random_jax.py; its command runs as many as one likes."""

from collections.abc import Callable
from typing import Any

import pytest
from random_jax import DRAWS, check


@pytest.mark.parametrize("kind", DRAWS)
@pytest.mark.parametrize("seed", range(1000, 1006))
def test_equals_jax(kind: str, seed: int, needs: Callable[..., Any]) -> None:
    check(needs("jax"), kind, seed)
