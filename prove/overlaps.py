"""Memory that arguments share."""

from itertools import permutations
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir


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
    if "noalias" in str(one.attributes.get("arg_attrs", "")):
        return []
    lists = [[each.type for each in f.regions[0].blocks[0].arguments] for f in (one, other)]
    elements = {n: a.element_type for n, (a, b) in enumerate(zip(*lists, strict=True))
                if isinstance(a, ir.MemRefType) and a == b}  # fmt: skip
    return [(n, m) for n, m in permutations(elements, 2) if elements[n] == elements[m]]


def overlap(arrays: list[Any]) -> bool:
    """The last of `arrays`, which is written, shares memory with another."""
    return any(np.may_share_memory(array, arrays[-1]) for array in arrays[:-1])
