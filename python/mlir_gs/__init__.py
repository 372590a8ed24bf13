"""Gather and scatter for MLIR: the `gs` dialect, its lowering, and running it on the CPU.

`compile(text_or_module)` makes a function on arrays; `load(context)` puts the dialect into a
context of yours; `mlir_gs.dialect`, `.lowering`, `.frontend` and `.execution` hold the rest.
"""

# ruff: noqa: E402
import _signal
import sys

_TOOLS = (
    *("gs-opt", "gs-run", "gs-compile", "gs-reduce", "gs-tune", "gs-prove", "gs-lsp"),
    "gs-explore",
)
if sys.argv[:1] == ["-m"]:
    _is_tool = any(word.startswith("mlir_gs.tools.gs_") for word in sys.orig_argv)
else:
    _is_tool = bool(sys.argv) and sys.argv[0].rpartition("/")[2] in _TOOLS
# Ctrl-C while a tool's modules are imported ends it, without a traceback of wherever it was.
if _is_tool and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

import ctypes
import importlib
from typing import TYPE_CHECKING, Any

from mlir_gs._forks import lock as _lock

if TYPE_CHECKING:
    from mlir_gs.bindings import ir
    from mlir_gs.dialect import context, load
    from mlir_gs.dialect.assembly import print
    from mlir_gs.execution import CompileError, Kernel, compile
    from mlir_gs.execution.functions.along import put_along_axis, take_along_axis
    from mlir_gs.execution.functions.at import at
    from mlir_gs.execution.functions.attention import paged_attention
    from mlir_gs.execution.functions.bags import embedding_bag
    from mlir_gs.execution.functions.bins import bincount, histogram, histogram2d
    from mlir_gs.execution.functions.cumulative import (
        segment_cumcount,
        segment_cummax,
        segment_cummin,
        segment_cumprod,
        segment_cumsum,
        segment_rank,
    )
    from mlir_gs.execution.functions.groups import group, group_values
    from mlir_gs.execution.functions.messages import (
        gather_segment_max,
        gather_segment_mean,
        gather_segment_sum,
    )
    from mlir_gs.execution.functions.nd import gather_nd, scatter_nd
    from mlir_gs.execution.functions.products import gathered_matmul, grouped_matmul
    from mlir_gs.execution.functions.quantized import quantized
    from mlir_gs.execution.functions.searching import searchsorted
    from mlir_gs.execution.functions.segments import (
        segment_argmax,
        segment_argmin,
        segment_max,
        segment_mean,
        segment_min,
        segment_prod,
        segment_sum,
    )
    from mlir_gs.execution.functions.softmax import segment_softmax, segment_softmax_gradient
    from mlir_gs.execution.functions.sparse import spmm, spmv
    from mlir_gs.execution.functions.take import take
    from mlir_gs.execution.functions.uniques import factorize, segment_nunique, unique
    from mlir_gs.execution.tuning.measure import tune
    from mlir_gs.frontend.parse import ParseError, parse
    from mlir_gs.lowering import add_passes, run_pipeline


def _refuse_subinterpreters() -> None:
    """NumPy and MLIR's bindings keep state by process, and compiled code calls the main one."""
    if sys.implementation.name != "cpython":
        return
    states = [
        ctypes.PYFUNCTYPE(ctypes.c_void_p)((f"PyInterpreterState_{name}", ctypes.pythonapi))()
        for name in ("Get", "Main")
    ]
    if states[0] != states[1]:
        raise ImportError("mlir_gs cannot be used in a subinterpreter: import it in the main one")


_refuse_subinterpreters()

__version__ = "0.1.0"
__all__ = [
    "CompileError",
    "Kernel",
    "ParseError",
    "add_passes",
    "at",
    "bincount",
    "compile",
    "context",
    "embedding_bag",
    "factorize",
    "gather_nd",
    "gather_segment_max",
    "gather_segment_mean",
    "gather_segment_sum",
    "gathered_matmul",
    "group",
    "group_values",
    "grouped_matmul",
    "histogram",
    "histogram2d",
    "ir",
    "load",
    "paged_attention",
    "parse",
    "print",
    "put_along_axis",
    "quantized",
    "run_pipeline",
    "scatter_nd",
    "searchsorted",
    "segment_argmax",
    "segment_argmin",
    "segment_cumcount",
    "segment_cummax",
    "segment_cummin",
    "segment_cumprod",
    "segment_cumsum",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_nunique",
    "segment_prod",
    "segment_rank",
    "segment_softmax",
    "segment_softmax_gradient",
    "segment_sum",
    "spmm",
    "spmv",
    "take",
    "take_along_axis",
    "tune",
    "unique",
]

# Where exports come from. They are imported when first used: gs-opt needs no JIT.
_EXPORTS = {
    "execution": "CompileError Kernel compile",
    "dialect": "context load",
    "dialect.assembly": "print",
    "frontend.parse": "ParseError parse",
    "bindings": "ir",
    "lowering": "add_passes run_pipeline",
    "execution.functions.at": "at",
    "execution.functions.bins": "bincount histogram histogram2d",
    "execution.functions.bags": "embedding_bag",
    "execution.functions.uniques": "factorize segment_nunique unique",
    "execution.functions.nd": "gather_nd scatter_nd",
    "execution.functions.messages": "gather_segment_max gather_segment_mean gather_segment_sum",
    "execution.functions.products": "gathered_matmul grouped_matmul",
    "execution.functions.groups": "group group_values",
    # For `%load_ext mlir_gs`.
    "tools.notebook": "load_ipython_extension",
    "execution.functions.attention": "paged_attention",
    "execution.functions.along": "put_along_axis take_along_axis",
    "execution.functions.quantized": "quantized",
    "execution.functions.searching": "searchsorted",
    "execution.functions.segments": "segment_argmax segment_argmin segment_max segment_mean "
    "segment_min segment_prod segment_sum",
    "execution.functions.cumulative": "segment_cumcount segment_cummax segment_cummin "
    "segment_cumprod segment_cumsum segment_rank",
    "execution.functions.softmax": "segment_softmax segment_softmax_gradient",
    "execution.functions.sparse": "spmm spmv",
    "execution.functions.take": "take",
    "execution.tuning.measure": "tune",
}
_ROOMS = {name: room for room, names in _EXPORTS.items() for name in names.split()}


# A type checker takes the names above, and refuses others.
if not TYPE_CHECKING:

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})

    def __getattr__(name: str) -> Any:
        if name not in _ROOMS:
            raise AttributeError(f"module 'mlir_gs' has no attribute '{name}'")
        with _lock:
            found = getattr(importlib.import_module(f"mlir_gs.{_ROOMS[name]}"), name)
        globals()[name] = found
        return found
