"""Where the rows of a memref lie in the lines of a cache: known when it runs.

Runtimes' own arrays begin at a line, NumPy's large ones 16 bytes after one, as the C library's
memory does.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.emit import Ix, add, both, compare, memref, modulo, mul
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.volume import LINE


def place_in_line(ref: Ref) -> ir.Value:
    """How many bytes after the begin of a line `ref` begins."""
    address = memref.extract_aligned_pointer_as_index(ref.memref)
    _, offset, *_ = memref.extract_strided_metadata(ref.memref)
    place = modulo(add(address, mul(offset, bytes_of(ref.storage))), LINE)
    assert not isinstance(place, int)
    return place


def all_begin_alike(ref: Ref) -> ir.Value | bool:
    """Whether all rows of `ref`, along its last dimension, do so."""
    strides, _ = ref.memref.type.get_strides_and_offset()
    given: list[ir.Value] = []
    if DYNAMIC in strides[:-1]:
        _, _, *numbers = memref.extract_strided_metadata(ref.memref)
        given = numbers[len(strides) :]
    condition = None
    for position, stride in enumerate(strides[:-1]):
        known: Ix = given[position] if stride == DYNAMIC else stride
        pitch = modulo(mul(known, bytes_of(ref.storage)), LINE)
        if not isinstance(pitch, int):
            condition = both(condition, compare("eq", pitch, 0))
        elif pitch != 0:
            return False
    return True if condition is None else condition
