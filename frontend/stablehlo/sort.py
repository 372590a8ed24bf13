"""StableHLO's sort: the order of each line along the dim, then one gather for each operand."""

from collections.abc import Sequence

from mlir_gs.dialect import gather_elements
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import PLAIN, Refused, check_plain
from mlir_gs.frontend.stablehlo.body import BODY, ScalarBody, scalar_bodies
from mlir_gs.frontend.stablehlo.common import STABLEHLO, tensor
from mlir_gs.frontend.stablehlo.constants import sliced
from mlir_gs.lowering.facts.sorts import ASCENDING, ascends
from mlir_gs.lowering.ir import emit
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.ir.emit import Ix, loop_carrying, size_of, value
from mlir_gs.lowering.named.sort import first_positions, sorted_positions


@STABLEHLO.converts(
    "stablehlo.sort",
    {
        "every form": "a stable merge sort of positions in `scf`, one `gs.gather_elements` each",
        "of which only first elements are used, few": "those are found in one pass",
    },
    refuses=(*PLAIN, *BODY),
)
def convert_sort(op: ir.OpView) -> Sequence[ir.Value]:
    """`stablehlo.sort` --> positions in order, and `gs.gather_elements` by them."""
    operands, dim = list(op.operands), _dim(op)
    if operands[0].type.shape[dim] in (0, 1):
        return operands
    results = _sorted(op, dim, None)
    for number, result in enumerate(results):
        element = result.type.element_type
        signed = isinstance(element, ir.IntegerType) and element.is_signless
        if signed and result.type.rank == 1 and ascends(op.operation, number):
            result.owner.attributes[ASCENDING] = ir.UnitAttr.get()
    return results


def select_first(module: ir.Operation) -> None:
    """Rewrite each sort of which only the first elements are used, as by `chlo.top_k`.

    before: `stablehlo.sort`, of whose results `stablehlo.slice` takes the first k along the dim
    after:  the positions of the k first, found in one pass, and `gs.gather_elements` by them
    """
    for op in walk_named(module, "stablehlo.sort"):
        dim = _dim(op)
        slices = [use.owner.operation for result in op.results for use in result.uses]
        counts = {_first(each, dim) for each in slices}
        size = op.operands[0].type.shape[dim]
        count = next(iter(counts), None)
        if len(counts) != 1 or count is None or size == DYNAMIC:
            continue
        # Each element may move `count` others, and a sort compares it as often as the size has
        # bits: a comparison that is not foreseen costs as much as some twenty moves.
        if not 0 < count <= min(size, 20 * size.bit_length()):
            continue
        with op.location, ir.InsertionPoint(op):
            try:
                made = _sorted(op, dim, count)
            except Refused:
                continue
        for each in slices:
            number = list(op.results).index(each.operands[0])
            each.results[0].replace_all_uses_with(made[number])
            each.erase()
        op.erase()


def sort_all(module: ir.Operation) -> None:
    """`@ApproxTopK(x, ..., initial, ...)` --> `stablehlo.sort(x, ...)` and slices: exact."""
    functions, names = ir.SymbolTable(module), set[str]()
    total = ir.Attribute.parse("#stablehlo<comparison_type TOTALORDER>", module.context)
    for op in walk_named(module, "stablehlo.custom_call"):
        found = _comparison(op, functions)
        if found is None:
            continue
        name, dim = found
        names.add(name)
        with op.location, ir.InsertionPoint(op):
            given = list(op.operands)[: len(op.results)]
            types, at = [x.type for x in given], {"dimension": dim}
            order = ir.Operation.create("stablehlo.sort", types, given, at, regions=1)
            copy = functions[name].operation.clone()
            for each in walk_named(copy, "stablehlo.compare"):
                # As of top_k: NaN has no place in the order otherwise.
                each.attributes["compare_type"] = total
            copy.regions[0].blocks[0].append_to(order.regions[0])
            copy.erase()
            for old, new in zip(op.results, order.results, strict=True):
                starts, steps = [0] * new.type.rank, [1] * new.type.rank
                if old.type.has_static_shape:
                    taken = sliced(new, starts, old.type.shape, steps)
                else:
                    sizes = enumerate(old.type.shape)
                    known = [size_of(new, d) if n == DYNAMIC else n for d, n in sizes]
                    taken = emit.sliced(new, starts, known)
                old.replace_all_uses_with(taken)
        op.erase()
    for name in names:
        functions.erase(functions[name])


