"""What Torch sorts: its order is known of coordinates that come of it; results equal Torch's."""

from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs.frontend import torch as torch_frontend

torch = pytest.importorskip("torch")

from torch_harness import Function, check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")


def _sums(x: Any, k: Any) -> Any:
    keys, order = torch.sort(k)
    return x.new_zeros(12, 4).index_add(0, keys, x[order])


# The functions, and what is promised of the coordinates of rows.
FUNCTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "sums of sorted segments": (_sums, "scatter_dims = array<i64: 0>, sorted}"),
    "rows in the order of a key": (
        lambda x, k: x[torch.argsort(x[:, 1])],
        "unique} : (tensor<40x4xf32>",
    ),
    "rows of the largest": (
        lambda x, k: x[torch.topk(x[:, 0], 3)[1]],
        "unique} : (tensor<40x4xf32>",
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_order_is_known(name: str) -> None:
    function, promise = FUNCTIONS[name]
    draw = torch.Generator().manual_seed(3)
    x = torch.randperm(160, generator=draw).reshape(40, 4).to(torch.float32)
    k = torch.randint(0, 12, (40,), generator=draw)
    check(function, (x, k))
    assert promise in str(torch_frontend.load(Function(function), x, k))
