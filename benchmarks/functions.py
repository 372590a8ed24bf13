"""The functions, torch.compile and JAX as users call them, against what else they would call.

    python benchmarks/functions.py                    # all, on 1 thread and on all CPUs
    python benchmarks/functions.py take mask --threads 2 --rounds 3
    python benchmarks/functions.py --small            # calls with 100 elements
    python benchmarks/functions.py "torch " "jax "    # through torch.compile and jax.jit
    python benchmarks/functions.py --json rows.jsonl --seconds 200 --resume    # again until done
    python benchmarks/functions.py --quick            # tiny sizes: is it right?

Each round has new data, in arrays as NumPy allocates them. Times are medians in us, best peer and
best library over ours. Exits with 1 if a result of ours is wrong.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from functions_work import print_means, rows_of
from peers import environment


def main() -> int:
    """Run the workloads in one process for each number of threads, and print the tables."""
    options = parse()
    if options.worker:
        # What reads the number of CPUs when it is imported comes after they are set.
        from worker import limit_cpus

        limit_cpus(options.threads[0])
        from functions_timing import run

        return run(options)
    failed = 0
    for threads in options.threads:
        command = [sys.executable, __file__, *sys.argv[1:], "--worker", "--threads", str(threads)]
        found = subprocess.run(command, env={**os.environ, **environment(threads)}, check=False)
        failed |= found.returncode
    if options.json and not failed and not options.quick:
        means(options.json)
    return int(bool(failed))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    cpus = len(os.sched_getaffinity(0))
    add = parser.add_argument
    add("names", nargs="*", help="parts of names of workloads; all if none is given")
    add("--threads", type=_counts, default=sorted({1, cpus}), help="numbers of threads: 1,2")
    add("--rounds", type=int, default=3, help="rounds, each with new data (%(default)s)")
    add("--peers", default="numpy,torch,jax,scipy,numba", help="kinds of peers (%(default)s)")
    add("--quick", action="store_true", help="tiny sizes, one round")
    add("--small", action="store_true", help="calls with 100 elements")
    add("--json", type=Path, help="file to which lines are added; the means are of all in it")
    add("--seconds", type=float, help="no workload begins later, for each number of threads")
    add("--best", action="store_true", help="the least time, not the median: for a busy machine")
    add("--resume", action="store_true", help="leave out what the file of --json has")
    add("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _counts(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def means(path: Path) -> None:
    """Print the geometric means of the last result of each workload in the file."""
    last = rows_of(path)
    for threads in sorted({key[0] for key in last}):
        rows = [row for key, row in last.items() if key[0] == threads]
        print_means(f"{path}, {threads} threads", rows)


if __name__ == "__main__":
    sys.exit(main())
