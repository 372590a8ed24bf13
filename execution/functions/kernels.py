"""From a `Spec` to a kernel, compiled once in a process."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from mlir_gs._forks import lock
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.functions.spec import Spec
from mlir_gs.execution.later import import_later

_kernels: dict[Spec, Kernel] = {}

_SHAPES = 256
"""Shapes of calls, at most, that are looked up at once."""

_strayed: set[Hashable] = set()
"""Kinds of calls that have had coordinates that are negative or out of bounds."""

T = TypeVar("T")


class Again(dict[Hashable, T]):
    """What calls went by, by their types and shapes: to read these takes less time than to compute
    what a kernel depends on."""

    def keep(self, call: Hashable, known: T) -> None:
        if len(self) >= _SHAPES:
            self.clear()
        self[call] = known


def supposing_inside(kind: Hashable, plain: Callable[[], T], careful: Callable[[], T]) -> T:
    """What `plain` gives: a read under mode error for which no coordinate counts from the end,
    whose loops take the coordinates as they are. Where it raises IndexError, then and for all later
    calls of this `kind`, what `careful` gives."""
    if kind not in _strayed:
        try:
            return plain()
        except IndexError:
            pass
    result = careful()
    _strayed.add(kind)
    return result


def specs() -> list[Spec]:
    """What was compiled in this process, by this module."""
    return list(_kernels)


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
