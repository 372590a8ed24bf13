"""Transposed convolutions. torch-mlir convolves with zeros in between, and makes NaN of weights
that are not finite."""

import re

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.elementwise import elementwise, filled, sizes_of
from mlir_gs.frontend.common.shapes import with_unit_dims, without_unit_dims
from mlir_gs.frontend.common.slices import Int, Window, take_windows
from mlir_gs.frontend.torch.numbers import rounded
from mlir_gs.frontend.torch.op import TorchOp, constant_of, number
from mlir_gs.frontend.torch.reduce_into import accumulated
from mlir_gs.lowering.ir.emit import add, mul, sub

arith = dialect("arith")

TRANSPOSED = re.compile(r"torch\.aten\.(?:conv_transpose(\d)d(?:\.input)?|convolution)")
_PLACES = {"conv_transpose": (3, 4, 5, 6, 7), "convolution": (3, 4, 7, 8, 5)}
"""Where strides, paddings, output paddings, groups and dilations are among the operands."""


def transposed(t: TorchOp) -> ir.Value | None:
    """`out[n, o, s * i + d * k - p] += x[n, c, i] * weight[c, o, k]` along each dim, plus the bias;
    with groups, o counts on from group to group. None for what is no transposed convolution."""
    found = TRANSPOSED.fullmatch(t.op.name)
    element = t.type(0).element
    if found is None or not isinstance(element, ir.FloatType):
        return None
    if found[1] is None and not t.constant(6):
        return None
    rank = t.type(1).rank - 2
    places = _PLACES["convolution" if found[1] is None else "conv_transpose"]
    strides, paddings, more, dilations = (_numbers(t, at, rank) for at in (*places[:3], places[4]))
    source, weight, groups = t.tensor(0), t.tensor(1), t.constant(places[3])
    is_single = source.type.rank == rank + 1
    if is_single:
        source = with_unit_dims(source, [0])
    channels, outputs = source.type.shape[1], weight.type.shape[1]
    if groups > 1 and DYNAMIC in (channels, outputs):
        return None
    sizes, kernel = sizes_of(source), sizes_of(weight)
    whole: list[Int] = [sizes[0], mul(kernel[1], groups)]
    windows = {}
    for dim in range(rank):
        reach = mul(dilations[dim], sub(kernel[dim + 2], 1))
        full = add(add(mul(strides[dim], sub(sizes[dim + 2], 1)), reach), 1)
        size = add(full, more[dim] - 2 * paddings[dim])
        whole.append(add(full, max(0, more[dim] - paddings[dim])))
        windows[dim + 2] = Window(paddings[dim], size, 1)
    wide = accumulated(element)
    made = _summed(source, weight, filled(whole, number(0, wide)), strides, dilations, groups)
    made = take_windows(made, windows)
    bias = [] if t.is_none(2) else [with_unit_dims(t.tensor(2), range(1, rank + 1))]

    def body(value: ir.Value, *others: ir.Value) -> ir.Value:
        for each in others:
            value = arith.addf(value, rounded(each, wide))
        return rounded(value, element)

    made = elementwise([made, *bias], element, body)
    return without_unit_dims(made, [0]) if is_single else made


def _numbers(t: TorchOp, at: int, rank: int) -> list[int]:
    """A list of constants; a list of one stands for each dim."""
    found = [constant_of(each, at) for each in t.list(at)]
    return found * rank if len(found) == 1 else found


def _summed(
    source: ir.Value,
    weight: ir.Value,
    dest: ir.Value,
    strides: list[int],
    dilations: list[int],
    groups: int,
) -> ir.Value:
    rank = len(strides)
    batch, channel, output, *dims = (ir.AffineDimExpr.get(d) for d in range(3 + 2 * rank))
    places, offsets = dims[:rank], dims[rank:]
    to = [s * i + d * k for s, i, d, k in zip(strides, places, dilations, offsets, strict=True)]
    first = output
    if groups > 1:
        group = ir.AffineExpr.get_floor_div(channel, source.type.shape[1] // groups)
        first = group * weight.type.shape[1] + output

    def body(value: ir.Value, factor: ir.Value, current: ir.Value) -> ir.Value:
        product = arith.mulf(*(rounded(each, current.type) for each in (value, factor)))
        return arith.addf(current, product)

    return generic(
        [source, weight],
        [],
        [dest],
        indexing_maps=[
            ir.AffineMap.get(3 + 2 * rank, 0, exprs)
            for exprs in (
                [batch, channel, *places],
                [channel, output, *offsets],
                [batch, first, *to],
            )
        ],
        iterator_types=["parallel", *["reduction"] * (2 + 2 * rank)],
        body=body,
    ).result
