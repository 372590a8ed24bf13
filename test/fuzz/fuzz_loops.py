"""Random programs to loops with prefetches, verified after each pass: no value is used where it is
not known.

    python test/fuzz/fuzz_loops.py --cases 5000 --seed 0

One case in two is a random gs.generic, lowered for a random target, number of threads and set of
strategies; the others are nests of loops with coordinates that are computed at any depth.
"""

import sys
from pathlib import Path

from campaign import campaign
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.scf.table import STRATEGIES

sys.path.insert(0, str(Path(__file__).parents[1] / "numeric"))
from draw import RandomDraw, chance, some
from loop_nests import nest
from random_programs import any_program

_TARGETS = ("generic", "tiny", "tiny", "tiny", "zen5")


def case(seed: int, number: int) -> tuple[str, str]:
    """A program, and the passes that it goes through."""
    draw = RandomDraw((seed, number, 1))
    target = draw.choice(_TARGETS)
    loops = f"gs-prefetch{{target={target}}},gs-unswitch"
    if number % 2:
        return nest((seed, number)), loops
    left_out = some(draw, tuple(STRATEGIES), draw.integer(0, 4)) if chance(draw, 2) else []
    spelled = f"{target}:disable={','.join(left_out)}" if left_out else target
    text = any_program(RandomDraw((seed, number)), ("generic", "generic", "strategy")).text
    to_scf = f"convert-gs-to-scf{{threads={draw.integer(1, 3)} target={{{spelled}}}}}"
    before = "gs-optimize," if chance(draw, 2) else ""
    return text, f"{before}gs-bufferize,{to_scf},{loops},canonicalize,cse"


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    text, passes = case(seed, number)
    with dialect.context(), ir.Location.unknown():
        try:
            lowering.run_pipeline(ir.Module.parse(text), f"builtin.module({passes})")
        except (ir.MLIRError, lowering.PassFailure) as error:
            return f"{error}\n{passes}\n{text}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "programs to loops", "refused"))
