"""The generated code that all kernels share, in pieces that are compiled once in a process."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mlir_gs.execution import checks, handover, libcalls, messages, scalar_checks

TABLE = "__gs_support"
"""The function of a piece that stores the addresses of its functions, in their order, behind a
pointer."""

_BODIES = messages.TEXT + checks.TEXT + scalar_checks.TEXT + handover.TEXT
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
    found = re.search(rf"@{name}\(([^)]*)\)( -> i32)?", _BODIES)
    if found is None:
        raise ValueError(f"no function {name}")
    types = ", ".join(parameter.split(":")[1].strip() for parameter in found[1].split(","))
    return f"llvm.func @{name}({types}){found[2] or ''}\n"


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


MESSAGES = Piece(messages.TEXT, ("__gs_fail", "__gs_describe", "__gs_miscount"))
"""What runs when a check has failed."""

ROUNDING = Piece(libcalls.TEXT, libcalls.NAMES)
"""What LLVM calls where the CPU has no instruction."""

PIECES = (
    Piece(checks.TEXT, ("__gs_check",), MESSAGES.names),
    Piece(scalar_checks.TEXT, ("__gs_int", "__gs_float"), ("__gs_fail",)),
    Piece(handover.TEXT, ("__gs_own", "__gs_list")),
    ROUNDING,
)
"""What kernels call."""

_CALLED = tuple(name for piece in PIECES[:-1] for name in piece.names)
NAMES = (*_CALLED, *ROUNDING.names)
"""Their functions."""

DECLARATIONS = {name: _declaration(name) for name in _CALLED}
"""By name, what a kernel's module needs to call it."""

TEXT = _HEAD + _BODIES + libcalls.TEXT
"""All of it in one module, for code that travels."""


def called(text: str) -> list[str]:
    """The functions of `PIECES`, but for `ROUNDING`, that LLVM dialect text refers to."""
    return [name for name in _CALLED if f"@{name}(" in text]