def _comparison(op: ir.Operation, functions: ir.SymbolTable) -> tuple[str, ir.Attribute] | None:
    """The function by which `@ApproxTopK` sorts, and its dim; None where the call is another."""
    config, called = "mhlo.backend_config", "called_computations"
    if str(op.attributes["call_target_name"]) != '"ApproxTopK"' or config not in op.attributes:
        return None
    config = op.attributes[config]
    named = list(op.attributes[called]) if called in op.attributes else []
    if len(named) != 1 or not isinstance(config, ir.DictAttr) or "reduction_dim" not in config:
        return None
    name, dim = ir.FlatSymbolRefAttr(named[0]).value, config["reduction_dim"]
    types = [value.type for value in (*list(op.operands)[: len(op.results)], *op.results)]
    if name not in functions or not all(isinstance(each, ir.RankedTensorType) for each in types):
        return None
    given, made = types[: len(op.results)], types[len(op.results) :]
    compared = [ir.RankedTensorType.get([], type_.element_type) for type_ in given for _ in "ab"]
    truth = ir.RankedTensorType.get([], ir.IntegerType.get_signless(1))
    function = functions[name].operation
    if (
        function.attributes["function_type"]
        == ir.TypeAttr.get(ir.FunctionType.get(compared, [truth]))
        and len(function.regions[0].blocks) == 1
        and [(t.rank, t.element_type) for t in given] == [(t.rank, t.element_type) for t in made]
        and isinstance(dim, ir.IntegerAttr)
        and given
        and -given[0].rank <= dim.value < given[0].rank
    ):
        return name, dim
    return None


def _first(op: ir.Operation, dim: int) -> int | None:
    """How many of the first elements along `dim` the slice takes, all along other dims."""
    if op.name != "stablehlo.slice":
        return None
    given, taken = list(op.operands[0].type.shape), list(op.results[0].type.shape)
    starts, steps = (list(op.attributes[name]) for name in ("start_indices", "strides"))
    others = [d for d in range(len(given)) if d != dim]
    if any(starts) or set(steps) - {1} or any(given[d] != taken[d] for d in others):
        return None
    return taken[dim]


def _dim(op: ir.Operation | ir.OpView) -> int:
    dim = ir.IntegerAttr(op.attributes["dimension"]).value
    return dim + op.operands[0].type.rank if dim < 0 else dim


def _sorted(op: ir.Operation | ir.OpView, dim: int, count: int | None) -> list[ir.Value]:
    """The operands sorted along `dim`, the `count` first of each line or all."""
    operands = list(op.operands)
    for operand in operands:
        check_plain(operand=operand)
    (body,) = scalar_bodies(op.regions[0])
    rank = operands[0].type.rank
    sizes = [size_of(operands[0], d) for d in range(rank)]
    sizes[dim] = sizes[dim] if count is None else count
    orders = tensor.empty(sizes, ir.IndexType.get())
    lines = [d for d in range(rank) if d != dim]
    orders = _each_line(operands, body, dim, lines, {}, orders)
    return [gather_elements(operand, orders, dim, unique=True) for operand in operands]


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

    total, count = size_of(first, dim), size_of(orders, dim)
    is_all = orders.type.shape[dim] == first.type.shape[dim]
    order = sorted_positions(total, before) if is_all else first_positions(total, count, before)

    def store(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        at = value(position)
        return [tensor.insert(tensor.extract(order, [at]), carried[0], place(at))]

    return loop_carrying(0, count, [orders], store)[0]
