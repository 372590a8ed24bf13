"""Equal ops of a kernel, such as those of the layers of a network, as calls of one function."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import memory_of, producer, walk
from mlir_gs.lowering.op.collapse import cast_collapses
from mlir_gs.lowering.passes.explain import named
from mlir_gs.lowering.scf.remarks import remark_on
from mlir_gs.lowering.scf.threads import Outlined, captured_values, outline

NAME = "gs_loop"

CALL = 16
"""Ops that take as long as a call to which two memrefs are passed."""

STAY = frozenset({"func.call", "cf.assert", "scf.parallel", "scf.forall", "memref.copy"})
STAY |= {"memref.alloc", "memref.dealloc", "memref.realloc"}
"""What stays in the kernel: no error leaves a callee, and the kernel frees what it allocates."""

Lower = Callable[[ir.Operation], bool]


class EqualOps:
    """Which of some `gs.generic`s are equal, and the functions that these became.

    Functions of the loops of equal ops have one text. A function knows the attributes, body, types
    and constants of its op, and which operands are one value; these are the same for equal ops.
    """

    def __init__(self, ops: Iterable[ir.Operation]) -> None:
        # By number: an erased op cannot be compared with.
        self._keys = [_key(op) for op in ops]
        self._counts = Counter(self._keys)
        self._made: dict[Hashable, tuple[Outlined, list[ir.Value], str] | None] = {}

    def call(
        self, number: int, op: ir.Operation, initial: ir.Attribute | None, lower: Lower
    ) -> bool:
        """Call the function of `op`, which is number `number`, and its equals at the insertion
        point; False if it has none.

        `initial`: what the elements of its output are before. `lower` emits loops in place of an op
        that it is given, or none, and is False, where they are not to be a function: the views that
        it made of operands are then no reason for one.
        """
        key = self._keys[number]
        if key is None or self._counts[key] < 2:
            return False
        arguments = _arguments(op)
        found = self._made.get((key, initial))
        if found is not None:
            remark_on(op, f"by the loops of its equal, {found[2]}")
        elif (key, initial) not in self._made:
            function = _function_of(op, lower)
            found = None if function is None else (function, arguments, named(op))
            self._made[key, initial] = found
        if found is None:
            return False
        function, theirs, _ = found
        function.call([], dict(zip(theirs, arguments, strict=True)))
        return True


def _arguments(op: ir.Operation) -> list[ir.Value]:
    return list(dict.fromkeys([*op.operands, *captured_values(op)]))


def _function_of(op: ir.Operation, lower: Lower) -> Outlined | None:
    """A function of the loops of `op`; None where they are few ops, or must stay in the kernel."""
    functions = op.parent.operation.block.operations
    before, lowered = {each.operation for each in functions}, list[bool]()
    function = outline(op, NAME, 0, lambda clone, _: lowered.append(lower(clone.clone())))
    added = [each.operation for each in functions if each.operation not in before]
    for each in added:
        cast_collapses(each)
    names = [inner.name for each in added for inner in walk(each) if inner.name != "arith.constant"]
    if lowered[0] and (len(names) > CALL or "scf.for" in names) and STAY.isdisjoint(names):
        return function
    for each in added:
        each.erase()
    return None


def _key(op: ir.Operation) -> Hashable | None:
    """The same for equal ops; None for an op whose loops depend on more than a function knows."""
    arguments = _arguments(op)
    is_static = all(getattr(each.type, "has_static_shape", True) for each in arguments)
    is_branching = any(len(each.successors) > 0 for each in walk(op))
    if "gs.kernel" not in op.parent.operation.attributes or not is_static or is_branching:
        return None
    memories = [memory_of(each) for each in arguments]
    constants = [producer(each, "arith.constant", "memref.get_global") for each in memories]
    if len(set(memories)) < len(memories):
        # The function would not know that two of them are views of one memory.
        return None
    if any(made and made.results[0] not in arguments for made in constants):
        # The function would have a view of a constant.
        return None
    known = tuple(made and (made.name, *made.attributes.items()) for made in constants)
    return known, _text(op, {each: number for number, each in enumerate(arguments)})


def _text(op: ir.Operation, numbers: dict[ir.Value, int]) -> Hashable:
    """What an op is, with `numbers` for values; those that are made in it get numbers, too."""

    def types(values: Iterable[ir.Value]) -> Hashable:
        for each in values:
            numbers[each] = len(numbers)
        return tuple(each.type for each in values)

    used = tuple((numbers[each], each.type) for each in op.operands)
    regions = tuple(
        tuple(
            (types(block.arguments), *(_text(each.operation, numbers) for each in block.operations))
            for block in region.blocks
        )
        for region in op.regions
    )
    return op.name, tuple(op.attributes.items()), used, regions, types(op.results)
