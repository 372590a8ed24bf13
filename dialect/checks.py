"""Checks that the verifiers share. Each emits one diagnostic and returns False, or returns True.

A diagnostic names the op, the operand or attribute, what was expected and what was found.
"""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.current_op import emit_error

DYNAMIC = ir.ShapedType.get_dynamic_size()


def fail(op: ir.OpView, message: str) -> bool:
    """Emit `'<op name>' op <message>` at the op's location; always False."""
    emit_error(op, f"'{op.OPERATION_NAME}' op {message}")
    return False


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def check_counts(op: ir.OpView, operands: int, results: int, regions: int = 0) -> bool:
    """The op has exactly these many operands, results and regions."""
    for noun, expected, found in (
        ("operand", operands, len(op.operands)),
        ("result", results, len(op.results)),
        ("region", regions, len(op.regions)),
    ):
        if found != expected:
            return fail(op, f"expects {plural(expected, noun)}, found {found}")
    return True


@dataclass(frozen=True)
class Attributes:
    """The attributes that an op has, name to kind."""

    required: Mapping[str, type] = field(default_factory=dict)
    optional: Mapping[str, type] = field(default_factory=dict)


def check_attributes(op: ir.OpView) -> bool:
    """Required attributes are there, all are of their kind, and no name is misspelt.

    The op's class says in `ATTRIBUTES` which it has. Names with a dot are discardable attributes
    of some dialect and pass.
    """
    required = op.ATTRIBUTES.required
    known = {**required, **op.ATTRIBUTES.optional}
    for name in op.attributes:
        if name in known or "." in name:
            continue
        close = difflib.get_close_matches(name, known, n=1)
        names = ", ".join(sorted(known)) or "none"
        hint = f"; did you mean '{close[0]}'?" if close else f"; it has {names}"
        return fail(op, f"has no attribute '{name}'{hint}")
    for name in required:
        if name not in op.attributes:
            return fail(op, f"requires attribute '{name}'")
    for name, kind in known.items():
        if name in op.attributes:
            found = item(op.attributes, name)
            if not isinstance(found, kind):
                return fail(op, f"attribute '{name}' must be {KINDS[kind]}, found {found}")
    return True


def item(holder: Any, key: Any) -> Any:
    """`holder[key]`, where `holder` are attributes of an op or an ArrayAttr.

    The bindings cannot give a location that is stored as an attribute: then it is a text.
    """
    try:
        return holder[key]
    except TypeError:
        return "a location"


def items(array: ir.ArrayAttr) -> list[Any]:
    """The entries of `array`, as `item` gives them."""
    return [item(array, position) for position in range(len(array))]


KINDS = {
    ir.DenseI64ArrayAttr: "an array of i64, like array<i64: 0, 2>",
    ir.DenseI32ArrayAttr: "an array of i32, like array<i32: 1, 0>",
    ir.DenseBoolArrayAttr: "an array of i1, like array<i1: true, false>",
    ir.IntegerAttr: "an integer, like 0 : i64",
    ir.StringAttr: "a string",
    ir.UnitAttr: "a unit attribute (no value)",
    ir.ArrayAttr: "an array, like [...]",
    ir.DictAttr: "a dictionary, like {threads = 2}",
    ir.Attribute: "a constant of the element type",
}


def check_tensor(op: ir.OpView, name: str, type_: ir.Type, min_rank: int = 0) -> bool:
    """`type_` is a ranked tensor of an element type that memory can hold."""
    return (
        _check_ranked(op, name, type_)
        and check_element(op, name, type_)
        and check_rank(op, name, type_, min_rank)
    )


def check_indices(op: ir.OpView, name: str, type_: ir.Type, min_rank: int = 0) -> bool:
    """`type_` is a ranked tensor of coordinates."""
    return (
        _check_ranked(op, name, type_)
        and check_coordinates(op, name, type_)
        and check_rank(op, name, type_, min_rank)
    )


def _check_ranked(op: ir.OpView, name: str, type_: ir.Type) -> bool:
    if isinstance(type_, ir.RankedTensorType):
        return True
    return fail(op, f"operand '{name}' must be a ranked tensor, found {type_}")


def check_rank(op: ir.OpView, name: str, type_: ir.ShapedType, min_rank: int) -> bool:
    if type_.rank < min_rank:
        return fail(
            op, f"operand '{name}' must have rank {min_rank} or more, found rank {type_.rank}"
        )
    return True


def check_element(op: ir.OpView, name: str, type_: ir.ShapedType) -> bool:
    """The element type is an integer, float, complex or index type."""
    element = type_.element_type
    if isinstance(element, (ir.IntegerType, ir.FloatType, ir.ComplexType, ir.IndexType)):
        return True
    return fail(
        op,
        f"operand '{name}' must have integer, float, complex or index elements, found {element}",
    )


def check_coordinates(op: ir.OpView, name: str, type_: ir.ShapedType) -> bool:
    """The element type of `name` can hold coordinates."""
    if not isinstance(type_.element_type, (ir.IndexType, ir.IntegerType)):
        return fail(
            op,
            f"operand '{name}' must have index or integer elements (coordinates), "
            f"found {type_.element_type}",
        )
    return True


def check_dims(op: ir.OpView, name: str, dims: Sequence[int], first: int, rank: int) -> bool:
    """`dims` are strictly increasing and lie in [first, rank)."""
    if not dims:
        return fail(op, f"attribute '{name}' must be non-empty")
    for dim in dims:
        if not first <= dim < rank:
            return fail(op, f"attribute '{name}' must hold dims in [{first}, {rank}), found {dim}")
    if any(a >= b for a, b in pairwise(dims)):
        return fail(op, f"attribute '{name}' must be strictly increasing, found {list(dims)}")
    return True


def compatible(a: int, b: int) -> bool:
    """Two sizes can be equal at run time."""
    return a == b or DYNAMIC in (a, b)


def compatible_shapes(a: Sequence[int], b: Sequence[int]) -> bool:
    return len(a) == len(b) and all(compatible(x, y) for x, y in zip(a, b, strict=True))


def merged(a: int, b: int) -> int:
    """The more static of two compatible sizes."""
    return b if a == DYNAMIC else a


def shape_text(shape: Sequence[int], element: ir.Type) -> str:
    """A shape as MLIR writes a tensor type."""
    dims = "".join(("?" if size == DYNAMIC else str(size)) + "x" for size in shape)
    return f"tensor<{dims}{element}>"


def check_shape(op: ir.OpView, type_: ir.ShapedType, shape: Sequence[int]) -> bool:
    """`type_`, that of the result, can have `shape` at run time."""
    if compatible_shapes(type_.shape, shape):
        return True
    expected = shape_text(shape, type_.element_type)
    return fail(op, f"result must be {expected}, found {type_}")


def check_one_of(op: ir.OpView, what: str, type_: ir.Type, expected: Collection[ir.Type]) -> bool:
    """`type_` is exactly one of `expected`."""
    if type_ in expected:
        return True
    wanted = " or ".join(str(e) for e in dict.fromkeys(expected))
    return fail(op, f"{what} must be {wanted}, found {type_}")
