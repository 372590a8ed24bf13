"""Fixtures; the modules of this folder import `sources` by name."""

import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def resident() -> Callable[[Callable[[], object], int], int]:
    """Kilobytes by which so many calls make the process grow, after some to warm up."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("no /proc to read the size of the process from")

    def pages() -> int:
        gc.collect()
        return int(statm.read_text().split()[1])

    def grown(call: Callable[[], object], count: int) -> int:
        for _ in range(count // 5):
            call()
        before = pages()
        for _ in range(count):
            call()
        return (pages() - before) * 4

    return grown
