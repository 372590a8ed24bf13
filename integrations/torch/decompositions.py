"""Ops that ATen has for derivatives and for inductor, spelled as gathers and scatters."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import torch
from torch._C import DispatchKey
from torch._decomp import decomposition_table, get_decompositions
from torch._dispatch.python import enable_python_dispatcher
from torch._guards import detect_fake_mode
from torch._inductor.decomposition import select_decomp_table
from torch._inductor.lowering import make_fallback
from torch.fx.experimental.proxy_tensor import make_fx

aten: Any = torch.ops.aten
_SUM, _MEAN = 0, 1
_DTYPES = (torch.float32, torch.float64)


def _embedding_dense_backward(
    grad: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """The rows of `grad` added up by token, without those of the padding.

    Torch's own spelling masks each row.
    """
    if scale_grad_by_freq or not indices.dtype.is_signed:
        return NotImplemented
    if padding_idx >= 0:
        is_padding = (indices == padding_idx).unsqueeze(-1)
        grad = torch.where(is_padding, grad.new_zeros(()), grad)
    zeros = grad.new_zeros((num_weights, grad.shape[-1]))
    return aten.index_put(zeros, [indices], grad, True)


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
    """The rows of the bags' `grad` added up by token, those of a mean divided by its number."""
    del maximum_indices
    is_plain = mode in (_SUM, _MEAN) and grad.dtype in _DTYPES
    if not is_plain or scale_grad_by_freq or sparse or offsets.shape[0] != grad.shape[0]:
        return NotImplemented
    if of_index.shape[0] != indices.shape[0]:
        # Left empty by the fast way of a sum.
        starts = indices.new_zeros(indices.shape[0] + 1)
        starts = aten.index_add(starts, 0, offsets.to(indices.dtype), torch.ones_like(offsets))
        of_index = aten.cumsum(starts, 0)[: indices.shape[0]] - 1
    if mode == _MEAN:
        sizes = torch.where(sizes == 0, torch.ones_like(sizes), sizes)
        grad = grad / sizes.unsqueeze(1)
    rows = aten.index_select(grad, 0, of_index)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    return _embedding_dense_backward(rows, indices, num_weights, padding_idx, False)


def _power(x: Any, exponent: Any) -> Any:
    """A square or cube as the product that eager Torch computes; a cube of float16 is another."""
    powers = (2,) if x.dtype == torch.float16 else (2, 3)
    is_product = exponent in powers and x.dtype.is_floating_point
    return (x * x if exponent == 2 else x * x * x) if is_product else NotImplemented


SPELLINGS: dict[Any, Callable[..., Any]] = {
    aten.pow.Tensor_Scalar: _power,
    # The importer knows no list with None in it of these; checks do no harm.
    aten._unsafe_index.Tensor: aten.index.Tensor,
    aten._unsafe_index_put.default: aten.index_put.default,
    aten.embedding_dense_backward.default: _embedding_dense_backward,
    aten._embedding_bag_backward.default: _embedding_bag_backward,
    **get_decompositions(
        [
            aten._unsafe_masked_index,
            aten._unsafe_masked_index_put_accumulate,
        ]
    ),
}
"""By overload; NotImplemented of forms that are left."""


SAMPLERS = (
    aten.grid_sampler_2d.default,
    aten.affine_grid_generator.default,
    aten.affine_grid_generator_backward.default,
)
"""ATen computes their coordinates once for all channels, in vectors; inductor's loops for each."""

for _sampler in SAMPLERS:
    # Where CI is set, inductor's implicit fallback refuses what has a decomposition.
    make_fallback(_sampler, warn=False, override_decomp=True)


ENLARGERS = (aten.upsample_linear1d, aten.upsample_bilinear2d, aten.upsample_bicubic2d)
"""The same holds where these give more than they read, and for their derivatives, which inductor
adds up by atomic operations."""

