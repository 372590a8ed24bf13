"""Elements at coordinates that only move: some of them make a word, which is stored at once.

Lanes of a vector are put together in one unit of the core, one after the other, and that holds up
loads that the caches answer; shifts are done anywhere. LLVM would make vectors of the words again,
so each goes through an empty piece of assembly that it does not look into.
"""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.body import bytes_of, vector
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.job import Job, symbols_in

WORD = 8
"""Bytes of a word: of a register for integers."""

SHORTEST = 128
"""Points of a row, at least: as vectors, short rows of a strip took 0.97 times as long."""


def moved_by_words(job: Job, vector_dim: int | None) -> int | None:
    """The input of which lanes along `vector_dim` have elements of their own that all go to the one
    output as they are; less than a word each, and narrower than their coordinates.

    Loads of coordinates would else keep step with the stores: where both lie at the same place of
    their pages, a load waits for the store before it, as if that were to the same memory.
    """
    if vector_dim is None or not job.body.moves_only or len(job.outputs) != 1:
        return None
    extent = job.extents[vector_dim]
    if isinstance(extent, int) and extent < SHORTEST:
        return None
    number = job.body.moved_input(0)
    (output,) = job.outputs
    if number is None or job.inputs[number].storage != output.storage:
        return None
    ref, size = job.inputs[number], bytes_of(output.storage)
    if not any(ref is one for one in job.by_elements(vector_dim)):
        return None
    symbols = [s for s in symbols_in(ref) if vector_dim in job.coordinates.depends(s)]
    types = [job.structure.coordinates[symbol].value.type.element_type for symbol in symbols]
    if isinstance(output.storage, ir.ComplexType) or not types:
        return None
    return number if size < min(WORD, *map(bytes_of, types)) else None


def packed(elements: Sequence[ir.Value]) -> ir.Value:
    """Elements that fill a word, as a vector; the first one lies first in memory."""
    size, storage = bytes_of(elements[0].type), elements[0].type
    assert size * len(elements) == WORD
    bits, wide = (ir.IntegerType.get_signless(8 * n) for n in (size, WORD))
    word = None
    for number, element in enumerate(elements):
        part = element if storage == bits else arith.bitcast(bits, element)
        part = arith.extui(wide, part)
        if number:
            part = arith.shli(part, arith.constant(wide, 8 * size * number))
        word = part if word is None else arith.ori(word, part)
    assert word is not None
    one = vector.from_elements(ir.VectorType.get([1], wide), [_opaque(word)])
    lanes = vector.bitcast(ir.VectorType.get([len(elements)], bits), one)
    if storage == bits:
        return lanes
    return vector.bitcast(ir.VectorType.get([len(elements)], storage), lanes)


def _opaque(word: ir.Value) -> ir.Value:
    return ir.Operation.create(
        "llvm.inline_asm",
        results=[word.type],
        operands=[word],
        attributes={
            "asm_string": ir.StringAttr.get(""),
            "constraints": ir.StringAttr.get("=r,0"),
        },
    ).result
