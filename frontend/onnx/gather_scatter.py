"""ONNX's gathers and scatters as `gs` ops."""

from collections.abc import Sequence

from mlir_gs.dialect import gather, gather_elements, scatter, scatter_elements
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.scatter import Combiner
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.put import WRAPPED
from mlir_gs.frontend.common.shapes import as_type
from mlir_gs.frontend.common.take import take
from mlir_gs.frontend.onnx.node import ATTRIBUTE, NO_INPUT, ONNX, Node
from mlir_gs.frontend.torch.vtensor import VALUE_TENSORS, TensorType, from_builtin

AXIS = Refusal("an axis out of range", "axis must be in [-{rank}, {rank}), found {axis}")
TUPLES = Refusal(
    "index tuples whose length does not match the ranks",
    "last dimension of indices must be in [1, {most}], and {ranks} by the ranks, found {found}",
)
BATCH = Refusal("batch_dims out of range", "batch_dims must be in [0, {limit}), found {found}")
REDUCTION = Refusal(
    "an unknown reduction", "reduction must be none, add, mul, min or max, found '{found}'"
)
ELEMENTS = Refusal(
    "a reduction that is not defined for the element type",
    "no reduction '{name}' of {element} elements",
)
COMMON = (*VALUE_TENSORS, NO_INPUT, ATTRIBUTE)


def axis_of(node: Node, rank: int, default: int = 0) -> int:
    """The axis attribute, counted from the front."""
    axis = node.attribute("axis", "int", default)
    if not -rank <= axis < rank:
        raise AXIS(rank=rank, axis=axis)
    return axis % rank


def result(node: Node, value: ir.Value) -> Sequence[ir.Value]:
    return [from_builtin(value, node.result_type())]


@ONNX.converts(
    "onnx.Gather",
    {"axis 0": "`gs.gather`", "another axis": "`gs.generic`"},
    refuses=(*COMMON, AXIS),
)
def convert_gather(node: Node) -> Sequence[ir.Value]:
    """`result[left, i, right] = data[left, indices[i], right]`; since opset 1."""
    data, indices = node.input(0), node.input(1)
    return result(node, take(data, indices, axis_of(node, data.type.rank), WRAPPED))


@ONNX.converts(
    "onnx.GatherElements", {"every form": "`gs.gather_elements`"}, refuses=(*COMMON, AXIS)
)
def convert_gather_elements(node: Node) -> Sequence[ir.Value]:
    """One coordinate per element, along an axis; since opset 11."""
    data, indices = node.input(0), node.input(1)
    axis = axis_of(node, data.type.rank)
    found = gather_elements(data, indices, axis, mode="error", wrap_negative=True)
    return result(node, found)


@ONNX.converts(
    "onnx.GatherND",
    {"every form, with batch_dims": "`gs.gather`"},
    refuses=(*COMMON, TUPLES, BATCH),
)
def convert_gather_nd(node: Node) -> Sequence[ir.Value]:
    """Slices at coordinate tuples; since opset 11, with batch_dims since 12."""
    data, indices = node.input(0), node.input(1)
    batch = node.attribute("batch_dims", "int", 0)
    limit = min(data.type.rank, indices.type.rank)
    if not 0 <= batch < limit:
        raise BATCH(limit=limit, found=batch)
    most = data.type.rank - batch
    spare = TensorType.of(node.result_type()).rank - (indices.type.rank - 1)
    indices, count = _with_tuples(indices, most - spare, most)
    dims = range(batch, batch + count)
    found = gather(data, indices, dims, batch_dims=batch, mode="error", wrap_negative=True)
    return result(node, found)


def _with_tuples(indices: ir.Value, ranks: int, most: int) -> tuple[ir.Value, int]:
    """`indices` with a static last dimension, and its size.

    `ranks`: the size that follows from the ranks of the operands and the result.
    """
    shape = list(indices.type.shape)
    if not shape or not 1 <= ranks <= most or shape[-1] not in (DYNAMIC, ranks):
        found = "a dynamic size" if shape and shape[-1] == DYNAMIC else shape[-1:]
        raise TUPLES(ranks=ranks, most=most, found=found)
    type_ = ir.RankedTensorType.get([*shape[:-1], ranks], indices.type.element_type)
    return as_type(indices, type_), ranks


def _reduction(node: Node) -> Combiner | None:
    """The combiner for the reduction attribute, which came with opset 16."""
    name = node.attribute("reduction", "string", "none")
    if name == "none":
        return None
    if name not in ("add", "mul", "min", "max"):
        raise REDUCTION(found=name)
    element = node.type(0).element
    found = combiner(name, element)
    if found is None:
        raise ELEMENTS(name=name, element=element)
    return found


_REDUCTIONS = "reductions none, add, mul, min, max"


@ONNX.converts(
    "onnx.ScatterElements",
    {_REDUCTIONS: "`gs.scatter_elements`"},
    refuses=(*COMMON, AXIS, REDUCTION, ELEMENTS),
)
def convert_scatter_elements(node: Node) -> Sequence[ir.Value]:
    """One coordinate per update, along an axis; since opset 11, reductions since 16 and 18."""
    data, indices, updates = (node.input(number) for number in range(3))
    axis = axis_of(node, data.type.rank)
    found = scatter_elements(
        updates, data, indices, axis, _reduction(node), mode="error", wrap_negative=True
    )
    return result(node, found)


@ONNX.converts("onnx.Scatter", {"every form": "`gs.scatter_elements`"}, refuses=(*COMMON, AXIS))
def convert_old_scatter(node: Node) -> Sequence[ir.Value]:
    """ScatterElements as it was called in opsets 9 and 10."""
    return convert_scatter_elements(node)


@ONNX.converts(
    "onnx.ScatterND",
    {_REDUCTIONS: "`gs.scatter`"},
    refuses=(*COMMON, TUPLES, REDUCTION, ELEMENTS),
)
def convert_scatter_nd(node: Node) -> Sequence[ir.Value]:
    """Slices at coordinate tuples; since opset 11, reductions since 16 and 18."""
    data, indices, updates = (node.input(number) for number in range(3))
    spare = updates.type.rank - (indices.type.rank - 1)
    indices, count = _with_tuples(indices, data.type.rank - spare, data.type.rank)
    dims = range(count)
    found = scatter(
        updates, data, indices, dims, _reduction(node), mode="error", wrap_negative=True
    )
    return result(node, found)
