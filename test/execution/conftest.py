"""Fixtures; the modules of this folder import `sources` by name."""

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mlir_gs.execution.disk import cache, keeping

sys.path.insert(0, str(Path(__file__).parent / "support"))


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


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own."""
    found = tmp_path / "kernels"
    monkeypatch.setenv(cache.VARIABLE, str(found))
    cache._require_private_folder.cache_clear()
    yield found
    keeping.write_all()


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many kernels were compiled since."""
    from mlir_gs.execution.compilation import build

    counted = []
    real = build.build
    monkeypatch.setattr(
        build, "build", lambda *given, **named: counted.append(1) or real(*given, **named)
    )
    return lambda: len(counted)
