"""Modules that several tests of this folder compile."""

GATHER = """
func.func @rows(%table: tensor<?x64xf32> loc("table"), %ids: tensor<?xindex>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %ids, %c0 : tensor<?xindex>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xindex>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%i: index, %o: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<?x64xf32>
    linalg.yield %v : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
"""
"""Rows of a table, from upstream's ops."""

_SCATTER = """
func.func @add(%dest: tensor<?x?xf32> {attributes}, %ids: tensor<?x1xi64>, %rows: tensor<?x?xf32>)
    -> tensor<?x?xf32> {{
  %r = "gs.scatter"(%rows, %dest, %ids) ({{
  ^bb0(%current: f32, %update: f32):
    %sum = arith.addf %current, %update : f32
    gs.yield %sum : f32
  }}) {{scatter_dims = array<i64: 0>, mode = "{mode}"}}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}
"""


def scatter_add(mode: str = "promise_in_bounds", donated: bool = False) -> str:
    """Rows added to rows of a matrix."""
    attributes = "{bufferization.writable = true}" if donated else ""
    return _SCATTER.format(mode=mode, attributes=attributes)


FIRST = """
func.func @first(%values: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %values[%c0] : tensor<?xf32>
  %n = arith.fptosi %x : f32 to i64
  %m = arith.index_cast %n : i64 to index
  %e = tensor.empty(%m) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
"""A result whose size is an element of the input: values[0] times values[0]."""


def identity(array: str) -> str:
    """A copy of an array of type `array`."""
    return f"func.func @same(%a: {array}) -> {array} {{ return %a : {array} }}"
