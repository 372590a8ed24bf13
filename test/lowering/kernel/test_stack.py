"""Loops whose bodies take memory from the stack."""

import numpy as np
import pytest
from mlir_gs import compile

PARALLEL = "scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {", "}"
NEST = "scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %n step %c1 {", "} }"
AFFINE = "affine.for %i = 0 to 200 { affine.for %j = 0 to 200 {", "} }"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("loops", [PARALLEL, NEST, AFFINE], ids=["parallel", "for", "affine"])
def test_each_step_gives_the_stack_back(loops: tuple[str, str], threads: int) -> None:
    """All steps together take 40 MB."""
    begin, end = loops
    text = f"""
        func.func @f(%o: memref<200x200xindex>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = arith.constant 200 : index
          %k = arith.constant 128 : index
          {begin}
            %b = memref.alloca() : memref<128xindex>
            %s = arith.addi %i, %j : index
            scf.for %q = %c0 to %k step %c1 {{
              memref.store %s, %b[%q] : memref<128xindex>
            }}
            %p = arith.remui %s, %k : index
            %v = memref.load %b[%p] : memref<128xindex>
            memref.store %v, %o[%i, %j] : memref<200x200xindex>
          {end}
          return
        }}"""
    found = np.zeros((200, 200), np.int64)
    compile(text, threads=threads)(found)
    np.testing.assert_array_equal(found, np.add.outer(np.arange(200), np.arange(200)))
