"""What upstream does by itself with each op that a road hands to it, and what we do instead.

    python test/fuzz/upstream_table.py stablehlo --jobs 2
    python test/fuzz/upstream_table.py stablehlo --op stablehlo.pad --all

prints a table of op, form, upstream, ours. Each case runs three times in watched processes that are
started anew when one dies: another implementation says what is right, upstream runs by itself, and
`mlir_gs.compile` runs. The command exits with 1 if ours dies, hangs, differs, raises anything but a
refusal that names the op, or if an op of the language is neither drawn nor listed as not drawn.

A language is a module of this folder, `upstream_<language>.py`, with

    cases() -> list[Case]         the same list in every process
    names() -> set[str]           all ops of the language, as the language itself lists them
    UNDRAWN: dict[str, str]       ops without a case, and why
    expected(case) -> arrays      of another implementation; raises Unknown where that has no answer
    upstream(case) -> arrays      by upstream's passes alone; `upstream_stock.run` helps
    ours(case) -> arrays          optional; by default `compiled` of this module
    is_valid(case) -> bool        optional: whether the language has the form at all; others are
                                  left out, as are their ops if no form of theirs is left
    draw(op)                      optional: makes the cases of the ops with this in their names,
                                  where to make all takes long

Cases are made by name: `names` and `cases` are called here too, the other three only in the watched
processes. Sources may be made there as well: `Case.source` is then what `ours` makes one of.
"""

import argparse
import base64
import importlib
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from watched import watch

Array = np.ndarray
_ROADS = ("expected", "upstream", "ours")


class Unknown(Exception):
    """The other implementation has no answer: the case is only held against dying."""


