"""What `gs-tune` does."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from mlir_gs.execution.machine import cpu, measured
from mlir_gs.execution.tuning.measure import profile, tune
from mlir_gs.lowering.passes.options import options_of_class
from mlir_gs.lowering.scf.policy import NUMBERS, policy
from mlir_gs.lowering.scf.target import Target
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.options import Parser

_DESCRIPTION = """Measure this machine, in a few seconds, for loops that are made for it.

What is found, and what follows from it, is printed. It is kept in the folder of the kernels, and
`compile` goes by it from then on. Results stay the same to the bit. Run it while the machine does
nothing else. docs/targets.md says what the facts are for."""

_EXAMPLES = """examples:
  gs-tune                                     measure, print, keep
  gs-tune -o mine.json                        the same, but into a file
  gs-run gather.mlir --time --target=mine.json    the time with these facts
  gs-compile gather.mlir -o gather.o --target=mine.json    on another machine, for this one"""


def run(argv: Sequence[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError."""
    parser = Parser("gs-tune", _DESCRIPTION, _EXAMPLES)
    parser.add("-o --output FILE", "a file to write, .json, instead of keeping it")
    options = parser.read(argv)
    if options.output is not None and not options.output.endswith(".json"):
        raise UsageError(f"{options.output}: expected a file name that ends in .json")
    if options.output is None and (why := measured.obstacle()):
        raise UsageError(f"{why}: -o names a file instead")
    try:
        found = tune(options.output, _progress)
    except OSError as error:
        raise UsageError(f"{options.output}: {error.strerror}") from None
    show(found)
    if options.output is None and measured.text() != profile(found):
        return 1
    if os.getloadavg()[0] > 1 + cpu.cpu_count() / 2:
        print("the machine was busy: measure again while it does nothing else")
    kept = options.output or measured.path()
    print(f"kept in {kept}")
    return 0


def _progress(done: float, what: str) -> None:
    if sys.stderr.isatty():
        text = f"\r{done:4.0%} {what:20}" if done < 1 else f"\r{'':25}\r"
        print(text, end="", file=sys.stderr, flush=True)


def show(facts: Target) -> None:
    """Print two tables: the facts, and what follows."""
    rows = ((o.name, getattr(facts, o.field), o.help) for o in options_of_class(Target))
    _print(cpu.name(), rows)
    found = policy(facts)
    numbers = ((n.name, getattr(found, n.name), n.metadata["help"]) for n in NUMBERS)
    _print("what follows", ((name.replace("_", "-"), *rest) for name, *rest in numbers))


def _print(title: str, rows: Iterable[tuple[Any, ...]]) -> None:
    print(title)
    lines = [(n, str(v).lower() if isinstance(v, bool) else f"{v:,}", text) for n, v, text in rows]
    first, second = (max(len(line[k]) for line in lines) for k in (0, 1))
    indent = first + second + 6
    width = max(shutil.get_terminal_size().columns, indent + 20)
    for name, value, text in lines:
        head = f"  {name:{first}}  {value:>{second}}  "
        print(textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * indent))
    print()
