"""StableHLO's sort: the order of each line along the dim, then one gather for each operand."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect import gather_elements
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common import PLAIN, check_plain
from mlir_gs.frontend.stablehlo_body import BODY, ScalarBody, scalar_bodies
from mlir_gs.frontend.stablehlo_common import STABLEHLO, arith, size, tensor
from mlir_gs.lowering.builders import index
from mlir_gs.lowering.emit import Ix, choose, compare, value

scf = dialect("scf")

Before = Callable[[ir.Value, ir.Value], ir.Value]
"""Whether the element at one position goes before the one at another."""


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
    orders = tensor.empty([size(first, d) for d in range(first.type.rank)], ir.IndexType.get())
    lines = [d for d in range(first.type.rank) if d != dim]
    orders = _each_line(operands, body, dim, lines, {}, orders)
    return [gather_elements(operand, orders, dim) for operand in operands]


def _loop(
    bounds: tuple[Ix, Ix, Ix],
    carried: Sequence[ir.Value],
    body: Callable[..., Sequence[ir.Value]],
) -> list[ir.Value]:
    """`for i in range(*bounds): carried = body(i, *carried)`."""
    loop = scf.ForOp(*(value(bound) for bound in bounds), list(carried))
    with ir.InsertionPoint(loop.body):
        scf.yield_(list(body(loop.induction_variable, *loop.inner_iter_args)))
    return list(loop.results)


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

        def run(position: ir.Value, orders: ir.Value) -> list[ir.Value]:
            return [_each_line(operands, body, dim, rest, {**at, line: position}, orders)]

        return _loop((0, size(first, line), 1), [orders], run)[0]

    def place(position: ir.Value) -> list[ir.Value]:
        return [position if d == dim else at[d] for d in range(first.type.rank)]

    def before(a: ir.Value, b: ir.Value) -> ir.Value:
        # The comparison takes the two elements of the first operand, then those of the next.
        elements = [
            tensor.extract(operands[number // 2], place(b if number % 2 else a))
            for number in body.arguments
        ]
        return body.build(elements)

    total = size(first, dim)
    order = sorted_positions(total, first.type.shape[dim], before)

    def store(position: ir.Value, orders: ir.Value) -> list[ir.Value]:
        return [tensor.insert(tensor.extract(order, [position]), orders, place(position))]

    return _loop((0, total, 1), [orders], store)[0]


def sorted_positions(total: Ix, static: int, before: Before) -> ir.Value:
    """0..total-1 in order: a merge sort from the bottom, elements that tie keep their places."""
    extent = [value(total)] if static == DYNAMIC else [static]
    start = tensor.empty(extent, ir.IndexType.get())
    start = _loop((0, total, 1), [start], lambda i, order: [tensor.insert(i, order, [i])])[0]
    scratch = tensor.empty(extent, ir.IndexType.get())
    types = [start.type, start.type, ir.IndexType.get()]
    passes = scf.WhileOp(types, [start, scratch, index(1)])
    locations = [passes.location] * 3
    condition, step = (
        region.blocks.append(*types, arg_locs=locations) for region in passes.regions
    )
    with ir.InsertionPoint(condition):
        scf.condition(
            compare("slt", condition.arguments[2], value(total)), list(condition.arguments)
        )
    with ir.InsertionPoint(step):
        order, merged, width = step.arguments
        twice = arith.muli(width, index(2))

        def merge(low: ir.Value, merged: ir.Value) -> list[ir.Value]:
            middle = arith.minsi(arith.addi(low, width), value(total))
            high = arith.minsi(arith.addi(middle, width), value(total))
            return [_merge(order, merged, low, middle, high, before)]

        merged = _loop((0, total, twice), [merged], merge)[0]

        def copy(i: ir.Value, order: ir.Value) -> list[ir.Value]:
            return [tensor.insert(tensor.extract(merged, [i]), order, [i])]

        scf.yield_([_loop((0, total, 1), [order], copy)[0], merged, twice])
    return passes.results[0]


def _merge(
    order: ir.Value,
    merged: ir.Value,
    low: ir.Value,
    middle: ir.Value,
    high: ir.Value,
    before: Before,
) -> ir.Value:
    """Merge the runs [low, middle) and [middle, high) of `order` into `merged`."""
    truth = ir.IntegerType.get_signless(1)
    one, zero = index(1), index(0)

    def take(i: ir.Value, merged: ir.Value, left: ir.Value, right: ir.Value) -> Sequence[ir.Value]:
        def right_is_next() -> ir.Value:
            return choose(
                compare("slt", right, high),
                truth,
                lambda: before(tensor.extract(order, [right]), tensor.extract(order, [left])),
                lambda: arith.constant(truth, 0),
            )

        from_right = choose(
            compare("slt", left, middle), truth, right_is_next, lambda: arith.constant(truth, 1)
        )
        source = tensor.extract(order, [arith.select(from_right, right, left)])
        return [
            tensor.insert(source, merged, [i]),
            arith.addi(left, arith.select(from_right, zero, one)),
            arith.addi(right, arith.select(from_right, one, zero)),
        ]

    return _loop((low, high, 1), [merged, low, middle], take)[0]
