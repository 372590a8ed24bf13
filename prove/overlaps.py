"""Memory that arguments or results share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.prove.memory import FIXED, Memory, View
from mlir_gs.prove.values import Unsupported

# Ops whose result is a part of a tensor, and those that pass a tensor on.
_PARTS = ("tensor.cast", "tensor.extract_slice", "tensor.expand_shape", "tensor.collapse_shape",
          "tensor.reshape")  # fmt: skip
_PASSES = ("scf.", "func.", "arith.select")


class Shared(list[np.ndarray]):
    """Arguments of which number `other` begins `shift` elements after number `one`."""

    def __init__(self, arrays: list[np.ndarray], one: int, other: int, shift: int) -> None:
        self.one, self.other, self.shift = one, other, shift
        super().__init__(self._laid(arrays))

    def copied(self) -> list[np.ndarray]:
        return self._laid(self)

    def _laid(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        found = [array.copy() for array in arrays]
        a, b = found[self.one], found[self.other]
        memory = np.zeros(max(a.size, self.shift + b.size), a.dtype)
        memory[self.shift : self.shift + b.size] = b.reshape(-1)
        memory[: a.size] = a.reshape(-1)
        found[self.one] = memory[: a.size].reshape(a.shape)
        found[self.other] = memory[self.shift : self.shift + b.size].reshape(b.shape)
        return found

    def text(self) -> str:
        return (
            f"argument {self.other} begins at element {self.shift} of the memory of argument "
            f"{self.one}"
        )


def sharing(one: Any, other: Any) -> list[tuple[int, int]]:
    """The arguments of both functions that are memory and may share it: pairs of their numbers."""
    lists = [[each.type for each in f.regions[0].blocks[0].arguments] for f in (one, other)]
    said = list(one.attributes["arg_attrs"]) if "arg_attrs" in one.attributes else lists[0]
    # Types of two contexts are never equal.
    memory = [n for n, (a, b) in enumerate(zip(*lists, strict=True))
              if isinstance(a, ir.MemRefType) and str(a) == str(b)]  # fmt: skip
    return list(permutations([n for n in memory if "llvm.noalias" not in str(said[n])], 2))


@dataclass(frozen=True)
class Shown:
    """Memory that is returned: which one, how it is aligned, and where in it if others share it."""

    name: str
    alignment: int
    view: View | None


def shown(memory: Memory, found: Sequence[Any], function: Any) -> list[Shown | None]:
    """What others see of the memory of each view; None of a value that is no memory."""
    buffers = [each.buffer if isinstance(each, View) else -1 for each in found]
    for view, value in memory.lent:
        # Nor may the caller write there, as long as it reads a result.
        if memory.owners[view.buffer].startswith("arg") or view.buffer in buffers:
            name = _shown(memory, view, [*buffers, view.buffer]).name
            memory.side.opaque |= {f"a tensor in memory of the caller:{name} {way}"
                                   for way in _ways(function, value)}  # fmt: skip
    return [_shown(memory, v, buffers) if isinstance(v, View) else None for v in found]


def _shown(memory: Memory, view: View, buffers: list[int]) -> Shown:
    owner, first = memory.owners[view.buffer], buffers.index(view.buffer)
    is_known = owner.startswith(("arg", FIXED))
    name = FIXED if owner.startswith(FIXED) else owner if is_known else f"result {first}"
    is_shared = is_known or buffers.count(view.buffer) > 1
    return Shown(name, memory.alignments.get(view.buffer, 1), view if is_shared else None)


def _ways(function: Any, value: ir.Value) -> Iterator[str]:
    """As which results of a function a tensor is returned. Raises Unsupported where an op passes it
    on."""
    for use in value.uses:
        op = use.owner.operation
        if op.name in _PARTS:
            yield from _ways(function, op.results[0])
        elif op.name == "func.return" and op.parent == function:
            yield f"result {use.operand_number}"
        elif op.name.startswith(_PASSES):
            # It may be another result each time.
            raise Unsupported(f"a tensor in memory of the caller that '{op.name}' passes on")


def overlap(arrays: list[Any]) -> bool:
    """The last of `arrays`, which is written, shares memory with another."""
    return any(np.may_share_memory(array, arrays[-1]) for array in arrays[:-1])
