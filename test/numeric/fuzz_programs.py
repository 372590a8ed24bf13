"""Random programs under hypothesis: compiled code, reference and NumPy against each other.

    python test/numeric/fuzz_programs.py --programs 20000 --seed 0
    python test/numeric/fuzz_programs.py --programs 3000 --small-sizes
    python test/numeric/fuzz_programs.py --programs 20000 --road linalg

With --small-sizes, loops for large arrays run on small ones, too: threads, strips, prefetches.
With --road linalg, programs on tensors go through convert-gs-to-linalg and upstream's passes, many
in a module: what goes wrong is not shrunk.
Takes three quarters of an hour on two cores. A program that goes wrong is shrunk by hypothesis and
printed, and the command exits with 1. The same seed and number of jobs give the same programs.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

import hypothesis
import small_sizes
from draw import HypothesisDraw, RandomDraw
from harness import check, check_reference
from hypothesis import strategies as st
from linalg_road import Way, check_linalg
from program import Program
from random_programs import OPS, any_program
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

_CONTEXT = get_context("spawn")


@dataclass(frozen=True)
class Task:
    """What one process runs."""

    programs: int
    seed: int
    ops: tuple[str, ...]
    reference_only: bool
    small_sizes: bool
    road: str = "scf"


BATCH = 64
"""Programs in a module on the road of linalg."""


@st.composite
def programs(draw: st.DrawFn, ops: tuple[str, ...] = OPS) -> Program:
    """A random program of one of `ops`."""
    return any_program(HypothesisDraw(draw), ops)


def complaints(program: Program, reference_only: bool = False) -> str:
    """What is wrong with a program, with its text; empty if nothing is."""
    if reference_only:
        findings = check_reference([program])
    else:
        # On one thread or two: the result is that of the sequential loop. On arrays with strides
        # now and then, unless they are memrefs, whose type says how they lie.
        turn = len(program.text)
        findings = check([program], 1 + turn % 2, turn % 5 == 0 and not program.written)
    if not findings:
        return ""
    arguments = "".join(f"\n  {argument!r}" for argument in program.arguments)
    return "\n".join(map(str, findings)) + f"\n{program.text}arguments:{arguments}"


def _work(pipe: Connection, task: Task) -> None:
    """Run a task; send ("program", op, text) before each program, and what goes wrong: ("wrong",
    all about it), or ("failed", text) of the program that was sent last."""
    if task.road == "linalg":
        _work_on_linalg(pipe, task)
        return
    if task.small_sizes:
        os.environ["MLIR_GS_CACHE"] = "off"
        small_sizes.apply()

    @hypothesis.seed(task.seed)
    @hypothesis.settings(
        max_examples=task.programs,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    @hypothesis.given(programs(task.ops))
    def every_party_agrees(program: Program) -> None:
        pipe.send(("program", program.op, program.text))
        found = complaints(program, task.reference_only)
        if found:
            raise AssertionError(found)

    try:
        every_party_agrees()
    except Exception as error:
        pipe.send(("failed", f"{type(error).__name__}: {error}"))
    pipe.close()


def on_tensors(seed: int, ops: tuple[str, ...] = OPS) -> Iterator[Program]:
    """Random programs on tensors without end."""
    for number in count():
        program = any_program(RandomDraw((seed, number)), ops)
        if not program.written:
            yield program


def _work_on_linalg(pipe: Connection, task: Task) -> None:
    programs = on_tensors(task.seed, task.ops)
    for number, start in enumerate(range(0, task.programs, BATCH)):
        batch = list(islice(programs, min(BATCH, task.programs - start)))
        found = check_linalg(
            batch, Way.turn(number), lambda one: pipe.send(("program", one.op, one.text))
        )
        for finding in found:
            pipe.send(("wrong", f"{finding}\n{finding.program.text}"))
    pipe.close()


def run(tasks: list[Task], console: Console) -> tuple[Counter[str], list[str]]:
    """How many programs of each op ran, and what failed."""
    ran: Counter[str] = Counter()
    failed: list[str] = []
    latest: dict[Connection, str] = {}
    processes = {}
    for task in tasks:
        pipe, other = _CONTEXT.Pipe(duplex=False)
        process = _CONTEXT.Process(target=_work, args=(other, task), daemon=True)
        process.start()
        other.close()
        processes[pipe] = process
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("programs", total=sum(task.programs for task in tasks))
        while processes:
            for ready in wait(list(processes)):
                assert isinstance(ready, Connection)
                try:
                    message = ready.recv()
                except EOFError:
                    process = processes.pop(ready)
                    process.join()
                    if process.exitcode:
                        failed.append(f"exit code {process.exitcode} in\n{latest.get(ready)}")
                    continue
                if message[0] == "wrong":
                    failed.append(message[1])
                    continue
                if message[0] == "failed":
                    # Hypothesis ends with the program that it reports.
                    text = latest.get(ready, "")
                    failed.append(message[1] if text in message[1] else f"{message[1]}\n{text}")
                    continue
                _, op, latest[ready] = message
                ran[op] += 1
                progress.advance(bar)
    return ran, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--op", action="append", choices=OPS, help="only this op")
    parser.add_argument("--reference-only", action="store_true", help="reference against NumPy")
    parser.add_argument("--road", choices=("scf", "linalg"), default="scf")
    parser.add_argument("--small-sizes", action="store_true", help="all loops at any size")
    options = parser.parse_args()
    jobs = max(1, min(options.jobs, options.programs))
    share = [options.programs // jobs + (n < options.programs % jobs) for n in range(jobs)]
    tasks = [
        Task(
            programs_of_job,
            options.seed * 1000 + n,
            tuple(options.op or OPS),
            options.reference_only,
            options.small_sizes,
            options.road,
        )
        for n, programs_of_job in enumerate(share)
    ]
    console = Console(width=None if sys.stdout.isatty() else 100)
    ran, failed = run(tasks, console)
    table = Table(title=f"Random programs, seed {options.seed}")
    table.add_column("op")
    table.add_column("programs", justify="right")
    for op, number in sorted(ran.items()):
        table.add_row(op, str(number))
    table.add_section()
    table.add_row("all", str(ran.total()))
    console.print(table)
    for text in failed:
        print(text)
    short = ran.total() < options.programs
    if not failed:
        print(f"{ran.total()} programs ran without a mismatch")
    return 1 if failed or short else 0


if __name__ == "__main__":
    sys.exit(main())
