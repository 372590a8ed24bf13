"""Kernels in inductor's graphs: which are put in, their values, and inductor's own code around."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations import torch as gs  # noqa: E402  (after importorskip)
from mlir_gs.integrations.torch import cost, dynamo_backend, inductor  # noqa: E402  (after importorskip)
from mlir_gs.integrations.torch.ops import is_indexing  # noqa: E402  (after importorskip)
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402  (after importorskip)
from torch_checks import fresh, same  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.

pytestmark = pytest.mark.filterwarnings("ignore")

aten: Any = torch.ops.aten


def messages(x: Any, senders: Any, receivers: Any, w: Any) -> Any:
    sent = torch.relu(x[senders] * w[:, None])
    return torch.tanh(torch.zeros_like(x).index_add(0, receivers, sent))


def edges(nodes: int, count: int, width: int) -> list[Any]:
    ends = [torch.randint(0, nodes, (count,)) for _ in range(2)]
    return [torch.randn(nodes, width), *ends, torch.rand(count)]


def traced(function: Callable[..., Any], *given: Any) -> Any:
    """The graph of ATen ops; tensors without memory are given where sizes are large."""
    table = torch._inductor.decomposition.select_decomp_table()
    return make_fx(function, table, tracing_mode="fake")(*given)


def placed(function: Callable[..., Any], *given: Any, threads: int = 1, every: bool = False) -> Any:
    """The graph after the pass, and the ops of its kernels."""
    found: list[Any] = []
    gm = traced(function, *given)
    inductor.KernelPass(threads, every, lambda _, decisions: found.append(decisions))(gm.graph)
    gm.recompile()
    return gm, [op for ops in found[0].kernels for op in ops]


def test_kernels_in_a_graph_have_eager_s_values() -> None:
    given = edges(30, 200, 5)
    gm, ops = placed(messages, *given, every=True)
    assert {"aten.index.Tensor", "aten.index_put"} <= set(ops)
    assert gm.graph.find_nodes(op="call_function", target=inductor.OP)
    same([gm(*given)], [messages(*given)], 1e-6)


def test_what_loops_do_as_well_is_left_to_them() -> None:
    given = edges(30, 200, 5)
    before = traced(messages, *given).code
    for threads in (1, 2):
        gm, ops = placed(messages, *given, threads=threads)
        assert (gm.code, ops) == (before, [])


def lookup(table: Any, ids: Any) -> Any:
    return table[ids] * 2


@pytest.mark.parametrize(
    ("rows", "threads", "pays"), [(1000, 1, False), (1_000_000, 1, True), (1_000_000, 2, True)]
)
def test_a_large_table_is_worth_a_kernel(rows: int, threads: int, pays: bool) -> None:
    table, ids = torch.empty(rows, 64), torch.zeros(20_000, dtype=torch.int64)
    _, ops = placed(lookup, table, ids, threads=threads)
    assert ops == (["aten.index.Tensor", "aten.mul.Tensor"] if pays else [])


@pytest.mark.parametrize(("length", "pays"), [(1000, False), (40_000, True)])
def test_a_maximum_by_segment_is_a_kernel_where_loops_would_store_what_it_reads(
    length: int, pays: bool
) -> None:
    ids = torch.zeros(length, dtype=torch.int64)
    x = torch.empty(length)

    def alone(x: Any, ids: Any) -> Any:
        return torch.full((500,), -1e9).scatter_reduce(0, ids, x, "amax")

    def computed(x: Any, ids: Any) -> Any:
        return alone(x * 2 + 1, ids)

    assert placed(alone, x, ids)[1] == []
    assert ("aten.scatter_reduce.two" in placed(computed, x, ids)[1]) == pays


def test_a_scatter_takes_along_what_all_of_it_gains_by() -> None:
    """A maximum alone gains less than an estimate is unsure of beside rows that move."""

    def softmax(x: Any, ids: Any) -> Any:
        scores = x[:, 0] * 2
        most = torch.full((500,), -1e9).scatter_reduce(0, ids, scores, "amax")
        shares = torch.exp(scores - most[ids])
        return torch.zeros(500, 32).index_add(0, ids, x * shares[:, None])

    _, ops = placed(softmax, torch.empty(40_000, 32), torch.zeros(40_000, dtype=torch.int64))
    assert "aten.index_put" not in ops


def test_what_is_stacked_is_written_where_it_goes() -> None:
    """Loops copy no result of a scatter into the stack; a kernel's result is copied."""

    def stacked(p: Any, v: Any, ids: Any, rows: Any) -> Any:
        new = v[ids] * 0.9 + rows
        return torch.stack([p.index_add(0, ids, new), v.index_copy(0, ids, new)])

    rows, ids = torch.empty(20_000, 64), torch.zeros(4000, dtype=torch.int64)
    assert placed(stacked, rows, rows, ids, torch.empty(4000, 64))[1] == []


