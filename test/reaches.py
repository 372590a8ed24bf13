"""Which tests have a part for an optional package: what they reach names one."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

# What the packages of the extra `peers` are imported as, and what asks for one.
_PEERS = re.compile(
    r"\b(torch|jax|jaxlib|jax_tvm_ffi|onnx|onnxruntime|scipy|numba|llvmlite|iree|matplotlib"
    r"|networkx|sklearn|PIL|gt_all\w+|z3)\b|^importorskip$"
)
_HERE = Path(__file__).parent
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _Part(NamedTuple):
    """What a file defines under a name; under none, what is run whenever the file is imported."""

    path: Path
    name: str = ""


@cache
def names_a_peer(path: Path, test: str = "") -> bool:
    """Whether a function of a file of tests, or what it reaches there, in helpers and in fixtures,
    names a peer; without a function, whether any does."""
    waiting = [_Part(path, name) for name in ([test] if test else _parts(path))]
    met = set(waiting)
    while waiting:
        one = waiting.pop()
        names = _parts(one.path).get(one.name, frozenset())
        if any(map(_PEERS.search, names)):
            return True
        found = {_Part(one.path), *_meant(one.path, names)} - met
        met |= found
        waiting += found
    return False


def _meant(path: Path, names: frozenset[str]) -> Iterator[_Part]:
    """What a file means by names: parts of it, of helpers that it imports, and fixtures."""
    imported = _imported(path)
    fixtures = [each / "conftest.py" for each in path.parents if each.is_relative_to(_HERE)]
    for name in names:
        for file in (path, *filter(Path.exists, fixtures)):
            if name in _parts(file):
                yield _Part(file, name)
                break
        if name in imported:
            helper, part = imported[name]
            yield from (_Part(helper, each) for each in ([part] if part else _parts(helper)))


@cache
def _helpers() -> dict[str, Path]:
    """The modules of the tests, by the name that other tests import them by."""
    return {path.stem: path for path in _HERE.rglob("*.py") if path.stem != "conftest"}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _imported(path: Path) -> dict[str, _Part]:
    """What a file imports from helpers, by its name there; whole helpers have no part."""
    found = {}
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for each in node.names:
                module = node.module if isinstance(node, ast.ImportFrom) else each.name
                if module in _helpers():
                    part = each.name if isinstance(node, ast.ImportFrom) else ""
                    found[each.asname or each.name] = _Part(_helpers()[module], part)
    return found


@cache
def _parts(path: Path) -> dict[str, frozenset[str]]:
    """The names in each part of a file. What may skip the file, or is for all tests, has none."""
    parts: dict[str, set[str]] = defaultdict(set, {"": set()})
    for node in _tree(path).body:
        names = set(_names(node))
        for defined in _defined(node):
            parts[defined] |= names
        if _is_for_all(node, names):
            parts[""] |= names
    return {name: frozenset(names) for name, names in parts.items()}


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _Definition):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (each.asname or each.name for each in node.names)
    else:
        names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
        yield from (each.id for each in names if isinstance(each.ctx, ast.Store))


def _is_for_all(node: ast.stmt, names: set[str]) -> bool:
    if isinstance(node, _Definition):
        return "autouse" in names
    if isinstance(node, ast.Import | ast.ImportFrom):
        module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        return bool(_PEERS.match(module or ""))
    return "importorskip" in names or not any(_defined(node))


def _names(tree: ast.AST) -> Iterator[str]:
    """What is read, asked for, imported, or spelled in a string that is no docstring."""
    unread = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(name)
                | ast.arg(name)
                | ast.Attribute(attr=name)
                | ast.alias(name)
                | ast.keyword(str(name))
                | ast.ImportFrom(str(name))
            ):
                yield name
            case ast.Constant(str(text)) if id(node) not in unread:
                yield text
