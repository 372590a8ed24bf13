"""Samples at coordinates of floats: ATen's op in inductor's graph, and its values."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch.decompositions import (  # noqa: E402  (after importorskip)
    ENLARGERS,
    SAMPLERS,
    for_inductor,
)
from torch._dynamo.utils import counters  # noqa: E402  (after importorskip)
from torch._functorch import config as functorch  # noqa: E402  (after importorskip)
from torch._inductor import config  # noqa: E402  (after importorskip)
from torch._inductor.custom_graph_pass import CustomGraphPass  # noqa: E402  (after importorskip)
from torch._inductor.decomposition import select_decomp_table  # noqa: E402  (after importorskip)
from torch.nn import functional as F  # noqa: E402  (after importorskip)
from torch_checks import fresh  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def where_inductor_is_strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inductor asserts more where this is set, as on a CI server."""
    monkeypatch.setenv("CI", "true")


class _Seen(CustomGraphPass):
    """The ops that inductor compiles."""

    def __init__(self) -> None:
        self.ops: set[Any] = set()

    def __call__(self, graph: Any) -> None:
        self.ops |= {node.target for node in graph.nodes if node.op == "call_function"}

    def uuid(self) -> Any:
        return None


def _compiled(function: Any, **given: Any) -> Any:
    return torch.compile(function, backend="mlir_gs", **given)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_samples_have_eager_s_values(mode: str, padding: str, dtype: Any, dynamic: bool) -> None:
    def sample(image: Any, theta: Any) -> Any:
        size = [image.shape[0], image.shape[1], 6, 5]
        grid = F.affine_grid(theta, size, align_corners=False)
        return F.grid_sample(image, grid, mode, padding, align_corners=False)

    image = torch.randn(2, 3, 7, 4, dtype=dtype, requires_grad=True)
    theta = torch.randn(2, 2, 3, dtype=dtype, requires_grad=True)
    found = []
    for function in (sample, _compiled(sample, dynamic=dynamic)):
        result = function(image, theta)
        found.append([result, *torch.autograd.grad(result.square().sum(), [image, theta])])
    for one, other in zip(*found, strict=True):
        # Inductor rounds sums in bf16 once, at their end.
        least = {"rtol": 0, "atol": 0} if dtype != torch.bfloat16 else {}
        torch.testing.assert_close(one, other, **least)


def test_a_sampler_is_one_op_of_aten_unless_all_are_to_be_kernels() -> None:
    def sample(image: Any, grid: Any) -> Any:
        return F.grid_sample(image.sin(), grid, align_corners=False).cos()

    given = torch.randn(1, 2, 5, 5), torch.rand(1, 3, 3, 2)
    for options, whole in (({}, True), ({"kernels": "all"}, False)):
        torch._dynamo.reset()
        seen = _Seen()
        with config.patch(post_grad_custom_post_pass=seen, force_disable_caches=True):
            result = _compiled(sample, options=options)(*given)
        assert torch.allclose(result, sample(*given), atol=1e-6)
        assert (torch.ops.aten.grid_sampler_2d.default in seen.ops) == whole


def test_inductor_spells_the_samplers_out_and_nothing_else_is_kept() -> None:
    with for_inductor(False) as kept:
        assert kept is not None
        assert set(select_decomp_table()) - set(kept) == set(SAMPLERS)
    with for_inductor(True) as kept:
        assert kept is None


def test_each_sampler_and_enlarger_that_inductor_spells_out_is_in_its_list() -> None:
    table = {str(op) for op in select_decomp_table()}
    samples = {op for op in table if "grid" in op and op.endswith(".default")}
    # Composite ops: one calls the ops of 2 or 3 dims, one gives several results of its arguments.
    assert samples - {"aten.grid_sampler.default", "aten.meshgrid.default"} == {*map(str, SAMPLERS)}
    enlarges = {op.removesuffix(".vec") for op in table if "upsample" in op and op.endswith(".vec")}
    left = {op for op in enlarges if "nearest" in op or op.endswith("_aa")}
    # Inductor's loops over three dims take as long as ATen's.
    assert enlarges - left - {"aten.upsample_trilinear3d"} == {*map(str, ENLARGERS)}


def test_inductor_s_cache_can_keep_a_graph_with_a_sampler() -> None:
    def sample(image: Any, grid: Any) -> Any:
        return F.grid_sample(image, grid, align_corners=False).cos()

    given = torch.randn(1, 2, 5, 5), torch.rand(1, 3, 3, 2)
    hits = []
    for _ in range(2):
        torch._dynamo.reset()
        counters.clear()
        with functorch.patch(enable_autograd_cache=False):
            _compiled(sample)(*given)
        hits.append(counters["inductor"]["fxgraph_cache_hit"])
    assert hits[1] == 1


SIZES = {"linear": (9,), "bilinear": (9, 6), "bicubic": (9, 6)}


