"""What a type checker sees of the package from outside: wrong calls are errors, right ones none."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("pyright")
ROOT = Path(__file__).parents[2]
FOLDERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]

RIGHT = """\
import numpy as np
import mlir_gs
from mlir_gs import ir
from mlir_gs.bindings import dialect
from mlir_gs.dialect import InvalidOp, gather, generic, scatter, strided_slice

arith = dialect("arith")


def rows(table: ir.Value, ids: ir.Value) -> ir.Value:
    try:
        found = gather(table, ids, [0], mode="fill", fill_value=0.0, wrap_negative=True)
    except InvalidOp as error:
        print(error)
        raise
    return strided_slice(found, [0], [4], [-1])


def sums(updates: ir.Value, dest: ir.Value, ids: ir.Value) -> ir.Value:
    return scatter(updates, dest, ids, (0,), lambda a, b: arith.addf(a, b), mode="drop")


print(mlir_gs.take(np.zeros(4), np.array([1])), mlir_gs.__version__)
"""

# Each line is wrong.
WRONG = """\
mlir_gs.tak(1)
mlir_gs.dialect.gathr
gather(table, ids)
gather(table, ids, [0], mod="clip")
gather(table, ids, [0], mode="wrap")
gather(table, ids, "0")
gather(table, ids, [0], unique="yes")
scatter(table, table, ids, [0], mode="fill")
scatter(table, table, ids, [0], lambda a: a)
gather_elements(table, ids, 0.5)
strided_slice(table, [0], [4])
generic([table], [ids], [table], indexing_maps=[], coordinate_maps=[])
mlir_gs.run_pipeline()
"""
HEAD = """\
from typing import Any
import mlir_gs
import mlir_gs.dialect
from mlir_gs.dialect import gather, gather_elements, generic, scatter, strided_slice
table: Any = None
ids: Any = None
"""


# What follows from bindings without types; strict mode reports all else.
_UNTYPED = dict.fromkeys(
    (
        *(f"reportUnknown{kind}Type" for kind in ("Member", "Variable", "Argument", "Lambda")),
        *("reportUnknownParameterType", "reportMissingTypeStubs"),
    ),
    "none",
)


def errors(
    folder: Path, text: str, mode: str = "standard", untyped: dict[str, str] = _UNTYPED
) -> list[tuple[int, str]]:
    """(line, message) of each error in a program that uses the package."""
    package = folder / "site" / "mlir_gs"
    package.mkdir(parents=True)
    for path in (ROOT / FOLDERS["mlir_gs"]).iterdir():
        (package / path.name).symlink_to(path)
    for name, place in FOLDERS.items():
        if name != "mlir_gs":
            (package / name.removeprefix("mlir_gs.")).symlink_to(ROOT / place)
    (folder / "program.py").write_text(text)
    settings = {
        "include": ["program.py"],
        "extraPaths": ["site"],
        "typeCheckingMode": mode,
        **untyped,
        **({"reportInvalidTypeForm": "none"} if untyped else {}),
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "-p", str(folder), "--outputjson"]
    run = subprocess.run(
        [*command, "--pythonpath", sys.executable], capture_output=True, text=True, check=False
    )
    found = json.loads(run.stdout)["generalDiagnostics"]
    return [(one["range"]["start"]["line"], one["message"]) for one in found]


def test_right_calls(tmp_path: Path) -> None:
    assert errors(tmp_path, RIGHT) == []


def test_a_front_end_in_strict_mode(tmp_path: Path) -> None:
    text = (ROOT / "examples/array_language/language.py").read_text()
    assert errors(tmp_path, text, "strict") == []


def test_builders_are_known_in_strict_mode(tmp_path: Path) -> None:
    names = "build, context, gather, gather_elements, generic, histogram, irdl_text, load, named_op"
    more = "scatter, scatter_elements, strided_slice, yield_"
    text = f"from mlir_gs.dialect import {names}, {more}\n\nprint({names}, {more})\n"
    assert errors(tmp_path, text, "strict", {}) == []


def test_wrong_calls(tmp_path: Path) -> None:
    found = errors(tmp_path, HEAD + WRONG)
    first = HEAD.count("\n")
    lines = WRONG.splitlines()
    assert {line - first for line, _ in found} == set(range(len(lines))), found
