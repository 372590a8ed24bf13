"""Building and walking IR."""

from collections.abc import Iterator, Mapping, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC

arith = dialect("arith")
builtin = dialect("builtin")
tensor = dialect("tensor")


def walk(operation: ir.Operation) -> list[ir.Operation]:
    """All operations below `operation`, nested ones after the one that holds them."""
    return _walked(operation)[1:] if len(operation.operation.regions) else []


def walk_inwards(operation: ir.Operation) -> list[ir.Operation]:
    """All operations below `operation`, nested ones before the one that holds them."""
    return _walked(operation, order=ir.WalkOrder.POST_ORDER)[:-1]


def walk_named(operation: ir.Operation, *names: str) -> list[ir.Operation]:
    """The operations of these names, `operation` or below it, in that order."""
    return _walked(operation, names)


def has_named(operation: ir.Operation, *names: str) -> bool:
    """Whether `operation` or one below it has one of these names."""
    if not len(operation.operation.regions):
        return operation.operation.name in names
    return bool(_walked(operation, names, first=True))


def _walked(
    operation: ir.Operation,
    names: Sequence[str] | None = None,
    first: bool = False,
    order: ir.WalkOrder = ir.WalkOrder.PRE_ORDER,
) -> list[ir.Operation]:
    """Those of these `names`, by default all, or the `first` of them."""
    # As a list: the IR may be rewritten. MLIR's own walk takes a quarter of a walk in Python.
    found: list[ir.Operation] = []
    add, go_on = found.append, ir.WalkResult.ADVANCE
    wanted = None if names is None else frozenset(names)
    then = ir.WalkResult.INTERRUPT if first else go_on

    def visit(op: ir.Operation) -> ir.WalkResult:
        if wanted is None or op.name in wanted:
            add(op)
            return then
        return go_on

    try:
        operation.operation.walk(visit, order)
    except RuntimeError as error:
        # What the bindings make of any exception in `visit`.
        if str(error).rstrip(" :\n").endswith("KeyboardInterrupt"):
            raise KeyboardInterrupt from None
        raise
    return found


def symbol(op: ir.Operation) -> str:
    """The name of an operation that is a symbol, empty for another."""
    attributes = op.operation.attributes
    return attributes["sym_name"].value if "sym_name" in attributes else ""


def is_private(op: ir.Operation) -> bool:
    """Whether a symbol is seen in its module alone."""
    attributes = op.operation.attributes
    return "sym_visibility" in attributes and attributes["sym_visibility"].value != "public"


def callee_of(call: ir.Operation) -> str:
    """The name of what is called, empty for a pointer."""
    return call.attributes["callee"].value if "callee" in call.attributes else ""


VIEWS = tuple(
    f"memref.{name}"
    for name in (
        *("cast", "subview", "reinterpret_cast", "expand_shape", "collapse_shape", "transpose"),
        *("view", "assume_alignment", "reshape", "memory_space_cast"),
    )
)
"""Ops whose result is the memory of their first operand."""


def memory_of(ref: ir.Value) -> ir.Value:
    """The memref that `ref` is a view of."""
    while (view := producer(ref, *VIEWS)) is not None:
        ref = view.operands[0]
    return ref


def slice_numbers(op: ir.Operation) -> list[list[int | ir.Value]]:
    """The offsets, sizes and strides of a tensor.extract_slice or memref.subview, dim by dim."""
    given = iter(list(op.operands)[1:])
    return [
        [next(given) if number == DYNAMIC else number for number in op.attributes[name]]
        for name in ("static_offsets", "static_sizes", "static_strides")
    ]


def ancestors(op: ir.Operation | ir.OpView | None) -> Iterator[ir.Operation]:
    """`op` and what is around it, the innermost first; nothing for None."""
    while op is not None:
        yield op.operation
        op = op.operation.parent


