"""Torch ops that torch-mlir itself has lowered to linalg: raised, with the same results."""

import re
from collections.abc import Sequence

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.torch.backend import FINISH, TO_LINALG
from mlir_gs.frontend.torch.vtensor import register_torch

pytestmark = pytest.mark.skipif(
    ir.__name__.startswith("mlir."), reason="the passes of torch-mlir are not there"
)

PRELUDE = """
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %no = torch.constant.bool false
  %yes = torch.constant.bool true
  %none = torch.constant.none
"""
F2, L2, F1, L1 = "F2", "L2", "F1", "L1"
TYPES = {
    "F2": "!torch.vtensor<[?,4],f32>",
    "L2": "!torch.vtensor<[?,4],si64>",
    "F1": "!torch.vtensor<[?],f32>",
    "L1": "!torch.vtensor<[?],si64>",
    "I": "!torch.int",
    "B": "!torch.bool",
}
LIST = "%l = torch.prim.ListConstruct %c : (L1) -> !torch.list<vtensor>\n"
PUT = "%r = torch.aten.index_put.hacked_twin %x, %l, %v, {} : F1, !torch.list<vtensor>, F1, B -> F1"
# Arguments, result, ops, and how many gs.generic there are of how many reads and loops.
OPS = {
    "gather": ((F2, L2), F2,
        "%r = torch.aten.gather %x, %0, %c, %no : F2, I, L2, B -> F2"),
    "index_select": ((F2, L1), F2,
        "%r = torch.aten.index_select %x, %0, %c : F2, I, L1 -> F2"),
    "embedding": ((F2, L1), F2,
        "%r = torch.aten.embedding %x, %c, %0, %no, %no : F2, L1, I, B, B -> F2"),
    "index": ((F2, L1), F2,
        LIST + "%r = torch.aten.index.Tensor_hacked_twin %x, %l : F2, !torch.list<vtensor> -> F2"),
    "index_put": ((F1, L1, F1), F1, LIST + PUT.format("%no")),
    "index_put that adds": ((F1, L1, F1), F1, LIST + PUT.format("%yes")),
    "scatter": ((F2, L2, F2), F2,
        "%r = torch.aten.scatter.src %x, %0, %c, %v : F2, I, L2, F2 -> F2"),
    "scatter_add": ((F2, L2, F2), F2,
        "%r = torch.aten.scatter_add %x, %0, %c, %v : F2, I, L2, F2 -> F2"),
    "bincount": ((L1,), L1,
        "%r = torch.aten.bincount %c, %none, %0 : L1, !torch.none, I -> L1"),
    "embeddings in a layer": ((F2, L1, F2), F2,
        "%e = torch.aten.embedding %x, %c, %0, %no, %no : F2, L1, I, B, B -> F2\n"
        "%g = torch.aten.relu %e : F2 -> F2\n"
        "%r = torch.aten.mul.Tensor %g, %v : F2, F2 -> F2"),
    "two tables": ((F2, L1, F2), F2,
        "%e = torch.aten.embedding %x, %c, %0, %no, %no : F2, L1, I, B, B -> F2\n"
        "%g = torch.aten.index_select %v, %0, %c : F2, I, L1 -> F2\n"
        "%r = torch.aten.add.Tensor %e, %g, %1 : F2, F2, I -> F2"),
    "messages of a graph": ((F2, L2, L2), F2,
        "%e = torch.aten.gather %x, %0, %c, %no : F2, I, L2, B -> F2\n"
        "%r = torch.aten.scatter_add %x, %0, %v, %e : F2, I, L2, F2 -> F2"),
}  # fmt: skip
STAYS = {
    "flip": ((F2,), F2,
        "%d = torch.prim.ListConstruct %0 : (I) -> !torch.list<int>\n"
        "%r = torch.aten.flip %x, %d : F2, !torch.list<int> -> F2"),
    "roll": ((F2,), F2,
        "%d = torch.prim.ListConstruct %1 : (I) -> !torch.list<int>\n"
        "%z = torch.prim.ListConstruct %0 : (I) -> !torch.list<int>\n"
        "%r = torch.aten.roll %x, %d, %z : F2, !torch.list<int>, !torch.list<int> -> F2"),
}  # fmt: skip


def linalg(arguments: Sequence[str], result: str, ops: str) -> str:
    """The module of function `f` that torch-mlir makes, without anything of ours."""
    names = ["%c"] if len(arguments) == 1 and arguments[0][0] == "L" else ["%x", "%c", "%v"]
    given = ", ".join(f"{n}: {t}" for n, t in zip(names, arguments, strict=False))
    text = f"func.func @f({given}) -> {result} {{{PRELUDE}{ops}\nreturn %r : {result}\n}}"
    text = re.sub(r"\b([FL][12]|[IB])\b", lambda found: TYPES[found[1]], text)
    with dialect.context() as context, ir.Location.unknown():
        register_torch(context)
        module = ir.Module.parse(text)
        steps = ["torchdynamo-export-to-torch-backend-pipeline", *TO_LINALG, *FINISH]
        lowering.run_pipeline(module, ",".join(step for step in steps if "-gs" not in step))
        return str(module)


@pytest.mark.parametrize("name", [*OPS, *STAYS])
def test_is_raised(name: str) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(linalg(*{**OPS, **STAYS}[name]))
        lowering.run_pipeline(module, "gs-raise")
        assert ("gs.generic" in str(module)) == (name in OPS)


def values(arguments: Sequence[str], rng: np.random.Generator, low: int, high: int) -> list:
    found = []
    for each in arguments:
        shape = (6, 4) if "2" in each else (6,)
        if each[0] == "F":
            found.append((rng.integers(-9, 10, shape) / 3).astype(np.float32))
        else:
            found.append(rng.integers(low, high, shape))
    return found


def outcome(source: str, given: Sequence[np.ndarray], optimize: bool) -> str | bytes:
    try:
        return mlir_gs.compile(source, optimize=optimize, threads=2)(*given).tobytes()
    except (IndexError, RuntimeError):
        return "out of bounds"


@pytest.mark.parametrize("name", OPS)
def test_results(name: str) -> None:
    arguments, _, _ = OPS[name]
    source = linalg(*OPS[name])
    # Of the others nothing says what numbers out of bounds do.
    checked = "cf.assert" in source and "put" not in name and "scatter" not in source
    for seed, (low, high) in enumerate(((0, 6), (0, 1), (-3, 9) if checked else (0, 2))):
        given = values(arguments, np.random.default_rng(seed), low, high)
        assert outcome(source, given, True) == outcome(source, given, False)
    assert not checked or name == "two tables" or outcome(source, given, True) == "out of bounds"
