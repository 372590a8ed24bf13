"""What a lowered module consists of: operations of the LLVM dialect, and which kinds of them."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import element_of, walk


@dataclass(frozen=True)
class Ops:
    """The names of the operations; whether LLVM may round floats to narrower ones, as it does for
    a bf16 that a loop carries; whether single f16 elements are read; and whether single elements
    are written or put into vectors, or vectors spread, for which LLVM might use hardware gathers
    and scatters, or there are bf16, for which it might use hardware that flushes denormals."""

    names: Set[str]
    rounded: bool
    halves: bool
    builds_vectors: bool

    @property
    def gathers(self) -> bool:
        """Whether there are gathers."""
        return "llvm.intr.masked.gather" in self.names


def ops_of(module: Any) -> Ops:
    """What a module of the LLVM dialect consists of."""
    rounded = halves = builds_vectors = False
    names = set()
    for op in walk(module.operation):
        name = op.name
        names.add(name)
        if name in _NEVER_FLOATS:
            continue
        if name == "llvm.func" and "bf16" in str(op.attributes["function_type"]):
            # An argument may be stored, and no operation give it.
            builds_vectors = rounded = True
        if name == "llvm.store":
            builds_vectors = builds_vectors or not isinstance(op.operands[0].type, ir.VectorType)
            continue
        builds_vectors = builds_vectors or name in _BUILDS_VECTORS
        has_bf16 = any(map(_has_bf16, op.results))
        builds_vectors = builds_vectors or has_bf16
        rounded = rounded or has_bf16 or name == "llvm.fptrunc"
        halves = halves or (name == "llvm.load" and isinstance(op.results[0].type, ir.F16Type))
    return Ops(names, rounded, halves, builds_vectors)


_BUILDS_VECTORS = frozenset(
    f"llvm.{name}"
    for name in ("insertelement", "intr.masked.gather", "intr.masked.scatter", "intr.vector.insert")
)
"""What gathers and scatters, and what inserts elements or parts into vectors."""

# Most of a kernel: to look at their types would take the longer part of the time.
_NEVER_FLOATS = frozenset(
    f"llvm.{name}"
    for name in (
        *("add", "sub", "mul", "and", "or", "xor", "icmp", "sext", "zext", "trunc", "ptrtoint"),
        *("getelementptr", "inttoptr", "br", "cond_br", "return", "insertvalue"),
    )
)


def _has_bf16(value: Any) -> bool:
    element = element_of(value.type)
    if isinstance(element, (ir.IntegerType, ir.FloatType)):
        return isinstance(element, ir.BF16Type)
    # A complex number is a struct.
    return "bf16" in str(element)


def defined(module: Any) -> list[Any]:
    """The functions that a module of the LLVM dialect defines."""
    found = [op.operation for op in module.operation.regions[0].blocks[0].operations]
    return [op for op in found if op.name == "llvm.func" and len(op.regions[0].blocks) > 0]


def add_attributes(function: Any, added: list[ir.Attribute]) -> None:
    """Add attributes that LLVM knows to an `llvm.func`."""
    attributes = function.attributes
    present = list(attributes["passthrough"]) if "passthrough" in attributes else []
    attributes["passthrough"] = ir.ArrayAttr.get([*present, *added])
