"""A recommender in Torch; saves it as ONNX, and what onnxruntime computes with it.

    python examples/onnx/model.py

writes `recommender.onnx` and `recommender.npz` anew; `recommend.py` runs them. It needs torch, onnx
and onnxruntime. The weights are random: what is recommended means nothing, that it is the same
everywhere does.
"""

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
ITEMS, WIDTH, BEST = 80, 16, 5


class Recommender(torch.nn.Module):
    """Sessions [n, m] int64 of items that were looked at, 0 for none, to five new items each.

    It gives the items [n, 5] int64, their scores [n, 5] float32, and how much of each session's
    attention went to each item [n, items] float32.
    """

    def __init__(self, seed: int = 4) -> None:
        super().__init__()
        rng = np.random.default_rng(seed)
        for name, shape in {"items": (ITEMS, WIDTH), "attend": (WIDTH, WIDTH)}.items():
            drawn = (rng.standard_normal(shape) / np.sqrt(WIDTH)).astype(np.float32)
            self.register_parameter(name, torch.nn.Parameter(torch.from_numpy(drawn)))

    def forward(self, sessions: Any) -> Any:
        vectors = torch.nn.functional.embedding(sessions, self.items)
        last = vectors[:, -1][:, None]
        logits = ((vectors @ self.attend) * last).sum(-1)
        weights = torch.softmax(logits.masked_fill(sessions == 0, -1e9), -1)
        session = (vectors * weights[..., None]).sum(1)
        scores = session @ self.items.t()
        unseen = scores.scatter(1, sessions, -1e9)
        best, which = torch.topk(unseen, BEST, -1)
        attention = torch.zeros_like(scores).scatter_add(1, sessions, weights)
        return which, best, attention


def batch(sessions: int, length: int, seed: int) -> np.ndarray:
    """Random sessions, short ones with 0 in front."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(1, ITEMS, (sessions, length))
    return np.where(np.arange(length) < rng.integers(0, length, (sessions, 1)), 0, drawn)


def run(sessions: np.ndarray) -> list[np.ndarray]:
    """What onnxruntime computes."""
    path = str(HERE / "recommender.onnx")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(None, {"sessions": sessions})


def main() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Recommender().eval(),
            (torch.from_numpy(batch(3, 7, seed=0)),),
            str(HERE / "recommender.onnx"),
            input_names=["sessions"],
            output_names=["which", "best", "attention"],
            dynamic_axes={"sessions": {0: "n", 1: "m"}},
            opset_version=18,
            dynamo=False,
        )
    saved = {}
    for name, size in (("small", (2, 4)), ("large", (9, 20))):
        saved[f"{name}_argument"] = batch(*size, seed=size[0])
        for k, each in enumerate(run(saved[f"{name}_argument"])):
            saved[f"{name}_result{k}"] = each
    np.savez_compressed(HERE / "recommender.npz", **saved)


if __name__ == "__main__":
    sys.exit(until_closed(main))
