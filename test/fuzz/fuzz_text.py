"""Mutated MLIR files through gs-opt and the compiler: no crash, hang, abort or traceback.

    python test/fuzz/fuzz_text.py --cases 20000 --seed 0

Takes about an hour on two cores. What goes wrong is printed and written into --save; the command
then exits with 1. The same seed gives the same cases. Each is isolated as the tools isolate their
work, so that a crash of MLIR is of the case that is named; one that the tool reports with a line
and its exit code is counted apart.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from campaign import campaign
from mlir_gs import execution
from mlir_gs.tools import gs_opt
from mlir_gs.tools.common import isolation
from mlir_gs.tools.common.console import report
from mutations import Case, case, spoilt_bytes
from watched import ISOLATED, Finding

_BYTECODE = 12
"""One case in so many is bytecode."""

CORPUS = sorted((Path(__file__).parent / "Inputs").glob("*.mlir"))

_WARM = """
func.func @f(%t: tensor<?x4xf32>, %i: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %r = "gs.gather"(%t, %i) {gather_dims = array<i64: 0>, mode = "fill"}
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""


@cache
def _warm() -> None:
    """Import here what the forked processes need."""
    execution.compile(_WARM, threads=1)
    flags = ("--gs-generalize", "--gs-sanitize", "--gs-bufferize", "--convert-gs-to-scf")
    gs_opt_on(Case(_WARM.encode(), (*flags, "--convert-tensor-to-gs")), isolated=False)


def run(one: Case) -> str:
    """What is wrong with how a tool took this; empty if nothing is."""
    _warm()
    if one.flags == ("compile",):
        code, _, told = _captured(lambda: _isolated(lambda: _compiled(one)))
    else:
        code, _, told = gs_opt_on(one)
    if "internal error" in told or "Traceback" in told:
        return told[-3000:]
    if code == isolation.EXIT_CODE:
        return ISOLATED + told[-1000:]
    if code not in (0, 1):
        return f"exit code {code}: {told[-1000:]}"
    if code == 1 and not told.strip():
        return "it failed and said nothing"
    return ""


def _isolated(work: Callable[[], int]) -> int:
    wanted = isolation.Isolation(True)
    return isolation.run_isolated(work, wanted, lambda text: report("compile", text))


def _compiled(one: Case) -> int:
    try:
        execution.compile(one.data.decode("utf-8", "replace"), threads=1)
    except execution.CompileError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def gs_opt_on(one: Case, isolated: bool = True) -> tuple[int, bytes, str]:
    """Exit code, output and diagnostics of gs-opt."""
    with tempfile.NamedTemporaryFile(suffix=".mlir") as file:
        file.write(one.data)
        file.flush()
        flags = [*one.flags, "--debug", f"--isolate={isolated}"]
        return _captured(lambda: gs_opt.main([file.name, *flags]))


def _captured(work: Callable[[], int]) -> tuple[int, bytes, str]:
    """What `work` returns and what this process and those that it forks write."""
    with _Captured(1) as output, _Captured(2) as errors:
        code = work()
    return code, output.data, errors.data.decode("utf-8", "replace")


class _Captured:
    """A file in the place of a descriptor: what MLIR writes to it goes past Python."""

    data = b""

    def __init__(self, number: int) -> None:
        self.number, self.stream = number, sys.stdout if number == 1 else sys.stderr

    def __enter__(self) -> "_Captured":
        self.stream.flush()
        self.file = tempfile.TemporaryFile()
        self.real = os.dup(self.number)
        os.dup2(self.file.fileno(), self.number)
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.flush()
        os.dup2(self.real, self.number)
        os.close(self.real)
        with self.file:
            self.file.seek(0)
            self.data = self.file.read()


def numbered(seed: int, number: int) -> Case:
    """The case with this number: a text, or what has become of its bytecode."""
    one = case(seed, number)
    if number % _BYTECODE == 0:
        plain = case(seed, number // _BYTECODE)
        code, data, _ = gs_opt_on(Case(plain.data, ("--emit-bytecode",)))
        if code == 0 and len(data) > 8:
            return Case(spoilt_bytes(seed, number, data), one.flags)
    return one


def check(seed: int, number: int) -> str:
    one = numbered(seed, number)
    # Bytecode is no text for the compiler.
    if one.flags == ("compile",) and one.data.startswith(b"ML\xef"):
        one = Case(one.data, ())
    return run(one)


def check_kept(seed: int, number: int) -> str:
    """As `check`, of a file in the corpus: one that `keep` has written."""
    flags, _, data = CORPUS[number].read_bytes().partition(b"\n")
    return run(Case(data, tuple(flags.decode().removeprefix("//").split())))


def keep(folder: Path, seed: int, found: Finding) -> Path:
    """Write the case of `found` below `folder`; its flags are in the first line."""
    folder.mkdir(parents=True, exist_ok=True)
    one = numbered(seed, found.number)
    path = folder / f"{found.kind}-{seed}-{found.number}.mlir"
    path.write_bytes(f"// {' '.join(one.flags)}\n".encode() + one.data)
    return path


if __name__ == "__main__":
    sys.exit(campaign(__doc__ or "", check, "mutated files", "tracebacks or complaints", keep))
