"""Parallel loops that add to what an output held, which upstream's fusion may do repeatedly."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import destination
from mlir_gs.lowering.ir.builders import dim_of, producer, replace_op, tensor, walk_named

_ENDS = ("func.return", "scf.yield", "tensor.dim")


def read_outputs_as_inputs(module: ir.Operation) -> None:
    """Let the parallel loops of `module` read the initial elements of outputs as those of inputs.

    before: `linalg.generic ins(%x) outs(%init) { %init + %x }`, all dims parallel
    after:  `linalg.generic ins(%x, %init) outs(%empty) { %init + %x }`

    linalg-fuse-elementwise-ops may make the result one more output of an op that has more loops.
    That writes each element several times: what it writes must not depend on what is there. Where
    `%init` is filled with a scalar, the body uses that. Does not apply where no op reads the
    result.
    """
    for op in walk_named(module, "linalg.generic"):
        if _is_read(op):
            _read_as_inputs(op)


def _is_read(op: ir.Operation) -> bool:
    """Whether an op reads the result of a linalg.generic, all of whose dims are parallel."""
    kinds = op.attributes["iterator_types"]
    users = (use.owner.operation.name for result in op.results for use in result.uses)
    return all("parallel" in str(kind) for kind in kinds) and any(u not in _ENDS for u in users)


def _read_as_inputs(op: ir.Operation) -> None:
    count, results = op.attributes["operandSegmentSizes"]
    maps = [attribute.value for attribute in op.attributes["indexing_maps"]]
    block = op.regions[0].blocks[0]
    operands, read = list(op.operands), []
    for number in range(count, count + results):
        init, argument = operands[number], block.arguments[number]
        if not list(argument.uses) or not maps[number].is_permutation:
            continue
        fill = producer(init, "linalg.fill")
        with op.location, ir.InsertionPoint(op):
            if fill is not None and fill.operands[0].type == argument.type:
                argument.replace_all_uses_with(fill.operands[0])
                op.operands[number] = fill.operands[1]
            elif producer(init, "tensor.empty") is None:
                op.operands[number] = fresh_output(init)
                read.append(number)
    if not read:
        return
    order = [*range(count), *read, *range(count, count + results)]
    attributes = {name: op.attributes[name] for name in op.attributes}
    maps = [op.attributes["indexing_maps"][number] for number in order]
    attributes["indexing_maps"] = ir.ArrayAttr.get(maps)
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([count + len(read), results])
    before = [operands[n] for n in read]
    with op.location, ir.InsertionPoint(op):
        new = ir.Operation.create(
            op.name,
            results=[result.type for result in op.results],
            operands=[*list(op.operands)[:count], *before, *list(op.operands)[count:]],
            attributes=attributes,
            regions=1,
        )
        types = [block.arguments[n].type for n in order]
        body = new.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    for number, argument in enumerate(list(block.arguments)):
        # An output that is read comes twice: first as the input.
        argument.replace_all_uses_with(body.arguments[order.index(number)])
    for inner in list(block.operations):
        body.append(inner)
    replace_op(op, new.results)


def fresh_output(init: ir.Value) -> ir.Value:
    """A `tensor.empty` of the type and sizes of `init`, which depends on nothing that made it."""
    root = init
    while (outer := destination(root)) is not None:
        root = outer
    shape = list(init.type.shape)
    sizes = [dim_of(root, d) if size == DYNAMIC else size for d, size in enumerate(shape)]
    return tensor.empty(sizes, init.type.element_type)
