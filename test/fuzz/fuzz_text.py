"""Mutated MLIR files through gs-opt and the compiler: no crash, hang, abort or traceback.

    python test/fuzz/fuzz_text.py --cases 20000 --seed 0

Takes about half an hour on two cores. What goes wrong is printed and written into --save; the
command then exits with 1. The same seed gives the same cases. A process takes many cases, so that
a crash may be of an earlier one than the one that is named: upstream's parser damages the heap on
a few malformed texts (one in 20,000 here), which nothing in this process can prevent.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from mlir_gs import execution
from mlir_gs.tools import gs_opt
from mutations import Case, case, spoilt_bytes
from rich.console import Console
from rich.progress import Progress
from watched import Finding, watch

_BYTECODE = 12
"""One case in so many is bytecode."""


def run(one: Case) -> str:
    """What is wrong with how a tool took this; empty if nothing is."""
    if one.flags == ("compile",):
        try:
            execution.compile(one.data.decode("utf-8", "replace"), threads=1)
        except execution.CompileError as error:
            return "" if str(error).strip() else "CompileError without a text"
        return ""
    code, _, told = gs_opt_on(one)
    if "internal error" in told or "Traceback" in told:
        return told[-3000:]
    if code not in (0, 1):
        return f"exit code {code}: {told[-1000:]}"
    if code == 1 and not told.strip():
        return "it failed and said nothing"
    return ""


def gs_opt_on(one: Case) -> tuple[int, bytes, str]:
    """Exit code, output and diagnostics of gs-opt, in this process."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    errors = io.StringIO()
    with tempfile.NamedTemporaryFile(suffix=".mlir") as file, _Direct() as direct:
        file.write(one.data)
        file.flush()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = gs_opt.main([file.name, *one.flags, "--debug"])
    output.flush()
    buffer = output.buffer
    assert isinstance(buffer, io.BytesIO)
    return code, buffer.getvalue(), errors.getvalue() + direct.text()


class _Direct:
    """What MLIR itself writes to the process's standard error, past Python."""

    def __enter__(self) -> "_Direct":
        self.file = tempfile.TemporaryFile()
        self.real = os.dup(2)
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_: object) -> None:
        os.dup2(self.real, 2)
        os.close(self.real)

    def text(self) -> str:
        self.file.seek(0)
        with self.file:
            return self.file.read().decode("utf-8", "replace")


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


def save(folder: Path, seed: int, found: Finding) -> Path:
    """Write the case of `found` below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    one = numbered(seed, found.number)
    path = folder / f"{found.kind}-{seed}-{found.number}.mlir"
    path.write_bytes(f"// {' '.join(one.flags)}\n".encode() + one.data)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60, help="a case is given (%(default)s)")
    parser.add_argument("--save", type=Path, default=Path("fuzz-findings"))
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    numbers = range(options.first, options.first + options.cases)
    console = Console(width=None if sys.stdout.isatty() else 100)
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("files", total=options.cases)
        for found in watch(check, options.seed, numbers, options.jobs, options.seconds):
            progress.advance(bar)
            counts["cases"] += 1
            if found is None:
                continue
            counts[found.kind] += 1
            path = save(options.save, options.seed, found)
            print(f"{found.kind} {found.number} ({path}): {found.text}", flush=True)
    crashes, hangs, complaints = (counts[kind] for kind in ("crash", "hang", "complaint"))
    print(
        f"{counts['cases']} mutated files, seed {options.seed}: {crashes} crashes, {hangs} hangs, "
        f"{complaints} tracebacks or other complaints"
    )
    return int(counts["cases"] < options.cases or crashes + hangs + complaints > 0)


if __name__ == "__main__":
    sys.exit(main())
