"""`group`: a counting sort of positions by their key."""

from functools import lru_cache
from operator import index
from string import Template
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import coordinate, coordinates, integers
from mlir_gs.execution.machine import openmp

Array = np.ndarray[Any, Any]

_SHARED = 1 << 16
"""Keys from which several threads are worth it."""

_KEYS_PER_COUNT = 4
"""Each thread has a count for each group: it has so many keys for one at least."""


def group(keys: Any, num_groups: int | None = None) -> tuple[Any, Any]:
    """The positions of `keys` ordered by key, and where the positions of each group start.

    `keys`: integers of shape [n]. Returns `order`, int64 [n], and `offsets`, int64
    [num_groups + 1]: `order[offsets[k]:offsets[k + 1]]` are the positions of the keys k, ascending,
    so that without keys out of bounds `order` is `numpy.argsort(keys, kind="stable")`.
    `num_groups` is by default one more than the greatest key. Keys out of [0, num_groups) are in no
    group: their positions come last, ascending.

    `keys[order]` is sorted, as `segment_sum` and SciPy's CSR want it: with the rows of a COO matrix
    as keys, `offsets` are CSR's `indptr`, and `order` takes its columns and its elements.

    Raises ValueError for shapes and `num_groups`, IndexError for elements that are no integers.
    """
    numbers = coordinates(integers(frameworks.plain(keys), "keys", bools=True))
    if numbers.ndim != 1:
        raise ValueError(f"keys must have rank 1, found {numbers.ndim}")
    if num_groups is None:
        num_groups = max(int(numbers.max()) + 1, 0) if numbers.size else 0
    count = index(num_groups)
    if count < 0:
        raise ValueError(f"num_groups must be 0 or more, found {count}")
    total = len(numbers)
    order, offsets = np.empty(total, np.int64), np.empty(count + 1, np.int64)
    pieces = 1
    if total >= _SHARED:
        pieces = max(1, min(openmp.wanted_threads(None), total // (_KEYS_PER_COUNT * (count + 1))))
    narrow = total < 1 << 31
    counts = np.empty((pieces, count + 1), np.int32 if narrow else np.int64)
    run = _kernel(coordinate(numbers.dtype), "i32" if narrow else "i64", pieces > 1)
    run(np.ascontiguousarray(numbers), counts, order, offsets)
    give = frameworks.back(keys)
    return give(order), give(offsets)


_TEXT = Template("""
func.func @f(%keys: memref<?x$key>, %counts: memref<?x?x$count>, %order: memref<?xi64>,
             %offsets: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : $count
  %one = arith.constant 1 : $count
  %total = memref.dim %keys, %c0 : memref<?x$key>
  %room = memref.dim %order, %c0 : memref<?xi64>
  %fits = arith.cmpi eq, %total, %room : index
  cf.assert %fits, "a position for each key"
  %pieces = memref.dim %counts, %c0 : memref<?x?x$count>
  %bins = memref.dim %counts, %c1 : memref<?x?x$count>
  %ends = memref.dim %offsets, %c0 : memref<?xi64>
  %same = arith.cmpi eq, %bins, %ends : index
  cf.assert %same, "an offset for each count"
  %some = arith.cmpi uge, %bins, %c1 : index
  cf.assert %some, "a count for keys in no group"
  %groups = arith.subi %bins, %c1 : index
  %length = arith.ceildivui %total, %pieces : index
  %greatest = arith.subi %total, %c1 : index
  scf.parallel (%p) = (%c0) to (%pieces) step (%c1) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %stop = arith.minui %next, %total : index
    scf.for %b = %c0 to %bins step %c1 {
      memref.store %zero, %counts[%p, %b] : memref<?x?x$count>
    }
    scf.for %k = %start to %stop step %c1 {
      $bin
      %seen = memref.load %counts[%p, %bin] : memref<?x?x$count>
      %more = arith.addi %seen, %one : $count
      memref.store %more, %counts[%p, %bin] : memref<?x?x$count>
    }
    scf.reduce
  }
  %end = scf.for %b = %c0 to %bins step %c1 iter_args(%at = %zero) -> ($count) {
    %begin = $widened
    memref.store %begin, %offsets[%b] : memref<?xi64>
    %last = scf.for %p = %c0 to %pieces step %c1 iter_args(%first = %at) -> ($count) {
      %size = memref.load %counts[%p, %b] : memref<?x?x$count>
      memref.store %first, %counts[%p, %b] : memref<?x?x$count>
      %next = arith.addi %first, %size : $count
      scf.yield %next : $count
    }
    scf.yield %last : $count
  }
  scf.parallel (%p) = (%c0) to (%pieces) step (%c1) {
    %start = arith.muli %p, %length : index
    %next = arith.addi %start, %length : index
    %stop = arith.minui %next, %total : index
    scf.for %k = %start to %stop step %c1 {
      $bin
      %place = memref.load %counts[%p, %bin] : memref<?x?x$count>
      %after = arith.addi %place, %one : $count
      memref.store %after, %counts[%p, %bin] : memref<?x?x$count>
      %where = arith.index_cast %place : $count to index
      %position = arith.index_cast %k : index to i64
      %safe = arith.minui %where, %greatest : index
      memref.store %position, %order[%safe] : memref<?xi64>
    }
    scf.reduce
  }
  return
}
""")

# A key that is negative or too large is, without a sign, above all groups.
_BIN = Template("""%key = memref.load %keys[%k] : memref<?x$key>
      $signless
      %number = $cast %bits : $bits to index
      %bin = arith.minui %number, %groups : index""")


@lru_cache(None)
def _kernel(key: str, count: str, shared: bool) -> Kernel:
    unsigned, bits = key.startswith("u"), key.removeprefix("u")
    signless = f"%bits = builtin.unrealized_conversion_cast %key : {key} to {bits}"
    if not unsigned:
        signless = f"%nothing = arith.constant 0 : {key}\n%bits = arith.addi %key, %nothing : {key}"
    cast = "arith.index_castui" if unsigned else "arith.index_cast"
    bin_ = _BIN.substitute(key=key, bits=bits, signless=signless, cast=cast)
    widened = (
        f"arith.extsi %at : {count} to i64" if count == "i32" else "arith.addi %at, %zero : i64"
    )
    text = _TEXT.substitute(key=key, count=count, bin=bin_, widened=widened)
    return compile(text, threads=None if shared else 1)
