"""Loops that upstream's sparsifier makes of linalg on sparse tensors."""

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect, lowering
from mlir_gs.dialect._bindings import ir

FORMATS = {
    "csr": "(d0, d1) -> (d0 : dense, d1 : compressed)",
    "csc": "(d0, d1) -> (d1 : dense, d0 : compressed)",
    "dcsr": "(d0, d1) -> (d0 : compressed, d1 : compressed)",
    "coo": "(d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa))",
    "bsr": "(d0, d1) -> (d0 floordiv 2 : dense, d1 floordiv 2 : compressed, d0 mod 2 : dense, "
    "d1 mod 2 : dense)",
}
KERNELS = {
    "vector": ("48", "64", "(i, j) -> (i, j)", "(i, j) -> (j)", "(i, j) -> (i)", ""),
    "transposed": ("64", "48", "(i, j) -> (j, i)", "(i, j) -> (j)", "(i, j) -> (i)", ""),
    "matrix": (
        "48x8", "64x8", "(i, k, j) -> (i, j)", "(i, k, j) -> (j, k)", "(i, k, j) -> (i, k)",
        '"parallel", ',
    ),
    "scaled": ("48", "64", "(i, j) -> (i, j)", "(i, j) -> (j)", "(i, j) -> (i)", ""),
}  # fmt: skip
PIPELINE = (
    "sparse-assembler{direct-out},sparsification-and-bufferization,"
    "sparse-storage-specifier-to-llvm,one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map},canonicalize,cse"
)
CASES = [(form, kernel) for form in FORMATS for kernel in KERNELS]
# In the others short segments run one after the other: raised, they would gain nothing. Blocks by
# rows keep a sum around their innermost loop.
RAISED = {
    *(("csr", "vector"), ("csr", "scaled"), ("csc", "transposed")),
    *((form, "matrix") for form in ("csr", "csc", "dcsr")),
    *(("coo", kernel) for kernel in KERNELS),
    ("bsr", "transposed"),
}


def loops(form: str, kernel: str) -> str:
    """What the sparsifier makes of a product of a sparse matrix of 64 by 48."""
    x, y, *maps, more = KERNELS[kernel]
    spelled = ", ".join(f"affine_map<{map_}>" for map_ in maps)
    scale = "%m2 = arith.mulf %m, %m : f32" if kernel == "scaled" else "%m2 = arith.negf %m : f32"
    text = f"""
    #S = #sparse_tensor.encoding<{{ map = {FORMATS[form]} }}>
    func.func @f(%a: tensor<64x48xf32, #S>, %x: tensor<{x}xf32>, %y: tensor<{y}xf32>)
        -> tensor<{y}xf32> {{
      %r = linalg.generic {{indexing_maps = [{spelled}],
          iterator_types = ["parallel", {more}"reduction"]}}
          ins(%a, %x : tensor<64x48xf32, #S>, tensor<{x}xf32>) outs(%y : tensor<{y}xf32>) {{
      ^bb0(%p: f32, %q: f32, %o: f32):
        %m = arith.mulf %p, %q : f32
        {scale}
        %s = arith.addf %o, %m2 : f32
        linalg.yield %s : f32
      }} -> tensor<{y}xf32>
      return %r : tensor<{y}xf32>
    }}"""
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        lowering.run_pipeline(module, PIPELINE)
        return str(module)


@pytest.mark.parametrize(("form", "kernel"), CASES)
def test_is_raised(form: str, kernel: str) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(loops(form, kernel))
        lowering.run_pipeline(module, "gs-raise")
        assert ("gs.generic" in str(module)) == ((form, kernel) in RAISED)


@pytest.mark.parametrize(("form", "kernel"), [("csr", "vector"), ("csc", "matrix")])
def test_results(form: str, kernel: str) -> None:
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((64, 48)) < 0.1, rng.integers(-4, 5, (64, 48)), 0)
    dense = dense.astype(np.float32)
    rows, columns = np.nonzero(dense) if form == "csr" else np.nonzero(dense.T)[::-1]
    outer, inner, count = (rows, columns, 64) if form == "csr" else (columns, rows, 48)
    positions = np.searchsorted(outer, np.arange(count + 1))
    shape, out = ((48,), (64,)) if kernel == "vector" else ((48, 8), (64, 8))
    x = rng.integers(-4, 5, shape).astype(np.float32)
    y = np.zeros(out, np.float32)
    kernel_ = mlir_gs.compile(loops(form, kernel), "f", threads=2)
    kernel_(positions, np.ascontiguousarray(inner), dense[rows, columns], x, y)
    assert (y == -(dense @ x)).all()


@pytest.mark.parametrize("kernel", ["vector", "matrix"])
def test_results_of_coordinates(kernel: str) -> None:
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((64, 48)) < 0.1, rng.integers(-4, 5, (64, 48)), 0)
    dense = dense.astype(np.float32)
    rows, columns = np.nonzero(dense)
    more = () if kernel == "vector" else (8,)
    x = rng.integers(-4, 5, (48, *more)).astype(np.float32)
    y = np.zeros((64, *more), np.float32)
    kernel_ = mlir_gs.compile(loops("coo", kernel), "f", threads=2)
    places = map(np.ascontiguousarray, (rows, columns))
    kernel_(np.array([0, len(rows)]), *places, dense[rows, columns], x, y)
    assert (y == -(dense @ x)).all()
