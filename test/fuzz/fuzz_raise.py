"""Random loops, run as they are and raised: the results have the same bits.

python test/fuzz/fuzz_raise.py --cases 5000 --seed 0
"""

import sys
from typing import Any

import mlir_gs
import numpy as np
from campaign import campaign
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir
from raised_loops import program, text


def copies(given: list[Any]) -> list[Any]:
    """The arguments, with memory of their own that is shared as theirs is."""
    roots: dict[int, np.ndarray] = {}
    found = []
    for one in given:
        if not isinstance(one, np.ndarray):
            found.append(one)
            continue
        root = one
        while isinstance(root.base, np.ndarray):
            root = root.base
        copy = roots.setdefault(id(root), root.copy())
        start = one.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        flat = copy.reshape(-1)[start // one.itemsize :][: one.size]
        found.append(flat.reshape(one.shape))
    return found


def results(source: str, given: list[Any], **options: Any) -> list[Any]:
    """What a call returns and leaves in its arguments."""
    mine = copies(given)
    found = mlir_gs.compile(source, **options)(*mine)
    return [*([] if found is None else [found]), *mine]


def is_raised(source: str) -> bool:
    """Whether gs-raise makes something of it."""
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(source)
        lowering.run_pipeline(module, "gs-repair,gs-raise")
        return "gs.generic" in str(module)


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    made = program(seed * 1_000_003 + number)
    source, given = text(made), [array for _, _, array in made.given]
    with np.errstate(all="ignore"):
        plain = results(source, given, optimize=False, threads=1)
        # The steps of a parallel loop may write the same element: on one thread in order.
        for threads in (1,) if "scf.parallel" in source or "scf.forall" in source else (1, 2):
            raised = results(source, given, threads=threads)
            for n, (a, b) in enumerate(zip(plain, raised, strict=True)):
                if np.asarray(a).tobytes() != np.asarray(b).tobytes():
                    return f"value {n}, {threads} threads: {a} and {b}\n{source}\n{given}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "loops raised", "differ"))
