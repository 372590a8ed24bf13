"""Which of inductor's loops threads share."""

from copy import copy
from typing import Any
from unittest.mock import patch

import sympy
from torch._inductor.codegen.cpp import LoopNest
from torch._inductor.compile_fx import compile_fx_inner

_depth = LoopNest.max_parallel_depth


def share_outer_loops(*given: Any, **keywords: Any) -> Any:
    """Inductor's `inner_compile`, which counts a loop of less than a vector as one step.

    Inductor counts it as none: threads then share the loop of a reduction inside of it, and meet
    once for each of its results.
    """
    with patch.object(LoopNest, "max_parallel_depth", _of_whole_steps):
        return compile_fx_inner(*given, **keywords)


def _of_whole_steps(nest: LoopNest) -> Any:
    loops = None if nest.loops is None else [copy(loop) for loop in nest.loops]
    for loop in loops or ():
        if isinstance(loop.size, sympy.Integer) and loop.size < loop.steps:
            loop.size = sympy.sympify(loop.steps)
    return _depth(LoopNest(loops, nest.kernel))
