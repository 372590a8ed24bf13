"""`--mlir-print-ir-before=<pass>` and `-after=`: dumps around some passes, in the assembly form.

The bindings print around all passes or none, onto the process's standard error. Another process
reads that and passes on what is wanted as it comes, after a crash too.
"""

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect.assembly import to_assembly
from mlir_gs.tools.common.loading import load, split_load

_BANNER = re.compile(rb"// -----// IR Dump (Before|After) [^:\n]*: ([\w.-]+).*//----- //$")
# Begins a line that is no part of a dump: MLIR prints none that does.
_MARK = b"\0"
_ALL = "*"


@dataclass(frozen=True)
class Wanted:
    """The passes, by argument, before and after which the IR is shown; None stands for all."""

    before: frozenset[str] | None = frozenset()
    after: frozenset[str] | None = frozenset()

    @property
    def is_everything(self) -> bool:
        """MLIR itself can leave out the rest."""
        return all(passes is None or not passes for passes in (self.before, self.after))

    @property
    def is_nothing(self) -> bool:
        return self.before == self.after == frozenset()

    def has(self, when: bytes, name: bytes) -> bool:
        passes = self.before if when == b"Before" else self.after
        return passes is None or name.decode() in passes


@contextlib.contextmanager
def only(wanted: Wanted, held: int | None = None, generic: bool = False) -> Iterator[None]:
    """Of what is dumped meanwhile, what is wanted reaches standard error, with `gs` ops in the
    assembly form unless `generic`.

    The other process keeps the descriptor `held` open until it has passed on everything.
    """
    if wanted.is_nothing or (generic and wanted.is_everything):
        yield
        return
    import subprocess

    sys.stderr.flush()
    names = (_ALL if p is None else ",".join(sorted(p)) for p in (wanted.before, wanted.after))
    reader, writer = os.pipe()
    filtering = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, *names, str(generic)],
        stdin=reader,
        stdout=subprocess.PIPE,
        pass_fds=() if held is None else (held,),
    )
    os.close(reader)
    assert filtering.stdout is not None
    # It has imported what it needs: after a crash here nobody waits for that.
    filtering.stdout.read()
    filtering.stdout.close()
    real = os.dup(2)
    os.dup2(writer, 2)
    os.close(writer)
    before = sys.stderr
    marked = io.BufferedWriter(_Marked())
    sys.stderr = io.TextIOWrapper(marked, "utf-8", "backslashreplace", line_buffering=True)
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = before
        os.dup2(real, 2)
        os.close(real)
        filtering.wait()


class _Marked(io.RawIOBase):
    """Standard error, for text that belongs to no dump and keeps its place between them."""

    _held = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        # The end of a text of several lines may come in a piece of its own.
        lines = (self._held + bytes(data)).splitlines(keepends=True)
        self._held = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        _write(b"".join(_MARK + line for line in lines))
        return len(data)


def chosen(lines: Iterable[bytes], wanted: Wanted) -> Iterator[bytes]:
    """The lines of dumps that are wanted, those before the first dump, and what is marked, with the
    mark."""
    shown = True
    for line in lines:
        if line.startswith(_MARK):
            yield line
            continue
        banner = _BANNER.match(line.rstrip(b"\r\n"))
        if banner is not None:
            shown = wanted.has(banner[1], banner[2])
        if shown:
            yield line


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(2, data) :]


def dumps_as_assembly(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, those of each dump at once when it ends: MLIR prints an empty line behind it."""
    held: list[bytes] = []
    for line in lines:
        if line.strip() and not line.startswith((b"// -----//", _MARK)):
            held.append(line)
            continue
        yield to_assembly(b"".join(held))
        held = []
        yield line
    yield to_assembly(b"".join(held))


def _filter(before: str, after: str, generic: str) -> None:
    import signal

    # What the tool has said when it is interrupted is passed on yet.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load(split_load([])[1])
    os.close(1)
    wanted = Wanted(*(None if p == _ALL else frozenset(p.split(",")) for p in (before, after)))
    lines = chosen(sys.stdin.buffer, wanted)
    with contextlib.suppress(BrokenPipeError):
        for line in lines if generic == "True" else dumps_as_assembly(lines):
            _write(line.removeprefix(_MARK))


if __name__ == "__main__":
    _filter(*sys.argv[1:])
