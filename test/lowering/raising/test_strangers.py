"""Loops and linalg as other compilers and people write them, and what looks like them and means
something else: raised or not, the results have the same bits.

Inputs/strangers-*.mlir and Inputs/impostors-*.mlir say above each function what becomes of it.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes import explain
from python_loops import module

DTYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "i1": "?", "i8": "i1", "i16": "i2", "i32": "i4",
          "i64": "i8", "index": "i8", "complex<f32>": "c8"}  # fmt: skip


def functions(name: str) -> dict[str, tuple[str, str]]:
    """The text and the verdict of each function of some files."""
    files = sorted((Path(__file__).parent / "Inputs").glob(f"{name}-*.mlir"))
    text = "// -----\n".join(file.read_text() for file in files)
    found = {}
    for part in text.split("// -----"):
        verdict, body = re.findall(r"// ((?:raised|stays).*)\n((?:.|\n)*)", part)[0]
        found[re.findall(r"@(\w+)\(", body)[0]] = (body, verdict)
    return found


STRANGERS, IMPOSTORS = functions("strangers"), functions("impostors")


def verdict(text: str) -> str:
    """What gs-raise makes of the function, in the words of the files."""
    with dialect.context(), ir.Location.unknown(), explain.collecting() as notes:
        parsed = ir.Module.parse(text)
        lowering.run_pipeline(parsed, "gs-raise")
        if "gs.generic" in str(parsed):
            return "raised"
    reasons = [note.text.removeprefix("stays as it is: ") for note in notes]
    return "stays: " + (reasons[-1] if reasons else "nothing to raise")


@pytest.mark.parametrize("name", [*STRANGERS, *IMPOSTORS])
def test_verdict(name: str) -> None:
    text, expected = {**STRANGERS, **IMPOSTORS}[name]
    assert verdict(text) == expected


def given_for(text: str, seed: int) -> list[Any]:
    """Arguments of a function: numbers of steps, coordinates that are in bounds, elements."""
    rng = np.random.default_rng(seed)
    count = (0, 1, 7, 16)[seed]
    head = re.findall(r"@\w+\((.*?)\)(?: ->.*)? \{\n", text)[0]
    found: list[Any] = []
    for part in re.split(r", (?=%)", head):
        name, type_ = part.split(": ", 1)
        if "<" not in type_:
            found.append(min(count, 1) if name in ("%w", "%m") else count)
            continue
        inner = type_[type_.index("<") + 1 : -1].split(", ")[0]
        *sizes, element = re.split(r"x(?=\?|\d|f|i|complex)", inner)
        shape = [40 if size == "?" else int(size) for size in sizes]
        if name == "%p":
            made = np.minimum(np.arange(shape[0]) * 2, 39)
        elif element.startswith(("f", "c")):
            made = rng.integers(-9, 10, shape) / 3
        else:
            made = rng.integers(0, 3, shape)
        found.append(made.astype(DTYPES[element]))
    return found


def copies(given: list[Any]) -> list[Any]:
    """The arguments, with memory of their own that is shared as theirs is."""
    roots: dict[int, np.ndarray] = {}
    found = []
    for one in given:
        if not isinstance(one, np.ndarray) or one.size == 0:
            found.append(one)
            continue
        root = one
        while isinstance(root.base, np.ndarray):
            root = root.base
        mine = roots.setdefault(id(root), root.copy())
        start = one.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        found.append(np.ndarray(one.shape, one.dtype, mine, start, one.strides))
    return found


def results(text: str, given: list[Any], **options: Any) -> list[bytes]:
    mine = copies(given)
    found = mlir_gs.compile(text, **options)(*mine)
    returned = found if isinstance(found, tuple) else () if found is None else (found,)
    return [np.asarray(each).tobytes() for each in (*mine, *returned)]


# All of them: python test/lowering/raising/test_strangers.py
@pytest.mark.parametrize("name", [*STRANGERS][::5])
def test_results(name: str) -> None:
    text = STRANGERS[name][0]
    for seed in range(4):
        given = given_for(text, seed)
        plain = results(text, given, optimize=False, threads=1)
        assert results(text, given, threads=2) == plain, seed


def _floats(rng: Any, *shape: int) -> np.ndarray:
    return (rng.integers(-9, 10, shape) / 3).astype(np.float32)


def _any(rng: Any, low: int, high: int, count: int = 16) -> np.ndarray:
    return rng.integers(low, high, count).astype(np.int32)


def _one_element(rng: Any) -> list[Any]:
    same = np.lib.stride_tricks.as_strided(np.zeros(16, np.float32), (16,), (0,))
    return [_any(rng, 0, 8), _floats(rng, 8), same]


F, A = _floats, _any
EXTREME = [2**63 - 1, -(2**63), -1, -2, 0, 7, 8, 2**62, 3, 4, 5, 6, 2**63 - 2, -5, 1, 2]
# The arguments of the impostors.
GIVEN: dict[str, Callable[[Any], list[Any]]] = {
    "one_element": _one_element,
    "short_size": lambda r: [np.arange(0, 160, 10).astype("i2"), F(r, 300), F(r, 16)],
    "short_clamp": lambda r: [np.arange(0, 320, 20).astype("i4"), F(r, 300), F(r, 16)],
    "short_counter": lambda r: [A(r, 0, 8, 256), F(r, 8), F(r, 200)],
    "i8_counter_wraps": lambda r: [A(r, 0, 8, 256), F(r, 8), F(r, 100)],
    "swapped_sums": lambda r: [A(r, 0, 8), F(r, 8)],
    "subtracting_reduce": lambda r: [A(r, 0, 8), F(r, 8)],
    "both_arms_store": lambda r: [r.random(16) < 0.5, A(r, 0, 8), F(r, 8), F(r, 16)],
    "both_arms_store_elsewhere":
        lambda r: [r.random(16) < 0.5, A(r, 0, 8), F(r, 8), F(r, 16), F(r, 16)],
    "wraps_twice": lambda r: [A(r, -18, 9), F(r, 9), F(r, 16)],
    "clamp_then_wrap": lambda r: [A(r, -9, 30), F(r, 9), F(r, 16)],
    "unsigned_clamp": lambda r: [A(r, -9, 30), F(r, 9), F(r, 16)],
    "or_of_bounds": lambda r: [A(r, -9, 30), F(r, 9), F(r, 16)],
    "smaller_bound": lambda r: [A(r, -9, 30), F(r, 9), F(r, 16)],
    "tested_elsewhere": lambda r: [A(r, -9, 30), F(r, 9), F(r, 16)],
    "old_tensor_is_read": lambda r: [A(r, 0, 16), F(r, 16)],
    "new_tensor_is_read": lambda r: [A(r, 0, 16), F(r, 16)],
    "coordinates_carried": lambda r: [A(r, 0, 16)],
    "coordinates_of_before": lambda r: [A(r, 0, 16)],
    "chosen_table": lambda r: [r.random(16) < 0.5, A(r, 0, 8), F(r, 8), F(r, 8), F(r, 16)],
    "atomic": lambda r: [A(r, 0, 8), np.zeros(8, "i4")],
    "counted_in_memory": lambda r: [A(r, 0, 8), F(r, 8), F(r, 20), np.zeros(1, "i8")],
    "inner_of_no_steps":
        lambda r: [A(r, 0, 8, 0), F(r, 0), F(r, 3), 16, 0],
    "probes": lambda r: [A(r, 0, 16), A(r, 0, 3), A(r, 0, 3), A(r, 0, 1), 16],
    "first_that_matches": lambda r: [A(r, 0, 8), A(r, 0, 3, 8), 16],
    "chases_pointers": lambda r: [r.permutation(16).astype("i4"), F(r, 16), 40],
    "swaps": lambda r: [A(r, 0, 16), F(r, 16), 16],
    "compacts_a_tensor": lambda r: [A(r, 0, 2), A(r, 0, 8), F(r, 8), F(r, 16)],
    "i32_place_wraps":
        lambda r: [np.full(16, 2**31 - 1, "i4"), F(r, 8), F(r, 16), -(2**31) + 4],
    "calls": lambda r: [A(r, 0, 8), F(r, 8), F(r, 16), 16],
    "bfs_step_by_rows":
        lambda r: [np.arange(0, 34, 2, "i4"), A(r, 0, 16, 40), A(r, 0, 2), A(r, 0, 1), 16],
    "finds_roots": lambda r: [A(r, 0, 16), A(r, 0, 16), np.arange(16, dtype="i4"), 16],
    "hashes": lambda r: [A(r, 0, 99), A(r, 1, 9), F(r, 9), F(r, 16), 16],
}  # fmt: skip


@pytest.mark.parametrize("name", [*IMPOSTORS][::5])
def test_impostors(name: str) -> None:
    given = GIVEN[name](np.random.default_rng(0))
    plain = results(IMPOSTORS[name][0], given, optimize=False, threads=1)
    for threads in (1, 2):
        assert results(IMPOSTORS[name][0], given, threads=threads) == plain, threads


# Loops in the form of corpus.py, with numbers to be called with.
LOOPS: dict[str, tuple[str, str, Callable[[Any], list[Any]]]] = {
    "rank in a bucket": ("r i32[?],y i32[?],z i32[?],n index",
        "for i in range(n):\n z[i] = y[r[i]]\n y[r[i]] += 1",
        lambda r: [A(r, 0, 8), A(r, 0, 1, 8), A(r, 0, 1), 16]),
    "what was stored is loaded": ("r i32[?],x f32[?],y f32[?],z f32[?],n index",
        "for i in range(n):\n y[r[i]] = x[i]\n z[i] = y[r[i]]",
        lambda r: [A(r, 0, 8), F(r, 16), F(r, 8), F(r, 16), 16]),
    "the last of some": ("c i32[?],x f32[?],n index",
        "s = 0.5\nfor i in range(n): s = x[c[i]]\ns", lambda r: [A(r, 0, 8), F(r, 8), 16]),
    "the last of none": ("c i32[?],x f32[?],n index",
        "s = 0.5\nfor i in range(n): s = x[c[i]]\ns", lambda r: [A(r, 0, 8), F(r, 8), 0]),
    "a bound that is negative": ("c i32[?],x f32[?],y f32[?],n index,m index",
        "for i in range(n):\n if c[i] >= 0 and c[i] < m: y[i] = x[c[i]]",
        lambda r: [A(r, -9, 40), F(r, 64), F(r, 16), 16, -3]),
    "a clamp to nothing": ("c i32[?],x f32[?],y f32[?],n index,m index",
        "for i in range(n): y[i] = x[max(min(c[i], m - 1), 0)]",
        lambda r: [A(r, -9, 40), F(r, 64), F(r, 16), 16, 0]),
    "wrapped by another size": ("c i32[?],x f32[?],y f32[?],n index,m index",
        "for i in range(n): y[i] = x[c[i] + m if c[i] < 0 else c[i]]",
        lambda r: [A(r, 0, 40), F(r, 64), F(r, 16), 16, 0]),
    "the largest coordinate plus one": ("c i64[16],x f32[9],y f32[16]",
        "for i in range(16):\n if c[i] + 1 >= 0 and c[i] + 1 < 9: y[i] = x[c[i] + 1]",
        lambda r: [np.array(EXTREME), F(r, 9), F(r, 16)]),
    "a mask keeps it in bounds": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n if m[i] > 0: y[c[i]] += x[i]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"),
                   np.array([3] * 8 + [-(2**31), 2**31 - 1, -5, 99, 10**6, 8, -1, 7], "i4"),
                   F(r, 16), F(r, 8), 16]),
    "a mask where arrays end": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n if m[i] > 0: y[c[i]] += x[i]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"), A(r, 0, 8, 8), F(r, 8), F(r, 8), 16]),
    "rows before the first": ("c i32[?],x f32[?],y f32[?],n index,a index",
        "for i in range(n):\n for j in range(4): y[c[i] * 4 + j + a] += x[i * 4 + j]",
        lambda r: [A(r, -2, 4), F(r, 64), F(r, 64), 16, 8]),
    "columns before the first": ("c i32[?],d i32[?],x f32[?],y f32[?],n index",
        "for i in range(n): y[i] = x[c[i] * 4 + d[i]]",
        lambda r: [A(r, 1, 4), A(r, -4, 9), F(r, 64), F(r, 64), 16]),
    "from the end": ("c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n for j in range(3): y[c[15 - i]] = x[i]",
        lambda r: [A(r, 0, 8), F(r, 16), F(r, 8), 16]),
    "along the diagonal": ("c i32[?],x f32[?],y f32[?x?],n index",
        "for i in range(n):\n for j in range(n): y[i, i] = x[c[j]]",
        lambda r: [A(r, 0, 16), F(r, 16), F(r, 16, 16), 16]),
    "the last on a diagonal": ("c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n for j in range(n): y[i + j] = x[c[i]] * x[c[j]]",
        lambda r: [A(r, 0, 16), F(r, 16), F(r, 32), 16]),
    "a triangle": ("c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n for j in range(i): y[c[j]] += x[i]",
        lambda r: [A(r, 0, 8), F(r, 16), F(r, 8), 16]),
    "another row of the same": ("c i32[?],y f32[?x4],n index",
        "for i in range(n):\n for j in range(4): y[i, j] = y[c[i], j]",
        lambda r: [A(r, 0, 8, 8), F(r, 8, 4), 8]),
    "another half of the same": ("c i32[?],y f32[?],n index",
        "for i in range(n): y[i] = y[c[i] + 8]", lambda r: [A(r, 0, 8, 8), F(r, 16), 8]),
    "coordinates of coordinates": ("c i32[?],y i32[?],n index",
        "for i in range(n): y[i] = c[c[i]]", lambda r: [same := A(r, 0, 16), same, 16]),
    "memory moved on": ("c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n): y[c[i]] += x[i]",
        lambda r: [A(r, 0, 16), (own := F(r, 32))[4:20], own[8:24], 16]),
    "masks of what is not there": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n if m[i] > 0: y[i] = x[c[i]]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"), A(r, 0, 8), F(r, 8), F(r, 8), 16]),
    "masks of rows that are not there": ("m i32[?],c i32[?],x f32[?x4],y f32[?x4],n index",
        "for i in range(n):\n for j in range(4):\n  if m[i] > 0: y[i, j] += x[c[i], j]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"), A(r, 0, 8, 8), F(r, 8, 4), F(r, 8, 4), 16]),
    "masks of windows that are not there": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n for j in range(4):\n  if m[i] > 0: y[c[i] + j] += x[c[i] + j]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"),
                   np.array([3] * 8 + [-9, 8, 99, 2**31 - 1, -(2**31), 7, -1, 6], "i4"),
                   F(r, 7), F(r, 7), 16]),
    "masks of flat rows that are not there": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n for j in range(4):\n  if m[i] > 0: y[i * 4 + j] = x[c[i] * 4 + j]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"), A(r, 0, 8, 8), F(r, 32), F(r, 32), 16]),
    "masks of columns that are not there": ("m i32[?],c i32[?],x f32[?],y f32[?x?],n index",
        "for i in range(3):\n for j in range(n):\n  if m[j] > 0: y[i, j] = x[c[j]]",
        lambda r: [np.repeat([1, 0], 8).astype("i4"), A(r, 0, 8), F(r, 8), F(r, 3, 8), 16]),
    "a mask that nothing passes": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n if m[i] > 0: y[i] = x[c[i]]",
        lambda r: [A(r, 0, 1), A(r, 0, 8, 0), F(r, 0), F(r, 0), 16]),
    "an inner loop of no steps": ("c i32[?],x f32[?],y f32[?],n index,m index",
        "for i in range(n):\n for j in range(m): y[c[i]] += x[i + j]",
        lambda r: [A(r, 0, 8, 0), F(r, 0), F(r, 0), 16, 0]),
    "an outer loop of no steps": ("c i32[?],x f32[?],y f32[?],n index,m index",
        "for j in range(m):\n for i in range(n): y[c[i] + j] += x[i]",
        lambda r: [A(r, 0, 8, 4), F(r, 0), F(r, 0), 16, -2]),
    "a default that is read": ("m i32[?],c i32[?],x f32[?],y f32[?],n index",
        "for i in range(n):\n y[i] = 1.0\n if m[i] > 0: y[i] += x[c[i]]",
        lambda r: [A(r, 0, 2), A(r, 0, 8), F(r, 8), F(r, 16), 16]),
}  # fmt: skip


NOT_THERE = [name for name in LOOPS if name.endswith(("not there", "no steps"))]


@pytest.mark.parametrize("name", sorted({*[*LOOPS][::5], *NOT_THERE[::2]}))
def test_loops(name: str) -> None:
    arguments, body, make = LOOPS[name]
    given = make(np.random.default_rng(0))
    text = module(arguments, body)
    plain = results(text, given, optimize=False, threads=1)
    for threads in (1, 2):
        assert results(text, given, threads=threads) == plain, threads


if __name__ == "__main__":
    for test, names in (
        (test_results, STRANGERS),
        (test_impostors, IMPOSTORS),
        (test_loops, LOOPS),
    ):
        for each in names:
            test(each)
            print(each, "same")
