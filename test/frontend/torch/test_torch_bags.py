"""Embedding bags: modes, weights, offsets, padding, empty bags."""

import re

import pytest
from mlir_gs.frontend import torch as torch_frontend
from mlir_gs.lowering import PassFailure

torch = pytest.importorskip("torch")

from torch_harness import Function, as_array, check, compiled  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")

# Torch adds in another order, and in half precision rounds once per bag.
TOLERANCE = {"float32": 1e-6, "float64": 1e-14, "float16": 2e-3, "bfloat16": 1.6e-2}


def _bag(mode: str, dtype: object, **options: object) -> torch.nn.Module:
    torch.manual_seed(20261120)
    return torch.nn.EmbeddingBag(9, 5, mode=mode, **options).to(dtype)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("dtype", list(TOLERANCE))
def test_offsets_and_padding(mode: str, dtype: str) -> None:
    """A bag in the middle and the last one are empty; row 2 is padding."""
    bag = _bag(mode, getattr(torch, dtype), padding_idx=2)
    indices = torch.tensor([4, 2, 8, 0, 4, 4, 2])
    check(bag, (indices, torch.tensor([0, 3, 3, 6, 7])), tolerance=TOLERANCE[dtype])


def test_rows_are_bags() -> None:
    check(_bag("mean", torch.float32), (torch.randint(0, 9, (4, 3)),), tolerance=1e-6)


@pytest.mark.parametrize("last", [False, True])
def test_weights_and_last_offset(last: bool) -> None:
    bag = _bag("sum", torch.float32, include_last_offset=last)
    offsets = torch.tensor([0, 3, 7] if last else [0, 3])
    arguments = (torch.randint(0, 9, (7,)), offsets, torch.rand(7))
    check(bag, arguments, tolerance=1e-6)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("padding", [None, 2, -3])
def test_without_gradients(mode: str, padding: int | None) -> None:
    """Exported as another op, with a padding_idx that may be none or negative."""
    bag = _bag(mode, torch.float32, padding_idx=padding).requires_grad_(False)
    check(bag, (torch.tensor([4, 2, 8, 0, 6, 4, 2]), torch.tensor([0, 3, 3, 6])), tolerance=1e-6)


def test_weights_and_padding() -> None:
    bag = _bag("sum", torch.float32, padding_idx=2)
    arguments = (torch.tensor([4, 2, 8, 0, 6, 4, 2]), torch.tensor([0, 3, 6]), torch.rand(7))
    check(bag, arguments, tolerance=1e-6)


def test_int32() -> None:
    bag = _bag("max", torch.float32, include_last_offset=True)
    arguments = (torch.tensor([4, 2, 8, 0, 6, 4, 2]), torch.tensor([0, 3, 3, 7]))
    check(bag, tuple(each.int() for each in arguments), tolerance=1e-6)


def test_rows_with_weights() -> None:
    torch.manual_seed(20261120)
    check(
        lambda table, indices, weights: torch.nn.functional.embedding_bag(
            indices, table, per_sample_weights=weights, mode="sum"
        ),
        (torch.rand(9, 5), torch.randint(0, 9, (4, 3)), torch.rand(4, 3)),
        tolerance=1e-6,
    )


def test_dynamic_sizes() -> None:
    bag = _bag("sum", torch.float32)
    check(
        bag,
        (torch.randint(0, 9, (7,)), torch.tensor([0, 2, 5])),
        tolerance=1e-6,
        dynamic=({0: "n"}, {0: "bags"}),
        others=[(torch.randint(0, 9, (20,)), torch.tensor([0, 2, 5, 5, 19]))],
    )


def test_wrong_offsets() -> None:
    """What Torch refuses is refused before memory is read."""
    bag = _bag("sum", torch.float32)
    kernel = compiled(bag, torch.randint(0, 9, (7,)), torch.tensor([0, 2, 5]))
    indices = as_array(torch.randint(0, 9, (7,)))
    with pytest.raises(RuntimeError, match="offsets must start with 0"):
        kernel(indices, as_array(torch.tensor([1, 2, 5])))
    with pytest.raises(RuntimeError, match="offsets must not exceed the number of indices"):
        kernel(indices, as_array(torch.tensor([0, 2, 8])))
    with pytest.raises(IndexError, match="coordinate 9 at position"):
        kernel(as_array(torch.full((7,), 9)), as_array(torch.tensor([0, 2, 5])))


def test_other_results_are_refused() -> None:
    from mlir_gs.lowering import PassFailure

    def function(weight: torch.Tensor, indices: torch.Tensor, offsets: torch.Tensor) -> object:
        found = torch.ops.aten._embedding_bag(weight, indices, offsets)
        return found[0], found[2]

    with pytest.raises(
        PassFailure, match="only the first result is computed, but result 2 is used"
    ):
        compiled(Function(function), torch.rand(9, 5), torch.tensor([1, 2]), torch.tensor([0]))


@pytest.mark.parametrize("name", ["byte", "4bit", "2bit"])
@pytest.mark.parametrize("weighted", [False, True])
def test_quantized_rows(name: str, weighted: bool) -> None:
    """Rows that end with their scale and bias: the bits of Torch."""
    torch.manual_seed(3)
    packed = getattr(torch.ops.quantized, f"embedding_bag_{name}_prepack")(torch.randn(50, 24))
    bag = getattr(torch.ops.quantized, f"embedding_bag_{name}_rowwise_offsets")

    def bags(packed, indices, offsets, weights):
        return bag(packed, indices, offsets, per_sample_weights=weights if weighted else None)

    arguments = (
        packed, torch.randint(0, 50, (30,)), torch.tensor([0, 0, 3, 17]), torch.randn(30)
    )  # fmt: skip
    check(Function(bags), arguments, tolerance=0)


QUANTIZED = """
func.func @main(%t: !torch.vtensor<{table}>, %i: !torch.vtensor<[3],si64>,
    %o: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,16],f32> {{
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %none = torch.constant.none
  %r = torch.operator "torch.quantized.embedding_bag_byte_rowwise_offsets"(%t, %i, {offsets},
      %false, %zero, {pruned}, %none, %none, %false) : (!torch.vtensor<{table}>,
      !torch.vtensor<[3],si64>, {type}, !torch.bool, !torch.int, !torch.bool, !torch.none,
      !torch.none, !torch.bool) -> !torch.vtensor<[2,16],f32>
  return %r : !torch.vtensor<[2,16],f32>
}}"""


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"pruned": "%true"}, "pruned_weights and compressed_indices_mapping are not supported"),
        (
            {"offsets": "%none", "type": "!torch.none"},
            "offsets must be a tensor, found none",
        ),
        (
            {"table": "[10,24],f32"},
            "the table must be ui8 of shape [rows, bytes], of a static number of bytes, found f32",
        ),
    ],
)
def test_quantized_rows_refused(changed: dict[str, str], message: str) -> None:
    parts = {"table": "[10,24],ui8", "offsets": "%o", "type": "!torch.vtensor<[2],si64>",
             "pruned": "%false"}  # fmt: skip
    with pytest.raises(PassFailure, match=re.escape(message)):
        torch_frontend.load(QUANTIZED.format(**{**parts, **changed}))
