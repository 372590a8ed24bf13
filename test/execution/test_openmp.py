"""Finding an OpenMP runtime, and going on without one."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from mlir_gs.execution import compile, engine, openmp
from sources import identity


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which no runtime is found."""
    for name in ("_loaded", "_packaged", "_installed"):
        monkeypatch.setattr(openmp, name, lambda: None)
    openmp.library.cache_clear()
    engine._warn_once.cache_clear()
    yield
    openmp.library.cache_clear()


@pytest.mark.usefixtures("without")
def test_without_a_runtime_kernels_run_on_one_thread_and_it_is_said_once() -> None:
    with pytest.warns(UserWarning, match="no OpenMP runtime was found"):
        kernel = compile(identity("tensor<?xf32>"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(identity("tensor<?xf32>"), threads=4)
    assert kernel(np.ones(3, np.float32)).sum() == 3


@pytest.mark.usefixtures("without")
def test_one_thread_needs_no_runtime() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(identity("tensor<?xf32>"), threads=1)


def test_a_runtime_that_is_loaded_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    openmp.library.cache_clear()
    monkeypatch.setattr(openmp, "_loaded", lambda: "/somewhere/libomp.so")
    assert openmp.library() == "/somewhere/libomp.so"
    openmp.library.cache_clear()


def test_threads_that_are_asked_for() -> None:
    if openmp.library() is None:
        pytest.skip("no OpenMP runtime")
    assert engine.thread_count(3) == 3
    assert engine.thread_count(None) >= 1
