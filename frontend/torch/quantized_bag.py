"""Torch's bags of rows of FBGEMM's layout: small numbers, then a scale and a bias."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import filled
from mlir_gs.frontend.torch.bag import bags_of, check_offsets
from mlir_gs.frontend.torch.op import COMMON, TORCH, TorchOp, number
from mlir_gs.lowering.ir.builders import dim_of, index

arith = dialect("arith")
math = dialect("math")

PRUNED = Refusal("pruned tables", "pruned_weights and compressed_indices_mapping are not supported")
OFFSETS = Refusal("quantized bags without offsets", "offsets must be a tensor, found none")
BYTES = Refusal(
    "quantized tables that are not bytes in rows of a known length",
    "the table must be ui8 of shape [rows, bytes], of a static number of bytes, found {found}",
)

_FORMS = {"sum; per_sample_weights, include_last_offset": "`gs.generic`"}
_REFUSES = (*COMMON, PRUNED, OFFSETS, BYTES)


def _convert(bits: int, op: ir.OpView) -> Sequence[ir.Value]:
    """embedding_bag_*_rowwise_offsets(weight, indices, offsets, scale_grad_by_freq, mode,
    pruned_weights, per_sample_weights, compressed_indices_mapping, include_last_offset).

    As Torch computes it: fma(weight * scale, number, sum + weight * bias), whatever mode is.
    """
    t = TorchOp(op)
    if t.constant(5) or not t.is_none(7):
        raise PRUNED()
    if t.is_none(2):
        raise OFFSETS()
    given = t.type(0)
    ends = 8 if bits == 8 else 4
    is_bytes = given.element == ir.IntegerType.get_unsigned(8) and len(given.shape) == 2
    if not is_bytes or given.shape[1] == DYNAMIC or given.shape[1] < ends:
        raise BYTES(found=f"{given.element} of shape {list(given.shape)}")
    table, indices, offsets = t.tensor(0), t.indices(1), t.indices(2)
    check_offsets(t.key, offsets, dim_of(indices, 0))
    count = dim_of(offsets, 0)
    if t.constant(8):
        count = arith.subi(count, index(1))
    of_index = bags_of(indices, offsets, count, -1).of_index
    first = given.shape[1] - ends
    size = ends // 2
    scales, biases = (_ends(table, indices, first + place, size) for place in (0, size))
    weights = None if t.is_none(6) else t.tensor(6)
    width = first * (8 // bits)
    found = _sums(bits, table, (scales, biases, weights), indices, of_index, count, width)
    return [t.result(found)]


# Numbers of 8 bits, with a scale and a bias of 32, and of 4 and 2 bits, with ones of 16.
for _bits, _called in ((8, "byte"), (4, "4bit"), (2, "2bit")):
    TORCH.converts(
        f"quantized.embedding_bag_{_called}_rowwise_offsets",
        _FORMS,
        refuses=_REFUSES,
        larger="always",
    )(partial(_convert, _bits))


def _ends(table: ir.Value, indices: ir.Value, first: int, size: int) -> ir.Value:
    """The float of `size` bytes at byte `first` of each row, as an f32."""
    f32, whole = ir.F32Type.get(), ir.IntegerType.get_signless(8 * size)
    i, row = ir.AffineDimExpr.get(0), ir.AffineSymbolExpr.get(0)
    places = [[row, ir.AffineConstantExpr.get(first + byte)] for byte in range(size)]

    def body(*elements: ir.Value) -> ir.Value:
        bits = arith.extui(whole, elements[0])
        for byte in range(1, size):
            moved = arith.shli(arith.extui(whole, elements[byte]), arith.constant(whole, 8 * byte))
            bits = arith.ori(bits, moved)
        if size == 4:
            return arith.bitcast(f32, bits)
        return arith.extf(f32, arith.bitcast(ir.F16Type.get(), bits))

    return generic(
        [table] * size,
        [indices],
        [filled([dim_of(indices, 0)], number(0, f32))],
        indexing_maps=[ir.AffineMap.get(1, 1, each) for each in [*places, [i]]],
        coordinate_maps=[[ir.AffineMap.get(1, 1, [i])]],
        iterator_types=["parallel"],
        body=body,
        modes=["error"],
    ).result


def _sums(
    bits: int,
    table: ir.Value,
    factors: tuple[ir.Value, ir.Value, ir.Value | None],
    indices: ir.Value,
    of_index: ir.Value,
    count: ir.Value,
    width: int,
) -> ir.Value:
    f32, i32 = ir.F32Type.get(), ir.IntegerType.get_signless(32)
    i, j = (ir.AffineDimExpr.get(d) for d in range(2))
    row, bag = (ir.AffineSymbolExpr.get(s) for s in range(2))
    several = 8 // bits
    inputs = [table, *(each for each in factors if each is not None)]
    places = [
        [row, ir.AffineExpr.get_floor_div(j, several) if several > 1 else j],
        *[[i]] * (len(inputs) - 1),
    ]
    if several > 1:
        shifts = ir.DenseElementsAttr.get(np.arange(0, 8, bits, dtype=np.int32), type=i32)
        inputs.append(arith.constant(shifts.type, shifts))
        places.append([ir.AffineExpr.get_mod(j, several)])

    def body(*elements: ir.Value) -> ir.Value:
        byte, scale, bias, *rest, current = elements
        found = arith.extui(i32, byte)
        if several > 1:
            found = arith.andi(arith.shrui(found, rest.pop()), arith.constant(i32, (1 << bits) - 1))
        if rest:
            scale, bias = arith.mulf(rest[0], scale), arith.mulf(rest[0], bias)
        return math.fma(scale, arith.sitofp(f32, found), arith.addf(current, bias))

    return generic(
        inputs,
        [indices, of_index],
        [filled([count, width], number(0, f32))],
        indexing_maps=[ir.AffineMap.get(2, 2, each) for each in [*places, [bag, j]]],
        coordinate_maps=[[ir.AffineMap.get(2, 2, [i])]] * 2,
        iterator_types=["reduction", "parallel"],
        body=body,
        modes=["error", "fill_or_drop"],
    ).result
