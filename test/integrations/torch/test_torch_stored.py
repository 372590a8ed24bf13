"""Gathers that are broadcast along other dims than their rows: what is stored, and values."""

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch.inductor import KernelPass  # noqa: E402  (after importorskip)
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402  (after importorskip)
from torch_checks import fresh, run, same, strides  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")

HEADS, LENGTH = 4, 9


def moved(table: Any, i: Any) -> Any:
    return table[i].permute(2, 0, 1)


def given(batch: int = 3, dtype: Any = torch.float32, length: int = LENGTH) -> list[Any]:
    x = torch.randn(batch, HEADS, length, length, dtype=dtype, requires_grad=True)
    table = torch.randn(7, HEADS, dtype=dtype, requires_grad=True)
    return [x, table, torch.randint(-7, 7, (length, length))]


def two_layers(x: Any, table: Any, i: Any) -> Any:
    one = moved(table, i)
    return (x[0] + one) @ x[1] + one


STORED: dict[str, Callable[..., Any]] = {
    "broadcast": lambda x, table, i: x + moved(table, i),
    "expanded": lambda x, table, i: x * moved(table, i)[None].expand(x.shape),
    "embedding": lambda x, table, i: x - torch.embedding(table, i % 7).permute(2, 0, 1),
    "rows of tokens": lambda x, table, i: (
        x.flatten(0, 1).unflatten(0, (-1, HEADS))
        + table.index_select(0, i.flatten() % 7).T.view(HEADS, *i.shape)
    ),
    "two layers": two_layers,
}
"""Their elements are read one by one for several places each."""

LEFT: dict[str, Callable[..., Any]] = {
    "for one place": lambda x, table, i: x[0] + moved(table, i),
    "rows in order": lambda x, table, i: x.permute(0, 2, 3, 1).contiguous() + table[i],
    "loops along rows": lambda x, table, i: (
        x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2) + moved(table, i)
    ),
    "broadcast along the last dim": lambda x, table, i: x + table[i[0]].T[:, :, None],
    "concatenated": lambda x, table, i: torch.cat([moved(table, i)[None], x]),
    "given": lambda x, table, i: (x + (one := moved(table, i)), one[None]),
    "several results": lambda x, table, i: torch.ops.aten._embedding_bag(
        table, i.flatten() % 7, i[0].abs() * 0
    )[:1],
}


def stored(function: Callable[..., Any], mode: str) -> int:
    gm = make_fx(function, tracing_mode=mode)(*(each.detach() for each in given()))
    clone = torch.ops.aten.clone.default
    before = len(gm.graph.find_nodes(op="call_function", target=clone))
    KernelPass(1, False, None)(gm.graph)
    gm.graph.lint()
    gm.recompile()
    x = [each.detach() for each in given()]
    found, wanted = gm(*x), function(*x)
    same(*((each if isinstance(each, tuple | list) else [each]) for each in (found, wanted)))
    return len(gm.graph.find_nodes(op="call_function", target=clone)) - before


@pytest.mark.parametrize("mode", ["fake", "symbolic"])
@pytest.mark.parametrize("name", [*STORED, *LEFT])
def test_what_is_read_for_several_places_is_stored_once(name: str, mode: str) -> None:
    function = STORED.get(name) or LEFT[name]
    assert stored(function, mode) == (name in STORED)


@pytest.mark.parametrize("name", [*STORED, "for one place", "loops along rows", "concatenated"])
@pytest.mark.parametrize(
    ("dtype", "dynamic"), [(torch.float32, False), (torch.float64, True), (torch.bfloat16, False)]
)
def test_values_gradients_and_strides(name: str, dtype: Any, dynamic: bool) -> None:
    function = STORED.get(name) or LEFT[name]
    compiled = torch.compile(function, backend="mlir_gs", dynamic=dynamic)
    sizes = [(3, LENGTH), (2, 5), *([] if "layers" in name else [(1, 4)])]
    for batch, length in sizes if dynamic else sizes[:1]:
        arguments = given(batch, dtype, length)
        (found, grads), (wanted, right) = run(compiled, arguments), run(function, arguments)
        tolerance = 0.1 if dtype == torch.bfloat16 else 1e-4
        same(found, wanted, tolerance)
        same(grads, right, tolerance)
        assert [strides(each) for each in found] == [strides(each) for each in wanted]


@pytest.mark.parametrize(("batch", "length"), [(0, 3), (3, 0), (1, 1), (3, 1)])
def test_no_elements_and_one(batch: int, length: int) -> None:
    for name in ("broadcast", "expanded"):
        arguments = given(batch, torch.float32, length)
        compiled = torch.compile(STORED[name], backend="mlir_gs", dynamic=False)
        for found, wanted in zip(
            run(compiled, arguments), run(STORED[name], arguments), strict=True
        ):
            same(found, wanted)


def test_sizes_that_depend_on_data() -> None:
    def chosen(x: Any, table: Any, i: Any) -> Any:
        at = (i[0] > 0).nonzero().flatten() % 7
        return x[:, :, 0, :1] + table[at].T

    arguments = [each.detach() for each in given(3, torch.float32, 6)]
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        found = torch.compile(chosen, backend="mlir_gs")(*arguments)
    same([found], [chosen(*arguments)])


def test_a_later_write_to_the_table_does_not_change_it() -> None:
    def written(x: Any, table: Any, i: Any) -> Any:
        one = moved(table, i)
        table.mul_(2)
        y = x + one
        x.add_(one)
        return y, y + moved(table, i)

    results = []
    for function in (written, torch.compile(written, backend="mlir_gs")):
        torch.manual_seed(1)
        arguments = [each.detach().clone() for each in given()]
        results.append([*function(*arguments), *arguments])
    same(*results)
