"""The table of combinations: every op, attribute, mode and element kind, compiled.

    python test/numeric/combinations.py            all of them, over half an hour on two cores
    python test/numeric/combinations.py --quick    every op, mode and element kind once

Each combination is a program that runs compiled, in the reference and in NumPy; the table counts
them by op and mode. Exits with 1 if any differs or does not compile.
"""

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import element_programs
import generic_families
import other_programs
import slice_programs
from combiners import combiners_of
from draw import RandomDraw
from elements import COORDINATES, ELEMENTS
from generic_families import FAMILIES, Form
from harness import check
from program import Attributes, Program
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from workers import Failure, run_all

GATHER = ("promise_in_bounds", "clip", "fill", "error")
SCATTER = ("promise_in_bounds", "clip", "drop", "error")
GENERIC = ("promise_in_bounds", "clip", "fill_or_drop", "error")
SIZES = ("static", "dynamic", "mixed")
FLAGS = (False, True)
_BUILDERS = {
    "gs.gather": slice_programs.gather,
    "gs.scatter": slice_programs.scatter,
    "gs.gather_elements": element_programs.gather_elements,
    "gs.scatter_elements": element_programs.scatter_elements,
    "gs.histogram": other_programs.histogram,
    "gs.strided_slice": other_programs.strided_slice,
    "gs.generic": generic_families.build,
}


@dataclass(frozen=True)
class Combination:
    """One row of work: the op, how the table groups it, and what its builder takes."""

    op: str
    mode: str
    choice: Any

    def program(self) -> Program:
        return _BUILDERS[self.op](self.choice)


class _Turn:
    """Coordinate kinds, sizes and promises where they are not what is listed: drawn, seeded."""

    def __init__(self) -> None:
        self.draw = RandomDraw(0)

    def __call__(self, options: Any) -> Any:
        return self.draw.choice(list(options))


def combinations(quick: bool = False) -> Iterator[Combination]:
    """All of them; with `quick` one per op, mode, element kind and (apart) coordinate kind."""
    turn = _Turn()
    found = list(_attributes(turn, quick))
    found += _coordinates(quick)
    found += _combined(turn, quick)
    found += _generics(turn, quick)
    found += _histograms(turn, quick)
    found += _windows(turn, quick)
    for number, one in enumerate(found):
        yield replace(one, choice=replace(one.choice, seed=number))


def _attributes(turn: _Turn, quick: bool) -> Iterator[Combination]:
    """Every attribute of the gathers and scatters, with every mode and element kind."""
    flags = list(product(FLAGS, repeat=5))
    for element in ELEMENTS:
        for mode, given in [*((mode, False) for mode in GATHER), ("fill", True)]:
            for unique, ordered, wrap, unit, batch in [turn(flags)] if quick else flags:
                shared = Attributes(mode, wrap, unique, ordered, given)
                yield _slices("gs.gather", turn, element, shared, unit, batch)
        for mode in SCATTER:
            for unique, ordered, wrap, unit, batch in [turn(flags)] if quick else flags:
                shared = Attributes(mode, wrap, unique, ordered)
                yield _slices("gs.scatter", turn, element, shared, unit, batch)
        for unique, ordered, wrap in [turn(flags)[:3]] if quick else product(FLAGS, repeat=3):
            for mode, given in [*((mode, False) for mode in GATHER), ("fill", True)]:
                shared = Attributes(mode, wrap, unique, ordered, given)
                yield _elements("gs.gather_elements", turn, element, shared)
            for mode in SCATTER:
                shared = Attributes(mode, wrap, unique, ordered)
                yield _elements("gs.scatter_elements", turn, element, shared)


def _kind(turn: _Turn, shared: Attributes) -> str:
    """A kind of coordinates. Those of si1 are 0 or out of bounds: too few to be all different."""
    return turn([name for name in COORDINATES if name != "si1" or not shared.unique])


