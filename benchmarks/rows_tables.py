"""Cases of `rows_peers`: bags and rows of quantized tables, and softmax over segments."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

Parties = dict[str, Callable[[], Any]]
Case = tuple[str, Callable[[], Parties]]
"""A name, and what makes the calls and compares their results."""


def bags(torch: Any, np: Any, ml_dtypes: Any, gs: Any) -> Iterator[Case]:
    """FBGEMM's rows: 1024 bags of 20, and as many rows alone, from tables in and out of caches."""
    kinds = {"byte": np.uint8, "4bit": ml_dtypes.uint4, "2bit": ml_dtypes.uint2}
    for name, dtype in kinds.items():
        for rows, width in ((1000, 128), (100_000, 64), (100_000, 128), (1_000_000, 128),
                            (100_000, 100), (100_000, 256)):  # fmt: skip
            yield (
                f"bag {name} {rows}x{width}",
                partial(_bag, torch, np, gs, name, dtype, rows, width),
            )


def _bag(torch: Any, np: Any, gs: Any, name: str, dtype: Any, rows: int, width: int) -> Parties:
    torch.manual_seed(0)
    prepack = getattr(torch.ops.quantized, f"embedding_bag_{name}_prepack")
    packed = prepack(torch.rand(rows, width))
    bag = getattr(torch.ops.quantized, f"embedding_bag_{name}_rowwise_offsets")
    ids = torch.randint(0, rows, (20480,))
    offsets = torch.arange(0, 20480, 20)
    i, o = ids.numpy(), offsets.numpy()
    table = gs.quantized(packed.numpy(), dtype=dtype)
    assert np.array_equal(table.bag(i, o), bag(packed, ids, offsets).numpy())
    return {
        "torch": lambda: bag(packed, ids, offsets),
        "mlir_gs": lambda: table.bag(i, o),
    }


def blocks(torch: Any, np: Any, ml_dtypes: Any, gs: Any, threads: int) -> Iterator[Case]:
    """Rows of ONNX Runtime's GatherBlockQuantized: 4 bits with scales and zero points."""
    for rows, width, block in ((32000, 256, 32), (100_000, 512, 32), (32000, 4096, 128)):
        make = partial(_blocks, np, ml_dtypes, gs, threads, rows, width, block)
        yield f"rows 4bit/{block} {rows}x{width}", make
    for kind in (torch.float8_e4m3fn, torch.float8_e5m2):
        yield f"rows {str(kind)[6:]} 100000x128", partial(_floats, torch, gs, kind)


def _blocks(
    np: Any, ml_dtypes: Any, gs: Any, threads: int, rows: int, width: int, block: int
) -> Parties:
    import onnxruntime
    from onnx import TensorProto, helper

    rng = np.random.default_rng(0)
    data = rng.integers(0, 256, (rows, width // 2)).astype(np.uint8)
    scales = rng.random((rows, width // block)).astype(np.float32)
    ids = rng.integers(0, rows, 2048)
    node = helper.make_node(
        "GatherBlockQuantized", ["data", "ids", "scales"], ["y"], domain="com.microsoft",
        gather_axis=0, quantize_axis=1, block_size=block, bits=4,
    )  # fmt: skip
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node], "g",
        [value("data", TensorProto.UINT8, data.shape),
         value("ids", TensorProto.INT64, ids.shape),
         value("scales", TensorProto.FLOAT, scales.shape)],
        [value("y", TensorProto.FLOAT, [len(ids), width])],
    )  # fmt: skip
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    feed = {"data": data, "ids": ids, "scales": scales}
    table = gs.quantized(data, scales, zero_points=8, dtype=ml_dtypes.uint4)
    assert np.array_equal(table.take(ids), session.run(None, feed)[0])
    return {
        "onnxruntime": lambda: session.run(None, feed),
        "mlir_gs": lambda: table.take(ids),
    }


def _floats(torch: Any, gs: Any, kind: Any) -> Parties:
    table = torch.rand(100_000, 128).to(kind)
    scales = torch.rand(100_000, 1)
    ids = torch.randint(0, 100_000, (20480,))
    ours = gs.quantized(table, scales)

    def rows_of() -> Any:
        return table[ids].float() * scales[ids]

    assert torch.equal(ours.take(ids), rows_of())
    return {"torch": rows_of, "mlir_gs": lambda: ours.take(ids)}


def softmaxes(torch: Any, np: Any, gs: Any) -> Iterator[Case]:
    """As torch and JAX spell it: greatest, exponentials, sums, quotients."""
    for count, columns, segments, is_sorted in (
        (100_000, 1, 10_000, True), (100_000, 8, 10_000, True), (1_000_000, 1, 50_000, True),
        (300_000, 8, 30_000, True), (20_000, 64, 500, True),
        (100_000, 1, 10_000, False), (100_000, 8, 10_000, False), (1_000_000, 1, 50_000, False),
        (300_000, 8, 30_000, False), (20_000, 64, 500, False),
    ):  # fmt: skip
        name = f"softmax {count}x{columns} to {segments}{' sorted' * is_sorted}"
        yield name, partial(_softmax, torch, np, gs, count, columns, segments, is_sorted)


def _softmax(
    torch: Any, np: Any, gs: Any, count: int, columns: int, segments: int, is_sorted: bool
) -> Parties:
    import jax

    rng = np.random.default_rng(0)
    shape = (count,) if columns == 1 else (count, columns)
    x = rng.normal(size=shape).astype(np.float32)
    ids = rng.integers(0, segments, count)
    ids = np.sort(ids) if is_sorted else ids

    def in_torch(x: Any, ids: Any) -> Any:
        where = ids if x.ndim == 1 else ids[:, None].expand_as(x)
        empty = x.new_full((segments, *x.shape[1:]), -torch.inf)
        e = (x - empty.scatter_reduce(0, where, x, "amax").gather(0, where)).exp()
        return e / torch.zeros_like(empty).scatter_add(0, where, e).gather(0, where)

    def in_jax(x: Any, ids: Any) -> Any:
        options = {"num_segments": segments, "indices_are_sorted": is_sorted}
        e = jax.numpy.exp(x - jax.ops.segment_max(x, ids, **options)[ids])
        return e / jax.ops.segment_sum(e, ids, **options)[ids]

    tx, ti = torch.from_numpy(x), torch.from_numpy(ids)
    jitted, jx, ji = jax.jit(in_jax), jax.numpy.asarray(x), jax.numpy.asarray(ids)
    ours = partial(gs.segment_softmax, x, ids, segments, indices_are_sorted=is_sorted)
    np.testing.assert_allclose(ours(), in_torch(tx, ti), rtol=1e-5)
    np.testing.assert_allclose(ours(), jitted(jx, ji), rtol=1e-5)
    return {
        "torch": lambda: in_torch(tx, ti),
        "jax": lambda: jitted(jx, ji).block_until_ready(),
        "mlir_gs": ours,
    }
