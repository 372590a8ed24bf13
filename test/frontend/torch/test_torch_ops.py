"""Each op in each dtype that Torch has it in, against eager Torch."""

import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch_cases import CASES, DTYPES, Case  # noqa: E402  (after importorskip)
from torch_harness import as_array, compare, compiled  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")


class _Several(torch.nn.Module):
    """A case in several dtypes at once, so that one compilation serves them all."""

    def __init__(self, case: Case, counts: list[int]) -> None:
        super().__init__()
        self.case = case
        self.counts = counts

    def forward(self, *arguments: Any) -> Any:
        found, start = [], 0
        for count in self.counts:
            found.append(self.case.function(*arguments[start : start + count]))
            start += count
        return tuple(found)


def _eager(case: Case, arguments: Any) -> Any:
    """What Torch gives; None if it does not have the op in this dtype."""
    try:
        return case.function(*arguments)
    except (RuntimeError, NotImplementedError) as error:
        if "not implemented for" in str(error) or "not supported" in str(error):
            return None
        raise


@pytest.mark.parametrize("name", CASES)
def test_torch_op(name: str) -> None:
    torch.manual_seed(20261120)
    case, dtypes, given = CASES[name], [], []
    for dtype in DTYPES:
        arguments = case.arguments(dtype)
        wanted = _eager(case, arguments)
        if wanted is not None:
            dtypes.append(dtype)
            given.append((arguments, wanted))
    everything = [each for arguments, _ in given for each in arguments]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kernel = compiled(_Several(case, [len(a) for a, _ in given]), *everything)
    found = kernel(*map(as_array, everything))
    found = found if isinstance(found, tuple) else (found,)
    assert len(found) == len(dtypes) >= 4
    for dtype, got, (_, wanted) in zip(dtypes, found, given, strict=True):
        try:
            compare(got, as_array(wanted), 0.0)
        except AssertionError as error:
            raise AssertionError(f"{dtype}: {error}") from error
