"""Tables of the rows that programs.py measures, and the page that holds them."""

from collections.abc import Iterable, Sequence
from statistics import geometric_mean
from textwrap import fill
from typing import Any

Row = dict[str, Any]

LOW = 0.95


def merged(rows: Sequence[Row]) -> dict[tuple[int, str, str], Row]:
    """A row for each number of threads, program and way: of several runs the middle one, by how
    many times faster the last party is than the best other, and the middle seconds of each."""
    runs: dict[tuple[int, str, str], list[Row]] = {}
    for row in rows:
        runs.setdefault((row["threads"], row["program"], row["way"]), []).append(row)
    found: dict[tuple[int, str, str], Row] = {}
    for key, each in runs.items():
        timed = sorted((row for row in each if "us" in row), key=ratio)
        compiled = [row["first"] for row in each if "first" in row]
        found[key] = dict(timed[len(timed) // 2]) if timed else dict(each[0])
        parties = dict.fromkeys(who for one in compiled for who in one)
        found[key]["first"] = {
            who: _middle(one[who] for one in compiled if who in one) for who in parties
        }
    return found


def _middle(found: Iterable[float]) -> float:
    in_order = sorted(found)
    return in_order[len(in_order) // 2]


def ratio(row: Row) -> float:
    """The time of the best of the others over that of the last party."""
    *others, last = row["us"].values()
    return min(others) / last


def table(rows: Sequence[Row]) -> str:
    """The means, and a line for each number of threads, program and way."""
    found = merged(rows)
    parties = list(next(iter(found.values()))["us" if "us" in rows[0] else "first"])
    shown = [f"{who}, us" for who in parties] + [f"best other / {parties[-1]}"]
    shown += [f"{who}, s" for who in parties[1:]]
    lines = [
        *means(list(found.values()), parties),
        "",
        f"| program | | threads | {' | '.join(shown)} |",
        f"| --- | --- | {'---: | ' * (1 + len(shown))}".rstrip(),
    ]
    for (threads, program, way), row in sorted(found.items(), key=lambda one: one[0][1:] + one[0]):
        cells = [f"{row['us'][who]:.0f}" for who in parties] if "us" in row else [""] * len(parties)
        cells.append(f"{ratio(row):.2f}" if "us" in row else "")
        cells += [f"{row['first'][who]:.1f}" if who in row["first"] else "" for who in parties[1:]]
        lines.append(f"| {program} | {way} | {threads} | {' | '.join(cells)} |")
    return "\n".join(lines)


def means(rows: Sequence[Row], parties: Sequence[str]) -> list[str]:
    """A line for each number of threads: geometric means over its programs and ways, and the
    seconds of all of them."""
    *others, last = parties
    over = [f"{who} / {last}" for who in ("best other", *others)]
    seconds = [f"{who}, s" for who in parties[1:]]
    lines = [
        f"| threads | rows | {' | '.join(over)} | below {LOW} | {' | '.join(seconds)} |",
        f"| ---: | ---: | {'---: | ' * (len(parties) * 2)}".rstrip(),
    ]
    for threads in sorted({row["threads"] for row in rows}):
        chosen = [row for row in rows if row["threads"] == threads]
        timed = [row for row in chosen if "us" in row]
        found = [[ratio(row) for row in timed]]
        found += [[row["us"][who] / row["us"][last] for row in timed] for who in others]
        cells = [f"{geometric_mean(each):.2f}" if each else "" for each in found]
        cells.append(f"{sum(each < LOW for each in found[0])}" if timed else "")
        both = [row["first"] for row in chosen if len(row["first"]) == len(parties)]
        cells += [f"{sum(one[who] for one in both):.0f}" if both else "" for who in parties[1:]]
        lines.append(f"| {threads} | {len(chosen)} | {' | '.join(cells)} |")
    return lines


def page(rows: Sequence[Row]) -> str:
    """A page of docs/benchmarks: what was measured, where, and the tables."""
    about = rows[-1]["about"]
    packages = ", ".join(
        f"{name} {about['machine']['packages'][name]}" for name in ("torch", "torch-mlir")
    )
    commits = " and ".join(dict.fromkeys(row["about"]["commit"] for row in rows if "us" in row))
    machine = about["machine"]
    place = fill(
        f"{machine['cpus']} CPUs of {machine['cpu']}, Python {machine['python']}, {packages}. "
        f"{about['date']}, commit {commits}.",
        100,
    )
    return f"""# Whole programs under torch.compile

{place}

Programs of [programs_catalogue.py](../../benchmarks/programs_catalogue.py): networks of graphs,
recommenders, attention, decoding, images, search, in sizes of use and with weights that are drawn.
Each party has a process of its own, and they take turns. Microseconds are medians of calls with
the same arguments; all results agree. A ratio is the time of the best of the others over ours:
above 1, ours is faster. Seconds are CPU time until the first result where nothing was compiled
before; training compiles the forward graph once more, with the backward one. In the first table
they are sums. Of several runs of a program the middle one is shown.

<!-- not run: hours where nothing is compiled yet -->
```sh
python benchmarks/programs.py --threads 1 --caches KEPT --compile-only --json programs.json
python benchmarks/programs.py --threads 1 --caches KEPT --json programs.json
python benchmarks/programs.py --report programs.json --page docs/benchmarks/zen5-programs.md
```

{table(rows)}
"""
