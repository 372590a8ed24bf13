"""The `gs` ops of a module, and upstream's tensor.gather and tensor.scatter, by the reference."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from mlir_gs.dialect import reference
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.base import structure_of
from mlir_gs.dialect.reference.types import attribute_value, element_dtype, least_or_greatest
from mlir_gs.dialect.sizes import extents, sizes_of
from mlir_gs.dialect.structure import role_counts

Array = np.ndarray


class Machine(Protocol):
    """What a handler needs of the interpreter."""

    iteration: tuple[Array, ...]
    values: dict[Any, Array]

    def block(self, block: Any, arguments: Any) -> tuple[Array, ...]:
        """Run a block; the operands of its terminator."""
        ...

    def region(self, region: Any, arguments: Any) -> tuple[Array, ...]:
        """Run a region, block after block; the operands of the terminator that leaves it."""
        ...

    def is_elementwise(self, block: Any) -> bool:
        """Whether the block may be run on whole arrays at once."""
        ...

    def call(self, name: str, arguments: list[Array]) -> tuple[Array, ...]: ...

    def global_(self, name: str) -> Array:
        """The buffer of a memref.global."""
        ...


Handler = Callable[[Machine, Any, list[Array]], tuple[Array, ...]]


def plain(function: Callable[..., Array]) -> Handler:
    """The handler of an op whose one result `function` makes of the op and its operands."""
    return lambda _, op, operands: (function(op, *operands),)


def _attribute(op: Any, name: str, default: Any = None) -> Any:
    if name not in op.attributes:
        return default
    attribute = op.attributes[name]
    if isinstance(attribute, ir.UnitAttr):
        return True
    if isinstance(attribute, (ir.DenseI64ArrayAttr, ir.DenseBoolArrayAttr)):
        return list(attribute)
    return attribute.value


def _promises(op: Any) -> dict[str, Any]:
    return {name: name in op.attributes for name in ("unique", "sorted")}


def _bounds(op: Any) -> dict[str, Any]:
    return {
        "mode": _attribute(op, "mode", "promise_in_bounds"),
        "wrap_negative": "wrap_negative" in op.attributes,
        **_promises(op),
    }


def _fill_value(op: Any) -> Array | None:
    return _fill(op.attributes.get("fill_value"), op.results[0].type)


def _fill(given: ir.Attribute | None, type_: Any) -> Array | None:
    """What a read out of bounds gives; None for what the dtype of `type_` says by itself."""
    if given is None or isinstance(given, ir.UnitAttr):
        return least_or_greatest(type_.element_type)
    return attribute_value(given, element_dtype(type_))


def _combiner(machine: Machine, op: Any) -> Any:
    """The combiner region as a function of (current, update); None if it is empty."""
    region = op.regions[0]
    if len(region.blocks) == 0:
        return None
    block = region.blocks[0]

    def combine(current: Array, update: Array) -> Array:
        return machine.block(block, (current, update))[0]

    combine.elementwise = machine.is_elementwise(block)  # type: ignore[attr-defined]
    return combine


def _gather(op: Any, source: Array, indices: Array) -> Array:
    dims, batch = _attribute(op, "gather_dims"), _attribute(op, "batch_dims", 0)
    # The rank of the result says whether the gathered dims are kept as 1.
    kept = op.results[0].type.rank == indices.ndim - 1 + source.ndim - batch
    return reference.gather(
        source, indices, dims, batch,
        fill_value=_fill_value(op), keep_unit_dims=kept, **_bounds(op),
    )  # fmt: skip


def _scatter(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    dims, batch = _attribute(op, "scatter_dims"), _attribute(op, "batch_dims", 0)
    combiner = _combiner(machine, op)
    return (reference.scatter(*operands, dims, combiner, batch, **_bounds(op)),)


def _gather_elements(op: Any, source: Array, indices: Array) -> Array:
    dim, fill = _attribute(op, "dim"), _fill_value(op)
    return reference.gather_elements(source, indices, dim, fill_value=fill, **_bounds(op))


def _scatter_elements(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    dim, combiner = _attribute(op, "dim"), _combiner(machine, op)
    return (reference.scatter_elements(*operands, dim, combiner, **_bounds(op)),)


def _histogram(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    combiner = _combiner(machine, op)
    return reference.histogram(*operands, combiner, sorted="sorted" in op.attributes)


def _strided_slice(op: Any, source: Array) -> Array:
    window = [_attribute(op, name) for name in ("offsets", "sizes", "strides")]
    type_ = op.results[0].type
    most = reference.window_sizes(window[1], window[2])
    sizes = [n if type_.is_dynamic_dim(d) else type_.shape[d] for d, n in enumerate(most)]
    return reference.strided_slice(source, *window, sizes)


def _generic(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    counts = role_counts(tuple(op.attributes["operandSegmentSizes"]))
    assert counts is not None
    first, second = counts[0], counts[0] + counts[1]
    groups = operands[:first], operands[first:second], operands[second:]
    block = op.regions[0].blocks[0]
    given = op.attributes["fill_values"] if "fill_values" in op.attributes else [None] * first
    types = [operand.type for operand in list(op.operands)[:first]]
    fills = [_fill(value, type_) for value, type_ in zip(given, types, strict=True)]
    arguments = dict(
        indexing_maps=[str(m) for m in op.attributes["indexing_maps"]],
        coordinate_maps=[[str(m) for m in group] for group in op.attributes["coordinate_maps"]],
        iterator_types=[kind.value for kind in op.attributes["iterator_types"]],
        body=lambda *elements: machine.block(block, elements),
        modes=[m.value for m in op.attributes["modes"]] if "modes" in op.attributes else None,
        wrap_negative=_attribute(op, "wrap_negative"),
        fill_values=fills,
        sorted="sorted" in op.attributes,
    )
    made = reference.generic(*groups, **arguments, in_place=len(op.results) == 0)
    return made[: len(op.results)]


def _tensor_scatter(op: Any, updates: Array, dest: Array, indices: Array) -> Array:
    dims = _attribute(op, "scatter_dims")
    return reference.scatter(updates, dest, indices, dims, **_promises(op))


def named(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    """A named op without a handler of its own: the `gs.generic` that it is sugar for."""
    structure = structure_of(op)
    combiner = _combiner(machine, op) if len(op.regions) else None
    given = dict(zip(op.operands, operands, strict=True))
    indices: dict[Any, list[str]] = {}
    for access in structure.coordinates:
        indices.setdefault(access.value, []).append(str(access.map))
    outputs = [
        given[access.value] if access.value in given else _empty(op, structure, access, given)
        for access in structure.outputs
    ]
    fills = zip(structure.fills, structure.inputs, strict=True)
    return reference.generic(
        [given[access.value] for access in structure.inputs],
        [given[value] for value in indices],
        outputs,
        indexing_maps=[str(access.map) for access in (*structure.inputs, *structure.outputs)],
        coordinate_maps=list(indices.values()),
        iterator_types=list(structure.iterators),
        body=lambda update, current: (update if combiner is None else combiner(current, update),),
        modes=list(structure.modes),
        wrap_negative=list(structure.wraps),
        fill_values=[_fill(value, access.value.type) for value, access in fills],
        sorted=structure.sorted,
    )


def _empty(op: Any, structure: Any, access: Any, given: Any) -> Array:
    """An array for a result, of the sizes that the maps give it."""
    known, shape = extents(op), list(access.value.type.shape)
    for position, expr in enumerate(access.map.results):
        if access.value.type.is_dynamic_dim(position):
            dim = plain_dim(expr)
            assert dim is not None
            size = known.get(dim)
            if size is None:
                value, place = next(sizes_of(op, structure, dim))
                size = given[value].shape[place]
            shape[position] = size
    return np.zeros(shape, element_dtype(access.value.type))


GATHER_SCATTER = {
    "gs.gather": plain(_gather),
    "gs.scatter": _scatter,
    "gs.gather_elements": plain(_gather_elements),
    "gs.scatter_elements": _scatter_elements,
    "gs.histogram": _histogram,
    "gs.strided_slice": plain(_strided_slice),
    "gs.generic": _generic,
    "tensor.gather": plain(_gather),
    "tensor.scatter": plain(_tensor_scatter),
}