def _slices(
    op: str,
    turn: _Turn,
    element: str,
    shared: Attributes,
    unit: bool,
    batch: bool,
    combiner: str | None = None,
    coordinate: str | None = None,
    dynamic: str | None = None,
) -> Combination:
    choice = slice_programs.Slices(
        element, coordinate or _kind(turn, shared), (3, 4, 2, 5), (3, 2) if batch else (2, 2),
        (1, 3), int(batch), unit, shared, combiner, dynamic or turn(SIZES),
    )  # fmt: skip
    return Combination(op, shared.mode, choice)


def _elements(
    op: str,
    turn: _Turn,
    element: str,
    shared: Attributes,
    combiner: str | None = None,
    coordinate: str | None = None,
    dynamic: str | None = None,
) -> Combination:
    choice = element_programs.Elements(
        element, coordinate or _kind(turn, shared), (3, 4, 2), (3, 2, 2), 1, shared, combiner,
        dynamic or turn(SIZES),
    )  # fmt: skip
    return Combination(op, shared.mode, choice)


def _coordinates(quick: bool) -> Iterator[Combination]:
    """Every kind of coordinate, wrapped or not, with every mode and static and dynamic sizes."""
    turn = _Turn()
    for coordinate in COORDINATES:
        for wrap, dynamic in [(turn(FLAGS), turn(SIZES))] if quick else product(FLAGS, SIZES):
            for modes, op in ((GATHER, "gs.gather"), (SCATTER, "gs.scatter")):
                for mode in modes:
                    shared = Attributes(mode, wrap)
                    yield _slices(
                        op, turn, turn(ELEMENTS), shared, False, False, None, coordinate, dynamic
                    )
                    if not quick:
                        yield _elements(
                            f"{op}_elements", turn, turn(ELEMENTS), shared, None, coordinate,
                            dynamic,
                        )  # fmt: skip
            for mode in [turn(GENERIC)] if quick else GENERIC:
                form = Form(
                    turn(list(FAMILIES)[:3]), turn(ELEMENTS), coordinate, mode, wrap,
                    kind=turn(("tensor", "memref")), dynamic=dynamic,
                )  # fmt: skip
                yield Combination("gs.generic", mode, form)


def _combined(turn: _Turn, quick: bool) -> Iterator[Combination]:
    """Every combiner with every mode and element kind."""
    for element in ELEMENTS:
        names = list(combiners_of(element))
        for mode in [turn(SCATTER)] if quick else SCATTER:
            for combiner in [turn(names)] if quick else names:
                shared = Attributes(mode, turn(FLAGS))
                yield _slices("gs.scatter", turn, element, shared, False, False, combiner)
                yield _elements("gs.scatter_elements", turn, element, shared, combiner)


def _generics(turn: _Turn, quick: bool) -> Iterator[Combination]:
    """Every family of gs.generic with every mode, promise and element kind."""
    for element in ELEMENTS:
        for family in [turn([f for f in FAMILIES if f != "strided"])] if quick else FAMILIES:
            for mode in GENERIC if family != "strided" else GENERIC[:1]:
                flags = product(FLAGS, FLAGS, ("tensor", "memref"))
                for wrap, unique, kind in [(False, False, "tensor")] if quick else flags:
                    if unique and family not in ("rows", "accumulate"):
                        continue  # A window, a nest or a product meets an element twice.
                    narrow = [
                        c
                        for c in COORDINATES
                        if not unique or c not in ("i1", "i2", "si1", "si2", "ui1")
                    ]
                    form = Form(
                        family, element, turn(narrow), mode, wrap and family != "strided",
                        unique, kind, turn(SIZES),
                    )  # fmt: skip
                    yield Combination("gs.generic", mode, form)


def _histograms(turn: _Turn, quick: bool) -> Iterator[Combination]:
    for element in ELEMENTS:
        names = list(combiners_of(element))
        for combiner, ordered in [(turn(names), False)] if quick else product(names, FLAGS):
            choice = other_programs.Histogram(
                element, turn(COORDINATES), (4, 3), (2,), 2, combiner, ordered, turn(SIZES)
            )
            yield Combination("gs.histogram", "no mode", choice)


