"""Some of what fuzz_text.py and fuzz_arrays.py run by the thousand, and what they found."""

from pathlib import Path

import fuzz_arrays
import fuzz_text
import leaks
import numpy as np
import pytest
import watched
from misbehaving import misbehave

CALLS = [
    int(number) for number in (Path(__file__).parent / "Inputs" / "calls.txt").read_text().split()
]


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


def test_calls_and_compiles_do_not_leak(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    assert leaks.measure_calls(2000), capsys.readouterr().out
    # So few measure above all what the allocator takes; leaks.py has the narrow bound.
    assert leaks.measure_compiles(8, warm=4, bound=500), capsys.readouterr().out


def test_a_leak_is_seen() -> None:
    kept = []
    assert leaks.grown(lambda: kept.append(np.ones(1 << 14)), 100, 10) > 5_000