def enclosing(op: ir.Operation, *names: str) -> ir.Operation | None:
    """The operation of one of these names that is around `op`, the innermost; None without one."""
    return next((around for around in ancestors(op.parent) if around.name in names), None)


def is_within(op: ir.Operation, *names: str) -> bool:
    """An operation of one of these names is around `op`."""
    return enclosing(op, *names) is not None


def is_inside(op: ir.Operation, outer: ir.Operation) -> bool:
    """Whether `op` is in a region of `outer`."""
    return any(around == outer for around in ancestors(op.parent))


def made_in(value: ir.Value, op: ir.Operation) -> bool:
    """`value` is made in `op`, or an argument of a block in it."""
    owner = value.owner
    holder = owner.owner.operation if isinstance(owner, ir.Block) else owner.operation
    return (isinstance(owner, ir.Block) and holder == op) or is_inside(holder, op)


def cloned_constant(ref: ir.Value) -> ir.Value | None:
    """A clone at the insertion point of `ref`, if that is a constant, a global of its module, or a
    view of one; else None."""
    made = producer(ref, "memref.get_global", "arith.constant")
    if made is not None:
        return made.clone().results[0]
    view = producer(ref, *VIEWS)
    if view is None or len(view.operands) != 1:
        return None
    memory = cloned_constant(view.operands[0])
    if memory is None:
        return None
    again = view.clone()
    again.operands[0] = memory
    return again.results[0]


def module_of(op: ir.Operation) -> ir.Operation:
    """The module that `op` is in."""
    return next(around for around in ancestors(op) if around.name == "builtin.module")


def dense_constant(value: ir.Value) -> ir.DenseElementsAttr | None:
    """The elements of the arith.constant that gives `value`, a tensor, if it is one.

    None for complex elements: the bindings cannot read such an attribute.
    """
    made = producer(value, "arith.constant")
    if made is None or isinstance(value.type.element_type, ir.ComplexType):
        return None
    found = made.attributes["value"]
    return found if isinstance(found, ir.DenseElementsAttr) else None


def producer(value: ir.Value, *names: str) -> ir.Operation | None:
    """The operation that gives `value`, if it has one of these names; without names, any.

    None for a block argument.
    """
    owner = value.owner
    if isinstance(owner, ir.Block) or (names and owner.operation.name not in names):
        return None
    return owner.operation


def constant_of(value: ir.Value) -> int | None:
    """The number of the constant that gives `value`, an integer; None of others."""
    made = producer(value, "arith.constant", "index.constant")
    if made is None or not isinstance(made.attributes["value"], ir.IntegerAttr):
        return None
    return made.attributes["value"].value


def number_of(value: ir.Value) -> int | ir.Value:
    """The number of the arith.constant that gives `value`, or else `value`."""
    known = constant_of(value)
    return value if known is None else known


def index(value: int) -> ir.Value:
    """The constant `value` of type index."""
    # Loops have dozens: without the op's class, MLIR's bindings take half as long.
    type_ = ir.IndexType.get()
    number = ir.IntegerAttr.get(type_, value)
    return ir.Operation.create("arith.constant", [type_], attributes={"value": number}).result


def element_of(type_: ir.Type) -> ir.Type:
    """The type of an element of a shaped type, or the type itself."""
    return type_.element_type if isinstance(type_, ir.ShapedType) else type_


def with_elements(type_: ir.Type, element: ir.Type) -> ir.Type:
    """The scalar, vector or ranked tensor `type_` with other elements."""
    if isinstance(type_, ir.VectorType):
        scalable = type_.scalable_dims if type_.scalable else None
        return ir.VectorType.get(type_.shape, element, scalable=scalable)
    if isinstance(type_, ir.RankedTensorType):
        return ir.RankedTensorType.get(type_.shape, element)
    return element


def uniform(type_: ir.Type, element: ir.Attribute) -> ir.Value:
    """A constant of `type_` that is `element`, or has it in each place."""
    if isinstance(type_, ir.ShapedType):
        element = ir.DenseElementsAttr.get_splat(type_, element)
    return arith.constant(type_, element)


