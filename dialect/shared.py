"""Attributes and regions of the named ops: promises, bounds, combiners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import fail, items

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


def check_batch_dims(op: ir.OpView, batch: int, limit: int, why: str) -> bool:
    """`batch_dims` lies in [0, limit]."""
    if not 0 <= batch <= limit:
        return fail(op, f"attribute 'batch_dims' must be in [0, {limit}] ({why}), found {batch}")
    return True


def check_mode(op: ir.OpView, modes: Sequence[str]) -> bool:
    """`mode` is one of `modes`, and `fill_value` is given only with mode "fill"."""
    bounds = Bounds.of(op)
    if bounds.mode not in modes:
        return fail(
            op, f"attribute 'mode' must be one of {', '.join(modes)}, found \"{bounds.mode}\""
        )
    if bounds.fill_value is not None and bounds.mode != "fill":
        return fail(op, f'attribute \'fill_value\' needs mode = "fill", found "{bounds.mode}"')
    return True


def check_fill(op: ir.OpView, name: str, element: ir.Type, value: ir.Attribute | None) -> bool:
    """`value` is a constant of type `element`; without one the type must have a default."""
    if isinstance(element, ir.ComplexType) and isinstance(element.element_type, ir.IntegerType):
        return fail(op, f"attribute '{name}': {element} has integer parts, which nothing fills")
    if value is None:
        if has_default_fill(element):
            return True
        return fail(op, f"requires attribute '{name}': {element} has no NaN to fill with")
    if _is_constant_of(value, element):
        return True
    return fail(op, f"attribute '{name}' must be a constant of type {element}, found {value}")


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


def check_combiner(op: ir.OpView, region: ir.Region, element: ir.Type, required: bool) -> bool:
    """`region` is empty, or one block (current, update) of `element`s that yields one."""
    if len(region.blocks) == 0:
        if required:
            return fail(op, "requires a combiner region: (current, update) -> new")
        return True
    return check_body(op, "combiner region", region, [element, element], [element])


def check_body(
    op: ir.OpView,
    what: str,
    region: ir.Region,
    arguments: Sequence[ir.Type],
    yields: Sequence[ir.Type],
) -> bool:
    """`region` is one block with these arguments that ends in a `gs.yield` of these types."""
    if len(region.blocks) != 1:
        return fail(op, f"{what} must have one block, found {len(region.blocks)}")
    block = region.blocks[0]
    found = [argument.type for argument in block.arguments]
    if found != list(arguments):
        return fail(op, f"{what} must take {_types(arguments)}, found {_types(found)}")
    operations = list(block.operations)
    if not operations or operations[-1].operation.name != "gs.yield":
        return fail(op, f"{what} must end in gs.yield")
    found = [value.type for value in operations[-1].operands]
    if found != list(yields):
        return fail(op, f"{what} must yield {_types(yields)}, found {_types(found)}")
    return True


def _types(types: Sequence[ir.Type]) -> str:
    return "(" + ", ".join(str(t) for t in types) + ")"
