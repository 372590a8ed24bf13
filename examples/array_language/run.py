"""Compiles programs.arr and checks every function of it against NumPy."""

import sys
from pathlib import Path

import mlir_gs
import numpy as np
from language import module_of

PATH = Path(__file__).with_name("programs.arr")


def frame(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[[0, -1]] = 0
    y[1:-1, ::2] = x[-2:0:-1, ::2]
    return y


def messages(
    x: np.ndarray, weight: np.ndarray, source: np.ndarray, target: np.ndarray
) -> np.ndarray:
    y = np.zeros_like(x)
    np.add.at(y, target, x[source] * weight[:, None])
    return np.maximum(y, 0) / np.float32(x.shape[1])


def bilinear(
    image: np.ndarray, y: np.ndarray, x: np.ndarray, dy: np.ndarray, dx: np.ndarray
) -> np.ndarray:
    above = image[y, x] * (1 - dx) + image[y, x + 1] * dx
    below = image[y + 1, x] * (1 - dx) + image[y + 1, x + 1] * dx
    return above * (1 - dy) + below * dy


def sums(x: np.ndarray, bin: np.ndarray, old: np.ndarray) -> np.ndarray:
    new = old.copy()
    np.add.at(new, bin, x[:, 0] * x[:, -1])
    return new


NUMPY = {
    "rows": lambda table, ids: table[ids],
    "messages": messages,
    "bilinear": bilinear,
    "frame": frame,
    "sums": sums,
    "windows": lambda signal, start, step: signal[start + step],
    "letters": lambda text, table: table[text][::-1],
}


def arguments(rng: np.random.Generator) -> dict[str, tuple[np.ndarray, ...]]:
    def floats(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    table = np.arange(256).astype(np.int8)
    rng.shuffle(table)
    points = rng.integers(0, 7, (2, 20))
    edges = rng.integers(-30, 30, (2, 90)).astype(np.int32)
    return {
        "rows": (floats(50, 8), rng.integers(-50, 50, 12)),
        "messages": (floats(30, 4), floats(90), *edges),
        "bilinear": (floats(8, 9), *points, np.abs(floats(20)), np.abs(floats(20))),
        "frame": (rng.standard_normal((5, 6)),),
        "sums": (floats(40, 3), rng.integers(0, 6, 40), floats(6)),
        "windows": (
            np.arange(100, dtype=np.int16), rng.integers(0, 90, (7, 1)), np.arange(10),
        ),
        "letters": (np.frombuffer(b"gather and scatter", np.uint8).astype(np.int64), table),
    }  # fmt: skip


def main() -> int:
    module = module_of(PATH.read_text(encoding="utf-8"), PATH.name)
    wrong = 0
    for name, given in arguments(np.random.default_rng(0)).items():
        result = mlir_gs.compile(module, name)(*given)
        equal = np.array_equal(result, NUMPY[name](*given))
        wrong += not equal
        shape = " x ".join(map(str, result.shape))
        print(f"{name:9} {shape} {result.dtype}, NumPy: {'equal' if equal else 'different'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
