"""Sparse matrices times vectors and matrices, as chains of ops that the compiler merges."""

from types import SimpleNamespace
from typing import Any

import loops_gather
import numpy as np
import workloads_bags
from peers import xla
from workload import Case, Slices, Workload, aligned, coordinates, empty, floats

SPMV_COO = """
func.func @spmv(%values: tensor<?xf32>, %rows: tensor<?xi32>, %columns: tensor<?xi32>,
    %x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %entries = tensor.dim %values, %c0 : tensor<?xf32>
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %from = tensor.expand_shape %columns [[0, 1]] output_shape [%entries, 1]
      : tensor<?xi32> into tensor<?x1xi32>
  %to = tensor.expand_shape %rows [[0, 1]] output_shape [%entries, 1]
      : tensor<?xi32> into tensor<?x1xi32>
  %found = gs.gather %x[%from] gather_dims([0])
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %products = arith.mulf %values, %found : tensor<?xf32>
  %new = tensor.empty(%size) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?xf32>) -> tensor<?xf32>
  %y = gs.scatter %products into %zeros[%to] scatter_dims([0]) sorted combine(add)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
"""

_CSR = """
func.func @$name(%values: tensor<?xf32>, %starts: tensor<?xi32>, %columns: tensor<?xi32>,
    %x: tensor<?$wide>) -> tensor<?$wide> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %bounds = tensor.dim %starts, %c0 : tensor<?xi32>
  %count = arith.subi %bounds, %c1 : index
  %new = tensor.empty(%count) : tensor<?$wide>
  %y = scf.forall (%r) in (%count) shared_outs(%out = %new) -> tensor<?$wide> {
    %next = arith.addi %r, %c1 : index
    %a = tensor.extract %starts[%r] : tensor<?xi32>
    %b = tensor.extract %starts[%next] : tensor<?xi32>
    %first = arith.index_cast %a : i32 to index
    %end = arith.index_cast %b : i32 to index
    %size = arith.subi %end, %first : index
    %v = tensor.extract_slice %values[%first] [%size] [1] : tensor<?xf32> to tensor<?xf32>
    %c = tensor.extract_slice %columns[%first] [%size] [1] : tensor<?xi32> to tensor<?xi32>
    %from = tensor.expand_shape %c [[0, 1]] output_shape [%size, 1]
        : tensor<?xi32> into tensor<?x1xi32>
    %found = gs.gather %x[%from] gather_dims([0])
        : (tensor<?$wide>, tensor<?x1xi32>) -> tensor<?$wide>
$product
    %row = tensor.extract_slice $place : tensor<?$wide> to tensor<$one>
    %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<$one>) -> tensor<$one>
    %sum = linalg.reduce ins(%products : tensor<?$wide>) outs(%zeros : tensor<$one>)
      dimensions = [0]
      (%p: f32, %s: f32) {
        %t = arith.addf %s, %p : f32
        linalg.yield %t : f32
      }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into $place : tensor<$one> into tensor<?$wide>
    }
  }
  return %y : tensor<?$wide>
}
"""


def _csr(**parts: str) -> str:
    text = _CSR
    for name, part in parts.items():
        text = text.replace(f"${name}", part)
    return text


SPMV_CSR = _csr(
    name="spmv",
    wide="xf32",
    one="f32",
    place="%out[%r] [1] [1]",
    product="    %products = arith.mulf %v, %found : tensor<?xf32>",
)

SPMM_CSR = _csr(
    name="spmm",
    wide="x${width}xf32",
    one="${width}xf32",
    place="%out[%r, 0] [1, ${width}] [1, 1]",
    product="""    %space = tensor.empty(%size) : tensor<?x${width}xf32>
    %wide = linalg.broadcast ins(%v : tensor<?xf32>) outs(%space : tensor<?x${width}xf32>)
        dimensions = [1]
    %products = arith.mulf %wide, %found : tensor<?x${width}xf32>""",
)


