"""Writes of a result that only prepare it are moved behind the checks that may raise.

before:  memref.copy %dest, %out
         scf.if %bad { call @__gs_raise_2(...) }
         ... reads and writes %out
after:   the copy stands where %out is next used

So that memory which a caller gave for a result is as it was when the call raises an error. It
applies to `memref.copy`, `linalg.copy` and `linalg.fill` into a destination, from an argument that
is not written or from a scalar; it does not move them out of their block.
"""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import is_inside

_COPIES = ("memref.copy", "linalg.copy")


def defer_writes(function: Any, arguments: int, donated: set[int]) -> None:
    """Move them in `function`, whose block arguments from number `arguments` on are
    destinations, and whose `donated` arguments are written."""
    entry = function.regions[0].blocks[0]

    def is_destination(value: Any) -> bool:
        return _is_argument(value, entry) and value.arg_number >= arguments

    def is_constant(value: Any) -> bool:
        if not isinstance(value.type, ir.MemRefType):
            return True
        return (
            _is_argument(value, entry)
            and value.arg_number < arguments
            and value.arg_number not in donated
        )

    for view in list(entry.operations):
        op = view.operation
        if op.name not in (*_COPIES, "linalg.fill") or not is_destination(op.operands[1]):
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