@dataclass(frozen=True)
class Case:
    """One op in one form.

    `op`: as the language names it, which a refusal has to name, too; `also`: names that will do as
    well. `form`: what tells it from the op's other cases. `relative` is the largest relative
    difference, 0 where the result is exact.
    """

    op: str
    form: str
    source: Any
    arguments: tuple[Array, ...] = ()
    relative: float = 0.0
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What one road came to: `kind` is values, unknown, refused, raised, died or hang."""

    kind: str
    text: str = ""
    arrays: tuple[Array, ...] = ()


@dataclass(frozen=True)
class Row:
    """What became of a case. `fault` is empty, or says what is wrong with ours."""

    case: Case
    upstream: str
    ours: str
    fault: str = ""


def as_list(results: Any) -> list[Array]:
    """What a kernel returned, as arrays."""
    many = results if isinstance(results, (tuple, list)) else (results,)
    return [np.asarray(one) for one in many]


def compiled(case: Case) -> list[Array]:
    """The results of `mlir_gs.compile`, on one thread."""
    import mlir_gs

    kernel = mlir_gs.compile(case.source, threads=1)
    return as_list(kernel(*(argument.copy() for argument in case.arguments)))


@cache
def language(name: str) -> Any:
    """The module of a language, in this process."""
    return importlib.import_module(f"upstream_{name}")


@cache
def _cases(name: str) -> list[Case]:
    return language(name).cases()


def _outcome(run: Callable[[Case], Sequence[Array]], case: Case) -> Outcome:
    from mlir_gs.execution import CompileError

    try:
        return Outcome("values", arrays=tuple(np.array(one) for one in run(case)))
    except Unknown as error:
        return Outcome("unknown", str(error))
    except CompileError as error:
        return Outcome("refused", str(error))
    except Exception as error:
        return Outcome("raised", f"{type(error).__name__}: {error}")


def run_road(name: str, seed: int, number: int) -> str:
    """Run one road of one case in this process; the pickled Outcome, as text."""
    del seed
    case, road = _cases(name)[number // 3], _ROADS[number % 3]
    run = getattr(language(name), road, compiled)
    return base64.b64encode(pickle.dumps(_outcome(run, case))).decode()


def same(found: Sequence[Array], wanted: Sequence[Array], relative: float = 0.0) -> str:
    """How the arrays differ; empty where they do not.

    Integers of one size are compared as what the wanted ones are, for results may be signless.
    """
    if len(found) != len(wanted):
        return f"{len(found)} results, not {len(wanted)}"
    for one, other in zip(found, wanted, strict=True):
        if one.dtype != other.dtype and one.dtype.itemsize == other.dtype.itemsize:
            one = np.ascontiguousarray(one).reshape(one.shape).view(other.dtype)
        if one.shape != other.shape or one.dtype != other.dtype:
            return f"{one.dtype}{list(one.shape)}, not {other.dtype}{list(other.shape)}"
        if not _equal(one, other, relative):
            return f"{_shown(one)}, not {_shown(other)}"
    return ""


def _equal(one: Array, other: Array, relative: float) -> bool:
    if one.dtype.kind not in "biufc":
        # NumPy knows neither the NaNs nor the order of what ml_dtypes adds.
        wide = np.complex128 if "complex" in one.dtype.name else np.float64
        one, other = one.astype(wide), other.astype(wide)
    if one.dtype.kind not in "fc":
        return bool(np.array_equal(one, other))
    if one.dtype.kind == "c":
        return _equal(one.real, other.real, relative) and _equal(one.imag, other.imag, relative)
    with np.errstate(all="ignore"):
        return bool(np.allclose(one, other, rtol=relative, atol=relative, equal_nan=True))


def _shown(array: Array) -> str:
    text = " ".join(str(array.ravel()[:6].tolist()).split())
    return text if array.size <= 6 else text[:-1] + ", ...]"


def _row(case: Case, expected: Outcome, upstream: Outcome, ours: Outcome) -> Row:
    told_upstream, told_ours = (_told(case, each, expected) for each in (upstream, ours))
    fault = ""
    named = any(name in ours.text for name in (case.op, *case.also))
    if ours.kind == "raised" and expected.kind == "unknown" and named:
        # A call on values for which the op is not defined.
        return Row(case, told_upstream, told_ours.replace("raised", "refused", 1))
    if ours.kind == "refused":
        if not named:
            fault = "unnamed"
        elif "internal error" in ours.text or "Traceback" in ours.text:
            fault = "raised"
        elif told_upstream == "right":
            fault = "lost"
    elif ours.kind != "values":
        fault = ours.kind
    elif expected.kind == "raised":
        # The other implementation is called wrongly.
        fault, told_ours = "unknown", f"{told_ours}; expected: {_line(expected.text)}"
    elif expected.kind == "values" and told_ours != "right":
        fault = "wrong"
    return Row(case, told_upstream, told_ours, fault)


def _told(case: Case, outcome: Outcome, expected: Outcome) -> str:
    if outcome.kind != "values":
        return f"{outcome.kind}: {_line(outcome.text)}" if outcome.text else outcome.kind
    if expected.kind != "values":
        return "values"
    difference = same(outcome.arrays, expected.arrays, case.relative)
    return f"wrong: {difference}" if difference else "right"


def _line(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    # What a dying process says follows its signal.
    return f"{lines[0]} {lines[-1]}"[:150] if len(lines) > 1 else lines[0][:150]


def table(
    name: str, chosen: Sequence[int], jobs: int, seconds: float = 60, spare: bool = False
) -> Iterator[Row]:
    """The rows of the cases of these numbers, as they end; `spare`: upstream runs only where it
    decides whether ours is at fault, which is where ours refuses."""
    cases, found = _cases(name), {}
    asked = (0, 2) if spare else (0, 1, 2)
    rest: list[int] = []
    for number, outcome in _outcomes(
        name, [n * 3 + r for n in chosen for r in asked], jobs, seconds
    ):
        found[number] = outcome
        case = number // 3
        if not all(case * 3 + road in found for road in asked):
            continue
        if spare and found[case * 3 + 2].kind == "refused":
            rest.append(case)
            continue
        roads = [found.pop(case * 3 + road, Outcome("not run")) for road in range(3)]
        yield _row(cases[case], *roads)
    for number, outcome in _outcomes(name, [n * 3 + 1 for n in rest], jobs, seconds):
        case = number // 3
        yield _row(cases[case], found.pop(case * 3), outcome, found.pop(case * 3 + 2))


def _outcomes(
    name: str, numbers: Sequence[int], jobs: int, seconds: float
) -> Iterator[tuple[int, Outcome]]:
    prepare = partial(_cases, name)
    for finding in watch(partial(run_road, name), 0, numbers, jobs, seconds, prepare):
        if finding.kind == "complaint" and finding.text.startswith("g"):
            yield finding.number, pickle.loads(base64.b64decode(finding.text))
        else:
            kind = {"crash": "died"}.get(finding.kind, finding.kind)
            yield finding.number, Outcome(kind, finding.text)


def valid(name: str, op: str = "", form: str = "") -> list[int]:
    """The numbers of the cases that the language has, with these in the names of op and form."""
    is_valid = getattr(language(name), "is_valid", lambda case: True)
    return [
        number
        for number, case in enumerate(_cases(name))
        if op in case.op and form in case.form and is_valid(case)
    ]


def not_drawn(name: str) -> dict[str, str]:
    """The ops of a language of which no case is valid, and why; an empty reason is a fault."""
    is_valid = getattr(language(name), "is_valid", lambda case: True)
    drawn: set[str] = set()
    for case in _cases(name):
        if case.op not in drawn and is_valid(case):
            drawn.add(case.op)
    reasons = language(name).UNDRAWN
    return {op: reasons.get(op, "") for op in sorted(language(name).names() - drawn)}


def print_rows(rows: Sequence[Row], whole: bool) -> None:
    """A line for each op and each pair of what upstream and ours do, with the number of its forms
    and one of them; `whole`: for each case."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        kinds = [each if whole else each.split(":")[0] for each in (row.upstream, row.ours)]
        key = (row.case.op, *kinds, row.fault, row.case.form if whole else "")
        alike.setdefault(key, []).append(row)
    print("op | forms | such as | upstream | ours")
    for key, group in sorted(alike.items(), key=lambda each: each[0]):
        row, mark = group[0], f" [{key[3].upper()}]" if key[3] else ""
        print(
            f"{key[0]} | {len(group)} | {row.case.form} | {row.upstream} | {row.ours}{mark}",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("language")
    parser.add_argument("--op", default="", help="only ops whose name contains this")
    parser.add_argument("--form", default="", help="only forms that contain this")
    parser.add_argument("--every", type=int, default=1, help="of so many cases, one")
    parser.add_argument("--offset", type=int, default=0, help="begin with this one")
    parser.add_argument("--all", action="store_true", help="a line for each case")
    parser.add_argument(
        "--faults",
        action="store_true",
        help="a line for each fault, no others; upstream runs only where ours refuses",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60, help="a run is given (%(default)s)")
    options = parser.parse_args()
    name = options.language
    getattr(language(name), "draw", lambda op: None)(options.op)
    chosen = valid(name, options.op, options.form)[options.offset :: options.every]
    rows = []
    for row in table(name, chosen, options.jobs, options.seconds, options.faults):
        rows.append(row)
        if not sys.stdout.isatty() and len(rows) % 1000 == 0:
            print(f"{len(rows)} of {len(chosen)}", flush=True)
    shown = [row for row in rows if row.fault] if options.faults else rows
    print_rows(shown, options.all or options.faults)
    missing = {} if options.op or options.form else not_drawn(name)
    for op, reason in missing.items():
        print(f"{op} | not drawn: {reason or 'MISSING'}")
    faults = Counter(row.fault for row in rows if row.fault)
    dead = Counter(row.upstream.split(":")[0] for row in rows)
    ours = Counter(row.ours.split(":")[0] for row in rows)
    kinds = ("wrong", "died", "hang", "raised", "unnamed", "lost", "unknown")
    run = f", run for {len(rows) - dead['not run']} of them" if options.faults else ""
    print(
        f"{len(rows)} cases of {len({row.case.op for row in rows})} ops of {name}; upstream{run}: "
        f"{dead['died']} die, {dead['hang']} hang, {dead['wrong']} wrong, {dead['right']} right; "
        f"ours: {ours['right']} right, {ours['refused']} refused by name, {ours['values']} held "
        f"only against dying; " + ", ".join(f"{faults[kind]} {kind}" for kind in kinds)
    )
    unlisted = [op for op, reason in missing.items() if not reason]
    return int(bool(faults or unlisted or not rows))


if __name__ == "__main__":
    # Under its own name, which the modules of the languages import, too.
    sys.exit(importlib.import_module("upstream_table").main())
