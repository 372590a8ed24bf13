"""Which nodes of an ATen graph may go into a kernel."""

from operator import getitem
from typing import Any, cast

import torch
from mlir_gs.frontend.torch.op import TORCH
from mlir_gs.integrations.torch.decompositions import SPELLINGS
from torch._subclasses.fake_tensor import unset_fake_temporarily

VIEWS = frozenset(
    {
        "aten.alias", "aten.detach", "aten.expand", "aten.permute", "aten.reshape",
        "aten.select.int", "aten.slice.Tensor", "aten.squeeze", "aten.squeeze.dim",
        "aten.squeeze.dims", "aten.t", "aten.transpose.int", "aten.unsqueeze", "aten.view",
        "aten._unsafe_view",
    }
)  # fmt: skip
"""What costs nothing outside of a kernel, and is folded into addresses inside of one."""

REDUCTIONS = frozenset(
    {
        "aten.amax", "aten.amin", "aten.max", "aten.mean", "aten.mean.dim", "aten.min", "aten.prod",
        "aten.prod.dim_int", "aten.sum", "aten.sum.dim_IntList",
    }
)  # fmt: skip
"""What takes in the values that were gathered, without a tensor of them."""

_COMPANIONS = (VIEWS | REDUCTIONS) | {
    "aten._to_copy", "aten.abs", "aten.add.Scalar", "aten.add.Tensor", "aten.arange",
    "aten.arange.start", "aten.arange.start_step", "aten.bitwise_and.Tensor", "aten.bitwise_not",
    "aten.bitwise_or.Tensor", "aten.cat", "aten.ceil", "aten.clamp", "aten.clamp_max",
    "aten.clamp_min", "aten.clone", "aten.constant_pad_nd", "aten.cumsum", "aten.div.Scalar",
    "aten.div.Tensor", "aten.empty.memory_format", "aten.empty_like",
    "aten.eq.Scalar", "aten.eq.Tensor", "aten.exp", "aten.floor", "aten.full", "aten.full_like",
    "aten.ge.Scalar", "aten.ge.Tensor", "aten.gt.Scalar", "aten.gt.Tensor", "aten.le.Scalar",
    "aten.le.Tensor",
    "aten.logical_and", "aten.logical_not", "aten.logical_or", "aten.lt.Scalar",
    "aten.lt.Tensor", "aten.masked_fill.Scalar", "aten.masked_fill.Tensor",
    "aten.mul.Scalar", "aten.mul.Tensor", "aten.ne.Scalar", "aten.ne.Tensor",
    "aten.neg", "aten.new_full", "aten.new_ones", "aten.new_zeros", "aten.ones",
    "aten.ones_like", "aten.pow.Tensor_Scalar", "aten.relu", "aten.remainder.Scalar",
    "aten.repeat", "aten.rsqrt",
    "aten.rsub.Scalar", "aten.sigmoid", "aten.sqrt", "aten.sub.Scalar", "aten.sub.Tensor",
    "aten.threshold_backward", "aten.where.self", "aten.zeros", "aten.zeros_like",
    "prims.convert_element_type", "prims.iota",
}  # fmt: skip
"""What goes along with gathers and scatters: arithmetic, tensors of one value, reductions.

Products of matrices and functions such as tanh have better code in eager Torch."""

_SPELLED = {str(op).removesuffix(".default") for op in SPELLINGS}

_COMPUTED = {
    torch.bool, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64,
}  # fmt: skip
"""What companions compute with; torch-mlir crashes on some arithmetic of narrower integers."""

_FLOATS_ONLY = {"aten.div.Scalar", "aten.div.Tensor", "aten.neg"}
"""torch-mlir takes large integers through floats here."""

_INTEGERS_ONLY = {"aten.cumsum"}
"""Eager Torch adds floats up in more bits here."""

HALVES = (torch.bfloat16, torch.float16)

FUNCTIONS = {"aten.exp", "aten.rsqrt", "aten.sigmoid", "aten.sqrt"}
"""What inductor's loops do in vectors. torch-mlir rounds halves twice here."""

_FIRST_ONLY = {"aten._embedding_bag_forward_only"}
"""What gives several results, of which kernels compute the first."""

_VIEWS_OF_STRIDES = {"aten.view", "aten._unsafe_view"}
"""What raises where the strides of its operand do not allow a view."""

_MOVED = _COMPUTED | {torch.uint8, torch.int8, torch.int16}
"""What gathers, scatters and views move."""


_OF_MEMORY = {"aten.as_strided_copy", "aten.as_strided_scatter"}
"""What sees how a tensor lies in memory, of which a kernel knows nothing."""


def key(node: torch.fx.Node) -> str:
    """`aten.index.Tensor`, `aten.gather`: the op without `.default`."""
    return str(node.target).removesuffix(".default")


INDEXING = ({*TORCH.conversions} | _SPELLED) - REDUCTIONS - _OF_MEMORY - {"aten.pow.Tensor_Scalar"}
TAKEN = INDEXING | _COMPANIONS
"""All that may be in a kernel."""

