"""Every numbered constraint of every op, with dynamic sizes, broken at the call.

    python test/execution/support/size_constraints.py

prints a table: the constraint, what was broken, the road, and the message or why the constraint is
not about sizes. On each road a call whose sizes fit gives the reference's result, and one whose
sizes do not raises an error that names the op, the operand, the dimension, what was expected and
what was found, before anything is written. Ends with a line of counts, and with 1 if a constraint
is not classified, or a road lets one through.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.execution import compile
from mlir_gs.execution.compilation.source import Contexts
from mlir_gs.execution.generated import tvm
from mlir_gs.lowering import run_pipeline
from mlir_gs.tools.gs_compile import main as gs_compile
from size_table import TABLE, Arrays, Broken, Sized, constraints

_contexts = Contexts(uses=64)
PIPELINES = (
    "gs-generalize",
    "gs-infer,gs-canonicalize,gs-generalize",
    "gs-optimize",
    "gs-generalize,gs-specialize",
    "gs-generalize,convert-gs-to-linalg",
    "func.func(convert-elementwise-to-linalg),gs-generalize,gs-bufferize",
)


@dataclass(frozen=True)
class Road:
    """A way to run a text; `run` gives a function of the arguments."""

    name: str
    run: Callable[[str], Callable[..., Any]]
    memrefs: bool = False
    scatters: bool = False
    """Runs ops whose result has the shape of argument 1 only."""


def _compiled(**options: Any) -> Callable[[str], Callable[..., Any]]:
    return lambda text: compile(text, **options)


def _after(passes: str) -> Callable[[str], Callable[..., Any]]:
    def run(text: str) -> Callable[..., Any]:
        module = _contexts.parse(text)
        run_pipeline(module, passes)
        return compile(module.operation.get_asm(enable_debug_info=True), threads=1)

    return run


def _referenced(passes: str = "") -> Callable[[str], Callable[..., Any]]:
    def run(text: str) -> Callable[..., Any]:
        module = _contexts.parse(text)
        if passes:
            run_pipeline(module, passes)
        return lambda *given: reference_run.run(module, "f", given)

    return run


def _object(text: str) -> Callable[..., Any]:
    place = Path(_folder.name)
    source = place / f"k{abs(hash(text))}.mlir"
    source.write_text(text)
    library = source.with_suffix(".so")
    assert gs_compile([str(source), "-o", str(library)]) == 0
    found = tvm.ffi().load_module(str(library))["f"]

    def call(*given: np.ndarray) -> np.ndarray:
        out = np.full_like(given[1], 7)
        try:
            found(*given, out)
        except Exception:
            assert (out == 7).all(), "the result was written"
            raise
        return out

    return call


_folder = TemporaryDirectory()


def _strided(text: str) -> Callable[..., Any]:
    kernel = compile(text, threads=1)

    def call(*given: np.ndarray, **more: Any) -> Any:
        return kernel(*(np.repeat(a, 2, -1)[..., ::2] for a in given), **more)

    return call


ROADS = (
    *(
        Road(
            f"compile optimize={optimize} sanitize={sanitize} threads={threads}",
            _compiled(optimize=optimize, sanitize=sanitize, threads=threads),
        )
        for optimize, sanitize, threads in product((True, False), (False, True), (1, 2))
    ),
    Road("compile, arrays with strides", _strided),
    *(
        Road(f"compile on memrefs threads={n}", _compiled(threads=n), memrefs=True, scatters=True)
        for n in (1, 2)
    ),
    *(Road(f"{passes}, compile", _after(passes)) for passes in PIPELINES),
    Road("reference", _referenced()),
    *(Road(f"{passes}, reference", _referenced(passes)) for passes in PIPELINES[:4]),
    Road("gs-compile", _object, scatters=True),
)
# Those that say it in words of their own.
REFERENCES = tuple(road.name for road in ROADS if road.name == "reference")


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    constraint: str
    what: str
    road: str
    message: str
    passed: bool


def rows_of(op: str, number: int, roads: Sequence[Road] = ROADS) -> Iterator[Row]:
    """What becomes of a constraint on each of the roads."""
    label = f"{op}_c{number}"
    found = TABLE.get((op, number))
    if not isinstance(found, Sized):
        yield Row(label, "", "", found or "not classified", found is not None)
        return
    for mode, road in product(found.modes, roads):
        if road.scatters and found.in_place is None:
            continue
        text = found.in_place(mode) if road.memrefs and found.in_place else found.text(mode)
        kernel = road.run(text)
        yield _fits(label, mode, road, kernel, text, found.fitting)
        for broken in found.broken:
            yield _breaks(label, mode, road, kernel, broken)


def _results(outcome: Any, given: Arrays, memrefs: bool) -> list[np.ndarray]:
    if memrefs:
        return [given[1]]
    return [np.asarray(x) for x in (outcome if isinstance(outcome, (tuple, list)) else (outcome,))]


def _fits(
    label: str, mode: str, road: Road, kernel: Callable[..., Any], text: str, fitting: Arrays
) -> Row:
    given, expected = ([a.copy() for a in fitting] for _ in range(2))
    returned = reference_run.run(_contexts.parse(text), "f", expected)
    wanted = _results(returned, expected, road.memrefs)
    found = _results(kernel(*given), given, road.memrefs)
    same = len(found) == len(wanted) and all(map(np.array_equal, found, wanted))
    return Row(label, f"{mode}: nothing", road.name, "the reference's result", same)


def _breaks(label: str, mode: str, road: Road, kernel: Callable[..., Any], broken: Broken) -> Row:
    given = [a.copy() for a in broken.arguments]
    what = f"{mode}: {broken.what}"
    try:
        kernel(*given)
    except Exception as error:
        text = str(error)
        in_words = road.name in REFERENCES or re.search(broken.message, text) is not None
        kind = isinstance(error, (broken.error, reference_run.UndefinedBehavior))
        if "clip" in broken.what:
            # Nothing to clip to is undefined; gs-sanitize and the reference have their own words.
            in_words = in_words or "clip" in text
        untouched = all(map(np.array_equal, given, broken.arguments))
        return Row(label, what, road.name, text, in_words and kind and untouched)
    return Row(label, what, road.name, "no error", False)


def every_row(roads: Sequence[Road] = ROADS) -> Iterator[Row]:
    """The table."""
    for op, number in constraints():
        yield from rows_of(op, number, roads)


def main() -> int:
    wrong = calls = 0
    labels = constraints()
    for row in every_row():
        calls += bool(row.road)
        wrong += not row.passed
        mark = "" if row.passed else "WRONG | "
        print(f"{mark}{row.constraint} | {row.what} | {row.road} | {row.message}", flush=True)
    sized = sum(isinstance(TABLE.get(label), Sized) for label in labels)
    print(
        f"{len(labels)} constraints, {sized} of sizes at a call, {calls} calls on {len(ROADS)} "
        f"roads: {wrong} wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
