"""The pass pipelines that a compiled function goes through, kept in this one place."""

from dataclasses import fields

import mlir_gs.frontend  # noqa: F401  (registers the conversions)
from mlir_gs.lowering import registered_passes, registered_pipelines

INLINE = "inline,symbol-dce"
"""To one function: an error return cannot leave a callee."""

_TENSOR_OPS = {"tensor.gather", "tensor.scatter"}
_TO_SCF = "convert-gs-to-scf"

RELEASE = (
    "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,"
    "bufferization-lower-deallocations,convert-bufferization-to-memref"
)
"""Frees what the function allocates."""


GENERALIZE = "gs-generalize,linalg-generalize-named-ops"
"""To ops whose maps say what they read and write."""


def imports(names: set[str]) -> list[str]:
    """The pipelines that bring ops of these names to gs and upstream's dialects.

    For a dialect `d` that is `gs-import-d` or, where there is none, `convert-d-to-gs`.
    """
    known = {**registered_passes(), **registered_pipelines()}
    found = []
    for language in sorted({name.partition(".")[0] for name in names}):
        if language == "tensor" and not names & _TENSOR_OPS:
            continue
        candidates = (f"gs-import-{language}", f"convert-{language}-to-gs")
        found += [name for name in candidates if name in known][:1]
    return found


def to_buffers(strided: bool) -> str:
    """Tensors to memrefs; `strided` arguments may have any strides, others are C-contiguous."""
    layout = "dynamic" if strided else "identity"
    return (
        "func.func(convert-elementwise-to-linalg),gs-generalize,"
        f"gs-bufferize{{layout={layout}}},canonicalize,cse"
    )


def to_scf(threads: int) -> str:
    """gs.generic on memrefs to loops, parallel ones if there are several threads."""
    has_threads = "threads" in {field.name for field in fields(registered_passes()[_TO_SCF])}
    return f"{_TO_SCF}{{threads={threads}}}" if has_threads else _TO_SCF


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
        # The CPU's own rounding to bf16 flushes denormals.
        "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32}",
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
