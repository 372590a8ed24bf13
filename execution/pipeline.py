"""The pass pipelines that a compiled function goes through, kept in this one place."""

from typing import Any

import mlir_gs.frontend  # noqa: F401  (registers the conversions)
from mlir_gs.execution import machine
from mlir_gs.lowering.gs_fuse import may_merge

IMPORT = "inline,symbol-dce,gs-import"
"""To one function, for an error return cannot leave a callee, of gs and upstream's ops."""


RELEASE = (
    "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,"
    "bufferization-lower-deallocations,convert-bufferization-to-memref"
)
"""Frees what the function allocates."""


SANITIZE = "gs-sanitize"
"""Before passes that rely on promises."""

GENERALIZE = "gs-generalize,linalg-generalize-named-ops"
"""To ops whose maps say what they read and write."""


def optimize(module: Any) -> str:
    """The rewrites of gs: with merging of loops, where there is something to merge."""
    return "gs-optimize" if may_merge(module) else "gs-infer,gs-canonicalize"


def to_buffers(strided: bool) -> str:
    """Tensors to memrefs; `strided` arguments may have any strides, others are C-contiguous."""
    layout = "dynamic" if strided else "identity"
    return (
        "func.func(convert-elementwise-to-linalg),gs-generalize,"
        f"gs-bufferize{{layout={layout}}},canonicalize,cse"
    )


def to_scf(threads: int) -> str:
    """gs.generic on memrefs to loops, parallel ones if there are several threads."""
    return (
        f"convert-gs-to-scf{{threads={threads} cache-bytes={machine.cache_bytes()} "
        f"stream-reads={machine.stream_reads()} write-ahead={machine.write_ahead()}}}"
    )


TO_LOOPS = "convert-linalg-to-loops,gs-emulate-small-floats,fold-memref-alias-ops"
"""What else there is on memrefs to loops."""


def to_llvm(threads: int) -> str:
    """Loops to the LLVM dialect; with several threads, `scf.parallel` becomes OpenMP."""
    parallel = threads > 1
    passes = ["scf-forall-to-parallel"]
    if parallel:
        # Inner loops of a parallel one may get memref.alloca_scope, which canonicalize removes.
        passes += [f"convert-scf-to-openmp{{num-threads={threads}}}", "canonicalize"]
    passes += [
        "lower-affine",
        "expand-strided-metadata",
        "lower-affine",
        "arith-expand{include-bf16=true}",
        "convert-scf-to-cf",
        "convert-vector-to-llvm",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-complex-to-llvm",
        "finalize-memref-to-llvm",
        "convert-arith-to-llvm",
        "convert-index-to-llvm",
        "convert-ub-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
    ]
    if parallel:
        passes.append("convert-openmp-to-llvm")
    passes.append("reconcile-unrealized-casts")
    return ",".join(passes)
