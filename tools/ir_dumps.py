"""`--mlir-print-ir-before=<pass>` and `-after=`: of the dumps that MLIR prints, some passes'.

The bindings print around all passes or none, onto the process's standard error.
"""

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

_BANNER = re.compile(
    rb"^// -----// IR Dump (Before|After) [^:\n]*: ([\w.-]+).*//----- //$", re.MULTILINE
)


@dataclass(frozen=True)
class Wanted:
    """The passes, by argument, before and after which the IR is shown; None stands for all."""

    before: frozenset[str] | None = frozenset()
    after: frozenset[str] | None = frozenset()

    @property
    def is_everything(self) -> bool:
        """MLIR itself can leave out the rest."""
        return all(passes is None or not passes for passes in (self.before, self.after))

    def has(self, when: bytes, name: bytes) -> bool:
        passes = self.before if when == b"Before" else self.after
        return passes is None or name.decode() in passes


@contextlib.contextmanager
def only(wanted: Wanted) -> Iterator[None]:
    """Of what is dumped meanwhile, what is wanted reaches standard error, at the end."""
    if wanted.is_everything:
        yield
        return
    sys.stderr.flush()
    real = os.dup(2)
    # Diagnostics are no part of a dump: they go straight through.
    with tempfile.TemporaryFile() as dumps, open(os.dup(real), "w") as direct:
        os.dup2(dumps.fileno(), 2)
        before, sys.stderr = sys.stderr, direct
        try:
            yield
        finally:
            direct.flush()
            sys.stderr = before
            os.dup2(real, 2)
            os.close(real)
            dumps.seek(0)
            _write(chosen(dumps.read(), wanted))


def chosen(text: bytes, wanted: Wanted) -> bytes:
    """The dumps in `text` that are wanted, and what stands before the first."""
    banners = list(_BANNER.finditer(text))
    starts = [found.start() for found in banners] + [len(text)]
    kept = [text[: starts[0]]]
    for found, end in zip(banners, starts[1:], strict=True):
        if wanted.has(found[1], found[2]):
            kept.append(text[found.start() : end])
    return b"".join(kept)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(2, data) :]
