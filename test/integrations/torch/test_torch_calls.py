"""What a kernel's call in the place of a graph takes of Python, and gives."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch.kernel import KernelModule, Program  # noqa: E402  (after importorskip)


def _module(element: str, dtype: Any, rank: int = 1) -> KernelModule:
    of = f"{'4x' * rank}{element}"
    text = (
        f"func.func @main(%x: tensor<6x{of}>, %i: tensor<3x1xi64>) -> tensor<3x{of}> {{\n"
        f"  %y = gs.gather %x[%i] gather_dims([0]) : "
        f"(tensor<6x{of}>, tensor<3x1xi64>) -> tensor<3x{of}>\n"
        f"  return %y : tensor<3x{of}>\n}}\n"
    )
    return KernelModule(Program(text, 1, (dtype,), (None,)))


@pytest.mark.parametrize(
    ("element", "dtype", "in_python"),
    [
        ("f32", torch.float32, False),
        ("i64", torch.int64, False),
        ("bf16", torch.bfloat16, False),
        ("i1", torch.bool, None),
        # The elements of a kernel have no sign.
        ("i8", torch.uint8, True),
    ],
)
def test_one_result_is_made_by_the_kernel(element: str, dtype: Any, in_python: bool | None) -> None:
    module = _module(element, dtype)
    allocated: list[Any] = []
    allocate = module._allocate

    def noted(*arguments: Any) -> Any:
        allocated.append(arguments)
        return allocate(*arguments)

    module._allocate = noted
    x, i = (torch.rand(6, 4) * 9).to(dtype), torch.tensor([[5], [0], [2]])
    for _ in range(5):
        (found,) = module(x, i)
        assert found.dtype == dtype
        assert torch.equal(found, x[i[:, 0]])
    assert in_python is None or bool(allocated) == in_python


def test_tensors_of_which_a_gradient_is_wanted() -> None:
    module = _module("f32", torch.float32)
    x = torch.nn.Parameter(torch.rand(6, 4))
    with torch.no_grad():
        for _ in range(5):
            (found,) = module(x, torch.tensor([[5], [0], [2]]))
            assert torch.equal(found, x[[5, 0, 2]])
            assert not found.requires_grad


def test_a_default_device_is_not_asked() -> None:
    module = _module("f32", torch.float32)
    x, i = torch.rand(6, 4), torch.tensor([[5], [0], [2]])
    with torch.device("meta"):
        for _ in range(5):
            (found,) = module(x, i)
            assert found.device.type == "cpu"
