"""Derivatives that ATen has as ops of their own, and what they are of, spelled as scatters."""

from collections.abc import Callable
from typing import Any

import torch

aten: Any = torch.ops.aten
_SUM, _MEAN = 0, 1
_DTYPES = (torch.float32, torch.float64)


def _embedding_dense_backward(
    grad: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """The rows of `grad` added up by token, without those of the padding."""
    if scale_grad_by_freq or not indices.dtype.is_signed:
        return NotImplemented
    return _by_token(grad, indices, num_weights, padding_idx)


def _by_token(grad: Any, indices: Any, num_weights: int, padding_idx: int) -> Any:
    if padding_idx >= 0:
        is_padding = (indices == padding_idx).unsqueeze(-1)
        grad = torch.where(is_padding, grad.new_zeros(()), grad)
    zeros = grad.new_zeros((num_weights, grad.shape[-1]))
    return aten.index_put(zeros, [indices], grad, True)


def _embedding_bag(
    weight: Any,
    indices: Any,
    offsets: Any,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> Any:
    """Bags that a derivative is taken of: sums and means, of f32 and f64, with one offset a bag.

    Gives the sums, the bag of each index, the number of indices of each bag without the padding,
    and nothing where maxima would have their places.
    """
    is_plain = mode in (_SUM, _MEAN) and weight.dtype in _DTYPES
    if not is_plain or scale_grad_by_freq or sparse or include_last_offset:
        return NotImplemented
    count, bags = indices.shape[0], offsets.shape[0]
    starts = aten.index_add(indices.new_zeros(count + 1), 0, offsets, torch.ones_like(offsets))
    of_index = aten.cumsum(starts, 0)[:count] - 1
    rows = aten.index_select(weight, 0, indices)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    kept = torch.ones_like(indices)
    if padding_idx >= 0:
        kept = torch.where(indices == padding_idx, kept.new_zeros(()), kept)
        rows = torch.where((kept == 0).unsqueeze(1), rows.new_zeros(()), rows)
    sizes = aten.index_add(indices.new_zeros(bags), 0, of_index, kept)
    found = aten.index_add(weight.new_zeros((bags, weight.shape[1])), 0, of_index, rows)
    if mode == _MEAN:
        found = found / _at_least_one(sizes).unsqueeze(1)
    return found, of_index, sizes, indices.new_empty(0)


def _at_least_one(sizes: Any) -> Any:
    return torch.where(sizes == 0, torch.ones_like(sizes), sizes)


def _embedding_bag_backward(
    grad: Any,
    indices: Any,
    offsets: Any,
    of_index: Any,
    sizes: Any,
    maximum_indices: Any,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Any,
    padding_idx: int = -1,
) -> Any:
    """The rows of the bags' `grad` added up by token, those of a mean divided by its number.

    What `_embedding_bag` leaves stays here too: of others `of_index` may be empty.
    """
    del maximum_indices
    is_plain = mode in (_SUM, _MEAN) and grad.dtype in _DTYPES
    if not is_plain or scale_grad_by_freq or sparse or offsets.shape[0] != grad.shape[0]:
        return NotImplemented
    if of_index.shape[0] != indices.shape[0]:
        return NotImplemented
    if mode == _MEAN:
        grad = grad / _at_least_one(sizes).unsqueeze(1)
    rows = aten.index_select(grad, 0, of_index)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    return _by_token(rows, indices, num_weights, padding_idx)


def _power(x: Any, exponent: Any) -> Any:
    """A square as the product that eager Torch computes."""
    return x * x if exponent == 2 and x.dtype.is_floating_point else NotImplemented


def decompositions() -> dict[Any, Callable[..., Any]]:
    """By overload, as AOTAutograd takes them."""
    return {
        aten.pow.Tensor_Scalar: _power,
        # The importer knows no list with None in it of these; checks do no harm.
        aten._unsafe_index.Tensor: aten.index.Tensor,
        aten._unsafe_index_put.default: aten.index_put.default,
        aten.embedding_dense_backward.default: _embedding_dense_backward,
        aten._embedding_bag.default: _embedding_bag,
        aten._embedding_bag_backward.default: _embedding_bag_backward,
    }
