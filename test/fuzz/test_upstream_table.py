"""Some of the rows that upstream_table.py prints, and that its verdicts can fail."""

import numpy as np
import pytest
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
