"""Constraints of a function on its arguments: equal sizes, which arguments hold coordinates, and
their bounds."""

from dataclasses import dataclass, field
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import walk

Node = tuple[Any, int]
"""A dimension of an SSA value."""


class Sizes:
    """Dimensions in classes of equal size."""

    def __init__(self) -> None:
        self._parent: dict[Node, Node] = {}
        self._known: dict[Node, int] = {}
        self._given: dict[Node, int] = {}

    def find(self, node: Node) -> Node:
        """The representative of the node's class."""
        if node not in self._parent:
            self._parent[node] = node
            size = node[0].type.shape[node[1]]
            if size != DYNAMIC:
                self._known[node] = size
        while self._parent[node] != node:
            node = self._parent[node]
        return node

    def join(self, a: Node, b: Node) -> None:
        """State that two dimensions are equal; what is known of one holds for both."""
        first, second = self.find(a), self.find(b)
        sizes = {self._known[node] for node in (first, second) if node in self._known}
        if first == second or len(sizes) > 1:
            # An extent may be less than a size that it indexes.
            return
        self._parent[second] = first
        if second in self._known:
            self._known.setdefault(first, self._known.pop(second))

    def join_all(self, a: Any, b: Any) -> None:
        """State that two values have the same shape."""
        for dim in range(a.type.rank):
            self.join((a, dim), (b, dim))

    def get(self, node: Node) -> int | None:
        return self._given.get(node, self._known.get(self.find(node)))

    def give(self, node: Node, size: int) -> None:
        """A size that was asked for: `node` keeps it, the rest of its class gets the least."""
        self._given[node] = size
        self.set(node, min(size, self._known.get(self.find(node), size)))

    def set(self, node: Node, size: int) -> None:
        self._known[self.find(node)] = size


@dataclass
class Bound:
    """A coordinate must stay under the size of `node` less `reach`, in column `column` of the
    array that holds it (None: in all of it)."""

    node: Node
    reach: Linear | None
    extents: dict[int, Node]
    column: int | None


@dataclass
class Coordinates:
    """The use of an argument as coordinates; `apart` are the axes over which the tuples must
    differ if `unique`."""

    bounds: list[Bound] = field(default_factory=list)
    unique: bool = False
    sorted: bool = False
    apart: set[int] = field(default_factory=set)


@dataclass
class Plan:
    """The entry function's block, the sizes of its values, the arguments that hold coordinates,
    those that are reached through coordinates, the arrays that are returned, and the arguments
    whose elements are sizes."""

    block: Any
    sizes: Sizes
    coordinates: dict[int, Coordinates]
    gathered: set[int]
    returned: list[Any]
    lengths: set[int] = field(default_factory=set)


def plan(function: Any) -> Plan:
    """Analyze a `func.func` with one region of `gs.generic`, linalg.generic and plain ops."""
    block = function.regions[0].blocks[0]
    found = Plan(block, Sizes(), {}, set(), [])
    for op in walk(function):
        name = op.name
        for length in _lengths(op):
            found.lengths |= _arguments_of(length, block)
        if name == "gs.generic":
            _generic(op, found)
        elif name == "linalg.generic":
            _linalg(op, found)
        elif name == "func.return":
            found.returned += [value for value in op.operands if _is_array(value)]
        elif name == "tensor.empty":
            _empty(op, found)
        elif name in ("tensor.expand_shape", "tensor.collapse_shape"):
            _reshape(op, found)
        elif name in ("tensor.cast", "tensor.insert_slice", "tensor.insert"):
            source = op.operands[1 if name == "tensor.insert_slice" else 0]
            source = op.operands[1] if name == "tensor.insert" else source
            _same(source, op.results[0], found)
        elif name in ("tensor.extract", "memref.load"):
            _element(op, found)
        elif name.startswith(("arith.", "math.", "complex.")) and op.results:
            for operand in op.operands:
                _same(operand, op.results[0], found)
    return found


def _lengths(op: Any) -> list[Any]:
    """The operands of `op` that are sizes."""
    if op.name == "tensor.empty":
        return list(op.operands)
    if op.name in ("tensor.extract_slice", "tensor.insert_slice"):
        *before, sizes, _ = op.attributes["operandSegmentSizes"]
        return list(op.operands)[sum(before) : sum(before) + sizes]
    return []


def _arguments_of(number: Any, block: Any) -> set[int]:
    """The arguments of the function of which elements are read to compute a number."""
    pending, seen, found = [number], set(), set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, ir.BlockArgument):
            if value.owner == block and not _is_array(value):
                found.add(value.arg_number)
        elif value.owner.name in ("tensor.extract", "memref.load"):
            root = root_argument(value.owner.operands[0], block)
            found |= set() if root is None else {root.arg_number}
        elif value.owner.name.startswith("arith."):
            pending += value.owner.operands
    return found


def _is_array(value: Any) -> bool:
    return isinstance(value.type, ir.RankedTensorType | ir.MemRefType)


def _same(a: Any, b: Any, found: Plan) -> None:
    if _is_array(a) and _is_array(b) and a.type.rank == b.type.rank:
        found.sizes.join_all(a, b)


def _empty(op: Any, found: Plan) -> None:
    result = op.results[0]
    dynamic = [d for d in range(result.type.rank) if result.type.is_dynamic_dim(d)]
    for dim, operand in zip(dynamic, op.operands, strict=True):
        if isinstance(operand, ir.BlockArgument) or operand.owner.name != "tensor.dim":
            continue
        source, which = operand.owner.operands
        if not isinstance(which, ir.BlockArgument) and which.owner.name == "arith.constant":
            found.sizes.join((result, dim), (source, which.owner.attributes["value"].value))


