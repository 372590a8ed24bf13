"""Rules for files: their length, and lit tests that check what they claim to check."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 400
FOLDERS = [
    *("python", "dialect", "lowering", "prove", "frontend", "execution", "integrations", "tools"),
    *("plugin", "test", "examples", "benchmarks", "docs"),
]
SUFFIXES = {".py", ".mlir", ".md", ".toml", ".txt", ".cmake", ".c", ".cpp", ".h"}
LIT = sorted(
    path
    for path in (ROOT / "test").rglob("*.mlir")
    if "Inputs" not in path.parts and "Output" not in path.parts
)
# What may follow a prefix in a check line.
_CHECK = re.compile(
    r"//\s*([A-Z][A-Z0-9_-]*?)(?:-(?:LABEL|NEXT|SAME|NOT|DAG|EMPTY|COUNT-\d+))?:(?=\s|$|\S)"
)
_WORDS = {"RUN", "COM", "NOTE", "XFAIL", "REQUIRES", "UNSUPPORTED"}


def lit_ids() -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in LIT]


def commands(text: str) -> list[str]:
    """The RUN lines, those that end in a backslash joined."""
    lines = re.findall(r"//\s*RUN:\s*(.*)", text)
    return re.sub(r"\\\n\s*", " ", "\n".join(lines)).split("\n")


def used_prefixes(text: str) -> set[str]:
    """The check prefixes that the RUN lines use."""
    prefixes: set[str] = set()
    for command in commands(text):
        for part in re.split(r"[|;]|&&", command):
            if not re.search(r"\b(filecheck|FileCheck)\b", part):
                continue
            given = re.findall(r"--?check-prefix(?:es)?[= ](\S+)", part)
            prefixes |= {each for names in given for each in names.split(",")} or {"CHECK"}
    return prefixes


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_long(folder: str) -> None:
    for path in (ROOT / folder).rglob("*"):
        # What is made of C files is no one's to read.
        made = path.name.endswith(".llvm.mlir")
        if path.suffix in SUFFIXES and "build" not in path.parts and not made:
            count = path.read_bytes().count(b"\n")
            assert count <= LIMIT, f"{path.relative_to(ROOT)} has {count} lines"


def test_helpers_of_tests_have_names_of_their_own() -> None:
    """They are imported by their bare names: of two, a process finds the one that it met first."""
    helpers = [p.stem for p in (ROOT / "test").rglob("*.py") if not p.stem.startswith("test_")]
    counted = Counter(name for name in helpers if name != "conftest")
    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("path", LIT, ids=lit_ids())
def test_lit_file_runs_and_uses_its_prefixes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "// RUN:" in text, "no RUN line"
    written = {match[1] for match in _CHECK.finditer(text)} - _WORDS
    used = used_prefixes(text)
    assert written <= used, f"no RUN line uses {sorted(written - used)}"
    assert used <= written, f"no line has the prefix {sorted(used - written)}"


@pytest.mark.parametrize("path", LIT, ids=lit_ids())
def test_lit_file_checks_something(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for command in commands(text):
        checks = re.search(r"filecheck|FileCheck|verify-|not |--check|rm |>|-o ", command)
        assert checks, f"nothing looks at the result of: {command}"
