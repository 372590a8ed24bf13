"""The speed of gather and scatter against the peers, in one run.

    python benchmarks/run.py                       # everything: 1 thread and all CPUs
    python benchmarks/run.py G04 S --threads 2 --peers torch,numba --json results.json
    python benchmarks/run.py --quick               # tiny sizes: does it run, is it right?

Beside results.json come results.md and, if matplotlib is installed, results.png. Exits with 1 if a
result of ours is wrong or a workload failed. What was measured is saved as the run goes on.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plots
import report
import summary
from catalogue import chosen
from peers import PACKAGES, environment, machine, missing
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

ROUNDS = 4
PROCESSES = 2


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    if options.report:
        results = json.loads(options.report.read_text(encoding="utf-8"))
    else:
        results = collect(options)
    text = report.markdown(results)
    print(text)
    target = options.json or options.report
    if target:
        _save(results, target)
        target.with_suffix(".md").write_text(text, encoding="utf-8")
        if plots.plot(results, target.with_suffix(".png")) is None:
            print("left out: the plot, matplotlib is not installed")
    return 1 if results["failed"] else 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    both = sorted({1, cpus or 1})
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("workloads", nargs="*", help="ids, or how they start (G04, S); all if none is named")
    add("--threads", type=_counts, default=both, help="numbers of threads, such as 1,2")
    add("--peers", type=_names, default=list(PACKAGES), help=f"from {','.join(PACKAGES)}; or none")
    add("--json", type=Path, help="file for the results; .md and .png are written next to it")
    add("--quick", action="store_true", help="tiny sizes, two rounds in one process, no pauses")
    add("--processes", type=int, default=None, help=f"one after the other ({PROCESSES})")
    add("--repeats", type=int, default=None, help=f"rounds of turns in each ({ROUNDS})")
    text = "bytes after a cache line that arrays begin (0; NumPy's large ones begin 16 after one)"
    add("--begin", type=int, default=0, choices=range(0, 64, 16), help=text)
    add("--report", type=Path, help="show the results in this file again, and run nothing")
    options = parser.parse_args(arguments)
    try:
        options.chosen = chosen(options.workloads)
    except ValueError as error:
        parser.error(str(error))
    if max(options.threads) > (cpus or 1):
        parser.error(f"--threads: this process may use {cpus} CPUs")
    if options.repeats is None:
        options.repeats = 2 if options.quick else ROUNDS
    if options.processes is None:
        options.processes = 1 if options.quick else PROCESSES
    for name in ("repeats", "processes"):
        if getattr(options, name) < 1:
            parser.error(f"--{name}: at least 1")
    try:
        if options.json:
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.touch()
        if options.report:
            options.report.open(encoding="utf-8").close()
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    return options


def _counts(text: str) -> list[int]:
    counts = sorted({int(part) for part in text.split(",")})
    if counts[0] < 1:
        raise argparse.ArgumentTypeError("numbers of 1 or more")
    return counts


def _names(text: str) -> list[str]:
    names = [] if text == "none" else text.split(",")
    unknown = [name for name in names if name not in PACKAGES]
    if unknown:
        raise argparse.ArgumentTypeError(f"no peer {', '.join(unknown)}")
    return names


def collect(options: argparse.Namespace) -> dict[str, Any]:
    """Run the workloads with each number of threads, in some processes one after the other."""
    results: dict[str, Any] = {
        "machine": machine(),
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "quick": options.quick,
        "rounds": options.repeats,
        "processes": options.processes,
        "begin": options.begin,
        "left_out": {kind: why for kind in options.peers if (why := missing(kind))},
        "results": [],
        "failed": [],
    }
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = [TextColumn(c) if isinstance(c, str) else c for c in columns]
    # It draws between turns only: a thread that draws would take time from what is measured.
    with Progress(*shown, console=Console(stderr=True), auto_refresh=False) as bar:
        runs = [threads for threads in options.threads for _ in range(options.processes)]
        everything = bar.add_task("workloads", total=len(runs) * len(options.chosen))
        one = bar.add_task("", total=1)
        measured: dict[tuple[int, str], list[dict[str, Any]]] = {}
        rows: dict[tuple[int, str], dict[str, Any]] = {}
        for threads in runs:
            for event in events(options, threads):
                _show(event, bar, everything, one)
                if event["event"] == "failed":
                    results["failed"].append(event)
                elif event["event"] == "measured":
                    key = (threads, event["id"])
                    measured.setdefault(key, []).append(event)
                    # No other row: the worker goes on meanwhile.
                    rows[key] = summary.result(measured[key])
                    results["results"] = list(rows.values())
                else:
                    continue
                _save(results, options.json)
    return results


def _save(results: dict[str, Any], target: Path | None) -> None:
    if target:
        target.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _show(event: dict[str, Any], bar: Progress, everything: Any, one: Any) -> None:
    match event["event"]:
        case "turns":
            bar.reset(one, total=event["total"], description=event["id"])
        case "turn":
            bar.advance(one)
        case "measured":
            result = summary.result([event])
            peer = report.best(result)
            ratio = f", {report.ratio(result, peer):.2f} x {peer}" if peer else ""
            micros = result["ours"]["median"] * 1e6
            bar.print(f"{result['id']}  {result['threads']} threads  {micros:.1f} us{ratio}")
            bar.advance(everything)
        case "failed":
            bar.print(f"[red]{event['id']} failed: {event['why']}")
            bar.advance(everything)
    bar.refresh()


def events(options: argparse.Namespace, threads: int) -> Iterator[dict[str, Any]]:
    """The events of the worker; a failure for each workload that it did not get to."""
    ids = [workload.id for workload in options.chosen]
    task = {
        "threads": threads,
        "workloads": ids,
        "peers": options.peers,
        "rounds": options.repeats,
        "quick": options.quick,
        "begin": options.begin,
    }
    command = [sys.executable, str(Path(__file__).with_name("worker.py")), json.dumps(task)]
    variables = {**os.environ, **environment(threads)}
    done = set()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables) as worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            event = json.loads(line)
            if event["event"] in ("measured", "failed"):
                done.add(event["id"])
            yield event
    for id in ids:
        if id not in done:
            why = f"the process ended with {worker.returncode}"
            yield {"event": "failed", "id": id, "threads": threads, "why": why}


if __name__ == "__main__":
    sys.exit(main())
