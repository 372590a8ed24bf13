"""The workloads of gs-fuse-workloads.mlir, merged, against the same unmerged and the reference."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from elements import DTYPES
from fuzz_rewrites import by_compiler, by_reference, difference, optimized
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline

TEXT = (Path(__file__).parents[1] / "lowering" / "fuse" / "gs-fuse-workloads.mlir").read_text()
ALIASES = "".join(line + "\n" for line in TEXT.splitlines() if line.startswith("#"))
FUNCTIONS = re.findall(r"^func\.func @(\w+)(.*?\n)}\n", TEXT, re.M | re.S)
# What the `?` of the workloads are; coordinates are less than every size.
SIZE = 9


def arguments(signature: str, rng: np.random.Generator) -> list[Any]:
    found = []
    for type_ in re.findall(r"%\w+: (tensor<[^>]*>|index)", signature):
        if type_ == "index":
            found.append(SIZE)
            continue
        *sizes, element = type_[len("tensor<") : -1].split("x")
        shape = [SIZE if size == "?" else int(size) for size in sizes]
        if element in ("i32", "i64"):
            # Rows of coordinates are distinct where there are few of them.
            many = int(np.prod(shape))
            values = rng.permutation(many) % (SIZE - 1) if many > 8 else rng.permutation(many)
        else:
            values = rng.standard_normal(int(np.prod(shape)))
        found.append(values.astype(DTYPES[element]).reshape(shape))
    return found


def generalized(text: str) -> str:
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        run_pipeline(module, "builtin.module(linalg-generalize-named-ops)")
        return str(module)


@pytest.mark.parametrize(("name", "rest"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_workload(name: str, rest: str) -> None:
    text = f"{ALIASES}func.func @f{rest}}}\n".replace(" {bufferization.writable = true}", "")
    given = arguments(rest.partition(") ->")[0], np.random.default_rng(0))
    better = optimized(text)
    assert better.count('"gs.generic"') == 1
    found = by_compiler(better, given)
    wrong = difference(found, by_compiler(text, given))
    assert wrong is None, wrong
    # The reference does not know linalg's named ops; tanh and exp are not correctly rounded.
    expected = by_reference(generalized(text), given)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)
