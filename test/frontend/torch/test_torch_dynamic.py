"""Ops exported with dynamic sizes, run at several sizes, and sizes that depend on data."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch_cases import DTYPES, indices, values  # noqa: E402  (after importorskip)
from torch_harness import check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

FLOAT = torch.float32


def _case(n: int, m: int, dtype: torch.dtype) -> dict[str, tuple[Any, ...]]:
    """Arguments for each case: n rows of the dtype, m coordinates."""
    x = values(n, 5, dtype=dtype)
    return {
        "gather": (x, indices(n, m, 5)),
        "gather along the static dim": (x, indices(5, n, m)),
        "index_select": (x, indices(n, m)),
        "index": (x, indices(n, m, negative=True)),
        "index broadcast": (x, indices(n, m, 1, negative=True), indices(5, 3)),
        "mask": (x, torch.rand(n, 5) < 0.5),
        "index_put": (x, indices(n, m), values(m, 5, dtype=dtype)),
        "index_put broadcast": (x, indices(n, m), values(5, dtype=dtype)),
        "index_add": (x, indices(n, m), values(m, 5, dtype=dtype)),
        "scatter_add": (x, indices(n, m, 5), values(m, 5, dtype=dtype)),
        "scatter_reduce": (x, indices(n, m, 5), values(m, 5, dtype=dtype)),
        "index_reduce": (x, indices(n, m), values(m, 5, dtype=dtype)),
        "index_fill": (x, indices(n, m)),
        "embedding": (x, indices(n, m, 2)),
        "slice": (x,),
        "masked_scatter": (x, torch.rand(n, 5) < 0.5, values(n, 5, dtype=dtype)),
        "take": (x, indices(n * 5, m, negative=True)),
        "take_along_dim": (values(4, 5, dtype=dtype), indices(4, m, 5)),
        "index_copy": (x, torch.randperm(n)[: min(n, m)], values(min(n, m), 5, dtype=dtype)),
        "scatter": (x, torch.argsort(torch.rand(n, 5), 0)[:m], values(n, 5, dtype=dtype)),
        "scatter a value": (x, indices(n, m, 5)),
        "embedding_bag": (x, indices(n, m, 4)),
        "embedding_bag by offsets": (x, indices(n, m), torch.tensor([0, 0, 2])),
    }


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "gather": lambda x, i: torch.gather(x, 0, i),
    "gather along the static dim": lambda x, i: torch.gather(x, 1, i),
    "index_select": lambda x, i: torch.index_select(x, 0, i),
    "index": lambda x, i: x[i],
    "index broadcast": lambda x, i, j: x[i, j],
    "mask": lambda x, m: x[m],
    "index_put": lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True),
    "index_put broadcast": lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True),
    "index_add": lambda x, i, v: torch.index_add(x, 0, i, v),
    "scatter_add": lambda x, i, v: torch.scatter_add(x, 0, i, v),
    "scatter_reduce": lambda x, i, v: torch.scatter_reduce(x, 0, i, v, "mean"),
    "index_reduce": lambda x, i, v: torch.index_reduce(x, 0, i, v, "amax", include_self=False),
    "index_fill": lambda x, i: torch.index_fill(x, 0, i, 1),
    "embedding": lambda x, i: torch.nn.functional.embedding(i, x),
    "slice": lambda x: x[:, -3::2],
    "masked_scatter": torch.masked_scatter,
    "take": torch.take,
    "take_along_dim": lambda x, i: torch.take_along_dim(x, i, 0),
    "index_copy": lambda x, i, v: torch.index_copy(x, 0, i, v),
    "scatter": lambda x, i, v: torch.scatter(x, 0, i, v),
    "scatter a value": lambda x, i: torch.scatter(x, 0, i, 1),
    "embedding_bag": lambda x, i: torch.nn.functional.embedding_bag(i, x, mode="sum"),
    "embedding_bag by offsets": lambda x, i, o: torch.nn.functional.embedding_bag(
        i, x, o, mode="max"
    ),
}
FEWER = {"embedding_bag": 2, "embedding_bag by offsets": 2}
"""Of floats only, and not all."""

_ROWS, _COUNT, _NONE = {0: "n"}, {0: "m"}, {}
DIMS: dict[str, tuple[Any, ...]] = {
    "gather along the static dim": (_ROWS, {0: "n", 1: "m"}),
    "index broadcast": (_ROWS, _COUNT, _NONE),
    "mask": (_ROWS, _ROWS),
    "index_put broadcast": (_ROWS, _COUNT, _NONE),
    "slice": (_ROWS,),
    "masked_scatter": (_ROWS, _ROWS, _ROWS),
    # Torch compares the sizes, and finds those of the source to be known.
    "take_along_dim": (_NONE, _COUNT),
    "index_copy": (_ROWS, {0: "k"}, {0: "k"}),
    "scatter": (_ROWS, {0: "k"}, _ROWS),
    "embedding_bag by offsets": (_ROWS, _COUNT, _NONE),
}


def _has(name: str, dtype: torch.dtype) -> bool:
    """Whether Torch itself has the op in this dtype."""
    try:
        FUNCTIONS[name](*_case(6, 9, dtype)[name])
    except (RuntimeError, NotImplementedError) as error:
        said = ("not implemented for", "not supported", "one of the following scalar types")
        if any(words in str(error) for words in said):
            return False
        raise
    return True


@pytest.mark.parametrize("name", FUNCTIONS)
def test_dynamic(name: str) -> None:
    """In all dtypes at once, so that one compilation serves them."""
    torch.manual_seed(20261120)
    dtypes = [dtype for dtype in DTYPES if _has(name, dtype)]
    assert len(dtypes) >= FEWER.get(name, 4)

    def arguments(n: int, m: int) -> list[Any]:
        return [each for dtype in dtypes for each in _case(n, m, dtype)[name]]

    count = len(_case(6, 9, FLOAT)[name])

    def several(*given: Any) -> Any:
        starts = range(0, len(given), count)
        return tuple(FUNCTIONS[name](*given[start : start + count]) for start in starts)

    dims = DIMS.get(name, (_ROWS, *[_COUNT] * (count - 1))) * len(dtypes)
    check(several, arguments(6, 9), dynamic=dims, others=[arguments(4, 3), arguments(11, 30)])


VIEWS = {
    "rows": lambda x: x.reshape(-1, 4),
    "flat": lambda x: x.view(-1),
    "split": lambda x: x.reshape(x.shape[0] * x.shape[1], 2, 2, -1),
    "back": lambda x: x.reshape(x.shape[0], -1).reshape(x.shape),
    "rows of a gather": lambda x: x[:, x.argmax(1)[0]].reshape(-1, 2)[::2],
}


@pytest.mark.parametrize("name", VIEWS)
def test_views(name: str) -> None:
    """torch-mlir's own conversion pairs dims of unknown sizes wrongly."""
    torch.manual_seed(20261120)
    check(
        VIEWS[name],
        (values(3, 5, 4, dtype=FLOAT),),
        dynamic=({0: "a", 1: "b"},),
        others=[(values(7, 2, 4, dtype=FLOAT),), (values(1, 1, 4, dtype=FLOAT),)],
    )


def test_sizes_from_data() -> None:
    """nonzero and bincount, whose results have as many rows as the data says."""
    x = values(7, 3, dtype=FLOAT)
    check(torch.nonzero, (x,), dynamic=({0: "n"},), others=[(torch.zeros(4, 3),)])
    check(
        torch.bincount,
        (torch.tensor([3, 0, 3, 5]),),
        dynamic=({0: "n"},),
        others=[(torch.tensor([1, 1, 9, 9, 9]),)],
    )
