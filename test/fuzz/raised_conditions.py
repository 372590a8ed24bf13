"""Reads under conditions that keep one coordinate in the bounds of several tables."""

import random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from raised_loops import Counter, Program


def guarded_reads(body: "Program", counters: "list[Counter]", element: str) -> list[str]:
    """Two reads at one coordinate, moved or as windows, each where a mask keeps it in bounds; of
    most programs none."""
    # Its own numbers: the programs of the seeds stay what they were.
    extra = random.Random(len(body.lines) * 97 + len(body.given))
    if extra.random() > 0.2:
        return []
    draw, one, other = np.random.default_rng(extra.randrange(99)), counters[0], counters[-1]
    coordinates = draw.integers(-3, 14, one.most + 1)
    found = body.load(body.argument("index", coordinates), [one.name])
    bound = extra.randint(1, 12)
    values = []
    for _ in range(2):
        by, size = extra.choice([0, 0, 1]), extra.choice([bound, extra.randint(1, 12)])
        place = body.op(f"arith.addi {found}, {body.number(by)} : index") if by else found
        at = np.add.outer(coordinates + by, np.zeros(other.most + 1, int))
        if extra.random() < 0.3:
            place = body.op(f"arith.addi {place}, {other.name} : index")
            at = at + np.arange(other.most + 1)
        mask = (draw.random(at.shape) < 0.8) & (at >= 0) & (at < size)
        asked = body.load(body.argument("i1", mask), [one.name, other.name])
        if extra.random() < 0.3:
            asked = body.op(f"arith.cmpi ult, {place}, {body.number(min(bound, size))} : index")
        source = body.argument(element, body.data(element, (size,)))
        result = body.name()
        body.open(f"{result} = scf.if {asked} -> ({element})")
        body.close(f"scf.yield {body.load(source, [place])} : {element}")
        body.lines[-1] += " else {"
        body.depth += 1
        number = body.op(f"arith.constant {'7' if element[0] == 'i' else '7.5'} : {element}")
        body.close(f"scf.yield {number} : {element}")
        values.append(result)
    return values
