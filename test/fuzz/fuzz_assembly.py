"""Random modules in the assembly form: they print, parse and compare equal; damage is an error.

    python test/fuzz/fuzz_assembly.py --cases 20000 --seed 0

Takes some minutes on two cores. Each case is a module of random ops, with attributes of users and
defaults spelled out, as named ops, as gs.generic or on memrefs. With other blanks, comments,
aliases of types and names of dims it reads the same. A clause that is given more than its value is
an error. The text is then damaged: it must still be a module, or an error at a line and column of
the text.
"""

import random
import re
import sys
from pathlib import Path
from typing import Any

from campaign import campaign
from mlir_gs import dialect
from mlir_gs.dialect import assembly
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import read
from mlir_gs.dialect.assembly.form import namespaces
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.ir.builders import walk
from mutations import damaged
from spellings import respelled, stuffed

sys.path.insert(0, str(Path(__file__).parents[1] / "numeric"))
from draw import RandomDraw
from random_programs import any_program

_DAMAGES = 4
"""So many times the text of a case is damaged."""
_LEFT = re.compile(r'^\s*(?:%[^"\n]* = )?"gs\.\w+"\(', re.MULTILINE)
_ERROR = re.compile(r"-:(\d+):(\d+): (?:error|note): [^\n]")
_NOTES = ('"a \\"gs.gather\\"(%x) string"', "[1, {a = unit}]", "affine_map<(d0)[s0] -> (d0 + s0)>",
          "tensor<2xf32>", "dense<[1.0, 2.0]> : tensor<2xf32>", "unit")  # fmt: skip


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    rng = random.Random(f"{seed}:{number}")
    with dialect.context() as context, ir.Location.unknown():
        module = _module(rng, RandomDraw([seed, number]))
        whole = _generic(module)
        for form in ({}, {"debug_info": True}, {"local_scope": True}):
            text = assembly.print(module, **form)
            if _LEFT.search(text):
                return f"an op in the generic form:\n{text}"
            again = parse(text, context)
            if _rewritten(text) != assembly.to_generic(text.encode()).text:
                return f"with places it is read otherwise:\n{text}"
            if _generic(again) != whole:
                return f"it differs:\n{text}\n{whole}\n{_generic(again)}"
        plain = assembly.print(module)
        other = respelled(rng, plain)
        try:
            again = _generic(parse(other, context))
        except ParseError as error:
            return f"refused: {error}\n{other}"
        if again != whole:
            return f"spelled otherwise it differs:\n{other}\n{whole}\n{again}"
        more = stuffed(rng, plain)
        if more and (_taken(more, context) or _complaint(more, context)):
            return f"a clause takes more than its value, or has no place:\n{more}"
        for _ in range(_DAMAGES):
            found = _complaint(damaged(rng, plain), context)
            if found:
                return found
    return ""


def _module(rng: random.Random, draw: RandomDraw) -> Any:
    texts = [any_program(draw).named(f"f{n}").text for n in range(rng.choice((1, 1, 2, 3)))]
    module = parse("\n".join(texts), ir.Context.current)
    passes = rng.choice(("", "", "gs-generalize", "gs-generalize,gs-bufferize"))
    if passes:
        run_pipeline(module, f"builtin.module({passes})")
    for op in walk(module.operation):
        if op.name.startswith("gs.") and rng.random() < 0.2:
            op.attributes["my.note"] = ir.Attribute.parse(rng.choice(_NOTES))
        if op.name == "gs.generic" and rng.random() < 0.2:
            _spell_defaults(op)
    # Upstream's own forms leave out a few defaults.
    return ir.Module.parse(str(module))


def _spell_defaults(op: Any) -> None:
    symbols = sum(len(maps) for maps in op.attributes["coordinate_maps"])
    if "modes" not in op.attributes:
        mode = ir.StringAttr.get("promise_in_bounds")
        op.attributes["modes"] = ir.ArrayAttr.get([mode] * symbols)
    if "wrap_negative" not in op.attributes:
        op.attributes["wrap_negative"] = ir.DenseBoolArrayAttr.get([False] * symbols)


def _generic(module: Any) -> str:
    return module.operation.get_asm(print_generic_op_form=True, use_local_scope=True)


def _rewritten(text: str) -> bytes:
    """The text in the generic form, read without regard to ops that are written alike."""
    source = text.encode().decode("latin-1")
    return read.with_places(source, namespaces()).text().encode("latin-1")


def _taken(text: str, context: Any) -> bool:
    try:
        parse(text, context)
    except ParseError:
        return False
    return True


def _complaint(text: str, context: Any) -> str:
    """What is wrong with how a damaged text is taken."""
    try:
        parse(text, context)
    except ParseError as error:
        if "\u00c3" in str(error) and "\u00c3" not in text:
            return f"bytes in place of letters: {error}\n{text}"
        lines = text.encode("utf-8", "surrogatepass").split(b"\n")
        found = _ERROR.match(str(error))
        if found is None:
            return f"no place: {error}\n{text}"
        line, column = int(found[1]), int(found[2])
        if not (1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1):
            return f"no such place: {error}\n{text}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__ or "", check, "modules", "differences or complaints"))
