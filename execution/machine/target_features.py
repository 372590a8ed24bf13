"""What LLVM has to know of the CPU that a kernel is compiled for."""

from functools import cache

from mlir_gs.execution.machine import cpu, host


@cache
def target_features(gathers: bool = False, target: str | None = None) -> str | None:
    """LLVM's `target-features` for the functions of a kernel, None to leave them alone; `gathers`:
    their code has gathers; `target`: see `host.target`.

    Hardware scatters lose to scalar stores, gathers on most machines to scalar loads, and LLVM's
    vectorizer would form them. The attribute replaces what the engine found out about the
    CPU, so features that its name implies and the machine hides are taken away again.
    """
    if not cpu.is_x86():
        return None
    features = [cpu.ROUNDED_BY_CALLS, "+prefer-no-scatter"]
    if not (gathers or host.known(target).gathered_bytes):
        features.append("+prefer-no-gather")
    return ",".join([*features, *("-" + name for name in cpu.hidden())])
