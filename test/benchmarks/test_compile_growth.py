"""Programs that grow, and what their growth makes of the IR."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect, ir
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.ir.builders import walk

PROGRAMS = (
    *("chain", "static_chain", "jumps", "outputs", "uses", "scatters", "inserts"),
    *("overlapping_inserts", "sums", "layers", "slices", "loops"),
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_program_is_lowered_and_timed(load: Callable[[str], Any], name: str) -> None:
    growth = load("compile_growth")
    assert tuple(growth.PROGRAMS) == PROGRAMS
    _, totals = growth.growing(growth.PROGRAMS[name], 1, 2.6, 0.02, "gs-to-llvm")
    assert len(totals) == 3
    assert min(totals) > 0


def _counts(text: str) -> Counter[str]:
    passes = "gs-prepare,gs-optimize,gs-bufferize,canonicalize,cse,convert-gs-to-scf"
    with dialect.context(), ir.Location.unknown():
        module = mlir_gs.parse(text)
        run_pipeline(module, passes)
        return Counter(op.name for op in walk(module.operation))


def test_loops_of_a_chain_grow_with_it(load: Callable[[str], Any]) -> None:
    chain = load("compile_growth").chain
    short, long = _counts(chain(5)), _counts(chain(15))
    assert short["memref.load"] >= 5
    assert sum(long.values()) < 3.2 * sum(short.values())
    assert long["memref.load"] < 3.2 * short["memref.load"]


@pytest.mark.parametrize("steps", [1, 3])
def test_a_chain_of_an_empty_table_is_refused_once(load: Callable[[str], Any], steps: int) -> None:
    kernel = mlir_gs.compile(load("compile_growth").chain(steps))
    table, ids = np.ones((4, 64), np.float32), np.array([[3], [9], [-1]])
    expected = table[np.clip(ids[:, 0], 0, 3)]
    for _ in range(steps - 1):
        expected = expected[np.clip(ids[:, 0], 0, 2)]
    np.testing.assert_array_equal(kernel(table, ids), expected)
    with pytest.raises(IndexError, match="out of bounds"):
        kernel(table[:0], ids)
    assert kernel(table[:0], ids[:0]).shape == (0, 64)
