"""Kernels that are kept on the disk: found again, never trusted blindly, never in the way."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from aot_support import HISTOGRAM, c_compiler
from disk_support import IDS, ROWS, TABLE, files, key_of_rows
from mlir_gs.execution import compile
from mlir_gs.execution.disk import cache, cached, keeping, storing
from mlir_gs.execution.environment import cache_folder
from mlir_gs.execution.later import lock
from mlir_gs.execution.machine import cpu
from sources import GATHER, scatter_add

if not cached._is_supported():
    pytest.skip(
        "kernels are kept on the disk on x86-64 Linux, else where there is a C compiler",
        allow_module_level=True,
    )

IN_NEW_PROCESS = """
import sys
import numpy as np
from mlir_gs.execution import compile
kernel = compile(sys.argv[1], threads=1)
table = np.arange(24, dtype=np.float32).reshape(6, 4)
rows = np.array([[5], [0], [5]])
assert (kernel(table, rows) == table[rows[:, 0]]).all()
print("built" if "mlir_gs.execution.compilation.build" in sys.modules else "found")
"""


# As on a machine for which there is no linker but that of the C compiler.
BY_COMPILER = """
from mlir_gs.execution.disk import link
link.is_built_in = lambda triple=None: False
"""


def _process(place: Path, text: str, before: str = "") -> str:
    environment = {**os.environ, cache.VARIABLE: str(place)}
    command = [sys.executable, "-P", "-c", before + IN_NEW_PROCESS, text]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_new_process_finds_the_kernel_without_mlir(place: Path) -> None:
    assert [_process(place, ROWS) for _ in range(2)] == ["built", "found"]


def test_a_c_compiler_links_where_nothing_else_does(place: Path) -> None:
    c_compiler()
    assert [_process(place, ROWS, BY_COMPILER) for _ in range(2)] == ["built", "found"]
    assert len(files(place)) == 3


def test_the_same_process_finds_it_too(place: Path, builds: Callable[[], int]) -> None:
    kernels = [compile(ROWS) for _ in range(3)]
    assert builds() == 1
    assert all((kernel(TABLE, IDS) == TABLE[IDS[:, 0]]).all() for kernel in kernels)


def test_another_text_entry_thread_count_or_cpu_is_another_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = {
        cached.key(ROWS, None, False, 2),
        cached.key(ROWS + " ", None, False, 2),
        cached.key(ROWS, "f", False, 2),
        cached.key(ROWS, None, True, 2),
        cached.key(ROWS, None, False, 1),
        cached.key(ROWS, None, False, 2, "sanitize"),
    }
    cached._setting.cache_clear()
    monkeypatch.setattr(cpu, "identity", lambda: "another CPU")
    keys.add(cached.key(ROWS, None, False, 2))
    cached._setting.cache_clear()
    assert len(keys) == 7


BAD_CALLS = [
    (TABLE, IDS + 7),
    (TABLE[:, :3], IDS),
    (TABLE.astype(np.float64), IDS),
    (TABLE, IDS[:, 0]),
    (TABLE,),
    (TABLE, [1, 2]),
]


@pytest.mark.parametrize("number", range(len(BAD_CALLS)))
def test_errors_are_those_of_the_fresh_kernel(
    number: int, place: Path, builds: Callable[[], int]
) -> None:
    def error() -> str:
        kernel = compile(ROWS)
        with pytest.raises(Exception, match=r".") as caught:
            kernel(*BAD_CALLS[number])
        return f"{type(caught.value).__name__}: {caught.value}"

    fresh = error()
    assert error() == fresh
    assert builds() == 1


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("text", [GATHER, scatter_add(), scatter_add("error")])
def test_results_and_writes_are_those_of_the_fresh_kernel(
    text: str, threads: int, place: Path, builds: Callable[[], int]
) -> None:
    first, second = (compile(text, threads=threads) for _ in range(2))
    assert builds() == 1
    assert (first.parameters, first.results) == (second.parameters, second.results)
    rng = np.random.default_rng(0)
    arrays = []
    for parameter in first.parameters:
        shape = [5 if size is None else size for size in parameter.shape or ()]
        if parameter.element.name.startswith("int"):
            arrays.append(rng.integers(0, 5, shape).astype(parameter.element.dtype))
        else:
            arrays.append(rng.normal(size=shape).astype(parameter.element.dtype))
    assert (first(*arrays) == second(*arrays)).all()


def test_strided_arrays_get_a_kernel_of_their_own(place: Path, builds: Callable[[], int]) -> None:
    for _ in range(2):
        assert (compile(ROWS)(TABLE[::-1], IDS) == TABLE[::-1][IDS[:, 0]]).all()
    assert builds() == 2


def test_results_outlive_the_kernel(place: Path) -> None:
    ones = np.ones(5, np.int64)
    for _ in range(2):
        sums, bins = compile(HISTOGRAM)(ones, np.array([[3], [1], [3], [3], [1]]))
        assert sorted(zip(bins[:, 0].tolist(), sums.tolist(), strict=True)) == [(1, 2), (3, 3)]


def _one_byte(data: bytes) -> bytes:
    middle = len(data) // 3
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "one byte": _one_byte,
    "cut": lambda data: data[:100],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"x",
    "another file": lambda data: b"#!/bin/sh\n" * 100,
}


def _damage(path: Path, damage: str) -> None:
    # Another file: this process runs what is in the one that it has loaded.
    data = DAMAGES[damage](path.read_bytes())
    path.unlink()
    path.touch(0o600)
    path.write_bytes(data)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_loaded(damage: str, place: Path, builds: Callable[[], int]) -> None:
    compile(ROWS)
    for path in files(place):
        _damage(path, damage)
    assert (compile(ROWS)(TABLE, IDS) == TABLE[IDS[:, 0]]).all()
    assert builds() == 2


def test_a_file_under_another_key_is_not_loaded(place: Path) -> None:
    cache.store("a" * 64, b"library", {"x": 1})
    os.replace(place / ("a" * 64 + cache.SUFFIX), place / ("b" * 64 + cache.SUFFIX))
    assert cache.load("b" * 64) is None


@pytest.mark.parametrize("mode", [0o622, 0o666])
def test_what_others_can_write_is_not_loaded(mode: int, place: Path) -> None:
    cache.store("a" * 64, b"library", {"x": 1})
    found = cache.load("a" * 64)
    assert found is not None
    found.path.chmod(mode)
    assert cache.load("a" * 64) is None


def test_a_folder_that_others_can_write_is_not_used(place: Path) -> None:
    place.mkdir()
    place.chmod(0o777)
    cache.store("a" * 64, b"library", {})
    assert not files(place)
    assert cache.load("a" * 64) is None


def test_what_belongs_to_another_user_is_not_loaded(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.store("a" * 64, b"library", {})
    os.chown(place, os.geteuid(), -1)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    if os.stat(place).st_uid == 0:
        assert cache.load("a" * 64) is not None, "root's files are read by all"
    else:
        assert cache.load("a" * 64) is None


def test_a_link_is_not_followed(place: Path, tmp_path: Path) -> None:
    cache.store("a" * 64, b"library", {})
    path = place / ("a" * 64 + cache.SUFFIX)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.load("a" * 64) is None


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk_is_no_error(
    error: int, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "replace", fail)
    assert (compile(ROWS)(TABLE, IDS) == TABLE[IDS[:, 0]]).all()
    keeping.write_all()
    assert list(place.iterdir()) == []


def test_a_place_that_is_a_file_is_no_error(tmp_path: Path, place: Path) -> None:
    place.write_text("no folder")
    assert (compile(ROWS)(TABLE, IDS) == TABLE[IDS[:, 0]]).all()
    keeping.write_all()


def test_a_read_only_folder_is_read(place: Path, builds: Callable[[], int]) -> None:
    compile(ROWS)
    keeping.write_all()
    place.chmod(0o500)
    try:
        assert (compile(ROWS)(TABLE, IDS) == TABLE[IDS[:, 0]]).all()
    finally:
        place.chmod(0o700)
    assert builds() == 1


def test_what_was_used_longest_ago_goes_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE_VARIABLE, "1")
    keys = [letter * 63 + "1" for letter in "abc"] + ["d" * 63 + "0"]
    for age, key in zip((40, 30, 20), keys[:3], strict=True):
        cache.store(key, b"x" * 300_000, {})
        path = place / (key + cache.SUFFIX)
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    assert cache.load(keys[0]) is not None
    cache.store(keys[3], b"x" * 300_000, {})
    assert [path.name[0] for path in files(place)] == ["a", "c", "d"]


def test_unfinished_files_go_after_a_while(place: Path) -> None:
    place.mkdir(mode=0o700)
    old, new = place / "new-old", place / "new-new"
    for path in (old, new):
        path.write_text("half")
    os.utime(old, (0, 0))
    cache.store("a" * 63 + "1", b"library", {})
    assert old.exists(), "one file of sixteen has the folder looked at"
    cache.store("a" * 63 + "0", b"library", {})
    assert (old.exists(), new.exists()) == (False, True)


def test_processes_at_the_same_time(place: Path) -> None:
    environment = {**os.environ, cache.VARIABLE: str(place)}
    command = [sys.executable, "-P", "-c", IN_NEW_PROCESS, ROWS]
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() in ("built", "found") for process in running] == [
        True
    ] * 4
    assert _process(place, ROWS) == "found"
    assert not list(place.glob("new-*"))


@pytest.mark.parametrize("word", ["off", "0", "OFF", "no"])
def test_off(word: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(cache.VARIABLE, word)
    compile(ROWS)
    assert not cached.enabled()
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_the_desktop_standard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "mlir-gs"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "mlir-gs"


def test_another_mlir_is_noticed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile(ROWS)
    keeping.write_all()
    assert cached.load(key_of_rows()) is not None
    monkeypatch.setattr(cached, "_is_current", lambda stamps: not stamps)
    assert cached.load(key_of_rows()) is None


def test_a_kernel_is_written_without_being_waited_for(place: Path) -> None:
    with lock:  # without it, no thread writes
        compile(ROWS)
        assert not cache.has(key_of_rows())
    until = time.monotonic() + 20
    while not cache.has(key_of_rows()) and time.monotonic() < until:
        time.sleep(0.05)
    assert cached.load(key_of_rows()) is not None


def test_what_waits_for_another_folder_is_not_written(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lock:
        compile(ROWS)
        monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "another"))
        keeping.write_all()
    assert not cache.has(key_of_rows())
    monkeypatch.setenv(cache.VARIABLE, str(place))
    assert not cache.has(key_of_rows())
    assert not (tmp_path / "another").exists()


def test_what_cannot_be_written_is_logged(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no object")

    monkeypatch.setattr(storing, "store", fail)
    assert (compile(ROWS)(TABLE, IDS) == TABLE[IDS[:, 0]]).all()
    keeping.write_all()
    assert f"{place}: no object" in caplog.text
    assert not cache.has(key_of_rows())


@pytest.mark.parametrize("name", ["", "/folder"])
def test_a_folder_that_cannot_be_is_named_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    place = f"{tmp_path}/file{name}"
    monkeypatch.setenv(cache.VARIABLE, place)
    for _ in range(2):
        assert cache.load(key_of_rows()) is None
        cache.store(key_of_rows(), b"", {})
    assert [record.message for record in caplog.records] == [
        f"a kernel is not kept on the disk, or not found there: {place}: Not a directory"
    ]


FORK = """
import os, sys
from mlir_gs.execution import compile
from mlir_gs.execution.disk import keeping
from mlir_gs.execution.later import lock
with lock:
    compile(sys.argv[1], threads=1)
    child = os.fork()
    if child == 0:
        os._exit(len(keeping._waiting))
    assert os.waitpid(child, 0)[1] == 0
    assert len(keeping._waiting) == 1
"""


def test_a_child_leaves_writing_to_its_parent(place: Path, builds: Callable[[], int]) -> None:
    command = [sys.executable, "-P", "-c", FORK, ROWS]
    subprocess.run(command, env={**os.environ, cache.VARIABLE: str(place)}, check=True)
    # On several threads it is another kernel where torch is imported, as here it may be.
    compile(ROWS, threads=1)
    assert builds() == 0


def test_places_that_are_none() -> None:
    """A few of what `cache_places.py` runs, in a process of its own, as it forks."""
    names = ["folder:a pipe", "files:a pipe", "files:a link to itself", "name:a long path"]
    names += ["denied", "space", "bytes", "home:unset"]
    command = [
        sys.executable,
        str(Path(__file__).parents[1] / "support" / "cache_places.py"),
        *names,
    ]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert told.returncode == 0, told.stdout + told.stderr
