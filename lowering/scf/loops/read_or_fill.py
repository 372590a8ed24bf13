"""Elements at coordinates of their own that may be out of bounds, read without a branch for each.

A lane that is out of bounds reads a place that is always there, and takes the fill instead: where
chance decides which ones are, a core mistakes every other branch.

Both choices are between integers in registers of 4 or 8 bytes. Between floats LLVM makes a branch,
and so it does of a choice that it reads the element for; narrower registers wait for one another.
So what is read and what is chosen goes through an empty piece of assembly.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.builders import arith, opaque
from mlir_gs.lowering.ir.emit import all_at_least, memref, size_of, value
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.refs import Ref

WORD = 8
"""Bytes of a register for integers."""


def masked_inputs(job: Job, dim: int) -> frozenset[int]:
    """The inputs, by number, of which each lane along `dim` may be out of bounds by itself."""
    alone = job.by_elements(dim)
    return frozenset(
        number
        for number, ref in enumerate(job.inputs)
        if (number not in job.gathered or job.gathered_where is not None)
        and not isinstance(ref.storage, ir.ComplexType)
        and bytes_of(ref.storage) <= WORD
        and any(ref is one for one in alone)
        and job.may_miss(ref, dim)
    )


def have_a_first(job: Job, numbers: frozenset[int]) -> bool | ir.Value:
    """Whether these inputs have the place that is read instead, the first one in all dimensions
    that coordinates address: known now, or a condition."""
    return all_at_least(
        [
            (size_of(ref.memref, position), 1)
            for ref in (job.inputs[number] for number in sorted(numbers))
            for position, expr in enumerate(ref.map.results)
            if symbols_of(expr)
        ]
    )


def read_or_fill(ref: Ref, point: Point, inside: ir.Value, fill: ir.Value) -> ir.Value:
    """The element of `ref` at `point`, or `fill` where that is not `inside`."""
    where = [
        arith.select(inside, index, value(0)) if symbols_of(expr) else index
        for expr, index in zip(ref.map.results, ref.indices(point), strict=True)
    ]
    found = opaque(_register(memref.load(ref.memref, where)))
    chosen = opaque(arith.select(inside, found, _register(fill)))
    bits = _bits(ref.storage)
    if chosen.type != bits:
        chosen = arith.trunci(bits, chosen)
    return recast(ref.storage, chosen)


def recast(type_: ir.Type, value: ir.Value) -> ir.Value:
    """The same bits as another type."""
    if value.type == type_:
        return value
    is_index = any(isinstance(t, ir.IndexType) for t in (type_, value.type))
    return (arith.index_cast if is_index else arith.bitcast)(type_, value)


def _bits(type_: ir.Type) -> ir.IntegerType:
    """The integer that has the bits of `type_`."""
    width = 8 * WORD if isinstance(type_, ir.IndexType) else type_.width
    return ir.IntegerType.get_signless(width)


def _register(element: ir.Value) -> ir.Value:
    """The bits of an element as an integer that fills a register."""
    bits = _bits(element.type)
    register = ir.IntegerType.get_signless(32 if bits.width <= 32 else 64)
    element = recast(bits, element)
    return element if bits == register else arith.extui(register, element)


def choosing(job: Job) -> set[int]:
    """The symbols that only `read_or_fill` compares with bounds, to choose a place."""
    return {symbol for number in job.masked for symbol in symbols_in(job.inputs[number])}
