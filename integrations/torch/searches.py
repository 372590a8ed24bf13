"""`torch.searchsorted` and `torch.bucketize` in graphs: the op that takes their place where the
kernel of `mlir_gs.searchsorted` gains time."""

from math import log2, prod
from typing import Any, cast

import numpy as np
import torch
from mlir_gs.execution.call import memory
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.searching import search
from mlir_gs.execution.machine.host import target
from mlir_gs.integrations.torch.cost import least
from mlir_gs.integrations.torch.decompositions import size_of
from mlir_gs.lowering.scf.targets import machine
from torch import library

aten: Any = torch.ops.aten
_DTYPES = {
    torch.float16, torch.bfloat16, torch.float32, torch.float64,
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
}  # fmt: skip

_library = library.Library("mlir_gs", "FRAGMENT")
_library.define(
    "search(Tensor keys, Tensor values, bool narrow, bool right) -> Tensor",
    tags=(torch.Tag.pt2_compliant_tag, torch.Tag.flexible_layout),
)
SEARCH: Any = torch.ops.mlir_gs.search.default


def _run(keys: Any, values: Any, narrow: bool, right: bool) -> Any:
    """What is no plain search is eager Torch's: keys that are NaN, which do not ascend as Torch
    compares them, and without elements."""
    is_plain = bool(keys.numel() and values.numel())
    # Torch compares both in one dtype.
    dtype = torch.result_type(keys, values)
    pair = [one.detach().contiguous().to(dtype) for one in (keys, values)]
    lines = [frameworks.array(one) for one in pair]
    if is_plain and dtype.is_floating_point:
        last = lines[0][..., -1]
        is_plain = bool((last == last).all())
    if not is_plain:
        return aten.searchsorted.Tensor(keys, values, out_int32=narrow, right=right)
    rows = keys.numel() // keys.shape[-1]
    found = memory.empty(tuple(values.shape), np.dtype(np.int32 if narrow else np.int64))
    threads = 1 if torch.get_num_threads() == 1 else None
    for row in zip(*(one.reshape(rows, -1) for one in (*lines, found)), strict=True):
        search("right" if right else "left", row[:2], lines[0].dtype, row[2], threads)
    return torch.from_numpy(found)


def _fake(keys: Any, values: Any, narrow: bool, right: bool) -> Any:
    return values.new_empty(values.shape, dtype=torch.int32 if narrow else torch.int64)


_library.impl("search", _run, "CPU")
library.register_fake("mlir_gs::search", _fake, lib=_library)


def place(graph: torch.fx.Graph, every: bool) -> list[str]:
    """Put searches where they gain time, with `every` wherever they can be; their names."""
    placed = []
    for node in list(graph.nodes):
        arguments = _arguments(node)
        if arguments is not None and (every or _gains(*arguments)):
            with graph.inserting_before(node):
                made = graph.call_function(SEARCH, arguments)
            node.replace_all_uses_with(made, propagate_meta=True)
            graph.erase_node(node)
            placed.append(str(node.target))
    return placed


def may(graph: torch.fx.Graph) -> bool:
    """Whether some search may be placed."""
    return any(_arguments(node) is not None for node in graph.nodes)


def _arguments(node: torch.fx.Node) -> Any:
    """What SEARCH takes for a node; None for one that it does not."""
    if node.target == aten.searchsorted.Tensor:
        keys, values = cast(Any, node.args)
    elif node.target == aten.bucketize.Tensor:
        values, keys = cast(Any, node.args)
    else:
        return None
    more: Any = node.kwargs
    right, side = more.get("right", False), more.get("side")
    a, v = keys.meta["val"], values.meta["val"]
    takes = {a.dtype, v.dtype} <= _DTYPES and a.ndim > 0
    takes &= all(one.device.type == "cpu" and one.layout == torch.strided for one in (a, v))
    takes &= a.ndim == 1 or a.shape[:-1] == v.shape[:-1]
    takes &= more.get("sorter") is None
    if not takes or side not in (None, "right", *([] if right else ["left"])):
        return None
    return keys, values, more.get("out_int32", False), right or side == "right"


def _gains(keys: Any, values: Any, *_: bool) -> bool:
    """Torch's searches branch at each key: half of the branches are mispredicted, and none of the
    next keys is in flight then. Each row is a call. A call through the dispatcher takes as long as
    one of several threads."""
    facts = machine(target()).target
    a, v = keys.meta["val"].shape, values.meta["val"].shape
    size, rows, count = size_of(a[-1]), prod(map(size_of, a[:-1])), prod(map(size_of, v))
    steps = count / max(1, rows) * log2(size + 1) / 2
    return steps * facts.latency_ns * 1e-9 / facts.lines_l1 > 2 * least(facts)
