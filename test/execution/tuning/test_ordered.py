"""Whether sums have the order of the loops: what their ops say, not words of the text."""

import pytest
from mlir_gs.execution.compilation.build import is_ordered
from sources import GATHER, scatter_add

IN_ORDER = scatter_add()
SUM = """
func.func @main(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor<[],f32> {
  %none = torch.constant.none
  %r = torch.aten.sum %x, %none : !torch.vtensor<[?],f32>, !torch.none -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (GATHER, True),
        (f"// torch. <fast> reassoc\n{IN_ORDER}", True),
        (IN_ORDER.replace("%update : f32", "%update fastmath<reassoc> : f32"), False),
        (IN_ORDER.replace("%update : f32", "%update fastmath<fast> : f32"), False),
        (IN_ORDER.replace("%update : f32", "%update fastmath<nnan> : f32"), True),
        (SUM, False),
    ],
)
def test_ordered(text: str, wanted: bool) -> None:
    assert is_ordered(text, None) is wanted