_SCATTERS = {
    name
    for name in INDEXING
    if any(part in name for part in ("put", "scatter", "index_add", "index_copy", "index_fill"))
    or any(part in name for part in ("index_reduce", "backward", "bincount", "histc"))
}
"""What writes at coordinates."""


def is_indexing(node: torch.fx.Node) -> bool:
    """Whether the node is a gather or scatter that `convert-torch-to-gs` takes."""
    return node.op == "call_function" and key(node) in INDEXING


def is_scatter(node: torch.fx.Node) -> bool:
    """Whether the node writes at coordinates."""
    return node.op == "call_function" and key(node) in _SCATTERS


def is_companion(node: torch.fx.Node) -> bool:
    return node.op == "call_function" and key(node) in _COMPANIONS


def _is_rest_of_integers(node: torch.fx.Node) -> bool:
    """As negative indices are wrapped; of 0, which may be a size, Torch raises."""
    number = node.args[1]
    return not _is_float(node.meta.get("val")) and isinstance(number, int) and number != 0


def is_view(node: torch.fx.Node) -> bool:
    return node.op == "call_function" and key(node) in VIEWS


def _multiplies(node: torch.fx.Node) -> bool:
    """Whether it adds a multiple, but of two tensors of one type with dims."""
    arguments = [each.name for each in cast(Any, node.target)._schema.arguments]
    given = {**dict(zip(arguments, node.args, strict=False)), **node.kwargs}
    of = [each.meta.get("val") for each in node.args[:2] if isinstance(each, torch.fx.Node)]
    is_plain = len(of) == 2 and all(isinstance(each, torch.Tensor) and each.ndim for each in of)
    is_plain = is_plain and cast(Any, of[0]).dtype == cast(Any, of[1]).dtype
    return bool(given.get("alpha", 1) != 1) and not is_plain


def objection(node: torch.fx.Node) -> str | None:
    """Why the node stays with Torch; None if it may go into a kernel."""
    if node.target is getitem and node.args[1] == 0:
        return objection(cast(torch.fx.Node, node.args[0]))
    if not isinstance(node.target, torch._ops.OpOverload):
        return "not an operator of ATen"
    if key(node) not in TAKEN:
        return "not an op that kernels take"
    value = node.meta.get("val")
    if key(node) in _FIRST_ONLY and all(user.args[1] == 0 for user in node.users):
        value = cast(Any, value)[0]
    if not isinstance(value, torch.Tensor):
        return "it gives several results" if isinstance(value, tuple | list) else "no tensor"
    operands = [found.meta.get("val") for found in node.all_input_nodes]
    if (
        key(node) in _VIEWS_OF_STRIDES
        and isinstance(operands[0], torch.Tensor)
        and not _has_view(operands[0], value)
    ):
        return "strides of its operand do not allow it"
    if key(node) in _FLOATS_ONLY and not any(map(_is_float, operands)):
        return "kernels do it with floats only"
    if key(node) in _INTEGERS_ONLY and any(map(_is_float, operands)):
        return "kernels do it with integers only"
    if key(node) in FUNCTIONS and value.dtype not in (torch.float32, torch.float64):
        return "kernels do it with single and double precision only"
    if key(node).startswith("aten.prod") and value.dtype in HALVES:
        return "Torch rounds products of halves at each step"
    if value.dtype in HALVES and _multiplies(node):
        return "how often Torch rounds multiples of halves depends on its vectors"
    if key(node) == "aten.remainder.Scalar" and not _is_rest_of_integers(node):
        return "kernels do it with integers and a number only"
    known = _MOVED if is_indexing(node) or is_view(node) else _COMPUTED
    return next(filter(None, (_tensor_objection(each, known) for each in [value, *operands])), None)


def _has_view(given: torch.Tensor, view: torch.Tensor) -> bool:
    """Whether eager Torch makes it; fake tensors of stride 0 are flattened where it raises."""
    shape, strides, sizes = (
        [hint for each in found if (hint := _hint(each)) is not None]
        for found in (given.shape, given.stride(), view.shape)
    )
    if (len(shape), len(strides), len(sizes)) != (given.ndim, given.ndim, view.ndim):
        return True
    try:
        with unset_fake_temporarily(), torch._C._DisablePythonDispatcher():
            torch.empty_strided(shape, strides, device="meta").view(sizes)
    except RuntimeError:
        return False
    return True


def _hint(size: Any) -> int | None:
    return size.node.hint if isinstance(size, torch.SymInt) else size


def _is_float(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype.is_floating_point


def _tensor_objection(value: Any, known: set[torch.dtype]) -> str | None:
    if isinstance(value, torch.SymInt | int):
        return None
    if not isinstance(value, torch.Tensor):
        return f"an operand is a {type(value).__name__}"
    if value.device.type != "cpu":
        return f"it is on {value.device}"
    if value.layout != torch.strided or value.is_quantized:
        return "it is not a dense tensor"
    if value.dtype not in known:
        return f"its elements are {str(value.dtype).removeprefix('torch.')}"
    return None
