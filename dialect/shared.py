"""Attributes and regions of the named ops: promises, bounds, combiners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC, Wrong, items

GatherMode = Literal["promise_in_bounds", "clip", "fill", "error"]
ScatterMode = Literal["promise_in_bounds", "clip", "drop", "error"]
GATHER_MODES = get_args(GatherMode)
SCATTER_MODES = get_args(ScatterMode)

PROMISES = {"unique": ir.UnitAttr, "sorted": ir.UnitAttr}
BOUNDS = {"mode": ir.StringAttr, "wrap_negative": ir.UnitAttr}
FILL = {"fill_value": ir.Attribute}
BATCH = {"batch_dims": ir.IntegerAttr}


@dataclass(frozen=True)
class Bounds:
    """How a named op treats coordinates: its `mode`, `wrap_negative` and `fill_value`."""

    mode: str = "promise_in_bounds"
    wrap_negative: bool = False
    fill_value: ir.Attribute | None = None

    @classmethod
    def of(cls, op: ir.OpView) -> "Bounds":
        attributes = op.attributes
        return cls(
            attributes["mode"].value if "mode" in attributes else "promise_in_bounds",
            "wrap_negative" in attributes,
            attributes.get("fill_value"),
        )

    @property
    def of_generic(self) -> str:
        """The mode as `gs.generic` calls it."""
        return "fill_or_drop" if self.mode in ("fill", "drop") else self.mode


def batch_dims(op: ir.OpView) -> int:
    return op.attributes["batch_dims"].value if "batch_dims" in op.attributes else 0


def check_bounds(
    op: ir.OpView,
    modes: Sequence[str],
    name: str,
    type_: ir.ShapedType,
    dims: Sequence[int],
    *moved: Sequence[int],
) -> None:
    """`mode` is one of `modes`, and `fill_value` fits it. Under clip no addressed dim of operand
    `name` has size 0, to which no coordinate can be clipped, unless one of the shapes `moved` is
    or may be empty."""
    bounds = Bounds.of(op)
    if bounds.mode not in modes:
        raise Wrong(f"attribute 'mode' must be one of {', '.join(modes)}, found \"{bounds.mode}\"")
    if bounds.mode == "fill":
        check_fill("fill_value", type_.element_type, bounds.fill_value)
    elif bounds.fill_value is not None:
        raise Wrong(f'attribute \'fill_value\' needs mode = "fill", found "{bounds.mode}"')
    empty = [dim for dim in dims if type_.shape[dim] == 0] if bounds.mode == "clip" else []
    if empty and not any(size in (0, DYNAMIC) for shape in moved for size in shape):
        needs = 'mode "clip" needs a non-empty dimension'
        raise Wrong(f"{needs}: dim {empty[0]} of '{name}' has size 0")


def check_fill(name: str, element: ir.Type, value: ir.Attribute | None) -> None:
    """`value` is a constant of type `element`; without one the type must have a default."""
    if isinstance(element, ir.ComplexType) and isinstance(element.element_type, ir.IntegerType):
        raise Wrong(f"attribute '{name}': {element} has integer parts, which nothing fills")
    if value is None:
        if not has_default_fill(element):
            raise Wrong(f"requires attribute '{name}': {element} has no NaN to fill with")
    elif not _is_constant_of(value, element):
        raise Wrong(f"attribute '{name}' must be a constant of type {element}, found {value}")


def _is_constant_of(value: ir.Attribute, element: ir.Type) -> bool:
    if isinstance(element, ir.ComplexType):
        return (
            isinstance(value, ir.ArrayAttr)
            and len(value) == 2
            and all(_is_constant_of(part, element.element_type) for part in items(value))
        )
    if isinstance(value, ir.BoolAttr):
        return isinstance(element, ir.IntegerType) and element.is_signless and element.width == 1
    return isinstance(value, (ir.IntegerAttr, ir.FloatAttr)) and value.type == element


# Float kinds without a NaN pattern: they saturate, and filling needs an explicit value.
_NO_NAN = ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN")


def has_default_fill(element: ir.Type) -> bool:
    if isinstance(element, ir.ComplexType):
        element = element.element_type
    return str(element) not in _NO_NAN


def check_combiner(region: ir.Region, element: ir.Type, required: bool) -> None:
    """`region` is empty, or one block (current, update) of `element`s that yields one."""
    if len(region.blocks):
        check_body("combiner region", region, [element, element], [element])
    elif required:
        raise Wrong("requires a combiner region: (current, update) -> new")


def check_body(
    what: str, region: ir.Region, arguments: Sequence[ir.Type], yields: Sequence[ir.Type]
) -> None:
    """`region` is one block with these arguments that ends in a `gs.yield` of these types."""
    if len(region.blocks) != 1:
        raise Wrong(f"{what} must have one block, found {len(region.blocks)}")
    block = region.blocks[0]
    found = [argument.type for argument in block.arguments]
    if found != list(arguments):
        raise Wrong(f"{what} must take {_types(arguments)}, found {_types(found)}")
    operations = list(block.operations)
    if not operations or operations[-1].operation.name != "gs.yield":
        raise Wrong(f"{what} must end in gs.yield")
    found = [value.type for value in operations[-1].operands]
    if found != list(yields):
        raise Wrong(f"{what} must yield {_types(yields)}, found {_types(found)}")


def _types(types: Sequence[ir.Type]) -> str:
    return "(" + ", ".join(str(t) for t in types) + ")"
