"""Texts that nest deeply are refused before they are parsed, in each way that the grammar has."""

import importlib.util
from pathlib import Path

import pytest
from mlir_gs.lowering.input_limits import over_limit

_SPEC = importlib.util.spec_from_file_location(
    "deep_texts", Path(__file__).parents[1] / "fuzz" / "deep_texts.py"
)
assert _SPEC is not None
assert _SPEC.loader is not None
deep_texts = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(deep_texts)

FLAT = ("sums", "differences", "products", "quotients", "arrows", "symbols")
"""MLIR does not recurse."""


@pytest.mark.parametrize("kind", deep_texts.KINDS)
def test_deep_and_flat(kind: str) -> None:
    text = deep_texts.KINDS[kind](5000).encode()
    assert (over_limit(text) is None) == (kind in FLAT)
    assert over_limit(deep_texts.KINDS[kind](10).encode()) is None


def test_aliases_may_be_many() -> None:
    lines = [f'#loc{k} = loc("f{k}"(#loc{k // 2}))' for k in range(1, 3000)]
    uses = [f"%{k} = arith.constant {k} : i32 loc(#loc{k})" for k in range(1, 3000)]
    assert over_limit("\n".join([*uses, '#loc0 = loc("a")', *lines]).encode()) is None
    assert over_limit("\n".join(['#loc0 = loc("a")', *lines, *uses]).encode()) is None
