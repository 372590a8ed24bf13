"""The reference of the functions on arrays, from their signatures and docstrings."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import mlir_gs
from mlir_gs.execution import functions
from mlir_gs.execution.functions.at import Indexer
from mlir_gs.execution.functions.quantized import QuantizedTable

_HEAD = """\
# Functions on arrays

{doc}

```python
import mlir_gs as gs
import numpy as np

table = np.arange(8.0).reshape(4, 2)
ids = np.array([2, 0, 2])

print(gs.take(table, ids, axis=0))
print(gs.at(np.zeros(4))[ids].add([1, 2, 4]))
print(gs.segment_sum(np.ones(3), np.array([0, 0, 1]), 2))
```

```text
[[4. 5.]
 [0. 1.]
 [4. 5.]]
[2. 0. 5. 0.]
[2. 1.]
```

`python -m mlir_gs.tools.gen_docs` writes this page from the docstrings in `execution/functions/`.
[Groups and different values](groups.md) and [computing with rows](rows.md), which are products,
attention and quantized tables, have pages of their own.

## What they have in common

- **Arrays** of NumPy, torch and JAX in CPU memory are read without a copy. Lists and numbers become
  NumPy arrays. Results are new arrays of the framework of the arguments. Only `put_along_axis` and
  `out=` write to an argument. No function records gradients or runs under `jax.jit`: a tensor that
  requires a gradient and a traced value are a TypeError.
- **Elements** are bool, integers, float16 to float64, complex64, complex128, and all types of
  ml_dtypes. int1, uint1, complex32 and bcomplex32 are moved, not computed with. Others raise
  TypeError. Elements that are only moved keep their bits.
- **Shapes** may have any rank, sizes of 0 and 1, and any strides, in memory that is aligned to the
  elements. Index arrays are of any integer type, and read as they are. A number that int64 does not
  hold is out of bounds like any other.
- **Out of bounds**: functions with NumPy's names raise NumPy's IndexError before anything is
  written. `at` and the segments have JAX's modes and defaults. Mode "wrap" takes indices modulo the
  size of their axis.
- **Order**: repeated elements are combined in row-major order of the index, so sums of floats have
  the same bits in every run, on any number of threads.
- **Compiling**: the first call with new ranks, elements and options compiles a kernel. It serves
  all shapes. If a kernel only moves elements, it serves all element types of one size: float32 and
  int32 share it. In calls of 16,384 elements or more, each width of rows up to 512 elements gets
  its own kernel, for up to 8 widths. One kernel serves all other widths. Bags and products with
  sparse matrices have a kernel for each width of up to 512 columns.
- **Small calls**: for a few elements of NumPy's arrays, NumPy itself does the work, because
  starting a kernel takes longer. That holds for `bincount`, histograms, and `at` with slices, masks
  and arrays in bounds.
- **Index expressions**: `numpy.nonzero` turns boolean arrays into coordinates, unless the index is
  one boolean array and nothing else. An expression has at most 8 integer arrays.
"""

_SORTED_HEAD = """\
# Groups and different values

Functions on arrays that number, order and count values, by groups or over all. What [all
functions](functions.md) have in common holds for these too.

```python
import mlir_gs as gs
import numpy as np

shop = np.array([1, 0, 1, 1, 0])
sales = np.array([5.0, 2.0, 1.0, 4.0, 2.0])

print(gs.segment_cumsum(sales, shop))
print(gs.segment_rank(sales, shop, "dense"))
print(gs.segment_nunique(sales, shop))
print(*gs.factorize(np.array([30, 10, 30, 20])))
print(gs.searchsorted(np.array([10, 20, 30]), [5, 20, 99]))
```

```text
[ 5.  2.  6. 10.  4.]
[3. 1. 1. 2. 1.]
[1 3]
[0 1 0 2] [30 10 20]
[0 1 3]
```
"""

_ROWS_HEAD = """\
# Rows that are computed with

Functions on arrays that gather rows and compute with them in one pass: products, attention,
dequantization. The gathered rows are never stored. What [all functions](functions.md) have in
common holds for these too.