def _matrix(rng: np.random.Generator, n: SimpleNamespace, x: np.ndarray) -> Case:
    """A square matrix with `n.entries` at random places, in COO (sorted) and CSR, times `x`."""
    rows = np.sort(coordinates(rng, n.rows, (n.entries,), "i32"))
    columns = coordinates(rng, n.rows, (n.entries,), "i32")
    columns = aligned(columns[np.lexsort((columns, rows))])
    values = floats(rng, (n.entries,))
    out = empty(x.shape, "f4")
    expected = np.zeros_like(out)
    weights = values if x.ndim == 1 else values[:, None]
    np.add.at(expected, rows, weights * x[columns])
    starts = np.searchsorted(rows, np.arange(n.rows + 1)).astype(np.int32)
    found = Slices(x, columns)
    return Case(
        values=values,
        rows=aligned(rows),
        columns=columns,
        starts=aligned(starts),
        x=x,
        out=out,
        expected=expected,
        read=found.read + values.nbytes,
        written=out.nbytes,
        slices=(found,),
        temporaries=2 * n.entries * found.bytes,
    )


def make_coo(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = _matrix(rng, n, floats(rng, (n.rows,)))
    case.arguments = (case.values, case.rows, case.columns, case.x)
    case.read += case.rows.nbytes
    return case


def make_csr(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    shape = (n.rows, n.width) if hasattr(n, "width") else (n.rows,)
    case = _matrix(rng, n, floats(rng, shape))
    case.arguments = (case.values, case.starts, case.columns, case.x)
    case.read += case.starts.nbytes
    return case


def make_spmm(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = make_csr(rng, n)
    # The weights are broadcast to a tensor of their own.
    case.temporaries += case.temporaries // 2
    return case


def _scipy_csr(d: Case) -> Any:
    from scipy.sparse import csr_matrix

    matrix = csr_matrix((d.values, d.columns, d.starts), shape=(d.x.shape[0],) * 2)
    return lambda: matrix @ d.x


def _torch_csr(d: Case) -> Any:
    import torch

    starts, columns, values = map(torch.from_numpy, (d.starts, d.columns, d.values))
    size = (d.x.shape[0],) * 2
    matrix = torch.sparse_csr_tensor(starts, columns, values, size, check_invariants=False)
    x, out = torch.from_numpy(d.x), torch.from_numpy(d.out)
    product = torch.mv if d.x.ndim == 1 else torch.mm
    return lambda: product(matrix, x, out=out)


def _jax_entries(old: Any, values: Any, rows: Any, columns: Any, x: Any) -> Any:
    products = x.at[columns].get(mode="promise_in_bounds") * values
    return (old * 0).at[rows].add(products, mode="promise_in_bounds", indices_are_sorted=True)


def _numba_vector(d: Case) -> Any:
    arrays = (d.starts, d.columns, d.values, d.x, d.out)
    return lambda: loops_gather.sparse_times_vector(*arrays)


def _numba_dense(d: Case) -> Any:
    arrays = (d.starts, d.columns, d.values, d.x, d.out)
    return lambda: loops_gather.sparse_times_dense(*arrays)


CSR_PEERS = {"torch csr @": _torch_csr, "scipy csr @": _scipy_csr}
VECTOR_PEERS = {**CSR_PEERS, "numba csr": _numba_vector}

VECTOR = {"rows": 500_000, "entries": 8_000_000}
TINY_VECTOR = {"rows": 40, "entries": 300}

WORKLOADS = [
    Workload(
        "U01",
        "SpMV: 8M sorted COO entries, 500k rows",
        SPMV_COO,
        make_coo,
        {**VECTOR_PEERS, **xla("add sorted", _jax_entries, "values", "rows", "columns", "x")},
        VECTOR,
        TINY_VECTOR,
        tolerance=1e-5,
        chain=True,
        why="products at coordinates, then sums in order",
    ),
    Workload(
        "U02",
        "SpMV: CSR, 8M entries, 500k rows",
        SPMV_CSR,
        make_csr,
        VECTOR_PEERS,
        VECTOR,
        TINY_VECTOR,
        tolerance=1e-5,
        chain=True,
        why="products at coordinates, then sums in order",
    ),
    Workload(
        "U03",
        "SpMM: CSR, 1M entries, 100k rows, times 64 columns",
        SPMM_CSR,
        make_spmm,
        {**CSR_PEERS, "numba csr": _numba_dense},
        {"rows": 100_000, "entries": 1_000_000, "width": 64},
        {"rows": 40, "entries": 300, "width": 16},
        tolerance=1e-5,
        chain=True,
        why=workloads_bags.SUMMED,
    ),
]
