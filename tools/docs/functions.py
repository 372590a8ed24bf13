"""The reference of the functions on arrays, from their signatures and docstrings."""

import inspect
from collections.abc import Iterator
from typing import Any

from mlir_gs.execution import functions
from mlir_gs.execution.functions.at import Indexer

_HEAD = """\
# Functions on arrays

{doc}

    import mlir_gs as gs

    rows = gs.take(table, ids, axis=0)
    totals = gs.at(totals)[ids].add(values)
    y = gs.spmv(matrix, x)

This file is generated from the docstrings in `execution/functions/` by
`python -m mlir_gs.tools.gen_docs`.

## What they have in common

- **Arrays** of NumPy, torch and JAX go in, in CPU memory and without a copy, and what NumPy makes
  an array of. Results are new arrays of the framework of the arguments; arguments are not written,
  but by `put_along_axis` and in `out`. No function records gradients or runs under `jax.jit`: a
  tensor that requires a gradient and a value that is traced are refused with TypeError.
- **Elements** are bool, integers, float16 to float64, complex64, complex128, and all types of
  ml_dtypes, of which int1, uint1, complex32 and bcomplex32 are only moved. Others raise TypeError.
  Elements that are only moved keep their bits.
- **Shapes** may have any rank, sizes of 0 and 1, and any strides, in memory that is aligned to the
  elements. Index arrays are of any integer type; those other than int32 and int64 are converted. A
  number that int64 does not hold is out of bounds like any other.
- **Out of bounds**: functions with NumPy's names raise IndexError, with NumPy's words and before
  anything is written. `at` and the segments have JAX's modes and defaults. Mode "wrap" takes
  indices modulo the size of their axis.
- **Order**: repeated elements are combined in row-major order of the index, so that sums of floats
  have the same bits in every run, with any number of threads.
- **Compiling**: the first call with such ranks, elements and options compiles a kernel, which
  serves all shapes, all threads, and for moves all elements of a size; bags and products with
  sparse matrices have one for each width of up to 512 columns. Slices, integers and None are
  sizes and strides of what it gets; arrays of booleans become coordinates with `numpy.nonzero`.
  An index expression has at most 8 integer arrays.
"""

_GROUPS = {
    "Indexing": ["at"],
    "Along an axis": ["take", "take_along_axis", "put_along_axis"],
    "At tuples of coordinates": ["gather_nd", "scatter_nd"],
    "Segments": [
        *("segment_sum", "segment_prod", "segment_min", "segment_max", "segment_mean"),
        *("segment_argmin", "segment_argmax"),
    ],
    "Bins": ["bincount", "histogram"],
    "Bags and sparse matrices": ["embedding_bag", "spmv", "spmm"],
}


def functions_markdown() -> str:
    """`docs/functions.md`."""
    listed = {name for names in _GROUPS.values() for name in names}
    assert listed == set(functions.__all__), f"not in a group: {set(functions.__all__) - listed}"
    return "\n".join(_parts())


def _parts() -> Iterator[str]:
    yield _HEAD.format(doc=inspect.cleandoc(functions.__doc__ or ""))
    for title, names in _GROUPS.items():
        yield f"## {title}\n"
        for name in names:
            yield _entry(name, getattr(functions, name))
            if name == "at":
                yield f"{inspect.cleandoc(Indexer.__doc__ or '')}\n"
                yield from _methods()


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
