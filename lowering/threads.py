"""Running one op on several threads: the loops in a function, called once or once per thread."""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.builders import index, remap, walk
from mlir_gs.lowering.emit import Ix, add, ceil_div, compare, minimum, mul, scf, value

func = dialect("func")

# Bytes below which starting threads costs more than they save: about 20 us of work.
SERIAL_BYTES = 1 << 18

Emit = Callable[[ir.Operation, ir.Value, ir.Value], None]


def captured_values(op: ir.Operation) -> list[ir.Value]:
    """Values that the region of `op` uses and that are defined outside of it."""
    inside = {result for nested in walk(op) for result in nested.results}
    inside |= {argument for region in op.regions for b in region.blocks for argument in b.arguments}
    for nested in walk(op):
        for region in nested.regions:
            for block in region.blocks:
                inside |= set(block.arguments)
    found = []
    for nested in walk(op):
        for operand in nested.operands:
            if operand not in inside and operand not in found:
                found.append(operand)
    return found


def outline(op: ir.Operation, name: str, emit: Emit) -> list[ir.Value]:
    """A private function that runs `emit(op, lower, upper)`; returns its first arguments.

    The function takes what `op` takes and uses, then the bounds of its part.
    """
    arguments = [*op.operands, *captured_values(op)]
    types = [argument.type for argument in arguments]
    module = op
    while module.name != "builtin.module":
        module = module.parent
    with ir.InsertionPoint(module.regions[0].blocks[0]):
        kernel = func.FuncOp(name, ([*types, ir.IndexType.get(), ir.IndexType.get()], []))
    kernel.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
    kernel.operation.attributes["no_inline"] = ir.UnitAttr.get()
    block = kernel.add_entry_block()
    with ir.InsertionPoint(block):
        clone = op.clone()
        remap(clone, dict(zip(arguments, block.arguments, strict=False)))
        emit(clone, block.arguments[len(types)], block.arguments[len(types) + 1])
        clone.erase()
        func.ReturnOp([])
    return arguments


def call_in_parts(
    name: str,
    arguments: Sequence[ir.Value],
    extent: Ix,
    grain: int,
    work: Ix,
    threads: int,
) -> None:
    """Call the kernel on [0, extent) at once, or on `threads` parts of it side by side.

    Parts are multiples of `grain`; one call is made where `work`, not known to be SERIAL_BYTES or
    more, is less at run time.
    """

    def call(lower: Ix, upper: Ix) -> None:
        func.call([], name, [*arguments, value(lower), value(upper)])

    def on_threads() -> None:
        pieces = ceil_div(extent, threads * grain)
        chunk = mul(pieces, grain)
        loop = scf.ParallelOp([], [index(0)], [index(threads)], [index(1)], [])
        location = loop.location
        block = loop.operation.regions[0].blocks.append(ir.IndexType.get(), arg_locs=[location])
        with ir.InsertionPoint(block):
            lower = minimum(mul(block.arguments[0], chunk), extent)
            call(lower, minimum(add(lower, chunk), extent))
            scf.ReduceOp([], 0)

    if isinstance(work, int):
        on_threads()
        return
    branch = scf.IfOp(compare("slt", work, SERIAL_BYTES), has_else=True)
    with ir.InsertionPoint(branch.then_block):
        call(0, extent)
        scf.yield_([])
    with ir.InsertionPoint(branch.else_block):
        on_threads()
        scf.yield_([])
