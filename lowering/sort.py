"""A stable merge sort of positions by their coordinate tuples, in scf loops on tensors."""

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.builders import arith, dim_of, index, tensor
from mlir_gs.lowering.coordinates import as_index
from mlir_gs.lowering.emit import choose, compare

scf = dialect("scf")


def sorted_positions(indices: ir.Value, already: bool) -> ir.Value:
    """0..n-1 in ascending lexicographic order of `indices` [n, k]; equal tuples keep their order.

    `already`: the tuples are in ascending order, nothing is sorted.
    """
    total = dim_of(indices, 0)
    size = indices.type.shape[0]
    type_ = ir.RankedTensorType.get([size], ir.IndexType.get())
    iota = tensor.GenerateOp(type_, [total] if size == DYNAMIC else [])
    block = iota.operation.regions[0].blocks.append(ir.IndexType.get(), arg_locs=[iota.location])
    with ir.InsertionPoint(block):
        tensor.YieldOp(block.arguments[0])
    if already:
        return iota.result
    scratch = tensor.empty([total] if size == DYNAMIC else [size], ir.IndexType.get())
    types = [type_, type_, ir.IndexType.get()]
    passes = scf.WhileOp(types, [iota.result, scratch, index(1)])
    locations = [passes.location] * 3
    before = passes.operation.regions[0].blocks.append(*types, arg_locs=locations)
    with ir.InsertionPoint(before):
        scf.condition(compare("slt", before.arguments[2], total), list(before.arguments))
    after = passes.operation.regions[1].blocks.append(*types, arg_locs=locations)
    with ir.InsertionPoint(after):
        order, merged, width = after.arguments
        merged = _merge_runs(indices, order, merged, width, total)
        order = _copied(merged, order, total)
        scf.yield_([order, merged, arith.muli(width, index(2))])
    return passes.results[0]


def _merge_runs(
    indices: ir.Value, order: ir.Value, merged: ir.Value, width: ir.Value, total: ir.Value
) -> ir.Value:
    """Merge neighbouring sorted runs of `width` of `order` into `merged`."""
    runs = scf.ForOp(index(0), total, arith.muli(width, index(2)), [merged])
    with ir.InsertionPoint(runs.body):
        low = runs.induction_variable
        middle = arith.minsi(arith.addi(low, width), total)
        high = arith.minsi(arith.addi(middle, width), total)
        places = scf.ForOp(low, high, index(1), [runs.inner_iter_args[0], low, middle])
        with ir.InsertionPoint(places.body):
            target, left, right = places.inner_iter_args
            i1 = ir.IntegerType.get_signless(1)
            false, true = arith.constant(i1, 0), arith.constant(i1, 1)

            def left_is_next() -> ir.Value:
                return choose(
                    compare("sge", right, high), i1, lambda: true,
                    lambda: _not_after(indices, order, left, right),
                )  # fmt: skip

            from_left = choose(compare("slt", left, middle), i1, left_is_next, lambda: false)
            source = arith.select(from_left, left, right)
            target = tensor.insert(
                tensor.extract(order, [source]), target, [places.induction_variable]
            )
            one, zero = index(1), index(0)
            scf.yield_(
                [
                    target,
                    arith.addi(left, arith.select(from_left, one, zero)),
                    arith.addi(right, arith.select(from_left, zero, one)),
                ]
            )
        scf.yield_([places.results[0]])
    return runs.results[0]


def _copied(source: ir.Value, target: ir.Value, total: ir.Value) -> ir.Value:
    copy = scf.ForOp(index(0), total, index(1), [target])
    with ir.InsertionPoint(copy.body):
        place = copy.induction_variable
        moved = tensor.insert(tensor.extract(source, [place]), copy.inner_iter_args[0], [place])
        scf.yield_([moved])
    return copy.results[0]


def _tuple(indices: ir.Value, order: ir.Value, place: ir.Value) -> list[ir.Value]:
    position = tensor.extract(order, [place])
    return [
        as_index(tensor.extract(indices, [position, index(j)]))
        for j in range(indices.type.shape[1])
    ]


def _less(indices: ir.Value) -> str:
    element = indices.type.element_type
    return "ult" if isinstance(element, ir.IntegerType) and element.is_unsigned else "slt"


def _not_after(indices: ir.Value, order: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
    """The tuple at place `a` is less than or equal to the tuple at place `b`."""
    result = arith.constant(ir.IntegerType.get_signless(1), 1)
    pairs = list(zip(_tuple(indices, order, a), _tuple(indices, order, b), strict=True))
    for x, y in reversed(pairs):
        tie = arith.andi(compare("eq", x, y), result)
        result = arith.ori(compare(_less(indices), x, y), tie)
    return result


def starts_new_bin(indices: ir.Value, order: ir.Value, place: ir.Value) -> ir.Value:
    """The tuple at `place` of `order` differs from the one before, or there is none before."""
    i1 = ir.IntegerType.get_signless(1)

    def differs() -> ir.Value:
        before = arith.subi(place, index(1))
        result = arith.constant(i1, 0)
        for x, y in zip(_tuple(indices, order, before), _tuple(indices, order, place), strict=True):
            result = arith.ori(result, compare("ne", x, y))
        return result

    first = compare("eq", place, 0)
    return choose(first, i1, lambda: arith.constant(i1, 1), differs)
