"""Combiner bodies of the numeric tests: their MLIR text, and how NumPy applies them in order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from elements import (
    COMPLEX,
    FLOATS,
    FLOATS4AND6,
    FLOATS8,
    NARROW,
    is_integer,
    to_parts,
    width,
)


@dataclass(frozen=True)
class Combiner:
    """A body of (current, update).

    `lines` are templates of its ops: {c} current, {u} update, {T} the element type, {p} a prefix
    for names; `result` is the template of what it yields. `function` is NumPy's elementwise
    function; `bits` says as what integers to see the operands: "signed", "unsigned", or "" for as
    they are.
    """

    name: str
    lines: tuple[str, ...]
    result: str
    function: Callable[[Any, Any], Any]
    bits: str = ""

    def ops(
        self, element: str, current: str = "%c", update: str = "%u", prefix: str = ""
    ) -> tuple[list[str], str]:
        """The ops on two values of type `element`, and the name of their result."""
        names = {"c": current, "u": update, "p": prefix, "T": element}
        if element[0] not in "us" or not self.lines:
            return [line.format(**names) for line in self.lines], self.result.format(**names)
        # arith works on signless integers only.
        signless, cast = f"i{width(element)}", "builtin.unrealized_conversion_cast"
        names |= {"c": f"%{prefix}cw", "u": f"%{prefix}uw", "T": signless}
        result = self.result.format(**names)
        lines = [
            f"%{prefix}cw = {cast} {current} : {element} to {signless}",
            f"%{prefix}uw = {cast} {update} : {element} to {signless}",
            *(line.format(**names) for line in self.lines),
            f"%{prefix}back = {cast} {result} : {signless} to {element}",
        ]
        return lines, f"%{prefix}back"

    def body(self, element: str) -> str:
        """The text of a combiner region for elements of type `element`."""
        lines, result = self.ops(element)
        return (
            f"  ^bb0(%c: {element}, %u: {element}):\n"
            + "".join(f"    {line}\n" for line in lines)
            + f'    "gs.yield"({result}) : ({element}) -> ()\n'
        )

    def at(self, out: np.ndarray, where: tuple[np.ndarray, ...], updates: np.ndarray) -> None:
        """out[where] = function(out[where], updates), one after the other in order."""
        if isinstance(self.function, np.ufunc) and out.dtype.kind in "iufb":
            kind = {"signed": "i", "unsigned": "u"}.get(self.bits)
            dtype = out.dtype if kind is None or out.dtype == np.bool_ else f"{kind}{out.itemsize}"
            self.function.at(out.view(dtype), where, updates.view(dtype))
            return
        for n in range(len(updates)):
            spot = tuple(axis[n] for axis in where)
            out[spot] = self.apply(np.asarray(out[spot]), np.asarray(updates[n]))

    def apply(self, current: np.ndarray, update: np.ndarray) -> np.ndarray:
        """The function on whole arrays."""
        dtype = current.dtype
        if dtype in NARROW:
            bits, signed = width(NARROW[dtype]), NARROW[dtype][0] != "u"
            seen = {"signed": True, "unsigned": False}.get(self.bits, signed)
            wide = (_cut(x.astype(np.int64), bits, seen) for x in (current, update))
            return _cut(np.asarray(self.function(*wide)), bits, signed).astype(dtype)
        with np.errstate(all="ignore"):
            return np.asarray(self.function(current, update)).astype(dtype)


def _cut(x: np.ndarray, bits: int, signed: bool) -> np.ndarray:
    """The low bits of integers, as a signed or unsigned number."""
    low, sign = x & ((1 << bits) - 1), 1 << (bits - 1)
    return (low ^ sign) - sign if signed else low


def _complex_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    (ar, ai), (br, bi) = (np.moveaxis(to_parts(x), -1, 0) for x in (a, b))
    return np.stack([ar * br - ai * bi, ai * br + ar * bi], -1).view(a.dtype)[..., 0]


def _by_parts(function: np.ufunc) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """An operation on the real and the imaginary parts, each rounded as such."""
    return lambda a, b: function(to_parts(a), to_parts(b)).view(a.dtype)[..., 0]


def _one(op: str, type_: str = "{T}") -> tuple[str, ...]:
    return (f"%{{p}}n = {op} {{c}}, {{u}} : {type_}",)


def _zeros_ordered(function: Any, greater: bool) -> Any:
    """NumPy's minimum or maximum with -0 below 0, as arith has it; NumPy takes either."""

    def apply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        negative = (np.logical_and if greater else np.logical_or)(np.signbit(a), np.signbit(b))
        zero = np.zeros((), a.dtype)
        zeros = np.where(negative, np.negative(zero), zero)
        return np.where((a == 0) & (b == 0), zeros, function(a, b)).astype(a.dtype)

    return apply


