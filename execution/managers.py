"""Pass managers that are kept with their context.

To make one and to collect the patterns of its passes takes longer than a small kernel's passes
take to run.
"""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import PassFailure, build_pass_manager
from mlir_gs.lowering.diagnostics import error_text

_KEPT = "_mlir_gs_managers"


def run_kept(module: Any, text: str, verify: bool = True) -> None:
    """Run the pipeline `text` on `module`, an `ir.Module`, and `verify` what comes out.

    Raises PassFailure with all diagnostics.
    """
    kept = _kept(module.context)
    # Out of reach while it runs: a pass may compile something, another thread as well.
    manager = kept.pop(text, None)
    try:
        if manager is None:
            # Verified once, not after each pass: that takes a third of the time.
            manager = build_pass_manager(text, module.context, verify_each=False)
        manager.run(module)
        if verify:
            module.operation.verify()
    except ir.MLIRError as error:
        raise PassFailure(error_text(error)) from error
    kept[text] = manager


def _kept(context: Any) -> dict[str, Any]:
    """The managers of a context by their texts. They end with it: passes must not outlive it."""
    try:
        found: dict[str, Any] = context.__dict__.setdefault(_KEPT, {})
    except AttributeError:
        # A context that was not made in Python.
        return {}
    return found
