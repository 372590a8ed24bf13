"""Random gs.generic programs through gs-specialize, and from there through gs-generalize.

    python test/numeric/fuzz_specialize.py --programs 5000 --seed 0

What comes out gives what the program gives in the reference, and one in eight is compiled as well.
"""

import sys
from dataclasses import replace

import numpy as np
from draw import RandomDraw
from harness import Failed, Outcome, compiled, difference, parsed, referenced
from mlir_gs import lowering
from named_forms import NamedForm, named_form
from workers import run_programs


def check(seed: int) -> tuple[str, str]:
    """The op that program `seed` becomes, and what is wrong; empty if nothing is."""
    form = named_form(RandomDraw(seed))
    module = parsed([form.program])
    expected = _part(form, referenced(module, form.program))
    lowering.run_pipeline(module, "builtin.module(gs-specialize)")
    text = str(module)
    name = text.split('"gs.', 1)[1].split('"')[0]
    lowering.run_pipeline(module, "builtin.module(gs-generalize)")
    outcomes = {"reference": referenced(module, form.program)}
    if seed % 8 == 0:
        found = compiled(replace(form.program, text=module))
        if isinstance(found, str) or not isinstance(found, (tuple, Failed)):
            return name, f"{found}\n{form.program.text}{text}"
        outcomes["compiled"] = found
    for party, outcome in outcomes.items():
        wrong = difference(form.program, _part(form, outcome), expected)
        if wrong is not None:
            return name, f"{party}: {wrong}\n{form.program.text}{text}"
    return name, ""


def _part(form: NamedForm, outcome: Outcome) -> Outcome:
    """What the op writes of its result, if that is new, and its shape."""
    if isinstance(outcome, Failed) or not form.written:
        return outcome
    (result,) = outcome
    return (result[form.written], np.atleast_1d(result)[..., :0])


def main() -> int:
    counts, programs, wrong = run_programs(check, __doc__)
    told = ", ".join(f"{count} gs.{name}" for name, count in sorted(counts.items()))
    print(f"{programs} programs became {told}: {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
