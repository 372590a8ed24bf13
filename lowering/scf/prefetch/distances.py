"""How far ahead is prefetched: a question to the policy."""

from mlir_gs.lowering.ir.emit import Ix, floor_div, maximum, minimum
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.policy import Policy


def rows_ahead(policy: Policy, row_bytes: Ix) -> Ix:
    """How far ahead: rows of so many bytes, until `row_ahead` bytes are on their way."""
    return maximum(
        1, minimum(policy.rows_ahead, floor_div(policy.row_ahead, maximum(row_bytes, 1)))
    )


def elements_ahead(policy: Policy, at_once: int) -> int:
    """How far ahead, in iterations, of each of which `at_once` elements are prefetched."""
    return max(1, -(-policy.elements_ahead // at_once))


def stream_ahead(policy: Policy, written: bool, size: int | None, row: int | None) -> int:
    """How far ahead in bytes, of what is read or written in order in so many bytes and rows of so
    many, if they are known; 0 for never. Rows are at least as far ahead as those at coordinates."""
    if size is not None and size <= policy.far_bytes:
        return 0
    ahead = policy.write_ahead if written else policy.read_ahead
    rows = min(policy.rows_ahead, policy.row_ahead // (row or 1))
    return ahead and max(ahead, rows * (row or 0))


def lines_in(elements: int, size: int) -> range:
    """The elements of `size` bytes that begin a line each, of so many side by side."""
    return range(0, elements, max(1, LINE // size))
