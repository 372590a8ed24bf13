"""What compiling and calling do only to be faster, by name.

`MLIR_GS_DISABLE=alias-marks,disk` leaves some of it out, to find what a wrong result or a crash
comes from: results do not change. `lowering/scf/table.py` has the strategies of the loops.
"""

import os
from functools import cache

from mlir_gs.execution.signature.signature import CompileError

VARIABLE = "MLIR_GS_DISABLE"

SWITCHES = {
    "native-calls": "CPython calls kernels by machine code, with no Python code between",
    "memory-pool": "memory of large results is used again",
    "one-thread-turns": "parallel loops that lost to one thread run on one for some calls",
    "disk": "kernels are kept on the disk, linked by a linker built in",
    "shared-contexts": "kernels share a context and its pass managers",
    "raised-loops": "loops and linalg.generics that access at coordinates become gs.generic",
    "alias-marks": "LLVM knows which arrays of a function share no memory",
    "unoptimized-callers": "LLVM optimizes nothing in functions that only call others",
    "integer-halves": "single f16 elements are loaded as integers where f32 computes with them",
}
"""Name and meaning of each."""


def is_on(name: str) -> bool:
    """Whether the switch of this name is not disabled. Raises CompileError for unknown ones."""
    assert name in SWITCHES
    return name not in disabled()


def disabled() -> frozenset[str]:
    """The names in $MLIR_GS_DISABLE. Raises CompileError for those that are none."""
    return _read(os.environ.get(VARIABLE, ""))


@cache
def _read(text: str) -> frozenset[str]:
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    unknown = sorted(names.difference(SWITCHES))
    if unknown:
        raise CompileError(f"{VARIABLE}: no '{unknown[0]}' (there are: {', '.join(SWITCHES)})")
    return names
