"""Ops of StableHLO in many forms: element types, ranks, sizes 0 and 1, extreme values."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from mlir_gs.execution.signature.dtypes import element_of

Shape = tuple[int, ...]
Typed = tuple[Shape, str]
"""A shape and the text of an element type."""


@dataclass(frozen=True)
class Form:
    """One op in its generic form: a function of its operands, which returns its results."""

    op: str
    name: str
    ins: tuple[Typed, ...]
    outs: tuple[Typed, ...]
    attributes: str = ""
    regions: str = ""
    relative: float = 0.0
    dynamic: bool = False
    given: tuple[Any, ...] = ()
    """Values of operands, None for drawn ones."""
    fixed: tuple[int, ...] = ()
    """Operands whose sizes stay static in a dynamic form."""
    constant: bool = False
    """Whether the module has the `fixed` operands as constants, and takes the others only."""
    raw: str = ""
    """The whole module, instead of the one op; its function is `main`."""

    @cached_property
    def data(self) -> tuple[np.ndarray, ...]:
        """The operands' values."""
        given = self.given or (None,) * len(self.ins)
        return tuple(
            drawn(shape, element, at) if value is None else np.array(value, numpy_type(element))
            for at, (value, (shape, element)) in enumerate(zip(given, self.ins, strict=True))
        )

    @cached_property
    def arguments(self) -> tuple[np.ndarray, ...]:
        """What the module of `text` takes."""
        known = self.fixed if self.constant else ()
        return tuple(each for at, each in enumerate(self.data) if at not in known)

    def text(self) -> str:
        """The module."""
        return self.raw or f"func.func @main{self._function(self.dynamic, self.constant)}"

    def _function(self, dynamic: bool, constant: bool = False) -> str:
        types = [
            type_text(*each, dynamic and at not in self.fixed) for at, each in enumerate(self.ins)
        ]
        results = [type_text(*each, dynamic) for each in self.outs]
        known = self.fixed if constant else ()
        listed = ", ".join(f"%a{n}: {type_}" for n, type_ in enumerate(types) if n not in known)
        constants = "".join(
            f"  %a{n} = stablehlo.constant dense<{self.data[n].tolist()}> : {types[n]}\n"
            for n in known
        ).replace("dense<[]>", "dense<>")
        operands = ", ".join(f"%a{n}" for n in range(len(types)))
        count = len(results)
        names = ", ".join(f"%r#{n}" for n in range(count)) if count > 1 else "%r"
        attributes = f" <{{{self.attributes}}}>" if self.attributes else ""
        regions = f" ({self.regions})" if self.regions else ""
        return (
            f"({listed}) -> ({', '.join(results)}) {{\n{constants}"
            f'  %r{f":{count}" if count > 1 else ""} = "{self.op}"({operands}){attributes}{regions}'
            f" : ({', '.join(types)}) -> ({', '.join(results)})\n"
            f"  func.return {names} : {', '.join(results)}\n}}\n"
        )

    def readable(self) -> str:
        """The module with results of elements that the bindings hand out, for `joined`."""
        if self.raw:
            return self.raw
        types = [type_text(*each, False) for each in self.ins]
        results = [type_text(*each, False) for each in self.outs]
        lines, names, given = [], [], []
        for at, (shape, element) in enumerate(self.outs):
            value = f"%r#{at}" if len(results) > 1 else "%r"
            for part, (how, read) in enumerate(_readable(element)):
                name, type_ = f"%x{at}_{part}", type_text(shape, read, False)
                lines.append(f"  {name} = {how} {value} : ({results[at]}) -> {type_}\n")
                names.append(name)
                given.append(type_)
        listed = ", ".join(f"%a{n}: {type_}" for n, type_ in enumerate(types))
        operands = ", ".join(f"%a{n}" for n in range(len(types)))
        return (
            f"func.func @main({listed}) -> ({', '.join(given)}) {{\n"
            f"  %r{f':{len(results)}' if len(results) > 1 else ''} = func.call @form({operands}) : "
            f"({', '.join(types)}) -> ({', '.join(results)})\n{''.join(lines)}"
            f"  func.return {', '.join(names)} : {', '.join(given)}\n}}\n"
            f"func.func private @form{self._function(False)}"
        )

    def joined(self, found: Iterator[np.ndarray]) -> list[np.ndarray]:
        """The results from those of the readable module."""
        results = []
        for shape, element in self.outs:
            dtype = numpy_type(element)
            if self.raw:
                results.append(next(found).reshape(shape).astype(dtype))
                continue
            parts = [next(found).reshape(shape) for _ in _readable(element)]
            if len(parts) == 2:
                both = (
                    np.stack(parts, -1) if parts[0].size else np.zeros((*shape, 2), parts[0].dtype)
                )
                results.append(np.ascontiguousarray(both).view(dtype).reshape(shape))
            elif element in _BY_BITS and parts[0].dtype.kind == "u":
                results.append(np.ascontiguousarray(parts[0]).view(dtype).reshape(shape))
            else:
                results.append(parts[0].astype(dtype))
        return results


