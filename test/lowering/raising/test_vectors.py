"""Loops over vectors that gather, scatter and load under masks: raised, with the same results."""

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.run import run

TYPES = {"F8": "vector<8xf32>", "I8": "vector<8xi32>", "B8": "vector<8xi1>",
         "X8": "vector<8xindex>", "FS": "memref<?xf32>"}  # fmt: skip
HEAD = """
func.func @f(%x: FS, %c: memref<?xi32>, %y: FS, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %all = arith.constant dense<true> : B8
  %z = arith.constant dense<0.5> : F8
  %zi = arith.constant dense<0> : I8
  scf.for %i = %c0 to %n step %c8 {
"""
GATHER = "%{} = vector.gather {}, {}, %z : FS, I8, B8, F8 into F8\n"
K = "%k = vector.load %c[%i] : memref<?xi32>, I8\n"
E = GATHER.format("e", "%x[%c0] [%k]", "%all")
LEFT = "%left = arith.subi %n, %i : index\n%m = vector.create_mask %left : B8\n"
KM = "%k = vector.maskedload %c[%i], %m, %zi : memref<?xi32>, B8, I8 into I8\n"
STORE = "vector.store %e, %y[%i] : FS, F8\n"
SCATTER = "vector.scatter %y[%c0] [%k], {}, {} : FS, I8, B8, F8\n"
MASKED = "vector.maskedstore %y[%i], {}, %e : FS, B8, F8\n"
LINE = "%v = vector.load %x[%i] : FS, F8\n"
POSITIVE = "%zero = arith.constant dense<0.0> : F8\n%p = arith.cmpf ogt, %v, %zero : F8\n"
KERNELS = {
    "gather": (K + E + STORE, True),
    "gather and add": (K + E + LINE + "%s = arith.addf %e, %v : F8\n"
        + STORE.replace("%e", "%s"), True),
    "gather under the mask of the end": (LEFT + KM + GATHER.format("e", "%x[%c0] [%k]", "%m")
        + MASKED.format("%m"), True),
    "scatter": (K + LINE + SCATTER.format("%all", "%v"), True),
    "scatter under the mask of the end": (LEFT + KM + LINE + SCATTER.format("%m", "%v"), True),
    "by a number from outside": (K + E + "%s = vector.broadcast %c0f : f32 to F8\n"
        "%t = arith.mulf %e, %s : F8\n" + STORE.replace("%e", "%t"), True),
    "accumulates what others read": (K + GATHER.format("o", "%y[%c0] [%k]", "%all") + LINE
        + "%s = arith.addf %o, %v : F8\n" + SCATTER.format("%all", "%s"), False),
    "steps that count": (K + E + "%st = vector.step : X8\n%sc = arith.index_cast %st"
        " : X8 to I8\n%f = arith.sitofp %sc : I8 to "
        "F8\n%s = arith.addf %e, %f : F8\n" + STORE.replace("%e", "%s"), False),
    "packed": (K + E + LINE + POSITIVE + "vector.compressstore %y[%i], %p, %e : FS, "
        "B8, F8\n", False),
    "steps under the mask of the end": (LEFT + KM + GATHER.format("e", "%x[%c0] [%k]", "%m")
        + "%st = vector.step : X8\n%sc = arith.index_cast %st : X8 to I8\n"
        "%f = arith.sitofp %sc : I8 to F8\n%s = arith.addf %e, %f : F8\n"
        + MASKED.format("%m").replace("%e", "%s"), False),
    "from the counter on": (LEFT + "%k = arith.constant dense<3> : I8\n"
        + GATHER.format("e", "%x[%i] [%k]", "%m") + MASKED.format("%m"), False),
    "a number for each vector": (LEFT + KM + GATHER.format("g", "%x[%c0] [%k]", "%m")
        + "%a = memref.load %x[%i] : FS\n%b = vector.broadcast %a : f32 to F8\n"
        "%e = arith.addf %g, %b : F8\n" + MASKED.format("%m"), False),
    "masked by data": (K + E + LINE + POSITIVE + MASKED.format("%p"), True),
}  # fmt: skip


def source(name: str) -> str:
    body = KERNELS[name][0]
    more = "%c0f = arith.constant 0.5 : f32\n" if "%c0f" in body else ""
    text = HEAD.replace("  scf.for", more + "  scf.for") + body + "}\nreturn\n}"
    for short, type_ in TYPES.items():
        text = text.replace(short, type_)
    return text


@pytest.mark.parametrize("name", KERNELS)
def test_is_raised(name: str) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(source(name))
        before = str(module)
        lowering.run_pipeline(module, "gs-raise")
        text = str(module)
        assert ("gs.generic" in text) == KERNELS[name][1]
        assert KERNELS[name][1] or text == before


@pytest.mark.parametrize("name", KERNELS)
def test_is_raised_by_compile(name: str) -> None:
    # Which repairs the loops first.
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(source(name))
        lowering.run_pipeline(module, "gs-repair,gs-raise")
        assert ("gs.generic" in str(module)) == KERNELS[name][1]


@pytest.mark.parametrize("name", KERNELS)
def test_results(name: str) -> None:
    rng = np.random.default_rng(0)
    for n in (0, 8, 13, 40):
        found = []
        c = rng.permutation(48).astype(np.int32)
        for optimize in (True, False):
            x = (np.arange(64) - 20).astype(np.float32) / 3
            y = np.ones(64, np.float32)
            mlir_gs.compile(source(name), optimize=optimize, threads=2)(x, c, y, n)
            found.append(y.tobytes())
        assert found[0] == found[1], n


@pytest.mark.parametrize("name", ["scatter under the mask of the end", "masked by data", "gather",
                                  "steps that count"])  # fmt: skip
def test_the_reference_gives_the_same(name: str) -> None:
    c = np.random.default_rng(1).permutation(48).astype(np.int32)
    given = [(np.arange(64) - 20).astype(np.float32) / 3, c, np.ones(64, np.float32), 13]
    found = [[np.copy(each) for each in given] for _ in range(2)]
    mlir_gs.compile(source(name))(*found[0][:3], 13)
    with dialect.context(), ir.Location.unknown():
        run(ir.Module.parse(source(name)), "f", found[1])
    assert found[0][2].tobytes() == found[1][2].tobytes()


def test_memory_that_is_shared() -> None:
    # The vectors stay for it: all lanes read before one writes.
    found = []
    for optimize in (True, False):
        x = np.arange(64, dtype=np.float32)
        c = (np.arange(48, dtype=np.int32) * 7) % 40
        mlir_gs.compile(source("gather"), optimize=optimize)(x, c, x, 40)
        found.append(x.tobytes())
    assert found[0] == found[1]
