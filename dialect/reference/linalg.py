"""linalg in the reference."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.generic import iteration_extents
from mlir_gs.dialect.reference.maps import AffineMap, parse
from mlir_gs.dialect.reference.ops import Handler, Machine
from mlir_gs.dialect.reference.tensor import map_block

Array = np.ndarray


def _generic(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    maps = [parse(str(m)) for m in op.attributes["indexing_maps"]]
    reduction = any("reduction" in str(kind) for kind in op.attributes["iterator_types"])
    inputs = next(iter(op.attributes["operandSegmentSizes"]))
    return _structured(machine, op, operands, inputs, maps, reduction)


def _structured(
    machine: Machine,
    op: Any,
    operands: list[Array],
    inputs: int,
    maps: list[AffineMap],
    reduction: bool,
) -> tuple[Array, ...]:
    """The loop nest of `maps`: in row-major order, or at once where nothing is reduced."""
    # On memrefs there are no results, and the outputs are written.
    outputs = [o.copy() if len(op.results) else o for o in operands[inputs:]]
    operands = operands[:inputs] + outputs
    shaped = ((m, operand.shape) for m, operand in zip(maps, operands, strict=True))
    extents = iteration_extents(shaped, maps[0].num_dims)
    for map_, operand in zip(maps, operands, strict=True):
        _fits(map_, operand.shape, extents)
    block = op.regions[0].blocks[0]
    if not reduction and machine.is_elementwise(block):
        points = [tuple(np.indices(extents))]
    else:
        points = np.ndindex(extents)
    outer = machine.iteration
    for point in points:
        machine.iteration = tuple(np.asarray(p) for p in point)
        places = [(*m(machine.iteration), ...) for m in maps]
        elements = [
            np.broadcast_to(operand[place], np.shape(point[0]) if point else ()).copy()
            for operand, place in zip(operands, places, strict=True)
        ]
        new = machine.block(block, elements[: len(block.arguments)])
        for output, place, value in zip(outputs, places[inputs:], new, strict=True):
            output[place] = value
    machine.iteration = outer
    return tuple(outputs) if len(op.results) else ()


def _fits(map_: AffineMap, shape: tuple[int, ...], extents: tuple[int, ...]) -> None:
    """UndefinedBehavior if sizes differ along an iteration dim, or the operand is left."""
    for result, size in zip(map_.results, shape, strict=True):
        dim = result.plain_dim
        if dim is not None:
            if size != extents[dim]:
                raise UndefinedBehavior(f"sizes {size} and {extents[dim]} of d{dim} differ")
        elif 0 not in extents:
            ends = [
                result.evaluate(corner, ()) for corner in product(*((0, n - 1) for n in extents))
            ]
            if min(ends) < 0 or max(ends) >= size:
                raise UndefinedBehavior(f"{result.text} leaves a dimension of size {size}")


def _overwrites(value: Callable[..., Array]) -> Handler:
    """The handler of an op that overwrites its output by what `value` makes of the op, its input
    and the shape."""
    return lambda _, op, x: _assign(op, x[1], value(op, x[0], x[1].shape))


def _broadcast(op: Any, source: Array, shape: tuple[int, ...]) -> Array:
    return np.broadcast_to(np.expand_dims(source, tuple(op.attributes["dimensions"])), shape)


def _map(machine: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    *inputs, output = operands
    block = op.regions[0].blocks[0]
    # Newer versions of the op hand the current output to the body as well.
    arrays = [*inputs, output][: len(block.arguments)]
    outer = machine.iteration
    if machine.is_elementwise(block):
        machine.iteration = tuple(np.asarray(i) for i in np.indices(output.shape))
        found = map_block(machine, block, arrays, output.shape)
    else:
        found = [np.empty(output.shape, output.dtype)]
        for place in np.ndindex(output.shape):
            machine.iteration = tuple(np.asarray(i) for i in place)
            (found[0][place],) = machine.block(block, [each[place] for each in arrays])
    machine.iteration = outer
    return _assign(op, output, found[0] if found else output)


def _assign(op: Any, output: Array, value: Array) -> tuple[Array, ...]:
    """The result of an op that overwrites its output; on memrefs the output is written."""
    if value.shape != output.shape:
        raise ValueError(f"cannot write shape {value.shape} to an output of {output.shape}")
    if len(op.results) == 0:
        output[...] = value
        return ()
    return (value.astype(output.dtype),)


LINALG: dict[str, Handler] = {
    "linalg.broadcast": _overwrites(_broadcast),
    "linalg.copy": _overwrites(lambda op, source, _: source),
    "linalg.fill": _overwrites(lambda op, scalar, shape: np.broadcast_to(scalar, shape)),
    "linalg.generic": _generic,
    "linalg.index": lambda machine, op, _: (machine.iteration[op.attributes["dim"].value],),
    "linalg.map": _map,
    "linalg.transpose": _overwrites(
        lambda op, source, _: source.transpose(list(op.attributes["permutation"]))
    ),
}
