"""Our passes in a pass manager that a host compiler owns."""

from typing import Any

from mlir_gs.lowering.passes.registry import add_python_pass, add_text


def add_passes(manager: Any, *passes: Any) -> Any:
    """Append passes to a `PassManager` of the bindings and return it.

    `manager`: one for `builtin.module`, in a context that has `gs` (`mlir_gs.load`). `passes`:
    texts of pipelines, which may name passes and pipelines of ours and of upstream with their
    options, and pass objects such as `GsFuse()`. Passes written in Python are not in MLIR's own
    registry: `PassManager.parse` does not know them.

    `manager.run` raises MLIRError with the diagnostics of a pass that fails. Raises PipelineError
    for a wrong text, TypeError for what is no pass.
    """
    for one in passes:
        if isinstance(one, str):
            add_text(manager, one)
        elif isinstance(one, type) or not hasattr(one, "run") or not hasattr(one, "name"):
            raise TypeError(f"expected the text of a pipeline or a pass object, found {one!r}")
        else:
            add_python_pass(manager, one)
    return manager