def numpy_type(element: str) -> np.dtype:
    found = element_of(element)
    assert found is not None, element
    return found.dtype


def type_text(shape: Shape, element: str, dynamic: bool) -> str:
    sizes = "".join("?x" if dynamic else f"{size}x" for size in shape)
    return f"tensor<{sizes}{element}>"


FLOATS = ("f32", "f64", "f16", "bf16")
SMALL_FLOATS = (
    "f8E4M3FN", "f8E5M2", "f8E4M3", "f8E3M4", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ",
    "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN",
)  # fmt: skip
SIGNED = ("i2", "i4", "i8", "i16", "i32", "i64")
UNSIGNED = ("ui2", "ui4", "ui8", "ui16", "ui32", "ui64")
COMPLEX = ("complex<f32>", "complex<f64>")
ELEMENTS = ("i1", *SIGNED, *UNSIGNED, *FLOATS, *SMALL_FLOATS, *COMPLEX)
_BY_BITS = {"bf16", *SMALL_FLOATS}


def _readable(element: str) -> list[tuple[str, str]]:
    """The ops that bring an element type to those that the bindings hand out, and these."""
    if element.startswith("complex"):
        part = element[8:-1]
        return [("stablehlo.real", part), ("stablehlo.imag", part)]
    if element.startswith(("f4E", "f6E")):
        return [("stablehlo.convert", "f32")]
    if element in _BY_BITS:
        bits = 8 if element.startswith("f8") else 16
        return [("stablehlo.bitcast_convert", f"ui{bits}")]
    if element in ("i2", "i4"):
        return [("stablehlo.convert", "i8")]
    if element in ("ui2", "ui4"):
        return [("stablehlo.convert", "ui8")]
    return [("stablehlo.convert", element)]


_EXTREME = (1.0, 0.0, -1.0, 2.0, 0.5, -0.0, np.inf, -np.inf, np.nan, 3.0, -2.5, 1e30, -1e-40)
_PAIRS = (1, 1.5 - 2j, -1j, 1 + 3j, 1 - 3j, 0, 2 + 1j, complex(np.inf, 1), complex(np.nan, 0))


def drawn(shape: Shape, element: str, at: int) -> np.ndarray:
    """Values of an element type, extreme ones among them; other ones for the operand `at`."""
    count, dtype = int(np.prod(shape, dtype=np.int64)), numpy_type(element)
    with np.errstate(all="ignore"):
        if element.startswith("complex"):
            pool = np.array(_PAIRS).astype(dtype)
        elif element == "i1":
            pool = np.array([True, False, True, True])
        elif element.startswith(("i", "ui")):
            bits = int(element.lstrip("ui"))
            low, high = (
                (0, 2**bits - 1) if element[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            )
            picked = [
                n for n in (1, high, 0, low, 3, -1, 2, low + 1, high - 1, 5) if low <= n <= high
            ]
            pool = np.array(picked, np.uint64 if element[0] == "u" else np.int64).astype(dtype)
        else:
            pool = np.array(_EXTREME).astype(dtype)
    # A stride that shares no factor with the pool meets all pairs of values of two operands.
    places = (np.arange(count) * (at * len(pool) + 1) // max(at * len(pool), 1) + at * 3) % len(
        pool
    )
    return pool[places].reshape(shape)
