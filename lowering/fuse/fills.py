"""linalg.generics that are fills become `linalg.fill`, by which the lowering knows them.

Upstream's linalg-specialize-generic-ops also renames sums, which loses their fastmath flags.
"""

from mlir_gs.dialect._bindings import dialect, ir

linalg = dialect("linalg")


def name_fills(block: ir.Block) -> None:
    """Each linalg.generic on tensors in `block` that writes one value everywhere becomes a
    linalg.fill, which `initial.py` lets a `gs.generic` start from."""
    for op in list(block.operations):
        op = op.operation
        value = _filler(op)
        if value is None:
            continue
        with op.location, ir.InsertionPoint(op):
            filled = linalg.fill(value, outs=[op.operands[len(op.operands) - 1]])
        op.results[0].replace_all_uses_with(filled)
        op.erase()


def _filler(op: ir.Operation) -> ir.Value | None:
    """The value that `op` writes to all of its one output; None if it is no fill."""
    if op.name != "linalg.generic" or len(op.results) != 1 or len(op.operands) != 2:
        return None
    value, output = op.operands
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    if isinstance(value.type, ir.ShapedType) or not maps[1].is_permutation:
        return None
    block = op.regions[0].blocks[0]
    (last, *others) = reversed(list(block.operations))
    if others or last.operands[0] != block.arguments[0]:
        return None
    return value if value.type == output.type.element_type else None
