"""`gs-defer-writes`: writes of a result that only prepare it come behind checks that may raise."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import is_inside
from mlir_gs.lowering.kernel.attributes import ARGUMENTS, kernel_of, records
from mlir_gs.lowering.passes.registry import register_pass

_COPIES = ("memref.copy", "linalg.copy")
_FILL = "linalg.fill"


@register_pass
@dataclass(frozen=True)
class GsDeferWrites:
    """Move writes that only prepare a result behind the checks that may raise.

    before: `memref.copy %x, %out; scf.if %bad { call @__gs_raise_2(...) }; ... reads, writes %out`
    after:  the copy stands where `%out` is next used

    So memory that a caller gave for a result is as it was when the call raises an error. Applies to
    `memref.copy`, `linalg.copy` and `linalg.fill` into a result of the kernel, from an argument
    that is not written or from a scalar. Does not move them out of their block.
    """

    name: ClassVar[str] = "gs-defer-writes"
    only_with: ClassVar[tuple[str, ...]] = (*_COPIES, _FILL)

    def run(self, module: ir.Operation) -> None:
        function = kernel_of(module, ARGUMENTS)
        if function is None:
            return
        arguments = records(function, ARGUMENTS)
        entry = function.regions[0].blocks[0]

        def is_destination(value: Any) -> bool:
            return _is_argument(value, entry) and value.arg_number >= len(arguments)

        def is_constant(value: Any) -> bool:
            if not isinstance(value.type, ir.MemRefType):
                return True
            return (
                _is_argument(value, entry)
                and not is_destination(value)
                and "donated" not in arguments[value.arg_number]
            )

        for view in list(entry.operations):
            op = view.operation
            if op.name not in self.only_with or not is_destination(op.operands[1]):
                continue
            if is_constant(op.operands[0]):
                _sink(op, op.operands[1])


def _is_argument(value: Any, entry: Any) -> bool:
    return isinstance(value, ir.BlockArgument) and value.owner == entry


def _sink(op: Any, target: Any) -> None:
    """Move `op` before the next operation of its block that uses `target` or ends the block."""
    following = [other.operation for other in op.block.operations]
    following = following[following.index(op) + 1 :]
    users = [user for user in _users(target) if user != op]
    for later in following[:-1]:
        if any(user == later or is_inside(user, later) for user in users):
            op.move_before(later)
            return
    op.move_before(following[-1])


def _users(value: Any) -> list[Any]:
    """What reads or writes the memory of `value`, views of it included."""
    found = []
    for use in value.uses:
        user = use.owner.operation
        if user.name == "memref.dim":
            continue
        found.append(user)
        for result in user.results:
            if isinstance(result.type, ir.MemRefType):
                found += _users(result)
    return found
