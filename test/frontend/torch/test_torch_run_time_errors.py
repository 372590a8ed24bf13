"""Coordinates out of bounds are reported by the names of torch's ops and operands."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_harness import Function, compiled  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

CASES: dict[str, tuple[Callable[..., Any], str]] = {
    "index": (lambda x, i: x[i], "'aten.index.Tensor' op, into dimension 0 of 'self'"),
    "gather": (lambda x, i: x.gather(0, i[:, None]), "'aten.gather' op, .* 0 of 'self'"),
    "index_select": (lambda x, i: x.index_select(0, i), "'aten.index_select' op, .* of 'self'"),
    "embedding": (
        lambda x, i: torch.nn.functional.embedding(i, x),
        "'aten.embedding' op, .* 0 of 'weight'",
    ),
    "scatter_add": (
        lambda x, i: x.scatter_add(0, i[:, None], torch.ones(2, 1)),
        "'aten.scatter_add' op, .* 0 of 'self'",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_op_and_operand_of_torch_are_named(name: str) -> None:
    function, message = CASES[name]
    kernel = compiled(Function(function), torch.ones(3, 2), torch.tensor([1, 2]))
    kernel(np.ones((3, 2), np.float32), np.array([1, 2]))
    with pytest.raises(IndexError, match=rf"{message}.*: coordinate 9 at .* bounds for size 3"):
        kernel(np.ones((3, 2), np.float32), np.array([1, 9]))
