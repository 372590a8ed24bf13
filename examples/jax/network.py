"""A graph network over a batch of molecules, in JAX; saves it as StableHLO with what it computes.

    python examples/jax/network.py

writes `network.mlir` and `network.npz` anew; `molecules.py` runs them, without JAX. The weights are
random: what the network says about a molecule means nothing, that it says it the same way does.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from mlir_gs import dialect
from mlir_gs.frontend.stablehlo import load
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
ATOM_KINDS, BOND_KINDS, WIDTH, ROUNDS, MOLECULES, CLASSES = 9, 4, 16, 3, 6, 3
Arrays = Mapping[str, np.ndarray]


def weights(seed: int = 4) -> dict[str, np.ndarray]:
    """Random weights; those of the rounds have one layer per round in front."""
    rng = np.random.default_rng(seed)
    shapes = {
        "atoms": (ATOM_KINDS, WIDTH),
        "bonds": (BOND_KINDS, WIDTH),
        "send": (ROUNDS, WIDTH, WIDTH),
        "update": (ROUNDS, 2 * WIDTH, WIDTH),
        "read": (2 * WIDTH, CLASSES),
    }
    return {
        name: (rng.standard_normal(shape) / np.sqrt(shape[-2])).astype(np.float32)
        for name, shape in shapes.items()
    }


def network(w: Arrays) -> Callable[..., Any]:
    """The function of (atoms [n], senders, receivers, bonds [m], molecules [n]), all int32.

    It gives the log-probabilities of the classes of each molecule [MOLECULES, CLASSES] and how
    often each kind of atom is in it [MOLECULES, ATOM_KINDS].
    """

    def run(atoms: Any, senders: Any, receivers: Any, bonds: Any, molecules: Any) -> Any:
        states = jnp.take(w["atoms"], atoms, axis=0, mode="clip")
        bonded = jnp.asarray(w["bonds"])[bonds]
        for send, update in zip(w["send"], w["update"], strict=True):
            messages = jax.nn.relu(states[senders] @ send + bonded)
            # One add for each bond, at the atom that receives.
            sums = jnp.zeros_like(states).at[receivers].add(messages)
            states = states + jnp.tanh(jnp.concatenate([states, sums], axis=1) @ update)
        total = jax.ops.segment_sum(states, molecules, MOLECULES)
        most = jax.ops.segment_max(states, molecules, MOLECULES)
        counts = jnp.zeros((MOLECULES, ATOM_KINDS), jnp.int32).at[molecules, atoms].add(1)
        pooled = jnp.concatenate([total, jnp.maximum(most, -9.0)], axis=1)
        return jax.nn.log_softmax(pooled @ w["read"], axis=-1), counts

    return run


def batch(atoms: int, bonds: int, seed: int) -> list[np.ndarray]:
    """A random batch of molecules: the arguments of `network`."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, atoms, (2, bonds))
    return [
        array.astype(np.int32)
        for array in (
            rng.integers(0, ATOM_KINDS, atoms),
            np.concatenate([ends[0], ends[1]]),
            np.concatenate([ends[1], ends[0]]),
            np.tile(rng.integers(0, BOND_KINDS, bonds), 2),
            np.sort(rng.integers(0, MOLECULES, atoms)),
        )
    ]


def exported() -> Any:
    """The network for any number of atoms n and of bonds m, by jax.export."""
    n, m = jax.export.symbolic_shape("n, m")
    shapes = [jax.ShapeDtypeStruct((size,), jnp.int32) for size in (n, m, m, m, n)]
    return jax.export.export(jax.jit(network(weights())), platforms=["cpu"])(*shapes)


def main() -> None:
    module = exported()
    # Read and printed again, it is without debug locations, which name files of this machine.
    (HERE / "network.mlir").write_text(str(load(module.mlir_module(), dialect.context())), "utf-8")
    saved: dict[str, np.ndarray] = {}
    for number, (atoms, bonds) in enumerate(((40, 45), (7, 3), (300, 400))):
        arguments = batch(atoms, bonds, seed=number)
        for k, array in enumerate(arguments):
            saved[f"batch{number}_argument{k}"] = array
        for k, array in enumerate(module.call(*arguments)):
            saved[f"batch{number}_result{k}"] = np.asarray(array)
    np.savez_compressed(HERE / "network.npz", **saved)


if __name__ == "__main__":
    sys.exit(until_closed(main))
