"""Ops of upstream's own dialects for the table of `upstream_table.py`.

Held against `dialect.reference_run`, which computes them with NumPy, or against NumPy itself.
"""

import inspect
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from dialect_buffers import buffers
from dialect_control import control
from dialect_forms import Program, tensor
from dialect_linalg import linalg_ops
from dialect_memory import memory
from dialect_reductions import reductions
from dialect_vector import vectors
from mlir_gs import dialect
from mlir_gs.dialect._bindings import PassManager, ir, module
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.lowering.passes.fatal_forms import fatal_form
from stablehlo_forms import COMPLEX, FLOATS
from upstream_stock import run as run_stock
from upstream_table import Array, Case, Unknown

_ELEMENTWISE = ("arith", "math", "complex", "index")
DIALECTS = (
    *_ELEMENTWISE,
    "tensor",
    "bufferization",
    "memref",
    "affine",
    "linalg",
    "vector",
    "scf",
    "cf",
)

_ENDS = (
    "affine.yield", "linalg.yield", "memref.alloca_scope.return", "memref.atomic_yield",
    "scf.condition", "scf.forall.in_parallel", "scf.reduce", "scf.reduce.return", "scf.yield",
    "tensor.yield", "vector.yield",
)  # fmt: skip
_MOVES = ("affine.dma_start", "affine.dma_wait", "memref.dma_start", "memref.dma_wait")
UNDRAWN = {
    **dict.fromkeys(_ENDS, "ends the regions of other ops"),
    **dict.fromkeys(_MOVES, "moves between memories that a CPU has not"),
    "bufferization.dealloc": "only passes make it",
    "vector.scalable.extract": "of scalable vectors, which are refused",
    "vector.scalable.insert": "of scalable vectors, which are refused",
}


@cache
def names() -> set[str]:
    """The ops for which the bindings have classes."""
    found: set[str] = set()
    for name in DIALECTS:
        holder = module(f"dialects.{name}")
        classes = [value for _, value in inspect.getmembers(holder, inspect.isclass)]
        found |= {each.OPERATION_NAME for each in classes if hasattr(each, "OPERATION_NAME")}
    return {name for name in found if name.split(".")[0] in DIALECTS}


@cache
def cases() -> list[Case]:
    """All forms, with those that verifiers refuse."""
    return [
        *_elementwise(),
        *memory(),
        *buffers(),
        *linalg_ops(),
        *vectors(),
        *reductions(),
        *control(),
    ]


def _elementwise() -> Iterator[Case]:
    for op in sorted(names()):
        if op.split(".")[0] not in _ELEMENTWISE:
            continue
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
    args = tuple(tensor((count,), element) for element in ins)
    return Case(op, form, Program(op, text, args), relative=relative)


def is_valid(case: Case) -> bool:
    """Whether the verifiers take the form, or die of it."""
    if fatal_form(case.source.text.encode()) is not None:
        return True
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

    program: Program = case.source
    kernel = mlir_gs.compile(program.text, threads=1)
    arguments = [argument.copy() for argument in program.data]
    results = kernel(*arguments)
    many = results if isinstance(results, (tuple, list)) else (results,)
    returned = [] if results is None else [np.asarray(one) for one in many]
    return [*returned, *program.buffers(arguments)]


def upstream(case: Case) -> list[Array]:
    """By One-Shot Bufferize and the lowerings after it."""
    with dialect.context() as context, ir.Location.unknown():
        source = ir.Module.parse(case.source.text, context)
        arguments = [argument.copy() for argument in case.source.data]
        return [*run_stock(source, arguments), *case.source.buffers(arguments)]


def expected(case: Case) -> list[Array]:
    """By the reference, or by NumPy."""
    program: Program = case.source
    if program.wanted is not None:
        with np.errstate(all="ignore"):
            return list(program.wanted(*program.data))
    with dialect.context() as context, ir.Location.unknown():
        source = ir.Module.parse(program.text, context)
        arguments = [argument.copy() for argument in program.data]
        if case.op.startswith("linalg."):
            # The definitions of named ops are upstream's.
            PassManager.parse("builtin.module(linalg-generalize-named-ops)").run(source.operation)
        try:
            with np.errstate(all="ignore"):
                results = list(reference_run.run(source, "main", arguments))
                return [*results, *program.buffers(arguments)]
        except (
            NotImplementedError,
            TypeError,
            ValueError,
            OverflowError,
            IndexError,
            UndefinedBehavior,
        ) as error:
            raise Unknown(str(error)) from None
