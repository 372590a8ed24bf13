"""A part of the quick form of the combination table, and what the whole of it covers."""

import os
import re
from itertools import product

import pytest
from combinations import GATHER, GENERIC, SCATTER, Combination, combinations, run, table
from combiners import combiners_of
from elements import COORDINATES, ELEMENTS
from mlir_gs.dialect import irdl_text
from rich.console import Console

MODES = {
    "gs.gather": GATHER,
    "gs.gather_elements": GATHER,
    "gs.scatter": SCATTER,
    "gs.scatter_elements": SCATTER,
    "gs.generic": GENERIC,
    "gs.histogram": ("no mode",),
    "gs.strided_slice": ("no mode",),
}


@pytest.fixture(scope="module")
def whole() -> list[Combination]:
    return list(combinations())


def test_every_op_has_its_modes() -> None:
    ops = set(re.findall(r"irdl\.operation @(\w+)", irdl_text())) - {"yield"}
    assert {name.removeprefix("gs.") for name in MODES} == ops


@pytest.mark.parametrize("first", [0, 1])
def test_a_third_of_the_quick_table(first: int) -> None:
    """The rest, and all of the whole table, is for `python test/numeric/combinations.py`."""
    found = list(combinations(quick=True))[first::3]
    wrong = run(found, os.cpu_count() or 1, Console(quiet=True))
    Console(width=120).print(table(found, wrong))
    assert not wrong, "\n".join(text for _, text, _ in wrong[:3])


def test_quick_table_has_every_mode_with_every_element_kind() -> None:
    seen = {(c.op, c.mode, c.choice.element) for c in combinations(quick=True)}
    assert seen >= {(op, mode, e) for op in MODES for mode in MODES[op] for e in ELEMENTS}


def test_whole_table_has_every_mode_with_every_coordinate_kind(whole: list[Combination]) -> None:
    seen = {(c.op, c.mode, getattr(c.choice, "coordinate", "")) for c in whole}
    with_modes = {op: modes for op, modes in MODES.items() if modes != ("no mode",)}
    assert seen >= {(op, m, c) for op in with_modes for m in MODES[op] for c in COORDINATES}


def test_whole_table_has_every_attribute_with_every_mode_and_element(
    whole: list[Combination],
) -> None:
    gathers = {
        (c.op, c.choice.shared, c.choice.element) for c in whole if hasattr(c.choice, "shared")
    }
    flags = (False, True)
    for op in ("gs.gather", "gs.gather_elements", "gs.scatter", "gs.scatter_elements"):
        found = {(s.mode, s.wrap, s.unique, s.sorted, e) for name, s, e in gathers if name == op}
        assert found == set(product(MODES[op], flags, flags, flags, ELEMENTS))


def test_whole_table_has_every_combiner_with_every_element(whole: list[Combination]) -> None:
    for op in ("gs.scatter", "gs.scatter_elements", "gs.histogram"):
        seen = {(c.choice.element, c.choice.combiner) for c in whole if c.op == op}
        assert seen >= {(e, name) for e in ELEMENTS for name in combiners_of(e)}


def test_promises_that_are_asked_for_are_made(whole: list[Combination]) -> None:
    """No program leaves `unique` off because its coordinates could not keep it."""
    for c in whole[:: len(whole) // 500]:
        shared = getattr(c.choice, "shared", None)
        if shared is not None and shared.unique:
            assert "unique" in c.program().label
