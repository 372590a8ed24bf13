"""Torch's scatters along one dim, one coordinate per element."""

from collections.abc import Sequence

from mlir_gs.dialect import scatter_elements
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.scatter import Combiner
from mlir_gs.frontend.common.elementwise import cut_to, filled, sizes_of, unflat
from mlir_gs.frontend.common.masks import true_positions
from mlir_gs.frontend.common.put import WRAPPED, put
from mlir_gs.frontend.torch.gather import broadcast_sizes, expanded, lifted, lowered
from mlir_gs.frontend.torch.op import COMMON, ELEMENTS, MASK, MIXED, REDUCTION, TORCH, TorchOp
from mlir_gs.frontend.torch.reduce_into import combined, combiner_of, reduced
from mlir_gs.lowering.ir.builders import dim_of
from mlir_gs.lowering.ir.emit import flat

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")

REDUCES = (*COMMON, REDUCTION, ELEMENTS)
MASKED = (*COMMON, MASK, MIXED)
_OLD = ("add", "multiply")
_NEW = ("sum", "prod", "mean", "amax", "amin")


class IntoDim:
    """The operands that all ops along a dim have: self, dim, index."""

    def __init__(self, op: ir.OpView) -> None:
        self.t = TorchOp(op)
        self.rank = self.t.type(0).rank
        self.element = self.t.type(0).element
        self.dest, self.indices = lifted(self.t.tensor(0)), lifted(self.t.indices(2))
        self.dim = self.t.dim(1, self.rank)

    def result(self, value: ir.Value) -> Sequence[ir.Value]:
        return [self.t.result(lowered(value, self.rank))]


class _Scatter(IntoDim):
    def __init__(self, op: ir.OpView) -> None:
        super().__init__(op)
        if 0 in self.t.type(2).shape:
            # Torch does not compare ranks where nothing is written.
            none = [0] * self.dest.type.rank
            self.indices = tensor.empty(none, self.indices.type.element_type)

    def source(self) -> ir.Value:
        """The part of operand 3 that has the shape of `index`."""
        source = lifted(self.t.tensor(3))
        shape = list(self.indices.type.shape)
        if DYNAMIC not in shape and list(source.type.shape) == shape:
            return source
        return cut_to(source, sizes_of(self.indices))

    def value(self) -> ir.Value:
        """The number that operand 3 is, for each index."""
        return filled(sizes_of(self.indices), self.t.scalar(3, self.element))

    def write(
        self, updates: ir.Value, dest: ir.Value, combiner: Combiner | None = None
    ) -> ir.Value:
        return scatter_elements(updates, dest, self.indices, self.dim, combiner, mode="error")

    def combined(self, updates: ir.Value, reduction: str) -> Sequence[ir.Value]:
        """The updates added or multiplied into self."""
        found = combined(self.dest, updates, self.element, reduction, _OLD, self.write)
        return self.result(found)


@TORCH.converts("aten.scatter.src", {"every form": "`gs.scatter_elements`"}, refuses=COMMON)
def convert_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """scatter(self, dim, index, src): of repeated coordinates the last one stays."""
    s = _Scatter(op)
    return s.result(s.write(s.source(), s.dest))


@TORCH.converts("aten.scatter.value", {"every form": "`gs.scatter_elements`"}, refuses=COMMON)
def convert_scatter_value(op: ir.OpView) -> Sequence[ir.Value]:
    """scatter(self, dim, index, value)."""
    s = _Scatter(op)
    return s.result(s.write(s.value(), s.dest))


@TORCH.converts("aten.scatter.reduce", {"add, multiply": "`gs.scatter_elements`"}, refuses=REDUCES)
def convert_scatter_reduce(op: ir.OpView) -> Sequence[ir.Value]:
    """scatter(self, dim, index, src, reduce)."""
    s = _Scatter(op)
    return s.combined(s.source(), s.t.constant(4))


@TORCH.converts(
    "aten.scatter.value_reduce", {"add, multiply": "`gs.scatter_elements`"}, refuses=REDUCES
)
def convert_scatter_value_reduce(op: ir.OpView) -> Sequence[ir.Value]:
    """scatter(self, dim, index, value, reduce)."""
    s = _Scatter(op)
    return s.combined(s.value(), s.t.constant(4))


@TORCH.converts("aten.scatter_add", {"every form": "`gs.scatter_elements`"}, refuses=REDUCES)
def convert_scatter_add(op: ir.OpView) -> Sequence[ir.Value]:
    """scatter_add(self, dim, index, src)."""
    s = _Scatter(op)
    return s.combined(s.source(), "add")


@TORCH.converts(
    "aten.scatter_reduce.two",
    {"sum, prod, mean, amax, amin; include_self or not": "`gs.scatter_elements`"},
    refuses=REDUCES,
)
def convert_scatter_reduce_two(op: ir.OpView) -> Sequence[ir.Value]:
    """scatter_reduce(self, dim, index, src, reduce, include_self)."""
    s = _Scatter(op)
    reduction, include_self = s.t.constant(4), s.t.constant(5)
    found = reduced(s.dest, s.source(), s.element, reduction, include_self, _NEW, s.write)
    return s.result(found)


@TORCH.converts(
    "aten.put", {"with and without accumulate": "`gs.scatter` of the flattened tensor"},
    refuses=REDUCES,
)  # fmt: skip
def convert_put(op: ir.OpView) -> Sequence[ir.Value]:
    """put(self, index, source, accumulate): coordinates into the flattened tensor."""
    t = TorchOp(op)
    dest, indices, source = t.tensor(0), t.indices(1), t.tensor(2)
    combiner = combiner_of("add", t.type(0).element, _OLD) if t.constant(3) else None
    found = put(flat(source), flat(dest), flat(indices), 0, combiner, WRAPPED)
    return [t.result(unflat(found, dest))]


@TORCH.converts("aten.masked_scatter", {"every form": "`gs.scatter`"}, refuses=MASKED)
def convert_masked_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """masked_scatter(self, mask, source): the n-th true place takes the n-th element of source."""
    t = TorchOp(op)
    dest, mask, source = t.tensor(0), t.mask(1), flat(t.tensor(2))
    if t.type(0).element != t.type(2).element:
        raise MIXED(wanted=t.type(0).element, found=t.type(2).element)
    sizes = broadcast_sizes(dest, mask)
    dest = expanded(dest, sizes)
    positions = true_positions(flat(expanded(mask, sizes)))
    count = dim_of(positions, 0)
    enough = arith.cmpi(arith.CmpIPredicate.sle, count, dim_of(source, 0))
    cf.AssertOp(enough, "'aten.masked_scatter' source has fewer elements than the mask has ones")
    found = put(cut_to(source, [count]), flat(dest), positions, 0)
    return [t.result(unflat(found, dest))]
