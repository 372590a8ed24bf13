"""What the kernels of `quantized` differ by, and the kernel for each."""

from dataclasses import dataclass, replace
from functools import lru_cache

from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.later import import_later


@dataclass(frozen=True)
class Numbers:
    """Numbers of `bits` each, in bytes: integers, or floats of the MLIR type `float`. `shifts`:
    where in a byte each begins."""

    bits: int
    signed: bool = False
    float: str = ""
    shifts: tuple[int, ...] = ()

    @property
    def per_byte(self) -> int:
        return 8 // self.bits

    @property
    def memory(self) -> str:
        """The MLIR type of a byte."""
        return self.float if self.float and self.bits == 8 else "i8"

    def ordered(self, high_first: bool) -> "Numbers":
        shifts = range(0, 8, self.bits)
        return replace(self, shifts=tuple(reversed(shifts) if high_first else shifts))


@dataclass(frozen=True)
class Ends:
    """An array of scales, zero points or biases: its MLIR elements, how many each row has, and
    whether all rows share them."""

    element: str
    blocks: int
    shared: bool


@dataclass(frozen=True)
class Form:
    """What a kernel is compiled for. `width`: numbers in a row. `bags`: rows are added up;
    `weighted`: each times a factor. `word`: bits of the words that a row is read in, of which each
    lane takes one and shifts out the first number, then the second; 0: lanes share bytes."""

    numbers: Numbers
    width: int
    scales: Ends
    zeros: Ends | None
    biases: Ends | None
    coordinate: str
    result: str
    bags: bool = False
    weighted: bool = False
    word: int = 0

    @property
    def per_word(self) -> int:
        """Numbers in what a row is read in."""
        return (self.word or 8) // self.numbers.bits

    @property
    def memory(self) -> str:
        """The MLIR type of what a row is read in."""
        return f"i{self.word}" if self.word else self.numbers.memory

    @property
    def shifts(self) -> list[int]:
        """Where in it each number begins."""
        of_byte = self.numbers.shifts
        return [8 * (n // len(of_byte)) + of_byte[n % len(of_byte)] for n in range(self.per_word)]


@lru_cache(None)
def kernel(form: Form, threads: int | None) -> Kernel:
    """The kernel of `form`, a function of bytes, scales, zero points, biases and factors, as far as
    there are any, row numbers, the starts of bags, and the result."""
    return compile_made(
        repr(("quantized", form)),
        lambda: import_later("functions.quantized_kernels").module(form),
        threads,
    )
