"""`gs-move-results`: results in the caller's memory; and `gs-drop-copies`."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import has_named, memory_of, replace_op, walk_named
from mlir_gs.lowering.kernel.attributes import (
    ARGUMENTS,
    RESULTS,
    UNSIGNED,
    Record,
    dictionaries,
    kernel_of,
    records,
    write,
)
from mlir_gs.lowering.kernel.size_of import Size, size_of_dim
from mlir_gs.lowering.passes.registry import fail, register_pass

arith = dialect("arith")
func = dialect("func")
memref = dialect("memref")


ALLOCATIONS = ("memref.alloc", "memref.realloc", "func.call", "func.call_indirect")
"""What makes memory that a result may be."""


@register_pass
@dataclass(frozen=True)
class GsMoveResults:
    """Let the kernel, on memrefs, take its results as arguments, and describe them in `gs.results`.

    before: `func.func @f(%a: memref<?xf32>) -> memref<?xf32> { %r = memref.alloc(%n) ... }`
    after:  `func.func @f(%a: memref<?xf32>, %r: memref<?xf32>) { ... return }`

    A result whose sizes follow from the sizes and scalars of the arguments becomes such an
    argument: in the place of its allocation if it has one, else by a copy. A result that is an
    argument which may be written is that argument. Any other is allocated by the function and owned
    by the caller. Scalars are stored into arrays of rank 0. Does not apply to a kernel that is not
    described, or that has `gs.results`.
    """

    name: ClassVar[str] = "gs-move-results"
    strided: bool = field(
        default=False, metadata={"help": "memory that a caller gives may have any strides"}
    )

    def run(self, module: ir.Operation) -> None:
        function = kernel_of(module, ARGUMENTS)
        if function is not None and RESULTS not in function.attributes:
            _move_results(function, self.strided)


@register_pass
@dataclass(frozen=True)
class GsDropCopies:
    """Erase each memref.copy of a memref to itself, and those of no elements."""

    name: ClassVar[str] = "gs-drop-copies"
    only_with: ClassVar[tuple[str, ...]] = ("memref.copy",)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "memref.copy"):
            source, target = op.operands
            is_empty = isinstance(source.type, ir.MemRefType) and 0 in source.type.shape
            if is_empty or _root(source) == _root(target):
                op.erase()


def _move_results(function: Any, strided: bool) -> None:
    entry = function.regions[0].blocks[0]
    returns = _returns(function)
    types = ir.FunctionType(function.attributes["function_type"].value).results
    marks = dictionaries(function, "res_attrs", len(types))
    writable = {
        number
        for number, record in enumerate(records(function, ARGUMENTS))
        if "donated" in record or "memref" in record
    }
    # All sizes before any result moves: they are followed to arguments, not to destinations.
    sizes = [
        _sizes_of_result(returns, number) if isinstance(result_type, ir.MemRefType) else None
        for number, result_type in enumerate(types)
    ]
    results: list[Record] = []
    for number, result_type in enumerate(types):
        if isinstance(result_type, ir.MemRefType):
            found = _move_memref(entry, returns, number, writable, sizes[number], strided)
        else:
            found = _store_scalar(entry, returns, number)
        results.append({**found, "unsigned": UNSIGNED in marks[number]})
    kept = [n for n, found in enumerate(results) if not found.keys() & {"sizes", "argument"}]
    for ret in returns:
        _own_each(entry, ret, kept)
    _drop_results(function, types, returns, kept)
    write(function, RESULTS, results)


def _own_each(entry: Any, ret: Any, kept: list[int]) -> None:
    """Copy those of the `kept` results that are memory of an argument, or of another result."""
    owned: list[Any] = []
    makes_none = bool(kept) and not has_named(entry.owner, *ALLOCATIONS)
    for number in kept:
        given = ret.operands[number]
        base = memory_of(given)
        # Behind a branch or a loop may be an argument, too: where there are allocations, upstream's
        # deallocation copies what the function does not own.
        is_lent = makes_none or (isinstance(base, ir.BlockArgument) and base.owner == entry)
        if not is_lent and base not in owned:
            owned.append(base)
            continue
        type_ = given.type
        with ir.InsertionPoint(ret), ret.location:
            sizes = [
                memref.dim(given, arith.constant(ir.IndexType.get(), d))
                for d in range(type_.rank)
                if type_.is_dynamic_dim(d)
            ]
            copied = memref.alloc(ir.MemRefType.get(type_.shape, type_.element_type), sizes, [])
            memref.copy(given, copied)
            ret.operands[number] = copied if copied.type == type_ else memref.cast(type_, copied)


def _returns(function: Any) -> list[Any]:
    blocks = function.regions[0].blocks
    terminators = [block.operations[len(block.operations) - 1] for block in blocks]
    return [t.operation for t in terminators if t.operation.name == "func.return"]


def _store_scalar(entry: Any, returns: list[Any], number: int) -> Record:
    value_type = returns[0].operands[number].type
    argument = _add_argument(entry, ir.MemRefType.get([], value_type))
    for ret in returns:
        with ir.InsertionPoint(ret), ret.location:
            memref.store(ret.operands[number], argument, [])
    return {"type": ir.TypeAttr.get(value_type), "sizes": ir.ArrayAttr.get([]), "scalar": True}


def _move_memref(
    entry: Any,
    returns: list[Any],
    number: int,
    writable: set[int],
    sizes: list[Size] | None,
    strided: bool,
) -> Record:
    result_type = returns[0].operands[number].type
    root = _result_root(returns, number)
    if isinstance(root, ir.BlockArgument) and root.owner == entry and root.arg_number in writable:
        place = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), root.arg_number)
        return {"type": ir.TypeAttr.get(root.type), "argument": place}
    if sizes is None or (root is None and not all(isinstance(size, int) for size in sizes)):
        return {"type": ir.TypeAttr.get(result_type)}
    for d, size in enumerate(sizes):
        if isinstance(size, int) and size < 0:
            fail(returns[0], f"result {number} has the size {size} in dim {d}")
    dynamic = ir.ShapedType.get_dynamic_size()
    shape = [size if isinstance(size, int) else dynamic for size in sizes]
    layout = _any_layout(len(shape)) if strided and shape else None
    destination_type = ir.MemRefType.get(shape, result_type.element_type, layout)
    allocation = _allocation(root, entry, destination_type)
    reshaped = [] if layout is not None or root is None else _reshapes(root, entry)
    argument = _add_argument(entry, destination_type)
    if allocation is not None:
        replace_op(allocation, [argument])
    elif root is not None and reshaped and root.type == destination_type:
        _in_shape(reshaped, argument)
    else:
        for ret in returns:
            with ir.InsertionPoint(ret), ret.location:
                memref.copy(ret.operands[number], argument)
    said = ir.ArrayAttr.get([_attribute(size) for size in sizes])
    return {"type": ir.TypeAttr.get(destination_type), "sizes": said}


def _attribute(size: Size | str) -> Any:
    if isinstance(size, tuple):
        return ir.ArrayAttr.get([_attribute(part) for part in size])
    if isinstance(size, str):
        return ir.StringAttr.get(size)
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), size)


def _any_layout(rank: int) -> Any:
    dynamic = ir.ShapedType.get_dynamic_stride_or_offset()
    return ir.StridedLayoutAttr.get(0, [dynamic] * rank)


def _allocation(value: Any, entry: Any, wanted: Any) -> Any | None:
    """The allocation that `value` is, if an argument of type `wanted` can take its place."""
    if value is None or isinstance(value, ir.BlockArgument):
        return None
    operation = value.owner
    at_top = operation.parent is not None and operation.parent.operation == entry.owner.operation
    if operation.name != "memref.alloc" or not at_top:
        return None
    if value.type == wanted:
        return operation
    same = value.type.shape == wanted.shape and value.type.element_type == wanted.element_type
    return operation if same and all(_takes_any_layout(use) for use in value.uses) else None


def _reshapes(value: Any, entry: Any) -> list[Any]:
    """The ops that show an allocation of known sizes in the shape that `value` has, the last one
    first; none where there is no such allocation."""
    found = []
    while not isinstance(value, ir.BlockArgument) and value.owner.name in _INVERSE:
        found.append(value.owner)
        value = value.owner.operands[0]
    known = all(
        type_.has_static_shape and type_ == ir.MemRefType.get(type_.shape, type_.element_type)
        for type_ in (value.type, *(op.results[0].type for op in found))
    )
    return found if known and _allocation(value, entry, value.type) is not None else []


_INVERSE = {
    "memref.collapse_shape": memref.expand_shape,
    "memref.expand_shape": memref.collapse_shape,
}


def _in_shape(reshapes: list[Any], memory: Any) -> None:
    """Let `memory`, in the shape that it had before `reshapes`, be their allocation."""
    allocation = reshapes[-1].operands[0].owner
    with ir.InsertionPoint(allocation), allocation.location:
        for op in reshapes:
            type_, groups = op.operands[0].type, op.attributes["reassociation"]
            sizes = [] if op.name == "memref.expand_shape" else [[], list(type_.shape)]
            memory = _INVERSE[op.name](type_, memory, groups, *sizes)
    replace_op(allocation, [memory])


def _takes_any_layout(use: Any) -> bool:
    op = use.owner.operation
    if op.name == "memref.cast":
        # To a type of any layout, as a function with such arguments returns.
        dynamic, type_ = ir.ShapedType.get_dynamic_stride_or_offset(), op.result.type
        is_ranked = isinstance(type_, ir.MemRefType)
        return is_ranked and type_.get_strides_and_offset()[0] == [dynamic] * type_.rank
    return op.name.startswith(("gs.", "linalg.")) or op.name in _ANY_LAYOUT


_ANY_LAYOUT = ("memref.copy", "memref.dim", "memref.load", "memref.store", "func.return")


def _result_root(returns: list[Any], number: int) -> Any:
    """What a result is made as; None where the function returns in several places."""
    return _root(returns[0].operands[number]) if len(returns) == 1 else None


def _sizes_of_result(returns: list[Any], number: int) -> list[Size] | None:
    root = _result_root(returns, number)
    return _sizes(root if root is not None else returns[0].operands[number])


def _root(value: Any) -> Any:
    while not isinstance(value, ir.BlockArgument) and value.owner.name == "memref.cast":
        value = value.owner.operands[0]
    return value


def _sizes(value: Any) -> list[Size] | None:
    sizes = [size_of_dim(value, dim) for dim in range(value.type.rank)]
    known = [size for size in sizes if size is not None]
    return known if len(known) == len(sizes) else None


def _add_argument(entry: Any, argument_type: Any) -> Any:
    return entry.add_argument(argument_type, ir.Location.unknown(argument_type.context))


def _drop_results(function: Any, types: Any, returns: list[Any], kept: list[int]) -> None:
    for ret in returns:
        with ir.InsertionPoint(ret), ret.location:
            func.ReturnOp([ret.operands[number] for number in kept])
        ret.erase()
    inputs = [argument.type for argument in function.regions[0].blocks[0].arguments]
    write(function, "arg_attrs", dictionaries(function, "arg_attrs", len(inputs)))
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    results = [types[number] for number in kept]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
