"""Folders for kernels that are none, and files in them that are none: kernels are compiled.

    python test/execution/support/cache_places.py --count 200 --seed 0

runs so many random cases, after one of each kind, each in a fork of a process that has compiled
nothing yet: it compiles and calls two kernels there.
"""

import argparse
import codecs
import contextlib
import os
import random
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from forks import mlir_gs
from mlir_gs.execution.disk import cache, keeping
from sources import scatter_add

SECONDS = 120
NOBODY = 65534


def use(size: int) -> None:
    """Two kernels, called often enough to be native, and their errors; then all is written."""
    for name in (f"add{size}", f"plus{size}"):
        kernel = mlir_gs.compile(scatter_add("error").replace("@add", f"@{name}"), threads=1)
        rows, ids = np.ones((2, 3), np.float32), np.array([[0], [2]])
        for _ in range(5):
            assert kernel(np.zeros((3, 3), np.float32), ids, rows).tolist()[1:] == [
                [0] * 3,
                [1] * 3,
            ]
        with pytest.raises(IndexError):
            kernel(np.zeros((3, 3), np.float32), ids + 7, rows)
    keeping.write_all()


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def a_loop(path: Path) -> None:
    path.symlink_to(path)


def no_file(path: Path) -> None:
    path.symlink_to(path.with_name("nothing"))


def a_link_to_a_pipe(path: Path) -> None:
    pipe = path.with_name(f"{path.name}.pipe")
    os.mkfifo(pipe)
    path.symlink_to(pipe)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


SPOILS: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: path.write_bytes(b"text"),
    "an empty file": lambda path: path.write_bytes(b""),
    "a pipe": os.mkfifo,
    "a socket": a_socket,
    "a link to itself": a_loop,
    "a link to nothing": no_file,
    "a link to a pipe": a_link_to_a_pipe,
    "a link to a device": a_device,
    "a sparse file": sparse,
    "unreadable": lambda path: (path.write_bytes(b"text"), path.chmod(0)),
}
"""What may stand where a folder or a file is looked for."""

PLACES: dict[str, Callable[[Path], str]] = {
    "a long name": lambda place: str(place / ("n" * 300)),
    "a long path": lambda place: str(place) + "/" + "name/" * 2000,
    "no UTF-8": lambda place: os.fsdecode(bytes(place) + b"/\xff\xfe"),
    "a new line": lambda place: str(place / "two\nlines %s {}"),
    "below a device": lambda place: "/dev/null/kernels",
    "of the system": lambda place: "/proc/kernels",
    "memory": lambda place: "/proc/self/mem/kernels",
    "blank": lambda place: " ",
    "of no folder": lambda place: "kernels",
    "dots": lambda place: "../" * 500 + "proc/1/kernels",
}
"""What MLIR_GS_CACHE may name."""


def in_fork(work: Callable[[], None], stderr: Path) -> str:
    """Empty where `work` ends well, in time and without a traceback."""
    child = os.fork()
    if child == 0:
        with stderr.open("w") as file:
            os.dup2(file.fileno(), 2)
        signal.alarm(SECONDS)
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:
            print(f"{type(error).__name__}: {error}"[:300], file=sys.stderr, flush=True)
        os._exit(code)
    _, status = os.waitpid(child, 0)
    told = stderr.read_text(errors="replace")
    if status == 0 and "Traceback" not in told:
        return ""
    ended = os.waitstatus_to_exitcode(status)
    return f"{'hangs' if ended == -signal.SIGALRM else f'exit code {ended}'}: {told[-300:]}"


def become(user: int) -> None:
    """Another user, who may not read the folders of this package and of Python's."""
    where = os.environ.pop(cache.VARIABLE, None)
    os.environ[cache.VARIABLE] = "off"
    use(3)
    codecs.lookup("ascii")
    os.setgid(user)
    os.setuid(user)
    if where is None:
        del os.environ[cache.VARIABLE]
    else:
        os.environ[cache.VARIABLE] = where


