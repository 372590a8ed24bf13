"""Pass managers that are kept with their context.

To make one and to collect the patterns of its passes takes longer than a small kernel's passes
take to run.
"""

import os
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import PassFailure, build_pass_manager
from mlir_gs.lowering.passes.context_store import store_of
from mlir_gs.lowering.passes.diagnostics import error_text

VERIFY = os.environ.get("MLIR_GS_VERIFY", "") not in ("", "0")
"""Whether what each pass of ours leaves is verified, for tests. Else only what comes in is, and
what goes to LLVM."""


def run_kept(module: Any, text: str) -> None:
    """Run the pipeline `text` on `module`, an `ir.Module`, and verify what comes out.

    Raises PassFailure with all diagnostics.
    """
    kept = store_of(module.context)
    # Out of reach while it runs: a pass may compile something, another thread as well.
    manager = kept.pop(text, None)
    try:
        if manager is None:
            # Verified once, not after each pass.
            manager = build_pass_manager(
                text, module.context, verify_each=False, verify_ours=VERIFY
            )
        manager.run(module)
        module.operation.verify()
    except ir.MLIRError as error:
        raise PassFailure(error_text(error)) from error
    kept[text] = manager
