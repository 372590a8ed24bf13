"""Arguments of the programs: ids, edges, and leaves that gradients are taken of."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

Program = tuple[Callable[..., Any], Sequence[Any]]


def ids(most: int, *shape: int) -> torch.Tensor:
    return torch.randint(0, most, shape)


def zipf(most: int, *shape: int) -> torch.Tensor:
    """Ids of which few are common, as those of users and words are."""
    return (most ** torch.rand(shape) - 1).long().clamp(0, most - 1)


def leaf(*shape: int) -> torch.Tensor:
    return torch.randn(shape).requires_grad_()


def edges(nodes: int, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    return ids(nodes, count), ids(nodes, count)
