"""`prove`: whether one version of a function may stand for another."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.lowering import PassFailure, PipelineError, run_pipeline
from mlir_gs.lowering.buffers.gs_bufferize import carriers
from mlir_gs.lowering.ir.builders import is_private, replace_op, symbol, walk, walk_named
from mlir_gs.lowering.named.gs_generalize import generalized
from mlir_gs.prove import models
from mlir_gs.prove.compare import compare
from mlir_gs.prove.overlaps import sharing
from mlir_gs.prove.search import Counterexample, first_of, search, search_shared, types_of
from mlir_gs.prove.symbols import beside, closure, functions, named, symbols_of

interpreter = dialect("transform.interpreter")
# Dialects of source languages, but those of which some ops are left as they are.
_SOURCES = ("tosa.", "stablehlo.", "chlo.", "torch.", "tcp.")
_GENERALIZE = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %module
        : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %ops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
# Of a module, the attributes that say how wide an index is.
_LAYOUT = "dlti."
# Attributes of an argument that forbid something to the function.
_NO_PROMISES = (("bufferization.writable", "false"), ("bufferization.access", '"read"'))
# Attributes that may promise something, and those of them that do not.
_SAID = ("llvm.", "res_attrs", "passthrough", "gs.disjoint", "gs.ranks", "restrict", "writable")
_UNSAID = ("llvm.emit_c_interface",)
# What is said of calls, by all of their attributes but these.
_OF_A_CALL, _OF_NO_CALL = " of a call", ("callee", "no_inline", "gs.")
# Attributes of results, and of how arguments are passed.
_PASSED = ("byval", "byref", "sret", "inalloca", "inreg", "nest", "preallocated", "swift")
_OF_CALLS = {"res_attrs": ("llvm.",), "arg_attrs": tuple(f"llvm.{each}" for each in _PASSED)}
# Trials before the solver is asked, and the most of their seconds; trials after it had no answer.
_FIRST, _LATER = (24, 0.2), 4000
# Seconds for arguments that share memory.
_SHARED = 1.0
# The part of the time in which the solver has to answer, and the one after which its models are
# tried no more.
_SOLVER, _MODELS = 0.7, 0.8


@dataclass(frozen=True)
class Answer:
    """`status` is proved, refuted or unknown; `reason` what stopped the proof, or for which
    arguments it is one. The counterexample of an unknown one is of the same functions with smaller
    static sizes, or of arguments that share memory."""

    entry: str
    status: str
    seconds: float
    reason: str = ""
    counterexample: Counterexample | None = None
    # What the solver could not show last.
    question: models.Question | None = None


def prove(before: Any, after: Any, entry: str, timeout: float = 10.0) -> Answer:
    """Whether function `entry` of the module `after` may stand for that of `before`.

    A counterexample comes from running both, so one that is found is one; it is looked for first,
    and again where the solver has no answer. All that ends in `timeout` seconds.
    """
    start = time.monotonic()

    def left(part: float = 1) -> float:
        return start + part * timeout - time.monotonic()

    question: models.Question | None = None

    def answer(status: str, reason: str = "", found: Any = None) -> Answer:
        return Answer(entry, status, time.monotonic() - start, reason, found, question)

    if entry not in functions(before) or entry not in functions(after):
        return answer(*_gone(after, entry))
    if carriers(before.operation) or carriers(after.operation):
        return answer("unknown", "what a gs.generic in a linalg.generic does, amid bufferization")
    trials, seconds = _FIRST
    found = search(before, after, entry, min(seconds, left(0.1)), trials)
    if found and not found.is_of_small_sizes:
        return answer("refuted", found=found)
    one, other = (functions(module)[entry] for module in (before, after))
    if not have_same_types(one, other):
        return answer("unknown", "the functions have different types")
    if is_private(other) and not is_private(one):
        return answer("refuted", f"@{entry} is private afterwards")
    if any(_LAYOUT in str(module.operation.attributes) for module in (before, after)):
        return answer("unknown", "a data layout, which may say that an index is narrower")
    if is_same(one, other):
        return answer("proved")
    promised = new_promise(one, other) or new_attribute(one, other) or lost_call(one, other)
    if promised:
        return answer("unknown", promised)
    # A module lives as long as something holds it.
    first, second = plain(imported(before)), plain(after)
    verdict = compare(functions(first)[entry], functions(second)[entry], left(_SOLVER))
    if verdict.proved:
        pairs = sharing(one, other)
        found = search_shared(before, after, entry, min(_SHARED, left()), pairs)
        if found:
            # Whether they may is for the caller to say.
            return answer("unknown", "that for arguments that share memory", found)
        return answer("proved", "for arguments that share no memory" if pairs else "")
    question = verdict.question
    if question is not None:
        candidates = models.arguments(question, types_of(before, entry), left(_MODELS))
        found = first_of(before, after, entry, left(_MODELS), candidates)
        if found:
            return answer("refuted", found=found)
    found = search(before, after, entry, left(), _LATER, seed=1)
    is_refuted = found is not None and not found.is_of_small_sizes
    return answer("refuted" if is_refuted else "unknown", verdict.reason, found)


def is_same(one: Any, other: Any) -> bool:
    """Both functions, and all that they refer to, are the same text."""
    return closure(one) == closure(other)


def compared(before: Any, after: Any) -> list[str]:
    """The functions of `before` that `after` must have, or has: all but private ones that are
    gone, as nothing calls them from outside; what else is public and another afterwards; and "",
    the module, if that is."""
    kept, known = functions(after), functions(before)
    mine, theirs = named(before), named(after)
    others = [name for name, each in mine.items() if name not in known and not is_private(each)]
    return [
        *(name for name, each in known.items() if name in kept or not is_private(each)),
        *(n for n in others if n not in theirs or not is_same(mine[n], theirs[n])),
        *([""] if beside(before) != beside(after) else []),
    ]


def _gone(after: Any, entry: str) -> tuple[str, str]:
    """The answer for a function of which `after` has no body, or for another symbol."""
    other = named(after).get(entry)
    if not entry:
        return "unknown", "what else the module says, which is not the same"
    if other is None:
        return "refuted", f"there is no @{entry} afterwards"
    return "unknown", f"what '{other.name}' @{entry} does, which has no body or is no func.func"


def new_promise(one: Any, other: Any) -> str:
    """What the caller of `other` promises of an argument and that of `one` does not."""
    known = _given(one, "arg_attrs")
    for (n, name), value in _given(other, "arg_attrs").items():
        if known.get((n, name)) != value and (name, value) not in _NO_PROMISES:
            return f"what '{name} = {value}' of argument {n} says, which is new"
    return ""


def _given(function: Any, name: str) -> dict[tuple[int, str], str]:
    """What an attribute says of each argument or result, by its number and name."""
    given: Any = function.attributes.get(name) or ()
    return {(n, a.name): str(a.attr) for n, each in enumerate(given) for a in each}


def new_attribute(one: Any, other: Any) -> str:
    """What `other` and its ops and callees say to LLVM or of their results, and `one` does not."""
    said = [{text for op in reached(each) for text in _promises(op)} for each in (one, other)]
    # Of calls, which may be others now, nothing is known.
    new = sorted(said[1] - {text for text in said[0] if not text.endswith(_OF_A_CALL)})
    return f"what '{new[0]}' says, which is new" if new else ""


def lost_call(one: Any, other: Any) -> str:
    """What callers know of the results of `one` and of its call, and `other` does not say."""
    lost = sorted(_known_to_callers(one) - _known_to_callers(other))
    return f"what '{lost[0]}' says, which is gone" if lost else ""


def _known_to_callers(function: Any) -> set[str]:
    given = function.attributes
    known = {f"{name} = {given[name]}" for name in given if name.startswith("llvm.")}
    for name, begins in _OF_CALLS.items():
        known |= {f"{said} = {value} of {name[:3]} {n}"
                  for (n, said), value in _given(function, name).items()
                  if said.startswith(begins)}  # fmt: skip
    return known


def _promises(op: Any) -> Iterator[str]:
    whose = _OF_A_CALL if op.name == "func.call" else f" of @{symbol(op)}" if symbol(op) else ""
    for name in op.attributes:
        is_said = name.startswith(_SAID) and name not in _UNSAID
        is_said |= whose == _OF_A_CALL and not name.startswith(_OF_NO_CALL)
        if is_said or (name == "arg_attrs" and is_private(op)):
            yield f"{name} = {op.attributes[name]}{whose}"


def reached(function: Any) -> Iterator[Any]:
    """The ops of a function and of what it calls, the functions as well."""
    pending, seen = [function], set()
    while pending:
        root = pending.pop()
        for op in (root, *walk(root)):
            yield op
            name = op.attributes["callee"].value if op.name == "func.call" else ""
            if name and name not in seen and name in symbols_of(op):
                seen.add(name)
                pending.append(symbols_of(op)[name])


def plain(module: Any) -> Any:
    """A copy whose named ops of linalg are linalg.generic, by upstream's transform op, and whose
    named ops of other dialects than gs are the gs.generic that their `structure` says.

    Nothing else changes: a pass would drop dead ops, and with them what has no meaning.
    """
    names = [name for name in NAMED if not name.startswith("gs.")]
    own = walk_named(module.operation, *names)
    if "linalg." not in str(module) and not own:
        return module
    copy = ir.Module.parse(module.operation.get_asm(enable_debug_info=True), module.context)
    with copy.context, ir.Location.unknown():
        rules = ir.Module.parse(_GENERALIZE)
        interpreter.apply_named_sequence(copy, rules.body.operations[0], rules)
        for op in walk_named(copy.operation, *names):
            results, _ = generalized(op)
            replace_op(op, results)
    return copy


def imported(module: Any) -> Any:
    """A copy without ops of source languages, by the package's own conversions."""
    if not any(op.name.startswith(_SOURCES) for op in walk(module.operation)):
        return module
    copy = ir.Module.parse(module.operation.get_asm(enable_debug_info=True), module.context)
    try:
        run_pipeline(copy, "gs-import")
    except (PassFailure, PipelineError):
        return module
    return copy


def smt_of(question: models.Question) -> str:
    """What the solver was asked as SMT-LIB: it is shown if that cannot be satisfied."""
    solver = z3.Solver()
    solver.add(*question.known, z3.Not(question.goal))
    return solver.to_smt2()


def have_same_types(one: Any, other: Any) -> bool:
    """The arguments and results of both are of the same types, or of a memref and the tensor that
    it holds."""
    types = [each.attributes["function_type"].value for each in (one, other)]
    pairs = [([*each.inputs], [*each.results]) for each in types]
    if [*map(len, pairs[0])] != [*map(len, pairs[1])]:
        return False
    values = [[*arguments, *given] for arguments, given in pairs]
    return all(
        str(a) == str(b) or (type(a) is not type(b) and _held(a) == _held(b))
        for a, b in zip(*values, strict=True)
    )


def _held(type_: ir.Type) -> str:
    if isinstance(type_, ir.MemRefType):
        unknown = ir.Location.unknown(type_.context)
        return str(ir.RankedTensorType.get(type_.shape, type_.element_type, loc=unknown))
    return str(type_)
