"""Random programs of all ops on tensors, cut into tiles of random sizes by `gs-tile`.

    python test/numeric/fuzz_tile.py --programs 5000 --seed 0

The ops run in scf.for or scf.forall over tiles, compiled, on one thread or two. Results have the
bits of the reference. What the pass refuses to cut in several dims is cut in one.
"""

import argparse
import os
import re
import sys
from collections import Counter
from dataclasses import replace

from draw import Draw, RandomDraw, chance
from fuzz_programs import on_tensors
from harness import Failed, compiled, difference, parsed, referenced
from mlir_gs import lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.tile.cut import CannotCut
from mlir_gs.lowering.tile.gs_tile import tile
from workers import Failure, run_all

SIZES = (1, 2, 3, 4, 7, 100)


def check(seed: int) -> tuple[Counter[str], str]:
    """What became of the ops of program `seed`, and what is wrong; empty if nothing is."""
    draw = RandomDraw((seed, 46))
    program = next(on_tensors(seed))
    module = parsed([program])
    expected = referenced(module, program)
    lowering.run_pipeline(module, "builtin.module(gs-generalize)")
    counts: Counter[str] = Counter()
    with module.context, ir.Location.unknown():
        sites = Sites(module.operation)
        for op in walk_named(module.operation, "gs.generic"):
            counts.update(_cut(op, sites, draw))
        sites.write()
    text = str(module)
    if not counts["for"] + counts["forall"]:
        return counts, ""
    module.operation.verify()
    found = compiled(replace(program, text=module), threads=1 + seed % 2)
    if isinstance(found, str) or not isinstance(found, (tuple, Failed)):
        return counts, f"{found}\n{program.text}{text}"
    wrong = difference(program, found, expected)
    return counts, f"{wrong}\n{program.text}{text}" if wrong else ""


def _cut(op: ir.Operation, sites: Sites, draw: Draw) -> list[str]:
    """Cut `op` at random; says how, or why not."""
    rank = len(op.attributes["iterator_types"])
    loops = draw.choice(("for", "for", "forall"))
    sizes = [draw.choice((0, *SIZES)) for _ in range(rank)]
    tries = [sizes]
    if rank:
        dim = draw.integer(0, rank - 1)
        tries.append([draw.choice(SIZES) if d == dim else 0 for d in range(rank)])
    if chance(draw, 3):
        tries.reverse()
    said = []
    for one in tries:
        try:
            tiled = tile(op, one, sites, loops)
        except CannotCut as reason:
            said.append("refused: " + re.sub(r"[0-9]+|'[^']*'|, \S.*?,", "#", str(reason)))
            continue
        if tiled is None:
            return ["whole"]
        for old, new in zip(op.results, tiled.results, strict=True):
            old.replace_all_uses_with(new)
        op.erase()
        return [loops]
    return said[-1:] or ["whole"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + options.programs)
    counts: Counter[str] = Counter()
    wrong = 0
    for number, result in run_all(check, seeds, options.jobs):
        found = str(result) if isinstance(result, Failure) else result[1]
        counts.update(["dead"] if isinstance(result, Failure) else result[0])
        if found:
            wrong += 1
            print(f"seed {seeds[number]}: {found}", flush=True)
    for name, count in counts.most_common():
        print(f"{count:7} {name}")
    print(f"{options.programs} programs: {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
