"""The strides that a traced graph counts on, for sizes that are known when it runs."""

from collections.abc import Sequence
from math import prod
from typing import Any

import torch
from torch.utils._sympy.functions import Max

Strides = tuple[int | tuple[int, ...], ...]
"""For each dim its stride, or the dims of which it is the product of sizes."""


class UnknownStrides(Exception):
    """The strides of a result do not follow from its sizes."""


def strides_of(value: torch.Tensor) -> Strides | None:
    """The strides of a traced tensor; None for a contiguous one. Raises UnknownStrides."""
    sizes, strides = list(value.shape), list(value.stride())
    contiguous: Any = 1
    plain = True
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        plain = plain and _same(stride, contiguous)
        contiguous = contiguous * (size if isinstance(size, torch.SymInt) else max(size, 1))
    if plain:
        return None
    return tuple(
        stride if isinstance(stride, int) else _factors(stride, sizes, strides)
        for stride in strides
    )


def _factors(stride: torch.SymInt, sizes: list[Any], strides: list[Any]) -> tuple[int, ...]:
    """The dims whose sizes make up `stride`: the longest run of inner dims with that product."""
    inner = sorted(
        (d for d, size in enumerate(sizes) if not isinstance(size, int) or size > 1),
        key=lambda d: (_hint(strides[d]), -d),
    )
    for count in range(len(inner) + 1):
        if _same(prod((sizes[d] for d in inner[:count]), start=1), stride):
            return tuple(inner[:count])
    raise UnknownStrides(f"strides {tuple(strides)} of sizes {tuple(sizes)} are not known before")


def _same(a: Any, b: Any) -> bool:
    """Whether two sizes are the same number, or the same expression where no size is 0."""
    return _expression(a) == _expression(b)


def _expression(size: Any) -> Any:
    if not isinstance(size, torch.SymInt):
        return size
    # Strides are products of sizes of which those that are 0 count as 1.
    return size.node.expr.replace(lambda e: isinstance(e, Max), _without_one)


def _without_one(maximum: Any) -> Any:
    return maximum.func(*(each for each in maximum.args if each != 1))


def _hint(size: Any) -> Any:
    """A number to sort by: a size that depends on data has none, and counts as large."""
    if isinstance(size, int):
        return size
    found = size.node.hint
    return 1 << 62 if found is None else int(found)


def new_strided(sizes: Sequence[int], strides: Strides, dtype: torch.dtype) -> torch.Tensor:
    """A tensor in new memory."""
    found = [s if isinstance(s, int) else prod(max(sizes[d], 1) for d in s) for s in strides]
    return torch.empty_strided(sizes, found, dtype=dtype)
