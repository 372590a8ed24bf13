"""Parts that strides, diagonals and ranges name, masks that grow, indices without elements, and
what Torch refuses."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.torch.vtensor import register_torch
from mlir_gs.lowering import PassFailure, run_pipeline

torch = pytest.importorskip("torch")

from torch_harness import check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

PARTS: list[Callable[..., Any]] = [
    lambda x, v: torch.as_strided_copy(x, (2, 3), (1, 2), 1),
    lambda x, v: torch.as_strided_copy(x, (), (), 7),
    lambda x, v: torch.as_strided_scatter(x, v[:2, :3], (2, 3), (1, 2), 1),
    lambda x, v: torch.diagonal_scatter(x, v[0, :4], 1),
    lambda x, v: torch.diagonal_scatter(x, v[0, :4], -1, 1, 0),
    lambda x, v: torch.diagonal_scatter(x, v[0, :0], 9),
    lambda x, v: torch.diagonal_scatter(x[None] * 2, v[:1, :4], 0, -2, 2),
    lambda x, v: torch.narrow_copy(x, 1, -4, 3),
    lambda x, v: torch.narrow_copy(x, 0, 4, 0),
    lambda x, v: torch.nonzero_static(x > 0, size=30, fill_value=-7),
    lambda x, v: torch.nonzero_static(x, size=2),
    lambda x, v: torch.nonzero_static(x[0, 0], size=2),
    lambda x, v: x[0].masked_scatter(v > 0, v),
    lambda x, v: x[0, 0].masked_scatter(v[0] > 0, v),
]
NOTHING: list[Callable[..., Any]] = [
    lambda x, i, v: x.gather(0, i),
    lambda x, i, v: x.scatter(0, i, v),
    lambda x, i, v: x.scatter(1, i, 1.0),
    lambda x, i, v: x.scatter_add(0, i, v),
    lambda x, i, v: x.scatter_reduce(0, i, v, "mean", include_self=False),
    lambda x, i, v: x.scatter(0, i, v, reduce="add"),
]


def test_parts() -> None:
    def function(x: Any, v: Any) -> Any:
        return tuple(each(x, v) for each in PARTS)

    check(function, (torch.randn(4, 5), torch.randn(4, 5)))


def test_indices_without_elements() -> None:
    def function(x: Any, i: Any, v: Any) -> Any:
        return tuple(each(x, i, v) for each in NOTHING)

    for shape in ((0,), (0, 5)):
        none = torch.zeros(shape, dtype=torch.int64)
        check(function, (torch.randn(4, 5), none, torch.randn(2, 5)))


REFUSED = {
    "'aten.masked_scatter' op mask must be bool, found ui8": """
      %0 = torch.aten.masked_scatter %x, %bytes, %x : !f, !b, !f -> !f""",
    "'aten.masked_select' op mask must be bool, found ui8": """
      %0 = torch.aten.masked_select %x, %bytes : !f, !b -> !f""",
    "'aten.masked_scatter' op values must have the elements of the tensor, f32, found ui8": """
      %0 = torch.aten.masked_scatter %x, %mask, %bytes : !f, !m, !b -> !f""",
    "'aten.index_add' op source must be [4, 3] but for dim 0, found [2, 1]": """
      %0 = torch.operator "torch.aten.index_add"(%x, %zero, %i, %unit, %one)
          : (!f, !torch.int, !i, !u, !torch.int) -> !f""",
    "'aten.index_copy' op source must be [4, 3] but for dim 0, found [4, 3]": """
      %0 = torch.operator "torch.aten.index_copy"(%x, %zero, %i, %x)
          : (!f, !torch.int, !i, !f) -> !f""",
    "'aten.index_add' op source must be [3] but for dim 0, found []": """
      %0 = torch.operator "torch.aten.index_add"(%line, %zero, %j, %number, %one)
          : (!l, !torch.int, !j, !s, !torch.int) -> !l""",
    "'aten.index_add' op values must have the elements of the tensor, f32, found ui8": """
      %0 = torch.operator "torch.aten.index_add"(%x, %zero, %i, %bytes, %one)
          : (!f, !torch.int, !i, !b, !torch.int) -> !f""",
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused_as_in_torch(message: str) -> None:
    text = f"""
    func.func @main(%x: !f, %bytes: !b, %mask: !m, %unit: !u, %i: !i,
        %line: !l, %j: !j, %number: !s) {{
      %zero = torch.constant.int 0
      %one = torch.constant.int 1
      {REFUSED[message]}
      return
    }}"""
    held = {"f": "[4,3],f32", "b": "[4,3],ui8", "m": "[4,3],i1", "u": "[2,1],f32", "i": "[2],si64"}
    held |= {"l": "[3],f32", "j": "[1],si64", "s": "[],f32"}
    for name, type_ in held.items():
        text = re.sub(rf"!{name}\b", f"!torch.vtensor<{type_}>", text)
    context = dialect.context()
    register_torch(context)
    with context, ir.Location.unknown(), pytest.raises(PassFailure, match=re.escape(message)):
        run_pipeline(ir.Module.parse(text), "convert-torch-to-gs")
