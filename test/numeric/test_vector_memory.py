"""Vectors of user's programs in memory, of elements that are whole bytes and of others."""

import numpy as np
import pytest
import vector_memory
from mlir_gs import execution


def test_random_programs() -> None:
    rng = np.random.default_rng(7)
    told = [vector_memory.check(one, rng) for one in vector_memory.programs(76, 7)]
    assert not [text for text in told if text]


@pytest.mark.parametrize("read", vector_memory.READS)
@pytest.mark.parametrize("write", vector_memory.WRITES)
def test_bools(read: str, write: str) -> None:
    program = vector_memory.Program("i1", read, write, 2, False, 3, 5)
    assert not vector_memory.check(program, np.random.default_rng(3))


@pytest.mark.parametrize("shape", ["8xi1", "8xi4", "2x3xf32", "3x2x3xf32"])
def test_memory_taken_for_vectors(shape: str) -> None:
    """Vectors have their elements elsewhere than arrays: between rows is padding, or no bytes."""
    text = f"""
func.func @f(%x: memref<{shape}>, %o: memref<{shape}>) {{
  %v = vector.type_cast %x : memref<{shape}> to memref<vector<{shape}>>
  %w = vector.type_cast %o : memref<{shape}> to memref<vector<{shape}>>
  %n = memref.load %v[] : memref<vector<{shape}>>
  memref.store %n, %w[] : memref<vector<{shape}>>
  return
}}"""
    with pytest.raises(execution.CompileError, match=r"-:3:8: error: 'vector.type_cast' op vector"):
        execution.compile(text)


def test_memory_taken_for_a_vector() -> None:
    text = """
func.func @f(%x: memref<2x4xf32>, %o: memref<2x4xf32>) {
  %v = vector.type_cast %x : memref<2x4xf32> to memref<vector<2x4xf32>>
  %w = vector.type_cast %o : memref<2x4xf32> to memref<vector<2x4xf32>>
  %n = memref.load %v[] : memref<vector<2x4xf32>>
  memref.store %n, %w[] : memref<vector<2x4xf32>>
  return
}"""
    x, o = np.arange(8, dtype=np.float32).reshape(2, 4), np.zeros((2, 4), np.float32)
    execution.compile(text)(x, o)
    np.testing.assert_array_equal(o, x)
