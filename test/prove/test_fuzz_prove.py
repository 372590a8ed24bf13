"""A few random pairs; many by `python test/prove/fuzz_prove.py`."""

import pytest

pytest.importorskip("z3")

from fuzz_prove import verdicts

_SEEDS = 4


@pytest.mark.parametrize("seed", range(_SEEDS))
def test_what_is_proved_does_not_differ(seed: int) -> None:
    for status, text in verdicts(seed, 0.5, 30):
        assert not text, f"{status}\n{text}"