def test_what_inductor_writes_in_place_is_not_copied_by_a_kernel() -> None:
    def step(store: Any, rows: Any, places: Any, drawn: Any) -> Any:
        new = store.index_put((places,), rows)
        found = new[drawn] * 2
        store.copy_(new)
        return found

    places, drawn = torch.tensor([3, 1]), torch.tensor([1, 0, 3])
    given = torch.zeros(5, 3), torch.ones(2, 3), places, drawn
    gm, ops = placed(step, *given, every=True)
    assert ops == ["aten.index.Tensor", "aten.mul.Tensor"]
    assert gm(*given).sum() == 12
    assert given[0].sum() == 6


def test_a_kernel_holds_nothing_but_what_gains() -> None:
    """Though all of it could be in one."""

    def function(table: Any, ids: Any) -> Any:
        means = (table[ids] * 2).mean(1)
        return means * torch.exp(means - means.amax(0))

    _, ops = placed(function, torch.empty(1_000_000, 64), torch.zeros(20_000, dtype=torch.int64))
    assert ops == ["aten.index.Tensor", "aten.mul.Tensor", "aten.mean.dim"]


def test_copies_in_another_order_are_left_to_who_reads_them() -> None:
    """Inductor stores the rows once, in an order that the product takes."""

    def function(pages: Any, table: Any, q: Any) -> Any:
        return q @ pages[table].permute(0, 2, 1).contiguous()

    given = torch.empty(4096, 16, 64), torch.zeros(512, dtype=torch.int64), torch.empty(512, 8, 64)
    assert placed(function, *given)[1] == []


def test_rows_that_a_product_of_a_vector_reads_are_left_in_its_loops() -> None:
    given = [torch.randn(200_000, 64), torch.randint(0, 200_000, (4000, 6))]
    assert placed(lambda x, i: x[i] @ x[i[:, 0], :, None], *given)[1] == []
    assert "aten.index.Tensor" in placed(lambda x, i: x[i] @ x[:64], *given)[1]


def test_a_gain_that_is_small_beside_what_moves_is_none() -> None:
    given = [torch.randn(5000, 128), torch.randint(0, 5000, (1024,))]
    assert placed(lambda x, i: x[i].sum(-1), *given)[1] == []


@pytest.mark.parametrize(("dim", "pays"), [(0, True), (-1, False)])
def test_elements_of_short_blocks_are_read_in_order(dim: int, pays: bool) -> None:
    """What lies in order comes without a prefetch."""
    given = [torch.empty(1_000_000, 32), torch.zeros(1_000_000, 1, dtype=torch.int64)]
    ops = placed(lambda x, i: x.gather(dim, i)[:, 0] * 2, *given)[1]
    assert ("aten.gather" in ops) == pays
    # Lists of coordinates, too.
    rows = (lambda x, i: x[i, :]) if dim == 0 else (lambda x, i: x[:, i[:7]])
    assert ("aten.index.Tensor" in placed(rows, given[0], given[1][:, 0])[1]) == pays


