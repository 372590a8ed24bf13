"""Maps with numbers near the ends of 64 bits: each road gives what Python's integers do.

    python test/fuzz/fuzz_extreme_maps.py --cases 5000 --seed 0

Of each case the reference, compiled code, sanitized code and code through convert-gs-to-linalg are
compared with the result worked out in Python, or with the error that is due; one case in three is
lowered as large arrays are. A map that 64 bits cannot hold is refused by the verifier (C11).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from campaign import campaign
from extreme_maps import Case, OutOfBounds, case
from mlir_gs import dialect, execution, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior

sys.path.insert(0, str(Path(__file__).parents[1] / "numeric"))
import small_sizes

_LINALG = "builtin.module(convert-gs-to-linalg,canonicalize,cse)"
Road = Callable[[str, list[np.ndarray]], Any]


def _by_reference(text: str, arguments: list[np.ndarray]) -> Any:
    with dialect.context(), ir.Location.unknown():
        return reference_run.run(ir.Module.parse(text), "f", arguments)[0]


def _compiled(text: str, arguments: list[np.ndarray]) -> Any:
    return execution.compile(text, threads=1 + len(text) % 2)(*arguments)


def _sanitized(text: str, arguments: list[np.ndarray]) -> Any:
    return execution.compile(text, threads=1, sanitize=True)(*arguments)


def _through_linalg(text: str, arguments: list[np.ndarray]) -> Any:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        lowering.run_pipeline(module, _LINALG)
        return execution.compile(str(module), threads=1)(*arguments)


ROADS: dict[str, Road] = {
    "reference": _by_reference,
    "compiled": _compiled,
    "sanitized": _sanitized,
    "linalg": _through_linalg,
}


@contextmanager
def _as_large_arrays(number: int) -> Iterator[None]:
    if number % 3:
        yield
        return
    before: list[tuple[Any, str, Any]] = []

    def assign(holder: Any, name: str, size: Any) -> None:
        before.append((holder, name, getattr(holder, name)))
        setattr(holder, name, size)

    small_sizes.apply(assign)
    try:
        yield
    finally:
        for found in reversed(before):
            setattr(*found)


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    made = case(seed, number)
    text = made.text()
    with _as_large_arrays(number):
        found = _complaint(made, text)
    return f"{found}\n{text}  {made.arguments()}" if found else ""


def _complaint(made: Case, text: str) -> str:
    try:
        with dialect.context(), ir.Location.unknown():
            ir.Module.parse(text)
    except ir.MLIRError as error:
        known = ("must compute numbers of less than 2^62", "needs a non-empty dimension")
        is_known = made.is_refused and any(text in str(error) for text in known)
        return "" if is_known else f"refused: {error}"
    expected: np.ndarray | None = None
    why = ""
    try:
        expected = made.expected()
    except OutOfBounds as error:
        why = str(error)
    for name, road in ROADS.items():
        promised = expected is None and why not in ("error", "clip")
        if promised and name in ("compiled", "linalg"):
            continue
        try:
            found = road(text, made.arguments())
        except execution.CompileError as error:
            # A constant place out of bounds is found before the call.
            if name != "linalg" or expected is not None or "' op, index " not in str(error):
                raise
            continue
        except (IndexError, UndefinedBehavior, ValueError) as error:
            known = ("at least what its map reaches", "' op, index ")
            sizes = name == "linalg" and any(words in str(error) for words in known)
            if type(error) is ValueError and not sizes:
                raise
            if expected is not None:
                return f"{name}: {error}; expected {expected}"
            continue
        if expected is None:
            return f"{name}: {found}; expected an error ({why})"
        if not np.array_equal(np.asarray(found), expected):
            return f"{name}: {found}; expected {expected}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "programs of extreme maps", "wrong"))
