"""`group` and `group_values`: a counting sort of positions, or of values, by key.

It is no op of the dialect: where an element goes depends on the keys before it, which no indexing
map of `gs.generic` says. What one would become are the loops below, of which no pass knows more.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import index
from string import Template
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import (
    WIDE,
    carried,
    coordinate,
    coordinates,
    integers,
    moved,
)
from mlir_gs.execution.functions.take import take
from mlir_gs.execution.machine import openmp

Array = np.ndarray[Any, Any]

_SHARED = 1 << 16
"""Keys from which several threads are used."""

_KEYS_PER_COUNT = 4
"""Each piece of the keys has a count for each group: it has so many keys for one at least."""


def group(keys: Any, num_groups: int | None = None) -> tuple[Any, Any]:
    """The positions of `keys` ordered by key, and where the positions of each group start.

    `keys`: integers of shape [n]. Returns `order`, int64 [n], and `offsets`, int64
    [num_groups + 1]: `order[offsets[k]:offsets[k + 1]]` are the positions of the keys k, ascending,
    so that without keys out of bounds `order` is `numpy.argsort(keys, kind="stable")`.
    `num_groups` is by default one more than the greatest key. Keys out of [0, num_groups) are in no
    group: their positions come last, ascending.

    `keys[order]` is sorted, as `segment_sum` wants it. To move arrays into that order,
    `group_values` takes less time.

    Raises ValueError for shapes and `num_groups`, IndexError for elements that are no integers.
    """
    numbers, count = _checked(keys, num_groups)
    (order,), offsets = _grouped(numbers, count, [], True)
    give = frameworks.back(keys)
    return give(order), give(offsets)


def group_values(keys: Any, *values: Any, num_groups: int | None = None) -> tuple[Any, ...]:
    """Each of `values` ordered by `keys`, and where each group starts.

    `keys` and `num_groups` as for `group`; `values`: arrays of shape [n, ...] of any elements.
    Returns for each of them `value[order]`, and then `offsets`, where `order, offsets` is
    `group(keys, num_groups)`. Values of rank 1 are moved while the keys are read, without `order`.

    With the rows of a COO matrix as keys, its columns and its elements as values, this gives CSR's
    `indices`, `data` and `indptr`.

    Raises ValueError for shapes and `num_groups`, IndexError for keys that are no integers,
    TypeError for elements that `gs` does not hold.
    """
    numbers, count = _checked(keys, num_groups)
    arrays = [frameworks.array(value) for value in values]
    for place, each in enumerate(arrays):
        if each.shape[:1] != numbers.shape:
            raise ValueError(
                f"values {place} must have {len(numbers)} rows, one for each key, found shape "
                f"{each.shape}"
            )
    give = frameworks.back(keys, *values)
    flat = [each for each in arrays if each.ndim == 1]
    moved_, offsets = _grouped(numbers, count, flat, len(flat) < len(arrays))
    found = iter(moved_)
    order = next(found) if len(flat) < len(arrays) else None
    results = [
        next(found) if each.ndim == 1 else take(each, order, axis=0, mode="clip") for each in arrays
    ]
    return *map(give, results), give(offsets)


def _checked(keys: Any, num_groups: int | None) -> tuple[Array, int]:
    numbers = coordinates(integers(frameworks.plain(keys), "keys", bools=True))
    if numbers.ndim != 1:
        raise ValueError(f"keys must have rank 1, found {numbers.ndim}")
    if num_groups is None:
        num_groups = max(int(numbers.max()) + 1, 0) if numbers.size else 0
    count = index(num_groups)
    if count < 0:
        raise ValueError(f"num_groups must be 0 or more, found {count}")
    return numbers, count


def _grouped(
    numbers: Array, count: int, values: Sequence[Array], positions: bool
) -> tuple[list[Array], Array]:
    """The positions, if they are wanted, and `values`, ordered by key; and the offsets."""
    total = len(numbers)
    offsets = empty((count + 1,), WIDE)
    results = [empty((total,), WIDE)] if positions else []
    results += [empty((total,), value.dtype) for value in values]
    pieces = 1
    if total >= _SHARED:
        pieces = max(1, min(openmp.wanted_threads(None), total // (_KEYS_PER_COUNT * (count + 1))))
    narrow = total < 1 << 31
    counts = np.empty((pieces, count + 1), np.int32 if narrow else np.int64)
    elements = tuple(moved(value.dtype) for value in values)
    kinds = coordinate(numbers.dtype), "i32" if narrow else "i64"
    run = _kernel(*kinds, positions, elements, pieces > 1)
    sources = [np.ascontiguousarray(carried(value)) for value in values]
    targets = [carried(each) for each in results[positions:]]
    run(np.ascontiguousarray(numbers), *sources, counts, *results[:positions], *targets, offsets)
    return results, offsets


# A key that is negative or too large is, without a sign, above all groups.
_BIN = Template("""%key = memref.load %keys[%k] : memref<?x$key>
      $signless
      %number = $cast %bits : $bits to index
      %bin = arith.minui %number, %groups : index""")


_SIZE = Template("""%size_$name = memref.dim %$name, %c0 : memref<?x$element>
  %fits_$name = arith.cmpi eq, %total, %size_$name : index
  cf.assert %fits_$name, "one for each key"
  """)

_MOVE = Template("""%element_$n = memref.load %source_$n[%k] : memref<?x$element>
      memref.store %element_$n, %target_$n[%safe] : memref<?x$element>
      """)

_POSITION = """%position = arith.index_cast %k : index to i64
      memref.store %position, %order[%safe] : memref<?xi64>
      """

_COPY = Template("""scf.for %k = %start to %stop step %c1 {
        %safe = arith.addi %k, %c0 : index
        $move
      }
      """)


@lru_cache(None)
def _kernel(key: str, count: str, positions: bool, values: tuple[str, ...], shared: bool) -> Kernel:
    unsigned, bits = key.startswith("u"), key.removeprefix("u")
    signless = f"%bits = builtin.unrealized_conversion_cast %key : {key} to {bits}"
    if not unsigned:
        signless = f"%nothing = arith.constant 0 : {key}\n%bits = arith.addi %key, %nothing : {key}"
    cast = "arith.index_castui" if unsigned else "arith.index_cast"
    bin_ = _BIN.substitute(key=key, bits=bits, signless=signless, cast=cast)
    widened = (
        f"arith.extsi %at : {count} to i64" if count == "i32" else "arith.addi %at, %zero : i64"
    )
    sources = {f"source_{n}": element for n, element in enumerate(values)}
    targets = {"order": "i64"} if positions else {}
    targets |= {f"target_{n}": element for n, element in enumerate(values)}

    def arguments(names: dict[str, str]) -> str:
        return "".join(f"%{name}: memref<?x{element}>, " for name, element in names.items())

    each = [_POSITION] if positions else []
    each += [_MOVE.substitute(n=n, element=e) for n, e in enumerate(values)]
    text = template(__file__, "mlir/group.mlir").substitute(
        key=key,
        count=count,
        bin=bin_,
        widened=widened,
        sources=arguments(sources),
        targets=arguments(targets),
        sizes="".join(_SIZE.substitute(name=n, element=e) for n, e in (sources | targets).items()),
        moves="".join(each),
        copies="".join(_COPY.substitute(move=move) for move in each),
    )
    return compile(text, threads=None if shared else 1)
