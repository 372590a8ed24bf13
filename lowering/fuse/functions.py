"""Functions, as exp, that are stored though one loop reads them.

LLVM computes them in vectors there, and one element at a time where points scatter elements or
where complex ones read coordinates.
"""

from math import prod

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.fuse.loops import Loops, Read

_IN_INSTRUCTIONS = ("abs", "floor", "ceil", "sqrt", "fma", "trunc", "round", "copysign", "ct", "is")
_PARTS = ("re", "im", "create", "constant", "bitcast", "add", "sub", "mul", "neg", "conj", "eq")
_FEW_OPS = (*(f"math.{n}" for n in _IN_INSTRUCTIONS), *(f"complex.{n}" for n in _PARTS))
"""How the names of those ops of both dialects begin that are a few instructions. All others count
as functions: values are the same, whatever is missing here."""


def scatters_functions(loops: Loops, made: Loops) -> bool:
    """Functions that are no instructions, where points in a row write elements that are not."""
    return any(
        w.exprs and symbols_of(w.exprs[-1]) and not dims_in(w.exprs[-1]) for w in loops.writes
    ) and _has_functions(made, "math.", "complex.")


def reads_few(consumer: Loops, read: Read) -> bool:
    """Half or more of the elements is not read here: to compute all of them may take any multiple
    of the time."""
    sizes = list(read.value.type.shape)
    pairs = list(zip(read.exprs, sizes, strict=True))
    if DYNAMIC in sizes:
        return any(isinstance(e, ir.AffineConstantExpr) and n != 1 for e, n in pairs)
    structure = consumer.structure
    points = [structure.static_extent(dim) for dim in range(consumer.rank)]
    return DYNAMIC not in points and 2 * prod(points) <= prod(sizes)


def reads_for_complex(consumer: Loops, made: Loops) -> bool:
    """One has complex functions, which LLVM does in vectors, the other coordinates, with which it
    does not."""
    pair = (consumer, made), (made, consumer)
    return any(_has_functions(a, "complex.") and not a.symbols and b.symbols for a, b in pair)


def _has_functions(loops: Loops, *dialects: str) -> bool:
    names = [op.operation.name for block in loops.bodies for op in block.operations]
    return any(n.startswith(dialects) and not n.startswith(_FEW_OPS) for n in names)