@pytest.mark.parametrize(("scale", "dtype", "dynamic"), [
    (1.7, torch.float32, False), (1.7, torch.bfloat16, True), (0.6, torch.float32, True),
])  # fmt: skip
@pytest.mark.parametrize("mode", SIZES)
def test_other_sizes_have_eager_s_values(
    mode: str, scale: float, dtype: Any, dynamic: bool
) -> None:
    def change(image: Any) -> Any:
        return F.interpolate(image, scale_factor=scale, mode=mode, align_corners=dynamic) + 1

    image = torch.randn(2, 3, *SIZES[mode], dtype=dtype)
    if image.ndim == 4:
        image = image.contiguous(memory_format=torch.channels_last)
    image.requires_grad_()
    found = []
    for function in (change, _compiled(change, dynamic=dynamic)):
        result = function(image)
        found.append([result, *torch.autograd.grad(result.square().sum(), [image])])
    for one, other in zip(*found, strict=True):
        assert one.stride() == other.stride()
        least = (
            {"rtol": 1e-4, "atol": 1e-4} if dtype != torch.bfloat16 else {"rtol": 0.1, "atol": 0.1}
        )
        torch.testing.assert_close(one, other, **least)


@pytest.mark.parametrize("training", [False, True])
def test_what_enlarges_is_one_op_of_aten_and_what_does_not_is_loops(training: bool) -> None:
    for size, options, whole in ((8, {}, True), (3, {}, False), (8, {"kernels": "all"}, False)):

        def change(image: Any, size: int = size) -> Any:
            return F.interpolate(image.sin(), size=(size, size), mode="bilinear").cos()

        torch._dynamo.reset()
        seen = _Seen()
        image = torch.randn(1, 2, 5, 5, requires_grad=training)
        with config.patch(post_grad_custom_post_pass=seen, force_disable_caches=True):
            result = _compiled(change, options=options)(image)
            if training:
                result.sum().backward()
        assert (torch.ops.aten.upsample_bilinear2d.default in seen.ops) == whole
        assert (torch.ops.aten.upsample_bilinear2d_backward.default in seen.ops) == (
            training and not options
        )


def test_torch_spells_out_as_before_what_others_compile() -> None:
    were = [dict(getattr(one, form).py_kernels) for one in ENLARGERS for form in ("vec", "default")]

    with pytest.raises(ZeroDivisionError), for_inductor(False):
        raise ZeroDivisionError
    now = [getattr(one, form).py_kernels for one in ENLARGERS for form in ("vec", "default")]
    assert now == were


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("scale", [2, 1.7, 0.6])
@pytest.mark.parametrize(("mode", "sizes"), [
    ("nearest", (5,)), ("nearest", (5, 6)), ("nearest", (3, 4, 5)), ("nearest-exact", (5, 6)),
])  # fmt: skip
def test_the_gradient_of_the_nearest_is_aten_s(
    mode: str, sizes: Any, scale: float, dtype: Any
) -> None:
    """It knows the scale as given, which may differ from that of the sizes."""

    def change(image: Any) -> Any:
        return F.interpolate(image * 2, scale_factor=scale, mode=mode).relu()

    image = torch.randn(2, 3, *sizes, dtype=dtype)
    if image.ndim == 4:
        image = image.contiguous(memory_format=torch.channels_last)
    image.requires_grad_()
    seen, found = _Seen(), []
    with config.patch(post_grad_custom_post_pass=seen, force_disable_caches=True):
        for function in (change, _compiled(change, dynamic=scale == 1.7)):
            result = function(image)
            found.append([result, *torch.autograd.grad(result.sum(), [image])])
    for one, other in zip(*found, strict=True):
        assert one.stride() == other.stride()
        torch.testing.assert_close(one, other)
    ops = {str(op) for op in seen.ops}
    assert any("nearest" in op and "backward" in op for op in ops)
    assert not any("index_put" in op for op in ops)


@pytest.mark.parametrize("differentiated", [False, True])
@pytest.mark.parametrize(
    ("mode", "rows"),
    # Eager Torch refuses no images in the other modes.
    [("nearest", 0), *((m, 2) for m in ("nearest", "nearest-exact", "bilinear", "bicubic"))],
)
def test_dynamic_sizes_and_no_images(mode: str, differentiated: bool, rows: int) -> None:
    def function(image: torch.Tensor) -> torch.Tensor:
        size = (image.shape[2] * 2, image.shape[3] * 3)
        return F.interpolate(image, size=size, mode=mode).sin()

    image = torch.randn(rows, 2, 3, 4, requires_grad=differentiated)
    found = torch.compile(function, backend="mlir_gs", dynamic=True)(image)
    expected = function(image)
    torch.testing.assert_close(found, expected)
    if differentiated:
        gradients = [torch.autograd.grad(y.square().sum(), image)[0] for y in (found, expected)]
        torch.testing.assert_close(*gradients)
