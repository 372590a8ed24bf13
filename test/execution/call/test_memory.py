"""Memory of large results is used again, and only when nobody has it any more."""

import gc

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.execution.call import memory
from mlir_gs.execution.call.memory import Pool, empty
from sources import GATHER

BIG = memory.LARGE


def _idle() -> int:
    """Bytes that are kept and not in use."""
    with memory.pool._lock:
        memory.pool._collect()
        return memory.pool._held


def address(array: np.ndarray) -> int:
    return array.ctypes.data


def test_a_block_is_used_again(monkeypatch) -> None:
    monkeypatch.setattr(memory, "pool", Pool(8 * BIG))
    first = empty((BIG,), np.dtype(np.uint8))
    place = address(first)
    view = first[5:].reshape(-1)
    del first
    second = empty((BIG // 4,), np.dtype(np.float32))
    assert address(second) != place
    view[:] = 1
    del view
    gc.collect()
    assert address(empty((BIG // 4,), np.dtype(np.float32))) == place
    assert place % 64 == 0


def test_what_is_kept_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr(memory, "pool", Pool(3 * BIG))
    arrays = [empty((BIG,), np.dtype(np.uint8)) for _ in range(6)]
    assert _idle() == 0
    arrays.clear()
    assert _idle() == 3 * BIG
    # A block that is much larger than what is wanted stays where it is.
    small = empty((BIG // 2,), np.dtype(np.uint8))
    assert _idle() == 3 * BIG
    del small


def test_results_of_calls_are_never_the_same_memory(monkeypatch) -> None:
    monkeypatch.setattr(memory, "pool", Pool(64 * BIG))
    kernel = compile(GATHER)
    table = np.random.default_rng(0).standard_normal((50, 64)).astype(np.float32)
    ids = np.random.default_rng(1).integers(0, 50, 2 * BIG // 256)
    kept = [kernel(table, ids) for _ in range(3)]
    assert len({address(one) for one in kept}) == 3
    expected = table[ids]
    for _ in range(5):
        kernel(table, ids)
    for one in kept:
        np.testing.assert_array_equal(one, expected)
    assert kept[0].flags.writeable
    assert kept[0].flags.c_contiguous


def test_a_bound_of_nothing(monkeypatch) -> None:
    monkeypatch.setattr(memory, "pool", Pool(0))
    empty((BIG,), np.dtype(np.uint8))
    assert _idle() == 0
