"""Memory that arguments or results share."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.prove.memory import FIXED, Memory, View


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
    memory = [n for n, (a, b) in enumerate(zip(*lists, strict=True))
              if isinstance(a, ir.MemRefType) and a == b]  # fmt: skip
    return list(permutations([n for n in memory if "llvm.noalias" not in str(said[n])], 2))


@dataclass(frozen=True)
class Shown:
    """Memory that is returned: which one, how it is aligned, and where in it if others share it."""

    name: str
    alignment: int
    view: View | None


def shown(memory: Memory, found: Sequence[Any]) -> list[Shown | None]:
    """What others see of the memory of each view; None of a value that is no memory."""
    names: list[Shown | None] = []
    for view in found:
        if not isinstance(view, View):
            names.append(None)
            continue
        owner, alignment = memory.owners[view.buffer], memory.alignments.get(view.buffer, 1)
        first, *more = (n for n, v in enumerate(found)
                        if isinstance(v, View) and v.buffer == view.buffer)  # fmt: skip
        is_known = owner.startswith("arg") or owner == FIXED
        name = owner if is_known else f"result {first}"
        names.append(Shown(name, alignment, view if is_known or more else None))
    return names


def overlap(arrays: list[Any]) -> bool:
    """The last of `arrays`, which is written, shares memory with another."""
    return any(np.may_share_memory(array, arrays[-1]) for array in arrays[:-1])
