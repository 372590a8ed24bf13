"""Sizes of results as expressions over the sizes and scalars of the arguments.

They are written twice: as Python, to allocate a result before the call, and as LLVM dialect text,
for what checks a given one (`calling.py`) and for C (`aot_text.py`). `size_of.py` finds them.
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


PREDICATES = {0: "eq", 1: "ne", 2: "slt", 3: "sle", 4: "sgt", 5: "sge"}
"""By the number that `arith.cmpi` has for it."""


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

_LLVM = {
    "add": "llvm.add {}, {} : i64",
    "sub": "llvm.sub {}, {} : i64",
    "mul": "llvm.mul {}, {} : i64",
    "div": "llvm.sdiv {}, {} : i64",
    "max": "llvm.intr.smax({}, {}) : (i64, i64) -> i64",
    "min": "llvm.intr.smin({}, {}) : (i64, i64) -> i64",
}


def llvm_value(size: Size, emit: Callable[[str], str], leaf: Callable[[Size], str]) -> str:
    """Emit the expression; `emit` takes an operation's text and returns the name of its result,
    `leaf` gives the i64 of a size or scalar of an argument."""
    if size.op == "constant":
        return emit(f"llvm.mlir.constant({size.values[0]} : i64) : i64")
    if size.op in ("size", "scalar"):
        return leaf(size)
    operands = [llvm_value(operand, emit, leaf) for operand in size.operands]
    if size.op in _LLVM:
        return emit(_LLVM[size.op].format(*operands))
    if size.op == "select":
        return emit("llvm.select {}, {}, {} : i1, i64".format(*operands))
    if size.op in PREDICATES.values():
        return emit('llvm.icmp "{}" {}, {} : i64'.format(size.op, *operands))
    return _rounded(size.op, operands[0], operands[1], emit)


def _rounded(op: str, a: str, b: str, emit: Callable[[str], str]) -> str:
    """Floor and ceiling division and the floor remainder, for a positive divisor."""
    zero = emit("llvm.mlir.constant(0 : i64) : i64")
    if op == "ceildiv":
        negated = emit(f"llvm.sub {zero}, {a} : i64")
        return emit(f"llvm.sub {zero}, {_rounded('floordiv', negated, b, emit)} : i64")
    remainder = emit(f"llvm.srem {a}, {b} : i64")
    negative = emit(f'llvm.icmp "slt" {remainder}, {zero} : i64')
    if op == "mod":
        lifted = emit(f"llvm.add {remainder}, {b} : i64")
        return emit(f"llvm.select {negative}, {lifted}, {remainder} : i1, i64")
    borrow = emit(f"llvm.sext {negative} : i1 to i64")
    quotient = emit(f"llvm.sdiv {a}, {b} : i64")
    return emit(f"llvm.add {quotient}, {borrow} : i64")
