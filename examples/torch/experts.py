"""A mixture of experts that Torch exported, run without Torch.

`experts.mlir` is the program in the torch dialect, for any number of words, as the importer in
torch_mlir writes it; `experts.npz` holds random documents and what Torch computed for them.
`program.py` made both. With Torch installed, it also computes documents drawn here.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.frontend.torch import load
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
# Of log-probabilities: sums of floats run in another order than Torch's.
TOLERANCE = 1e-5


def main() -> int:
    module = load((HERE / "experts.mlir").read_bytes())
    kernel = compile(module, "main")
    ops = str(module).count('"gs.')
    print(f"program  {ops} gs ops after the import")
    saved = np.load(HERE / "experts.npz")
    same = True
    for name in sorted({key.split("_")[0] for key in saved}):
        arguments = [saved[f"{name}_argument{k}"] for k in range(2)]
        same = report("recorded", kernel, arguments, saved[f"{name}_result"]) and same
    if importlib.util.find_spec("torch") is None:
        print("left out: torch is not installed; documents of our own are not drawn")
    else:
        sys.path.insert(0, str(HERE))
        import program

        arguments = program.batch(500, seed=17)
        same = report("Torch", kernel, arguments, program.run(arguments)) and same
    return 0 if same else 1


def report(what: str, kernel: Any, arguments: list[np.ndarray], expected: np.ndarray) -> bool:
    found = kernel(*arguments)
    difference = float(np.abs(found - expected).max())
    same = found.shape == expected.shape and difference <= TOLERANCE
    verdict = "equal" if same else "DIFFERENT"
    print(f"{what:8} {len(arguments[0])} words: {verdict}, difference {difference:.1e}")
    return same


if __name__ == "__main__":
    sys.exit(until_closed(main))