def _reshape(op: Any, found: Plan) -> None:
    """Of several dimensions that are one on the other side, the only one that is not 1."""
    whole, parts = op.operands[0], op.results[0]
    if op.name == "tensor.collapse_shape":
        whole, parts = parts, whole
    for dim, group in enumerate(op.attributes["reassociation"]):
        wide = [part.value for part in group if parts.type.shape[part.value] != 1]
        if len(wide) == 1:
            found.sizes.join((whole, dim), (parts, wide[0]))


def _plain(pairs: list[tuple[Any, Any]], found: Plan) -> dict[int, Node]:
    """Join the dimensions that an iteration dim indexes; `pairs` are values and maps."""
    extents: dict[int, Node] = {}
    for value, affine_map in pairs:
        for position, expr in enumerate(affine_map.results):
            dim = plain_dim(expr)
            if dim is not None:
                found.sizes.join(extents.setdefault(dim, (value, position)), (value, position))
    return extents


def _generic(op: Any, found: Plan) -> None:
    structure = Structure.of(op)
    extents = _plain([(access.value, access.map) for access in structure.accesses], found)
    for output, result in zip(structure.outputs, op.results, strict=False):
        found.sizes.join_all(output.value, result)
    for symbol, access in enumerate(structure.coordinates):
        root = root_argument(access.value, found.block)
        if root is None:
            continue
        about = found.coordinates.setdefault(root.arg_number, Coordinates())
        dims = [plain_dim(expr) for expr in access.map.results]
        axes = _axes_of_root(access.value)
        column = _column(access.map, axes, root.type.rank)
        about.unique |= structure.unique
        about.sorted |= structure.sorted
        for use in structure.uses(symbol):
            node = (use.access.value, use.position)
            about.bounds.append(Bound(node, use.form, extents, column))
            kept = {plain_dim(expr) for expr in use.access.map.results}
            apart = [axis for axis, dim in enumerate(dims) if dim is not None and dim not in kept]
            # Where axes are not known to be those of the argument, differing everywhere will do.
            about.apart |= set(range(root.type.rank)) if axes is None else set()
            about.apart |= set().union(*(axes[axis] for axis in apart)) if axes else set()
            target = root_argument(use.access.value, found.block)
            if target is not None:
                found.gathered.add(target.arg_number)


def _column(affine_map: Any, axes: list[set[int]] | None, rank: int) -> int | None:
    """The constant at which a map ends, if it stands for the last axis of an argument of this
    rank."""
    last: Any = affine_map.results[-1] if len(affine_map.results) > 0 else None
    if not axes or axes[-1] != {rank - 1} or any(rank - 1 in each for each in axes[:-1]):
        return None
    return last.value if isinstance(last, ir.AffineConstantExpr) else None


def _axes_of_root(value: Any) -> list[set[int]] | None:
    """For each axis of `value` those of the argument that it comes from, see `root_argument`; None
    where that is not known."""
    axes = [{axis} for axis in range(value.type.rank)]
    while not isinstance(value, ir.BlockArgument):
        op = value.owner
        source = next(operand for operand in op.operands if _is_array(operand))
        groups = None
        if op.name.endswith(("expand_shape", "collapse_shape")):
            groups = [{d.value for d in group} for group in op.attributes["reassociation"]]
        if op.name.endswith("expand_shape"):
            wide = [size != 1 for size in value.type.shape]
            place = {d: n for n, group in enumerate(groups or ()) for d in group}
            axes = [{place[d] for d in each if wide[d] and d in place} for each in axes]
        elif groups is not None:
            axes = [set().union(*(groups[d] for d in each)) for each in axes]
        elif source.type.rank != value.type.rank:
            return None
        value = source
    return axes


def _linalg(op: Any, found: Plan) -> None:
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    arrays = [pair for pair in zip(op.operands, maps, strict=True) if _is_array(pair[0])]
    _plain(arrays, found)
    outputs = list(op.operands)[len(op.operands) - len(op.results) :]
    for output, result in zip(outputs, op.results, strict=False):
        _same(output, result, found)


def _element(op: Any, found: Plan) -> None:
    """`tensor.extract %t[%i]` where %i was itself read from an array."""
    target, *positions = op.operands
    for dim, position in enumerate(positions):
        source = _read_from(position)
        root = root_argument(source, found.block) if source is not None else None
        if root is None:
            continue
        about = found.coordinates.setdefault(root.arg_number, Coordinates())
        about.bounds.append(Bound((target, dim), Linear(), {}, None))
        reached = root_argument(target, found.block)
        if reached is not None:
            found.gathered.add(reached.arg_number)


def _read_from(value: Any) -> Any | None:
    """The array that an integer was read from, None if it was not."""
    while not isinstance(value, ir.BlockArgument):
        name = value.owner.name
        if name in ("tensor.extract", "memref.load"):
            return value.owner.operands[0]
        if name not in ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui"):
            return None
        value = value.owner.operands[0]
    owner = value.owner.owner.operation
    if owner.name == "linalg.generic" and value.arg_number < len(owner.operands):
        return owner.operands[value.arg_number]
    return None


def root_argument(value: Any, block: Any) -> Any | None:
    """The argument of the function that an array comes from through ops that keep its values."""
    while not isinstance(value, ir.BlockArgument):
        arrays = [operand for operand in value.owner.operands if _is_array(operand)]
        kept = value.owner.name.startswith(("tensor.", "memref.", "arith.", "linalg."))
        if not kept or not arrays or value.owner.name in ("tensor.empty", "tensor.insert"):
            return None
        value = arrays[0]
    return value if value.owner == block else None
