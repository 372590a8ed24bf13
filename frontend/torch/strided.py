"""Torch's copies and writes of parts that strides, diagonals and ranges name."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Left, Refused
from mlir_gs.frontend.common.elementwise import sizes_of, unflat
from mlir_gs.frontend.common.masks import coordinate_at, coordinates_of, mask_of
from mlir_gs.frontend.common.put import CHECKED, put
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.common.take import take
from mlir_gs.frontend.common.wide import wide_generic
from mlir_gs.frontend.torch.op import COMMON, TORCH, TorchOp, constant_of
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import choose, compare, flat, generated, sliced, value

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")


def _numbers(t: TorchOp, operand: int) -> list[int]:
    return [constant_of(each, operand) for each in t.list(operand)]


def _strided(t: TorchOp, first: int) -> ir.Value:
    """Where the elements are in memory that operands size, stride and storage_offset name."""
    sizes, strides = _numbers(t, first), _numbers(t, first + 1)
    given = first + 2 < len(t.op.operands) and not t.is_none(first + 2)
    offset = t.constant(first + 2) if given else 0

    def body(*position: ir.Value) -> ir.Value:
        found = index(offset)
        for each, stride in zip(position, strides, strict=True):
            found = arith.addi(found, arith.muli(each, index(stride)))
        return found

    return generated(sizes, ir.IndexType.get(), body)


@TORCH.converts("aten.as_strided_copy", {"constant sizes": "`gs.gather`"}, refuses=COMMON)
def convert_as_strided_copy(op: ir.OpView) -> Sequence[ir.Value]:
    """as_strided_copy(self, size, stride, storage_offset) of a contiguous tensor."""
    t = TorchOp(op)
    places = _strided(t, 1)
    found = take(flat(t.tensor(0)), flat(places), 0, CHECKED)
    return [t.result(unflat(found, places))]


@TORCH.converts("aten._reshape_alias", {"other strides": "`gs.gather`"}, refuses=COMMON)
def convert_reshape_alias(op: ir.OpView) -> Sequence[ir.Value]:
    """_reshape_alias(self, size, stride): torch-mlir reshapes, whatever the strides are."""
    t, step = TorchOp(op), 1
    try:
        sizes, strides = _numbers(t, 1), _numbers(t, 2)
    except Refused as unknown:
        raise Left from unknown
    for size, stride in reversed([*zip(sizes, strides, strict=True)]):
        if size > 1 and stride != step:
            return convert_as_strided_copy(op)
        step *= size
    raise Left


@TORCH.converts("aten.as_strided_scatter", {"constant sizes": "`gs.scatter`"}, refuses=COMMON)
def convert_as_strided_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """as_strided_scatter(self, src, size, stride, storage_offset) of a contiguous tensor."""
    t = TorchOp(op)
    dest = t.tensor(0)
    found = put(flat(t.tensor(1)), flat(dest), flat(_strided(t, 2)), 0, None, CHECKED)
    return [t.result(unflat(found, dest))]


@TORCH.converts("aten.diagonal_scatter", {"every form": "`gs.generic`"}, refuses=COMMON)
def convert_diagonal_scatter(op: ir.OpView) -> Sequence[ir.Value]:
    """diagonal_scatter(self, src, offset, dim1, dim2): the last dim of src goes along it."""
    t = TorchOp(op)
    dest, source = t.tensor(0), t.tensor(1)
    rank, offset = dest.type.rank, t.constant(2)
    dims = [t.dim(3, rank), t.dim(4, rank)]
    length = sizes_of(source)[-1]
    starts = [max(-offset, 0), max(offset, 0)]
    places = [
        generated([length], ir.IndexType.get(), lambda k, s=start: arith.addi(k, index(s)))
        for start in starts
    ]
    plain = [ir.AffineDimExpr.get(d) for d in range(rank - 1)]
    kept = iter(plain)
    addressed = [
        ir.AffineSymbolExpr.get(dims.index(d)) if d in dims else next(kept) for d in range(rank)
    ]
    maps = [ir.AffineMap.get(rank - 1, 2, each) for each in (plain, addressed)]
    (found,) = wide_generic(
        [source],
        places,
        [dest],
        indexing_maps=maps,
        coordinate_maps=[[ir.AffineMap.get(rank - 1, 2, plain[-1:])]] * 2,
        iterator_types=["parallel"] * (rank - 2) + ["reduction"],
        body=lambda update, _current: [update],
        modes=["error"] * 2,
    )
    return [t.result(found)]


@TORCH.converts("aten.narrow_copy", {"a constant range": "`tensor.extract_slice`"}, refuses=COMMON)
def convert_narrow_copy(op: ir.OpView) -> Sequence[ir.Value]:
    """narrow_copy(self, dim, start, length): a negative start counts from the end."""
    t = TorchOp(op)
    source = t.tensor(0)
    dim, start, length = t.dim(1, source.type.rank), t.constant(2), t.constant(3)
    sizes = sizes_of(source)
    first: Int = start
    if start < 0:
        first = arith.addi(value(sizes[dim]), index(start))
    total = arith.addi(value(first), index(length))
    fits = arith.andi(compare("sge", first, 0), compare("sle", total, value(sizes[dim])))
    cf.AssertOp(fits, "'aten.narrow_copy' range is not within the dim")
    sizes[dim] = length
    if 0 in sizes:
        return [t.result(tensor.empty(sizes, source.type.element_type))]
    offsets = [first if d == dim else 0 for d in range(len(sizes))]
    return [t.result(sliced(source, offsets, sizes))]


@TORCH.converts("aten.nonzero_static", {"a constant size": "`tensor.generate`"}, refuses=COMMON)
def convert_nonzero_static(op: ir.OpView) -> Sequence[ir.Value]:
    """nonzero_static(self, size, fill_value): so many rows of nonzero, then rows of fill_value."""
    t = TorchOp(op)
    source, size, fill = t.tensor(0), t.constant(1), t.constant(2)
    i64 = ir.IntegerType.get_signless(64)
    columns = coordinates_of(mask_of(source), sizes_of(source))
    if not columns:
        return [t.result(tensor.empty([size, 0], i64))]
    count = dim_of(columns[0], 0)

    def body(row: ir.Value, column: ir.Value) -> ir.Value:
        def held() -> ir.Value:
            return arith.index_cast(i64, coordinate_at(columns, row, column))

        return choose(compare("slt", row, count), i64, held, lambda: arith.constant(i64, fill))

    return [t.result(generated([size, len(columns)], i64, body))]
