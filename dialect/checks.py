"""Checks that the verifiers share, and how MLIR calls a verifier. A check raises Wrong.

What it says names the operand or attribute, what was expected and what was found.
"""

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from mlir_gs.dialect._bindings import ext, ir
from mlir_gs.dialect.current_op import emit_error

DYNAMIC = ir.ShapedType.get_dynamic_size()


class Wrong(Exception):
    """A constraint of an op does not hold; the text goes on after the op's name."""


def reported(check: Callable[[Any], None]) -> Callable[[Any], bool]:
    """A verifier as MLIR calls it: whether `check` of the op raises no Wrong, else the error."""

    def verify(op: Any) -> bool:
        try:
            check(op)
        except Wrong as wrong:
            emit_error(op, f"'{op.OPERATION_NAME}' op {wrong}")
            return False
        return True

    return verify


def verifier(check: Callable[[Any], None]) -> Callable[[Any], bool]:
    """`verify_invariants` of an op's class: the op has the parts that its class declares, and
    `check` raises no Wrong."""

    def verify(op: Any) -> None:
        check_parts(op)
        check(op)

    return reported(verify)


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def check_parts(op: ir.OpView) -> None:
    """The op has as many operands, results and regions as its class declares, where that is a fixed
    number, and its attributes."""
    parts = (op.operands, op.results, op.regions)
    for (noun, expected), found in zip(_counts(type(op)), parts, strict=True):
        if expected is not None and len(found) != expected:
            raise Wrong(f"expects {plural(expected, noun)}, found {len(found)}")
    check_attributes(op)


has_declared_parts = reported(check_parts)


@cache
def _counts(op_class: Any) -> list[tuple[str, int | None]]:
    operands, _, results, regions = ext.partition_fields(op_class._fields)
    fixed = ext.Variadicity.single
    return [
        (noun, len(fields) if all(each.variadicity == fixed for each in fields) else None)
        for noun, fields in (("operand", operands), ("result", results), ("region", regions))
    ]


@dataclass(frozen=True)
class Attributes:
    """The attributes that an op has, name to kind."""

    required: Mapping[str, type] = field(default_factory=dict)
    optional: Mapping[str, type] = field(default_factory=dict)


def check_attributes(op: ir.OpView) -> None:
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
        raise Wrong(f"has no attribute '{name}'{hint}")
    for name in required:
        if name not in op.attributes:
            raise Wrong(f"requires attribute '{name}'")
    for name, kind in known.items():
        if name in op.attributes:
            found = item(op.attributes, name)
            if not isinstance(found, kind):
                raise Wrong(f"attribute '{name}' must be {KINDS[kind]}, found {found}")


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


def check_tensor(name: str, type_: ir.Type, min_rank: int = 0) -> None:
    """`type_` is a ranked tensor of an element type that memory can hold."""
    _check_ranked(name, type_)
    check_element(name, type_)
    _check_rank(name, type_, min_rank)


def check_indices(name: str, type_: ir.Type, min_rank: int = 0) -> None:
    """`type_` is a ranked tensor of coordinates."""
    _check_ranked(name, type_)
    check_coordinates(name, type_)
    _check_rank(name, type_, min_rank)


def _check_ranked(name: str, type_: ir.Type) -> None:
    if not isinstance(type_, ir.RankedTensorType):
        raise Wrong(f"operand '{name}' must be a ranked tensor, found {type_}")


def _check_rank(name: str, type_: ir.ShapedType, min_rank: int) -> None:
    if type_.rank < min_rank:
        raise Wrong(f"operand '{name}' must have rank {min_rank} or more, found rank {type_.rank}")


def check_element(name: str, type_: ir.ShapedType) -> None:
    """The element type is an integer, float, complex or index type."""
    element = type_.element_type
    if not isinstance(element, (ir.IntegerType, ir.FloatType, ir.ComplexType, ir.IndexType)):
        wanted = "integer, float, complex or index elements"
        raise Wrong(f"operand '{name}' must have {wanted}, found {element}")


def check_coordinates(name: str, type_: ir.ShapedType) -> None:
    """The element type of `name` can hold coordinates."""
    element = type_.element_type
    if not isinstance(element, (ir.IndexType, ir.IntegerType)):
        wanted = "index or integer elements (coordinates)"
        raise Wrong(f"operand '{name}' must have {wanted}, found {element}")


def check_dims(name: str, dims: Sequence[int], first: int, rank: int) -> None:
    """`dims` are strictly increasing and lie in [first, rank)."""
    if not dims:
        raise Wrong(f"attribute '{name}' must be non-empty")
    for dim in dims:
        if not first <= dim < rank:
            raise Wrong(f"attribute '{name}' must hold dims in [{first}, {rank}), found {dim}")
    if any(a >= b for a, b in pairwise(dims)):
        raise Wrong(f"attribute '{name}' must be strictly increasing, found {list(dims)}")


def check_between(name: str, value: int, end: int) -> None:
    """An attribute lies in [0, end)."""
    if not 0 <= value < end:
        raise Wrong(f"attribute '{name}' must be in [0, {end}), found {value}")


def check_entries(op: ir.OpView, names: Sequence[str], rank: int, of: str) -> list[list[int]]:
    """Each array has one entry per dim `of` the source; the arrays."""
    arrays = [list(op.attributes[name]) for name in names]
    for name, array in zip(names, arrays, strict=True):
        if len(array) != rank:
            wanted = f"one entry per dim{of} ({rank})"
            raise Wrong(f"attribute '{name}' must have {wanted}, found {len(array)}")
    return arrays


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


def check_shape(type_: ir.ShapedType, shape: Sequence[int]) -> None:
    """`type_`, that of the result, can have `shape` at run time."""
    if not compatible_shapes(type_.shape, shape):
        expected = shape_text(shape, type_.element_type)
        raise Wrong(f"result must be {expected}, found {type_}")


def check_one_of(what: str, type_: ir.Type, expected: Collection[ir.Type]) -> None:
    """`type_` is exactly one of `expected`."""
    if type_ not in expected:
        wanted = " or ".join(str(e) for e in dict.fromkeys(expected))
        raise Wrong(f"{what} must be {wanted}, found {type_}")