def _table(*combiners: Combiner) -> dict[str, Combiner]:
    return {combiner.name: combiner for combiner in combiners}


ALWAYS = _table(
    Combiner("keep", (), "{c}", lambda c, u: c),
    Combiner("replace", (), "{u}", lambda c, u: u),
)
OF_FLOATS = _table(
    Combiner("add", _one("arith.addf"), "%{p}n", np.add),
    Combiner("mul", _one("arith.mulf"), "%{p}n", np.multiply),
    Combiner("sub", _one("arith.subf"), "%{p}n", np.subtract),
    Combiner("minimum", _one("arith.minimumf"), "%{p}n", _zeros_ordered(np.minimum, False)),
    Combiner("maximum", _one("arith.maximumf"), "%{p}n", _zeros_ordered(np.maximum, True)),
    Combiner("minnum", _one("arith.minnumf"), "%{p}n", _zeros_ordered(np.fmin, False)),
    Combiner("maxnum", _one("arith.maxnumf"), "%{p}n", _zeros_ordered(np.fmax, True)),
    Combiner(
        "blend",
        (
            "%{p}h = arith.constant 0.5 : {T}",
            "%{p}m = arith.mulf {c}, %{p}h : {T}",
            "%{p}n = arith.addf %{p}m, {u} : {T}",
        ),
        "%{p}n",
        lambda c, u: (c * np.array(0.5, c.dtype)).astype(c.dtype) + u,
    ),
    Combiner(
        "pick",
        ("%{p}b = arith.cmpf olt, {u}, {c} : {T}", "%{p}n = arith.select %{p}b, {u}, {c} : {T}"),
        "%{p}n",
        lambda c, u: np.where(u < c, u, c),
    ),
)
OF_INTEGERS = _table(
    Combiner("add", _one("arith.addi"), "%{p}n", np.add),
    Combiner("mul", _one("arith.muli"), "%{p}n", np.multiply),
    Combiner("sub", _one("arith.subi"), "%{p}n", np.subtract),
    Combiner("min", _one("arith.minsi"), "%{p}n", np.minimum, "signed"),
    Combiner("max", _one("arith.maxsi"), "%{p}n", np.maximum, "signed"),
    Combiner("umin", _one("arith.minui"), "%{p}n", np.minimum, "unsigned"),
    Combiner("umax", _one("arith.maxui"), "%{p}n", np.maximum, "unsigned"),
    Combiner("and", _one("arith.andi"), "%{p}n", np.bitwise_and),
    Combiner("or", _one("arith.ori"), "%{p}n", np.bitwise_or),
    Combiner("xor", _one("arith.xori"), "%{p}n", np.bitwise_xor),
)
OF_BOOLEANS = _table(
    Combiner("add", _one("arith.addi"), "%{p}n", np.logical_xor),
    Combiner("mul", _one("arith.muli"), "%{p}n", np.logical_and),
    # An i1 that is true counts as -1 among signed integers.
    Combiner("max", _one("arith.maxsi"), "%{p}n", np.logical_and),
    Combiner("umax", _one("arith.maxui"), "%{p}n", np.logical_or),
    Combiner("and", _one("arith.andi"), "%{p}n", np.logical_and),
    Combiner("or", _one("arith.ori"), "%{p}n", np.logical_or),
    Combiner("xor", _one("arith.xori"), "%{p}n", np.logical_xor),
)
OF_COMPLEX = _table(
    Combiner("add", _one("complex.add"), "%{p}n", _by_parts(np.add)),
    Combiner("sub", _one("complex.sub"), "%{p}n", _by_parts(np.subtract)),
    Combiner("mul", _one("complex.mul"), "%{p}n", _complex_product),
)


def combiners_of(element: str) -> dict[str, Combiner]:
    """The combiners whose body may have this element type."""
    if element in COMPLEX:
        return {**ALWAYS, **OF_COMPLEX}
    if element in FLOATS or element in FLOATS8 or element in FLOATS4AND6:
        return {**ALWAYS, **OF_FLOATS}
    assert is_integer(element)
    return {**ALWAYS, **(OF_BOOLEANS if element == "i1" else OF_INTEGERS)}
