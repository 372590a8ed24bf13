"""Loops as programmers of C write them: raised or not, their results have the same bits."""

from collections import Counter

import mlir_gs
import numpy as np
import pytest
from corpus import LOOPS, Loops
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes import explain
from python_loops import module

DTYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i64": np.int64,
          "index": np.int64}  # fmt: skip
N = 16


def text_of(loops: Loops) -> str:
    return module(loops.arguments, loops.body, "f64" if "f64" in loops.arguments else "f32")


def arguments(loops: Loops, seed: int, n: int) -> list:
    """Arguments for which the loops are defined: coordinates that are tested may be any numbers."""
    rng = np.random.default_rng(seed)
    hostile = any(word in loops.body for word in ("min(c[i], 8)", "< 9"))
    given = []
    for each in loops.arguments.split(","):
        name, type_ = each.split()
        if type_ == "index":
            given.append({"n": n, "m": 3, "a": min(2, n)}[name])
            continue
        element, shape = type_.rstrip("]").split("[")
        sizes = [5 * N + 6 if s == "?" else int(s) for s in shape.split("x")]
        if "c[i] + 9" in loops.body and name == "c":
            made = rng.integers(-9, 9, sizes)
        elif element.startswith("f"):
            made = rng.integers(-9, 10, sizes) / 3
        elif name == "p" and "p[i + 1]" in loops.body.replace("j", "i"):
            made = np.minimum(np.arange(sizes[0]) * 2, N)
            made[: n // 2] = 0
        elif hostile and name in ("c", "r"):
            made = rng.integers(-100, 100, sizes)
        else:
            made = rng.integers(0, 4, sizes)
        given.append(made.astype(DTYPES[element]))
    return given


def results(source: str, given: list, optimize: bool) -> list[bytes]:
    mine = [one.copy() if isinstance(one, np.ndarray) else one for one in given]
    found = mlir_gs.compile(source, optimize=optimize, threads=2)(*mine)
    return [np.asarray(each).tobytes() for each in (*mine, *([] if found is None else [found]))]


def is_raised(source: str) -> tuple[bool, list[str]]:
    with dialect.context(), ir.Location.unknown(), explain.collecting() as notes:
        parsed = ir.Module.parse(source)
        lowering.run_pipeline(parsed, "gs-raise")
        return "gs.generic" in str(parsed), [note.text for note in notes]


def test_what_is_raised() -> None:
    found = {name: is_raised(text_of(loops))[0] for name, loops in LOOPS.items()}
    assert found == {name: loops.raised for name, loops in LOOPS.items()}


def differ(name: str) -> bool:
    """Whether results differ, raised and not."""
    source = text_of(LOOPS[name])
    given = [arguments(LOOPS[name], seed, n) for seed, n in ((0, 0), (1, 1), (2, N))]
    return any(results(source, each, True) != results(source, each, False) for each in given)


# All of them: python test/lowering/raising/test_corpus.py
@pytest.mark.parametrize("name", [*LOOPS][::6])
def test_results(name: str) -> None:
    assert not differ(name)


def test_there_are_many() -> None:
    assert len(LOOPS) >= 80
    assert sum(loops.raised for loops in LOOPS.values()) >= 60


def main() -> None:
    """Print how many are raised, why others are not, and whose results differ."""
    found = {name: is_raised(text_of(loops)) for name, loops in LOOPS.items()}
    print(sum(raised for raised, _ in found.values()), "of", len(found), "raised")
    refused = ((notes or ["no coordinates"])[-1] for raised, notes in found.values() if not raised)
    for reason, count in Counter(refused).most_common():
        print(count, reason)
    print("results differ:", [name for name in LOOPS if differ(name)])


if __name__ == "__main__":
    main()
