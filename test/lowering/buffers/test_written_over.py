"""Chains of elementwise ops with gathers, which may write over what they read, against NumPy."""

import random

import mlir_gs
import numpy as np
import pytest

READS = {
    "[i, j]": lambda x, rows: x,
    "[r, j]": lambda x, rows: x[rows],
    "[0, j]": lambda x, rows: np.broadcast_to(x[:1], x.shape),
    "[i, 0]": lambda x, rows: np.broadcast_to(x[:, :1], x.shape),
    "[j, i]": lambda x, rows: x.T,
}
STEPS = {
    "move": (1, lambda kind: "gs.yield %x : T", lambda x: x),
    "add": (
        2,
        lambda kind: f"%z = arith.add{kind} %x, %y : T\ngs.yield %z : T",
        lambda x, y: x + y,
    ),
    "minus": (
        2,
        lambda kind: f"%z = arith.sub{kind} %x, %y : T\ngs.yield %z : T",
        lambda x, y: x - y,
    ),
}


def chain(rng: random.Random, kind: str, n: int, m: int, is_static: bool) -> tuple[str, list]:
    """A function of some steps, and these: what is computed of which values, read how."""
    tensor = f"tensor<{n}x{m}xT>" if is_static else "tensor<?x?xT>"
    reads = [read for read in READS if n == m or read != "[j, i]"]
    lines = [f"func.func @f(%v0: {tensor}, %rows: tensor<?x1xi64>, %n: index, %m: index)"]
    lines[0] += f" -> {tensor} {{"
    sizes = "" if is_static else "%n, %m"
    lines += [f"%e{k} = tensor.empty({sizes}) : {tensor}" for k in range(2)]
    steps = []
    for number in range(1, 6):
        name = rng.choice(list(STEPS))
        count, body, _ = STEPS[name]
        # Mostly the newest value, as it stands.
        operands = [
            (
                number - 1 if rng.random() < 0.7 else rng.randrange(number),
                "[i, j]" if rng.random() < 0.6 else rng.choice(reads),
            )
            for _ in range(count)
        ]
        steps.append((name, operands))
        arguments = ", ".join(f"%v{value}{read}" for value, read in operands)
        blocks = ", ".join(f"%{letter}: T" for letter in "xy"[:count])
        types = ", ".join([tensor] * count)
        lines.append(
            f"%v{number} = gs.generic (i, j) [r = %rows[i, 0]] ins({arguments}) "
            f"outs(%e{rng.randrange(2)}[i, j]) iterators(i = parallel, j = parallel) "
            f": ({types}, tensor<?x1xi64>, {tensor}) -> {tensor} {{\n"
            f"^bb0({blocks}, %old: T):\n{body(kind)}\n}}"
        )
    lines += [f"return %v5 : {tensor}", "}"]
    return "\n".join(lines), steps


@pytest.mark.parametrize("is_static", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_chains(seed: int, is_static: bool) -> None:
    rng = random.Random(seed)
    element, kind, dtype = rng.choice(
        [("f32", "f", np.float32), ("i64", "i", np.int64), ("i8", "i", np.int8)]
    )
    # Rows of less than a vector, of more, and enough of them for threads.
    n, m = rng.choice([(40, 40), (1, 1), (900, 900), (20000, 5), (700, 67), (0, 3)])
    text, steps = chain(rng, kind, n, m, is_static)
    text = text.replace("T", element)
    values = np.random.default_rng(seed)
    first = values.integers(-9, 9, (n, m)).astype(dtype)
    rows = values.integers(0, max(n, 1), (n, 1))
    expected = [first]
    for name, operands in steps:
        read = [READS[how](expected[value], rows[:, 0]) for value, how in operands]
        expected.append(STEPS[name][2](*read).astype(dtype))
    for options in ({"threads": 1}, {"threads": 2}, {"threads": 2, "optimize": False}):
        found = mlir_gs.compile(text, **options)(first, rows, n, m)
        np.testing.assert_array_equal(found, expected[-1], err_msg=f"{options}\n{text}")
    if n * m < 2000:
        found = mlir_gs.compile(text, sanitize=True)(first, rows, n, m)
        np.testing.assert_array_equal(found, expected[-1])
