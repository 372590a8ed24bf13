"""Every numbered constraint is in the docstring, in the verifier and in an invalid test; every
diagnostic of the verifiers is expected by a test."""

import ast
import re
from pathlib import Path
from typing import Any

import mlir_gs.dialect
import pytest

TESTS = Path(__file__).parent
OPS: dict[str, Any] = {
    op.OPERATION_NAME.removeprefix("gs."): op for op in mlir_gs.dialect.Gs.operations
}
SOURCES = {
    path.name: path.read_text(encoding="utf-8")
    for path in Path(mlir_gs.dialect.__file__).parent.glob("*.py")
    if not path.name.startswith("reference")
}
LABEL = re.compile(rf"\b({'|'.join(sorted(OPS, key=len, reverse=True))})_c([0-9]+)\b")
FUNCTION = re.compile(r"func\.func @(\w+)")
EXPECTED = re.compile(r"expected-error(?:-re)?@\S+ \{\{(.*)\}\}$", re.MULTILINE)


def invalid_text(op: str) -> str:
    files = sorted((TESTS / op).glob("invalid*.mlir"))
    return "\n// -----\n".join(path.read_text(encoding="utf-8") for path in files)


def in_docstring(op: str) -> list[int]:
    return [int(number) for number in re.findall(r"^ +- C([0-9]+):", OPS[op].__doc__, re.MULTILINE)]


def in_verifier(op: str) -> set[int]:
    """The labels in comments; a shared checker's comment carries one per op."""
    found = set()
    for text in SOURCES.values():
        for comment in re.findall(r"#(.*)$", text, re.MULTILINE):
            found |= {int(number) for name, number in LABEL.findall(comment) if name == op}
    return found


def in_tests(op: str) -> set[int]:
    """The labels of the functions that are tests: `<op>_c<n>_<situation>`."""
    names = FUNCTION.findall(invalid_text(op))
    return {int(found[1]) for name in names if (found := re.match(rf"{op}_c([0-9]+)_\w+", name))}


@pytest.mark.parametrize("op", OPS)
def test_docstring_verifier_and_tests_agree(op: str) -> None:
    numbers = in_docstring(op)
    assert numbers == list(range(1, len(numbers) + 1)), "numbered from C1 without a gap"
    assert in_verifier(op) == set(numbers)
    assert in_tests(op) == set(numbers)


@pytest.mark.parametrize("op", OPS)
def test_invalid_tests_are_named_after_the_op_and_expect_its_diagnostic(op: str) -> None:
    text = invalid_text(op)
    chunks = text.split("// -----\n")
    names = [FUNCTION.findall(chunk) for chunk in chunks]
    assert all(len(found) == 1 and found[0].startswith(f"{op}_") for found in names)
    assert len({found[0] for found in names}) == len(names)
    expected = EXPECTED.findall(text)
    assert len(expected) == len(chunks)
    assert all(message.startswith(f"'gs.{op}' op ") for message in expected)


def templates() -> dict[str, re.Pattern[str]]:
    """The messages that `Wrong` is raised with, as patterns; what is computed matches anything,
    except for a text that the same function gives a name."""
    found = {}
    for name, text in SOURCES.items():
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, ast.FunctionDef):
                continue
            nodes = list(ast.walk(function))
            named = {
                node.targets[0].id: node.value
                for node in nodes
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            }
            for node in nodes:
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Wrong":
                    pattern = re.compile(_pattern(node.args[0], named))
                    found[f"{name}:{node.lineno}"] = pattern
    return found


def _pattern(message: ast.expr, named: dict[str, ast.expr]) -> str:
    if isinstance(message, ast.Constant):
        return re.escape(str(message.value))
    if isinstance(message, ast.JoinedStr):
        return "".join(_pattern(part, named) for part in message.values)
    if isinstance(message, ast.FormattedValue) and isinstance(message.value, ast.Name):
        text = named.get(message.value.id)
        if isinstance(text, (ast.Constant, ast.JoinedStr)):
            return _pattern(text, named)
    return ".*"


def test_every_diagnostic_is_expected_by_a_test() -> None:
    patterns = templates()
    assert len(patterns) > 50
    messages = [
        message.split(" op ", 1)[1] for op in OPS for message in EXPECTED.findall(invalid_text(op))
    ]
    unseen = [
        f"{place}: {pattern.pattern}"
        for place, pattern in patterns.items()
        if not any(pattern.fullmatch(message) for message in messages)
    ]
    assert not unseen, "\n".join(unseen)
    unknown = [
        message
        for message in messages
        if not any(pattern.fullmatch(message) for pattern in patterns.values())
        # MLIR's own, about any terminator.
        and message != "must be the last operation in the parent block"
    ]
    assert not unknown, "\n".join(unknown)


def test_every_op_has_its_tests_and_a_file_of_its_name() -> None:
    folders = {path.name for path in TESTS.iterdir() if (path / "ops.mlir").exists()}
    assert folders == set(OPS)
    for op in OPS:
        assert invalid_text(op).startswith("// RUN: gs-opt %s --split-input-file --verify-diag")
