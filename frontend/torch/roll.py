"""Torch's roll, of which torch-mlir takes shifts below the sizes."""

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.elementwise import unflat
from mlir_gs.frontend.common.take import take_computed
from mlir_gs.frontend.torch.op import TorchOp, as_index
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import flat, size_of

arith = dialect("arith")


def roll(t: TorchOp) -> ir.Value:
    """roll(x, shifts, dims) by any shifts; without dims, of the flattened tensor."""
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
