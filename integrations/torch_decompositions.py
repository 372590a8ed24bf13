"""Derivatives that ATen has as ops of their own, spelled as scatters."""

from collections.abc import Callable
from typing import Any

import torch

aten: Any = torch.ops.aten


def _embedding_dense_backward(
    grad: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """The rows of `grad` added up by token, without those of the padding."""
    if scale_grad_by_freq or not indices.dtype.is_signed:
        return NotImplemented
    if padding_idx >= 0:
        is_padding = (indices == padding_idx).unsqueeze(-1)
        grad = torch.where(is_padding, grad.new_zeros(()), grad)
    zeros = grad.new_zeros((num_weights, grad.shape[-1]))
    return aten.index_put(zeros, [indices], grad, True)


def decompositions() -> dict[Any, Callable[..., Any]]:
    """By overload, as AOTAutograd takes them."""
    return {aten.embedding_dense_backward.default: _embedding_dense_backward}
