"""The prover reads a program as the reference runs it; more by `python test/prove/meanings.py`."""

import pytest

pytest.importorskip("z3")

import numpy as np
from meanings import disagreement, disagreements
from mlir_gs.dialect import context
from mlir_gs.frontend.parse import parse
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.prove import functions
from mlir_gs.prove.runs import Results, outcome
from mlir_gs.prove.search import types_of

TEXT = """func.func @f(%x: tensor<?xi32>, %k: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %k into %x[%c0] : tensor<?xi32>
  return %r : tensor<?xi32>
}
"""


@pytest.mark.parametrize("seed", range(4))
def test_both_mean_the_same(seed: int) -> None:
    for status, text in disagreements(seed, 3):
        assert not text, f"{status}\n{text}"


def test_another_result_is_told() -> None:
    with context():
        module = parse(TEXT)
        meaning = Meaning("before", functions(module)["f"])
        arguments = [np.zeros(2, np.int32), np.array(3, np.int32)]
        types = types_of(module, "f"), types_of(module, "f")[:1]
        found = outcome(module, "f", arguments)
        assert isinstance(found, Results)
        assert not disagreement(meaning, types, arguments, found)
        for wrong in (found.arrays[0] + 1, found.arrays[0][:1]):
            other = Results((wrong,), (np.zeros(wrong.shape, bool),))
            assert disagreement(meaning, types, arguments, other)
        assert disagreement(meaning, types, arguments, "no meaning: ") is True
