"""StableHLO's bitcast_convert, where upstream has none or takes the sizes of integers only."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.common.elementwise import computed
from mlir_gs.frontend.common.wide import as_bits, bits_of, from_bits, joined, resized
from mlir_gs.frontend.stablehlo.common import UPSTREAM, arith, tensor
from mlir_gs.lowering.ir.builders import index, is_within
from mlir_gs.lowering.ir.emit import size_of

_SCALAR = ("stablehlo.map", "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.scatter")


@UPSTREAM.converts(
    "stablehlo.bitcast_convert",
    {
        "elements of the same width, neither of them complex": "left to upstream",
        "others": "`linalg.generic` that joins or splits the bits of each element",
    },
)
def convert_bitcast(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.bitcast_convert` --> the bits as integers, joined or cut, as elements again."""
    operand, result = op.operands[0], op.results[0].type
    given, wanted = operand.type.element_type, result.element_type
    from_width, to_width = bits_of(given), bits_of(wanted)
    is_complex = any(isinstance(each, ir.ComplexType) for each in (given, wanted))
    if (from_width == to_width and not is_complex) or is_within(op.operation, *_SCALAR):
        raise Left
    sizes = [
        size_of(operand, dim) if known == DYNAMIC else known
        for dim, known in enumerate(result.shape[: operand.type.rank])
    ]
    sizes += result.shape[operand.type.rank :]
    parts = to_width // from_width

    def read(where: Sequence[ir.Value]) -> ir.Value:
        if from_width == to_width:
            bits = as_bits(tensor.extract(operand, list(where)))
        elif from_width > to_width:
            *outer, part = where
            bits = as_bits(tensor.extract(operand, outer))
            begin = arith.index_cast(bits.type, arith.muli(part, index(to_width)))
            bits = arith.shrui(bits, begin)
        else:
            bits = joined([tensor.extract(operand, [*where, index(n)]) for n in range(parts)])
        return from_bits(resized(bits, ir.IntegerType.get_signless(to_width)), wanted)

    return [computed(sizes, wanted, read)]
