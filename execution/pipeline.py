"""The pass pipelines that a compiled function goes through, kept in this one place."""

from dataclasses import fields

from mlir_gs.lowering import registered_passes

INLINE = "inline,symbol-dce"
"""To one function: an error return cannot leave a callee."""

_TO_SCF = "convert-gs-to-scf"

RELEASE = (
    "ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification,"
    "bufferization-lower-deallocations,convert-bufferization-to-memref"
)
"""Frees what the function allocates."""


def to_buffers(strided: bool) -> str:
    """Tensors to memrefs; `strided` arguments may have any strides, others are C-contiguous."""
    layout = "dynamic" if strided else "identity"
    passes = ["convert-tensor-to-gs"] if "convert-tensor-to-gs" in registered_passes() else []
    passes += ["gs-generalize", f"gs-bufferize{{layout={layout}}}", "canonicalize", "cse"]
    return ",".join(passes)


def to_scf(threads: int) -> str:
    """gs.generic on memrefs to loops, parallel ones if there are several threads."""
    has_threads = "threads" in {field.name for field in fields(registered_passes()[_TO_SCF])}
    return f"{_TO_SCF}{{threads={threads}}}" if has_threads else _TO_SCF


TO_LOOPS = "convert-linalg-to-loops,fold-memref-alias-ops"
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
