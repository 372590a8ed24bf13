"""What the kernels of `segment_softmax` differ by, and the kernel for each."""

from dataclasses import dataclass
from functools import lru_cache

from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.later import import_later


@dataclass(frozen=True)
class Form:
    """What a kernel is compiled for. `gradient`: of the softmax, else it itself. `given`: the MLIR
    elements of the data; `wide`: those of the result, f32 or f64. `coordinate`: those of segment
    ids; of the places where segments begin, with `ordered`. `drops`: ids may be out of bounds."""

    gradient: bool
    given: str
    wide: str
    width: int
    coordinate: str
    ordered: bool
    drops: bool = False
    ascending: bool = False


@lru_cache(None)
def kernel(form: Form, threads: int | None) -> Kernel:
    """The kernel of `form`: of data [rows, width], ids [rows] or starts [segments + 1], two arrays
    [segments, width] to work in, and the result; the gradient also of a softmax, before the ids."""
    return compile_made(
        repr(("softmax", form)),
        lambda: import_later("functions.softmax_kernels").module(form),
        threads,
    )
