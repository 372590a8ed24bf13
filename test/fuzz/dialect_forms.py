"""Programs around one op of upstream's dialects, for the table of `upstream_table.py`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from stablehlo_forms import Shape, drawn
from upstream_table import Array, Case

ELEMENTS = (
    "f32", "i8", "i1", "i4", "bf16", "f16", "f64", "f8E5M2", "f4E2M1FN", "complex<f32>", "index",
    "i64", "i32",
)  # fmt: skip
FEW = ("f32", "i1", "i4", "bf16", "complex<f32>", "index")
SHAPES: tuple[Shape, ...] = ((), (0,), (1,), (3,), (2, 3), (2, 0), (1, 1))


@dataclass(frozen=True)
class Arg:
    """An argument: the text of its type, its sizes and elements, and its values, if not drawn."""

    type: str
    shape: Shape
    element: str
    given: Any = None


@dataclass(frozen=True)
class Program:
    """A module whose function `main` takes the arrays, and returns tensors or writes memrefs."""

    op: str
    text: str
    args: tuple[Arg, ...]
    wanted: Callable[..., Sequence[Array]] | None = None
    """What NumPy makes of the arrays, where the reference has no such op: the results, then the
    memrefs."""

    @cached_property
    def data(self) -> tuple[Array, ...]:
        """Values of the arguments."""
        return tuple(
            _operand(self.op, at, arg.shape, arg.element)
            if arg.given is None
            else np.array(arg.given, drawn((), _stored(arg.element), 0).dtype).reshape(arg.shape)
            for at, arg in enumerate(self.args)
        )

    def buffers(self, arrays: Sequence[Array]) -> list[Array]:
        """The arrays of arguments that are memrefs."""
        pairs = zip(self.args, arrays, strict=True)
        return [array for arg, array in pairs if arg.type.startswith("memref")]


def type_of(kind: str, shape: Shape, element: str, dynamic: bool = False) -> str:
    """`kind` is tensor, memref or vector."""
    sizes = "".join("?x" if dynamic else f"{size}x" for size in shape)
    return f"{kind}<{sizes}{element}>"


def tensor(shape: Shape, element: str, dynamic: bool = False, given: Any = None) -> Arg:
    """A tensor."""
    return Arg(type_of("tensor", shape, element, dynamic), shape, element, given)


def memref(shape: Shape, element: str, dynamic: bool = False, given: Any = None) -> Arg:
    """A memref, C-contiguous."""
    return Arg(type_of("memref", shape, element, dynamic), shape, element, given)


def numbers(values: Sequence[int]) -> Arg:
    """Numbers known at run time only; `index_list` reads them."""
    return tensor((len(values),), "index", given=list(values))


def index_list(argument: int, count: int, name: str = "n") -> tuple[str, list[str]]:
    """The lines that read the `count` numbers of an argument, and the names of the values."""
    type_ = type_of("tensor", (count,), "index")
    lines = "".join(
        f"  %at_{name}{n} = arith.constant {n} : index\n"
        f"  %{name}{n} = tensor.extract %a{argument}[%at_{name}{n}] : {type_}\n"
        for n in range(count)
    )
    return lines, [f"%{name}{n}" for n in range(count)]


def case(
    op: str,
    form: str,
    args: Sequence[Arg],
    body: str,
    results: Sequence[str] = (),
    wanted: Callable[..., Sequence[Array]] | None = None,
    relative: float = 0.0,
    before: str = "",
    also: Sequence[str] = (),
) -> Case:
    """The program of `body`, which names its arguments %a0, %a1, … and its results %r0, %r1, …;
    `before`: other symbols of the module."""
    listed = ", ".join(f"%a{n}: {arg.type}" for n, arg in enumerate(args))
    names = ", ".join(f"%r{n}" for n in range(len(results)))
    types = ", ".join(results)
    returned = f"return {names} : {types}" if results else "return"
    arrow = f" -> ({types})" if results else ""
    text = f"{before}func.func @main({listed}){arrow} {{\n{body}\n  {returned}\n}}\n"
    program = Program(op, text, tuple(args), wanted)
    return Case(op, form, program, relative=relative, also=tuple(also))


def _stored(element: str) -> str:
    return "i64" if element == "index" else element


_SHIFTS = ("shli", "shrsi", "shrui", "shl", "shrs", "shru")


def _operand(op: str, at: int, shape: Shape, element: str) -> Array:
    """Values of an operand, without those for which the op's result is not defined."""
    found = drawn(shape, _stored(element), at)
    name = op.split(".")[1]
    counted = (np.arange(found.size) % 8).reshape(shape)
    if ("div" in name or "rem" in name) and at == 1 and "f" not in element:
        return np.where(np.isin(found.astype(np.int64), (0, -1)), 1, found).astype(found.dtype)
    if at == 1 and name in _SHIFTS and "f" not in element:
        width = 64 if element == "index" else int(element[1:])
        return (counted % width).astype(found.dtype)
    if op in ("complex.pow", "complex.sign") and found.dtype.kind == "c":
        # What C and NumPy make of infinities differs.
        return np.where(np.isfinite(found), found, found.dtype.type(1))
    if name in ("fptosi", "fptoui", "ipowi", "fpowi", "powi"):
        return (counted % 2).astype(found.dtype)
    return found
