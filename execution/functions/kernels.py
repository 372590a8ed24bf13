"""From a `Spec` to a kernel, compiled once in a process."""

from mlir_gs._forks import lock
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.functions.spec import Spec
from mlir_gs.execution.later import import_later

_kernels: dict[Spec, Kernel] = {}


def kernel(spec: Spec) -> Kernel:
    """The kernel for `spec`: a function of its inputs, the fill value, its indices, its output.

    All threads share it. Raises TypeError where the body does not know the elements.
    """
    found = _kernels.get(spec)
    if found is None:
        with lock:
            found = _kernels.get(spec)
            if found is None:
                # Only what is not on the disk needs MLIR.
                found = _kernels[spec] = compile_made(
                    repr(spec), lambda: import_later("functions.building").module(spec)
                )
    return found