@pytest.mark.parametrize(("width", "pays"), [(1, True), (16, False), (64, True)])
def test_sums_of_rows_of_one_vector_are_loops(width: int, pays: bool) -> None:
    vector = cost.machine(cost.target()).target.vector_bytes // 4
    width = width * vector // 16 or 1

    def add(x: Any, ids: Any) -> Any:
        return x.new_zeros((1 << 20) // width, width).index_add(0, ids, x * 2)

    given = [torch.empty(50_000, width), torch.zeros(50_000, dtype=torch.int64)]
    assert ("aten.index_put" in placed(add, *given)[1]) == pays

    def gradient(x: Any, ids: Any) -> Any:
        return aten.embedding_dense_backward(x * 2, ids, (1 << 20) // width, -1, False)

    name = "aten._unsafe_masked_index_put_accumulate"
    assert (name in placed(gradient, *given)[1]) == pays


def test_a_graph_without_kernels_stays_as_it_is() -> None:
    def function(x: Any, i: Any) -> Any:
        rows = x.T[i].unsqueeze(0)
        return torch.tanh(rows) + rows.cos()

    given = [torch.randn(8, 9), torch.randint(0, 9, (4,))]
    gm, ops = placed(function, *given)
    assert ops == []
    assert str(gm.graph) == str(traced(function, *given).graph)


@pytest.mark.parametrize("rows", [100, 1_000_000])
def test_the_time_to_decide_grows_with_the_number_of_gathers(
    monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """Each gather of a chain is fused with all others."""

    def chain(x: Any, i: Any, w: Any) -> Any:
        for _ in range(count):
            x = x[i] * w
        return x

    asked: dict[int, int] = {}
    inlined, saved = cost._inlined, cost._saved

    def counted(function: Callable[..., Any], *given: Any) -> Any:
        asked[count] = asked.get(count, 0) + 1
        return function(*given)

    monkeypatch.setattr(cost, "_inlined", partial(counted, inlined))
    monkeypatch.setattr(cost, "_saved", partial(counted, saved))
    for count in (10, 40):
        gm = traced(
            chain, torch.empty(rows, 4), torch.zeros(rows, dtype=torch.int64), torch.ones(4)
        )
        worth = cost.worth_a_kernel(gm.graph, 1, {})
        assert sum(map(is_indexing, worth)) == (count if rows > 100 else 0)
    assert asked[40] < 5 * asked[10]


def test_a_large_result_is_worth_a_kernel() -> None:
    """Its memory is new to inductor at each call."""

    def function(grad: Any, ids: Any, counts: Any) -> Any:
        rows = (grad[:, None] / counts[:, None]).expand(*ids.shape, grad.shape[1])
        return rows.new_zeros(60_000, 256).index_put((ids,), rows, accumulate=True), rows + 1

    given = torch.empty(64, 256), torch.zeros(64, 128, dtype=torch.int64), torch.empty(64, 1)
    assert "aten.index_put" in placed(function, *given)[1]


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_that_add_to_the_same_rows_are_worth_a_kernel(threads: int) -> None:
    _, ops = placed(messages, *edges(500, 50_000, 64), threads=threads)
    assert ("aten.index_put" in ops) == (threads == 2)
    # What is added up is not stored before.
    assert ("aten.relu" in ops) == (threads == 2)


@pytest.mark.parametrize(("dtype", "pays"), [(torch.int64, True), (torch.float32, False)])
def test_sums_that_inductor_has_no_loops_for_are_worth_a_kernel(dtype: Any, pays: bool) -> None:
    def function(x: Any, ids: Any, updates: Any) -> Any:
        return x.index_add(0, ids, updates)

    given = torch.zeros(1000, 16, dtype=dtype), torch.zeros(30_000, dtype=torch.int64)
    gm, ops = placed(function, *given, torch.ones(30_000, 16, dtype=dtype))
    assert bool(ops) == pays
    assert torch.equal(
        gm(*given, torch.ones(30_000, 16, dtype=dtype))[0].sum().long(), torch.tensor(480_000)
    )


def test_a_scatter_beside_what_only_inductor_has_is_left() -> None:
    """The messages would be stored between the two."""

    def function(x: Any, senders: Any, receivers: Any, w: Any) -> Any:
        sent = torch.special.i1(x[senders])
        return torch.zeros_like(x).scatter_reduce(
            0, receivers[:, None].expand_as(sent), sent, "sum"
        )

    _, ops = placed(function, *edges(500, 20_000, 64))
    assert "aten.index.Tensor" not in ops


def test_the_gradient_of_a_bag_is_a_kernel() -> None:
    offsets = torch.arange(0, 4000, 4)
    indices = torch.randint(0, 900, (4000,))

    def function(grad: Any, offsets: Any, indices: Any) -> Any:
        nothing, sizes = indices.new_empty(0), torch.ones_like(offsets)
        return aten._embedding_bag_backward(
            grad, indices, offsets, nothing, sizes, sizes, 900, False, 0, False, None
        )

    grad = torch.randn(1000, 16)
    gm, ops = placed(function, grad, offsets, indices)
    assert "aten._embedding_bag_backward" in ops
    wanted = torch.zeros(900, 16).index_add(0, indices, grad.repeat_interleave(4, 0))
    same([gm(grad, offsets, indices)], [wanted], 1e-5)


def test_coordinates_out_of_bounds_are_index_errors_in_kernels() -> None:
    table, ids = torch.randn(5, 3), torch.tensor([1, 7])
    gm, _ = placed(lookup, table, ids, every=True)
    with pytest.raises(IndexError, match=r"coordinate 7 at position .* out of bounds for size 5"):
        gm(table, ids)


def test_options_of_the_rest() -> None:
    with pytest.raises(ValueError, match="rest: expected one of inductor, eager, found 'jax'"):
        gs.backend(torch.fx.symbolic_trace(lambda x: x), [], options={"rest": "jax"})
    with pytest.raises(ValueError, match="kernels: expected all, found 'some'"):
        gs.backend(torch.fx.symbolic_trace(lambda x: x), [], options={"kernels": "some"})


def test_the_pass_is_known_to_inductor_s_cache_by_what_it_does() -> None:
    one, other, third = (inductor.KernelPass(n, each, None) for n, each in ((1, 0), (2, 0), (1, 1)))
    names = {one.uuid(), other.uuid(), third.uuid()}
    assert names == {None} or len(names) == 3
    assert one.uuid() == inductor.KernelPass(1, False, None).uuid()
    assert inductor.KernelPass(1, False, print).uuid() is None


def test_inductor_s_cache_sees_an_edited_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inductor, "are_edited", lambda: False)
    before = inductor.KernelPass(1, False, None).uuid()
    monkeypatch.setattr(inductor, "stamps", lambda *_: [["cost.py", 1, 2]])
    assert inductor.KernelPass(1, False, None).uuid() != before


@pytest.mark.parametrize("dynamic", [False, True])
def test_inductor_compiles_what_is_around(dynamic: bool) -> None:
    if not dynamo_backend.has_compiler():
        pytest.skip("no C++ compiler, which inductor needs")
    called = gs.explain(messages, dynamic=dynamic, fullgraph=True, options={"kernels": "all"})
    for sizes in ((30, 200, 5), (41, 90, 5))[: 1 + dynamic]:
        found = edges(*sizes)
        x, y = (found[0].clone().requires_grad_() for _ in range(2))
        got, told = called(x, *found[1:])
        got.square().sum().backward()
        wanted = messages(y, *found[1:])
        wanted.square().sum().backward()
        same([got, x.grad], [wanted, y.grad], 1e-5)
    assert [direction for direction, _ in told.graphs] == ["inductor"] * 2
    assert "inductor: aten.tanh" in str(told)
    assert told.kernels == 2


IN_NEW_PROCESS = """
import torch
import mlir_gs.integrations.torch
from torch._dynamo.utils import counters

def function(x, ids, w):
    return torch.zeros_like(x).index_add(0, ids, torch.relu(x[ids] * w)).sin()

torch.manual_seed(0)
x, ids, w = torch.randn(30, 4), torch.randint(0, 30, (200,)), torch.rand(200, 1)
found = torch.compile(function, backend="mlir_gs", options={"kernels": "all"})(x, ids, w)
torch.testing.assert_close(found, function(x, ids, w))
print(counters["inductor"]["fxgraph_cache_hit"])
"""


def test_a_later_process_takes_kernels_from_inductor_s_cache(tmp_path: Path) -> None:
    if not dynamo_backend.has_compiler():
        pytest.skip("no C++ compiler, which inductor needs")
    variables = {
        **os.environ,
        "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor"),
        "MLIR_GS_CACHE": str(tmp_path / "kernels"),
    }
    command = [sys.executable, "-W", "ignore", "-c", IN_NEW_PROCESS]
    hits = [
        subprocess.run(
            command, env=variables, capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert hits == ["0", "1"]
