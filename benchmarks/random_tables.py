"""Tables of the rows that random_workloads.py measures."""

import math
from collections import defaultdict
from collections.abc import Iterable
from statistics import geometric_mean
from textwrap import fill
from typing import Any

Row = dict[str, Any]

DOORS = ("functions", "IR", "torch", "jax")
PEERS = ("numpy", "torch", "jax", "numba", "inductor")
LIBRARIES = tuple(name for name in PEERS if name != "numba")
SAME_DOOR = {"torch": ("inductor",), "jax": ("jax",)}
"""The peers that a call reaches by the same framework, whose calls cost the same."""
LOW = 0.9
SLOWER = 1.05
"""Two threads may take so many times as long as one."""


def ratio(row: Row, peers: Iterable[str] = PEERS) -> float | None:
    """The best of the peers over ours."""
    others = [row["times"][name] for name in peers if name in row["times"]]
    return min(others) / row["times"]["ours"] if others and "ours" in row["times"] else None


def tables(rows: list[Row]) -> str:
    """The means, what takes longer on two threads, and a row for each seed and number of threads;
    of several runs of one seed the middle one."""
    runs, low = _middle(rows)
    lines = [
        "| threads | seed | workload | ours, us | peer/ours | library/ours | peer | below |",
        "|---" * 8 + "|",
    ]
    for key, row in sorted(runs.items()):
        times, found, said = row["times"], ratio(row), _said(row["draw"])
        if found is None:
            lines.append(f"| {key[0]} | {key[1]} | {said} | {row['why']} | | | | |")
            continue
        library = ratio(row, LIBRARIES) or math.nan
        peer = min((name for name in PEERS if name in times), key=times.__getitem__)
        cells = f"{times['ours']:.1f} | {found:.2f} | {library:.2f} | {peer} | {low[key] or ''}"
        lines.append(f"| {key[0]} | {key[1]} | {said} | {cells} |")
    return "\n".join([_means(runs), *_slower(runs), "", *lines])


def page(rows: list[Row]) -> str:
    """A page of docs/benchmarks: what was measured, where, and the tables."""
    about = rows[-1]["about"]
    machine = about["machine"]
    packages = ", ".join(f"{name} {each}" for name, each in machine["packages"].items())
    commits = " and ".join(dict.fromkeys(row["about"]["commit"] for row in rows))
    seeds = len({row["draw"]["seed"] for row in rows})
    place = fill(
        f"{machine['cpus']} CPUs of {machine['cpu']}, Python {machine['python']}, {packages}. "
        f"{about['date']}, commit {commits}.",
        100,
    )
    return f"""# Workloads that seeds draw

{place}

A seed draws an access, sizes, types, how coordinates are spread, and through which door ours is
called. Nobody tuned for these {seeds}. A ratio is a peer's time over ours: above 1, ours is faster.
"Library" leaves out the loops for numba; "same door" is inductor for torch.compile and jax.jit for
JAX, which pay for the same calls. An idle call goes through torch.compile or jax.jit with the same
arguments and computes nothing: where the best peer takes less time than that, nothing that such a
call does can be as fast. "Within reach" has the seeds whose best peer takes longer. Of several runs
of a seed the middle one is shown; "below" counts those below {LOW}. A workload has an access, a
door, rows x width, the number of coordinates, how they are spread, their type, and how many bytes
past a cache line the arrays begin.

<!-- not run: half an hour -->
```sh
python benchmarks/random_workloads.py --seeds FIRST-LAST --threads 1 2 --json random.json
python benchmarks/random_workloads.py --report random.json --readme README.md \\
    --page docs/benchmarks/zen5-random.md
```

{tables(rows)}
"""


BEGIN, END = "<!-- random_workloads: means -->", "<!-- random_workloads: end -->"


def shorten(rows: list[Row], readme: str) -> str:
    """README.md with the means of these rows in the place of those that it has."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    runs, _ = _middle(rows)
    return f"{before}{BEGIN}\n{_means(runs)}\n{END}{after}"


def _middle(rows: list[Row]) -> tuple[dict[tuple[int, int], Row], dict[tuple[int, int], int]]:
    """The middle run, by its ratio, of each number of threads and seed, and how many were below
    LOW."""
    runs: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows:
        runs[row["threads"], row["draw"]["seed"]].append(row)
    middle, low = {}, {}
    for key, each in runs.items():
        each.sort(key=lambda row: ratio(row) or 0)
        middle[key] = each[(len(each) - 1) // 2]
        low[key] = sum((ratio(row) or LOW) < LOW for row in each)
    return middle, low


def _said(d: dict[str, Any]) -> str:
    return (
        f"{d['access']} {d['door']} {d['rows']}x{d['width']} {d['dtype']} at {d['count']} "
        f"{d['spread']} {d['index']} +{d['offset']}"
    )


def _means(runs: dict[tuple[int, int], Row]) -> str:
    """Geometric means, for each number of threads and door and over all doors."""
    means: dict[tuple[int, str], list[tuple[float, ...]]] = defaultdict(list)
    for (threads, _), row in sorted(runs.items()):
        door, found = row["draw"]["door"], ratio(row)
        if found is None:
            continue
        library = ratio(row, LIBRARIES) or math.nan
        same = ratio(row, SAME_DOOR.get(door, ())) or math.nan
        times = row["times"]
        reached = min(times[name] for name in PEERS if name in times) > times.get("idle", 0.0)
        for name in (door, "all"):
            means[threads, name].append((found, found if reached else math.nan, library, same))
    lines = [
        "| threads | door | seeds | best peer/ours | within reach | best library/ours "
        "| same door/ours |",
        "|---" * 7 + "|",
    ]
    for (threads, door), ratios in sorted(means.items(), key=lambda m: (m[0][0], m[0][1] == "all")):
        columns = [[x for x in each if not math.isnan(x)] for each in zip(*ratios, strict=True)]
        cells = [f"{geometric_mean(each):.2f}" if each else "" for each in columns]
        cells[1] += f" ({len(columns[1])})"
        lines.append(f"| {threads} | {door} | {len(ratios)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _slower(runs: dict[tuple[int, int], Row]) -> list[str]:
    """The seeds that take longer on two threads than on one."""
    found = []
    for (threads, seed), row in sorted(runs.items()):
        one = runs.get((1, seed), {"times": {}})["times"].get("ours")
        times = row["times"].get("ours")
        if threads > 1 and one and times and times > SLOWER * one:
            found.append(f"- {seed}: {_said(row['draw'])}: {one:.1f} and {times:.1f} us")
    begin = f"Over {SLOWER} times as long on two threads as on one:"
    return ["", begin, "", *found] if found else []
