"""Inductor's loops, with two mends: which of them threads share, and what is local to a row."""

from collections.abc import Sequence
from copy import copy
from typing import Any
from unittest.mock import patch

import sympy
from torch._inductor.codegen.cpp import LoopNest, OuterLoopFusedSchedulerNode
from torch._inductor.compile_fx import compile_fx_inner
from torch._inductor.virtualized import V

_depth: Any = LoopNest.max_parallel_depth
_agree = OuterLoopFusedSchedulerNode.check_outer_fusion_loop_level_attr


def compile_loops(*given: Any, **keywords: Any) -> Any:
    """Inductor's `inner_compile`, with its loops mended.

    A loop of less than a vector counts as one step. Inductor counts it as none: threads then share
    the loop of a reduction inside of it, and meet once for each of its results.

    Nests that share outer loops, and a buffer of one row, share them only if these go row by row.
    Inductor has them go in vectors, too, as they do for transposed operands: the rows of a vector
    then overwrite each other in the buffer, and results are wrong.
    """
    with (
        patch.object(LoopNest, "max_parallel_depth", _of_whole_steps),
        patch.object(OuterLoopFusedSchedulerNode, "check_outer_fusion_loop_level_attr", _by_row),
    ):
        return compile_fx_inner(*given, **keywords)


def _of_whole_steps(nest: LoopNest) -> Any:
    loops = None if nest.loops is None else [copy(loop) for loop in nest.loops]
    for loop in loops or ():
        if isinstance(loop.size, sympy.Integer) and loop.size < loop.steps:
            loop.size = sympy.sympify(loop.steps)
    return _depth(LoopNest(loops, nest.kernel))


def _by_row(node: OuterLoopFusedSchedulerNode, nests: Sequence[Any], depth: int) -> bool:
    """Whether nests may share their `depth` outer loops, with the buffers of a row."""
    has_buffers = bool(V.local_buffer_context.local_buffers)
    outer = [loop for nest in nests for loop in nest.loop_nest.loops[:depth]]
    return not (has_buffers and any(loop.steps != 1 for loop in outer)) and _agree(
        node, nests, depth
    )
