"""Torch's views of dynamic sizes, which torch-mlir's own conversion gets wrong.

It pairs dims from the front where their sizes are unknown: `[?, ?, 4]` viewed as `[-1, 4]` would
become `[first, the others]`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.elementwise import sizes_of
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.torch.op import TorchOp, as_index
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import index, producer, replace_op, walk_named
from mlir_gs.lowering.ir.emit import compare, flat, mul, product, value

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")

_VIEWS = ("torch.aten.view", "torch.aten.reshape", "torch.aten._unsafe_view")


@register_pass
@dataclass(frozen=True)
class TorchViewsToTensor:
    """Convert views of tensors with dynamic sizes: to one dim, and that to the dims of the view."""

    name: ClassVar[str] = "torch-views-to-tensor"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, *_VIEWS):
            t = TorchOp(op.opview)
            shapes = (t.type(0).shape, t.of_result().shape)
            if producer(op.operands[1], "torch.prim.ListConstruct") is None:
                continue
            if any(DYNAMIC in shape for shape in shapes):
                with op.location, ir.InsertionPoint(op):
                    found = t.result(_view(t, shapes[1]))
                replace_op(op, [found])


def _view(t: TorchOp, declared: Sequence[int]) -> ir.Value:
    source = t.tensor(0)
    total = product(sizes_of(source))
    line = flat(source)
    if not declared:
        return tensor.collapse_shape(_typed([], line), _as_type(line, [1]), [])
    sizes = _sizes(t, total)
    shape = [
        size if isinstance(size, int) else known
        for size, known in zip(sizes, declared, strict=True)
    ]
    if len(shape) == 1:
        return _as_type(line, shape)
    given = [value(size) for size, known in zip(sizes, shape, strict=True) if known == DYNAMIC]
    if DYNAMIC not in shape:
        line = _as_type(line, [prod(shape)])
    return tensor.expand_shape(
        _typed(shape, line), line, [list(range(len(shape)))], given, list(shape)
    )


def _sizes(t: TorchOp, total: Int) -> list[Int]:
    """The sizes of the view; one that is -1 takes what the others leave."""
    given: list[Int] = []
    for each in t.list(1):
        constant = producer(each, "torch.constant.int")
        given.append(as_index(each) if constant is None else constant.attributes["value"].value)
    known: Int = 1
    for size in given:
        if isinstance(size, int):
            known = mul(known, size) if size >= 0 else known
        else:
            known = mul(known, arith.select(compare("slt", size, 0), index(1), size))
    divisor = max(known, 1) if isinstance(known, int) else arith.maxsi(known, index(1))
    # Where a known size is 0, torch-mlir's products still mean the dims in front by a leading -1.
    source = t.tensor(0)
    front = product(sizes_of(source)[: max(source.type.rank - len(given) + 1, 0)])
    rest = arith.divui(value(total), value(divisor))
    leading = arith.select(compare("eq", value(known), 0), value(front), rest)
    sizes: list[Int] = []
    for size in given:
        if isinstance(size, int):
            sizes.append(size if size >= 0 else rest if sizes else leading)
        else:
            left = rest if sizes else leading
            sizes.append(arith.select(compare("slt", size, 0), left, size))
    count = product(sizes)
    if not (isinstance(count, int) and isinstance(total, int)):
        fits = compare("eq", count, total)
        cf.AssertOp(fits, "the sizes of a view hold another number of elements than the tensor")
    return sizes


def _typed(shape: Sequence[int], like: ir.Value) -> ir.Type:
    return ir.RankedTensorType.get(shape, like.type.element_type)


def _as_type(line: ir.Value, shape: Sequence[int]) -> ir.Value:
    wanted = _typed(shape, line)
    return line if line.type == wanted else tensor.cast(wanted, line)
