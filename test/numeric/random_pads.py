"""Random tensor.pad, with amounts of both signs, compiled and by the reference, against NumPy.

    python test/numeric/random_pads.py --count 1000 --seed 0

Sizes and amounts are static or known at run time; a result of a negative size has to be an error.
"""

import argparse
from dataclasses import dataclass
from random import Random
from typing import Any

import mlir_gs
import numpy as np
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run

Array = np.ndarray


@dataclass(frozen=True)
class Pad:
    """One function: `expected` is None where the result has no size."""

    text: str
    arguments: list[Any]
    expected: Array | None


def padded(source: Array, low: list[int], high: list[int], value: float) -> Array | None:
    """Place i of the result is source[i - low], where that is one of its elements."""
    shape = [n + a + b for n, a, b in zip(source.shape, low, high, strict=True)]
    if min(shape, default=0) < 0:
        return None
    result = np.full(shape, value, source.dtype)
    for place in np.ndindex(*shape):
        taken = tuple(i - a for i, a in zip(place, low, strict=True))
        if all(0 <= i < n for i, n in zip(taken, source.shape, strict=True)):
            result[place] = source[taken]
    return result


def draw(seed: int) -> Pad:
    """The pad with this seed."""
    rng = Random(seed)
    shape = [rng.choice((0, 1, 2, 3, 5)) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    low, high = ([rng.randint(-4, 4) for _ in shape] for _ in range(2))
    source = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape) + np.float32(1)
    expected = padded(np.asarray(source), low, high, -1)
    sizes, amounts = rng.random() < 0.5, rng.random() < 0.5
    # A static pad without a result has no type.
    sizes = sizes or expected is None
    arguments, declared, given = [np.asarray(source)], [f"%x: {_type(shape, sizes)}"], []
    for name, numbers in (("l", low), ("h", high)):
        if not amounts:
            given.append(", ".join(map(str, numbers)))
            continue
        names = [f"%{name}{d}" for d in range(len(numbers))]
        declared += [f"{each}: index" for each in names]
        arguments += [np.int64(number) for number in numbers]
        given.append(", ".join(names))
    places = ", ".join(f"%i{d}: index" for d in range(len(shape)))
    out = [n + a + b for n, a, b in zip(shape, low, high, strict=True)]
    result = _type(out, sizes or (amounts and rng.random() < 0.7))
    text = f"""func.func @f({", ".join(declared)}) -> {result} {{
  %c = arith.constant -1.0 : f32
  %0 = tensor.pad %x low[{given[0]}] high[{given[1]}] {{
  ^bb0({places}):
    tensor.yield %c : f32
  }} : {_type(shape, sizes)} to {result}
  return %0 : {result}
}}
"""
    return Pad(text, arguments, expected)


def _type(shape: list[int], dynamic: bool) -> str:
    return f"tensor<{''.join('?x' if dynamic else f'{n}x' for n in shape)}f32>"


def check(seed: int) -> None:
    """An AssertionError holds the program."""
    pad = draw(seed)
    what = f"seed {seed}:\n{pad.text}"
    try:
        found = np.asarray(mlir_gs.compile(pad.text, threads=1)(*pad.arguments))
    except (RuntimeError, ValueError) as error:
        if pad.expected is None and "negative" in str(error):
            return
        raise AssertionError(what) from error
    assert pad.expected is not None, what
    np.testing.assert_array_equal(found, pad.expected, what, strict=True)
    with dialect.context() as context, ir.Location.unknown():
        module = ir.Module.parse(pad.text, context)
        (referenced,) = reference_run.run(module, "f", pad.arguments)
    np.testing.assert_array_equal(referenced, pad.expected, what, strict=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="of the first case")
    options = parser.parse_args()
    numbers = range(options.seed, options.seed + options.count)
    none = sum(draw(seed).expected is None for seed in numbers)
    for seed in numbers:
        check(seed)
    print(f"{options.count} pads agree with NumPy, {none} of them errors; 0 differ")


if __name__ == "__main__":
    main()
