"""Some of the rows that `upstream_table.py torch` prints."""

import pytest

pytest.importorskip("torch")

import upstream_table
import upstream_torch


# Views with a static size of 0 end the process in upstream.
def test_views() -> None:
    upstream_torch.draw("aten.view")
    cases = upstream_torch.cases()
    assert {case.op for case in cases} >= {"aten.view", "aten.view_copy"}
    chosen = [number for number, case in enumerate(cases) if case.op == "aten.view"]
    rows = list(upstream_table.table("torch", chosen[:6], 1))
    assert any(row.upstream.startswith("died: SIG") for row in rows)
    assert not [row for row in rows if row.fault]
