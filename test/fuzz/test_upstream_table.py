"""Some of the rows that upstream_table.py prints, and that its verdicts can fail."""

import numpy as np
import pytest
import upstream_dialects
import upstream_stablehlo
import upstream_table
from upstream_table import Case, Outcome

ONE = (np.array([1.0, np.nan], np.float32),)
OTHER = (np.array([2.0, np.nan], np.float32),)


@pytest.mark.parametrize(
    ("upstream", "ours", "fault"),
    [
        (Outcome("died"), Outcome("values", arrays=ONE), ""),
        (Outcome("died"), Outcome("values", arrays=OTHER), "wrong"),
        (Outcome("died"), Outcome("died", "SIGFPE"), "died"),
        (Outcome("died"), Outcome("hang"), "hang"),
        (Outcome("died"), Outcome("raised", "KeyError: 3"), "raised"),
        (Outcome("died"), Outcome("refused", "'some.op' op is not supported"), ""),
        (Outcome("died"), Outcome("refused", "failed to legalize"), "unnamed"),
        (Outcome("values", arrays=ONE), Outcome("refused", "'some.op' op no"), "lost"),
    ],
)  # fmt: skip
def test_verdicts(upstream: Outcome, ours: Outcome, fault: str) -> None:
    row = upstream_table._row(
        Case("some.op", "", ""), Outcome("values", arrays=ONE), upstream, ours
    )
    assert row.fault == fault


def test_every_op_of_stablehlo_is_drawn() -> None:
    missing = upstream_table.not_drawn("stablehlo")
    assert missing == upstream_stablehlo.UNDRAWN


def test_some_forms_of_stablehlo() -> None:
    numbers = range(11, len(upstream_stablehlo.cases()), 1499)
    chosen = [n for n in numbers if upstream_stablehlo.is_valid(upstream_stablehlo.cases()[n])]
    rows = list(upstream_table.table("stablehlo", chosen, 1))
    assert len(rows) == len(chosen) > 12
    assert not [(row.case.op, row.case.form, row.ours) for row in rows if row.fault]


# What dies is seen as such: upstream's expansion aborts on these elements.
def test_what_upstream_dies_of() -> None:
    number = next(
        n
        for n, case in enumerate(upstream_stablehlo.cases())
        if case.op == "chlo.broadcast_polygamma" and case.form == "[1, 3] i1"
    )
    (row,) = upstream_table.table("stablehlo", [number], 1)
    assert row.upstream.startswith("died: SIG"), row
    assert row.ours.startswith("refused"), row
    assert not row.fault, row


def test_every_op_on_elements_is_drawn() -> None:
    assert upstream_table.not_drawn("dialects") == upstream_dialects.UNDRAWN
