"""A recommender in ONNX, as torch.onnx exported it, run without onnxruntime.

`recommender.onnx` takes any number of sessions of any length; `recommender.npz` holds sessions and
what onnxruntime computed for them. `model.py` made both. With onnxruntime installed, it also
computes sessions drawn here. Reading the model needs the package onnx.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.frontend.onnx import load
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
# Of scores about 1: sums of floats run in another order than onnxruntime's.
TOLERANCE = 1e-5


def main() -> int:
    if importlib.util.find_spec("onnx") is None:
        print("left out: onnx is not installed; the model is not read")
        return 0
    module = load(HERE / "recommender.onnx")
    kernel = compile(module, "main")
    ops = str(module).count('"gs.')
    print(f"model    {ops} gs ops after the import")
    saved = np.load(HERE / "recommender.npz")
    same = True
    for name in sorted({key.split("_")[0] for key in saved}):
        expected = [saved[f"{name}_result{k}"] for k in range(3)]
        same = report("recorded", kernel, saved[f"{name}_argument"], expected) and same
    if importlib.util.find_spec("onnxruntime") is None:
        print("left out: onnxruntime is not installed; sessions of our own are not drawn")
    else:
        import onnxruntime

        path = str(HERE / "recommender.onnx")
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        rng = np.random.default_rng(17)
        drawn = rng.integers(1, 80, (40, 30))
        same = report("runtime", kernel, drawn, session.run(None, {"sessions": drawn})) and same
    return 0 if same else 1


def report(what: str, kernel: Any, sessions: np.ndarray, expected: list[np.ndarray]) -> bool:
    which, best, attention = kernel(sessions)
    scores = float(np.abs(best - expected[1]).max())
    difference = max(scores, float(np.abs(attention - expected[2]).max()))
    same = difference <= TOLERANCE and np.array_equal(which, expected[0])
    shape = " x ".join(map(str, sessions.shape))
    print(f"{what:8} {shape} items: {'equal' if same else 'DIFFERENT'}, {difference:.1e}")
    return same


if __name__ == "__main__":
    sys.exit(until_closed(main))