_NAMES = ("upsample_nearest", "_upsample_nearest_exact")
NEAREST = [getattr(aten, f"{name}{dims}d") for name in _NAMES for dims in (1, 2, 3)]
"""Of these loops are as fast, but not of their derivatives, which they add up at coordinates."""

for _name in (*map(str, ENLARGERS), *(f"{one}_backward" for one in (*ENLARGERS, *NEAREST))):
    make_fallback(getattr(aten, _name[5:]).default, warn=False, override_decomp=True)


def size_of(size: Any) -> int:
    """A size, or that of the first arguments; 1 where it depends on data."""
    return size if isinstance(size, int) else size.node.hint or 1


def _of_fewer(op: Any) -> Callable[..., Any]:
    spelled = decomposition_table[op]

    def spell(x: Any, output_size: Any, *others: Any) -> Any:
        more = prod(map(size_of, output_size)) > prod(map(size_of, x.shape[2:]))
        return NotImplemented if more else spelled(x, output_size, *others)

    return spell


def _of_sizes(op: Any, spelled: Callable[..., Any]) -> Callable[..., Any]:
    """ATen's own takes no symbolic `output_size`, and the meta kernels no empty tensor."""
    plain, enlarges = op.overloadpacket.default, op.overloadpacket in ENLARGERS

    def spell(x: Any, output_size: Any, *others: Any) -> Any:
        is_empty = any(isinstance(size, int) and size == 0 for size in x.shape)
        is_symbolic = any(isinstance(size, torch.SymInt) for size in output_size or ())
        if is_empty or (is_symbolic and enlarges):
            return spelled(x, output_size, *others)
        if is_symbolic:
            return plain(x, output_size, *others[:-1], *[None] * len(output_size))
        return op._op_dk(DispatchKey.CompositeImplicitAutograd, x, output_size, *others)

    return spell


class _Kept(dict[Any, Callable[..., Any]]):
    """Inductor's decompositions but those of SAMPLERS, and some of ENLARGERS.

    Inductor's cache takes them into its key, but cannot pickle all the functions.
    """

    def __init__(self) -> None:
        found = select_decomp_table().items()
        super().__init__((op, to) for op, to in found if op not in SAMPLERS)
        self.update((one.default, _of_fewer(one.default)) for one in ENLARGERS)

    def __reduce__(self) -> Any:
        return _Kept, ()


@contextmanager
def for_inductor(every: bool) -> Iterator[dict[Any, Callable[..., Any]] | None]:
    """What inductor spells out, None for all that it does alone.

    With `every`, these are gathers, which can be kernels. Otherwise Torch does not spell ENLARGERS
    and NEAREST, as it does where gradients are taken, before a table is asked.
    """
    kept = [*ENLARGERS, *NEAREST] * (not every)
    ops = [getattr(one, form) for one in kept for form in ("vec", "default")]
    were, early = [op.py_kernels for op in ops], ("Autograd", "CompositeImplicitAutograd")
    for op in ops:
        made = {at: each for at, each in op.py_kernels.items() if at.name not in early}
        if op._overloadname == "vec":
            found = ((at, each) for at, each in op.py_kernels.items() if at.name in early)
            made.update((at, _of_sizes(op, each)) for at, each in found)
        op.py_kernels = made
        op._dispatch_cache.clear()
    try:
        yield None if every else _Kept()
    finally:
        for op, kernels in zip(ops, were, strict=True):
            op.py_kernels = kernels
            op._dispatch_cache.clear()


def spelled_out(part: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """The graph without ops of SPELLINGS."""
    if not any(node.target in SPELLINGS for node in part.graph.nodes):
        return part
    given = [node.meta["val"] for node in part.graph.find_nodes(op="placeholder")]
    mode: Any = detect_fake_mode(given)
    with mode, enable_python_dispatcher():
        found = make_fx(part, decomposition_table=SPELLINGS)(*given)
    found.graph.eliminate_dead_code()
    return found
