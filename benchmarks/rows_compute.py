"""Cases of `rows_peers`: products of gathered rows, of groups of rows, and attention over pages."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

Parties = dict[str, Callable[[], Any]]
Case = tuple[str, Callable[[], Parties]]
"""A name, and what makes the calls and compares their results."""

PRODUCTS = (
    (512, 64, 32), (4096, 128, 128), (2048, 512, 512), (512, 1024, 1024), (64, 768, 3072),
    (8, 1024, 4096), (1, 1024, 1024), (1000, 300, 200),
)  # fmt: skip
GROUPS = ((8, 512, 512, 1024), (8, 1024, 2048, 256), (64, 256, 256, 4096), (8, 1024, 1024, 16))
PAGES = (
    (1, 32, 8, 128, 16, 1024, "float32"), (8, 32, 8, 128, 16, 1024, "float32"),
    (8, 32, 8, 128, 16, 512, "bfloat16"), (8, 8, 8, 64, 16, 512, "float32"),
    (16, 32, 32, 128, 16, 256, "float32"), (4, 16, 4, 128, 32, 700, "float16"),
)  # fmt: skip


def products(torch: Any, np: Any, gs: Any, threads: int) -> Iterator[Case]:
    """`x[ids] @ w` of tables of 5000 rows."""
    for sizes in PRODUCTS:
        yield (
            "product " + "x".join(map(str, sizes)),
            partial(_product, torch, np, gs, threads, *sizes),
        )


def _product(torch: Any, np: Any, gs: Any, threads: int, m: int, k: int, n: int) -> Parties:
    import jax

    torch.manual_seed(0)
    x, w, ids = torch.randn(5000, k), torch.randn(k, n), torch.randint(0, 5000, (m,))
    given = [each.numpy() for each in (x, ids, w)]

    def rows(x: Any, ids: Any, w: Any) -> Any:
        return x[ids] @ w

    compiled, jitted = torch.compile(rows, dynamic=False), jax.jit(rows)
    on_jax = [jax.numpy.asarray(each) for each in given]
    session = _session(np, threads, [5000, k], [m], [k, n])
    feed = dict(zip(("x", "ids", "w"), given, strict=True))
    parties = {
        "torch": lambda: rows(x, ids, w),
        "torch.compile": lambda f=compiled, a=(x, ids, w): f(*a),
        "jax": lambda f=jitted, a=on_jax: f(*a).block_until_ready(),
        "onnxruntime": lambda s=session, f=feed: s.run(None, f)[0],
        "mlir_gs": lambda a=given: gs.gathered_matmul(*a),
    }
    _agree(np, parties, 1e-3)
    return parties


def groups(torch: Any, np: Any, gs: Any) -> Iterator[Case]:
    """Rows by expert, as many for each: `ragged_dot` of JAX, a loop over experts in torch."""
    for experts, k, n, m in GROUPS:
        yield f"groups {experts}x{k}x{n} of {m}", partial(_groups, torch, np, gs, experts, k, n, m)


def _groups(torch: Any, np: Any, gs: Any, experts: int, k: int, n: int, m: int) -> Parties:
    import jax

    torch.manual_seed(0)
    x, w = torch.randn(m, k), torch.randn(experts, k, n)
    sizes, ids = torch.full((experts,), m // experts), torch.randperm(m)
    given = [each.numpy() for each in (x, w, sizes, ids)]

    def by_expert(x: Any, w: Any, counts: Any, ids: Any) -> Any:
        return torch.cat([a @ b for a, b in zip(x[ids].split(counts), w, strict=True)])

    def ragged(x: Any, w: Any, sizes: Any, ids: Any) -> Any:
        return jax.lax.ragged_dot(x[ids], w, sizes)

    compiled, jitted = torch.compile(by_expert, dynamic=False), jax.jit(ragged)
    on_jax = [jax.numpy.asarray(each) for each in given]
    arguments = (x, w, sizes.tolist(), ids)
    parties = {
        "torch": lambda f=by_expert, a=arguments: f(*a),
        "torch.compile": lambda f=compiled, a=arguments: f(*a),
        "jax": lambda f=jitted, a=on_jax: f(*a).block_until_ready(),
        "mlir_gs": lambda a=given: gs.grouped_matmul(*a),
    }
    _agree(np, parties, 1e-3)
    return parties


def attention(torch: Any, np: Any, gs: Any) -> Iterator[Case]:
    """One token of each sequence, with keys and values in pages."""
    for sizes in PAGES:
        seqs, heads, kv, width, _, length, kind = sizes
        name = f"attention {seqs}x{heads}/{kv}x{width} {length} {kind}"
        yield name, partial(_attention, torch, np, gs, *sizes)


def _attention(
    torch: Any, np: Any, gs: Any,
    seqs: int, heads: int, kv: int, width: int, page: int, length: int, kind: str,
) -> Parties:  # fmt: skip
    import jax

    torch.manual_seed(0)
    pages, dtype = -(-length // page), getattr(torch, kind)
    q = torch.randn(seqs, heads, width).to(dtype)
    k, v = (torch.randn(seqs * pages, page, kv, width).to(dtype) for _ in range(2))
    table = torch.randperm(seqs * pages).reshape(seqs, pages)
    lengths = torch.randint(length // 2, length + 1, (seqs,))

    def in_torch(q: Any, k: Any, v: Any, table: Any, lengths: Any) -> Any:
        keys, values = (each[table].flatten(1, 2).transpose(1, 2) for each in (k, v))
        seen = torch.arange(keys.shape[2]) < lengths[:, None]
        return torch.nn.functional.scaled_dot_product_attention(
            q[:, :, None], keys, values, attn_mask=seen[:, None, None], enable_gqa=True
        )[:, :, 0]

    def in_jax(q: Any, k: Any, v: Any, table: Any, lengths: Any) -> Any:
        keys, values = (each[table].reshape(len(q), -1, kv, q.shape[-1]) for each in (k, v))
        return jax.nn.dot_product_attention(
            q[:, None], keys, values, key_value_seq_lengths=lengths.astype("int32")
        )[:, 0]

    arguments = (q, k, v, table, lengths)
    compiled, jitted = torch.compile(in_torch, dynamic=False), jax.jit(in_jax)
    on_jax = [_to_jax(jax, each) for each in arguments]
    parties = {
        "torch": lambda f=in_torch, a=arguments: f(*a),
        "torch.compile": lambda f=compiled, a=arguments: f(*a),
        "mlir_gs": lambda a=arguments: gs.paged_attention(*a),
    }
    # On CPUs JAX has no product of float16 that sums in float32.
    if kind != "float16":
        parties["jax"] = lambda f=jitted, a=on_jax: f(*a).block_until_ready()
    _agree(np, parties, 1e-4 if kind == "float32" else 2e-2)
    return parties


def _to_jax(jax: Any, tensor: Any) -> Any:
    if not tensor.is_floating_point() or tensor.element_size() == 4:
        return jax.numpy.asarray(tensor.numpy())
    return jax.numpy.asarray(tensor.float().numpy()).astype(str(tensor.dtype)[6:])


def _agree(np: Any, parties: dict[str, Callable[[], Any]], close: float) -> None:
    """All parties find the same, but for rounding."""
    found = {name: call() for name, call in parties.items()}
    wide = {
        name: (each.float().numpy() if hasattr(each, "numpy") else np.asarray(each, np.float32))
        for name, each in found.items()
    }
    for name, each in wide.items():
        np.testing.assert_allclose(each, wide["torch"], rtol=close, atol=close, err_msg=name)


def _session(np: Any, threads: int, x: list[int], ids: list[int], w: list[int]) -> Any:
    """ONNX Runtime's Gather and MatMul."""
    import onnxruntime
    from onnx import TensorProto, helper

    nodes = [
        helper.make_node("Gather", ["x", "ids"], ["rows"], axis=0),
        helper.make_node("MatMul", ["rows", "w"], ["y"]),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "g",
        [value("x", TensorProto.FLOAT, x), value("ids", TensorProto.INT64, ids),
         value("w", TensorProto.FLOAT, w)],
        [value("y", TensorProto.FLOAT, [ids[0], w[1]])],
    )  # fmt: skip
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