```python
import mlir_gs as gs
import numpy as np

table = np.arange(8.0).reshape(4, 2)
ids = np.array([2, 0, 2])
experts = np.stack([np.eye(2), 10 * np.eye(2)])

print(gs.gathered_matmul(table, ids, experts[1]))
print(gs.grouped_matmul(table, experts, [1, 2], ids))
print(gs.quantized(np.int8([[1, 2], [3, 4]]), np.float32([[0.5], [2]])).take([1, 0]))
```

```text
[[40. 50.]
 [ 0. 10.]
 [40. 50.]]
[[ 4.  5.]
 [ 0. 10.]
 [40. 50.]]
[[6.  8. ]
 [0.5 1. ]]
```

`python -m mlir_gs.tools.gen_docs` writes this page from the docstrings in `execution/functions/`.
"""

_GROUPS = {
    "Indexing": ["at"],
    "Along an axis": ["take", "take_along_axis", "put_along_axis"],
    "At tuples of coordinates": ["gather_nd", "scatter_nd"],
    "Segments": [
        *("segment_sum", "segment_prod", "segment_min", "segment_max", "segment_mean"),
        *("segment_argmin", "segment_argmax", "segment_softmax", "segment_softmax_gradient"),
        *("gather_segment_sum", "gather_segment_mean", "gather_segment_max"),
    ],
    "Bins": ["bincount", "histogram", "histogram2d"],
    "Bags and sparse matrices": ["embedding_bag", "spmv", "spmm"],
}
_SORTED = {
    "Groups": ["group", "group_values"],
    "Cumulative values and ranks": [
        *("segment_cumsum", "segment_cumprod", "segment_cummin", "segment_cummax"),
        *("segment_cumcount", "segment_rank"),
    ],
    "Different and sorted values": ["unique", "factorize", "segment_nunique", "searchsorted"],
}
_ROWS = {
    "Products": ["gathered_matmul", "grouped_matmul"],
    "Attention": ["paged_attention"],
    "Quantized tables": ["quantized"],
}


def functions_markdown() -> str:
    """`docs/functions.md`."""
    groups = [*_GROUPS.values(), *_SORTED.values(), *_ROWS.values()]
    listed = {name for names in groups for name in names}
    known = {name for name in mlir_gs.__all__ if _is_function(name)}
    assert listed == known, f"not in a group: {known - listed}"
    head = _HEAD.format(doc=inspect.cleandoc(functions.__doc__ or ""))
    return "\n".join([head, *_parts(_GROUPS)])


def _is_function(name: str) -> bool:
    module = getattr(getattr(mlir_gs, name), "__module__", "")
    return module.startswith(f"{functions.__name__}.")


def groups_markdown() -> str:
    """`docs/groups.md`."""
    return "\n".join([_SORTED_HEAD, *_parts(_SORTED)])


def rows_markdown() -> str:
    """`docs/rows.md`."""
    return "\n".join([_ROWS_HEAD, *_parts(_ROWS)])


def _parts(groups: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for title, names in groups.items():
        yield f"## {title}\n"
        for name in names:
            yield _entry(name, getattr(mlir_gs, name))
            if name == "at":
                yield f"{inspect.cleandoc(Indexer.__doc__ or '')}\n"
                yield from _methods()
            if name == "quantized":
                for method in ("take", "bag"):
                    yield _entry(f"quantized(...).{method}", getattr(QuantizedTable, method))


def _entry(name: str, function: Any) -> str:
    return f"### `{name}{_signature(function)}`\n\n{inspect.cleandoc(function.__doc__)}\n"


def _signature(function: Any) -> str:
    """Names and defaults; the types are in the text."""
    found = inspect.signature(function)
    parameters = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    return str(inspect.Signature([p for p in parameters if p.name != "self"]))


def _methods() -> Iterator[str]:
    seen = set()
    for name, method in vars(Indexer).items():
        if name.startswith("_") or method in seen:
            continue
        seen.add(method)
        yield f"- `.{name}{_signature(method)}`: {inspect.cleandoc(method.__doc__).splitlines()[0]}"
    yield ""
