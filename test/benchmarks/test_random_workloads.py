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
    draws = load("random_draw")
    assert set(ACCESSES) == {*draws.READS, *draws.WRITES}
    for width, spread in ((1, "zipf"), (3, "permuted"), (16, "clustered")):
        wide = 1 if access == "bins" else width
        dtype = "float64" if access == "bins" else "float32"
        drawn = draws.Draw(width, access, "IR", 40, wide, 64, dtype, "int32", spread, 16)
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


def _row(load: Callable[[str], Any], threads: int, ours: float) -> dict[str, Any]:
    workloads = load("random_workloads")
    drawn = json.loads(json.dumps(workloads.asdict(workloads.draw(1)))) | {"door": "jax"}
    times = {"ours": ours, "numpy": 4.0, "numba": 2.0, "jax": 6.0}
    machine = {"cpus": 2, "cpu": "a CPU", "python": "3", "packages": {"numpy": "2"}}
    about = {"commit": f"c{threads}", "date": "a day", "machine": machine}
    return {"threads": threads, "draw": drawn, "why": {}, "times": times, "about": about}


def test_the_tables_take_the_middle_run_of_three_and_the_worse_of_two(
    load: Callable[[str], Any],
) -> None:
    rows = [_row(load, 1, 4.0), _row(load, 1, 2.0), _row(load, 1, 1.0)]
    assert "| 4.0 | 0.50 | 1.00 | numba | 1 |" in load("random_tables").tables(rows[:2])
    found = load("random_tables").tables(rows)
    assert "| 2.0 | 1.00 | 2.00 | numba | 1 |" in found
    assert "| 1 | jax | 1 | 1.00 | 1.00 (1) | 2.00 | 3.00 |" in found
    assert "two threads" not in found


def test_a_seed_is_within_reach_if_its_best_peer_takes_longer_than_an_idle_call(
    load: Callable[[str], Any],
) -> None:
    row, other = _row(load, 1, 2.0), _row(load, 1, 2.0)
    row["times"]["idle"], other["times"]["idle"], other["draw"]["seed"] = 3.0, 1.0, 2
    assert "| 1 | jax | 1 | 1.00 |  (0) |" in load("random_tables").tables([row])
    assert "| 1 | jax | 2 | 1.00 | 1.00 (1) |" in load("random_tables").tables([row, other])


def test_the_page_says_what_two_threads_lose(load: Callable[[str], Any]) -> None:
    found = load("random_tables").page([_row(load, 1, 2.0), _row(load, 2, 2.2)])
    assert "2 CPUs of a CPU" in found
    assert "commit c1 and c2" in found
    assert ": 2.0 and 2.2 us" in found


def test_readme_gets_the_means(load: Callable[[str], Any]) -> None:
    made = load("random_tables")
    old = f"before\n{made.BEGIN}\nold\n{made.END}\nafter\n"
    new = made.shorten([_row(load, 1, 2.0)], old)
    assert new.startswith(f"before\n{made.BEGIN}\n| threads")
    assert new.endswith(f"\n{made.END}\nafter\n")
    assert "old" not in new
    assert made.shorten([_row(load, 1, 2.0)], new) == new
