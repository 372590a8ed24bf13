"""StableHLO's ops for the table of `upstream_table.py`, held against StableHLO's interpreter."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs import dialect
from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.frontend.stablehlo.common import bindings, register_dialects
from stablehlo_elementwise import elementwise
from stablehlo_forms import Form, numpy_type
from stablehlo_other import others
from stablehlo_regions import with_regions
from stablehlo_structural import structural
from upstream_stock import run as run_stock
from upstream_table import Array, Case, Unknown

UNDRAWN = {
    "stablehlo.return": "ends the regions of other ops",
}

_TO_LINALG = (
    "builtin.module(func.func(stablehlo-legalize-composite-to-call),inline,symbol-dce,"
    "func.func(chlo-legalize-to-stablehlo),func.func(stablehlo-canonicalize-dynamism),"
    "stablehlo-legalize-to-linalg,convert-shape-to-std,stablehlo-convert-to-signless,"
    "reconcile-unrealized-casts)"
)
"""What upstream has for a whole module."""


@cache
def names() -> set[str]:
    """The ops that the provider's libraries register: names are in them as text."""
    context = _context()
    found: set[str] = set()
    for library in Path(bindings().__file__).parent.glob("*.so*"):
        words = re.findall(rb"(?:stablehlo|chlo)\.[a-z0-9_]+", library.read_bytes())
        found |= {word.decode() for word in words}
    return {name for name in found if context.is_registered_operation(name)}


def _context() -> Any:
    context = dialect.context()
    register_dialects(context)
    return context


@cache
def cases() -> list[Case]:
    """All forms, with those that StableHLO's own verifiers refuse."""
    forms = [*elementwise(), *structural(), *with_regions(), *others()]
    # What upstream's passes make of a dynamic op whose sizes are constants is another op.
    forms += [
        replace(form, name=f"constant {form.name}", constant=True) for form in forms if form.fixed
    ]
    return [
        Case(form.op, form.name, form, relative=form.relative, also=_expansions(form.op))
        for form in forms
    ]


def _expansions(op: str) -> tuple[str, ...]:
    """Names of what upstream makes of an op of chlo: verifiers of chlo take more than those of
    StableHLO, whose messages then name the op that they refuse."""
    if not op.startswith("chlo."):
        return ()
    name = op.removeprefix("chlo.").removeprefix("broadcast_")
    return (f"stablehlo.{name}", "stablehlo.bitcast_convert")


def is_valid(case: Case) -> bool:
    """Whether the verifiers take the form."""
    context = _parser()
    with context, ir.Location.unknown():
        try:
            ir.Module.parse(case.source.text())
        except ir.MLIRError:
            return False
    return True


@cache
def _parser() -> Any:
    return _context()


def ours(case: Case) -> list[Array]:
    """By the library, on one thread."""
    import mlir_gs

    kernel = mlir_gs.compile(case.source.text(), threads=1)
    results = kernel(*(argument.copy() for argument in case.source.arguments))
    many = results if isinstance(results, (tuple, list)) else (results,)
    return [np.asarray(one) for one in many]


def upstream(case: Case) -> list[Array]:
    """By stablehlo-legalize-to-linalg and what follows it."""
    context = _context()
    with context, ir.Location.unknown():
        module = ir.Module.parse(case.source.text())
        results = list(module.body.operations[0].type.results)
        PassManager.parse(_TO_LINALG).run(module.operation)
        return run_stock(module, case.source.arguments, results)


def expected(case: Case) -> list[Array]:
    """By StableHLO's interpreter, on static sizes; by NumPy where the interpreter is wrong."""
    form: Form = case.source
    computed = _by_numpy(form)
    if computed is not None:
        return [computed]
    context = _context()
    with context, ir.Location.unknown():
        module = ir.Module.parse(form.readable())
        PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(
            module.operation
        )
        function = module.body.operations[0]
        given = [_attribute(*pair) for pair in zip(form.data, function.type.inputs, strict=True)]
        try:
            found = iter([np.array(one) for one in bindings().eval_module(module, given)])
        except (ValueError, RuntimeError) as error:
            raise Unknown(str(error)) from None
    return form.joined(found)


def _by_numpy(form: Form) -> Array | None:
    """What NumPy and ml_dtypes, and JAX with them, have where the interpreter has other values.

    It converts zero and what is negative to the least f8E8M0FNU, which has neither, and rounds what
    is finite in f8E3M4 to NaN.
    """
    element = form.outs[0][1]
    if form.op == "stablehlo.convert" and element == "f8E8M0FNU":
        with np.errstate(all="ignore"):
            given = form.data[0].real if form.data[0].dtype.kind == "c" else form.data[0]
            return given.astype(np.float32).astype(numpy_type(element))
    if form.op == "stablehlo.round_nearest_afz" and element == "f8E3M4":
        given = form.data[0].astype(np.float64)
        rounded = np.copysign(np.trunc(np.abs(given) + 0.5), given)
        return rounded.astype(numpy_type(element))
    return None


def _attribute(array: Array, type_: Any) -> Any:
    if array.dtype == np.bool_:
        # The bytes of a mask of one byte would be read as a splat.
        listed = str(array.tolist()).lower() if array.size else ""
        return ir.Attribute.parse(f"dense<{listed}> : {type_}")
    return ir.DenseElementsAttr.get(np.frombuffer(array.tobytes(), np.uint8), type=type_)
