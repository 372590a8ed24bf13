"""Computing on gathered rows beside torch, torch.compile, ONNX Runtime and JAX, in one process.

    python benchmarks/rows_peers.py                        # one thread
    python benchmarks/rows_peers.py --threads 2 --json rows.jsonl --slice 1/4

Quantized bags and rows, softmax over segments, products of gathered rows and of groups of rows, and
attention over pages. Each line: the case, microseconds of each party (medians of turns), and how
many times faster mlir_gs is than the fastest of the others. Results are compared first: bags of
torch bit by bit. A peer that is not installed leaves out the cases that need it. `--json` adds a
line for each case to a file; `--slice 2/4` runs every fourth case from the second on; `--summary`
reads such a file and prints a page of it, with the least time that each party took in any run.
"""

import argparse
import json
import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any


def _arguments(argv: Sequence[str] | None) -> Any:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="of each party (default: 1)")
    parser.add_argument(
        "--best", action="store_true", help="least times of more turns: for a busy machine"
    )
    parser.add_argument("--only", default="", help="cases whose name begins with this")
    parser.add_argument("--slice", default="1/1", help="I/N: the I-th of N parts of the cases")
    parser.add_argument("--json", help="the file that a line is added to for each case")
    parser.add_argument("--summary", help="print a page of such a file, and run nothing")
    return parser.parse_args(argv)


def _alone(threads: int) -> None:
    """Before anything is imported that has threads."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    # As in a process without torch, in which threads of kernels wait for the next one for a while.
    os.environ.setdefault("KMP_BLOCKTIME", "200")
    # Where JAX finds a GPU it takes that.
    os.environ["JAX_PLATFORMS"] = "cpu"
    if threads == 1:
        flags = "--xla_cpu_multi_thread_eigen=false"
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " " + flags
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])


def _cases(threads: int, only: str, part: str) -> Iterator[Any]:
    import ml_dtypes
    import mlir_gs as gs
    import numpy as np
    import rows_compute
    import rows_tables
    import torch

    torch.set_num_threads(threads)
    known = (
        rows_tables.bags(torch, np, ml_dtypes, gs),
        rows_tables.blocks(torch, np, ml_dtypes, gs, threads),
        rows_tables.softmaxes(torch, np, gs),
        rows_compute.products(torch, np, gs, threads),
        rows_compute.groups(torch, np, gs),
        rows_compute.attention(torch, np, gs),
    )
    mine, count = map(int, part.split("/"))
    chosen = [case for cases in known for case in cases if case[0].startswith(only)]
    for name, make in chosen[mine - 1 :: count]:
        try:
            yield name, make()
        except ImportError as error:
            print(f"{name}: left out, {error}")


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    if arguments.summary:
        with open(arguments.summary, encoding="utf-8") as file:
            _page([json.loads(line) for line in file])
        return 0
    _alone(arguments.threads)
    import numpy as np
    from timing import Contestant, compete

    results = []
    for name, parties in _cases(arguments.threads, arguments.only, arguments.slice):
        contestants = [Contestant(party, party, call) for party, call in parties.items()]
        best = arguments.best
        for _ in compete(contestants, 6 if best else 3, 0.02, 0.05):
            pass
        of_all = min if best else np.median
        found = {each.name: 1e6 * float(of_all(each.samples)) for each in contestants}
        results.append({"case": name, "threads": arguments.threads, "us": found})
        ours = found["mlir_gs"]
        others = "  ".join(f"{party} {t:9.1f}" for party, t in found.items() if party != "mlir_gs")
        print(f"{name:42} mlir_gs {ours:9.1f}  {others}  x{_ratio(results[-1]):.2f}", flush=True)
        if arguments.json:
            with open(arguments.json, "a", encoding="utf-8") as file:
                print(json.dumps(results[-1]), file=file)
    _means(results)
    return 0


def _ratio(result: dict[str, Any]) -> float:
    times = dict(result["us"])
    ours = times.pop("mlir_gs")
    return min(times.values()) / ours


def _groups(results: Sequence[dict[str, Any]]) -> list[tuple[str, int, int, float, float]]:
    """Kind of case, threads, number of cases, geometric mean and least of the ratios."""
    groups = defaultdict(list)
    for result in results:
        groups[result["case"].split()[0], result["threads"]].append(_ratio(result))
    return [
        (*key, len(each), math.exp(sum(map(math.log, each)) / len(each)), min(each))
        for key, each in groups.items()
    ]


def _means(results: Sequence[dict[str, Any]]) -> None:
    for group, threads, count, mean, least in _groups(results):
        print(
            f"{group:10} {threads} threads, {count} cases: geometric mean x{mean:.2f}, least"
            f" x{least:.2f}"
        )


def _page(results: Sequence[dict[str, Any]]) -> None:
    """The least times of each case, and their means, in Markdown."""
    from peers import machine

    least: dict[tuple[str, int], dict[str, float]] = {}
    for result in results:
        times = least.setdefault((result["case"], result["threads"]), {})
        for party, time in result["us"].items():
            times[party] = min(time, times.get(party, time))
    merged = [{"case": c, "threads": t, "us": us} for (c, t), us in least.items()]
    print("# Computing on gathered rows, beside the libraries\n")
    here = machine()
    packages = ", ".join(f"{name} {version}" for name, version in here["packages"].items())
    print(f"{here['cpus']} CPUs of {here['cpu']}, Python {here['python']}, {packages}.")
    print("Each time is the least of all turns, which the parties took one after the other.\n")
    print("| cases | threads | number | geometric mean, best other / mlir_gs | least |")
    print("| --- | --- | --- | --- | --- |")
    for group, threads, count, mean, lowest in sorted(_groups(merged)):
        print(f"| {group} | {threads} | {count} | {mean:.2f} | {lowest:.2f} |")
    print("\n| case | threads | mlir_gs, us | others, us | best other / mlir_gs |")
    print("| --- | --- | --- | --- | --- |")
    for result in sorted(merged, key=lambda each: (each["threads"], each["case"])):
        times = dict(result["us"])
        ours = times.pop("mlir_gs")
        others = ", ".join(f"{party} {time:.1f}" for party, time in sorted(times.items()))
        print(
            f"| {result['case']} | {result['threads']} | {ours:.1f} | {others} |"
            f" {_ratio(result):.2f} |"
        )


if __name__ == "__main__":
    sys.exit(main())
