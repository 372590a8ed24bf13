"""Whole programs under torch.compile: eager torch, inductor and mlir_gs, a process each, in turns.

`python benchmarks/programs.py` prints the medians of forward alone, and of forward and backward,
and the seconds of CPU until the first result, after checking that all agree. A program whose
results differ is told and left out, and the command exits with 1. `--quick`: tiny sizes, is it
right? A tiny program is compiled before, which imports what a party needs.

`--json FILE` adds the rows to a file; `--resume` leaves out the programs that it has of the same
commit and number of threads. With `--caches FOLDER --compile-only` and then `--caches FOLDER` all
is compiled first, and then timed. `--report FILE --page PAGE` writes the page of such a file.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from peers import commit, machine, missing
from programs_tables import page, table
from programs_worker import PARTIES

ROUNDS = 5
USUAL = ("eager", "inductor", "mlir_gs")


class Party:
    """A process that compiles and runs what it is told."""

    def __init__(self, name: str, threads: int, place: Path, caches: Path | None) -> None:
        self.name, self.results = name, place / f"{name}.pt"
        kept = (caches or place) / name
        environment = {
            **os.environ,
            "TORCHINDUCTOR_CACHE_DIR": str(kept / "inductor"),
            "MLIR_GS_CACHE": str(kept / "kernels"),
            # In this process and its children, whose seconds are counted.
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("programs_worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.ask(threads=threads, party=name)

    def ask(self, **task: Any) -> dict[str, Any]:
        """What it answers. Raises RuntimeError if it has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(task), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with {self.process.wait()}")
        return json.loads(line)

    def compile(self, program: str, options: argparse.Namespace) -> dict[str, Any]:
        return self.ask(
            program=program,
            party=self.name,
            quick=options.quick,
            dynamic=options.dynamic,
            results=str(self.results),
        )

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def agree(parties: Sequence[Party]) -> None:
    """Raises AssertionError if a party's results differ from those of the first.

    Sums in another order differ by what was added up, not by what is left of it: a small element
    may be off by a part of the largest of its tensor, or of 1, as where a gradient cancels out.
    """
    import torch
    from torch.utils._pytree import tree_leaves

    wanted = tree_leaves(torch.load(parties[0].results))
    for party in parties[1:]:
        for found, each in zip(tree_leaves(torch.load(party.results)), wanted, strict=True):
            largest = float(each.detach().abs().max()) if each is not None and each.numel() else 0.0
            torch.testing.assert_close(found, each, rtol=2e-3, atol=1e-4 * max(largest, 1.0))


def compare(
    name: str, parties: Sequence[Party], options: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    """A row for forward, and one for forward and backward: microseconds of a call, and seconds
    where nothing was compiled before, by party."""
    first = {party.name: party.compile(name, options) for party in parties}
    agree(parties)
    ways = list(first[parties[0].name])
    taken = {} if options.compile_only else measure(parties, ways, options)
    for way in ways:
        row: dict[str, Any] = {"program": name, "way": way, "threads": options.threads}
        if options.compile_only or not options.caches:
            row["first"] = {who: round(found[way]["cpu"], 2) for who, found in first.items()}
        if way in taken:
            row["us"] = {who: 1e6 * statistics.median(each) for who, each in taken[way].items()}
            row["least"] = {who: 1e6 * min(each) for who, each in taken[way].items()}
        yield row


def measure(
    parties: Sequence[Party], ways: Sequence[str], options: argparse.Namespace
) -> dict[str, dict[str, list[float]]]:
    """Seconds of the calls of each party, which take turns."""
    turn = 0.0 if options.quick else options.turn
    rounds = 1 if options.quick else options.repeats
    taken: dict[str, dict[str, list[float]]] = {
        way: {party.name: [] for party in parties} for way in ways
    }
    for way in ways:
        for number in range(rounds):
            for party in parties[:: -1 if number % 2 else 1]:
                taken[way][party.name] += party.ask(way=way, turn=turn)["samples"]
    return taken


def left(options: argparse.Namespace, now: str) -> list[str]:
    """The programs that are asked for, without those that the file has of this commit."""
    from programs_catalogue import PROGRAMS

    had: set[str] = set()
    if options.resume and options.json is not None and options.json.exists():
        found = map(json.loads, options.json.read_text().splitlines())
        what = "first" if options.compile_only else "us"
        had = {
            row["program"]
            for row in found
            if row["threads"] == options.threads and row["about"]["commit"] == now and what in row
        }
    return [name for name in options.programs or PROGRAMS if name not in had]


def main() -> int:
    """Print the table, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="names, all by default")
    parser.add_argument("--repeats", type=int, default=ROUNDS, help="rounds (%(default)s)")
    parser.add_argument("--turn", type=float, default=0.1, help="seconds of a turn (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one round")
    parser.add_argument("--dynamic", action="store_true", help="sizes that are not compiled for")
    parser.add_argument("--threads", type=int, default=1, help="of all parties (%(default)s)")
    parser.add_argument("--caches", type=Path, help="keep what is compiled, to time no compilation")
    parser.add_argument("--compile-only", action="store_true", help="fill them, time no call")
    parser.add_argument("--json", type=Path, help="add the rows to this file")
    parser.add_argument("--resume", action="store_true", help="without what it has already")
    parser.add_argument("--report", type=Path, help="print the table of such a file, and end")
    parser.add_argument("--page", type=Path, help="of --report: write it to this page")
    parser.add_argument(
        "--parties", nargs="+", default=USUAL, choices=PARTIES, help="the last: ours"
    )
    options = parser.parse_args()
    if options.report:
        rows = [json.loads(line) for line in options.report.read_text().splitlines()]
        if options.page:
            options.page.write_text(page(rows))
        else:
            print(table(rows))
        return 0
    if why := missing("torch"):
        print(f"left out: torch, {why}")
        return 0
    from programs_catalogue import PROGRAMS

    unknown = set(options.programs) - set(PROGRAMS)
    if unknown:
        parser.error(f"no program {', '.join(sorted(unknown))}")
    rows: list[dict[str, Any]] = []
    other: list[str] = []
    about = {"commit": commit(), "date": f"{date.today()}", "machine": machine()}
    with tempfile.TemporaryDirectory() as folder:
        given = options.threads, Path(folder), options.caches
        parties = [Party(name, *given) for name in options.parties]
        for name in left(options, about["commit"]):
            try:
                found = list(compare(name, parties, options))
            except AssertionError as error:
                other.append(name)
                print(f"{name}: other results\n{error}", file=sys.stderr, flush=True)
                continue
            for row in found:
                row["about"] = about
                rows.append(row)
                us, first = row.get("us", {}), row.get("first", {})
                times = (
                    who
                    + (f" {us[who]:.0f} us" if us else "")
                    + (f" after {first[who]:.1f} s" if first else "")
                    for who in options.parties
                )
                print(f"{name}, {row['way']}: {', '.join(times)}", flush=True)
                if options.json is not None:
                    with options.json.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
        for party in parties:
            party.close()
    print(f"\n{table(rows)}")
    return int(bool(other))


if __name__ == "__main__":
    sys.exit(main())
