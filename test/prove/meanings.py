"""The prover and the reference mean the same: random programs, read by one and run by the other.

`python test/prove/meanings.py [programs] [seed]` asks the solver whether what is known of a program
on some arguments, its results set to those of the reference, can be so. Where the reference says
that a run has no meaning, the program must not be free of it.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect import context
from mlir_gs.frontend.parse import parse
from mlir_gs.prove.arguments import Hints, Maker
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.prove import functions, plain
from mlir_gs.prove.runs import Outcome, outcome
from mlir_gs.prove.scalars import literal
from mlir_gs.prove.search import types_of
from mlir_gs.prove.solver import ended, laws_of
from mlir_gs.prove.terms import poison_of, term_of
from mlir_gs.prove.values import Tensor, Unsupported
from random_functions import function

_SECONDS = 1.0


def _written(name: str, array: np.ndarray, type_: Any) -> Iterator[z3.BoolRef]:
    """That the argument `name` holds `array`."""
    element = getattr(type_, "element_type", type_)
    sort = literal(np.zeros((), array.dtype), element).sort()
    for d, size in enumerate(array.shape):
        if type_.is_dynamic_dim(d):
            yield z3.Int(f"{name}.size{d}") == size
    held = z3.Function(name, *[z3.IntSort()] * array.ndim, sort) if array.ndim else None
    for place in np.ndindex(array.shape):
        here = z3.Const(name, sort) if held is None else held(*map(z3.IntVal, place))
        yield here == literal(array[place], element)


def _given(value: Any, array: np.ndarray, poison: np.ndarray, type_: Any) -> Iterator[z3.BoolRef]:
    """That a result is `array`, where that is not poison."""
    element = getattr(type_, "element_type", type_)
    if isinstance(value, Tensor):
        yield from (term == size for term, size in zip(value.shape, array.shape, strict=True))
    for place in np.ndindex(array.shape):
        item = value.at([z3.IntVal(i) for i in place]) if isinstance(value, Tensor) else value
        yield poison_of(item) == bool(poison[place])
        if not poison[place]:
            yield term_of(item) == literal(array[place], element)


def disagreement(meaning: Meaning, types: Any, arguments: Any, found: Outcome) -> bool:
    """The meaning excludes what the reference found, or knows nothing of what it reports."""
    names = [f"arg{n}" for n in range(len(arguments))]
    terms = [each for triple in zip(names, arguments, types[0], strict=True)
             for each in _written(*triple)]  # fmt: skip
    terms += [*meaning.side.facts, *(event.never() for event in meaning.side.events)]
    if not isinstance(found, str):
        for given in zip(meaning.results, found.arrays, found.poison, types[1], strict=True):
            terms += _given(*given)
    solver = z3.Solver()
    solver.add(*terms, *laws_of(terms))
    return ended(solver.check, _SECONDS) == (z3.sat if isinstance(found, str) else z3.unsat)


def disagreements(seed: int, trials: int = 6) -> Iterator[tuple[str, str]]:
    """What became of each trial of a program, and its text where both disagree."""
    with context():
        text = function(seed)
        module = parse(text)
        try:
            # A module lives as long as something holds it.
            read = plain(module)
            entry = functions(read)["f"]
            meaning = Meaning("before", entry)
        except Unsupported:
            yield "not read", ""
            return
        types = types_of(module, "f"), list(entry.attributes["function_type"].value.results)
        maker = Maker(types[0], Hints.of(text), seed)
        for trial in range(trials):
            arguments = maker.make(trial)
            if arguments is None or sum(each.size for each in arguments) > 100:
                continue
            found = outcome(module, "f", arguments)
            kind = found.split(":")[0] if isinstance(found, str) else "results"
            if disagreement(meaning, types, arguments, found):
                yield f"{kind}: disagree", f"{text}\n{arguments}\n{found}"
            else:
                yield kind, ""


def main(programs: int, seed: int) -> int:
    counts: Counter[str] = Counter()
    for n in range(seed, seed + programs):
        for status, text in disagreements(n):
            counts[status] += 1
            if text:
                print(f"seed {n}: {status}\n{text}", flush=True)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return int(any("disagree" in status for status in counts))


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    sys.exit(main(*(given + [100, 0][len(given) :])))
