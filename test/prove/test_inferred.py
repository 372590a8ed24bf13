"""What gs-infer writes on an op it says with its reason, and the solver agrees."""

from collections.abc import Iterator

import pytest

pytest.importorskip("z3")

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.explain import collecting
from mlir_gs.prove.compare import compare
from mlir_gs.prove.prove import functions
from mlir_gs.prove.symbolic import reading
from pattern_files import PatternFile, pattern_files

NAMES = ("unique", "sorted", "mode")


@pytest.fixture
def file() -> Iterator[PatternFile]:
    (found,) = (each for each in pattern_files() if each.path.stem == "gs-infer")
    with context():
        yield found


def test_each_promise_is_shown_and_said(file: PatternFile) -> None:
    with collecting() as notes:
        before, after = file.modules()
    old, new = functions(before), functions(after)
    new_promises = 0
    for name in old:
        texts = [str(each[name]) for each in (old, new)]
        new_promises += sum(texts[1].count(each) - texts[0].count(each) for each in NAMES[:2])
        with reading(file.written()[1]):
            assert compare(old[name], new[name], 10).proved, name
    said = [note.text for note in notes if note.kind == "proved"]
    assert sum(text.startswith(NAMES[:2]) for text in said) == new_promises > 0
    assert any(text.startswith("in bounds, so no mode") for text in said)
    assert all(", from '" in text for text in said), said


def test_a_promise_that_was_not_inferred_is_not_shown(file: PatternFile) -> None:
    """Coordinates between 0 and 127 may be equal."""
    before, after = file.modules()
    one, other = functions(before)["bounded"], functions(after)["bounded"]
    for name in NAMES[:2]:
        for view in other.regions[0].blocks[0].operations:
            if view.operation.name == "gs.gather":
                view.operation.attributes[name] = ir.UnitAttr.get(other.context)
                with reading(file.written()[1]):
                    assert not compare(one, other, 2).proved
                del view.operation.attributes[name]
