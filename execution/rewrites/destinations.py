"""Results in the caller's memory: the entry function, after bufferization, takes its results as
arguments.

before:  func.func @f(%a: memref<?xf32>) -> memref<?xf32> { %r = memref.alloc(%n) ... return %r }
after:   func.func @f(%a: memref<?xf32>, %r: memref<?xf32>) { ... return }

A result whose sizes follow from the sizes and scalars of the arguments becomes such an argument,
in the place of its allocation where it has one, else by a copy; where arrays may be strided, so
may it. A result that is an argument
which may be written is that argument. Any other is allocated by the function and owned by the
caller. Scalars are stored into arrays of rank 0.
"""

from dataclasses import replace
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.rewrites.size_of import size_of_dim
from mlir_gs.execution.signature.parameters import parameter
from mlir_gs.execution.signature.signature import CompileError, Parameter, Result
from mlir_gs.execution.signature.sizes import Size
from mlir_gs.lowering.ir.builders import has_named, memory_of, walk_named

arith = dialect("arith")
func = dialect("func")
memref = dialect("memref")


ALLOCATIONS = ("memref.alloc", "memref.realloc", "func.call", "func.call_indirect")
"""What makes memory that a result may be."""


def move_results(function: Any, writable: set[int], strided: bool) -> list[Result]:
    """Rewrite `function`, a `func.func` on memrefs; `writable` are the arguments that a result may
    be, `strided` destinations have any strides. Returns its results in order. Raises CompileError
    for one whose size is a negative constant."""
    entry = function.regions[0].blocks[0]
    returns = _returns(function)
    kept: list[int] = []
    results: list[Result] = []
    # All sizes before any result moves: they are followed to arguments, not to destinations.
    sizes = [
        _sizes_of_result(returns, number) if isinstance(result_type, ir.MemRefType) else None
        for number, result_type in enumerate(function.type.results)
    ]
    for number, result_type in enumerate(function.type.results):
        label = f"result {number}"
        if not isinstance(result_type, ir.MemRefType):
            result = _store_scalar(entry, returns, number, parameter(label, result_type))
        else:
            result = _move_memref(
                entry, returns, number, label, result_type, writable, sizes[number], strided
            )
            if result.argument is None and result.sizes is None:
                kept.append(number)
        results.append(result)
    for ret in returns:
        _own_each(entry, ret, kept)
    _drop_results(function, returns, kept)
    return results


def drop_copies(module: Any) -> None:
    """Erase the `memref.copy` of a memref to itself, of what is made in its place, and those of
    nothing."""
    for op in walk_named(module, "memref.copy"):
        source, target = op.operands
        is_empty = isinstance(source.type, ir.MemRefType) and 0 in source.type.shape
        if is_empty or _root(source) == _root(target):
            op.erase()


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


def _store_scalar(entry: Any, returns: list[Any], number: int, found: Parameter) -> Result:
    value_type = returns[0].operands[number].type
    argument = _add_argument(entry, ir.MemRefType.get([], value_type))
    for ret in returns:
        with ir.InsertionPoint(ret), ret.location:
            memref.store(ret.operands[number], argument, [])
    return Result(replace(found, shape=(), written=True), None, (), is_scalar=True)


def _move_memref(
    entry: Any,
    returns: list[Any],
    number: int,
    label: str,
    result_type: Any,
    writable: set[int],
    sizes: list[Size] | None,
    strided: bool,
) -> Result:
    root = _result_root(returns, number)
    if isinstance(root, ir.BlockArgument) and root.owner == entry and root.arg_number in writable:
        return Result(parameter(label, root.type), root.arg_number)
    if sizes is None or (root is None and any(size.op != "constant" for size in sizes)):
        return Result(parameter(label, result_type))
    for d, size in enumerate(sizes):
        if size.op == "constant" and size.values[0] < 0:
            raise CompileError(f"result {number} has the size {size.values[0]} in dim {d}")
    shape = [
        size.values[0] if size.op == "constant" else ir.ShapedType.get_dynamic_size()
        for size in sizes
    ]
    layout = _any_layout(len(shape)) if strided and shape else None
    destination_type = ir.MemRefType.get(shape, result_type.element_type, layout)
    allocation = _allocation(root, entry, destination_type)
    argument = _add_argument(entry, destination_type)
    if allocation is not None:
        allocation.results[0].replace_all_uses_with(argument)
        allocation.erase()
    else:
        for ret in returns:
            with ir.InsertionPoint(ret), ret.location:
                memref.copy(ret.operands[number], argument)
    found = replace(parameter(label, destination_type), written=True)
    return Result(found, None, tuple(sizes))


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


def _takes_any_layout(use: Any) -> bool:
    name = use.owner.operation.name
    return name.startswith(("gs.", "linalg.")) or name in _ANY_LAYOUT


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


def _drop_results(function: Any, returns: list[Any], kept: list[int]) -> None:
    for ret in returns:
        with ir.InsertionPoint(ret), ret.location:
            func.ReturnOp([ret.operands[number] for number in kept])
        ret.erase()
    entry = function.regions[0].blocks[0]
    results = [function.type.results[number] for number in kept]
    old_count = len(function.type.inputs)
    added = len(entry.arguments) - old_count
    has_attributes = "arg_attrs" in function.attributes
    old = function.attributes["arg_attrs"] if has_attributes else [ir.DictAttr.get({})] * old_count
    function.attributes["arg_attrs"] = ir.ArrayAttr.get([*old, *[ir.DictAttr.get({})] * added])
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]
    inputs = [argument.type for argument in entry.arguments]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
