"""The prover and the reference compute the same: each op on numbers, with poison and without."""

import random
from collections.abc import Iterator

import pytest

pytest.importorskip("z3")

import numpy as np
import z3
from mlir_gs.dialect import context
from mlir_gs.dialect.reference.types import dtype_of
from mlir_gs.frontend.parse import parse
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.prove import functions
from mlir_gs.prove.runs import Results, outcome
from mlir_gs.prove.scalars import literal
from mlir_gs.prove.solver import laws_of
from mlir_gs.prove.terms import poison_of, term_of

TYPES = ("i1", "i8", "i16", "i32", "i64", "index")
_FLAGGED = ("addi", "subi", "muli", "shli")
BINARY = (
    *("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"),
    *("shli", "shrsi", "shrui", "divsi", "divui", "remsi", "remui"),
    *("floordivsi", "ceildivsi", "ceildivui"),
)
INDEX = ("add", "sub", "mul", "shl", "shrs", "shru", "divs", "divu", "rems", "remu", "ceildivs",
         "ceildivu", "floordivs", "maxs", "minu")  # fmt: skip
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _ops() -> Iterator[tuple[str, str]]:
    """(op on %a and %b, type)."""
    for type_ in TYPES:
        for kind in BINARY:
            flags = ["", " overflow<nsw>", " overflow<nuw>"] if kind in _FLAGGED else [""]
            flags += [" exact"] if kind in ("shrsi", "shrui", "divsi", "divui") else []
            for flag in flags:
                yield f"arith.{kind} %a, %b{flag} : {type_}", type_
        for predicate in PREDICATES:
            yield f"arith.cmpi {predicate}, %a, %b : {type_}", type_
    for kind in INDEX:
        yield f"index.{kind} %a, %b", "index"
    for kind in ("extsi", "extui"):
        yield f"arith.{kind} %a : i8 to i32", "i8"
    for flag in ("", " overflow<nsw>", " overflow<nuw>"):
        yield f"arith.trunci %a{flag} : i16 to i8", "i16"
    yield "arith.extui %a nneg : i8 to i32", "i8"


def _numbers(type_: str) -> list[int]:
    if type_ == "i1":
        return [0, 1]
    width = 64 if type_ == "index" else int(type_[1:])
    ends = [-(1 << (width - 1)), (1 << (width - 1)) - 1]
    return [0, 1, -1, 2, -2, 3, 7, width - 1, width, *ends, ends[0] + 1]


@pytest.fixture(scope="module", autouse=True)
def _context() -> Iterator[None]:
    with context():
        yield


@pytest.mark.parametrize("wanted", [*TYPES, "other"])
def test_ops(wanted: str) -> None:
    for op, type_ in _ops():
        last = op.rsplit(" ", 1)[1]
        if wanted == (last if last in TYPES and " to " not in op else "other"):
            _compare(op, type_)


def _compare(op: str, type_: str) -> None:
    compares = ".cmp" in op
    result = "i1" if compares else op.rsplit(" ", 1)[1] if " to " in op else type_
    text = f"func.func @f(%a: {type_}, %b: {type_}) -> {result} {{\n  %r = {op}\n"
    text += f"  return %r : {result}\n}}\n"
    choice = random.Random(op)
    module = parse(text)
    function = functions(module)["f"]
    given = list(function.regions[0].blocks[0].arguments)
    meaning = Meaning("before", function)
    (value,) = meaning.results
    for _ in range(4):
        pair = [choice.choice(_numbers(type_)) for _ in given]
        arrays = [np.array(n).astype(dtype_of(given[0].type)) for n in pair]
        swap = [
            (z3.Const(f"arg{n}", literal(a, given[0].type).sort()), literal(a, given[0].type))
            for n, a in enumerate(arrays)
        ]

        def at(term: z3.ExprRef, swap: list = swap) -> z3.ExprRef:
            return z3.simplify(z3.substitute(term, *swap))

        undefined = [at(event.condition) for event in meaning.side.events]
        found = outcome(module, "f", arrays)
        if isinstance(found, str):
            assert any(map(z3.is_true, undefined)), (op, pair, found)
            continue
        assert all(map(z3.is_false, undefined)), (op, pair)
        assert isinstance(found, Results)
        is_poison = at(poison_of(value))
        if found.poison[0]:
            assert not z3.is_false(is_poison), (op, pair)
            continue
        wanted = literal(found.arrays[0], function.attributes["function_type"].value.results[0])
        same = z3.And(z3.Not(is_poison), at(term_of(value)) == wanted)
        assert z3.is_true(z3.simplify(same)) or _may_hold(same), (op, pair, found)


def _may_hold(condition: z3.BoolRef) -> bool:
    """What is known of the functions in `condition` does not exclude it."""
    solver = z3.Solver()
    solver.set("timeout", 100)
    solver.add(condition, *laws_of([condition]))
    return solver.check() != z3.unsat
