"""Random chains of ops, optimized against unoptimized against the reference.

    python test/numeric/fuzz_rewrites.py --programs 5000 --seed 0

Takes about an hour on two cores. Each program is run by the reference as it is and after
`gs-infer` and `gs-optimize`, and compiled as it is and after them, one in four by way
of linalg as well; all must agree bit for bit (any NaN is like another) or all must fail, also where
the op that fails has results that nobody uses. A program that goes wrong is printed with its seed,
and the command exits with 1. The table says how many ops were left of how many, and how many
programs failed.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from draw import RandomDraw
from harness import Failed, same
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline
from rewrite_programs import program
from rich.console import Console
from rich.progress import track
from rich.table import Table

PIPELINE = "gs-infer,gs-optimize,loop-invariant-code-motion"
LINALG = "gs-generalize,convert-gs-to-linalg,canonicalize,cse"
_INDIRECT = ("gs.", "linalg.generic", "linalg.fill")

Outcome = tuple[np.ndarray, ...] | Failed


def after(pipeline: str, text: str) -> str:
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        run_pipeline(module, f"builtin.module({pipeline})")
        return str(module)


def optimized(text: str) -> str:
    return after(PIPELINE, text)


def copies(arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


def by_reference(text: str, arguments: Sequence[np.ndarray]) -> Outcome:
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        try:
            return reference_run.run(module, "f", copies(arguments))
        except IndexError as error:
            return Failed(str(error))


def by_compiler(text: str, arguments: Sequence[np.ndarray]) -> Outcome:
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        run_pipeline(module, "builtin.module(convert-elementwise-to-linalg)")
        text = str(module)
    kernel = execution.compile(text, "f", threads=1, optimize=False)
    try:
        results = kernel(*copies(arguments))
    except IndexError as error:
        return Failed(str(error))
    return results if isinstance(results, tuple) else (results,)


def difference(found: Outcome, expected: Outcome) -> str | None:
    """What differs, in a line. Of several wrong coordinates either may be reported."""
    if isinstance(found, Failed) or isinstance(expected, Failed):
        if isinstance(found, Failed) and isinstance(expected, Failed):
            return None
        return f"{found}, expected {expected}"
    for number, (a, b) in enumerate(zip(found, expected, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {number} is {a.dtype}{a.shape}, expected {b.dtype}{b.shape}"
        if not same(a, b, moves=False).all():
            return f"result {number} is\n{a}\nexpected\n{b}"
    return None


def complaint(seed: int, compiles: bool = True) -> tuple[str, Counter[str]]:
    """What is wrong with program `seed`, empty if nothing is; and what is left of its ops."""
    draw = RandomDraw(seed)
    text, arguments = program(draw, seed, draw.integer(1, 9))
    shown = f"seed {seed}\n{text}"
    try:
        expected = by_reference(text, arguments)
        better = optimized(text)
        shown += f"optimized:\n{better}"
        parties = {"reference, optimized": by_reference(better, arguments)}
        if compiles:
            parties["compiled"] = by_compiler(text, arguments)
            parties["compiled, optimized"] = by_compiler(better, arguments)
        if compiles and seed % 4 == 0:
            parties["linalg"] = by_compiler(after(LINALG, text), arguments)
            parties["linalg, optimized"] = by_compiler(after(LINALG, better), arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}\n{shown}", Counter()
    for name, found in parties.items():
        wrong = difference(found, expected)
        if wrong is not None:
            return f"{name}: {wrong}\n{shown}", Counter()
    counts = Counter({"programs": 1, "ops before": _count(text), "ops after": _count(better)})
    counts["programs that failed"] = int(isinstance(expected, Failed))
    return "", counts


def _count(text: str) -> int:
    """Ops that run loops: gs, linalg, and arith on tensors."""
    lines = [line.partition(" = ")[2] for line in text.splitlines() if " = " in line]
    return sum(
        line.lstrip('"').startswith(_INDIRECT)
        or (line.startswith(("arith.", "math.")) and "tensor<" in line and "constant" not in line)
        for line in lines
    )


def _work(task: tuple[int, bool]) -> tuple[str, Counter[str]]:
    return complaint(*task)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--reference-only", action="store_true", help="compile nothing")
    options = parser.parse_args()
    first = options.seed * 1_000_000
    tasks = [(first + n, not options.reference_only) for n in range(options.programs)]
    console = Console(width=None if sys.stdout.isatty() else 100)
    total: Counter[str] = Counter()
    failed = 0
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        results = pool.map(_work, tasks, chunksize=8)
        for text, counts in track(
            results, "programs", total=len(tasks), console=console, transient=True
        ):
            total += counts
            if text:
                failed += 1
                print(text, flush=True)
    table = Table(title=f"Random chains, seed {options.seed}")
    table.add_column("what")
    table.add_column("count", justify="right")
    for name, count in total.items():
        table.add_row(name, str(count))
    console.print(table)
    if not failed:
        print(f"{total['programs']} programs ran without a mismatch")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
