"""Runs of a function: its arguments, its results against the reference's, its speed, its code."""

import ast
import re
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.machine import host, openmp
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.progress import crash_quietly
from mlir_gs.tools.common.read_module import one_line
from mlir_gs.tools.explore.assembly import Built, hottest_loop
from mlir_gs.tools.run import driver, report, speed
from mlir_gs.tools.run.argument_plan import Plan, plan
from mlir_gs.tools.run.inputs import GENERATE, as_element, generate, read_argument
from mlir_gs.tools.run.options import parse_shapes

_SHAPE = re.compile(r"[\d?]+(x[\d?]+)+|\?")
_MOST_CALLS = 10_000


def signature(source: Any, entry: str) -> dict[str, Any]:
    """What a function of `source` takes: label and type of each argument. Raises UsageError."""
    with one_line(), source.context, ir.Location.unknown():
        _, parameters = execution.generalized(source, execution.entry_name(source, entry or None))
        found = [one.expected.split(": expected ", 1) for one in parameters]
        return {"arguments": [[label, rest[0] if rest else ""] for label, *rest in found]}


def run(
    source: Any, compiled: Any, about: dict[str, Any], name: str, doing: Callable[[str], object]
) -> dict[str, Any]:
    """Run a function of `compiled`, which passes have made of `source`, on arguments for it.

    `about`: the function, values of arguments, sizes and the machine, as the page asks for them.
    `name` is the source's. Raises UsageError.
    """
    with one_line(), source.context, ir.Location.unknown():
        entry = execution.entry_name(source, about.get("entry") or None)
        analyzed, parameters = execution.generalized(source, entry)
        found = plan(execution.find(analyzed, entry))
        arguments, made_up = _arguments(about, parameters, found)
        options = Namespace(
            file=name,
            pass_pipeline=None,
            threads=_number(about, "threads", 1) or 1,
            target=about.get("target") or None,
        )
        doing(f"compiling @{entry}")
        target = host.target(options.target)
        built = Built(compiled, entry, openmp.thread_count(options.threads), target, name)
        given = driver.copies(arguments)
        doing(f"running the reference of @{entry}")
        given, witness, why = driver.copies(arguments), None, ""
        try:
            witness = driver.witness_of(options, source, entry, given)
        except UsageError as error:
            why = str(error)
        doing(f"running @{entry}")
        crash_quietly()
        kernel = built.kernel
        results = driver.called(lambda: kernel(*arguments))
        named = driver.named_results(kernel, arguments, results)
        equal, text = _compared(named, witness) if witness else (None, why)
        doing(f"timing @{entry}")
        call = driver.timed(kernel, arguments, results)
        assembly = hottest_loop(built, call)
        return {
            "equal": equal,
            "check": text,
            "arguments": _texts(zip([p.label for p in parameters], given, strict=True), made_up),
            "results": _texts(named, set()),
            "figures": _figures(call, kernel, arguments, results, found.gathered, options.threads),
            "how": speed.strategies_text(
                speed.strategies(compiled, entry, options.threads, options.target)
            ),
            "assembly": assembly,
        }


def _compared(named: list[tuple[str, Any]], witness: Any) -> tuple[bool, str]:
    differences = driver.differences_of(named, witness)
    if differences:
        return False, "\n".join(differences)
    near = ", up to rounding" if driver.differences_of(named, witness, exact=True) else ""
    note = f" ({witness.note})" if witness.note else ""
    return True, f"equal to {witness.who}{near}{note}"


def _arguments(
    about: dict[str, Any], parameters: Sequence[execution.Parameter], found: Plan
) -> tuple[list[Any], set[int]]:
    """The arguments, and which of them are made up."""
    texts = [str(text or "") for text in about.get("arguments", ())][: len(parameters)]
    texts += [""] * (len(parameters) - len(texts))
    shapes = parse_shapes([f"{n}={text}" for n, text in enumerate(texts) if _SHAPE.fullmatch(text)])
    given = [
        GENERATE if n in shapes or text in ("", GENERATE) else _value(text, parameter)
        for n, (text, parameter) in enumerate(zip(texts, parameters, strict=True))
    ]
    size, seed = _number(about, "size", 1), _number(about, "seed", 0) or 0
    values = generate(found, parameters, given, shapes, size, seed)
    return values, {n for n, value in enumerate(given) if isinstance(value, str)}


def _value(text: str, parameter: execution.Parameter) -> Any:
    if not text.startswith("["):
        return as_element(read_argument(text), parameter)
    try:
        return np.array(ast.literal_eval(text), parameter.element.dtype)
    except (ValueError, SyntaxError, TypeError, OverflowError, MemoryError, RecursionError):
        expected = f"{parameter.label}: expected numbers in brackets, found {text:.60}"
        raise UsageError(expected) from None


def _number(about: dict[str, Any], name: str, least: int) -> int | None:
    text = str(about.get(name) or "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > 12 or int(text) < least:
        raise UsageError(f"{name}: expected a number of at least {least}, found '{text:.60}'")
    return int(text)


def _texts(named: Any, made_up: set[int]) -> list[list[str]]:
    found = []
    for number, (label, value) in enumerate(named):
        text = report.array_text(label, value, "made up" if number in made_up else "")
        found.append([label, text.removeprefix(f"{label}: ")])
    return found


def _figures(
    call: Callable[[], Any],
    kernel: Any,
    arguments: Sequence[Any],
    results: Any,
    gathered: set[int],
    threads: int,
) -> list[list[str]]:
    """The numbers of `gs-run --time`, and the least time that its bytes take: a copy's."""
    seconds = report.measure(call, 0)[:_MOST_CALLS]
    values = results if isinstance(results, tuple) else (results,)
    moved = report.moved_bytes(kernel.parameters, arguments, values, gathered)
    copied = speed.copy_speed(moved, threads)
    median, floor = float(np.median(seconds)), moved / copied
    return [
        ["median of a call", report.duration(median)],
        ["fastest", report.duration(min(seconds))],
        ["bytes to move", report.size(moved)],
        ["floor: a copy of them", report.duration(floor)],
        ["of the floor's speed", f"{floor / median:.0%}"],
        ["calls", str(len(seconds))],
    ]
