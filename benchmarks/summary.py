"""What the turns of a workload come to, in one process or in several.

Where arrays lie in memory, and so in the caches, is decided by the process: what fits just into one
takes up to twice as long in one process as in another, whoever runs it.
"""

from collections.abc import Sequence
from statistics import median
from typing import Any

import moments
import timing
from timing import Contestant, Turn

OURS = "ours"
UNFUSED = "ours unfused"


def result(measured: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A row of the tables from the last events of `contest.run` in each process. All turns of one
    placement count, whichever process they were in."""
    parties: dict[str, Contestant] = {}
    left_out, other_bits, limits = {}, {}, []
    for each in measured:
        for name, turns in each["turns"].items():
            party = parties.setdefault(name, Contestant(name, name, lambda: None))
            party.turns += [Turn(moment and tuple(moment), samples) for moment, samples in turns]
        left_out |= each["left_out"]
        other_bits |= dict.fromkeys(each["other_bits"])
        limits += each["limits"]
    everyone = list(parties.values())
    span = timing.alike(everyone, moments.WITHIN) or timing.ANY
    near = [turn.moment for party in everyone for turn in party.turns_in(span) if turn.moment]
    times = {name: timing.statistics(party.samples_in(span)) for name, party in parties.items()}
    found = [numbers for moment, numbers in limits if timing.is_in(span, moment)]
    about = ("id", "title", "threads", "read", "written", "temporaries", "why")
    return {
        **{key: measured[0][key] for key in about},
        "ours": times.pop(OURS),
        "unfused": times.pop(UNFUSED, None),
        "peers": times,
        "left_out": left_out,
        "other_bits": list(other_bits),
        **_medians(found or [numbers for _, numbers in limits]),
        "hop": median(hop for hop, _ in near) if near else None,
        "beside": median(beside for _, beside in near) if near else None,
        "counted": len(near) / sum(len(party.turns) for party in everyone) if near else 1.0,
    }


def _medians(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of each number; what is None is so in all."""

    def of(name: str) -> Any:
        values = [each[name] for each in found]
        if isinstance(values[0], dict):
            return _medians(values)
        return None if values[0] is None else median(values)

    return {name: of(name) for name in found[0]}
