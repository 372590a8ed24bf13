"""Compiles programs.arr and checks every function of it against NumPy."""

import sys
from pathlib import Path

import mlir_gs
import numpy as np
from language import module_of

PATH = Path(__file__).with_name("programs.arr")


def messages(
    x: np.ndarray, weight: np.ndarray, source: np.ndarray, target: np.ndarray
) -> np.ndarray:
    y = np.zeros_like(x)
    np.add.at(y, target, x[source] * weight[:, None])
    return np.maximum(y, 0) / np.float32(x.shape[1])


def product(
    row: np.ndarray, column: np.ndarray, value: np.ndarray, x: np.ndarray, y: np.ndarray
) -> np.ndarray:
    new = y.copy()
    np.add.at(new, row, value * x[column])
    return new


def bags(table: np.ndarray, tokens: np.ndarray, weight: np.ndarray) -> np.ndarray:
    y = np.zeros((len(tokens), table.shape[1]), np.float32)
    for column, weights in zip(tokens.T, weight.T, strict=True):
        y += table[column] * weights[:, None]
    return y


def frame(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[[0, -1]] = 0
    return y


def windows(signal: np.ndarray, start: np.ndarray, window: np.ndarray) -> np.ndarray:
    return signal[start[:, None] + np.arange(len(window))] * window


NUMPY = {
    "rows": lambda table, ids: table[ids],
    "messages": messages,
    "product": product,
    "bags": bags,
    "frame": frame,
    "windows": windows,
    "letters": lambda text, first, second: second[first[text]],
}


def arguments(rng: np.random.Generator) -> dict[str, tuple[np.ndarray, ...]]:
    def floats(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    table = rng.permutation(256)
    edges = rng.integers(-30, 30, (2, 90)).astype(np.int32)
    ends = rng.integers(0, 40, (2, 200))
    return {
        "rows": (floats(50, 8), rng.integers(-50, 50, 12)),
        "messages": (floats(30, 4), floats(90), *edges),
        "product": (*ends, *(rng.standard_normal(n) for n in (200, 40, 40))),
        "bags": (floats(50, 8), rng.integers(0, 50, (6, 5)), floats(6, 5)),
        "frame": (rng.standard_normal((5, 6)),),
        "windows": (
            np.arange(100, dtype=np.int16), rng.integers(0, 90, 7), np.arange(10, dtype=np.int16),
        ),
        "letters": (
            np.frombuffer(b"gather and scatter", np.uint8).astype(np.int64),
            table,
            table.astype(np.int8),
        ),
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
