"""What a compiled function takes and gives: a `Parameter` for each value that crosses the call."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlir_gs.execution.signature.dtypes import Element, element_of
from mlir_gs.execution.signature.sizes import Size, python_source


class CompileError(Exception):
    """The module cannot be compiled or called; `str()` is one line, or diagnostics by line."""


@dataclass(frozen=True)
class Parameter:
    """One array or scalar of a call.

    `label` names it in messages. `shape` has None for a dynamic size and is None for a scalar.
    `strides` is None where the array must be C-contiguous, else per dimension a stride or None for
    any; `is_memref`: there is no other code for arrays with other strides. `offset` is a static
    offset of its memref type, in elements. `written`: the compiled code may write it.
    """

    label: str
    element: Element
    shape: tuple[int | None, ...] | None
    strides: tuple[int | None, ...] | None = None
    offset: int = 0
    written: bool = False
    is_memref: bool = False

    @property
    def layout(self) -> int:
        """Which strides a call accepts, as a number of `calls.h`."""
        return 1 if self.strides is not None else 2 * self.is_memref

    @property
    def is_array(self) -> bool:
        """Whether it is passed as an array: scalars that tvm-ffi has no value for are, too."""
        return self.shape is not None or not self.is_plain_scalar

    @property
    def is_plain_scalar(self) -> bool:
        name = self.element.mlir
        return name in ("f64", "f32", "index") or name.lstrip("su").startswith("i")

    @property
    def rank(self) -> int:
        return len(self.shape or ())

    @property
    def expected(self) -> str:
        """`argument 0: expected float32[?, 64]`."""
        if self.shape is None:
            article = "an" if self.element.name.startswith("i") else "a"
            return f"{self.label}: expected {article} {self.element.name} scalar"
        sizes = ", ".join("?" if size is None else str(size) for size in self.shape)
        return f"{self.label}: expected {self.element.name}[{sizes}]"

    def as_unsigned(self) -> "Parameter":
        """The parameter with unsigned integers of its width."""
        width = int(self.element.mlir.removeprefix("u").removeprefix("i"))
        element = element_of(f"ui{width}")
        return self if element is None else replace(self, element=element)


@dataclass(frozen=True)
class Result:
    """One result of the entry function.

    `argument` is the number of the argument that it is, or None. `sizes` are given for a result
    in the caller's memory and None for one that the function allocates. `is_scalar`: the caller
    wants the element, not an array.
    """

    parameter: Parameter
    argument: int | None = None
    sizes: tuple[Size, ...] | None = None
    is_scalar: bool = False

    @property
    def is_destination(self) -> bool:
        return self.argument is None and self.sizes is not None

    @property
    def shape_source(self) -> str:
        """A destination's shape in Python, see `python_source`."""
        return "(" + "".join(f"{python_source(size)}, " for size in self.sizes or ()) + ")"


@dataclass(frozen=True)
class Entry:
    """The compiled function: its symbol, what it takes and what it gives.

    `checked_disjoint`: written arrays must share no memory with others (functions on tensors);
    those of `destinations` on memrefs, too.
    `tracked`: its allocations stand behind the two words of a list node.
    """

    name: str
    arguments: Sequence[Parameter]
    results: Sequence[Result]
    checked_disjoint: bool
    tracked: bool

    @property
    def destinations(self) -> list[Result]:
        return [result for result in self.results if result.is_destination]

    @property
    def owned(self) -> list[Result]:
        return [r for r in self.results if r.argument is None and not r.is_destination]

    @property
    def parameters(self) -> list[Parameter]:
        """The values of a call, in order: the arguments, then the destinations."""
        return [*self.arguments, *(result.parameter for result in self.destinations)]