class Case:
    """A folder, what is wrong with it, and with the process that uses it."""

    def __init__(self, place: Path, rng: random.Random, name: str) -> None:
        self.place, self.rng, self.name = place, rng, name

    def run(self) -> None:
        os.environ[cache.VARIABLE] = str(self.place / "kernels")
        getattr(self, "_" + self.name.partition(":")[0])(self.name.partition(":")[2])
        use(4)

    def _folder(self, kind: str) -> None:
        SPOILS[kind](self.place / "kernels")

    def _above(self, kind: str) -> None:
        SPOILS[kind](self.place / "above")
        os.environ[cache.VARIABLE] = str(self.place / "above" / "kernels")

    def _name(self, kind: str) -> None:
        os.chdir(self.place)
        if kind == "of no folder":
            (self.place / "gone").mkdir()
            os.chdir(self.place / "gone")
            (self.place / "gone").rmdir()
        os.environ[cache.VARIABLE] = PLACES[kind](self.place)

    def _files(self, kind: str) -> None:
        """All that the kernels of another process have left."""
        for path in self._left():
            path.unlink()
            SPOILS[kind](path)

    def _bytes(self, _: str) -> None:
        """Some bytes of them, or some of their ends."""
        for path in self._left():
            data = bytearray(path.read_bytes())
            if self.rng.random() < 0.5:
                del data[self.rng.randrange(len(data)) :]
            else:
                for _ in range(self.rng.choice([1, 1, 10])):
                    data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
            path.write_bytes(data)

    def _left(self) -> list[Path]:
        assert in_fork(lambda: use(4), self.place / "first") == ""
        found = sorted((self.place / "kernels").iterdir())
        assert len(found) >= 3
        return [path for path in found if self.rng.random() < 0.8]

    def _denied(self, _: str) -> None:
        """To another user, as a folder of root's is."""
        (self.place / "kernels").mkdir()
        mode = self.rng.choice([0, 0o100, 0o400, 0o500, 0o600])
        if os.geteuid() == 0:
            self.place.chmod(0o755 if self.rng.random() < 0.5 else 0o700)
            (self.place / "kernels").chmod(mode)
            become(NOBODY)
        else:
            (self.place / "kernels").chmod(mode)

    def _home(self, kind: str) -> None:
        for variable in (cache.VARIABLE, "XDG_CACHE_HOME", "HOME"):
            os.environ.pop(variable, None)
        if kind != "unset":
            variable, _, os.environ["HOME"] = kind.partition("=")
        if os.geteuid() == 0:
            become(NOBODY - 1)

    def _variable(self, kind: str) -> None:
        name, _, value = kind.partition("=")
        os.environ[name] = value * 5000 if value == "9" else value
        cache.SIZE_VARIABLE = name
        cache._trim(self.place)
        tempfile.tempdir = None

    def _space(self, _: str) -> None:
        """For so many bytes of a file."""
        most = self.rng.choice([0, 1, 1000, 5000, 20_000])
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    def _handles(self, _: str) -> None:
        """For no more open files."""
        use(3)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


NAMES = [
    *(f"folder:{kind}" for kind in SPOILS),
    *(f"above:{kind}" for kind in SPOILS),
    *(f"files:{kind}" for kind in SPOILS),
    *(f"name:{kind}" for kind in PLACES),
    *("bytes", "bytes", "denied", "denied", "space", "space", "handles"),
    *("home:unset", "home:HOME=", "home:HOME=/dev/null", "home:HOME=~", "home:HOME=relative"),
    *(f"variable:MLIR_GS_CACHE_SIZE={value}" for value in ("", "x", "-1", "0", "1.5", "9", "²")),
    *("variable:TMPDIR=/dev/null/x", "variable:TMPDIR="),
]


def run(names: Sequence[str], seed: int) -> list[str]:
    """What failed of these cases."""
    os.environ[cache.VARIABLE] = "off"
    rng = random.Random(seed)
    failed = []
    for name in names:
        place = Path(tempfile.mkdtemp())
        case = Case(place, random.Random(rng.random()), name)
        with tempfile.TemporaryDirectory() as told:
            text = in_fork(case.run, Path(told) / "stderr")
        if text:
            failed.append(f"{name}: {text}")
        for path in (place, place / "kernels"):
            with contextlib.suppress(OSError):
                path.chmod(0o700)
        shutil.rmtree(place, ignore_errors=True)
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("names", nargs="*", help="these cases (default: all kinds, then random)")
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    names = [*NAMES, *rng.choices(NAMES, k=max(0, options.count - len(NAMES)))]
    names = options.names or names[: options.count]
    begun = time.monotonic()
    failed = run(names, options.seed)
    print(*failed, sep="\n", end="\n" * bool(failed))
    print(f"{len(names)} cases in {time.monotonic() - begun:.0f} s, {len(failed)} failed")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
