"""Ops exported with dynamic sizes, run at several sizes, and sizes that depend on data."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch_cases import indices, values  # noqa: E402
from torch_harness import check  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")

FLOAT = torch.float32


def _case(n: int, m: int) -> dict[str, tuple[Any, ...]]:
    """Arguments for each case: n rows, m coordinates."""
    x = values(n, 5, dtype=FLOAT)
    return {
        "gather": (x, indices(n, m, 5)),
        "gather along the static dim": (x, indices(5, n, m)),
        "index_select": (x, indices(n, m)),
        "index": (x, indices(n, m, negative=True)),
        "index broadcast": (x, indices(n, m, 1, negative=True), indices(5, 3)),
        "mask": (x, torch.rand(n, 5) < 0.5),
        "index_put": (x, indices(n, m), values(m, 5, dtype=FLOAT)),
        "index_put broadcast": (x, indices(n, m), values(5, dtype=FLOAT)),
        "index_add": (x, indices(n, m), values(m, 5, dtype=FLOAT)),
        "scatter_add": (x, indices(n, m, 5), values(m, 5, dtype=FLOAT)),
        "scatter_reduce": (x, indices(n, m, 5), values(m, 5, dtype=FLOAT)),
        "index_reduce": (x, indices(n, m), values(m, 5, dtype=FLOAT)),
        "index_fill": (x, indices(n, m)),
        "embedding": (x, indices(n, m, 2)),
        "slice": (x,),
        "masked_scatter": (x, torch.rand(n, 5) < 0.5, values(n, 5, dtype=FLOAT)),
        "take": (x, indices(n * 5, m, negative=True)),
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
    "index_fill": lambda x, i: torch.index_fill(x, 0, i, 7.0),
    "embedding": lambda x, i: torch.nn.functional.embedding(i, x),
    "slice": lambda x: x[:, -3::2],
    "masked_scatter": torch.masked_scatter,
    "take": torch.take,
}

_ROWS, _COUNT, _NONE = {0: "n"}, {0: "m"}, {}
DIMS: dict[str, tuple[Any, ...]] = {
    "gather along the static dim": (_ROWS, {0: "n", 1: "m"}),
    "index broadcast": (_ROWS, _COUNT, _NONE),
    "mask": (_ROWS, _ROWS),
    "index_put broadcast": (_ROWS, _COUNT, _NONE),
    "slice": (_ROWS,),
    "masked_scatter": (_ROWS, _ROWS, _ROWS),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_dynamic(name: str) -> None:
    torch.manual_seed(20261120)
    arguments = _case(6, 9)[name]
    dims = DIMS.get(name, (_ROWS, *[_COUNT] * (len(arguments) - 1)))
    others = [_case(*sizes)[name] for sizes in ((4, 3), (11, 30))]
    check(FUNCTIONS[name], arguments, dynamic=dims, others=others)


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
