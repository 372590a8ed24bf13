"""Inductor's loops under our backend: which of them threads share, and the values."""

import re
from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import dynamo_backend  # noqa: E402  (after importorskip)
from torch._inductor.utils import run_and_get_code  # noqa: E402  (after importorskip)
from torch_checks import fresh  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not dynamo_backend.has_compiler(), reason="no C++ compiler"),
]


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("mode", [None, "max-autotune"])
@pytest.mark.parametrize("inner", [1, 3, 8, 12, 16, 40])
def test_threads_meet_once_for_a_reduction(inner: int, mode: str | None) -> None:
    def total(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return (x[..., None] * w).sum(1)

    given = torch.randn(16, 24, 128), torch.randn(16, 24, 128, inner)
    compiled = torch.compile(total, backend="mlir_gs", mode=mode)
    found, codes = run_and_get_code(compiled, *given)
    assert "#pragma omp parallel" in "".join(codes)
    # Inside of a loop it would stand further right.
    assert not re.search(r"^ {8,}#pragma omp parallel", "".join(codes), re.MULTILINE)
    torch.testing.assert_close(found, total(*given), rtol=1e-5, atol=1e-4)


def test_threads_share_a_long_reduction() -> None:
    def total(x: torch.Tensor) -> torch.Tensor:
        return x.sum(0)

    x = torch.randn(1 << 18, 8)
    found, codes = run_and_get_code(torch.compile(total, backend="mlir_gs"), x)
    assert "#pragma omp parallel" in "".join(codes)
    torch.testing.assert_close(found, total(x), rtol=1e-4, atol=1e-3)


def test_inductor_itself_stays_as_it_was() -> None:
    from torch._inductor.codegen.cpp import LoopNest

    before = LoopNest.max_parallel_depth
    torch.compile(lambda x: x.cumsum(0) + x, backend="mlir_gs")(torch.randn(8, 3))
    assert LoopNest.max_parallel_depth is before


@pytest.mark.parametrize("columns", [3, 8, 16, 40])
@pytest.mark.parametrize("form", ["softmax", "log_softmax", "layer_norm", "sum"])
def test_rows_of_transposed_operands_have_buffers_of_their_own(form: str, columns: int) -> None:
    """Derivatives that come transposed, by vectors of rows."""

    def chosen(x: torch.Tensor) -> torch.Tensor:
        if form == "layer_norm":
            x = torch.nn.functional.layer_norm(x, x.shape[-1:])
        elif form == "sum":
            x = x.exp() / x.exp().sum(-1, keepdim=True)
        else:
            x = getattr(torch, form)(x, -1)
        return torch.topk(x.t(), 16, dim=1)[0]

    x, w = torch.randn(64, columns), torch.randn(columns, 16)

    def derivative(of) -> torch.Tensor:
        leaf = x.clone().requires_grad_()
        (of(leaf) * w).sum().backward()
        return leaf.grad

    found = derivative(torch.compile(chosen, backend="mlir_gs"))
    torch.testing.assert_close(found, derivative(chosen), rtol=1e-4, atol=1e-5)
