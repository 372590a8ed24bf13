"""Which gathers and scatters are kernels and which are inductor's loops."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from mlir_gs.integrations.torch import cost, inductor  # noqa: E402  (after importorskip)
from mlir_gs.integrations.torch.ops import is_indexing  # noqa: E402  (after importorskip)
from test_torch_inductor import placed  # noqa: E402  (after importorskip)
from torch_checks import fresh, same  # noqa: E402  (after importorskip)

__all__ = ["fresh"]  # A fixture of every test.


def test_rows_that_are_added_up_are_kernels_where_loops_read_each_element() -> None:
    """Inductor's vectors lie along the coordinates, unless something is read there by rows."""
    x, ids = torch.empty(5000, 128), torch.zeros(64, 16, dtype=torch.int64)
    assert "aten.index.Tensor" in placed(lambda x, i: x[i].sum(1), x, ids)[1]
    factors = torch.empty(64, 16)
    _, ops = placed(lambda x, i, w: (x[i] * w[..., None]).sum(1), x, ids, factors)
    assert "aten.index.Tensor" in ops
    assert placed(lambda x, i, r: (x[i] * r).sum(1), x, ids, torch.empty(16, 128))[1] == []


def test_rows_that_are_computed_for_each_coordinate_are_read_in_order() -> None:
    """Also where they have fewer dims than what they are multiplied with."""
    given = [torch.empty(5000, 4, 16), torch.zeros(50_000, dtype=torch.int64)]
    factors = torch.empty(50_000, 4)
    _, ops = placed(lambda x, i, a: (x[i] * a.neg()[..., None]).sum(0), *given, factors)
    assert ops == []
    _, ops = placed(lambda x, i, a: (x[i] * a.neg()[:, None, None]).sum(0), *given, factors[:, 0])
    assert "aten.index.Tensor" in ops


@pytest.mark.parametrize("dims", [None, [], [0, 1, 2]])
@pytest.mark.parametrize("reduce", [torch.sum, torch.mean])
def test_reductions_of_all_dims_are_not_of_rows(reduce: Any, dims: Any) -> None:
    x, ids = torch.empty(5000, 128), torch.zeros(64, 16, dtype=torch.int64)
    assert placed(lambda x, i: reduce(x[i], dims, keepdim=True), x, ids)[1] == []


