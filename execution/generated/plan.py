"""What a call of a kernel does around it, as words that shared machine code goes by.

Code for this in each kernel would take longer to compile than most kernels do. `calls.c` is what
goes by a plan, from all callers; `calls.h` has the layout.
"""

from collections.abc import Sequence

from mlir_gs.execution.signature.signature import Entry, Parameter
from mlir_gs.execution.signature.sizes import OPERATIONS, Size

KERNEL_PREFIX = "__gs_kernel_"
"""Before a function's name: what takes its arguments from a frame."""

ENGINE_PREFIX = "_mlir_"
"""What MLIR's execution engine puts before the names of functions that it makes entries for."""

POINTERS = 8
"""A kernel takes the addresses of its first so many arrays as arguments, so that LLVM sees which
share no memory; the others it reads from the frame."""

ARRAY, INTEGER, FLOAT, DISJOINT, SIZE = range(5)
"""Kinds of steps."""

HEAD = 5 + POINTERS
"""Words of a plan before its steps."""

RECORD_HEAD = 3
"""Words before the sizes in an array's record."""

_ANY_SIZE, _ANY_STRIDE = -1, -(2**63)

_GIVEN = -1
"""In an array's step, for a place of sizes: the step has them."""


def layout(entry: Entry) -> tuple[list[int], int]:
    """By parameter of a call, the first of its words in the frame: an array's record or a number's
    word; and what comes behind them: the descriptors of what the kernel allocates."""
    found, end = [], 0
    for parameter in entry.parameters:
        found.append(end)
        end += RECORD_HEAD + 2 * parameter.rank if parameter.is_array else 1
    return found, end


def pointers(entry: Entry) -> list[int]:
    """The numbers of the parameters whose addresses the kernel takes as arguments."""
    return [k for k, one in enumerate(entry.parameters) if one.is_array][:POINTERS]


class Plan:
    """The plan of a kernel: numbers, and messages that they refer to by their offset."""

    def __init__(self, entry: Entry) -> None:
        self.messages = bytearray()
        self._entry = entry
        self._places, self._frame = layout(entry)
        self._steps: list[list[int]] = []
        self._results = self._find_results()
        values = entry.parameters
        self._title = self._message(f"{entry.name}: expected {len(values)} arguments")
        for number, one in enumerate(entry.arguments):
            if one.is_array:
                self._array(one, number)
            else:
                self._number(one, number)
        for number, result in enumerate(entry.destinations, len(entry.arguments)):
            sizes = result.sizes or ()
            computed = any(size.op != "constant" for size in sizes)
            self._array(result.parameter, number, self._sizes(sizes) if computed else _GIVEN)
        self._disjoint(values)

    @property
    def words(self) -> list[int]:
        """The struct `Plan` of `calls.h`."""
        taken = [self._places[number] for number in pointers(self._entry)]
        taken += [0] * (POINTERS - len(taken))
        steps = [word for step in self._steps for word in (len(step) + 1, *step)]
        head = [max(self._frame, 1), len(self._places), self._title, HEAD + len(steps)]
        return [*head, *taken, len(self._steps), *steps, *self._results]

    def _message(self, text: str) -> int:
        start = len(self.messages)
        self.messages += text.encode() + b"\0"
        return start

    def _take(self, words: int) -> int:
        self._frame += words
        return self._frame - words

    def _array(self, one: Parameter, number: int, sizes: int = _GIVEN) -> None:
        place = self._places[number]
        known = (self._message(one.expected), place, sizes, one.layout)
        self._steps.append([ARRAY, number, *known, *_specification(one)])

    def _number(self, one: Parameter, number: int) -> None:
        known = [number, self._message(one.expected), self._places[number]]
        if one.element.mlir in ("f64", "f32"):
            self._steps.append([FLOAT, *known])
        else:
            self._steps.append([INTEGER, *known, *_range(one)])

    def _sizes(self, sizes: Sequence[Size]) -> int:
        start = self._take(len(sizes))
        for dim, size in enumerate(sizes):
            self._size(size, start + dim)
        return start

    def _size(self, size: Size, place: int) -> None:
        """Compute a size into a word of the frame."""
        operands = size.operands
        if size.op == "constant":
            values = [size.values[0]]
        elif size.op in ("size", "scalar"):
            values = [self._leaf(size)]
        else:
            values = [self._operand(operand) for operand in operands]
        op = OPERATIONS.index("copy" if size.op in ("size", "scalar") else size.op)
        values += [0] * (3 - len(values))
        self._steps.append([SIZE, op, place, *values])

    def _operand(self, size: Size) -> int:
        if size.op in ("size", "scalar"):
            return self._leaf(size)
        place = self._take(1)
        self._size(size, place)
        return place

    def _leaf(self, size: Size) -> int:
        """The word of the frame that has the size or number of an argument."""
        start = self._places[size.values[0]]
        return start if size.op == "scalar" else start + RECORD_HEAD + size.values[1]

    def _disjoint(self, values: Sequence[Parameter]) -> None:
        """Written arrays must share no memory with others: on memrefs those that the function
        allocates."""
        least = 0 if self._entry.checked_disjoint else len(self._entry.arguments)
        for a, first in enumerate(values):
            for b, second in enumerate(values):
                if not (first.written and first.is_array and second.is_array) or a == b:
                    continue
                if max(a, b) < least:
                    continue
                if second.written and b < a:
                    continue
                text = self._message(f"{first.label} and {second.label} share memory")
                self._steps.append([DISJOINT, text, self._places[a], self._places[b]])

    def _find_results(self) -> list[int]:
        entry = self._entry
        found = [len(entry.owned), 0]
        for result in entry.owned:
            one = result.parameter
            place = self._take(3 + 2 * one.rank)
            dtype = one.element.code | one.element.bits << 8 | 1 << 16
            found += [place, dtype, one.rank, one.element.bytes, 16 if entry.tracked else 0]
        found[1] = self._take(2 * len(entry.owned))
        return found


def _specification(one: Parameter) -> list[int]:
    element = one.element
    alignment = element.bytes // 2 if element.is_complex else element.bytes
    mask = sum(1 << code for code in element.codes)
    sizes = [_ANY_SIZE if size is None else size for size in one.shape or ()]
    strides = [_ANY_STRIDE if stride is None else stride for stride in one.strides or ()]
    return [mask, element.bits, one.rank, element.bytes, alignment, *sizes, *strides]


def _range(parameter: Parameter) -> tuple[int, int]:
    """The Python ints that a scalar integer parameter takes, within i64."""
    name = parameter.element.mlir
    if name == "i1":
        return 0, 1
    bits = parameter.element.bits
    low = 0 if name.startswith("u") else -(1 << (bits - 1))
    high = (1 << (bits - 1)) - 1 if name.startswith("s") or bits == 64 else (1 << bits) - 1
    return low, high
