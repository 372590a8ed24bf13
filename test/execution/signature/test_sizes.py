"""Sizes of results are computed alike by Python, which allocates, and by what checks them."""

import ctypes
from itertools import product

import pytest
from mlir_gs import dialect
from mlir_gs.execution.compilation import engine
from mlir_gs.execution.generated import support
from mlir_gs.execution.generated.plan import SIZE
from mlir_gs.execution.signature.sizes import OPERATIONS, Size, python_source, truncating_div

NUMBERS = (-7, -1, 0, 1, 3, 8)
BY_POSITIVE = ("div", "floordiv", "ceildiv", "mod")
_RESULT = 3


@pytest.fixture(scope="module")
def computed():
    """A function from an operation's number and three words to its result."""
    with dialect.context():
        found = engine.compile_shared(support.text("support"), ["__gs_size"])
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(found["__gs_size"])

    def compute(op: int, words: tuple[int, ...], *operands: int) -> int:
        frame = (ctypes.c_int64 * 4)(*words, 12345)
        step = (ctypes.c_int64 * 7)(7, SIZE, op, _RESULT, *operands)
        function(step, frame)
        assert tuple(frame)[:_RESULT] == words
        return frame[_RESULT]

    return compute


@pytest.mark.parametrize("op", OPERATIONS[2:])
def test_operations_are_those_of_python(op: str, computed) -> None:
    count = 3 if op == "select" else 2
    operands = tuple(Size("scalar", (k,)) for k in range(count))
    source = python_source(Size(op, operands=operands))
    for words in product(NUMBERS, repeat=3):
        if op in BY_POSITIVE and words[1] <= 0:
            continue
        names = {f"a{k}": word for k, word in enumerate(words)}
        expected = eval(source, {"truncating_div": truncating_div, **names})
        assert computed(OPERATIONS.index(op), words, 0, 1, 2) == int(expected), (source, words)


@pytest.mark.parametrize("op", BY_POSITIVE)
def test_a_division_by_zero_fits_no_array(op: str, computed) -> None:
    assert computed(OPERATIONS.index(op), (7, 0, 0), 0, 1, 2) == -1


def test_constants_and_copies(computed) -> None:
    assert computed(OPERATIONS.index("constant"), (1, 2, 3), -5, 0, 0) == -5
    assert computed(OPERATIONS.index("copy"), (1, 2, 3), 2, 0, 0) == 3
