"""Compares the loops that three targets of one machine give, interleaved in one process.

    python benchmarks/travel.py --table zen4 --out docs/benchmarks/travel.md
    python benchmarks/travel.py --table zen4 --threads 2 G S

Three targets: the preset of that name of the table that was kept by hand before machines were
measured (`hand_kept.json`); the facts that `gs-tune` measures, now or from `--measured FILE`; what
the system tells and defaults. With --tune, also what `compile(tune=)` finds. A line for each
workload: milliseconds with the old table, the time of each of the others over that, and what the
measured facts predict (`predict.py`) over the time that is measured. The geometric means and the
median error of the prediction are a row that --out adds to a table, with the machine.

Workloads are chosen by identifier or letter; by default those of G, F, U, S and P.
"""

import argparse
import gc
import json
import math
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["MLIR_GS_CACHE"] = "off"

import predict
from catalogue import workloads
from mlir_gs.execution import compile
from mlir_gs.execution.machine import cpu, host
from mlir_gs.execution.tuning.measure import tune
from mlir_gs.lowering.scf.target import MOST
from mlir_gs.lowering.scf.targets import facts_of_text

TABLE = Path(__file__).with_name("hand_kept.json")
HEAD = "| machine | threads | workloads | {} |\n"


def by_hand(name: str, threads: int) -> str:
    """The target that stands for a preset of the old table."""
    facts = json.loads(TABLE.read_text(encoding="utf-8"))[name]["facts"]
    shares = facts.get("stream_share", [0.75, 0.75])
    share = shares[0] if threads == 1 else shares[-1]
    kinds = facts.get("hardware_gather", "never")
    level = facts.get("prefetch_level", 1)
    elements = facts.get("elements_ahead", 32) * facts.get("element_level", 1)
    numbers: dict[str, Any] = {
        "llc-bytes": host.cache_bytes(),
        "stream-bytes": round(host.cache_bytes() * share),
        "stream-scattered": facts.get("stream_scattered", True),
        "gathered-bytes": (facts.get("gathered_bytes") or MOST) if kinds == "always" else 0,
        "gathered-fill-bytes": (
            0 if kinds == "never" else facts.get("gathered_fill_bytes") or MOST
        ),
        "column-bytes": facts.get("column_bytes", 256),
        "far-bytes": facts.get("far_bytes", 4 << 20),
        "elements-ahead": elements,
        "prefetch-level": level,
        "row-ahead": facts.get("row_ahead", 8192),
        "read-ahead": facts.get("read_ahead", 0),
        "write-ahead": facts.get("write_ahead", 0),
    }
    spelled = (f"{name}={str(value).lower()}" for name, value in numbers.items())
    return ":".join(["generic", *spelled])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--table", required=True, help="a name in hand_kept.json")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--measured", type=Path, help="a file of gs-tune, instead of measuring now")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=TARGET")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turn", type=float, default=0.05, help="seconds")
    parser.add_argument("--tune", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("ids", nargs="*", default=["G", "F", "U", "S", "P"])
    options = parser.parse_args()
    measured = facts_of_text(options.measured.read_text()) if options.measured else tune(os.devnull)
    targets = {
        "by hand": by_hand(options.table, options.threads),
        "measured": ":".join(["generic", *host.spelled(measured)]),
        "system": ":".join(["generic", *host.spelled(host.system())]),
        **dict(one.split("=", 1) for one in options.set),
    }
    for name, target in targets.items():
        print(f"{name}: {target}")
    times: dict[str, list[float]] = {}
    predicted: list[float] = []
    for name, workload in workloads().items():
        if name not in options.ids and name[0] not in options.ids:
            continue
        case = workload.case(False, options.threads)
        calls = _calls(workload, case, targets, options)
        found = _by_turns(calls, options)
        predicted.append(predict.seconds(case, measured, options.threads) / found["measured"])
        base = found.pop("by hand")
        for other, seconds in found.items():
            times.setdefault(other, []).append(seconds / base)
        shown = "  ".join(f"{other} {seconds / base:5.2f}" for other, seconds in found.items())
        more = f"predicted {predicted[-1]:5.2f}"
        print(f"{name:5} {base * 1e3:9.4f} ms  {shown}  {more}", flush=True)
        del calls, case
        gc.collect()
    for name, ratios in times.items():
        mean = math.exp(statistics.mean(map(math.log, ratios)))
        print(f"{name}: {mean:.3f} of {len(ratios)}, worst {max(ratios):.2f}")
    if not times:
        return
    error = statistics.median(abs(ratio - 1) for ratio in predicted)
    print(f"predicted: median error {error:.0%}")
    if options.out is not None:
        _add_row(options, times, error)


def _calls(
    workload: Any, case: Any, targets: dict[str, str], options: Any
) -> dict[str, Callable[[], Any]]:
    extra = {} if case.in_place else {"out": case.out}
    calls = {}
    given = [("tuned", "")] if options.tune else []
    for name, target in [*targets.items(), *given]:
        more: dict[str, Any] = {"target": target or targets["measured"]}
        if name == "tuned":
            more["tune"] = case.arguments
        kernel = compile(workload.source(False), threads=options.threads, **more)
        calls[name] = lambda kernel=kernel: kernel(*case.arguments, **extra)
    return calls


def _by_turns(calls: dict[str, Callable[[], Any]], options: Any) -> dict[str, float]:
    """The median seconds of each."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(options.rounds):
        order = [*calls] if number % 2 == 0 else [*calls][::-1]
        for name in order:
            call = calls[name]
            call()
            samples, end = [], time.perf_counter() + options.turn
            while len(samples) < 3 or time.perf_counter() < end:
                begun = time.perf_counter()
                call()
                samples.append(time.perf_counter() - begun)
            found[name].append(statistics.median(samples))
    return {name: statistics.median(samples) for name, samples in found.items()}


def _add_row(options: Any, times: dict[str, list[float]], error: float) -> None:
    if not options.out.exists():
        columns = [*(f"{name}: mean, worst" for name in times), "predicted: median error"]
        head = HEAD.format(" | ".join(columns))
        options.out.write_text(f"{head}|{' --- |' * (3 + len(columns))}\n", encoding="utf-8")
    cells = [
        f"{math.exp(statistics.mean(map(math.log, ratios))):.3f}, {max(ratios):.2f}"
        for ratios in times.values()
    ]
    cells.append(f"{error:.0%}")
    count = len(next(iter(times.values())))
    row = f"| {cpu.name()} | {options.threads} | {count} | {' | '.join(cells)} |\n"
    with options.out.open("a", encoding="utf-8") as file:
        file.write(row)


if __name__ == "__main__":
    main()
