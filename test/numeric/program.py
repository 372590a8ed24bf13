"""What a numeric test runs: an MLIR function of one op, its arguments, what NumPy says of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from combiners import combiners_of
from elements import DTYPES, constant_text, has_default_fill, random_bits

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """A function `{name}` of one op. `label` says in words what it is about.

    `moves` is true if elements are only moved, so that every bit must come through; else a NaN
    may be any NaN. `spelling` computes the results independently of the reference. The results
    are what the function returns, or the arguments numbered in `written`.
    """

    op: str
    label: str
    text: str
    arguments: tuple[np.ndarray, ...]
    spelling: Callable[[], tuple[np.ndarray, ...]]
    moves: bool
    name: str = "f"
    written: tuple[int, ...] = ()

    def named(self, name: str) -> "Program":
        """The same program with its function renamed, to stand beside others in a module."""
        return replace(self, name=name, text=self.text.replace("@f(", f"@{name}(", 1))


def tensor_type(shape: Sequence[int], element: str, dynamic: Sequence[bool] | bool) -> str:
    """tensor<2x?xf32>; `dynamic` says of which dims the type does not know the size."""
    flags = [dynamic] * len(shape) if isinstance(dynamic, bool) else list(dynamic)
    sizes = ("?" if flag else str(size) for size, flag in zip(shape, flags, strict=True))
    return "tensor<" + "".join(size + "x" for size in sizes) + element + ">"


class Dynamic:
    """Which dims of an operand are dynamic: "static" none, "dynamic" all, "mixed" some."""

    def __init__(self, kind: str, rng: np.random.Generator) -> None:
        self.kind, self.rng = kind, rng

    def flags(self, rank: int) -> list[bool]:
        if self.kind == "mixed":
            return [bool(flag) for flag in self.rng.integers(0, 2, rank)]
        return [self.kind == "dynamic"] * rank


@dataclass(frozen=True)
class Attributes:
    """What the four gathers and scatters share; `fill` asks for an explicit fill_value."""

    mode: str = "promise_in_bounds"
    wrap: bool = False
    unique: bool = False
    sorted: bool = False
    fill: bool = False

    def label(self) -> str:
        flags = [n for n in ("wrap", "unique", "sorted", "fill") if getattr(self, n)]
        return " ".join([self.mode, *flags])

    def text(self, fill_value: np.ndarray | None, element: str) -> list[str]:
        parts = [] if self.mode == "promise_in_bounds" else [f'mode = "{self.mode}"']
        parts += [flag for flag in ("unique", "sorted") if getattr(self, flag)]
        parts += ["wrap_negative"] if self.wrap else []
        if fill_value is not None and (self.fill or not has_default_fill(element)):
            parts.append(f"fill_value = {constant_text(fill_value, element)}")
        return parts


NO_PROMISE = Attributes()


def one_op(
    arguments: Sequence[tuple[str, str]],
    op: str,
    region: str,
    attributes: Sequence[str],
    results: Sequence[str],
) -> str:
    """A function @f that returns the results of one op on all its arguments."""
    names = ", ".join(f"%{name}" for name, _ in arguments)
    types = ", ".join(type_ for _, type_ in arguments)
    signature = ", ".join(f"%{name}: {type_}" for name, type_ in arguments)
    out = ", ".join(results)
    count = f":{len(results)}" if len(results) > 1 else ""
    returned = ", ".join(f"%r#{n}" for n in range(len(results))) if count else "%r"
    return (
        f"func.func @f({signature}) -> ({out}) {{\n"
        f'  %r{count} = "{op}"({names}){region} {{{", ".join(attributes)}}}\n'
        f"      : ({types}) -> ({out})\n"
        f"  return {returned} : {out}\n}}\n"
    )


def combiner_region(combiner: str | None, element: str) -> str:
    return " ({\n" + combiners_of(element)[combiner].body(element) + "  })" if combiner else " ({})"


def array_text(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def fill_of(rng: np.random.Generator, shared: Attributes, element: str) -> Any:
    """The value that is filled in; a random one if the attribute is given, as it has to be for
    the kinds without a default."""
    if shared.mode != "fill":
        return None
    if shared.fill or not has_default_fill(element):
        return random_bits(rng, element, (1,)).reshape(())
    return jax_fill(element)


def jax_fill(element: str) -> np.ndarray:
    """JAX's default: NaN, the least signed or greatest unsigned integer, True."""
    dtype = DTYPES[element]
    if element == "i1":
        return np.array(True)
    if element.startswith("ui"):
        return np.array(2 ** int(element[2:]) - 1, np.uint64).astype(dtype)
    if element[0] in "is":
        bits = 64 if element == "index" else int(element.lstrip("si"))
        return np.array(-(2 ** (bits - 1)), np.int64).astype(dtype)
    return np.array(np.nan).astype(dtype)
