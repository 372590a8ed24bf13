"""Torch's moves along a dim that torch-mlir refuses, or does not do in all forms."""

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import flat, unflat
from mlir_gs.frontend.common.shapes import without_unit_dims
from mlir_gs.frontend.common.slices import Window, take_windows
from mlir_gs.frontend.common.take import take_computed
from mlir_gs.frontend.torch.numbers import Spelling
from mlir_gs.frontend.torch.op import TorchOp, as_index
from mlir_gs.frontend.torch.vtensor import from_builtin
from mlir_gs.lowering.ir.asserts import require
from mlir_gs.lowering.ir.builders import dim_of, index, producer
from mlir_gs.lowering.ir.emit import compare, size_of

arith = dialect("arith")
tensor = dialect("tensor")

PARTS = Refusal(
    "an unbind into another number of parts than the size of its dim",
    "has {found} parts, and its dim the size {size}",
)
START = Refusal(
    "a narrow of a dynamic size from its end", "is not supported: start {found} of a dynamic size"
)


def integer(value: int) -> ir.Value:
    held = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    kind = ir.Type.parse("!torch.int")
    return ir.Operation.create("torch.constant.int", [kind], attributes={"value": held}).result


def _split(t: TorchOp) -> None:
    """A split in one part is the tensor, also where the size of the parts is 0 or very large."""
    for use in list(t.op.results[0].uses):
        if use.owner.name == "torch.prim.ListUnpack" and len(use.owner.results) == 1:
            whole = from_builtin(t.tensor(0), use.owner.results[0].type)
            use.owner.results[0].replace_all_uses_with(whole)
            use.owner.operation.erase()
    if not list(t.op.results[0].uses):
        t.op.erase()


def _unbind(t: TorchOp) -> None:
    """unbind(x, dim) whose result is unpacked at once: a slice for each result."""
    source = t.tensor(0)
    dim = t.dim(1, source.type.rank)
    for use in list(t.op.results[0].uses):
        if use.owner.name != "torch.prim.ListUnpack":
            return
    for use in list(t.op.results[0].uses):
        results = list(use.owner.results)
        if source.type.shape[dim] == DYNAMIC:
            fits = compare("eq", size_of(source, dim), len(results))
            require(t.op, fits, f"dim {dim} must have the size {len(results)}")
        elif source.type.shape[dim] != len(results):
            raise PARTS(found=len(results), size=source.type.shape[dim])
        for number, result in enumerate(results):
            part = take_windows(source, {dim: Window(number, 1, 1)})
            result.replace_all_uses_with(from_builtin(without_unit_dims(part, [dim]), result.type))
        use.owner.operation.erase()
    t.op.erase()


def _roll(t: TorchOp) -> ir.Value:
    """roll(x, shifts, dims) by any shifts, of which torch-mlir takes those below the sizes; without
    dims, of the flattened tensor."""
    source = t.tensor(0)
    dims = t.dims(2, source.type.rank)
    found = source if dims else flat(source)
    for shift, dim in zip(t.list(1), dims or [0], strict=True):
        size = dim_of(found, dim)
        # Of nothing no place is asked for.
        first = arith.subi(size, arith.remsi(as_index(shift), arith.maxsi(size, index(1))))

        def place(at: ir.Value, first: ir.Value = first, size: ir.Value = size) -> ir.Value:
            return arith.remui(arith.addi(at, first), size)

        found = take_computed(found, dim, size_of(found, dim), place)
    return found if dims else unflat(found, source)


def _narrow(t: TorchOp) -> None:
    """narrow(x, dim, start, length) from a start that counts from the end."""
    if producer(t.op.operands[2], "torch.constant.int") is None:
        return
    start, type_ = t.constant(2), t.type(0)
    size = type_.shape[t.dim(1, type_.rank)] if type_.rank else 1
    if start < 0 and size == DYNAMIC:
        raise START(found=start)
    if start < 0:
        t.op.operands[2] = integer(start + size)


MOVES: dict[str, Spelling] = {
    "split.Tensor": _split,
    "unbind.int": _unbind,
    "narrow": _narrow,
    "roll": _roll,
}
