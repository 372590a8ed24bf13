"""Sizes that are known to be equal, for the extents and bounds of ops."""

from collections.abc import Hashable, Iterator

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.sizes import step
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.fuse.views import view

Key = Hashable
# Views that show all of their source.
_SAME_SIZES = ("tensor.cast", "tensor.expand_shape", "tensor.collapse_shape")


def token(op: ir.Operation) -> ir.Value | None:
    """What stands for `op` in a set: the hash of an op changes when its operands do."""
    return op.results[0] if len(op.results) else None


class Sizes:
    """Which sizes are equal in the ops of one block, if the block is run at all.

    A linalg op requires that all sizes that one of its dims addresses plainly are equal.
    """

    def __init__(self, block: ir.Block) -> None:
        self._parents: dict[Key, Key] = {}
        # Ops of the block are erased only when all are done, so that no value stands for another.
        self._roots: dict[tuple[ir.Value, int], Key] = {}
        for op in block.operations:
            if op.operation.name == "linalg.generic":
                self._learn(op.operation)
            elif op.operation.name in _SAME_SIZES:
                self._learn_view(op.operation)

    def _learn(self, op: ir.Operation) -> None:
        known: dict[int, Key] = {}
        for operand, attribute in zip(op.operands, op.attributes["indexing_maps"], strict=True):
            for position, expr in enumerate(attribute.value.results):
                dim = plain_dim(expr)
                if dim is None:
                    continue
                key = self.key(operand, position)
                if dim in known:
                    self._join(known[dim], key)
                known[dim] = self._find(key)

    def _learn_view(self, op: ir.Operation) -> None:
        shown = view(op)
        for position, expr in enumerate(shown.reads[0].exprs if shown else ()):
            dim = plain_dim(expr)
            if dim is not None:
                self._join(self.key(op.operands[0], position), self.key(op.results[0], dim))

    def _find(self, key: Key) -> Key:
        path = []
        while key in self._parents:
            path.append(key)
            key = self._parents[key]
        for passed in path:
            self._parents[passed] = key
        return key

    def _join(self, a: Key, b: Key) -> None:
        a, b = self._find(a), self._find(b)
        if a == b:
            return
        # A number stands for its class.
        if isinstance(a, int):
            a, b = b, a
        if not isinstance(a, int):
            self._parents[a] = b

    def key(self, value: ir.Value, position: int) -> Key:
        """What decides the size of `value` in a dimension: a number, or the same key if equal."""
        path: list[tuple[ir.Value, int]] = []
        while True:
            known = self._roots.get((value, position))
            if known is None:
                path.append((value, position))
                found = step(value, position)
                if found is not None and not isinstance(found, int):
                    value, position = found
                    continue
                known = (value, position) if found is None else found
            for passed in path:
                self._roots[passed] = known
            return self._find(known)

    def extent(self, structure: Structure, dim: int) -> frozenset[Key]:
        """The sizes whose least is the extent of `dim`, of those that are numbers the least."""
        keys = {self.key(e.access.value, e.position) for e in structure.extents[dim]}
        numbers = [key for key in keys if isinstance(key, int)]
        return frozenset({key for key in keys if not isinstance(key, int)} | set(_least(numbers)))

    def bounds(self, structure: Structure, symbol: int) -> frozenset[Key]:
        """What the bounds of `symbol` are computed from."""
        return frozenset(
            (
                self.key(use.access.value, use.position),
                use.form.constant if use.form else None,
                frozenset(
                    (factor, self.extent(structure, dim))
                    for dim, factor in (use.form.dims.items() if use.form else ())
                ),
            )
            for use in structure.uses(symbol)
        )


def _least(numbers: list[int]) -> Iterator[int]:
    if numbers:
        yield min(numbers)
