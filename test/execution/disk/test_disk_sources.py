"""Kernels on the disk were compiled by the files that are there now."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from disk_support import IDS, ROWS, TABLE, files, key_of_rows
from mlir_gs.execution import compile
from mlir_gs.execution.disk import cached, keeping

if not cached._is_supported():
    pytest.skip(
        "kernels are kept on the disk on x86-64 Linux, else where there is a C compiler",
        allow_module_level=True,
    )


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file among those that compile kernels, as old as nothing, until the test changes it."""
    path = tmp_path / "lowering" / "one.py"
    path.parent.mkdir()
    path.touch()
    os.utime(path, ns=(0, 0))
    real = cached.stamps
    monkeypatch.setattr(
        cached,
        "stamps",
        lambda place, *which: real(place, *which) + real(str(path.parent), ".py"),
    )

    cached._sources.cache_clear()
    yield path
    keeping.write_all()
    cached._sources.cache_clear()


def _edit(path: Path, text: str, time: int) -> None:
    """As a later process sees it."""
    path.write_text(text)
    os.utime(path, ns=(time, time))
    cached._sources.cache_clear()


@pytest.mark.parametrize(("text", "time"), [("", 1), ("changed", 0)])
def test_kernels_of_other_sources_are_not_loaded(
    text: str, time: int, place: Path, sources: Path, builds: Callable[[], int]
) -> None:
    for _ in range(2):
        compile(ROWS)
    assert builds() == 1
    _edit(sources, text, time)
    for _ in range(2):
        assert (compile(ROWS)(TABLE, IDS) == TABLE[IDS[:, 0]]).all()
    assert builds() == 2
    _edit(sources, "", 0)
    assert cached.load(key_of_rows()) is None, "the kernel of the other sources took its place"


def test_every_file_that_kernels_are_made_of_is_a_source() -> None:
    """Texts that Python completes, too."""
    cached._sources.cache_clear()
    names = {Path(path).name for path, _, _ in cached._sources()}
    assert {"cached.py", "attention.mlir", "gs.irdl.mlir"} <= names


def test_what_is_edited_while_it_compiles_is_not_kept(
    place: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as held:
        # A thread that waits to write the kernels of another test would write this one too.
        held.setattr(keeping, "write_all", lambda: None)
        compile(ROWS, threads=1)
        _edit(sources, "", time.time_ns())
    assert files(place) == []
    # A clock that was wrong is no edit.
    _edit(sources, "", time.time_ns() + 10**15)
    compile(ROWS, threads=1)
    assert len(files(place)) == 3, "the kernel, and what all of them call"