def test_rows_that_a_cache_holds_need_no_prefetch() -> None:
    facts = cost.machine(cost.target()).target
    x = torch.empty(facts.llc_bytes * 3 // 4 // 256, 64)
    given = [x, *torch.zeros(2, 20_000, dtype=torch.int64)]
    assert placed(lambda x, i, j: (x[i] * x[j]).sum(-1), *given)[1] == []


def test_a_scatter_of_rows_takes_along_only_what_gains() -> None:
    """Expanded coordinates are those of rows; ones that come expanded stay with inductor."""
    given = [torch.empty(200_000, 32), torch.zeros(200_000, 1, dtype=torch.int64)]

    def add(u: Any, at: Any) -> Any:
        return u.new_zeros(20_000, 32).scatter_add(0, at, u * 2)

    assert "aten.scatter_add" in placed(lambda u, i: add(u, i.expand(-1, 32)), *given)[1]
    assert placed(add, given[0], given[1].expand(-1, 32))[1] == []


def _extremes(x: Any, senders: Any, place: Any) -> Any:
    """Sums, means and extremes of rows, whose gradients gather at expanded coordinates."""
    rows, start = x[senders], x.new_zeros(9, 6)
    found = [start.scatter_reduce(0, place, rows, name) for name in ("amax", "mean", "sum")]
    return torch.cat([*found, start.scatter_add(0, place, rows)], 1).gather(0, place % 9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_a_kernel_expands_coordinates_itself(
    dynamic: bool, turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where gathers and scatters alone are kept, each kernel reads a coordinate a row."""

    def indexing(graph: Any, threads: int, barred: Any) -> Any:
        return {node for node in graph.nodes if is_indexing(node) and node not in barred}

    def call(graph: Any, part: Any, inputs: Any) -> Any:
        read.extend(node.meta["val"] for node in inputs)
        return before(graph, part, inputs)

    def expanded(x: Any, senders: Any, receivers: Any) -> Any:
        if turned:
            return _extremes(x, senders, receivers[None].expand(6, -1).t())
        return _extremes(x, senders, receivers[:, None].expand(-1, 6))

    read, before = list[Any](), inductor._call
    monkeypatch.setattr(inductor, "worth_a_kernel", indexing)
    monkeypatch.setattr(inductor, "gain", lambda nodes, threads: -len(nodes))
    monkeypatch.setattr(inductor, "gains", lambda nodes, threads: True)
    monkeypatch.setattr(inductor, "_call", call)
    x = torch.randn(9, 6, requires_grad=True)
    given = [x, *torch.randint(0, 9, (2, 40))]
    with torch._inductor.config.patch(force_disable_caches=True):
        compiled = torch.compile(expanded, backend="mlir_gs", dynamic=dynamic)
        found, wanted = compiled(*given), expanded(*given)
        weights = torch.randn_like(wanted)
        gradients = [torch.autograd.grad(each, x, weights) for each in (found, wanted)]
    same([found, *gradients[0]], [wanted, *gradients[1]], 1e-5)
    assert read
    assert not any(0 in value.stride() for value in read if isinstance(value, torch.Tensor))


def test_rows_that_two_nests_read_are_gathered_in_each() -> None:
    """A kernel would store them: the gradients of weighted rows that are added up."""
    rows, senders, receivers = torch.empty(8000, 64), *torch.zeros(2, 100_000, dtype=torch.int64)

    def gradients(x: Any, w: Any, g: Any, i: Any, j: Any) -> Any:
        own = g[j]
        zeros = torch.full((8000, 64), 0.0)
        return zeros.index_put((i,), own * w[:, None], True), (own * x[i]).sum(1)

    given = (rows, torch.empty(100_000), rows, senders, receivers)
    assert placed(gradients, *given)[1] == []


def test_numbers_that_others_read_too_are_made_for_each() -> None:
    """As the zeros that a gradient adds to, and the function as well."""
    x, w, i, j = torch.empty(8000, 64), torch.empty(100_000), *torch.zeros(2, 100_000).long()

    def add(x: Any, w: Any, i: Any, j: Any) -> Any:
        zeros = torch.full((8000, 64), 0.0)
        return zeros.index_put((j,), x[i] * w[:, None], True), zeros

    gm, ops = placed(add, x, w, i, j)
    assert "aten.index_put" in ops
    assert len(gm.graph.find_nodes(op="call_function", target=torch.ops.aten.full.default)) == 1


def test_a_kernel_takes_along_nothing_that_gains_nothing() -> None:
    """As a reduction that is stored in any case."""
    given = torch.empty(20_000, 8, 32), torch.zeros(20_000, dtype=torch.int64)

    def put(u: Any, at: Any) -> Any:
        return u.new_zeros(400_000, 32).index_put((at,), (u * 2).amax(1))

    assert placed(put, *given)[1] == ["aten.full", "aten.index_put"]


def test_a_scatter_into_blocks_that_a_cache_holds_needs_no_prefetch() -> None:
    facts = cost.policy(cost.machine(cost.target()).target)
    x = torch.empty(facts.far_bytes * 2 // 512, 128)
    at = torch.zeros(x.shape, dtype=torch.int64)

    def add(dim: int) -> list[str]:
        return placed(lambda x, i, u: x.scatter_add(dim, i, u), x, at, x, threads=1)[1]

    assert add(0) == ["aten.scatter_add"]
    assert add(1) == []


def test_sums_that_eager_torch_s_threads_share_are_left_to_it() -> None:
    """Inductor leaves them to it on several threads; of one dim, its threads cannot share them."""
    levels = torch.zeros(64, 4096, dtype=torch.int64)

    def count(at: Any) -> Any:
        return torch.zeros(at.shape[0], 256).scatter_add(1, at, torch.ones(at.shape))

    assert placed(count, levels, threads=2)[1] == []
    assert "aten.scatter_add" in placed(count, levels.view(1, -1), threads=2)[1]


def test_what_two_nests_of_a_kernel_read_lies_in_memory() -> None:
    """So sums at coordinates are a kernel, and the results that read the same are loops; both
    compute what is no more to compute than to read."""
    edges, width = 60_000, 64
    given = [torch.zeros(edges, dtype=torch.int64), *torch.empty(3, edges, width)]
    scale = torch.empty(edges, 1)

    def sums(at: Any, a: Any, b: Any, c: Any, scale: Any) -> Any:
        both = a * scale.sigmoid()
        other = torch.cat([b.exp(), c.exp()], 1)
        added = a.new_zeros(2000, 2 * width).index_add(0, at, other * torch.cat([a, b], 1))
        return added, other * 2, both + c, a.new_zeros(2000, width).index_add(0, at, both)

    gm, ops = placed(sums, *given, scale, threads=2)
    assert ops.count("aten.index_put") == 2
    assert not {"aten.cat", "aten.exp"} & {*ops}
    results = [n.meta["val"].shape for n in gm.graph.nodes if n.name.startswith("getitem")]
    assert {*results} == {(2000, 2 * width), (2000, width)}


def test_what_products_read_is_stored_once() -> None:
    """So the loops that read it, too, compute nothing again: a kernel takes them along."""
    edges, width = 30_000, 32
    given = [torch.zeros(edges, dtype=torch.int64), *torch.empty(2, edges, width)]

    def sums(at: Any, a: Any, b: Any) -> Any:
        both = torch.where(b <= 0, 0.0, a)
        return both.new_zeros(2000, width).index_add(0, at, both), both.T @ a, both.sum(0)

    ops = placed(sums, *given, threads=2)[1]
    assert {"aten.where.self", "aten.sum.dim_IntList"} <= {*ops}


def test_reductions_that_eager_torch_does_one_by_one_are_a_kernel() -> None:
    """Also where others read the operand that is stored for it."""
    count, edges = 20_000, 200_000
    given = [torch.zeros(2, edges, dtype=torch.int64), *torch.empty(2, count, 4)]

    def greatest(at: Any, a: Any, b: Any) -> Any:
        each = torch.nn.functional.leaky_relu(a[at[0]] + b[at[1]])
        to = at[1, :, None].expand(-1, 4)
        most = a.new_zeros(count, 4).scatter_reduce(0, to, each, "amax", include_self=False)
        return most, each * 2

    for threads in 1, 2:
        assert "aten.scatter_reduce.two" in placed(greatest, *given, threads=threads)[1]
