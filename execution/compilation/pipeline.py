"""The pass pipelines that a compiled function goes through, kept in this one place."""

from collections.abc import Collection, Iterable
from typing import Any

import mlir_gs.frontend  # noqa: F401  (registers the conversions)
from mlir_gs.execution.machine import host
from mlir_gs.lowering.fuse.gs_fuse import may_merge

RELEASE = (
    "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,"
    "bufferization-lower-deallocations,convert-bufferization-to-memref"
)
"""Frees what the function allocates."""


REPAIR = "gs-repair"
"""Before passes that fold."""

SANITIZE = "gs-sanitize"
"""Before passes that rely on promises."""

CHECK_SIZES = "gs-check-sizes"
"""Before passes that rely on sizes that fit."""

INLINE = "inline{default-pipeline=}"
"""Calls, and nothing else."""

ONE_FUNCTION = f"{INLINE},symbol-dce"
"""What calls others becomes one function. Nothing is folded."""

RAISE = "gs-raise"
"""What upstream's ops do through coordinates, to gs."""

GENERALIZE = "gs-generalize,linalg-generalize-named-ops"
"""To ops whose maps say what they read and write."""


def optimize(module: Any) -> str:
    """The rewrites of gs: with merging of loops, where there is something to merge."""
    return "gs-optimize" if may_merge(module) else "gs-infer,gs-canonicalize"


def to_buffers(strided: bool) -> str:
    """Tensors to memrefs; `strided` arguments may have any strides, others are C-contiguous."""
    layout = "dynamic" if strided else "identity"
    return (
        "func.func(convert-elementwise-to-linalg),convert-products-to-gs,gs-generalize,"
        f"gs-bufferize{{layout={layout}}},canonicalize,cse"
    )


def to_scf(threads: int, target: str | None = None) -> str:
    """gs.generic on memrefs to loops with prefetches, parallel ones if there are several threads;
    `target`: see `host.target`. Raises CompileError."""
    spelled = host.target(target)
    loops = f"convert-gs-to-scf{{threads={threads} target={{{spelled}}}}}"
    return f"{loops},gs-prefetch{{target={{{spelled}}}}},gs-unswitch"


def to_loops(names: Collection[str]) -> str:
    """What else there is on memrefs, ops of these names, to loops."""
    passes = ["convert-linalg-to-loops", "gs-emulate-small-floats", "gs-order-zeros"]
    passes.append("fold-memref-alias-ops")
    return ",".join(_at_work(passes, names))


def to_llvm(threads: int, names: Collection[str]) -> str:
    """Loops, of ops of these names, to the LLVM dialect; with several threads, `scf.parallel`
    becomes OpenMP."""
    parallel = threads > 1
    passes = ["scf-forall-to-parallel"]
    if any(name.startswith("complex.") and name not in _COMPLEX_IN_LLVM for name in names):
        passes.append("convert-complex-to-standard")
        names = {*names, "math."}
    if parallel:
        # Inner loops of a parallel one may get memref.alloca_scope, which canonicalize removes.
        passes += [f"convert-scf-to-openmp{{num-threads={threads}}}", "canonicalize"]
    passes += [
        "lower-affine",
        "expand-strided-metadata",
        "lower-affine",
        "arith-expand{include-bf16=true}",
        "convert-scf-to-cf",
        # Calls of libm for each element of a vector take it apart by ops of `vector`.
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "convert-vector-to-llvm",
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
    return ",".join(_at_work(passes, names))


_COMPLEX_IN_LLVM = {
    f"complex.{name}" for name in ("abs", "add", "constant", "create", "im", "mul", "re", "sub")
}
"""Others become arithmetic and functions on the parts."""

_WORK: dict[str, tuple[str, ...]] = {
    "convert-linalg-to-loops": ("linalg.",),
    "fold-memref-alias-ops": ("memref.subview", "memref.expand_shape", "memref.collapse_shape"),
    "gs-order-zeros": ("arith.maxnumf", "arith.minnumf"),
    "convert-math-to-llvm": ("math.",),
    "convert-math-to-libm": ("math.",),
    "convert-complex-to-llvm": ("complex.",),
    "convert-index-to-llvm": ("index.",),
}
"""What the names of ops begin with that a pass is for. These search the module for a long time to
find none."""


def _at_work(passes: Iterable[str], names: Collection[str]) -> list[str]:
    """The passes that have something to do where there are ops of these names."""
    idle = {p for p, starts in _WORK.items() if not any(n.startswith(starts) for n in names)}
    return [p for p in passes if p not in idle]
