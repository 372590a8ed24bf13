"""Right rewrites are proved, wrong ones refuted by arguments that were run.

The last of each kind in a file of `Inputs/rewrites`; all by `python test/prove/rewrites.py`.
"""

from itertools import groupby

import pytest

pytest.importorskip("z3")

from rewrites import Rewrite, rewrites

ALL = list(rewrites())
# The last wrong one and the last right one of each file.
SOME = [
    rewrite
    for _, group in groupby(ALL, key=lambda each: (each.name.split(":")[0], each.wanted))
    for rewrite in [list(group)[-1]]
]


def test_there_are_enough() -> None:
    assert sum(each.wanted == "refuted" for each in ALL) >= 200
    assert sum(each.wanted == "proved" for each in ALL) >= 160


@pytest.mark.parametrize("rewrite", SOME, ids=lambda each: each.name)
def test_is_told(rewrite: Rewrite) -> None:
    answer = rewrite.answer()
    assert answer.status == rewrite.wanted, answer.reason
