"""Running one op on several threads: the loops in a function, called once or once per thread."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import (
    arith,
    cloned_constant,
    erase_unused,
    index,
    is_within,
    module_of,
    producer,
    remap,
    walk,
)
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    ceil_div,
    compare,
    either,
    maximum,
    memref,
    minimum,
    mul,
    negated,
    scf,
    size_of,
    value,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.compact import view
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.policy import Policy

func = dialect("func")

# Bytes between the memory of two threads, at least: a line that both write goes back and forth, and
# the hardware fetches lines in pairs.
APART = 128

SEQUENTIAL = "gs.sequential"
"""On a function: parallel loops of its module run on one thread."""

LOSES = "__gs_loses"

_SHARED = ("scf.forall", "scf.parallel")

Emit = Callable[[ir.Operation, list[ir.Value]], None]


def memory_per_thread(sizes: Sequence[Ix], element: ir.Type, threads: Ix) -> ir.Value:
    """An array of these sizes, one and more of them, for each thread, APART: a memref whose first
    dimension is the thread, and whose second one is longer than `sizes` says."""
    first, *rest = sizes
    if not isinstance(threads, int) or threads > 1:
        row: Ix = bytes_of(element)
        for size in rest:
            row = mul(row, size)
        first = add(first, ceil_div(APART, maximum(row, 1)))
    shape = [threads, first, *rest]
    type_ = ir.MemRefType.get([n if isinstance(n, int) else DYNAMIC for n in shape], element)
    alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), APART)
    dynamic = [n for n in shape if not isinstance(n, int)]
    return memref.alloc(type_, dynamic, [], alignment=alignment)


def memory_of_thread(memory: ir.Value, number: Ix, sizes: Sequence[Ix]) -> ir.Value:
    """The array of thread `number` in what `memory_per_thread` gave for `sizes`."""
    where = [value(number), *[0] * len(sizes)]
    return view(memory, where, [1, *sizes], kept=range(1, len(where)))


def memories_of_threads(memory: ir.Value, count: int, sizes: Sequence[Ix]) -> ir.Value:
    """Those of the first `count` threads as one memref."""
    return view(memory, [0] * (1 + len(sizes)), [count, *sizes])


def captured_values(op: ir.Operation) -> list[ir.Value]:
    """Values that the region of `op` uses and that are defined outside of it."""
    inside = {result for nested in walk(op) for result in nested.results}
    for each in (op, *walk(op)):
        inside |= {a for region in each.regions for block in region.blocks for a in block.arguments}
    found = []
    for nested in walk(op):
        for operand in nested.operands:
            if operand not in inside and operand not in found:
                found.append(operand)
    return found


@dataclass(frozen=True)
class Outlined:
    """A function that runs a part of an op; of what is around, it takes `arguments` first and
    `sizes` of others last."""

    name: str
    arguments: Sequence[ir.Value]
    sizes: Sequence[ir.Value]

    def call(self, given: Sequence[Ix], instead: Mapping[ir.Value, ir.Value] | None = None) -> None:
        """With the values `given` between; `instead` has others for some of `arguments`."""
        mine = [(instead or {}).get(argument, argument) for argument in self.arguments]
        func.call([], self.name, [*mine, *map(value, given), *self.sizes])


def outline(
    op: ir.Operation, name: str, parts: int, emit: Emit, more: Sequence[ir.Type] = ()
) -> Outlined:
    """A private function that runs `emit(op, rest)`.

    The function takes what it uses of what `op` takes and uses, then the rest: values of the types
    `more`, and the bounds of its part, lower and upper for each of `parts`. If there is one with
    this `name`, it gets a number.
    """
    arguments = [*op.operands, *captured_values(op)]
    types = [argument.type for argument in arguments]
    module = module_of(op)
    symbols = ir.SymbolTable(module)
    with ir.InsertionPoint(module.regions[0].blocks[0]):
        kernel = func.FuncOp(name, ([*types, *more, *[ir.IndexType.get()] * (2 * parts)], []))
    kernel.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
    kernel.operation.attributes["no_inline"] = ir.UnitAttr.get()
    name = symbols.insert(kernel).value
    block = kernel.add_entry_block()
    with ir.InsertionPoint(block):
        clone = op.clone()
        given = dict(zip(arguments, block.arguments, strict=False))
        # What is known of them is known in the function as well.
        known = {a: again for a in arguments if (again := cloned_constant(a)) is not None}
        remap(clone, {**given, **known})
        emit(clone, list(block.arguments)[len(types) :])
        clone.erase()
        func.ReturnOp([])
    erase_unused(block)
    taken, sizes = _used(block, arguments)
    inputs = [argument.type for argument in block.arguments]
    kernel.operation.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, []))
    return Outlined(name, taken, sizes)


def _used(block: ir.Block, arguments: Sequence[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
    """Those of `arguments` that `block` needs, as its first arguments, and the sizes of others, as
    its last ones; the rest of its first arguments are erased."""
    taken: list[ir.Value] = []
    sizes: list[ir.Value] = []
    for number in reversed(range(len(arguments))):
        argument = block.arguments[number]
        dims = [use.owner.operation for use in argument.uses]
        if not all(
            op.name == "memref.dim" and producer(op.operands[1], "arith.constant") for op in dims
        ):
            taken.insert(0, arguments[number])
            continue
        found: dict[int, ir.Value] = {}
        for op in dims:
            position = op.operands[1].owner.attributes["value"].value
            if position not in found:
                sizes.append(value(size_of(arguments[number], position)))
                found[position] = block.add_argument(ir.IndexType.get(), op.location)
            op.results[0].replace_all_uses_with(found[position])
            op.erase()
        block.erase_argument(number)
    return taken, sizes


def in_function(op: ir.Operation, name: str, emit: Emit, given: Sequence[ir.Value] = ()) -> None:
    """Run `emit(op, given)` in a private function of its own: what is not for all threads, next to
    what they share, so that the function around it only calls."""
    outline(op, name, 0, emit, [one.type for one in given]).call(given)


def call_in_parts(
    kernel: Outlined,
    extents: Sequence[Ix],
    grains: Sequence[int],
    work: Ix,
    policy: Policy,
) -> None:
    """Call the kernel on all of `extents` at once, or on a part for each thread side by side.

    The first extent that is long enough is cut, in multiples of its grain. One call is made where
    `work`, not known to be `serial_bytes` or more, is less at run time.
    """

    threads = policy.threads

    def call(bounds: Sequence[tuple[Ix, Ix]]) -> None:
        kernel.call([x for pair in bounds for x in pair])

    def at_once() -> None:
        call([(0, extent) for extent in extents])

    def side_by_side() -> None:
        chosen = _cut_conditions(extents, grains, threads)
        chunks = [
            part_length(extent, grain, threads)
            for extent, grain in zip(extents, grains, strict=True)
        ]

        def part(number: ir.Value) -> None:
            bounds: list[tuple[Ix, Ix]] = []
            for extent, chunk, is_cut in zip(extents, chunks, chosen, strict=True):
                lower = minimum(mul(number, chunk), extent)
                upper = minimum(add(lower, chunk), extent)
                bounds.append((_select(is_cut, lower, 0), _select(is_cut, upper, extent)))
            call(bounds)

        in_parallel(threads, part)

    if isinstance(work, int):
        side_by_side()
        return
    either(compare("slt", work, policy.serial_bytes), at_once, side_by_side)


def loses() -> ir.Value:
    """Whether the parallel region that follows in the function has lost to one thread, for loops
    that are faster there than its parts, one after the other: `gs-measure-regions` answers."""
    i1 = ir.IntegerType.get_signless(1)
    module = module_of(ir.InsertionPoint.current.block.owner.operation)
    symbols = ir.SymbolTable(module)
    if LOSES not in symbols:
        with ir.InsertionPoint(module.regions[0].blocks[0]):
            made = func.FuncOp(LOSES, ([], [i1]), visibility="private")
        made.operation.attributes["no_inline"] = ir.UnitAttr.get()
        with ir.InsertionPoint(made.add_entry_block()):
            func.ReturnOp([arith.constant(i1, 0)])
    return func.call([i1], LOSES, [])


def in_parallel(threads: int, part: Callable[[ir.Value], None]) -> None:
    """`part(n)` for each n below `threads`, side by side."""
    loop = scf.ParallelOp([], [index(0)], [index(threads)], [index(1)], [])
    location = loop.location
    block = loop.operation.regions[0].blocks.append(ir.IndexType.get(), arg_locs=[location])
    with ir.InsertionPoint(block):
        part(block.arguments[0])
        scf.ReduceOp([], 0)


def part_length(extent: Ix, grain: int, threads: int) -> Ix:
    """The length of each part but the last."""
    return mul(ceil_div(extent, threads * grain), grain)


def share(number: ir.Value, extent: Ix, grain: int, threads: int) -> tuple[Ix, Ix]:
    """The lower and upper end of part `number`."""
    chunk = part_length(extent, grain, threads)
    lower = minimum(mul(number, chunk), extent)
    return lower, minimum(add(lower, chunk), extent)


def _cut_conditions(
    extents: Sequence[Ix], grains: Sequence[int], threads: int
) -> list[bool | ir.Value]:
    """Which extent is cut: the first that gives each thread a grain, the last if none does."""
    conditions: list[bool | ir.Value] = []
    open_ = None
    for number, (extent, grain) in enumerate(zip(extents, grains, strict=True)):
        last = number == len(extents) - 1
        fits = True if last else _at_least(extent, threads * grain)
        if isinstance(fits, bool):
            conditions.append((True if open_ is None else open_) if fits else False)
            if fits:
                return conditions + [False] * (len(extents) - number - 1)
            continue
        conditions.append(fits if open_ is None else arith.andi(open_, fits))
        rest = negated(fits)
        open_ = rest if open_ is None else arith.andi(open_, rest)
    return conditions


def _at_least(extent: Ix, least: int) -> bool | ir.Value:
    return extent >= least if isinstance(extent, int) else compare("sge", extent, least)


def _select(condition: bool | ir.Value, a: Ix, b: Ix) -> Ix:
    if isinstance(condition, bool):
        return a if condition else b
    return arith.select(condition, value(a), value(b))


def on_stack(type_: ir.MemRefType, threads: int) -> ir.Value:
    """Memory on the stack, which a function has once, and each iteration of a loop that threads
    share: made where it is used, a loop that upstream lowers would make it again and again."""
    block = ir.InsertionPoint.current.block
    while (around := block.owner.operation).name != "func.func":
        if threads > 1 and around.name in _SHARED:
            break
        block = around.block
    alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), LINE)
    with ir.InsertionPoint.at_block_begin(block):
        return memref.alloca(type_, [], [], alignment=alignment)


def is_in_parallel(op: ir.Operation) -> bool:
    """Threads share a loop around `op` already."""
    return is_within(op, *_SHARED)
