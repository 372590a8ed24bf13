"""Quantized bags and softmax over segments beside torch, ONNX Runtime and JAX, in one process.

    python benchmarks/rows_peers.py            # one thread
    python benchmarks/rows_peers.py --threads 2

Each line: the case, microseconds of each party (medians of turns), and how many times faster
mlir_gs is than the fastest of the others. Results are compared first: bags of torch bit by bit.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

Case = tuple[str, dict[str, Callable[[], Any]]]


def bags(torch: Any, np: Any, ml_dtypes: Any, gs: Any) -> Iterator[Case]:
    """FBGEMM's rows: 1024 bags of 20, and as many rows alone, from tables in and out of caches."""
    kinds = {"byte": np.uint8, "4bit": ml_dtypes.uint4, "2bit": ml_dtypes.uint2}
    for name, dtype in kinds.items():
        for rows, width in ((1000, 128), (100_000, 64), (100_000, 128), (1_000_000, 128),
                            (100_000, 100), (100_000, 256)):  # fmt: skip
            torch.manual_seed(0)
            prepack = getattr(torch.ops.quantized, f"embedding_bag_{name}_prepack")
            packed = prepack(torch.rand(rows, width))
            bag = getattr(torch.ops.quantized, f"embedding_bag_{name}_rowwise_offsets")
            ids = torch.randint(0, rows, (20480,))
            offsets = torch.arange(0, 20480, 20)
            table = gs.quantized(packed, dtype=dtype)
            i, o = ids.numpy(), offsets.numpy()
            table = gs.quantized(packed.numpy(), dtype=dtype)
            assert np.array_equal(table.bag(i, o), bag(packed, ids, offsets).numpy())
            yield (
                f"bag {name} {rows}x{width}",
                {
                    "torch": lambda p=packed, b=bag, i=ids, o=offsets: b(p, i, o),
                    "mlir_gs": lambda t=table, i=i, o=o: t.bag(i, o),
                },
            )


def blocks(torch: Any, np: Any, ml_dtypes: Any, gs: Any, threads: int) -> Iterator[Case]:
    """Rows of ONNX Runtime's GatherBlockQuantized: 4 bits with scales and zero points."""
    import onnxruntime
    from onnx import TensorProto, helper

    for rows, width, block in ((32000, 256, 32), (100_000, 512, 32), (32000, 4096, 128)):
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
        yield (
            f"rows 4bit/{block} {rows}x{width}",
            {
                "onnxruntime": lambda s=session, f=feed: s.run(None, f),
                "mlir_gs": lambda t=table, i=ids: t.take(i),
            },
        )
    for kind in (torch.float8_e4m3fn, torch.float8_e5m2):
        table = torch.rand(100_000, 128).to(kind)
        scales = torch.rand(100_000, 1)
        ids = torch.randint(0, 100_000, (20480,))
        ours = gs.quantized(table, scales)

        def rows_of(t: Any = table, s: Any = scales, i: Any = ids) -> Any:
            return t[i].float() * s[i]

        assert torch.equal(ours.take(ids), rows_of())
        yield (
            f"rows {str(kind)[6:]} 100000x128",
            {
                "torch": rows_of,
                "mlir_gs": lambda t=ours, i=ids: t.take(i),
            },
        )


def softmaxes(torch: Any, np: Any, gs: Any) -> Iterator[Case]:
    """As torch and JAX spell it: greatest, exponentials, sums, quotients."""
    import jax

    for count, columns, segments, is_sorted in (
        (100_000, 1, 10_000, True), (100_000, 8, 10_000, True), (1_000_000, 1, 50_000, True),
        (300_000, 8, 30_000, True), (20_000, 64, 500, True),
        (100_000, 1, 10_000, False), (100_000, 8, 10_000, False), (1_000_000, 1, 50_000, False),
        (300_000, 8, 30_000, False), (20_000, 64, 500, False),
    ):  # fmt: skip
        rng = np.random.default_rng(0)
        shape = (count,) if columns == 1 else (count, columns)
        x = rng.normal(size=shape).astype(np.float32)
        ids = rng.integers(0, segments, count)
        ids = np.sort(ids) if is_sorted else ids

        def in_torch(x: Any, ids: Any, n: int = segments) -> Any:
            where = ids if x.ndim == 1 else ids[:, None].expand_as(x)
            empty = x.new_full((n, *x.shape[1:]), -torch.inf)
            e = (x - empty.scatter_reduce(0, where, x, "amax").gather(0, where)).exp()
            return e / torch.zeros_like(empty).scatter_add(0, where, e).gather(0, where)

        def in_jax(x: Any, ids: Any, n: int = segments, known: bool = is_sorted) -> Any:
            options = {"num_segments": n, "indices_are_sorted": known}
            e = jax.numpy.exp(x - jax.ops.segment_max(x, ids, **options)[ids])
            return e / jax.ops.segment_sum(e, ids, **options)[ids]

        tx, ti = torch.from_numpy(x), torch.from_numpy(ids)
        jitted, jx, ji = jax.jit(in_jax), jax.numpy.asarray(x), jax.numpy.asarray(ids)
        ours = partial(gs.segment_softmax, x, ids, segments, indices_are_sorted=is_sorted)
        np.testing.assert_allclose(ours(), in_torch(tx, ti), rtol=1e-5)
        np.testing.assert_allclose(ours(), jitted(jx, ji), rtol=1e-5)
        yield (
            f"softmax {count}x{columns} to {segments}{' sorted' * is_sorted}",
            {
                "torch": lambda f=in_torch, x=tx, i=ti: f(x, i),
                "jax": lambda f=jitted, x=jx, i=ji: f(x, i).block_until_ready(),
                "mlir_gs": ours,
            },
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=1, help="of each party (default: 1)")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    threads = parser.parse_args().threads
    os.environ["OMP_NUM_THREADS"] = str(threads)
    if threads == 1:
        flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " " + flags.split()[0]
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    import ml_dtypes
    import mlir_gs as gs
    import numpy as np
    import torch
    from timing import Contestant, compete

    torch.set_num_threads(threads)
    ratios: dict[str, list[float]] = {}
    groups = (
        bags(torch, np, ml_dtypes, gs),
        blocks(torch, np, ml_dtypes, gs, threads),
        softmaxes(torch, np, gs),
    )
    for name, parties in (case for group in groups for case in group):
        if parser.parse_args().only not in name:
            continue
        contestants = [Contestant(party, party, call) for party, call in parties.items()]
        for _ in compete(contestants, 3, 0.02, 0.05):
            pass
        found = {each.name: float(np.median(each.samples)) for each in contestants}
        ours = found.pop("mlir_gs")
        ratio = min(found.values()) / ours
        ratios.setdefault(name.split()[0], []).append(ratio)
        others = "  ".join(f"{party} {1e6 * t:9.1f}" for party, t in found.items())
        print(f"{name:38} mlir_gs {1e6 * ours:9.1f}  {others}  x{ratio:.2f}", flush=True)
    for group, each in ratios.items():
        mean = float(np.exp(np.mean(np.log(each))))
        print(f"{group:8} {len(each)} cases: geometric mean x{mean:.2f}, least x{min(each):.2f}")


if __name__ == "__main__":
    sys.exit(main())
