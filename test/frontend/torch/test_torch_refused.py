"""Programs of torch.export that no conversion takes: refused by the name of their own op."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs.frontend import torch as torch_frontend
from mlir_gs.lowering import PassFailure

torch = pytest.importorskip("torch")

from torch_harness import Function  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

OPS: dict[str, Callable[[Any], Any]] = {
    "fft_fft": lambda x: torch.fft.fft(x).real,
    "_linalg_svd": lambda x: torch.linalg.svd(x)[0],
    "linalg_qr": lambda x: torch.linalg.qr(x)[0],
    "_linalg_check_errors": torch.linalg.inv,
    "_unique2": torch.unique,
    "_cdist_forward": lambda x: torch.cdist(x, x, p=3.0),
    "searchsorted.Tensor": lambda x: torch.searchsorted(x, x),
    "mode": lambda x: torch.mode(x)[0],
    "median.dim": lambda x: torch.median(x, 1)[0],
    "cummax": lambda x: torch.cummax(x, 0)[0],
    "polygamma": lambda x: torch.polygamma(2, x),
    "erfinv": torch.erfinv,
    "lgamma": torch.lgamma,
    "randperm": lambda x: x[torch.randperm(4)],
    "multinomial": lambda x: torch.multinomial(x, 2),
    "_to_sparse": lambda x: x.to_sparse(),
}


# Sizes and constants stand beside the op, and are not what is named.
@pytest.mark.parametrize("name", OPS)
def test_ops(name: str) -> None:
    def function(x: Any) -> Any:
        return OPS[name](x)[: x.shape[0]] + 1 if name != "_to_sparse" else OPS[name](x)

    with pytest.raises(PassFailure) as caught:
        torch_frontend.load(Function(function), torch.rand(4, 4))
    message = str(caught.value)
    # Ops of one line of the program share its place there.
    assert f"'torch.aten.{name}' op" in message
    assert message.count("'torch.aten.") == 1
    assert " op is not supported" in message or "not imported from Torch" in message
    assert "torch.constant" not in message


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: (x + 1, None), "'func.return' op takes a 'torch.constant.none', which is no"),
        (lambda x: (x + 1, 3), "'func.return' op takes a 'torch.constant.int', which is no"),
        (lambda x: (x + 1, "a"), "'func.return' op takes a 'torch.constant.str', which is no"),
        (
            lambda x: torch.stft(x.double(), 2, 2, window=torch.ones(2), return_complex=True).real,
            "'torch.aten.stft' op is not supported: its elements are f64",
        ),
        (lambda x: x.to(torch.uint16), "not imported from Torch: KeyError: torch.uint16"),
        (lambda x: x[int(1 / 0)], "not imported from Torch: ZeroDivisionError: division by zero"),
        (lambda x: x if x.sum() > 0 else -x, "not imported from Torch: GuardOnDataDependent"),
        (
            lambda x: torch.cond(x.sum() > 0, lambda y: y + 1, lambda y: y - 1, (x,)),
            "not imported from Torch: NotImplementedError: Higher-order operation 'cond'",
        ),
    ],
)
def test_what_is_no_tensor_or_not_imported(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(PassFailure, match=re.escape(message)) as caught:
        torch_frontend.load(Function(function), torch.rand(4, 4))
    assert "\n" not in str(caught.value).strip()
