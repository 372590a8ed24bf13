// One step of message passing on a graph: what each node receives is the sum of the features of
// its neighbours. Edge e goes from node senders[e] to node receivers[e].
func.func @step(%features: tensor<?x?xf32>, %senders: tensor<?x1xi32>,
                %receivers: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %messages = gs.gather %features[%senders] gather_dims([0])
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>

  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %nodes = tensor.dim %features, %c0 : tensor<?x?xf32>
  %width = tensor.dim %features, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%nodes, %width) : tensor<?x?xf32>
  %nothing = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>

  %received = gs.scatter %messages into %nothing[%receivers] scatter_dims([0]) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %received : tensor<?x?xf32>
}
