"""A few of the index expressions that fuzz_indexing.py runs by the thousand."""

from collections import Counter

import random_indexing
from mlir_gs import at


def test_index_expressions_as_numpy_has_them() -> None:
    done = Counter(random_indexing.check(seed, at) for seed in range(200))
    assert set(done) == {"get", "set", "refused", *random_indexing.COMBINE}
