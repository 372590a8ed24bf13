"""`gs-to-llvm`: from a module at any level to a kernel in the LLVM dialect."""

from typing import Annotated, Literal

from mlir_gs.lowering.kernel.gs_move_results import ALLOCATIONS
from mlir_gs.lowering.passes.options import option_text
from mlir_gs.lowering.passes.registry import register_pipeline

_RELEASE = (
    "func.func(buffer-loop-hoisting),gs-clamp-sizes,ownership-based-buffer-deallocation,"
    "canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,"
    "convert-bufferization-to-memref"
)
_CALLS = "inline{default-pipeline=},symbol-dce"
_VIEWS = "memref.subview,memref.expand_shape,memref.collapse_shape"
_NOT_IN_LLVM = ",".join(
    f"complex.{name}"
    for name in (
        *("angle", "atan2", "bitcast", "conj", "cos", "div", "eq", "exp", "expm1", "log", "neg"),
        *("neq", "pow", "powi", "rsqrt", "sign", "sin", "sqrt", "tan", "tanh"),
    )
)
"""What convert-complex-to-llvm leaves: it becomes arithmetic and functions on the parts."""


SWITCHES = (
    "alias-marks",
    "integer-halves",
    "one-thread-turns",
    "raised-loops",
    "unoptimized-callers",
)
"""What only makes code faster."""


@register_pipeline(
    "gs-prepare", doc="Bring a module to one function of gs and upstream's ops that checks sizes."
)
def gs_prepare() -> list[str]:
    """An error return cannot leave a callee, and passes that fold rely on sizes that fit."""
    return [
        "gs-leave-bufferization",
        # Nothing is folded before it is repaired.
        "gs-if{has=func.call}(inline{default-pipeline=})",
        "symbol-dce",
        "gs-repair",
        "gs-import",
        "gs-check-sizes",
    ]


@register_pipeline("gs-to-llvm", doc="Lower a module to a kernel in the LLVM dialect, for any CPU.")
def gs_to_llvm(
    entry: Annotated[str, "the function; by default the only public one, or main"] = "",
    threads: Annotated[int, "threads that share the work"] = 1,
    donate: Annotated[
        tuple[str, ...], "tensor arguments that a call may overwrite, by number or name"
    ] = (),
    sanitize: Annotated[bool, "check what the ops promise"] = False,
    optimize: Annotated[bool, "merge ops with those that they read and that read them"] = True,
    target: Annotated[str, "the machine: a profile or a file with facts, and numbers"] = "generic",
    strided: Annotated[bool, "arrays may have any strides; false: C-contiguous"] = False,
    clock: Annotated[Literal["cycle", "steady"], "see gs-measure-regions"] = "cycle",
    disable: Annotated[
        tuple[str, ...],
        f"left out: {', '.join(SWITCHES)}",
    ] = ("integer-halves",),
) -> list[str]:
    """This is what `compile` runs, with its options. The module may be at any level: what the
    functions say of themselves (`gs.kernel` and other attributes) tells which passes are done. So
    what comes out after any pass can go in again."""
    machine = f"threads={threads} target={{{target}}}"
    parallel = threads > 1
    optional = {
        "sanitize": sanitize,
        "optimize": optimize,
        "parallel": parallel,
    } | {name: name not in disable for name in SWITCHES}

    def when(name: str, *passes: str) -> list[str]:
        return list(passes) if optional[name] else []

    to_buffers = [
        "gs-prepare",
        *when("sanitize", "gs-sanitize"),
        "gs-describe-kernel",
        *when("optimize", *when("raised-loops", "gs-raise")),
        "gs-lower-asserts",
        *when("optimize", "gs-count-loops", "gs-unroll-loops", "gs-infer", "gs-canonicalize"),
        *when("optimize", "gs-if{when=may-merge}(gs-merge)", "gs-choose-layouts"),
        "func.func(convert-elementwise-to-linalg)",
        f"convert-products-to-gs{{shared={option_text(parallel)} target={{{target}}}}}",
        "gs-generalize",
        f"gs-bufferize{{layout={'dynamic' if strided else 'identity'}}}",
        "canonicalize",
        "cse",
        "gs-lower-asserts",
        "gs-check-buffers",
        f"gs-move-results{{strided={option_text(strided)}}}",
        f"gs-if{{has={','.join(ALLOCATIONS)},bufferization. lacks=memref.dealloc}}({_RELEASE})",
        "gs-drop-copies",
        "gs-mark-kernel{level=buffers}",
    ]
    to_loops = [
        "gs-run-in-sequence",
        f"convert-gs-to-scf{{{machine}}}",
        f"gs-prefetch{{target={{{target}}}}}",
        "gs-unswitch",
        f"gs-if{{has=func.call when=has-callees}}({_CALLS})",
        "gs-defer-writes",
        *when("parallel", f"gs-share-copies{{{machine}}}"),
        "gs-copies-to-linalg",
        *when("optimize", "gs-outline-loops"),
        "gs-mark-kernel{level=loops}",
    ]
    to_openmp = f"gs-split-parallel{{threads={threads}}},"
    to_openmp += f"convert-scf-to-openmp{{num-threads={threads}}},canonicalize"
    return [
        f"gs-choose-kernel{{entry={option_text(entry)} donate={option_text(donate)}}}",
        f"gs-if{{unmarked=gs.buffers}}({','.join(to_buffers)})",
        f"gs-if{{unmarked=gs.loops}}({','.join(to_loops)})",
        "gs-if{has=linalg.}(convert-linalg-to-loops)",
        "gs-emulate-small-floats",
        "gs-order-zeros",
        f"gs-if{{has={_VIEWS}}}(gs-empty-views,fold-memref-alias-ops)",
        "gs-note-memory",
        "gs-whole-bytes",
        "gs-check-allocations",
        "gs-if{has=scf.forall}(scf-forall-to-parallel)",
        f"gs-if{{has={_NOT_IN_LLVM}}}(convert-complex-to-standard)",
        *when("parallel", f"gs-if{{has=scf.parallel unmarked=gs.sequential}}({to_openmp})"),
        "gs-inline-scopes",
        "lower-affine",
        "expand-strided-metadata",
        "lower-affine",
        "arith-expand{include-bf16=true}",
        # Calls of libm for each element of a vector take it apart by ops of `vector`.
        "gs-if{has=math.}(gs-expand-math,convert-math-to-llvm,convert-math-to-libm)",
        "gs-if{has=complex.}(convert-complex-to-llvm)",
        "gs-if{has=index.}(convert-index-to-llvm)",
        "convert-scf-to-cf",
        "convert-vector-to-llvm",
        "finalize-memref-to-llvm",
        "convert-arith-to-llvm",
        "convert-ub-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
        *when("parallel", "convert-openmp-to-llvm"),
        "reconcile-unrealized-casts",
        "gs-check-llvm",
        f"gs-mark-pointers{{noalias={option_text(optional['alias-marks'])}}}",
        *when("integer-halves", "gs-load-halves"),
        *when("unoptimized-callers", *when("parallel", "gs-leave-callers")),
        *when("one-thread-turns", *when("parallel", f"gs-measure-regions{{clock={clock}}}")),
        "gs-return-status",
    ]
