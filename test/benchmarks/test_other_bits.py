"""Peers that sum up in another order than the sequential loop are said to."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize(("id", "said"), [("S07", ["numpy backwards"]), ("S07b", [])])
def test_peers_with_other_bits(load: Callable[[str], Any], id: str, said: list[str]) -> None:
    """They are said to be, where ours has to have those of the loop."""
    contest, workload = load("contest"), load("catalogue").workloads()[id]

    def summed(step: int) -> Callable[[Any], Callable[[], np.ndarray]]:
        def add(d: Any) -> np.ndarray:
            np.add.at(d.dest, d.ids[::step], d.updates[::step])
            return d.dest

        return lambda d: lambda: add(d)

    peers = {"numpy in order": summed(1), "numpy backwards": summed(-1)}
    other = type(workload)(**{**vars(workload), "peers": peers})
    found, left_out, other_bits = contest.contestants(other, other.case(True, 1), ["numpy"], True)
    assert ([each.name for each in found], left_out) == (["ours", *peers], {})
    assert other_bits == said


def test_report_of_other_bits(load: Callable[[str], Any]) -> None:
    """The best of the peers with the bits of the loop stands beside the best of all."""
    times = {"q1": 1.0, "median": 1.0, "q3": 1.0}
    peers = {f"numba {k}": {name: k * x for name, x in times.items()} for k in (0.5, 2.0)}
    result = {"id": "S07", "title": "add", "threads": 1, "ours": times, "floor": 1.0}
    result |= {"peers": peers, "read": 0, "written": 0, "other_bits": ["numba 0.5"]}
    report = load("report")
    all_peers, same_bits = "**0.50** (0.50-0.50) numba 0.5 (*)", "**2.00** (2.00-2.00) numba 2.0"
    assert f"| {all_peers}; of the same bits {same_bits} |" in report._table([result])
    text = report._means([result], 1)
    assert "Behind the best peer: S07. " in text
    assert "2.00 over the best peer that gives its bits (1), behind which is none. " in text
    assert "gives its bits" not in report._means([{**result, "other_bits": []}], 1)
