"""How fast the schedules of examples/transform are, at sizes that leave the caches.

`python benchmarks/schedules.py` prints milliseconds of each function as it is compiled without its
schedule and with it, and of torch, eager and compiled: the least of some runs, one party after the
other in each.
"""

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlir_gs
import numpy as np
from mlir_gs import ir
from mlir_gs.dialect import context
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.transform import load_transform_ops
from peers import missing
from rich.console import Console
from rich.table import Table
from timing import least

EXAMPLES = Path(__file__).parents[1] / "examples" / "transform"
SIZES = {
    "matmul": {"1000": "100000", "512": "65536"},
    "attention": {"100": "8192", "32": "4096"},
    "experts": {"24": "1024", "16": "64", "32": "256", "4": "8"},
}
"""What stands for the sizes of the examples."""


def kernel(name: str, threads: int, *, is_scheduled: bool) -> mlir_gs.Kernel:
    """The example `name`, in the sizes of SIZES."""
    text = (EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8")
    sizes = SIZES[name]
    text = re.sub(r"(?<=[<x])\d+(?=x)", lambda found: sizes.get(found[0], found[0]), text)
    ctx = context()
    load_transform_ops(ctx)
    with ctx, ir.Location.unknown():
        module = mlir_gs.parse(text)
        if is_scheduled:
            run_pipeline(module, "transform-interpreter,canonicalize,cse")
    return mlir_gs.compile(module, threads=threads)


def matmul(table: Any, ids: Any, w: Any) -> Any:
    return table[ids] @ w


def attention(q: Any, keys: Any, values: Any, pages: Any) -> Any:
    k, v = (each[pages].reshape(-1, q.shape[1]) for each in (keys, values))
    return (q @ k.T).softmax(1) @ v


def experts(x: Any, expert: Any, first: Any, second: Any) -> Any:
    hidden = x[:, None].bmm(first[expert]).relu()
    return hidden.bmm(second[expert])[:, 0]


def arguments(name: str) -> list[np.ndarray]:
    """For the example `name`."""
    rng = np.random.default_rng(0)

    def floats(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape, np.float32) / 8

    if name == "matmul":
        return [floats(100_000, 64), rng.integers(0, 100_000, (65_536, 1)), floats(64, 32)]
    if name == "attention":
        pages = rng.permutation(8192)[:4096, None]
        return [floats(8, 64), floats(8192, 16, 64), floats(8192, 16, 64), pages]
    ids = rng.integers(0, 8, (1024, 1))
    return [floats(1024, 64), ids, floats(8, 64, 256), floats(8, 256, 64)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=30)
    options = parser.parse_args()
    if why := missing("torch.compile"):
        print(f"left out: torch, {why}")
        return
    import torch

    torch.set_num_threads(options.threads)
    table = Table("example", "untiled", "scheduled", "torch", "torch.compile")
    for function in (matmul, attention, experts):
        name = function.__name__
        arrays = arguments(name)
        given = [torch.from_numpy(a[:, 0] if a.dtype == np.int64 else a) for a in arrays]
        compiled = torch.compile(function)
        plain, scheduled = (
            kernel(name, options.threads, is_scheduled=each) for each in (False, True)
        )
        contestants: dict[str, Callable[[], Any]] = {
            "untiled": lambda k=plain, a=arrays: k(*a),
            "scheduled": lambda k=scheduled, a=arrays: k(*a),
            "torch": lambda f=function, g=given: f(*g),
            "torch.compile": lambda f=compiled, g=given: f(*g),
        }
        wanted = function(*given).numpy()
        for contestant, call in contestants.items():
            np.testing.assert_allclose(np.asarray(call()), wanted, 2e-3, 2e-3, err_msg=contestant)
        times = least(contestants, options.runs)
        table.add_row(name, *(f"{value:.3f}" for value in times.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
