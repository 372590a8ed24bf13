"""What LLVM's translation says of a module."""

from typing import Any

from mlir_gs.dialect._bindings import module as provider_module
from mlir_gs.lowering.passes.diagnostics import location_text


def refusal(module: Any) -> str:
    """What it has against a module of the LLVM dialect that no engine was made of."""
    messages: list[str] = []

    def tell(diagnostic: Any) -> bool:
        messages.append(f"{location_text(diagnostic.location)}: error: {diagnostic.message}")
        return True

    handler = module.context.attach_diagnostic_handler(tell)
    try:
        # Once more: the first time it may run beside a thread, which must not call Python.
        provider_module("execution_engine").ExecutionEngine(module, opt_level=0)
    except RuntimeError:
        pass
    finally:
        handler.detach()
    return "\n".join(messages)
