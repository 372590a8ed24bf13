"""Control flow in the reference: scf, cf and calls, one step after the other."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.ops import Handler, Machine
from mlir_gs.dialect.reference.tensor import mixed, window
from mlir_gs.dialect.reference.types import Located, site
from mlir_gs.dialect.sizes import compared_sizes

Array = np.ndarray
Values = tuple[Array, ...]

TERMINATORS = {
    "affine.yield",
    "cf.br",
    "cf.cond_br",
    "cf.switch",
    "func.return",
    "gs.yield",
    "linalg.yield",
    "memref.alloca_scope.return",
    "memref.atomic_yield",
    "memref.yield",
    "scf.condition",
    "scf.forall.in_parallel",
    "scf.reduce",
    "scf.reduce.return",
    "scf.yield",
    "tensor.yield",
}


class AssertionFailed(RuntimeError):
    """A cf.assert does not hold."""


class SizesDiffer(AssertionFailed, ValueError):
    """A cf.assert on sizes does not hold."""


def next_block(terminator: Any, operands: Values) -> tuple[Any, Values] | None:
    """The block that a terminator goes to, and its arguments; None where it leaves the region."""
    successors = list(terminator.successors)
    if not successors:
        return None
    groups = _groups(terminator, operands)
    if terminator.name == "cf.br":
        return successors[0], operands
    if terminator.name == "cf.cond_br":
        which = 0 if bool(groups[0][0]) else 1
        return successors[which], groups[1 + which]
    cases = list(terminator.attributes["case_values"]) if len(successors) > 1 else []
    flag = int(operands[0])
    if flag not in cases:
        return successors[0], groups[1]
    which = cases.index(flag)
    sizes = list(terminator.attributes["case_operand_segments"])
    start = sum(sizes[:which])
    return successors[1 + which], groups[2][start : start + sizes[which]]


def _groups(op: Any, operands: Values) -> list[Values]:
    """The operands by operandSegmentSizes."""
    if "operandSegmentSizes" not in op.attributes:
        return [operands]
    found, start = [], 0
    for count in op.attributes["operandSegmentSizes"]:
        found.append(tuple(operands[start : start + count]))
        start += count
    return found


def _for(machine: Machine, op: Any, operands: list[Array]) -> Values:
    unsigned = 1 << 8 * operands[0].itemsize if "unsignedCmp" in op.attributes else 0
    low, high, step = (int(x) % unsigned if unsigned else int(x) for x in operands[:3])
    carried = tuple(operands[3:])
    block = op.regions[0].blocks[0]
    if step <= 0:
        raise ValueError(f"step {step} must be positive")
    for i in range(low, high, step):
        carried = machine.block(block, (np.asarray(i).astype(operands[0].dtype), *carried))
    return carried


def _while(machine: Machine, op: Any, operands: list[Array]) -> Values:
    before, after = (region.blocks[0] for region in op.regions)
    carried: Values = tuple(operands)
    while True:
        goes_on, *given = machine.block(before, carried)
        if not goes_on:
            return tuple(given)
        carried = machine.block(after, tuple(given))


def _if(machine: Machine, op: Any, operands: list[Array]) -> Values:
    region = op.regions[0 if bool(operands[0]) else 1]
    return machine.block(region.blocks[0], ()) if len(region.blocks) else ()


def _index_switch(machine: Machine, op: Any, operands: list[Array]) -> Values:
    cases = list(op.attributes["cases"])
    flag = int(operands[0])
    which = 1 + cases.index(flag) if flag in cases else 0
    return machine.block(op.regions[which].blocks[0], ())


def _points(lower: Sequence[int], upper: Sequence[int], step: Sequence[int]) -> Iterator[Values]:
    if any(n <= 0 for n in step):
        raise ValueError(f"steps {list(step)} must be positive")
    ranges = [range(a, b, n) for a, b, n in zip(lower, upper, step, strict=True)]
    for point in product(*ranges):
        yield tuple(np.asarray(i, np.int64) for i in point)


def _parallel(machine: Machine, op: Any, operands: list[Array]) -> Values:
    """The iterations in row-major order; reductions fold in that order."""
    lower, upper, step, start = _groups(op, tuple(operands))
    block, results = op.regions[0].blocks[0], list(start)
    bounds = ([int(x) for x in group] for group in (lower, upper, step))
    for point in _points(*bounds):
        news = machine.block(block, point)
        reduce = list(block.operations)[-1].operation
        for n, new in enumerate(news):
            (results[n],) = machine.block(reduce.regions[n].blocks[0], (results[n], new))
    return tuple(results)


def _forall(machine: Machine, op: Any, operands: list[Array]) -> Values:
    """The iterations in row-major order, each inserting its slices when it ends."""
    *bounds, shared = _groups(op, tuple(operands))
    lower, upper, step = (
        mixed(list(op.attributes[f"static{name}"]), iter(group))
        for name, group in zip(("LowerBound", "UpperBound", "Step"), bounds, strict=True)
    )
    outputs = tuple(x.copy() for x in shared)
    block = op.regions[0].blocks[0]
    for point in _points(lower, upper, step):
        machine.block(block, (*point, *outputs))
        (ending,) = list(block.operations)[-1].operation.regions
        machine.block(ending.blocks[0], ())
    return outputs


def _parallel_insert_slice(machine: Machine, op: Any, operands: list[Array]) -> Values:
    source, dest, *dynamic = operands
    slices, sizes = window(op, dynamic, dest.shape)
    dest[slices] = source.reshape(sizes).copy()
    return ()


def _assert(machine: Machine, op: Any, operands: list[Array]) -> Values:
    if not operands[0]:
        compared = compared_sizes(op)
        if compared is not None:
            found, wanted = (machine.values[value] for value in compared)
            text = op.attributes["msg"].value
            raise SizesDiffer(Located(f"{text}: expected {wanted}, found {found}"))
        raise AssertionFailed(f"{site(op.location)}: {op.attributes['msg'].value}")
    return ()


CONTROL: dict[str, Handler] = {
    "cf.assert": _assert,
    "func.call": lambda machine, op, x: machine.call(op.attributes["callee"].value, x),
    **dict.fromkeys(
        ("memref.alloca_scope", "scf.execute_region"),
        lambda machine, op, _: machine.region(op.regions[0], ()),
    ),
    "scf.for": _for,
    "scf.forall": _forall,
    "scf.if": _if,
    "scf.index_switch": _index_switch,
    "scf.parallel": _parallel,
    "scf.while": _while,
    "tensor.parallel_insert_slice": _parallel_insert_slice,
}
