"""Workloads that a seed draws, against their obvious peers: what a user may expect untuned.

`python benchmarks/random_workloads.py --seeds 0-9 --json FILE` draws an access, a door (functions,
IR, `torch.compile(backend="mlir_gs")`, `mlir_gs.integrations.jax.kernel`), sizes, types, how
coordinates are spread and alignments, and times ours, NumPy, torch, jax.jit, a loop for numba, and
inductor where the door is torch.compile, and a call through torch.compile or jax.jit that computes
nothing. Each has a process of its own for each number of threads, and they take turns. Results are
compared with NumPy's. A part of the seeds may run at a time: rows are appended.

`--report FILE` prints the tables of such runs. `--report FILE --page PAGE --readme README.md`
writes them to a page, with the machine and the commit, and the means to README.md.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from peers import commit, machine
from random_draw import READS, WRITES, Draw
from random_tables import DOORS, PEERS, SAME_DOOR, page, shorten, tables

MOST_BYTES = 1 << 26
PAUSE = 0.2
"""Seconds before a party, in which threads of the last one go to sleep."""


def draw(seed: int) -> Draw:
    """The workload of a seed."""
    rng = random.Random(seed)
    access = rng.choice([*READS, *WRITES])
    door = rng.choice(DOORS)
    sums = access in ("add", "segments", "messages", "bins")
    dtypes = ("float32", "float64", "int32", "int64", *(() if sums else ("float16", "uint8")))
    dtype = "float64" if access == "bins" else rng.choice(dtypes)
    width = 1 if access == "bins" else rng.choice([1, 2, 3, 4, 7, 8, 16, 32, 48, 64, 100, 128, 256])
    most = MOST_BYTES // (width * np.dtype(dtype).itemsize * (8 if access == "pairs" else 1))
    rows, count = (round(10 ** rng.uniform(2, math.log10(min(most, 4e6)))) for _ in range(2))
    return Draw(
        seed,
        access,
        door,
        rows,
        width,
        count,
        dtype,
        rng.choice(["int32", "int64"]),
        rng.choice(["uniform", "zipf", "sorted", "clustered", "permuted", "strided"]),
        rng.choice([0, 0, 16, 32]),
    )


class Party:
    """A process that runs one party on so many threads."""

    def __init__(self, name: str, threads: int, folder: str) -> None:
        self.name, self.result = name, str(Path(folder) / f"{name}-{threads}.npy")
        numbers = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "MLIR_GS_THREADS")
        command = [sys.executable, str(Path(__file__).with_name("random_parties.py"))]
        self.process = subprocess.Popen(
            [*command, name, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **dict.fromkeys(numbers, str(threads))},
        )

    def ask(self, drawn: Draw, seconds: float) -> dict[str, Any]:
        task = {"draw": asdict(drawn), "seconds": seconds, "result": self.result}
        assert self.process.stdin
        assert self.process.stdout
        try:
            print(json.dumps(task), file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        return json.loads(answer) if answer else {"why": "the process died"}

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def differs(drawn: Draw, found: str, expected: str) -> str:
    """How a result differs from NumPy's, empty if it does not."""
    ours, theirs = np.load(found), np.load(expected)
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"{ours.shape} {ours.dtype} where NumPy has {theirs.shape} {theirs.dtype}"
    if drawn.access in (*READS, "set") or theirs.dtype.kind != "f":
        return "" if np.array_equal(ours, theirs) else "other elements than NumPy's"
    least = np.abs(theirs).max(initial=0) * (1e-5 if theirs.dtype == np.float32 else 1e-10)
    return "" if np.abs(ours - theirs).max(initial=0) <= least else "other sums than NumPy's"


