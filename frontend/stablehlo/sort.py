"""StableHLO's sort: the order of each line along the dim, then one gather for each operand."""

from collections.abc import Sequence

from mlir_gs.dialect import gather_elements
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.common import PLAIN, check_plain
from mlir_gs.frontend.stablehlo.body import BODY, ScalarBody, scalar_bodies
from mlir_gs.frontend.stablehlo.common import STABLEHLO, tensor
from mlir_gs.lowering.facts.sorts import ASCENDING, ascends
from mlir_gs.lowering.ir.emit import Ix, loop_carrying, size_of, value
from mlir_gs.lowering.named.sort import sorted_positions


@STABLEHLO.converts(
    "stablehlo.sort",
    {"every form": "a stable merge sort of positions in `scf`, one `gs.gather_elements` each"},
    refuses=(*PLAIN, *BODY),
)
def convert_sort(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.sort` --> positions in order, and `gs.gather_elements` by them."""
    operands = list(op.operands)
    for operand in operands:
        check_plain(operand=operand)
    first, (body,) = operands[0], scalar_bodies(op.regions[0])
    dim = ir.IntegerAttr(op.attributes["dimension"]).value
    dim += first.type.rank if dim < 0 else 0
    if first.type.shape[dim] in (0, 1):
        return operands
    orders = tensor.empty([size_of(first, d) for d in range(first.type.rank)], ir.IndexType.get())
    lines = [d for d in range(first.type.rank) if d != dim]
    orders = _each_line(operands, body, dim, lines, {}, orders)
    results = [gather_elements(operand, orders, dim, unique=True) for operand in operands]
    for number, result in enumerate(results):
        element = result.type.element_type
        signed = isinstance(element, ir.IntegerType) and element.is_signless
        if signed and result.type.rank == 1 and ascends(op.operation, number):
            result.owner.attributes[ASCENDING] = ir.UnitAttr.get()
    return results


def _each_line(
    operands: Sequence[ir.Value],
    body: ScalarBody,
    dim: int,
    lines: Sequence[int],
    at: dict[int, ir.Value],
    orders: ir.Value,
) -> ir.Value:
    """Fill `orders` with the order of each line along `dim`; `lines` are the dims left to run."""
    first = operands[0]
    if lines:
        line, *rest = lines

        def run(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            where = {**at, line: value(position)}
            return [_each_line(operands, body, dim, rest, where, carried[0])]

        return loop_carrying(0, size_of(first, line), [orders], run)[0]

    def place(position: ir.Value) -> list[ir.Value]:
        return [position if d == dim else at[d] for d in range(first.type.rank)]

    def before(a: ir.Value, b: ir.Value) -> ir.Value:
        # The comparison takes the two elements of the first operand, then those of the next.
        elements = [
            tensor.extract(operands[number // 2], place(b if number % 2 else a))
            for number in body.arguments
        ]
        return body.build(elements)

    total = size_of(first, dim)
    order = sorted_positions(total, before)

    def store(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        at = value(position)
        return [tensor.insert(tensor.extract(order, [at]), carried[0], place(at))]

    return loop_carrying(0, total, [orders], store)[0]
