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
from stablehlo_forms import Form, Typed, numpy_type
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
    if form.op == "stablehlo.reduce" and "dimensions = array<i64>" in form.attributes:
        # The initial values are taken any number of times: by the interpreter once, by XLA never.
        return list(form.data[: len(form.outs)])
    wide = _widened(form)
    if wide is not None:
        outs = zip(_interpreted(wide), form.outs, strict=True)
        return [_rounded(array, element) for array, (_, element) in outs]
    return _interpreted(form)


def _interpreted(form: Form) -> list[Array]:
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


_WITHOUT_NAN = ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN")
_MISTAKEN = ("f8E8M0FNU", "f8E3M4", *_WITHOUT_NAN)
"""Results that the interpreter has wrong: numbers for zero, negative ones and NaN, which the first
has not, and other numbers for the others where they are rounded to integers."""


def _rounded(array: Array, element: str) -> Array:
    """As ml_dtypes rounds; Unknown for NaN in a type that has none."""
    if element in _WITHOUT_NAN and np.isnan(array).any():
        raise Unknown(f"NaN has no meaning in {element}")
    with np.errstate(all="ignore"):
        return array.astype(numpy_type(element))


def _by_numpy(form: Form) -> Array | None:
    """What NumPy and ml_dtypes, and JAX with them, have where the interpreter has other values.

    It knows no total order, and takes NaN of f8E8M0FNU for infinity.
    """
    element = form.outs[0][1]
    if form.op == "stablehlo.convert" and "f8E8M0FNU" in (element, form.ins[0][1]):
        given = form.data[0].real if form.ins[0][1].startswith("complex") else form.data[0]
        if not element.startswith(("i", "ui")):
            with np.errstate(all="ignore"):
                return _rounded(given.astype(np.float64).astype(np.float32), element)
    if form.op == "stablehlo.compare" and "TOTALORDER" in form.attributes:
        keys = []
        for array in form.data:
            bits = array.view(f"i{array.itemsize}").astype(np.int64)
            keys.append(np.where(bits < 0, -(bits & (2 ** (8 * array.itemsize - 1) - 1)) - 1, bits))
        direction = form.attributes.split("comparison_direction ")[-1][:2]
        compare = {"EQ": "equal", "NE": "not_equal", "LT": "less", "LE": "less_equal",
                   "GT": "greater", "GE": "greater_equal"}[direction]  # fmt: skip
        return getattr(np, compare)(*keys)
    return None


def _widened(form: Form) -> Form | None:
    """The form on f32, of which each result is rounded once; None where it computes otherwise."""
    plain = not (form.regions or form.raw or re.search(r"f[468]E", form.attributes))
    asked = form.ins if ".is_" in form.op else ()
    elements = [element for _, element in (*form.outs, *asked)]
    if (
        not plain
        or "bitcast" in form.op
        or "next_after" in form.op
        or not set(elements) & set(_MISTAKEN)
    ):
        return None

    def wide(typed: Typed) -> Typed:
        return typed[0], "f32" if typed[1] in _MISTAKEN else typed[1]

    return replace(
        form,
        ins=tuple(map(wide, form.ins)),
        outs=tuple(map(wide, form.outs)),
        given=tuple(
            array.astype(np.float32) if element in _MISTAKEN else array
            for array, (_, element) in zip(form.data, form.ins, strict=True)
        ),
    )


def _attribute(array: Array, type_: Any) -> Any:
    if array.dtype == np.bool_:
        # The bytes of a mask of one byte would be read as a splat.
        listed = str(array.tolist()).lower() if array.size else ""
        return ir.Attribute.parse(f"dense<{listed}> : {type_}")
    return ir.DenseElementsAttr.get(np.frombuffer(array.tobytes(), np.uint8), type=type_)
