"""The generated code that all kernels share, in pieces that are compiled once in a process."""

from collections.abc import Iterable
from dataclasses import dataclass

from mlir_gs.execution.generated import calling, checks, handover, messages, scalar_checks
from mlir_gs.execution.generated.short import signature, types_of
from mlir_gs.execution.llvm import libcalls

TABLE = "__gs_support"
"""The function of a piece that stores the addresses of its functions, in their order, behind a
pointer."""

_SCALARS = scalar_checks.TEXT
_RESULTS = handover.TEXT + calling.RESULTS_TEXT
_BODIES = messages.TEXT + checks.TEXT + _SCALARS + _RESULTS + calling.SIZE_TEXT
_TYPES = types_of(_BODIES)
_HEAD = messages.DECLARATIONS + messages.CONSTANTS


@dataclass(frozen=True)
class Piece:
    """Functions that are compiled together.

    `body`: LLVM dialect text; `names`: the functions that others call; `calls`: what it calls of
    the piece `MESSAGES`.
    """

    body: str
    names: tuple[str, ...]
    calls: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The module that defines the piece."""
        head = _HEAD + "".join(_declaration(name) for name in self.calls)
        return head + self.body


def _declaration(name: str) -> str:
    return f"llvm.func @{name}{signature(_TYPES[name]).removesuffix(' -> ()')}\n"


def table(names: Iterable[str]) -> str:
    """Text of the function `TABLE` for functions of these names."""
    stores = "".join(
        f"""
  %f{number} = llvm.mlir.addressof @{name} : !llvm.ptr
  %p{number} = llvm.getelementptr %table[{number}] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %f{number}, %p{number} : !llvm.ptr, !llvm.ptr"""
        for number, name in enumerate(names)
    )
    return f"llvm.func @{TABLE}(%table: !llvm.ptr) {{{stores}\n  llvm.return\n}}\n"


MESSAGES = Piece(messages.TEXT, ("__gs_fail", "__gs_describe", "__gs_miscount", "__gs_set_error"))
"""What runs when a check has failed."""

ROUNDING = Piece(libcalls.TEXT, libcalls.NAMES)
"""What LLVM calls where the CPU has no instruction."""

CALLS = Piece(
    checks.TEXT + calling.through_table(calling.CALL_TEXT, _TYPES) + calling.FUNCTIONS,
    ("__gs_enter", "__gs_function"),
    MESSAGES.names,
)
"""What calls kernels, and makes tvm-ffi's functions of them."""

PIECES = (
    CALLS,
    # What it calls for some kernels.
    Piece(_SCALARS, ("__gs_int", "__gs_float"), ("__gs_fail",)),
    Piece(calling.SIZE_TEXT, ("__gs_size",)),
    Piece(_RESULTS, ("__gs_results",)),
    ROUNDING,
)

NAMES = (*CALLS.names, *ROUNDING.names)
"""What kernels of this process need, and what is of use to them on the disk."""

TRAVELLING_TEXT = _HEAD + _BODIES + calling.CALL_TEXT + libcalls.TEXT
"""In one module what code that travels needs."""

TEXT = TRAVELLING_TEXT + calling.FUNCTIONS
"""In one module what kernels on the disk need."""
