"""What the generator of workloads draws is done right by our parties and by the loops."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ACCESSES = ("take", "along", "pairs", "set", "add", "segments", "messages", "bins")


@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize("party", ["ours functions", "ours IR"])
def test_a_party_has_numpys_results(
    load: Callable[[str], Any], tmp_path: Path, access: str, party: str
) -> None:
    parties, workloads = load("random_parties"), load("random_workloads")
    assert set(ACCESSES) == {*parties.READS, *parties.WRITES}
    for width, spread in ((1, "zipf"), (3, "permuted"), (16, "clustered")):
        wide = 1 if access == "bins" else width
        dtype = "float64" if access == "bins" else "float32"
        drawn = parties.Draw(width, access, "IR", 40, wide, 64, dtype, "int32", spread, 16)
        arrays = drawn.arrays()
        for name, maker in (("numpy", "numpy"), ("found", party)):
            result = parties.PARTIES[maker](drawn, arrays)()
            np.save(tmp_path / f"{name}.npy", np.asarray(result))
        found, expected = (str(tmp_path / f"{name}.npy") for name in ("found", "numpy"))
        assert workloads.differs(drawn, found, expected) == ""
        np.save(tmp_path / "found.npy", np.asarray(result) * 2 + 1)
        assert workloads.differs(drawn, found, expected) != ""


def test_seeds_draw_all_kinds_within_bounds(load: Callable[[str], Any]) -> None:
    drawn = [load("random_workloads").draw(seed) for seed in range(300)]
    assert {d.access for d in drawn} == set(ACCESSES)
    assert {d.door for d in drawn} == {"functions", "IR", "torch", "jax"}
    for d in drawn:
        assert min(d.rows, d.count) >= 100
        assert max(d.rows, d.count) * d.width * np.dtype(d.dtype).itemsize <= 1 << 26
    assert drawn[7] == load("random_workloads").draw(7)


def test_the_report_takes_the_better_of_two_runs(
    load: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    workloads = load("random_workloads")
    drawn = json.loads(json.dumps(workloads.asdict(workloads.draw(1)))) | {"door": "jax"}
    rows = [
        {
            "threads": 1,
            "draw": drawn,
            "why": {},
            "times": {"ours": ours, "numpy": 4.0, "numba": 2.0, "jax": 6.0},
        }
        for ours in (4.0, 2.0)
    ]
    workloads.report(rows)
    printed = capsys.readouterr().out
    assert "| 2.0 | 1.00 | 2.00 | numba | 1 |" in printed
    assert "| 1 | jax | 1 | 1.00 | 2.00 | 3.00 |" in printed
