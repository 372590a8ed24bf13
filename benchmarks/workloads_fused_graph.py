"""A graph layer's messages, as a chain of ops that the compiler merges."""

from types import SimpleNamespace

import numpy as np
import workloads_bags
import workloads_graph
from workload import Case, Workload

MESSAGES = """
func.func @messages(%x: tensor<?x${width}xf32>, %weights: tensor<?xf32>, %receivers: tensor<?xi64>,
    %senders: tensor<?xi64>) -> tensor<?x${width}xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %nodes = tensor.dim %x, %c0 : tensor<?x${width}xf32>
  %edges = tensor.dim %senders, %c0 : tensor<?xi64>
  %from = tensor.expand_shape %senders [[0, 1]] output_shape [%edges, 1]
      : tensor<?xi64> into tensor<?x1xi64>
  %to = tensor.expand_shape %receivers [[0, 1]] output_shape [%edges, 1]
      : tensor<?xi64> into tensor<?x1xi64>
  %found = gs.gather %x[%from] gather_dims([0])
      : (tensor<?x${width}xf32>, tensor<?x1xi64>) -> tensor<?x${width}xf32>
  %space = tensor.empty(%edges) : tensor<?x${width}xf32>
  %wide = linalg.broadcast ins(%weights : tensor<?xf32>) outs(%space : tensor<?x${width}xf32>)
      dimensions = [1]
  %messages = arith.mulf %wide, %found : tensor<?x${width}xf32>
  %new = tensor.empty(%nodes) : tensor<?x${width}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%new : tensor<?x${width}xf32>)
      -> tensor<?x${width}xf32>
  %sums = "gs.scatter"(%messages, %zeros, %to) ({
  ^bb0(%sum: f32, %message: f32):
    %next = arith.addf %sum, %message : f32
    gs.yield %next : f32
  }) {scatter_dims = array<i64: 0>$promise}
      : (tensor<?x${width}xf32>, tensor<?x${width}xf32>, tensor<?x1xi64>) -> tensor<?x${width}xf32>
  return %sums : tensor<?x${width}xf32>
}
"""


def make_messages(rng: np.random.Generator, n: SimpleNamespace) -> Case:
    case = workloads_graph.make_messages(rng, n)
    # What is gathered, the weights as wide as it, and the messages.
    case.temporaries = 3 * 4 * case.senders.size * n.width
    return case


WORKLOADS = [
    Workload(
        "U09",
        "graph layer: 50k nodes x 64, 500k edges in any order",
        MESSAGES,
        make_messages,
        workloads_graph.MESSAGE_PEERS,
        {**workloads_graph.GRAPH, "promise": ""},
        workloads_graph.TINY_GRAPH,
        tolerance=1e-5,
        chain=True,
        why="edges in any order",
    ),
    Workload(
        "U09b",
        "graph layer: 50k nodes x 64, 500k edges sorted by receiver",
        MESSAGES,
        make_messages,
        workloads_graph.SORTED_PEERS,
        {**workloads_graph.GRAPH, "promise": ", sorted"},
        workloads_graph.TINY_GRAPH,
        tolerance=1e-5,
        chain=True,
        why=workloads_bags.SUMMED,
    ),
]
