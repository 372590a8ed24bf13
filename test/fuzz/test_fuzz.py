"""Some of what fuzz_text.py and fuzz_arrays.py run by the thousand, and what they found."""

from pathlib import Path

import fuzz_arrays
import fuzz_text
import leaks
import numpy as np
import pytest
import watched
from misbehaving import misbehave
from mutations import Case

CORPUS = Path(__file__).parent / "Inputs"
FILES = sorted(CORPUS.glob("*.mlir"))
CALLS = [int(number) for number in (CORPUS / "calls.txt").read_text().split()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_mutated_files_found(path: Path) -> None:
    """The first line is a comment with the flags of gs-opt, or `compile`."""
    flags, _, data = path.read_bytes().partition(b"\n")
    found = fuzz_text.run(Case(data, tuple(flags.decode().removeprefix("//").split())))
    assert not found, found


@pytest.mark.parametrize("number", CALLS)
def test_what_odd_arguments_found(number: int) -> None:
    assert fuzz_arrays.check(0, number) == ""


def test_mutated_files() -> None:
    found = {number: fuzz_text.check(1, number) for number in range(40)}
    assert not any(found.values()), found


def test_odd_arguments() -> None:
    found = {number: fuzz_arrays.check(1, number) for number in range(300)}
    assert not any(found.values()), found


def test_what_goes_wrong_is_seen() -> None:
    found = [each for each in watched.watch(misbehave, 0, range(5), 1, 3.0)]
    assert len(found) == 5
    assert {(each.number, each.kind) for each in found if each is not None} == {
        (1, "crash"), (2, "hang"), (3, "complaint")
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
