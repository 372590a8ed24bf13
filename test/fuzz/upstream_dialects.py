"""Ops of arith, math, complex and index for the table of `upstream_table.py`.

Held against `dialect.reference_run`, which computes them with NumPy.
"""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir, module
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from stablehlo_forms import COMPLEX, FLOATS, Shape, drawn
from upstream_stock import run as run_stock
from upstream_table import Array, Case, Unknown

DIALECTS = ("arith", "math", "complex", "index")

UNDRAWN: dict[str, str] = {}


@cache
def names() -> set[str]:
    """The ops for which the bindings have classes."""
    found: set[str] = set()
    for name in DIALECTS:
        holder = module(f"dialects.{name}")
        classes = [value for _, value in inspect.getmembers(holder, inspect.isclass)]
        found |= {each.OPERATION_NAME for each in classes if hasattr(each, "OPERATION_NAME")}
    return {name for name in found if name.split(".")[0] in DIALECTS}


@dataclass(frozen=True)
class Program:
    """A module whose function `main` takes the arrays."""

    op: str
    text: str
    ins: tuple[tuple[Shape, str], ...]

    @cached_property
    def data(self) -> tuple[Array, ...]:
        """Values of the arguments."""
        return tuple(_operand(self.op, at, *each) for at, each in enumerate(self.ins))


@cache
def cases() -> list[Case]:
    """All forms, with those that verifiers refuse."""
    return [*_elementwise()]


def _elementwise() -> Iterator[Case]:
    for op in sorted(names()):
        if op.startswith("index."):
            elements: tuple[str, ...] = ("index", "i1", "i32")
        elif op.startswith("complex."):
            elements = (*COMPLEX, "f32", "i32")
        else:
            elements = ("i1", "i4", "i8", "i32", "i64", *FLOATS, "f8E5M2", "f4E2M1FN", "index")
        for element in elements:
            part = element.removeprefix("complex<").removesuffix(">")
            outs = (element, "i1", part)
            if op.startswith("complex."):
                outs = (*outs, f"complex<{element}>")
            for count in _counts(op):
                for out in dict.fromkeys((*outs, *elements) if _converts(op) else outs):
                    yield _scalar_case(op, (element,) * count, (out,))
                yield _scalar_case(op, (element,) * count, (element, element))
                if count == 2:
                    yield _scalar_case(op, (element,) * 2, (element, "i1"))
                    yield _scalar_case(op, (element, "i32"), (element,))
                if count == 3:
                    yield _scalar_case(op, ("i1", element, element), (element,))


@cache
def _counts(op: str) -> tuple[int, ...]:
    """How many operands an op might have: its class takes them in order, and maybe a type."""
    dialect_name = op.split(".")[0]
    holder = module(f"dialects.{dialect_name}")
    classes = [value for _, value in inspect.getmembers(holder, inspect.isclass)]
    found = next(each for each in classes if getattr(each, "OPERATION_NAME", "") == op)
    parameters = list(inspect.signature(found.__init__).parameters.values())[1:]
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    most = sum(parameter.kind in kinds for parameter in parameters)
    return tuple(n for n in (most - 2, most - 1, most) if 0 <= n <= 3)


def _converts(op: str) -> bool:
    name = op.split(".")[1]
    return any(part in name for part in ("ext", "trunc", "cast", "to", "convert"))


