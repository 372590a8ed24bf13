"""`convert-gs-to-linalg` and upstream's passes to LLVM against the reference: cases, and a few of
the random programs that `fuzz_programs.py --road linalg` runs by the thousand."""

from itertools import islice

import pytest
from fuzz_programs import on_tensors
from linalg_cases import all_cases
from linalg_road import OURS, Way, check_linalg

# The programs run in children; JAX warns of every fork of a process that has loaded it.
pytestmark = pytest.mark.filterwarnings(r"ignore:os.fork\(\) was called:RuntimeWarning")


@pytest.mark.parametrize(("protected", "level"), [(False, 0), (True, 0), (False, 2)])
@pytest.mark.parametrize("ours", OURS)
def test_cases(ours: str, protected: bool, level: int) -> None:
    assert check_linalg(all_cases(), Way(ours, protected, level)) == []


@pytest.mark.parametrize("number", range(2 * len(OURS)))
def test_random_programs(number: int) -> None:
    programs = list(islice(on_tensors(seed=1000 + number), 32))
    found = check_linalg(programs, Way.turn(number))
    assert not found, "\n".join(f"{one}\n{one.program.text}" for one in found)
