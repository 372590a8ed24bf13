"""Nodes of an ONNX model held against the definitions of their operators, before anything reads
them: what runs over models later takes both for granted."""

from collections.abc import Iterator, Mapping
from functools import cache
from math import isfinite
from typing import Any

from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.onnx.graphs import domain_of, element_types, refuse

DOMAIN = Refusal(
    "nodes of a domain without an opset import in the model",
    "is of domain '{domain}', of which the model imports no operator set",
)
UNKNOWN = Refusal(
    "unknown operators, or operators that share their name with one of ONNX's",
    "is no operator of domain '{domain}' at version {version} that is known",
)
OTHER = Refusal(
    "operators of a domain that neither mlir-gs nor torch-mlir converts, for example ai.onnx.ml",
    "is not supported: nothing converts operators of domain '{domain}'",
)
TAKEN = Refusal(
    "RotaryEmbedding of ONNX, whose inputs come in another order",
    "is not supported: torch-mlir takes it for com.microsoft's",
)
COUNT = Refusal(
    "too many or too few inputs or outputs", "must have {least} to {most} {what}, found {found}"
)
MISSING = Refusal("required inputs and attributes that are left out", "needs {what} '{name}'")
EXTRA = Refusal("unknown attributes", "has no attribute '{name}'")
TWICE = Refusal("attributes given twice", "has attribute '{name}' twice")
KIND = Refusal(
    "attributes of another kind", "attribute '{name}' must be of kind {wanted}, found {found}"
)
VALUE = Refusal(
    "a NaN or infinite factor of Celu, Elu, LeakyRelu or Selu; a Gemm times 0; a flag other than 0 "
    "and 1; fewer than one group; an unknown mode of Resize",
    "attribute '{name}' must be {wanted}, found {found}",
)
TEXT = Refusal("text that is not UTF-8", "attribute '{name}' is not UTF-8")
TYPE = Refusal(
    "an element type that the operator does not take",
    "input '{name}' must have elements of {wanted}, found {found}",
)
CHECKS = (
    *(DOMAIN, UNKNOWN, OTHER, TAKEN, COUNT, MISSING, EXTRA, TWICE, KIND, VALUE, TEXT),
    TYPE,
)

_SUMS = {"Celu", "Elu", "LeakyRelu", "Selu"}
"""torch-mlir adds what they are above and below zero, either of which is 0 times a factor."""

_FLAGS = {"largest", "sorted", "noop_with_empty_axes"}
_MODES = {
    ("Upsample", "mode"): ("nearest", "linear", "cubic"),
    ("Resize", "mode"): ("nearest", "linear", "cubic"),
    ("Resize", "nearest_mode"): (
        "round_prefer_floor",
        "round_prefer_ceil",
        "floor",
        "ceil",
        "simple",
    ),
    ("Resize", "coordinate_transformation_mode"): (
        *("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners"),
        *("asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"),
    ),
}
"""torch-mlir dies of others."""

_OWN = {"com.microsoft": {"GatherBlockQuantized", "RotaryEmbedding"}}
"""Operators of other domains that are converted, whose names may be those of ONNX's."""


def check(onnx: Any, model: Any) -> None:
    """Raises PassFailure with a line for each node that is not as its operator is defined."""
    versions = {domain_of(each.domain): each.version for each in model.opset_import}
    refuse(
        onnx,
        model.graph,
        element_types,
        lambda node, types: _complaints(onnx, node, versions, types),
    )


def _complaints(
    onnx: Any, node: Any, versions: Mapping[str, int], types: Mapping[str, int]
) -> Iterator[Any]:
    domain = domain_of(node.domain)
    if domain not in versions:
        yield DOMAIN(domain=domain)
        return
    schema = schema_of(onnx, node.op_type, domain, versions[domain])
    if domain and domain not in _OWN:
        yield (UNKNOWN if schema is None and _known(onnx, node) else OTHER)(
            domain=domain, version=versions[domain]
        )
        return
    if not domain and node.op_type == "RotaryEmbedding":
        yield TAKEN()
    if schema is None:
        own = node.op_type in _OWN.get(domain, ())
        if not own and (_known(onnx, node) or not domain):
            yield UNKNOWN(domain=domain or "ai.onnx", version=versions[domain])
        return
    yield from _of_values(node, schema)
    yield from _of_attributes(onnx, node, schema)
    yield from _of_elements(onnx, node, schema, types)


