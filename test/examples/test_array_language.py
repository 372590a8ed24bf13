"""The array language: its programs, its places against NumPy's indices, and its errors."""

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
ROWS = np.array([2, 0, -1, 2])
MORE = np.array([0, 1, 1, 0])
PAIR = np.array([[1, 3], [-3, 0], [2, 2]])


@pytest.fixture(scope="module")
def language() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    import language

    yield language
    sys.path.remove(str(FOLDER))
    del sys.modules["language"]


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
    ("places", "loops", "index"),
    [
        ("rows[i], j, k", "i, j, k", "rows"),
        ("i, rows[j], k", "i, j, k", ":, rows"),
        ("rows[i], rows[i], k", "i, k", "rows, rows"),
        ("i, pair[i, j], k", "i, j, k", "np.arange(3)[:, None], pair"),
        ("0, pair[i, more[j]], k", "i, j, k", "0, pair[:, more]"),
        ("-1, j, 2", "j", "-1, :, 2"),
        ("i, 1 + m, k", "i, m, k", ":, 1:3"),
        ("rows[2], j, k", "j, k", "rows[2]"),
    ],
)
def test_places_are_indices_of_numpy(
    language: ModuleType, places: str, loops: str, index: str
) -> None:
    """Also with repeated places, of which the last one stays, or all of which add up."""
    text = f"""
def read(x: i32[a, b, c], rows: i64[n], more: i64[n], pair: i64[a, p], two: i32[q]):
    y[{loops}] = x[{places}]{" * two[m]" if "m" in loops else ""}
    return y

def write(x: i32[a, b, c], rows: i64[n], more: i64[n], pair: i64[a, p], y: i32[{sizes(loops)}]):
    x[{places}] = y[{loops}] + 100
    x[{places}] += 7 * y[{loops}]
    return x
"""
    module = language.module_of(text, "test.arr")
    names = {"x": X, "rows": ROWS, "more": MORE, "pair": PAIR, "np": np}
    expected = eval(f"x[{index}]", names)
    ones = np.ones(2, np.int32)
    np.testing.assert_array_equal(compile(module, "read")(X, ROWS, MORE, PAIR, ones), expected)
    at = eval(f"x[{index}]", {**names, "x": np.arange(60).reshape(X.shape)})
    y = np.arange(at.size, dtype=np.int32).reshape(at.shape)
    written = X.flatten()
    for place, value in zip(at.flatten(), y.flatten(), strict=True):
        written[place] = value + 100
    np.add.at(written, at, 7 * y)
    found = compile(module, "write")(X, ROWS, MORE, PAIR, y)
    np.testing.assert_array_equal(found, written.reshape(X.shape))


def sizes(loops: str) -> str:
    return ", ".join(f"y{number}" for number in range(len(loops.split(", "))))


def test_arithmetic(language: ModuleType) -> None:
    text = """
def f(x: f64[n], y: f64[n]):
    z[i] = minimum(x[i] - y[i] / 2, 3) * -1.5 + maximum(x[i], y[i]) / n
    z[i] *= x[i]
    return z
"""
    x, y = np.linspace(-4, 9, 7), np.linspace(3, -8, 7)
    wanted = (np.minimum(x - y / 2, 3) * -1.5 + np.maximum(x, y) / 7) * x
    np.testing.assert_array_equal(compile(language.module_of(text, "f.arr"))(x, y), wanted)


@pytest.mark.parametrize(
    ("body", "column", "message"),
    [
        ("return y", 12, "'y' is no array"),
        ("y[k] = x[k, 0]\n    return y", 12, "2 places in an array of rank 1"),
        ("y[k] = x[k] + i[k]\n    return y", 12, "expected one element type, found f32, i64"),
        ("y[k] = 3\n    return y", 5, "no array says how far the loop 'k' goes"),
        ("y[k] = x[1 + k]\n    return y", 5, "no array says how far the loop 'k' goes"),
        ("y[k] = x[x[k]]\n    return y", 14, "no integers but f32 are the place"),
        ("y[k] = x[z()]\n    return y", 14, "'z\\(\\)' is not defined"),
        ("y[k] = x[k] + z\n    return y", 19, "'z' is not defined"),
        ("y[k] = x[j] * x[k]\n    return y", 5, "'y' is new: each loop must be one of its places"),
        ("y[k, k] = x[k]\n    return y", 5, "'y' is new: each loop must be one of its places"),
        ("y[i[k]] = x[k]\n    return y", 5, "'y' is no array"),
        ("y[k] += x[k]\n    return y", 5, "'y' is no array"),
        ("y = zeros(f33, 3)\n    return y", 15, "'f33' is no element type"),
        ("x[k] -= 1\n    return x", 5, "expected 'y = zeros.*', or 'y.place, .*' before"),
        ("print(x)\n    return x", 5, "expected 'y = zeros"),
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
    z[j] = x[i[j]] * y[j]
    return z
"""
    kernel = compile(language.module_of(text, "f.arr"))
    x, y = np.ones(4, np.float32), np.full(2, 3, np.float32)
    np.testing.assert_array_equal(kernel(x, y, np.array([0, -4])), [3, 3])
    with pytest.raises(IndexError, match=r"^f.arr:3:5: .* coordinate 4 .* for size 4$"):
        kernel(x, y, np.array([0, 4]))
    with pytest.raises(RuntimeError, match=r"^f.arr:3:24: two sizes of 'j' differ$"):
        kernel(x, y, np.array([0, 1, 2]))


def test_a_window_past_the_end_is_an_error(language: ModuleType) -> None:
    text = """
def f(x: f32[n], w: f32[k]):
    y = zeros(f32, 1)
    y[0] += x[2 + j] * w[j]
    return y
"""
    kernel = compile(language.module_of(text, "f.arr"))
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(kernel(x, np.ones(4, np.float32)), [14])
    with pytest.raises(IndexError, match=r"^f.arr:4:5: .* out of bounds for size 6"):
        kernel(x, np.ones(5, np.float32))
