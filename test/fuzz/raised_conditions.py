"""Reads under conditions that keep one coordinate in the bounds of several tables."""

import random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from raised_loops import Counter, Program


def guarded_reads(body: "Program", counters: "list[Counter]", element: str) -> list[str]:
    """Two reads at one coordinate, moved or as windows, where masks or one mask keep it in bounds;
    of most programs none."""
    # Its own numbers: the programs of the seeds stay what they were.
    extra = random.Random(len(body.lines) * 97 + len(body.given))
    if extra.random() > 0.15:
        return []
    draw, one, other = np.random.default_rng(extra.randrange(99)), counters[0], counters[-1]
    coordinates = draw.integers(-3, 14, one.most + 1)
    found = body.load(body.argument("index", coordinates), [one.name])
    bound, static = extra.randint(1, 12), extra.random() < 0.6
    reads, masks = [], []
    for _ in range(2):
        by, size = extra.choice([0, 0, 0, 1]), extra.choice([bound, bound, extra.randint(1, 12)])
        place = body.op(f"arith.addi {found}, {body.number(by)} : index") if by else found
        at = np.add.outer(coordinates + by, np.zeros(other.most + 1, int))
        if extra.random() < 0.15:
            place = body.op(f"arith.addi {place}, {other.name} : index")
            at = at + np.arange(other.most + 1)
        masks.append((draw.random(at.shape) < 0.8) & (at >= 0) & (at < size))
        source = body.argument(element, body.data(element, (size,)), dynamic=not static)
        reads.append((source, place))
    if extra.random() < 0.4:
        return [_guarded(body, counters, element, masks[0] & masks[1], reads)]
    return [
        _guarded(body, counters, element, mask, [read])
        for mask, read in zip(masks, reads, strict=True)
    ]


def _guarded(
    body: "Program",
    counters: "list[Counter]",
    element: str,
    mask: np.ndarray,
    reads: list[tuple[str, str]],
) -> str:
    """The sum of the reads where the mask holds, another number elsewhere."""
    asked = body.load(body.argument("i1", mask), [counters[0].name, counters[-1].name])
    result = body.name()
    body.open(f"{result} = scf.if {asked} -> ({element})")
    total = ""
    for source, place in reads:
        new = body.load(source, [place])
        total = body.op(f"arith.add{element[0]} {total}, {new} : {element}") if total else new
    body.close(f"scf.yield {total} : {element}")
    body.lines[-1] += " else {"
    body.depth += 1
    number = body.op(f"arith.constant {'7' if element[0] == 'i' else '7.5'} : {element}")
    body.close(f"scf.yield {number} : {element}")
    return result