def timed(
    drawn: Draw, parties: dict[tuple[str, int], Party], rounds: int, seconds: float
) -> dict[int, dict[str, Any]]:
    """For each number of threads the least microseconds of each party over the rounds, or why there
    are none."""
    names = _parties(drawn)
    turns = [key for key in parties if key[0] in names]
    found: dict[tuple[str, int], list[float]] = {key: [] for key in turns}
    why: dict[tuple[str, int], str] = {}
    order = random.Random(drawn.seed)
    # What is compiled is compiled first.
    for number in range(rounds + 1):
        for name, threads in turns if not number else order.sample(turns, len(turns)):
            key = name, threads
            if key in why:
                continue
            if number:
                time.sleep(PAUSE)
            answer = parties[key].ask(drawn, seconds if number else 0.0)
            if "us" not in answer:
                why[key] = answer["why"]
            elif number:
                found[key].append(answer["us"])
            elif name != "numpy" and not name.startswith("idle"):
                expected = parties["numpy", threads].result
                wrong = differs(drawn, parties[key].result, expected)
                if wrong:
                    why[key] = wrong
    of_each: dict[int, dict[str, Any]] = {}
    for (name, threads), each in found.items():
        row = of_each.setdefault(threads, {"times": {}, "why": {}})
        if each:
            row["times"][name.split()[0]] = min(each)
        if (name, threads) in why:
            row["why"][name] = why[name, threads]
    return of_each


def _peers(drawn: Draw) -> list[str]:
    """The peers of a workload: inductor, which compiles C++ for seconds, through its door alone."""
    return [name for name in PEERS if name != "inductor" or drawn.door == "torch"]


def _parties(drawn: Draw) -> list[str]:
    """The peers, ours, and a call through the same framework that computes nothing."""
    idle = [f"idle {drawn.door}"] if drawn.door in SAME_DOOR else []
    return [*_peers(drawn), f"ours {drawn.door}", *idle]


def main() -> int:
    """Time seeds, or report; 1 if a result of ours was wrong or missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", default="0-9", help="as 3,5-8 (%(default)s)")
    parser.add_argument("--doors", default=",".join(DOORS), help="of these alone (%(default)s)")
    parser.add_argument(
        "--threads",
        type=int,
        nargs="+",
        default=[1],
        help="numbers of threads; runs with each alternate (1)",
    )
    parser.add_argument("--rounds", type=int, default=2, help="turns of each party (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.1, help="of a turn (%(default)s)")
    parser.add_argument("--json", type=Path, help="rows are appended to this file")
    parser.add_argument("--report", type=Path, help="print the tables of such a file, and end")
    parser.add_argument("--page", type=Path, help="of --report: write them to this file")
    parser.add_argument("--readme", type=Path, help="of --report: and the means to this file")
    options = parser.parse_args()
    if options.report:
        rows = [json.loads(line) for line in options.report.read_text().splitlines()]
        if options.page:
            options.page.write_text(page(rows))
        if options.readme:
            options.readme.write_text(shorten(rows, options.readme.read_text()))
        if not (options.page or options.readme):
            print(tables(rows))
        return 0
    rows = []
    about = {"commit": commit(), "date": f"{date.today()}", "machine": machine()}
    with tempfile.TemporaryDirectory() as folder:
        wanted = [draw(seed) for seed in numbers(options.seeds)]
        wanted = [one for one in wanted if one.door in options.doors.split(",")]
        used = dict.fromkeys(name for one in wanted for name in _parties(one))
        parties = {(name, n): Party(name, n, folder) for name in used for n in options.threads}
        for drawn in wanted:
            of_each = timed(drawn, parties, options.rounds, options.seconds)
            for threads, found in of_each.items():
                rows.append({"threads": threads, "draw": asdict(drawn), "about": about} | found)
                if options.json:
                    with options.json.open("a") as file:
                        file.write(json.dumps(rows[-1]) + "\n")
        for party in parties.values():
            party.end()
    print(tables(rows))
    return int(any("ours" not in row["times"] for row in rows))


def numbers(text: str) -> list[int]:
    """Those that a text such as `3,5-8` names."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


if __name__ == "__main__":
    sys.exit(main())
