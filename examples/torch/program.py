"""A mixture of experts over documents, in Torch; saves it as it is exported, and what it computes.

    python examples/torch/program.py

writes `experts.mlir` and `experts.npz` anew; `experts.py` runs them, without Torch. The weights are
random: what the program says about a document means nothing, that it says it the same way does.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from mlir_gs import dialect
from mlir_gs.bindings import module
from mlir_gs.frontend.torch.vtensor import register_torch
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
WORDS, WIDTH, EXPERTS, CHOSEN, HIDDEN, DOCUMENTS, CLASSES = 64, 16, 4, 2, 24, 5, 3


class Experts(torch.nn.Module):
    """Words [n] int64 and the documents that they are in [n] int64 to log-probabilities.

    Each word's vector goes through its two best experts, whose results are added up with weights;
    a document is the sum and the greatest of its words.
    """

    def __init__(self, seed: int = 4) -> None:
        super().__init__()
        rng = np.random.default_rng(seed)
        shapes = {
            "words": (WORDS, WIDTH),
            "gate": (WIDTH, EXPERTS),
            "enter": (EXPERTS, WIDTH, HIDDEN),
            "leave": (EXPERTS, HIDDEN, WIDTH),
            "read": (2 * WIDTH, CLASSES),
        }
        for name, shape in shapes.items():
            drawn = (rng.standard_normal(shape) / np.sqrt(shape[-2])).astype(np.float32)
            self.register_parameter(name, torch.nn.Parameter(torch.from_numpy(drawn)))

    def forward(self, words: Any, documents: Any) -> Any:
        vectors = torch.nn.functional.embedding(words, self.words)
        weights, chosen = torch.topk(torch.softmax(vectors @ self.gate, -1), CHOSEN, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        # For each word the matrices of its experts: a gather of slices.
        hidden = torch.relu(torch.einsum("nd,nkdh->nkh", vectors, self.enter[chosen]))
        found = torch.einsum("nkh,nkhd->nkd", hidden, self.leave[chosen]) * weights[..., None]
        rows = torch.arange(words.shape[0])[:, None].expand(-1, CHOSEN).reshape(-1)
        vectors = vectors.index_add(0, rows, found.reshape(-1, WIDTH))
        empty = torch.zeros(DOCUMENTS, WIDTH)
        total = empty.index_add(0, documents, vectors)
        most = empty.scatter_reduce(
            0, documents[:, None].expand(-1, WIDTH), vectors, "amax", include_self=False
        )
        return torch.log_softmax(torch.cat([total, most], -1) @ self.read, -1)


def batch(words: int, seed: int) -> list[np.ndarray]:
    """Random documents: the arguments of the program."""
    rng = np.random.default_rng(seed)
    return [rng.integers(0, WORDS, words), np.sort(rng.integers(0, DOCUMENTS, words))]


def run(arguments: list[np.ndarray]) -> np.ndarray:
    """What Torch computes."""
    with torch.no_grad():
        return Experts()(*map(torch.from_numpy, arguments)).numpy()


def main() -> None:
    fx, context = module("fx"), dialect.context()
    register_torch(context)
    words = torch.export.Dim("words")
    imported = fx.export_and_import(
        Experts(),
        *map(torch.from_numpy, batch(20, seed=0)),
        dynamic_shapes=({0: words}, {0: words}),
        fx_importer=fx.FxImporter(context=context),
    )
    (HERE / "experts.mlir").write_text(str(imported))
    saved = {}
    for name, size in (("small", 12), ("large", 60)):
        arguments = batch(size, seed=size)
        saved |= {f"{name}_argument{k}": each for k, each in enumerate(arguments)}
        saved[f"{name}_result"] = run(arguments)
    np.savez_compressed(HERE / "experts.npz", **saved)


if __name__ == "__main__":
    sys.exit(until_closed(main))
