"""StableHLO's bitcast_convert, where upstream has none or takes the sizes of integers only."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.stablehlo.common import UPSTREAM, arith, tensor
from mlir_gs.frontend.stablehlo.computed import (
    computed,
    element_from,
    joined_words,
    width_of,
    words_of,
)
from mlir_gs.lowering.ir.builders import index, is_within
from mlir_gs.lowering.ir.emit import compare, modulo, size_of

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
    from_width, to_width = width_of(given), width_of(wanted)
    is_complex = any(isinstance(each, ir.ComplexType) for each in (given, wanted))
    if (from_width == to_width and not is_complex) or is_within(op.operation, *_SCALAR):
        raise Left
    sizes = [
        size_of(operand, dim) if known == DYNAMIC else known
        for dim, known in enumerate(result.shape[: operand.type.rank])
    ]
    sizes += result.shape[operand.type.rank :]
    empty = tensor.empty(sizes, wanted)
    parts = max(from_width, to_width) // min(from_width, to_width)

    def read(where: Sequence[ir.Value]) -> ir.Value:
        if from_width == to_width:
            words = words_of(tensor.extract(operand, list(where)))
        elif from_width > to_width:
            *outer, part = where
            words = [_cut(words_of(tensor.extract(operand, outer)), part, to_width)]
        else:
            places = [[*where, index(part)] for part in range(parts)]
            # Of complex elements the words are joined as far as one holds them.
            small = [word for at in places for word in words_of(tensor.extract(operand, at))]
            each = len(small) * small[0].type.width // 64 or 1
            count = len(small) // each
            words = [joined_words(small[n * count : (n + 1) * count]) for n in range(each)]
        return element_from(words, wanted)

    made = computed(empty, read)
    return [made if made.type == result else tensor.cast(result, made)]


def _cut(words: Sequence[ir.Value], part: ir.Value, width: int) -> ir.Value:
    """Part number `part` of `width` bits."""
    type_ = words[0].type
    each = type_.width // width
    word = words[0]
    if len(words) > 1:
        word = arith.select(compare("sge", part, each), words[1], word)
    if each > 1:
        shift = arith.muli(modulo(part, each), index(width))
        as_word = arith.index_cast(ir.IntegerType.get_signless(64), shift)
        if type_.width < 64:
            as_word = arith.trunci(type_, as_word)
        word = arith.shrui(word, as_word)
    narrow = ir.IntegerType.get_signless(width)
    return word if type_ == narrow else arith.trunci(narrow, word)
