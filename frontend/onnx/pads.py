"""ONNX's Pad by elements of the tensor itself."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Left
from mlir_gs.frontend.common.take import take_computed
from mlir_gs.frontend.onnx.gather_scatter import COMMON, result
from mlir_gs.frontend.onnx.node import ONNX, Node, expect, expect_sizes
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import add, compare, size_of

arith = dialect("arith")

_PADS = 1
_AXES = 3


@ONNX.converts(
    "onnx.Pad", {"reflect, edge and wrap by constant amounts": "`gs.generic`"}, refuses=COMMON
)
def convert_pad(node: Node) -> Sequence[ir.Value]:
    """Modes other than constant: coordinates along each dim, reflected, clamped or modulo."""
    mode = node.attribute("mode", "string", "constant")
    amounts = node.integers(_PADS) if node.has(_PADS) else node.attribute("pads", "ints", [])
    found = node.input(0)
    rank = found.type.rank
    axes = node.integers(_AXES) if node.has(_AXES) else list(range(rank))
    if mode not in _PLACES or amounts is None or axes is None or len(amounts) != 2 * len(axes):
        raise Left
    for number, axis in enumerate(axes):
        before, after = amounts[number], amounts[number + len(axes)]
        if before or after:
            found = _padded(found, axis % rank, before, after, mode)
    return result(node, expect_sizes(found, node.result_type(), "onnx.Pad"))


def _padded(source: ir.Value, axis: int, before: int, after: int, mode: str) -> ir.Value:
    extent, size = dim_of(source, axis), size_of(source, axis)
    least = max(before, after) if mode == "reflect" else 0
    expect(compare("sgt", extent, least), f"'onnx.Pad' dim {axis} is too small to {mode}")
    length = add(size, before + after)

    def place(at: ir.Value) -> ir.Value:
        return _PLACES[mode](arith.subi(at, index(before)), extent)

    return take_computed(source, axis, length, place)


def _edge(at: ir.Value, extent: ir.Value) -> ir.Value:
    return arith.maxsi(arith.minsi(at, arith.subi(extent, index(1))), index(0))


def _wrap(at: ir.Value, extent: ir.Value) -> ir.Value:
    rest = arith.remsi(at, extent)
    return arith.select(compare("slt", rest, 0), arith.addi(rest, extent), rest)


def _reflect(at: ir.Value, extent: ir.Value) -> ir.Value:
    """At most once at each end."""
    last = arith.subi(extent, index(1))
    inside = arith.maxsi(at, arith.subi(index(0), at))
    return arith.minsi(inside, arith.subi(arith.addi(last, last), inside))


_PLACES = {"edge": _edge, "reflect": _reflect, "wrap": _wrap}