def _scalar_case(op: str, ins: tuple[str, ...], outs: tuple[str, ...]) -> Case:
    """The op on each element of tensors."""
    attributes = ""
    if op.endswith((".cmpi", ".cmpf")):
        attributes = " <{predicate = 2 : i64}>"
    elif op == "index.cmp":
        attributes = " <{pred = #index<cmp_predicate slt>}>"
    elif op.endswith(".constant"):
        number = (
            "[1.0 : f32, 2.0 : f32]"
            if "complex" in outs[0]
            else (f"1.0 : {outs[0]}" if "f" in outs[0] else f"1 : {outs[0]}")
        )
        attributes = f" <{{value = {number}}}>"
    count = 12
    types = [f"tensor<{count}x{element}>" for element in (*ins, *outs)]
    listed = ", ".join(f"%t{n}: {type_}" for n, type_ in enumerate(types[: len(ins)]))
    empties = "\n".join(
        f"  %e{n} = tensor.empty() : {type_}" for n, type_ in enumerate(types[len(ins) :])
    )
    identity = ", ".join(["affine_map<(d0) -> (d0)>"] * len(types))
    given = ", ".join(f"%t{n}" for n in range(len(ins)))
    made = ", ".join(f"%e{n}" for n in range(len(outs)))
    elements = ", ".join(
        [f"%a{n}: {e}" for n, e in enumerate(ins)] + [f"%o{n}: {e}" for n, e in enumerate(outs)]
    )
    operands = ", ".join(f"%a{n}" for n in range(len(ins)))
    names_ = ", ".join(f"%r#{n}" for n in range(len(outs))) if len(outs) > 1 else "%r"
    results = ", ".join(types[len(ins) :])
    inputs = f"ins({given} : {', '.join(types[: len(ins)])}) " if ins else ""
    returned = ", ".join(f"%g#{n}" for n in range(len(outs))) if len(outs) > 1 else "%g"
    many = f":{len(outs)}" if len(outs) > 1 else ""
    text = f"""func.func @main({listed}) -> ({results}) {{
{empties}
  %g{many} = linalg.generic {{indexing_maps = [{identity}], iterator_types = ["parallel"]}}
    {inputs}outs({made} : {results}) {{
  ^bb0({elements}):
    %r{many} = "{op}"({operands}){attributes} : ({", ".join(ins)}) -> ({", ".join(outs)})
    linalg.yield {names_} : {", ".join(outs)}
  }} -> ({results})
  return {returned} : {results}
}}
"""
    form = f"({', '.join(ins)}) -> ({', '.join(outs)})"
    digits = {"f64": 46, "f32": 18, "f16": 6, "bf16": 4}
    part = outs[0].removeprefix("complex<").removesuffix(">")
    exact = part not in digits or op.split(".")[0] == "arith"
    relative = 0.0 if exact and "f8" not in part else 2.0 ** -digits.get(part, 1)
    given_ = tuple(((count,), element) for element in ins)
    return Case(op, form, Program(op, text, given_), relative=relative)


def _operand(op: str, at: int, shape: Shape, element: str) -> Array:
    """Values of an operand, without those for which the op's result is not defined."""
    found = drawn(shape, "i64" if element == "index" else element, at)
    name = op.split(".")[1]
    counted = (np.arange(found.size) % 8).reshape(shape)
    if at == 1 and ("div" in name or "rem" in name) and "f" not in element:
        return np.where(np.isin(found.astype(np.int64), (0, -1)), 1, found).astype(found.dtype)
    if at == 1 and name.startswith("sh") and "f" not in element:
        width = 64 if element == "index" else int(element[1:])
        return (counted % width).astype(found.dtype)
    if name in ("fptosi", "fptoui", "ipowi", "fpowi", "powi"):
        return (counted % 2).astype(found.dtype)
    return found


def is_valid(case: Case) -> bool:
    """Whether the verifiers take the form."""
    context = _context()
    with context, ir.Location.unknown():
        try:
            ir.Module.parse(case.source.text)
        except ir.MLIRError:
            return False
    return True


@cache
def _context() -> Any:
    return dialect.context()


def ours(case: Case) -> list[Array]:
    """By the library, on one thread."""
    import mlir_gs

    kernel = mlir_gs.compile(case.source.text, threads=1)
    results = kernel(*(argument.copy() for argument in case.source.data))
    many = results if isinstance(results, (tuple, list)) else (results,)
    return [np.asarray(one) for one in many]


def upstream(case: Case) -> list[Array]:
    """By One-Shot Bufferize and the lowerings after it."""
    with dialect.context() as context, ir.Location.unknown():
        source = ir.Module.parse(case.source.text, context)
        arguments = [argument.copy() for argument in case.source.data]
        return run_stock(source, arguments)


def expected(case: Case) -> list[Array]:
    """By the reference."""
    with dialect.context() as context, ir.Location.unknown():
        source = ir.Module.parse(case.source.text, context)
        arguments = [argument.copy() for argument in case.source.data]
        try:
            with np.errstate(all="ignore"):
                return list(reference_run.run(source, "main", arguments))
        except (NotImplementedError, TypeError, ValueError, UndefinedBehavior) as error:
            raise Unknown(str(error)) from None
