"""One call of each op for each dtype: a function, and what makes its arguments."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

__all__ = ["CASES", "DTYPES", "Case", "indices", "values"]

DTYPES = (
    torch.float32,
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int8,
    torch.uint8,
    torch.int32,
    torch.int64,
    torch.bool,
)


class Case(NamedTuple):
    """`function(*arguments(dtype))`."""

    function: Callable[..., Any]
    arguments: Callable[[torch.dtype], Sequence[torch.Tensor]]


def values(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    """Small whole numbers: sums and products of a few are exact in every dtype."""
    if dtype == torch.bool:
        return torch.rand(shape) < 0.5
    low = 0 if dtype == torch.uint8 else -3
    return torch.randint(low, 4, shape).to(dtype)


def indices(limit: int, *shape: int, negative: bool = False) -> torch.Tensor:
    return torch.randint(-limit if negative else 0, limit, shape)


def _distinct(limit: int, count: int) -> torch.Tensor:
    return torch.randperm(limit)[:count]


def _mask(*shape: int) -> torch.Tensor:
    return torch.rand(shape) < 0.5


def _x(*more: Callable[[], torch.Tensor], shape: Sequence[int] = (4, 5, 6)) -> Any:
    """Arguments: values of `shape`, then `more`, of which floats become values of the dtype."""

    def make(dtype: torch.dtype) -> list[torch.Tensor]:
        rest = [each() for each in more]
        typed = [values(*r.shape, dtype=dtype) if r.dtype == torch.float32 else r for r in rest]
        return [values(*shape, dtype=dtype), *typed]

    return make


def _v(*shape: int) -> Callable[[], torch.Tensor]:
    """Values of the dtype."""
    return lambda: torch.empty(shape)


def _i(limit: int, *shape: int, negative: bool = False) -> Callable[[], torch.Tensor]:
    return lambda: indices(limit, *shape, negative=negative)


def _d(limit: int, count: int) -> Callable[[], torch.Tensor]:
    return lambda: _distinct(limit, count)


def _m(*shape: int) -> Callable[[], torch.Tensor]:
    return lambda: _mask(*shape)


_FULL = (4, 3, 6)

CASES: dict[str, Case] = {
    "gather": Case(lambda x, i: torch.gather(x, 1, i), _x(_i(5, 3, 7, 2))),
    "gather rank 0": Case(lambda x, i: torch.gather(x, 0, i), _x(_i(1), shape=())),
    "index_select": Case(lambda x, i: torch.index_select(x, -1, i), _x(_i(6, 9))),
    "index_select int32": Case(
        lambda x, i: torch.index_select(x, 0, i.to(torch.int32)), _x(_i(4, 9))
    ),
    "take": Case(torch.take, _x(_i(120, 2, 3, negative=True))),
    "take_along_dim": Case(lambda x, i: torch.take_along_dim(x, i, 1), _x(_i(5, 4, 3, 1))),
    "take_along_dim flat": Case(torch.take_along_dim, _x(_i(120, 7))),
    "embedding": Case(
        lambda w, i: torch.nn.functional.embedding(i, w, padding_idx=1),
        _x(_i(5, 2, 3), shape=(5, 4)),
    ),
    "index ten dims": Case(
        lambda x, *i: x[i],
        _x(*(_i(2, 3, negative=True) for _ in range(9)), _i(2, 4, 1), shape=(2,) * 11),
    ),
    "index_put nine dims": Case(
        lambda x, v, *i: torch.index_put(x, i, v, accumulate=True),
        _x(_v(3, 2), *(_i(2, 3, negative=True) for _ in range(9)), shape=(2,) * 10),
    ),
    "index": Case(lambda x, i: x[:, i], _x(_i(5, 3, 2, negative=True))),
    "index apart": Case(
        lambda x, i, j: x[i, :, j], _x(_i(4, 3, negative=True), _i(6, 3, negative=True))
    ),
    "index neighbours, broadcast": Case(lambda x, i, j: x[:, i, j], _x(_i(5, 3, 1), _i(6, 4))),
    "index mask": Case(lambda x, m: x[m], _x(_m(4, 5))),
    "index mask and index": Case(lambda x, m, i: x[m, :, i], _x(_m(4), _i(6, 1))),
    "masked_select": Case(torch.masked_select, _x(_m(4, 1, 6))),
    "nonzero": Case(torch.nonzero, _x()),
    "index_put": Case(lambda x, i, v: torch.index_put(x, (i,), v), _x(_d(4, 3), _v(3, 5, 6))),
    "index_put accumulate": Case(
        lambda x, i, v: torch.index_put(x, (i,), v, accumulate=True),
        _x(_i(4, 7, negative=True), _v(7, 5, 6)),
    ),
    "index_put several, broadcast values": Case(
        lambda x, i, j, v: torch.index_put(x, (i, j), v, accumulate=True),
        _x(_i(4, 3, 1), _i(5, 1, 4), _v(4, 1)),
    ),
    "index_put mask": Case(lambda x, m, v: torch.index_put(x, (m,), v), _x(_m(4, 5), _v())),
    "put": Case(lambda x, i, v: torch.put(x, i, v), _x(_d(120, 9), _v(9))),
    "put accumulate": Case(
        lambda x, i, v: torch.put(x, i, v, accumulate=True), _x(_i(120, 9), _v(9))
    ),
    "index_add": Case(lambda x, i, v: torch.index_add(x, 1, i, v), _x(_i(5, 3), _v(*_FULL))),
    "index_add alpha": Case(
        lambda x, i, v: torch.index_add(x, 0, i, v, alpha=2), _x(_i(4, 7), _v(7, 5, 6))
    ),
    "index_copy": Case(lambda x, i, v: torch.index_copy(x, 1, i, v), _x(_d(5, 3), _v(*_FULL))),
    "index_fill": Case(lambda x, i: torch.index_fill(x, 1, i, 3), _x(_i(5, 3))),
    "index_fill tensor": Case(lambda x, i, v: torch.index_fill(x, 0, i, v), _x(_i(4, 3), _v())),
    "scatter": Case(
        lambda x, i, v: torch.scatter(x, 0, i % 4, v),
        _x(lambda: torch.arange(4)[:, None, None].expand(4, 2, 3).contiguous(), _v(4, 5, 6)),
    ),
    "scatter value": Case(lambda x, i: torch.scatter(x, 1, i, 1), _x(_i(5, *_FULL))),
    "scatter_add": Case(
        lambda x, i, v: torch.scatter_add(x, 1, i, v), _x(_i(5, *_FULL), _v(4, 4, 6))
    ),
    "scatter_add expanded": Case(
        lambda x, i, v: torch.scatter_add(x, 0, i[:, None].expand(-1, 6), v),
        _x(_i(4, 9), _v(9, 6), shape=(4, 6)),
    ),
    "slice": Case(lambda x: x[1:3, ::2, -2:], _x()),
    "select": Case(lambda x: x[1, :, -1], _x()),
    "slice_scatter": Case(lambda x, v: torch.slice_scatter(x, v, 1, 0, 4, 2), _x(_v(4, 2, 6))),
    "select_scatter": Case(lambda x, v: torch.select_scatter(x, v, 1, 2), _x(_v(4, 6))),
    "masked_fill": Case(lambda x, m: torch.masked_fill(x, m, 1), _x(_m(4, 5, 6))),
    "masked_scatter": Case(torch.masked_scatter, _x(_m(4, 1, 6), _v(120))),
    "flip": Case(lambda x: torch.flip(x, [0, 2]), _x()),
    "roll": Case(lambda x: torch.roll(x, 2, 1), _x()),
    "roll without dims": Case(lambda x: torch.roll(x, -127), _x()),
    "bincount": Case(lambda w, i: torch.bincount(i.reshape(-1), w, 7), _x(_i(5, 4, 2), shape=(8,))),
    "bincount, no weights": Case(
        lambda w, i: torch.bincount(i.to(w.dtype)), _x(_i(5, 9), shape=(9,))
    ),
    "repeat_interleave": Case(lambda x, i: torch.repeat_interleave(x, i, dim=1), _x(_i(4, 5))),
    "repeat_interleave int32": Case(
        lambda x, i: torch.repeat_interleave(x, i.int(), dim=0), _x(_i(4, 4))
    ),
    "histc": Case(lambda x: torch.histc(x, 7, 0, 2), _x()),
    "histc of its bounds": Case(lambda x: torch.histc(x, 5), _x()),
}

for _name in ("add", "multiply"):
    CASES[f"scatter {_name}"] = Case(
        lambda x, i, v, r=_name: torch.scatter(x, 1, i, v, reduce=r),
        _x(_i(5, *_FULL), _v(*_FULL)),
    )
    CASES[f"scatter value {_name}"] = Case(
        lambda x, i, r=_name: torch.scatter(x, 1, i, 2, reduce=r), _x(_i(5, *_FULL))
    )

for _name in ("sum", "prod", "mean", "amax", "amin"):
    for _self in (True, False):
        CASES[f"scatter_reduce {_name}{'' if _self else ' without self'}"] = Case(
            lambda x, i, v, r=_name, s=_self: torch.scatter_reduce(x, 1, i, v, r, include_self=s),
            _x(_i(5, *_FULL), _v(*_FULL)),
        )
        if _name != "sum":
            CASES[f"index_reduce {_name}{'' if _self else ' without self'}"] = Case(
                lambda x, i, v, r=_name, s=_self: torch.index_reduce(x, 1, i, v, r, include_self=s),
                _x(_i(5, 3), _v(*_FULL)),
            )
