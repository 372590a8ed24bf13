"""A graph network that JAX exported, run without JAX: atoms, bonds and molecules are tables.

`network.mlir` is StableHLO for any number of atoms and bonds, `network.npz` holds batches of random
molecules and what JAX computed for them. `network.py` made both. With JAX installed, the network is
also run by it here, on a batch of its own.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs import dialect
from mlir_gs.bindings import ir
from mlir_gs.execution import compile
from mlir_gs.frontend.stablehlo import load
from mlir_gs.lowering import run_pipeline
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
# Of the largest score: sums of floats run in another order than XLA's.
TOLERANCE = 1e-5


def main() -> int:
    context = dialect.context()
    with context, ir.Location.unknown():
        module = load((HERE / "network.mlir").read_bytes(), context)
        run_pipeline(module, "gs-import-stablehlo")
    ops = str(module).count('"gs.')
    kernel = compile(module, "main")
    print(f"network  {ops} gs ops after the import")
    same = True
    for arguments, expected in recorded():
        same = report("recorded", kernel, arguments, expected) and same
    if importlib.util.find_spec("jax") is None:
        print("left out: jax is not installed; a batch of its own is not drawn")
    else:
        sys.path.insert(0, str(HERE))
        import network

        arguments = network.batch(100, 120, seed=17)
        expected = [np.asarray(array) for array in network.network(network.weights())(*arguments)]
        same = report("JAX", kernel, arguments, expected) and same
    return 0 if same else 1


def recorded() -> list[tuple[list[np.ndarray], list[np.ndarray]]]:
    """The batches of network.npz: (arguments, results)."""
    saved = np.load(HERE / "network.npz")
    batches = sorted({name.split("_")[0] for name in saved})
    return [
        (
            [saved[f"{name}_argument{k}"] for k in range(5)],
            [saved[f"{name}_result{k}"] for k in range(2)],
        )
        for name in batches
    ]


def report(what: str, kernel: Any, arguments: list[np.ndarray], expected: list[np.ndarray]) -> bool:
    scores, counts = (np.asarray(array) for array in kernel(*arguments))
    error = float(np.abs(scores - expected[0]).max() / np.abs(expected[0]).max())
    same = error <= TOLERANCE and np.array_equal(counts, expected[1])
    print(
        f"{what:8} {len(arguments[0])} atoms, {len(arguments[1])} bonds: "
        f"{'equal' if same else 'DIFFERENT'}, relative difference {error:.1e}"
    )
    return same


if __name__ == "__main__":
    sys.exit(until_closed(main))
