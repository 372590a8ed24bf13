"""Sentences, word by word, by a step of a language model that Torch exported.

A step looks the words up in a quantized table, writes keys and values to pages of a cache, attends
to the pages of each sequence, and sends each word through its two best experts. Each step is
compared with Torch's.
"""

import importlib.util
import re
import sys
from pathlib import Path

import mlir_gs
import numpy as np
from mlir_gs.frontend.torch import load
from mlir_gs.tools.common.console import until_closed

# Sums of floats run in another order than Torch's.
TOLERANCE = 1e-4
STEPS = 8


def main() -> int:
    if importlib.util.find_spec("torch") is None:
        print("left out: torch is not installed, and the step is not exported")
        return 0
    import torch

    sys.path.insert(0, str(Path(__file__).parent))
    import model

    step = model.Step()
    words = np.array([3, 141, 59])
    shape = (model.PAGES, model.PAGE, model.SHARED, model.HEAD)
    keys, values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    # The pages of a sequence lie anywhere.
    drawn = np.random.default_rng(1).permutation(model.PAGES)
    pages = drawn[: len(words) * model.MOST].reshape(len(words), -1)
    lengths = np.array([1, 1, 1])

    arguments = [words, keys, values, pages, lengths]
    module = load(step, *map(torch.from_numpy, arguments))
    kernel = mlir_gs.compile(module, "main")
    text = mlir_gs.print(module)
    others = set(
        re.findall(r"tensor[.](?:extract|insert|gather|scatter) |tm_tensor[.][a-z]+", text)
    )
    print(f"program  {len(re.findall(r'= gs[.][a-z_]+ ', text))} gs ops, others: {sorted(others)}")
    sentences = [words]
    for _ in range(STEPS):
        with torch.no_grad():
            expected = [each.numpy() for each in step(*map(torch.from_numpy, arguments))]
        found = kernel(*arguments)
        difference = max(float(np.abs(a - b).max()) for a, b in zip(found, expected, strict=True))
        if difference > TOLERANCE:
            print(f"Torch    DIFFERENT by {difference:.1e}")
            return 1
        scores, keys, values = found
        words = scores.argmax(-1)
        lengths = lengths + 1
        arguments = [words, keys, values, pages, lengths]
        sentences.append(words)
    for number, sentence in enumerate(np.stack(sentences, -1)):
        print(f"sentence {number}: {' '.join(map(str, sentence))}")
    print(f"Torch    {STEPS} steps: equal")
    return 0


if __name__ == "__main__":
    sys.exit(until_closed(main))
