"""The lists of ops that take 8-bit integers know each op of torch-mlir that gives some."""

import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from mlir_gs import dialect
from mlir_gs.frontend.torch import repairs, respell
from mlir_gs.frontend.torch.op import TORCH
from mlir_gs.frontend.torch.vtensor import bindings, register_torch

torch = pytest.importorskip("torch")


DECOMPOSED = {
    "ceil", "cpu", "floor", "fmax", "fmin", "hardtanh", "max.other", "min.other", "movedim.int",
    "nan_to_num", "numpy_T", "relu6", "reshape_as", "round", "sgn", "split.sizes",
    "split_with_sizes", "tensor_split.sections", "trunc",
}  # fmt: skip
"""What torch-mlir or Torch makes other ops of, which are in the lists."""


REFUSED = {"heaviside", "view.dtype"}


def _overload(name: str) -> Any:
    op, _, rest = name.partition(".")
    return getattr(getattr(torch.ops.aten, op, None), rest or "default", None)


def _known() -> set[str]:
    """The ops of ATen that the torch dialect has, as its library names them."""
    context = dialect.context()
    register_torch(context)
    found: set[str] = set()
    for library in Path(bindings().__file__).parent.glob("*.so*"):
        words = re.findall(rb"torch\.aten\.([A-Za-z0-9_.]+)", library.read_bytes())
        found |= {word.decode() for word in words}
    return {name for name in found if context.is_registered_operation(f"torch.aten.{name}")}


def _gives_bytes(name: str) -> bool:
    """Whether eager Torch gives int8 for ordinary arguments, of an op on elements or a view."""
    op = _overload(name)
    if op is None or op._schema.is_mutable:
        return False
    is_view = any(argument.alias_info is not None for argument in op._schema.arguments)
    if not is_view and torch.Tag.pointwise not in op.tags:
        return False
    x = torch.tensor([1, 2, 3, 4], dtype=torch.int8)
    numbers: list[tuple[Any, ...]] = [
        (),
        (x,),
        (1,),
        (x, 1),
        (1, 2),
        (x, x),
        ([2, 2],),
        ([0],),
        (0, 0),
    ]
    for rest in [*numbers, (2,), (0, 2, 1)]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = op(x, *rest)
        except Exception:
            continue
        first = found[0] if isinstance(found, (tuple, list)) and found else found
        return isinstance(first, torch.Tensor) and first.dtype == torch.int8
    return False


def test_ops_that_give_bytes() -> None:
    listed = repairs._MOVES | repairs._ARITHMETIC | repairs._CASTS
    given = {name for name in _known() if _gives_bytes(name)}
    assert len(given) > 80
    ours = {name.removeprefix("aten.") for name in TORCH.conversions}
    spelled = {name for name in given if respell._spelling(f"torch.aten.{name}")}
    assert given - listed - ours - spelled == DECOMPOSED | REFUSED
    assert not {name for name in listed if _overload(name) is None}
