"""Each pattern and each pass on tensors is proved, or is said to be tested only."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("z3")

import z3
from mlir_gs import dialect
from mlir_gs.lowering.algebra import patterns
from mlir_gs.lowering.passes.registry import registered_passes
from mlir_gs.prove.compare import compare
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.prove import functions, plain
from mlir_gs.prove.symbolic import reading
from mlir_gs.prove.values import Tensor
from pattern_files import PatternFile, pattern_files

FILES = pattern_files()
_PASS = re.compile(r"(?:convert-)?gs-[a-z-]+|convert-[a-z-]+-to-gs")
# Passes about memory and loops, those that change what an op computes on purpose, and repairs of
# upstream's ops.
_NOT_PROVED = {
    *("convert-gs-to-scf", "gs-enter-bufferization", "gs-leave-bufferization", "gs-limit-aliases"),
    *("gs-prefetch", "gs-unswitch", "gs-schedule", "gs-sanitize", "gs-clamp-sizes"),
    *("gs-emulate-small-floats", "gs-expand-math", "gs-order-zeros", "gs-repair"),
}
# Folders of passes about calls, memory and loops.
_OF_MEMORY = (".kernel.", ".llvm.", ".raising.", ".passes.")
_SWAPPED = (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_ADD, z3.Z3_OP_MUL, z3.Z3_OP_EQ)


@pytest.fixture
def context() -> Iterator[None]:
    with dialect.context():
        yield


def test_every_pattern_has_a_file() -> None:
    named = {file.header["pattern"] for file in FILES if "pattern" in file.header}
    assert named == {function.__name__ for _, function in patterns.patterns()}


def test_every_pass_on_tensors_has_a_file() -> None:
    named = {name for file in FILES for name in _PASS.findall(file.header.get("pass", ""))}
    # The patterns of gs-canonicalize have files of their own.
    modules = {name: each.__module__ for name, each in registered_passes().items()}
    ours = {
        name
        for name, module in modules.items()
        if ".lowering." in module and not any(folder in module for folder in _OF_MEMORY)
    }
    assert named | _NOT_PROVED | {"gs-canonicalize"} == ours


def test_nearly_all_is_for_all_sizes() -> None:
    assert sum(file.is_proved and "limits" not in file.header for file in FILES) >= 0.9 * len(FILES)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path.stem)
def test_is_as_its_file_says(file: PatternFile) -> None:
    written = [file.written(choice)[0] for choice in file.choices]
    asked: list[dict[str, list[str]]] = []
    for choice in file.choices:
        before, after = map(plain, file.modules(choice))
        old, new = functions(before), functions(after)
        same = [name for name in old if str(old[name]) == str(new[name])]
        # A pass may leave alone what a pattern of its own file is about.
        assert not same or ("pass" in file.header and len(same) < len(old)), f"{same} not rewritten"
        with reading(file.written(choice)[1]):
            # What the solver is asked does not hang on the values that were written.
            chosen = [name for name in old if _body(written[0], name) != _body(written[-1], name)]
            asked.append({name: _question(old[name], new[name]) for name in chosen})
            for name in old if choice == 0 else ():
                verdict = compare(old[name], new[name], timeout=60)
                assert verdict.proved == file.is_proved, f"@{name}: {verdict.reason}"
    assert asked[0] == asked[-1]


def _body(text: str, name: str) -> str:
    return text.split(f"func.func @{name}(", 1)[1].split("\nfunc.func @", 1)[0]


def _question(before: Any, after: Any) -> list[str]:
    found = []
    for name, function in (("before", before), ("after", after)):
        meaning = Meaning(name, function)
        side = meaning.side
        terms = [*side.facts, *(event.condition for event in side.events)]
        for result in meaning.results:
            terms += [*result.shape, result.term] if isinstance(result, Tensor) else [result]
        known: dict[int, str] = {}
        found += [_spelled(term, known) for term in terms]
    return found


def _spelled(term: z3.ExprRef, known: dict[int, str]) -> str:
    """The term as text; z3 orders operands that may be swapped by when they were made."""
    if term.get_id() not in known:
        known[term.get_id()] = _spelled_anew(term, known)
    return known[term.get_id()]


def _spelled_anew(term: z3.ExprRef, known: dict[int, str]) -> str:
    if z3.is_quantifier(term):
        return f"(forall {term.num_vars()} {_spelled(term.body(), known)})"
    if not z3.is_app(term) or not term.num_args():
        return term.sexpr()
    operands = [_spelled(each, known) for each in term.children()]
    if term.decl().kind() in _SWAPPED:
        operands.sort()
    return f"({term.decl().name()} {' '.join(operands)})"
