"""Passes and pipelines on `gs`; importing this package registers them."""

from mlir_gs.lowering.algebra.gs_canonicalize import GsCanonicalize
from mlir_gs.lowering.buffers.gs_bufferize import GsEnterBufferization, GsLeaveBufferization
from mlir_gs.lowering.buffers.gs_limit_aliases import GsLimitAliases
from mlir_gs.lowering.checks.gs_sanitize import GsSanitize
from mlir_gs.lowering.facts.gs_infer import GsInfer
from mlir_gs.lowering.floats.gs_emulate_small_floats import GsEmulateSmallFloats
from mlir_gs.lowering.floats.gs_order_zeros import GsOrderZeros
from mlir_gs.lowering.fuse.gs_fuse import GsFuse
from mlir_gs.lowering.fuse.gs_fuse_coordinates import GsFuseCoordinates
from mlir_gs.lowering.kernel.gs_check_allocations import GsCheckAllocations
from mlir_gs.lowering.kernel.gs_check_buffers import GsCheckBuffers
from mlir_gs.lowering.kernel.gs_choose_kernel import GsChooseKernel
from mlir_gs.lowering.kernel.gs_copies_to_linalg import GsCopiesToLinalg
from mlir_gs.lowering.kernel.gs_defer_writes import GsDeferWrites
from mlir_gs.lowering.kernel.gs_describe_kernel import GsDescribeKernel
from mlir_gs.lowering.kernel.gs_empty_views import GsEmptyViews
from mlir_gs.lowering.kernel.gs_inline_scopes import GsInlineScopes
from mlir_gs.lowering.kernel.gs_lower_asserts import GsLowerAsserts, GsRunInSequence
from mlir_gs.lowering.kernel.gs_mark_kernel import GsMarkKernel
from mlir_gs.lowering.kernel.gs_move_results import GsDropCopies, GsMoveResults
from mlir_gs.lowering.kernel.gs_note_memory import GsNoteMemory
from mlir_gs.lowering.kernel.gs_share_copies import GsShareCopies
from mlir_gs.lowering.kernel.gs_whole_bytes import GsWholeBytes
from mlir_gs.lowering.linalg.convert_gs_to_linalg import ConvertGsToLinalg
from mlir_gs.lowering.linalg.convert_products_to_gs import ConvertProductsToGs
from mlir_gs.lowering.llvm.gs_check_llvm import GsCheckLlvm
from mlir_gs.lowering.llvm.gs_leave_callers import GsLeaveCallers
from mlir_gs.lowering.llvm.gs_load_halves import GsLoadHalves
from mlir_gs.lowering.llvm.gs_mark_pointers import GsMarkPointers
from mlir_gs.lowering.llvm.gs_measure_regions import GsMeasureRegions
from mlir_gs.lowering.llvm.gs_return_status import GsReturnStatus
from mlir_gs.lowering.llvm.gs_to_llvm import gs_to_llvm
from mlir_gs.lowering.named.gs_generalize import GsGeneralize
from mlir_gs.lowering.named.gs_specialize import GsSpecialize
from mlir_gs.lowering.passes.add_passes import add_passes
from mlir_gs.lowering.passes.conditions import GsIf
from mlir_gs.lowering.passes.pipeline_text import PipelineError
from mlir_gs.lowering.passes.python_passes import PassFailure
from mlir_gs.lowering.passes.registry import (
    build_pass_manager,
    fail,
    register_pass,
    register_pipeline,
    registered_passes,
    registered_pipelines,
    run_pipeline,
)
from mlir_gs.lowering.raising.gs_raise import GsRaise
from mlir_gs.lowering.repair.gs_repair import GsRepair
from mlir_gs.lowering.scf.convert_gs_to_scf import ConvertGsToScf
from mlir_gs.lowering.scf.gs_prefetch import GsPrefetch
from mlir_gs.lowering.scf.gs_schedule import GsSchedule
from mlir_gs.lowering.scf.gs_unswitch import GsUnswitch
from mlir_gs.lowering.sizes.gs_check_sizes import GsCheckSizes
from mlir_gs.lowering.tile.gs_tile import GsTile

__all__ = [
    "ConvertGsToLinalg",
    "ConvertGsToScf",
    "ConvertProductsToGs",
    "GsCanonicalize",
    "GsCheckAllocations",
    "GsCheckBuffers",
    "GsCheckLlvm",
    "GsCheckSizes",
    "GsChooseKernel",
    "GsCopiesToLinalg",
    "GsDeferWrites",
    "GsDescribeKernel",
    "GsDropCopies",
    "GsEmptyViews",
    "GsEmulateSmallFloats",
    "GsEnterBufferization",
    "GsFuse",
    "GsFuseCoordinates",
    "GsGeneralize",
    "GsIf",
    "GsInfer",
    "GsInlineScopes",
    "GsLeaveBufferization",
    "GsLeaveCallers",
    "GsLimitAliases",
    "GsLoadHalves",
    "GsLowerAsserts",
    "GsMarkKernel",
    "GsMarkPointers",
    "GsMeasureRegions",
    "GsMoveResults",
    "GsNoteMemory",
    "GsOrderZeros",
    "GsPrefetch",
    "GsRaise",
    "GsRepair",
    "GsReturnStatus",
    "GsRunInSequence",
    "GsSanitize",
    "GsSchedule",
    "GsShareCopies",
    "GsSpecialize",
    "GsTile",
    "GsUnswitch",
    "GsWholeBytes",
    "PassFailure",
    "PipelineError",
    "add_passes",
    "build_pass_manager",
    "fail",
    "gs_to_llvm",
    "register_pass",
    "register_pipeline",
    "registered_passes",
    "registered_pipelines",
    "run_pipeline",
]
