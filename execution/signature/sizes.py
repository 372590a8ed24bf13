"""Sizes of results as expressions over the sizes and scalars of the arguments.

As Python they allocate a result before a call; as steps of a plan (`calls.c`) they check a given
one, and tell C what to allocate. `size_of.py` finds them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Size:
    """An integer expression: `op` is "constant", "size" (argument, dimension), "scalar" (argument)
    or an arithmetic operation over `operands`."""

    op: str
    values: tuple[int, ...] = ()
    operands: tuple["Size", ...] = ()


def constant(value: int) -> Size:
    """The expression for a number."""
    return Size("constant", (value,))


def truncating_div(a: int, b: int) -> int:
    """`a / b` rounded toward zero, as `arith.divsi`."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_PYTHON = {
    "add": "({} + {})",
    "sub": "({} - {})",
    "mul": "({} * {})",
    "div": "truncating_div({}, {})",
    "floordiv": "({} // {})",
    "ceildiv": "(-(-{} // {}))",
    "mod": "({} % {})",
    "max": "max({}, {})",
    "min": "min({}, {})",
    "eq": "({} == {})",
    "ne": "({} != {})",
    "slt": "({} < {})",
    "sle": "({} <= {})",
    "sgt": "({} > {})",
    "sge": "({} >= {})",
}


def python_source(size: Size) -> str:
    """The expression in Python; argument `k` is called `a<k>`."""
    if size.op == "constant":
        return str(size.values[0])
    if size.op == "scalar":
        return f"int(a{size.values[0]})"
    if size.op == "size":
        argument, dim = size.values
        return f"a{argument}.shape[{dim}]"
    operands = [python_source(operand) for operand in size.operands]
    if size.op == "select":
        condition, chosen, other = operands
        return f"({chosen} if {condition} else {other})"
    return _PYTHON[size.op].format(*operands)


def function_of(source: str, count: int, **names: Any) -> Callable[..., Any]:
    """A function of so many arguments that gives what `source` says, of `python_source`s and
    `names`."""
    arguments = "".join(f"a{number}, " for number in range(count))
    return eval(f"lambda {arguments}: {source}", {"truncating_div": truncating_div, **names})


OPERATIONS = ("constant", "copy", "select", *_PYTHON)
"""What a plan computes sizes by, in the order of its numbers for them; "copy" is of the size or
scalar of an argument."""