def _known(onnx: Any, node: Any) -> bool:
    """Whether ONNX itself has an operator of this name."""
    return schema_of(onnx, node.op_type, "", 1 << 30) is not None


def schema_of(onnx: Any, op: str, domain: str, version: int) -> Any | None:
    """The definition of an operator in a version of the operator set, if it has one."""
    try:
        return onnx.defs.get_schema(op, min(version, (1 << 31) - 1), domain)
    except onnx.defs.SchemaError:
        return None


def _of_values(node: Any, schema: Any) -> Iterator[Any]:
    for what, given, least, most in (
        ("inputs", node.input, schema.min_input, schema.max_input),
        ("outputs", node.output, schema.min_output, schema.max_output),
    ):
        if not least <= len(given) <= most:
            yield COUNT(what=what, least=least, most=most, found=len(given))
    for value, formal in zip(node.input, schema.inputs, strict=False):
        if not value and formal.option.name == "Single":
            yield MISSING(what="input", name=formal.name)


def _of_attributes(onnx: Any, node: Any, schema: Any) -> Iterator[Any]:
    kinds = onnx.AttributeProto
    seen = set()
    for each in node.attribute:
        if each.name in seen:
            yield TWICE(name=each.name)
        seen.add(each.name)
        about = schema.attributes.get(each.name)
        if about is None:
            yield EXTRA(name=each.name)
            continue
        if each.type != about.type.value:
            found = kinds.AttributeType.Name(each.type)
            yield KIND(name=each.name, wanted=about.type.name, found=found)
        elif not all(_is_text(held) for held in (each.s, *each.strings)):
            yield TEXT(name=each.name)
        elif node.op_type in _SUMS and not isfinite(each.f):
            yield VALUE(name=each.name, wanted="finite", found=each.f)
        elif each.name in _FLAGS and each.i not in (0, 1):
            yield VALUE(name=each.name, wanted="0 or 1", found=each.i)
        elif (node.op_type, each.name) == ("Gemm", "alpha") and each.f == 0:
            yield VALUE(name=each.name, wanted="other than 0", found=each.f)
        elif each.name == "group" and each.i < 1:
            yield VALUE(name=each.name, wanted="1 or more", found=each.i)
        elif (node.op_type, each.name) in _MODES:
            known, found = _MODES[node.op_type, each.name], each.s.decode()
            if found not in known:
                yield VALUE(name=each.name, wanted=" or ".join(known), found=found)
    for about in schema.attributes.values():
        if about.required and about.name not in seen:
            yield MISSING(what="attribute", name=about.name)


def _is_text(held: bytes) -> bool:
    try:
        held.decode()
    except UnicodeDecodeError:
        return False
    return True


def _of_elements(onnx: Any, node: Any, schema: Any, types: Mapping[str, int]) -> Iterator[Any]:
    """Whether elements are of a type that some version of the operator takes there, and of one type
    where it has one name for them."""
    bound: dict[str, str] = {}
    for number, value in enumerate(node.input):
        formal = schema.inputs[min(number, len(schema.inputs) - 1)]
        kind = types.get(value, 0)
        if not value or not kind:
            continue
        found = f"tensor({onnx.TensorProto.DataType.Name(kind).lower()})"
        allowed = _allowed(onnx, node.op_type, schema.domain, formal.type_str)
        if allowed and found not in allowed:
            wanted = ", ".join(sorted(each[7:-1] for each in allowed if each.startswith("tensor(")))
            yield TYPE(name=formal.name, wanted=wanted, found=found[7:-1])
        elif formal.is_homogeneous and bound.setdefault(formal.type_str, found) != found:
            yield TYPE(name=formal.name, wanted=bound[formal.type_str][7:-1], found=found[7:-1])


@cache
def _allowed(onnx: Any, op: str, domain: str, type_: str) -> frozenset[str]:
    """The types that a type variable of an operator, or a type, stands for in any version."""
    if "(" in type_:
        return frozenset([type_])
    return frozenset(
        each
        for schema in onnx.defs.get_all_schemas_with_history()
        if (schema.domain, schema.name) == (domain, op)
        for about in schema.type_constraints
        if about.type_param_str == type_
        for each in about.allowed_type_strs
    )
