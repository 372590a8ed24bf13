"""Ranks and sizes that torch-mlir's conversions of ONNX take for granted: they read behind the end
of a list of sizes that is too short."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.onnx.check import schema_of
from mlir_gs.frontend.onnx.graphs import domain_of, graphs, known_size, refuse, shapes
from mlir_gs.frontend.onnx.infer import infer

SHAPE = Refusal(
    "inputs of LSTM, GRU, RNN and Resize of another rank; factors or sizes of a picture that are "
    "not one for each dim; more than one batch or class of NonMaxSuppression",
    "input '{name}' must have {wanted}, found {found}",
)
AXIS = Refusal("axes out of range", "{name} must be in [-{rank}, {most}), found {axis}")
TERMS = Refusal(
    "an Einsum equation that does not match the inputs",
    "equation '{equation}' must have {wanted}, found {found}",
)
SAME = Refusal(
    "axes or ngram_indexes (TfIdfVectorizer) given twice",
    "{name} must differ, found {found}",
)
CHECKS = (SHAPE, AXIS, TERMS, SAME)

_RECURRENT = {"LSTM", "GRU", "RNN"}
_RECURRENT_RANKS = (3, 3, 3, 2, 1, 3, 3, 2)
_FREE_AXIS = {"OneHot", "QuantizeLinear", "DequantizeLinear", "ConcatFromSequence"}
"""Operators whose axis is that of a new dim, or is not always looked at."""

Shape = Sequence[int | None]


def check_layers(onnx: Any, model: Any) -> None:
    """Raises PassFailure for a LayerNormalization whose axis is behind the dims: shape inference,
    which runs later, would write there."""
    copy = type(model)()
    copy.CopyFrom(model)
    given = [each.i for each in _layer_axes(onnx, copy)]
    if max(given, default=-1) < 0:
        return
    for each in _layer_axes(onnx, copy):
        each.i = -1
    found = infer(onnx, copy)
    for each, axis in zip(_layer_axes(onnx, found), given, strict=True):
        each.i = axis
    check_ranks(onnx, found)


def _layer_axes(onnx: Any, model: Any) -> list[Any]:
    return [
        attribute
        for graph in graphs(onnx, model.graph)
        for node in graph.node
        if node.op_type == "LayerNormalization"
        for attribute in node.attribute
        if attribute.name == "axis"
    ]


def check_ranks(onnx: Any, model: Any) -> None:
    """Raises PassFailure with a line for each node whose inputs' ranks and sizes do not fit it.
    Shapes have to be inferred; what is not known is not looked at."""
    versions = {domain_of(each.domain): each.version for each in model.opset_import}

    def complaints(node: Any, known: Mapping[str, Shape]) -> Iterator[Any]:
        schema = schema_of(onnx, node.op_type, "", versions.get("", 0))
        if schema is not None and not domain_of(node.domain):
            inputs = [known.get(value) if value else None for value in node.input]
            yield from _complaints(onnx, node, schema, inputs)

    refuse(onnx, model.graph, lambda graph: shapes(graph, known_size), complaints)


def _complaints(onnx: Any, node: Any, schema: Any, inputs: Sequence[Shape | None]) -> Iterator[Any]:
    given = {each.name: each for each in node.attribute}
    if node.op_type in _RECURRENT:
        pairs = zip(schema.inputs, inputs, _RECURRENT_RANKS, strict=False)
        for formal, shape, rank in pairs:
            if shape is not None and len(shape) != rank:
                yield SHAPE(name=formal.name, wanted=f"rank {rank}", found=len(shape))
    if node.op_type in ("Upsample", "Resize"):
        yield from _of_factors(node, given, inputs)
    if node.op_type == "Einsum":
        yield from _of_equation(given["equation"].s.decode(), inputs)
    indexes = list(given["ngram_indexes"].ints) if node.op_type == "TfIdfVectorizer" else []
    if len(set(indexes)) < len(indexes):
        yield SAME(name="ngram_indexes", found=indexes)
    if inputs and inputs[0] is not None and node.op_type not in _FREE_AXIS:
        yield from _of_axes(onnx, node, schema, len(inputs[0]))


def _of_axes(onnx: Any, node: Any, schema: Any, rank: int) -> Iterator[Any]:
    given = {each.name: each for each in node.attribute}
    if "axes" in given and rank:
        axes = list(given["axes"].ints)
        period = rank + len(axes) if node.op_type == "Unsqueeze" else rank
        if len({axis % period for axis in axes}) < len(axes):
            yield SAME(name="axes", found=axes)
    most = rank + 1 if node.op_type == "Flatten" else rank
    for axis in ("axis", "batch_axis", "time_axis"):
        if axis in schema.attributes:
            held = given.get(axis, schema.attributes[axis].default_value)
            if held.type == onnx.AttributeProto.INT and not -rank <= held.i < most:
                yield AXIS(name=axis, rank=rank, most=most, axis=held.i)


def _of_factors(node: Any, given: Any, inputs: Sequence[Shape | None]) -> Iterator[Any]:
    lists = {"Upsample": ["scales"], "Resize": ["scales", "sizes"]}[node.op_type]
    if inputs[0] is None:
        return
    if len(inputs[0]) < 3:
        # torch-mlir dies of them.
        yield SHAPE(name="X", wanted="rank 3 or more", found=len(inputs[0]))
    wanted = len(given["axes"].ints) if "axes" in given else len(inputs[0])
    first = 2 if len(lists) == 2 and len(inputs) > 2 else 1
    # An empty list of factors stands for none where sizes are given.
    allowed = [[wanted], [0]] if len(inputs) > 3 else [[wanted]]
    for shape, formal in zip(inputs[first:], lists, strict=False):
        if shape is not None and shape not in allowed:
            found = ["?" if size is None else size for size in shape]
            yield SHAPE(
                name=formal, wanted=f"{wanted} numbers", found=f"[{', '.join(map(str, found))}]"
            )


def _of_equation(equation: str, inputs: Sequence[Shape | None]) -> Iterator[Any]:
    terms = equation.replace(" ", "").split("->")[0].split(",")
    if len(terms) != len(inputs):
        wanted = f"a term for each of {len(inputs)} inputs"
        yield TERMS(equation=equation, wanted=wanted, found=len(terms))
        return
    if not any(map(str.isalpha, equation)) and not any(inputs):
        yield TERMS(equation=equation, wanted="a letter", found="none")
    for number, (term, shape) in enumerate(zip(terms, inputs, strict=True)):
        letters = len(term.replace("...", ""))
        fits = shape is None or (len(shape) >= letters if "..." in term else len(shape) == letters)
        if not fits:
            wanted = f"a letter for each dim of input {number} ({len(shape or ())})"
            yield TERMS(equation=equation, wanted=wanted, found=letters)
