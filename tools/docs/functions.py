"""The reference of the functions on arrays, from their signatures and docstrings."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import mlir_gs
from mlir_gs.execution import functions
from mlir_gs.execution.functions.at import Indexer
from mlir_gs.execution.functions.quantized import QuantizedTable

PAGES = {
    "docs/functions.md": {
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
    },
    "docs/groups.md": {
        "Groups": ["group", "group_values"],
        "Cumulative values and ranks": [
            *("segment_cumsum", "segment_cumprod", "segment_cummin", "segment_cummax"),
            *("segment_cumcount", "segment_rank"),
        ],
        "Different and sorted values": ["unique", "factorize", "segment_nunique", "searchsorted"],
    },
    "docs/rows.md": {
        "Products": ["gathered_matmul", "grouped_matmul"],
        "Attention": ["paged_attention"],
        "Quantized tables": ["quantized"],
    },
}


def function_pages() -> dict[str, dict[str, Callable[[], str]]]:
    """By page what writes the entries of its functions."""
    listed = {name for groups in PAGES.values() for names in groups.values() for name in names}
    known = {name for name in mlir_gs.__all__ if _is_function(name)}
    assert listed == known, f"not in a group: {known - listed}"
    return {page: {"functions": partial(_entries, groups)} for page, groups in PAGES.items()}


def _entries(groups: Mapping[str, Sequence[str]]) -> str:
    return "\n".join(_parts(groups))


def _is_function(name: str) -> bool:
    module = getattr(getattr(mlir_gs, name), "__module__", "")
    return module.startswith(f"{functions.__name__}.")


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
