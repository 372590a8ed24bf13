"""How fast gs-opt starts, and goes through a file of many small parts.

`python benchmarks/opt_speed.py` prints milliseconds of a start and microseconds of a part, each the
least of some runs, in turns: gs-opt, the plain bindings in a loop, and torch-mlir-opt of the same
wheel. CPU time is printed as well, which another load on the machine changes less.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from mlir_gs import dialect
from mlir_gs.dialect._bindings import PROVIDER, PassManager, ir
from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.tools.opt import driver as opt_driver
from rich.console import Console
from rich.table import Table

_MARKER = "// -----\n"
_GS = """func.func @f{n}(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {{
  %r = "gs.gather"(%t, %i) {{gather_dims = array<i64: 0>, mode = "clip"}}
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}}
"""
_UPSTREAM = """func.func @f{n}(%t: tensor<?x64xf32>, %i: index) -> tensor<?x64xf32> {{
  %0 = arith.constant 0 : index
  %x = tensor.extract %t[%i, %0] : tensor<?x64xf32>
  %r = tensor.insert %x into %t[%0, %i] : tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}}
"""
_LOOP = "import sys; from {0} import ir; "
_ONE = "print(ir.Module.parse(open(sys.argv[1]).read(), ir.Context()))"

Reading = tuple[float, float]
"""Seconds of a clock and of the CPU."""


def _cpu() -> float:
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, who))


def least(contestants: dict[str, Callable[[], object]], runs: int) -> dict[str, Reading]:
    """The least of both for each contestant, of so many runs in turns."""
    found: dict[str, list[Reading]] = {name: [] for name in contestants}
    for _ in range(runs):
        for name, run in contestants.items():
            begin, cpu = time.perf_counter(), _cpu()
            run()
            found[name].append((time.perf_counter() - begin, _cpu() - cpu))
    return {name: (min(r[0] for r in rs), min(r[1] for r in rs)) for name, rs in found.items()}


def command(words: Sequence[str]) -> Callable[[], object]:
    return lambda: subprocess.run(words, stdout=subprocess.DEVNULL, check=True)


def starts(path: str, runs: int) -> dict[str, Reading]:
    """One start of each tool on a small file of upstream's ops."""
    ours = [sys.executable, "-m", "mlir_gs.tools.gs_opt"]
    contestants = {
        "gs-opt --version": command([*ours, "--version"]),
        "gs-opt FILE": command([*ours, path]),
        "gs-opt FILE --isolate=false": command([*ours, path, "--isolate=false"]),
        "the bindings, parse and print": command(
            [sys.executable, "-c", _LOOP.format(PROVIDER) + _ONE, path]
        ),
    }
    other = stock_tool()
    if other is not None:
        contestants["torch-mlir-opt FILE"] = command([other, path])
    return least(contestants, runs)


def stock_tool() -> str | None:
    """The provider's own mlir-opt, where the wheel has one."""
    path = Path(provider_module("_mlir_libs").__file__ or "").parent / "torch-mlir-opt"
    return str(path) if path.is_file() else None


def parts(template: str, count: int, passes: Sequence[str], runs: int) -> dict[str, Reading]:
    """One file of `count` parts through each tool; a start of a process is taken off."""
    texts = [template.format(n=n) for n in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path, first, gs = (str(Path(folder) / name) for name in ("all", "one", "gs.irdl.mlir"))
        Path(path).write_text(_MARKER.join(texts))
        Path(first).write_text(texts[0])
        Path(gs).write_text(dialect.irdl_text())
        flags = [f"--{name}" for name in passes]
        contestants: dict[str, Callable[[], object]] = {
            "gs-opt": lambda: _quietly([path, "--split-input-file", *flags]),
            "the bindings in a loop": lambda: _loop(texts, passes),
        }
        other = stock_tool()
        if other is not None:
            words = [other, f"--irdl-file={gs}", *flags]
            contestants["torch-mlir-opt"] = command([*words, "--split-input-file", path])
            contestants["start"] = command([*words, first])
        found = least(contestants, runs)
    start = found.pop("start", None)
    if start is not None:
        wall, cpu = found["torch-mlir-opt"]
        found["torch-mlir-opt"] = (wall - start[0], cpu - start[1])
    return found


def _quietly(arguments: list[str]) -> None:
    before = sys.stdout
    with open(os.devnull, "w") as sys.stdout:
        try:
            assert opt_driver.run(arguments) == 0
        finally:
            sys.stdout = before


def _loop(texts: Sequence[str], passes: Sequence[str]) -> None:
    """What a short script does: one context, and upstream's calls."""
    context = dialect.context()
    manager = None
    if passes:
        manager = PassManager.parse(f"builtin.module({','.join(passes)})", context)
    for text in texts:
        module = ir.Module.parse(text, context)
        if manager is not None:
            manager.run(module.operation)
        module.operation.get_asm(assume_verified=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 100)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(_UPSTREAM.format(n=0))
        file.flush()
        table = _table("A start", "ms")
        for name, (wall, cpu) in starts(file.name, options.runs).items():
            table.add_row(name, f"{wall * 1e3:.0f}", f"{cpu * 1e3:.0f}")
    console.print(table)
    for title, template in (("upstream's ops", _UPSTREAM), ("a gs.gather", _GS)):
        for passes in ([], ["canonicalize", "cse"]):
            names = " and ".join(passes) or "no pass"
            table = _table(f"{options.parts} parts with {title}, {names}", "us a part")
            found = parts(template, options.parts, passes, options.runs)
            for name, reading in found.items():
                table.add_row(name, *(f"{s / options.parts * 1e6:.0f}" for s in reading))
            console.print(table)
    return 0


def _table(title: str, unit: str) -> Table:
    table = Table(title=title)
    table.add_column("")
    for name in ("wall", "CPU"):
        table.add_column(f"{name}, {unit}", justify="right")
    return table


if __name__ == "__main__":
    sys.exit(main())
