"""The command line that the fuzzers of this folder share."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from watched import Check, Finding, watch

Keep = Callable[[Path, int, Finding], Path]
"""Writes the case of a finding, of this seed, into the folder; returns the file."""

_TOLD = 1000
"""After so many cases a log has a line."""

_BAD = ("crash", "hang", "complaint")


def campaign(doc: str, check: Check, cases: str, complaints: str, keep: Keep | None = None) -> int:
    """Read the command line, run `check` on as many cases as it says and print what goes wrong and
    the figures; returns the exit code. `cases` and `complaints` say what those are."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60, help="a case is given (%(default)s)")
    if keep is not None:
        parser.add_argument("--save", type=Path, default=Path("fuzz-findings"))
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    numbers = range(options.first, options.first + options.cases)
    console = Console(width=None if sys.stdout.isatty() else 100)
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task(cases, total=options.cases)
        for found in watch(check, options.seed, numbers, options.jobs, options.seconds):
            progress.advance(bar)
            counts["cases"] += 1
            if not sys.stdout.isatty() and counts["cases"] % _TOLD == 0:
                print(f"{counts['cases']} of {options.cases}", flush=True)
            if found is None:
                continue
            counts[found.kind] += 1
            place = "" if keep is None else f" ({keep(options.save, options.seed, found)})"
            print(f"{found.kind} {found.number}{place}: {found.text}", flush=True)
    crashes, hangs, told = (counts[kind] for kind in _BAD)
    isolated = f"; {counts['isolated']} crashes of MLIR that became a line" if keep else ""
    print(
        f"{counts['cases']} {cases}, seed {options.seed}: {crashes} crashes, {hangs} hangs, "
        f"{told} {complaints}{isolated}"
    )
    return int(counts["cases"] < options.cases or any(counts[kind] for kind in _BAD))
