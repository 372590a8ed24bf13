"""The array language: its programs, its indices against NumPy's, and its errors."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mlir_gs import compile

FOLDER = Path(__file__).parents[2] / "examples" / "array_language"
X = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
ROWS = np.array([2, 0, -1])
PAIR = np.array([[1], [-3]])


@pytest.fixture(scope="module")
def language() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    import language

    yield language
    sys.path.remove(str(FOLDER))
    for name in ("language", "indices"):
        del sys.modules[name]


def test_the_programs() -> None:
    run = subprocess.run(
        [sys.executable, FOLDER / "run.py"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert len(lines) == 7
    assert all(line.endswith("NumPy: equal") for line in lines)


@pytest.mark.parametrize(
    "index",
    [
        "i",
        "i, j",
        ":, i",
        "1:, ::-1, -2",
        "i, 1:3, j",
        "None, 0, :, i",
        "j, :, 0",
        "-9:2, 9:0:-2, 3:1",
        ":, 2, None, i",
    ],
)
def test_indices_are_those_of_numpy(language: ModuleType, index: str) -> None:
    text = f"""
def read(x: i32[a, b, c], i: i64[m], j: i64[n, 1]):
    return x[{index}]

def write(x: i32[a, b, c], i: i64[m], j: i64[n, 1]):
    x[{index}] = x[{index}] + 100
    x[{index}] += 7
    return x
"""
    module = language.module_of(text, "test.arr")
    expected = eval(f"x[{index}]", {"x": X, "i": ROWS, "j": PAIR})
    np.testing.assert_array_equal(compile(module, "read")(X, ROWS, PAIR), expected)
    places = eval(f"x[{index}]", {"x": np.arange(60).reshape(X.shape), "i": ROWS, "j": PAIR})
    written = X.flatten()
    written[places] += 100
    np.add.at(written, places, 7)
    found = compile(module, "write")(X, ROWS, PAIR)
    np.testing.assert_array_equal(found, written.reshape(X.shape))


@pytest.mark.parametrize(
    ("body", "column", "message"),
    [
        ("return y", 12, "'y' is not defined"),
        ("return x[0, 0]", 12, "2 indices for an array of rank 1"),
        ("return x + i", 12, "expected arrays of one element type, found f32, i64"),
        ("return x[::0]", 12, "the step of a slice must not be 0"),
        ("return 3", 12, "'3' is no array"),
        ("return zeros(f33, 3)", 18, "'f33' is no element type"),
        ("x[0] -= 1\n    return x", 5, "expected 'name = value', or 'name.index.' before"),
        ("print(x)\n    return x", 5, "expected 'name = value'"),
        ("x[i] = i[:, None]\n    return x", 5, "expected rank 1, found 2"),
        ("x = x", 1, "expected a function that ends in return"),
    ],
)
def test_what_is_refused(language: ModuleType, body: str, column: int, message: str) -> None:
    text = f"def f(x: f32[n], i: i64[m]):\n    {body}\n"
    with pytest.raises(SyntaxError, match=message) as error:
        language.module_of(text, "wrong.arr")
    assert (error.value.filename, error.value.offset) == ("wrong.arr", column)


def test_errors_at_run_time_name_the_place(language: ModuleType) -> None:
    text = """
def f(x: f32[n], y: f32[m], i: i64[k]):
    return x[i] * y
"""
    kernel = compile(language.module_of(text, "f.arr"))
    x, y = np.ones(4, np.float32), np.full(2, 3, np.float32)
    np.testing.assert_array_equal(kernel(x, y, np.array([0, -4])), [3, 3])
    with pytest.raises(IndexError, match=r"^f.arr:3:12: .* coordinate 4 .* for size 4$"):
        kernel(x, y, np.array([0, 4]))
    with pytest.raises(RuntimeError, match=r"^f.arr:3:12: sizes differ in x\[i\] \* y$"):
        kernel(x, y, np.array([0, 1, 2]))
