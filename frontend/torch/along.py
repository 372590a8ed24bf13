"""Torch's index_add, index_copy, index_fill and index_reduce: slices along one dim."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.scatter import Combiner
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.put import CHECKED, WRAPPED, put
from mlir_gs.frontend.torch.gather import lifted
from mlir_gs.frontend.torch.index_dims import expect_equal
from mlir_gs.frontend.torch.op import (
    COMMON,
    ELEMENTS,
    MIXED,
    REDUCTION,
    SOURCE,
    TORCH,
    is_one,
)
from mlir_gs.frontend.torch.reduce_into import combined, reduced
from mlir_gs.frontend.torch.scatter import IntoDim

tensor = dialect("tensor")

SOURCED = (*COMMON, MIXED, SOURCE)
REDUCES = (*SOURCED, REDUCTION, ELEMENTS)
_TO = "`gs.scatter` along dim 0, else `gs.generic`"


class _Along(IntoDim):
    def source(self) -> ir.Value:
        """Operand 3, which has the sizes of self and, along dim, that of index."""
        wanted, found = self.t.type(0), self.t.type(3)
        if wanted.element != found.element:
            raise MIXED(wanted=wanted.element, found=found.element)
        source = lifted(self.t.tensor(3))
        shape = list(self.dest.type.shape)
        shape[self.dim] = self.indices.type.shape[0]
        pairs = zip(shape, source.type.shape, strict=False)
        # Torch copies a scalar into one dim, and adds none up there.
        is_other = source.type.rank != len(shape) or (
            wanted.rank != found.rank and self.t.key != "aten.index_copy"
        )
        if is_other or any(a != b and DYNAMIC not in (a, b) for a, b in pairs):
            raise SOURCE(wanted=list(wanted.shape), dim=self.dim, found=list(found.shape))
        for d, given in enumerate(sizes_of(source)):
            size = sizes_of(self.indices)[0] if d == self.dim else sizes_of(self.dest)[d]
            expect_equal(given, size, f"'{self.t.key}' source does not fit the tensor and indices")
        return source

    @property
    def rounds_each(self) -> bool:
        """Whether Torch's sums of halves are rounded after each addition.

        They are not where it takes them for those of scatter_add.
        """
        is_long = self.indices.type.element_type == ir.IntegerType.get_signless(64)
        return self.rank < 2 or self.dim not in (0, self.rank - 1) or not is_long

    def write(
        self, updates: ir.Value, dest: ir.Value, combiner: Combiner | None = None
    ) -> ir.Value:
        return put(updates, dest, self.indices, self.dim, combiner, CHECKED)


@TORCH.converts("aten.index_add", {"every form, with alpha": _TO}, refuses=REDUCES)
def convert_index_add(op: ir.OpView) -> Sequence[ir.Value]:
    """index_add(self, dim, index, source, alpha)."""
    a = _Along(op)
    source, times = a.source(), combiner("mul", a.element)
    has_alpha = not is_one(a.t.op.operands[4])
    if has_alpha:
        alpha = a.t.scalar(4, a.element)
        assert times is not None
        source = elementwise([source], source.type.element_type, lambda each: times(each, alpha))
    rounds = has_alpha or a.rounds_each
    found = combined(a.dest, source, a.element, "add", ("add",), a.write, rounds)
    return a.result(found)


@TORCH.converts("aten.index_copy", {"every form": _TO}, refuses=SOURCED)
def convert_index_copy(op: ir.OpView) -> Sequence[ir.Value]:
    """index_copy(self, dim, index, source): of repeated coordinates the last one stays."""
    a = _Along(op)
    return a.result(a.write(a.source(), a.dest))


def _fill(a: _Along, value: ir.Value) -> Sequence[ir.Value]:
    sizes = sizes_of(a.dest)
    sizes[a.dim] = sizes_of(a.indices)[0]
    return a.result(put(filled(sizes, value), a.dest, a.indices, a.dim, None, WRAPPED))


@TORCH.converts("aten.index_fill.int_Scalar", {"every form": _TO}, refuses=COMMON)
def convert_index_fill(op: ir.OpView) -> Sequence[ir.Value]:
    """index_fill(self, dim, index, value)."""
    a = _Along(op)
    return _fill(a, a.t.scalar(3, a.element))


@TORCH.converts("aten.index_fill.int_Tensor", {"every form": _TO}, refuses=COMMON)
def convert_index_fill_tensor(op: ir.OpView) -> Sequence[ir.Value]:
    """index_fill(self, dim, index, value), the value a tensor of rank 0."""
    a = _Along(op)
    return _fill(a, tensor.extract(a.t.tensor(3), []))


@TORCH.converts(
    "aten.index_reduce",
    {"prod, mean, amax, amin; include_self or not": _TO},
    refuses=REDUCES,
)
def convert_index_reduce(op: ir.OpView) -> Sequence[ir.Value]:
    """index_reduce(self, dim, index, source, reduce, include_self)."""
    a = _Along(op)
    reduction, include_self = a.t.constant(4), a.t.constant(5)
    known = ("prod", "mean", "amax", "amin")
    found = reduced(
        a.dest,
        a.source(),
        a.element,
        reduction,
        include_self,
        known,
        a.write,
        each_rounded=True,
        each_count_rounded=a.rounds_each,
    )
    return a.result(found)
