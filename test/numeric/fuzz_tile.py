"""Random programs of all ops on tensors, cut into tiles of random sizes by `gs-tile`, and fused
with a copy of their result.

    python test/numeric/fuzz_tile.py --programs 5000 --seed 0

The ops run in scf.for or scf.forall over tiles, compiled, on one thread or two. Results have the
bits of the reference. What cannot be cut in several dims is cut in one. Every third program is
fused into the loops of a copy of its result, every third has such a copy fused into its own.
"""

import re
import sys
from collections import Counter
from dataclasses import replace

from draw import Draw, RandomDraw, chance
from fuzz_programs import on_tensors
from harness import Failed, compiled, difference, parsed, referenced
from mlir_gs import lowering
from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import dim_of, tensor, walk_named
from mlir_gs.lowering.tile.consumer import fuse_consumer
from mlir_gs.lowering.tile.cut import CannotCut
from mlir_gs.lowering.tile.gs_tile import Tiled, tile
from mlir_gs.lowering.tile.producer import fuse_into
from workers import run_programs

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
            counts.update(WAYS[seed % len(WAYS)](op, sites, draw))
        sites.write()
    text = str(module)
    module.operation.verify()
    found = compiled(replace(program, text=module), threads=1 + seed % 2)
    if isinstance(found, str) or not isinstance(found, (tuple, Failed)):
        return counts, f"{found}\n{program.text}{text}"
    wrong = difference(program, found, expected)
    return counts, f"{wrong}\n{program.text}{text}" if wrong else ""


def _cut(op: ir.Operation, sites: Sites, draw: Draw) -> list[str]:
    """Cut `op` at random; says how, or why not."""
    _, said = _tiled(op, sites, draw)
    return [said]


def _tiled(op: ir.Operation, sites: Sites, draw: Draw) -> tuple[Tiled | None, str]:
    rank = len(op.attributes["iterator_types"])
    loops = draw.choice(("for", "for", "forall"))
    sizes = [draw.choice((0, *SIZES)) for _ in range(rank)]
    tries = [sizes]
    if rank:
        dim = draw.integer(0, rank - 1)
        tries.append([draw.choice(SIZES) if d == dim else 0 for d in range(rank)])
    if chance(draw, 3):
        tries.reverse()
    said = "whole"
    for one in tries:
        try:
            tiled = tile(op, one, sites, loops)
        except CannotCut as reason:
            said = _shortened(reason)
            continue
        if tiled is None:
            return None, "whole"
        for old, new in zip(op.results, tiled.results, strict=True):
            old.replace_all_uses_with(new)
        op.erase()
        return tiled, loops
    return None, said


def _shortened(reason: CannotCut) -> str:
    return "refused: " + re.sub(r"[0-9]+|'[^']*'|, \S.*?,", "#", str(reason))


def _copied(result: ir.Value) -> ir.Operation:
    """A copy of a tensor, as a `gs.generic` that all uses of it read."""
    uses = list(result.uses)
    type_, rank = result.type, result.type.rank
    with result.owner.operation.location, ir.InsertionPoint.after(result.owner):
        sizes = [dim_of(result, d) if n < 0 else n for d, n in enumerate(type_.shape)]
        copy = generic(
            [result],
            [],
            [tensor.empty(sizes, type_.element_type)],
            indexing_maps=[ir.AffineMap.get_identity(rank)] * 2,
            coordinate_maps=[],
            iterator_types=["parallel"] * rank,
            body=lambda element, _: element,
        )
    for use in uses:
        use.owner.operation.operands[use.operand_number] = copy.results[0]
    return copy


def _into(op: ir.Operation, sites: Sites, draw: Draw) -> list[str]:
    """Compute `op` in loops over tiles of a copy of its first result."""
    tiled, said = _tiled(_copied(op.results[0]), sites, draw)
    if tiled is None:
        return [f"copy {said}"]
    try:
        fuse_into(op, tiled.loops[0], sites)
    except CannotCut as reason:
        return [f"into {_shortened(reason)}"]
    if not any(True for result in op.results for _ in result.uses):
        op.erase()
    return ["into"]


def _with_consumer(op: ir.Operation, sites: Sites, draw: Draw) -> list[str]:
    """Compute a copy of the first result of `op` in loops over tiles of `op`."""
    tiled, said = _tiled(op, sites, draw)
    if tiled is None or not tiled.loops:
        return [said]
    copy, loop = _copied(tiled.results[0]), tiled.loops[0]
    try:
        fused = fuse_consumer(copy, loop, sites)
    except CannotCut as reason:
        return [f"consumer {_shortened(reason)}"]
    for one, results in ((copy, fused.results), (loop, fused.loop_results)):
        for old, new in zip(one.results, results, strict=True):
            old.replace_all_uses_with(new)
        one.erase()
    return ["consumer"]


WAYS = (_cut, _into, _with_consumer)


def main() -> int:
    counts, programs, wrong = run_programs(check, __doc__)
    for name, count in counts.most_common():
        print(f"{count:7} {name}")
    print(f"{programs} programs: {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
