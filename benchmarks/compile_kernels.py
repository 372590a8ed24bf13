"""What it takes to compile each workload, from text to something to call.

`python benchmarks/compile_kernels.py` compiles all, or those named (`G S07`), by turns for one
thread and for two, in one process that has compiled before, and prints ms: all of it, of which
LLVM's, and of which our own passes'. Where another thread makes a part of the code, LLVM's is what
is waited for. No code comes from the disk, and freeing kernels is not in the figures.
`--json PATH` keeps them, and writes a table and a plot next to it. `compile_time.py` has the
first kernel of a process, and what others take for the same op.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import timing
from catalogue import chosen
from mlir_gs.execution import compile
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.disk import cached
from mlir_gs.lowering.passes.registry import registered_passes
from peers import machine
from plots import pyplot_for_files, write_caption
from report import machine_line
from rich.console import Console
from rich.progress import track

WANTED = 60.0
"""ms in which a kernel is to be compiled."""

THREADS = (1, 2)
PARTS = ("all", "LLVM", "own passes")


class Clock:
    """`seconds` that some functions took, since it was set to 0."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.perf_counter() - begun

        return run


def collect(ids: list[str], repeats: int) -> dict[str, Any]:
    """Readings of each part for each workload and number of threads."""
    cached.enabled = lambda: False
    llvm, own = Clock(), Clock()
    engine.load = llvm.timed(engine.load)
    for pass_ in registered_passes().values():
        pass_.run = own.timed(pass_.run)
    found: dict[str, Any] = {}
    console = Console(stderr=True)
    for workload in track(
        chosen(ids), "compiling", console=console, disable=not console.is_terminal
    ):
        text = workload.source(False)
        readings = {threads: {part: [] for part in PARTS} for threads in THREADS}
        kept = [compile(text, threads=threads) for threads in THREADS]
        for _ in range(repeats):
            for threads in THREADS:
                llvm.seconds = own.seconds = 0.0
                begun = time.perf_counter()
                kept.append(compile(text, threads=threads))
                seconds = (time.perf_counter() - begun, llvm.seconds, own.seconds)
                for part, value in zip(PARTS, seconds, strict=True):
                    readings[threads][part].append(value)
        kept.clear()
        figures = {
            threads: {part: timing.statistics(values) for part, values in parts.items()}
            for threads, parts in readings.items()
        }
        found[workload.id] = {"title": workload.title, "threads": figures}
    return {
        "machine": machine(),
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "rounds": repeats,
        "kernels": found,
    }


def _ms(figures: dict[str, Any], key: str = "median") -> float:
    return figures[key] * 1e3


def _slowest_first(results: dict[str, Any]) -> list[tuple[str, Any]]:
    def slowest(item: tuple[str, Any]) -> float:
        return -max(_ms(parts["all"]) for parts in item[1]["threads"].values())

    return sorted(results["kernels"].items(), key=slowest)


def markdown(results: dict[str, Any]) -> str:
    """The table, the slowest kernel first."""
    lines = ["# Time to compile the workloads", "", machine_line(results), ""]
    for threads in THREADS:
        times = [_ms(k["threads"][threads]["all"]) for k in results["kernels"].values()]
        over = [
            id for id, k in _slowest_first(results) if _ms(k["threads"][threads]["all"]) > WANTED
        ]
        middle = timing.statistics(times)["median"]
        named = f": {', '.join(over)}" if over else ""
        lines += [
            f"Threads: {threads}. Median of {len(times)} kernels {middle:.1f} ms; more than "
            f"{WANTED:.0f} ms take {len(over)}{named}.",
            "",
        ]
    heads = [f"{part}, ms, {threads} thr." for threads in THREADS for part in PARTS]
    lines += [f"| id | workload | {' | '.join(heads)} |", "|---" * (2 + len(heads)) + "|"]
    for id, kernel in _slowest_first(results):
        cells = []
        for threads in THREADS:
            whole, *parts = kernel["threads"][threads].values()
            cells.append(f"{_ms(whole):.1f} ({_ms(whole, 'q1'):.1f}-{_ms(whole, 'q3'):.1f})")
            cells += [f"{_ms(part):.1f}" for part in parts]
        lines.append(f"| {id} | {kernel['title']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def plot(results: dict[str, Any], path: Path) -> None:
    """Bars for each kernel; none without matplotlib."""
    pyplot = pyplot_for_files()
    if pyplot is None:
        return
    kernels = _slowest_first(results)
    size = (14, 2 + 0.18 * len(kernels))
    figure, axes = pyplot.subplots(1, len(THREADS), figsize=size, sharex=True)
    for axis, threads in zip(axes, THREADS, strict=True):
        figures = [kernel["threads"][threads] for _, kernel in kernels]
        llvm, own = ([_ms(parts[part]) for parts in figures] for part in PARTS[1:])
        rest = [_ms(f["all"]) - a - b for f, a, b in zip(figures, llvm, own, strict=True)]
        begins = [0.0] * len(kernels)
        parts = ((llvm, "LLVM", "#444444"), (own, "passes of gs", "#888888"))
        for widths, label, color in (*parts, (rest, "passes of MLIR", "#cccccc")):
            axis.barh(range(len(kernels)), widths, left=begins, label=label, color=color)
            begins = [begin + width for begin, width in zip(begins, widths, strict=True)]
        axis.axvline(WANTED, color="black", linewidth=1)
        names = [f"{id}  {kernel['title']}" if axis is axes[0] else id for id, kernel in kernels]
        axis.set_yticks(range(len(kernels)), names, fontsize=6)
        axis.set_ylim(len(kernels) - 0.5, -0.5)
        axis.set_xlabel("ms to compile")
        axis.set_title(f"{threads} thread{'s' if threads > 1 else ''}")
        axis.legend(fontsize=8, loc="lower right")
    figure.tight_layout()
    figure.suptitle(f"Time from text to a kernel: {path.stem}", y=1, va="bottom")
    text = f"Median of each workload's kernel. The line at {WANTED:.0f} ms is the aim."
    write_caption(figure, f"{text}\n{machine_line(results)}")
    figure.savefig(path, dpi=100, bbox_inches="tight")
    pyplot.close(figure)


def _read(path: Path) -> dict[str, Any]:
    """Kept results; JSON has numbers of threads as texts."""
    results = json.loads(path.read_text(encoding="utf-8"))
    for kernel in results["kernels"].values():
        kernel["threads"] = {int(count): parts for count, parts in kernel["threads"].items()}
    return results


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("workloads", nargs="*", help="by id or the start of one; all if none")
    parser.add_argument("--repeats", type=int, default=7, help="readings of each (%(default)s)")
    parser.add_argument("--json", type=Path, help="keep them; .md and .png are written next to it")
    text = "show the results in this file again, and run nothing"
    parser.add_argument("--report", type=Path, help=text)
    options = parser.parse_args()
    if options.repeats < 1:
        parser.error("--repeats: at least 1")
    try:
        if options.report:
            results = _read(options.report)
        else:
            results = collect(options.workloads, options.repeats)
    except ValueError as error:
        parser.error(str(error))
    table = markdown(results)
    print(table, end="")
    if target := options.json or options.report:
        target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        target.with_suffix(".md").write_text(table, encoding="utf-8")
        plot(results, target.with_suffix(".png"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
