"""`gs-unroll-loops`: steps that compute element by element, one after the other."""

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir import builders
from mlir_gs.lowering.ir.builders import arith, constant_of, element_of, walk_named
from mlir_gs.lowering.passes.registry import register_pass, run_pipeline

_ROW = 64  # Elements of the last dim, at least: a vector has 16 or fewer, and more gain no less.
_MOST = 1024  # Ops of all steps: their code stays in an L1 cache of instructions.


@register_pass
@dataclass(frozen=True)
class GsUnrollLoops:
    """Write the steps of an scf.for out, where all of them become one loop over the elements.

    before: `%y = scf.for 0 to 2 iter_args(%x = %a) { scf.yield linalg.generic ins(%x) {f} }`
    after:  `%y = linalg.generic ins(%a) {f, f}`, by upstream's linalg-fuse-elementwise-ops

    Applies to a constant number of steps that compute scalars, and tensors of integers of one shape
    element by element, such as the rounds of JAX's random bits: each would read and write memory.
    What reads the results has to be one such op, or there is one result. Slices of constants become
    numbers. Not for floats, as the latencies of one element's steps add up, nor for rows of less
    than a few vectors, in which LLVM's loops over the positions of elements would not be vectors.
    """

    name: ClassVar[str] = "gs-unroll-loops"
    only_with: ClassVar[tuple[str, ...]] = ("scf.for",)

    def run(self, module: ir.Operation) -> None:
        unrolled = False
        # Inner loops first: what they become counts for those around them.
        for op in filter(_merges, reversed(walk_named(module, "scf.for"))):
            unrolled = True
            values = list(op.operands)[3:]
            with op.location, ir.InsertionPoint(op):
                for number in _steps(op):
                    counter = arith.constant(op.operands[0].type, number)
                    values = builders.clone_block(op.regions[0].blocks[0], [counter, *values])
            builders.replace_op(op, values)
        for op in walk_named(module, "gs.strided_slice") if unrolled else ():
            table, type_ = builders.dense_constant(op.operands[0]), op.results[0].type
            if set(op.attributes["sizes"]) == {1} and _is_read(table):
                one = np.array(table)[tuple(op.attributes["offsets"])].reshape(type_.shape)
                with op.location, ir.InsertionPoint(op):
                    number = arith.constant(type_, ir.DenseElementsAttr.get(one, type=type_))
                op.results[0].replace_all_uses_with(number)
        if unrolled:
            merge = ",linalg-fuse-elementwise-ops,canonicalize,cse"
            run_pipeline(module, f"canonicalize,cse{merge * 2}")


def _is_read(table: Any) -> bool:
    """Whether the bindings read the elements: integers of as many bits as those of NumPy."""
    if not isinstance(table, ir.DenseIntElementsAttr):
        return False
    return getattr(element_of(table.type), "width", 64) in (1, 8, 16, 32, 64)


def _steps(op: ir.Operation) -> range:
    """The numbers of the steps, or the first of many; none where the signs of bounds matter."""
    low, high, step = (constant_of(bound) for bound in list(op.operands)[:3])
    if low is None or high is None or step is None or low < 0 or step < 1:
        return range(0)
    return range(low, min(high, low + _MOST * step + 1), step)


def _merges(op: ir.Operation) -> bool:
    """Whether the steps are few, and become one loop with what reads the results."""
    body = [each.operation for each in op.regions[0].blocks[0].operations][:-1]
    read = [result for result in op.results if not _is_one(result) and list(result.uses)]
    readers = {use.owner.operation for each in read for use in each.uses if len(read) > 1}
    computing = {each for each in body if each.name == "linalg.generic"} | readers
    types = [result.type for each in computing for result in each.results]
    shapes = {tuple(t.shape) for t in types if isinstance(t, ir.RankedTensorType)} - {()}
    return (
        1 < len(_steps(op)) <= _MOST // len(builders.walk(op))
        and len(readers) < 2
        and all(_is_elementwise(each, op) for each in computing)
        and all(isinstance(element_of(each.type), ir.IntegerType) for each in read)
        and [len(shape) == 1 or shape[-1] >= _ROW for shape in shapes] == [True]
        and all(
            each in computing or each.name == "tensor.empty" or all(map(_is_one, each.results))
            for each in body
        )
    )


def _is_one(value: ir.Value) -> bool:
    if not isinstance(value.type, ir.RankedTensorType):
        return not isinstance(value.type, ir.ShapedType)
    return value.type.has_static_shape and prod(value.type.shape) == 1


def _is_elementwise(op: ir.Operation, loop: ir.Operation) -> bool:
    """One result, and each point reads its own elements of what `loop` computes."""
    if op.name != "linalg.generic" or len(op.results) != 1:
        return False
    *maps, written = [attribute.value for attribute in op.attributes["indexing_maps"]]
    plain = ir.AffineMap.get_identity(written.n_dims)
    return written == plain and all(
        map_ == plain or _is_one(read) or not (read.owner == loop or builders.made_in(read, loop))
        for map_, read in zip(maps, op.operands, strict=False)
    )