def number_in(type_: ir.Type, number: float) -> ir.Value:
    """A constant of `type_` that is `number`, or has it in each place; an integer of integers."""
    element = element_of(type_)
    kind = ir.FloatAttr if isinstance(element, ir.FloatType) else ir.IntegerAttr
    return uniform(type_, kind.get(element, number))


def cast(value: ir.Value, type_: ir.Type) -> ir.Value:
    """`value` as `type_`, which has the same bits."""
    if value.type == type_:
        return value
    return builtin.unrealized_conversion_cast([type_], [value])


def dim_of(value: ir.Value, position: int) -> ir.Value:
    """The size of a tensor in one dimension, a constant where it is static."""
    size = value.type.shape[position]
    return tensor.dim(value, index(position)) if size == DYNAMIC else index(size)


def empty_like(
    type_: ir.ShapedType,
    map_: ir.AffineMap,
    extents: Mapping[int, tuple[ir.Value, int] | int],
) -> ir.Value:
    """`tensor.empty` of `type_`, whose dimensions `map_` takes from iteration dims.

    `extents` gives for an iteration dim its size, or a tensor and the dimension that has it.
    """
    sizes: list[int | ir.Value] = []
    for size, expr in zip(type_.shape, map_.results, strict=True):
        if size != DYNAMIC:
            sizes.append(size)
            continue
        extent = extents[expr.position]
        sizes.append(index(extent) if isinstance(extent, int) else dim_of(*extent))
    return tensor.empty(sizes, type_.element_type)


def clone_block(block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """Clone the ops of `block` at the insertion point; returns what its terminator yields."""
    values: dict[ir.Value, ir.Value] = dict(zip(block.arguments, arguments, strict=True))
    *operations, last = [view.operation for view in block.operations]
    for op in operations:
        clone = op.clone()
        remap(clone, values)
        values.update(zip(op.results, clone.results, strict=True))
    return [values.get(value, value) for value in last.operands]


def move_block(block: ir.Block, into: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """Append the ops of `block` to `into`, with `arguments` in the place of its own; returns what
    its terminator, which stays, yields."""
    for old, new in zip(block.arguments, arguments, strict=True):
        old.replace_all_uses_with(new)
    *operations, last = list(block.operations)
    for op in operations:
        into.append(op)
    return list(last.operands)


def erase_unused(block: ir.Block) -> None:
    """Erase the ops of `arith` and the sizes in `block` whose results nothing uses."""
    for op in reversed(list(block.operations)):
        name = op.operation.name
        is_number = name.startswith("arith.") or name == "memref.dim"
        if is_number and all(next(iter(result.uses), None) is None for result in op.results):
            op.operation.erase()


def replace_op(op: ir.Operation, values: Sequence[ir.Value]) -> None:
    """Let `values` take the place of the results of `op`, which is erased."""
    for old, new in zip(op.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def remap(op: ir.Operation, values: Mapping[ir.Value, ir.Value]) -> None:
    """Replace operands of `op` and of what is nested in it."""
    for number, operand in enumerate(op.operands):
        if operand in values:
            op.operands[number] = values[operand]
    for region in op.regions:
        for block in region.blocks:
            for nested in block.operations:
                remap(nested.operation, values)


def opaque(word: ir.Value) -> ir.Value:
    """`word` through an empty inline assembly, which hides from LLVM where it comes from."""
    if isinstance(word.type, ir.IndexType):
        same = arith.index_cast(ir.IntegerType.get_signless(64), word)
        return arith.index_cast(word.type, opaque(same))
    return ir.Operation.create(
        "llvm.inline_asm",
        results=[word.type],
        operands=[word],
        attributes={
            "asm_string": ir.StringAttr.get(""),
            "constraints": ir.StringAttr.get("=r,0"),
        },
    ).result
