"""A few random pairs; many by `python test/prove/fuzz_prove.py`."""

import pytest

pytest.importorskip("z3")

from fuzz_prove import verdict

_PAIRS = 12


@pytest.mark.parametrize("seed", range(_PAIRS))
def test_what_is_proved_does_not_differ(seed: int) -> None:
    status, text = verdict(seed, 0.5, 30)
    assert status != "proved and different", text
