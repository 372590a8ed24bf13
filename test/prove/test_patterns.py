"""Each pattern and each pass on tensors is proved, or is said to be tested only."""

from collections.abc import Iterator

import pytest
from pattern_files import PatternFile, pattern_files

pytest.importorskip("z3")

from mlir_gs import dialect
from mlir_gs.lowering.algebra import patterns
from mlir_gs.prove.prove import functions, prove

FILES = pattern_files()


@pytest.fixture
def context() -> Iterator[None]:
    with dialect.context():
        yield


def test_every_pattern_has_a_file() -> None:
    named = {file.header["pattern"] for file in FILES if "pattern" in file.header}
    assert named == {function.__name__ for _, function in patterns.patterns()}


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path.stem)
def test_is_as_its_file_says(file: PatternFile) -> None:
    before, after = file.modules()
    old, new = functions(before), functions(after)
    same = [name for name in old if str(old[name]) == str(new[name])]
    # A pass may leave alone what a pattern of its own file is about.
    assert not same or ("pass" in file.header and len(same) < len(old)), f"{same} not rewritten"
    answers = [prove(before, after, name) for name in old]
    statuses = {answer.status for answer in answers}
    wanted = {"proved"} if file.is_proved else {"unknown"}
    assert statuses == wanted, [(a.entry, a.status, a.reason) for a in answers]