def _windows(turn: _Turn, quick: bool) -> Iterator[Combination]:
    forms = [((1, 1), (3, 3), (2, 3)), ((-1, -2), (4, 3), (4, 2)), ((2, -3), (4, 5), (1, 2))]
    for element in ELEMENTS:
        pairs = list(product(forms, SIZES))
        for (strides, sizes, result), dynamic in [turn(pairs)] if quick else pairs:
            choice = other_programs.Window(element, (5, 6), (1, 0), sizes, strides, result, dynamic)
            yield Combination("gs.strided_slice", "no mode", choice)


def run_one(combination: Combination) -> list[tuple[str, bool]]:
    """The findings on one combination, as (text, whether it did not compile)."""
    program = combination.program()
    # On one thread or two: the result is that of the sequential loop.
    threads = 1 + combination.choice.seed % 2
    return [
        (f"{finding}\n{program.text}", finding.refused) for finding in check([program], threads)
    ]


Wrong = tuple[Combination, str, bool]


def run(found: list[Combination], jobs: int, console: Console) -> list[Wrong]:
    """(combination, text, whether it did not compile) for each that went wrong."""
    wrong: list[Wrong] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("combinations", total=len(found))
        for count, (number, findings) in enumerate(run_all(run_one, found, jobs), 1):
            progress.advance(task)
            if not console.is_terminal and count % 2000 == 0:
                console.print(f"{count} of {len(found)}, {len(wrong)} of them wrong")
            combination = found[number]
            if isinstance(findings, Failure):
                text = f"{combination}: {findings}\n{combination.program().text}"
                findings = [(text, False)]
            # One combination counts once, whatever is wrong with it.
            wrong += [(combination, text, refused) for text, refused in findings[:1]]
    return wrong


def table(found: list[Combination], wrong: list[Wrong]) -> Table:
    """Counts by op and mode."""
    total: Counter[tuple[str, str]] = Counter((c.op, c.mode) for c in found)
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    coordinates: dict[tuple[str, str], set[str]] = defaultdict(set)
    for c in found:
        kinds[c.op, c.mode].add(c.choice.element)
        if hasattr(c.choice, "coordinate"):
            coordinates[c.op, c.mode].add(c.choice.coordinate)
    refused: Counter[tuple[str, str]] = Counter((c.op, c.mode) for c, _, r in wrong if r)
    differ: Counter[tuple[str, str]] = Counter((c.op, c.mode) for c, _, r in wrong if not r)
    made = Table(title="Combinations: compiled, reference and NumPy against each other")
    for column in ("op", "mode"):
        made.add_column(column, no_wrap=True)
    for column in ("elements", "coordinates", "programs", "equal", "differ", "do not compile"):
        made.add_column(column, justify="right")
    for key in total:
        equal = total[key] - refused[key] - differ[key]
        numbers = (len(kinds[key]), len(coordinates[key]), total[key], equal, differ[key])
        made.add_row(*key, *map(str, numbers), str(refused[key]))
    everything = len(found), len(found) - len(wrong), sum(differ.values()), sum(refused.values())
    made.add_section()
    made.add_row("all", "", str(len(ELEMENTS)), str(len(COORDINATES)), *map(str, everything))
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one per op, mode and element kind")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--op", action="append", help="only this op, such as gs.gather")
    parser.add_argument("--element", action="append", help="only this element kind, such as f32")
    parser.add_argument("--show", type=int, default=5, help="how many failures to print")
    options = parser.parse_args()
    found = [
        c
        for c in combinations(options.quick)
        if (not options.op or c.op in options.op)
        and (not options.element or c.choice.element in options.element)
    ]
    console = Console(width=None if sys.stdout.isatty() else 120)
    wrong = run(found, options.jobs, console)
    console.print(table(found, wrong))
    for _, text, _ in wrong[: options.show]:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
