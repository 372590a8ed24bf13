"""linalg.generic that reads at places that its body computes."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.lowering.ir import affine_rewrites
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.ir.emit import Ix, size_of
from mlir_gs.lowering.raising.accesses import LOADS, PURE
from mlir_gs.lowering.raising.disjoint import Around, replaced
from mlir_gs.lowering.raising.modes import Reader
from mlir_gs.lowering.raising.nest import Nest, Read, Write
from mlir_gs.lowering.raising.places import Left, Place

_HARMLESS = ("linalg.index", "linalg.yield", "scf.if", "scf.yield", "cf.assert", *LOADS)


def raise_linalg(op: ir.Operation, around: Around | None = None) -> None:
    """Replace a linalg.generic by a `gs.generic`.

    before: `y[i, j] = x[min(max(c[i], 0), n - 1), j]` by tensor.extract or memref.load
    after:  the same by a symbol for c[i] under mode clip

    Raises Left.
    """
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    inner = [each for each in walk(op) if not each.name.startswith(PURE)]
    for each in inner:
        if each.name not in _HARMLESS:
            raise Left(f"'{each.name}' is no arithmetic", each)
    reader = Reader(op)
    try:
        nest = Nest(op, reader, _extents(op, reader, maps))
        count = next(iter(op.attributes["operandSegmentSizes"]))
        block = op.regions[0].blocks[0]
        end = list(block.operations)[-1]
        for each in inner:
            if each.name == "linalg.index":
                number = each.attributes["dim"].value
                reader.known[each.results[0]] = Place(affine_rewrites.dim(number))
        accesses = zip(op.operands, maps, block.arguments, strict=True)
        for number, (operand, map_, argument) in enumerate(accesses):
            places = tuple(map(Place, map_.results))
            if not isinstance(operand.type, ir.ShapedType):
                nest.bindings[argument] = operand
            elif number < count:
                nest.reads.append(Read(operand, places, [argument], fits=True))
                reader.elements[argument] = (operand, places)
            else:
                value = end.operands[number - count]
                write = Write(operand, places, value, [argument], fits=True)
                write.result = list(op.results)[number - count] if len(op.results) else None
                nest.writes.append(write)
        nest.check(block)
        nest.collect()
        replaced(nest, around)
    finally:
        reader.discard()


def _extents(op: ir.Operation, reader: Reader, maps: list[ir.AffineMap]) -> list[Ix]:
    found: dict[int, Ix] = {}
    for operand, map_ in zip(op.operands, maps, strict=True):
        for position, expr in enumerate(map_.results):
            dim = plain_dim(expr)
            if dim is None:
                continue
            size = operand.type.shape[position]
            if dim not in found or (size >= 0 and not isinstance(found[dim], int)):
                found[dim] = reader.compute(
                    ("size", operand, position), lambda o=operand, p=position: size_of(o, p)
                )
    if len(found) < maps[0].n_dims:
        raise Left("no operand has the size of a loop")
    return [found[dim] for dim in range(maps[0].n_dims)]
