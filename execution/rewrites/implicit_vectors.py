"""Functions in which LLVM has nothing to make vectors of.

Loops at coordinates are in vectors already where that is faster. To look for more takes LLVM time,
and what it finds may make code slower.
"""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.rewrites.lowered_ops import add_attributes, defined, symbol
from mlir_gs.execution.switches import is_on
from mlir_gs.lowering.ir.builders import producer, walk

_NONE = "noimplicitfloat"
"""LLVM's attribute: no vectors or floats but those that the code has."""

_LOOPS = ("affine.for", "affine.parallel", "linalg.", "scf.forall", "scf.parallel")
_CONSTANTS = ("memref.get_global",)
"""Where coordinates are known, so is what is next to what."""

_IMPLICIT = (*_LOOPS, *_CONSTANTS)
_MOVED = ("arith.constant", "vector.broadcast", "vector.load")


@dataclass(frozen=True)
class Contents:
    """What is in a function on memrefs: the names of its operations, and how many there are."""

    names: Set[str]
    count: int


def contents_and_explicit(module: Any) -> tuple[dict[str, Contents], set[str]]:
    """What is in the functions of `module`, by their symbols, and the symbols of those whose loops
    have the vectors that they should have, as these say."""
    contents, explicit = {}, set()
    is_wanted = is_on("explicit-vectors")
    for function in module.body.operations:
        ops = walk(function)
        found = {op.name for op in ops}
        contents[symbol(function)] = Contents(found, len(ops))
        if (
            not is_wanted
            or "scf.for" not in found
            or any(name.startswith(_IMPLICIT) for name in found)
        ):
            continue
        loops = [op for op in ops if op.name == "scf.for"]
        if all("loop_annotation" in op.attributes for op in loops) and not _moves_few(ops):
            explicit.add(symbol(function))
    return contents, explicit


def _moves_few(ops: Sequence[ir.Operation]) -> bool:
    """A known number of bytes is copied or filled, by loops as well, as LLVM finds out: if they are
    few, it does it in vectors, or else by a call."""
    copied = any(op.name == "memref.copy" and op.operands[0].type.has_static_shape for op in ops)
    stores = [op for op in ops if op.name == "vector.store" and producer(op.operands[0], *_MOVED)]
    return copied or not all(map(_is_repeated, stores))


def _is_repeated(op: ir.Operation) -> bool:
    """The op stands in a loop that runs a number of times which is not known."""
    around = op.parent.operation
    return around.name == "scf.for" and producer(around.operands[1], "arith.constant") is None


def forbid_vectors(module: Any, names: Collection[str]) -> None:
    """Tell LLVM to look for no vectors in functions of `module`, of its dialect."""
    for function in defined(module) if names else ():
        if symbol(function) in names:
            add_attributes(function, [ir.StringAttr.get(_NONE)])
