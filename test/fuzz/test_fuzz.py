"""Some of what fuzz_text.py and fuzz_arrays.py run by the thousand, and what they found."""

import subprocess
import sys
from pathlib import Path

import fuzz_arrays
import fuzz_text
import pytest
import watched
from misbehaving import misbehave

HERE = Path(__file__).parent
CALLS = [int(number) for number in (HERE / "Inputs" / "calls.txt").read_text().split()]


# What forks runs in a process of its own: this one may hold JAX.
def went_wrong(check: watched.Check, seed: int, cases: int) -> list[watched.Finding]:
    found = [each for each in watched.watch(check, seed, range(cases), 1, 60.0) if each is not None]
    return [each for each in found if each.kind != "isolated"]


def test_what_mutated_files_found() -> None:
    assert not went_wrong(fuzz_text.check_kept, 0, len(fuzz_text.CORPUS))


@pytest.mark.parametrize("number", CALLS)
def test_what_odd_arguments_found(number: int) -> None:
    assert fuzz_arrays.check(0, number) == ""


def test_mutated_files() -> None:
    assert not went_wrong(fuzz_text.check, 1, 40)


def test_odd_arguments() -> None:
    found = {number: fuzz_arrays.check(1, number) for number in range(300)}
    assert not any(found.values()), found


def test_what_goes_wrong_is_seen() -> None:
    found = [each for each in watched.watch(misbehave, 0, range(6), 1, 3.0)]
    assert len(found) == 6
    assert {(each.number, each.kind) for each in found if each is not None} == {
        (1, "crash"), (2, "hang"), (3, "complaint"), (4, "isolated")
    }  # fmt: skip


# In processes of their own: this one has freed memory, which would hide a leak.
def run_fresh(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=HERE, capture_output=True, text=True, check=False
    )


def test_calls_and_compiles_do_not_leak() -> None:
    # So few compiles measure above all what the allocator takes: leaks.py has the narrow bound.
    few = ("--calls", "2000", "--compiles", "8", "--warm", "4", "--bound", "500")
    run = run_fresh("leaks.py", *few)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("calls,") == 7
    assert "8 compiles:" in run.stdout


def test_a_leak_is_seen() -> None:
    run = run_fresh(
        "-c",
        "import leaks, numpy as np; kept = []\n"
        "print(leaks.grown(lambda: kept.append(np.ones(1 << 14)), 100, 10))",
    )
    assert int(run.stdout) > 10_000, run.stderr
