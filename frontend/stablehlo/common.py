"""StableHLO's front end object, its bindings, and the values that its conversions share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mlir_gs.dialect._bindings import PassManager, dialect, ir, module
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import FrontEnd, Refusal
from mlir_gs.lowering.ir.builders import constant_of, element_of, index, walk_named, with_elements
from mlir_gs.lowering.ir.emit import Ix, size_of
from mlir_gs.lowering.passes.conditions import names_in
from mlir_gs.lowering.passes.registry import register_more

tensor = dialect("tensor")
arith = dialect("arith")

NOT_CONVERTED = Refusal(
    "ops that nothing converts: collectives, FFT, convolutions of unusual forms, random bits",
    "is not supported: neither mlir-gs nor upstream's legalization to linalg converts it",
)
SHARDS = Refusal(
    "programs for the shards of several devices: jax.shard_map",
    "computes on the shards of several devices (jax.shard_map): make its mesh of one device",
)
ARTIFACT = Refusal(
    "portable artifacts of other versions, or with shardings",
    "portable artifact of {producer} cannot be read by StableHLO {version}: {reason}",
)

QUANTIZED = Refusal(
    "quantized elements", "has quantized elements, which are not supported: {found}"
)
NO_FLOATS = Refusal(
    "functions of chlo on elements that are not floats",
    "must have operands of float elements, found {found}",
)

STABLEHLO = FrontEnd(
    "StableHLO, as JAX emits it",
    "convert-stablehlo-to-gs",
    refuses=(NOT_CONVERTED, SHARDS, ARTIFACT, QUANTIZED, NO_FLOATS),
)
UPSTREAM = FrontEnd("StableHLO that upstream leaves", "convert-stablehlo-to-upstream")


def bindings() -> Any:
    """The provider's `_stablehlo` extension, with StableHLO's passes registered."""
    library = module("_mlir_libs._stablehlo")
    library.register_stablehlo_passes()
    return library


register_more(bindings)


def register_dialects(context: ir.Context) -> None:
    """Make `context` know the dialects of StableHLO modules: stablehlo, chlo and their types."""
    bindings().register_dialect(context)
    if context.is_dialect_loaded("chlo"):
        return
    with context, ir.Location.unknown(context):
        # The bindings do not register chlo by itself; a pass that builds its ops brings it.
        manager = PassManager.parse("builtin.module(func.func(stablehlo-complex-math-expander))")
        manager.run(ir.Module.create().operation)


def stablehlo(name: str, result: ir.Type, *operands: ir.Value, **attributes: ir.Attribute) -> Any:
    """Build the one-result op `stablehlo.<name>`; its result."""
    op = ir.Operation.create(
        f"stablehlo.{name}", results=[result], operands=operands, attributes=attributes
    )
    return op.result


def fill_combiner(op: ir.Operation, element: ir.Type, by: str | Callable[..., ir.Value]) -> None:
    """Let the region of `op` return what `by`, an op of StableHLO or a builder, makes of two
    scalars of `element`."""
    scalar = ir.RankedTensorType.get([], element)
    block = op.regions[0].blocks.append(scalar, scalar, arg_locs=[op.location] * 2)
    with ir.InsertionPoint(block):
        given = block.arguments
        found = stablehlo(by, scalar, *given) if isinstance(by, str) else by(*given)
        ir.Operation.create("stablehlo.return", operands=[found])


Rewrites = Mapping[str, Sequence[Callable[[ir.Operation], ir.Value | None]]]
"""By the name of an op, what gives the value to take in the place of its result; None: stays."""


def rewrite(module: ir.Operation, rewrites: Rewrites) -> None:
    """Replace ops by what the first that fits gives."""
    names = names_in(module)
    for name, each in rewrites.items():
        is_new = False
        for op in walk_named(module, name) if name in names else ():
            with op.location, ir.InsertionPoint(op):
                found = next((new for one in each if (new := one(op)) is not None), None)
            if found is not None:
                op.results[0].replace_all_uses_with(found)
                op.erase()
                is_new = True
        names = names_in(module) if is_new else names


def is_unsigned(type_: ir.Type) -> bool:
    """Whether a type, or the elements of a shaped type, are unsigned integers."""
    element = element_of(type_)
    return isinstance(element, ir.IntegerType) and element.is_unsigned


def converted(value: ir.Value, element: ir.Type) -> ir.Value:
    """`value` with its elements converted to `element`, as StableHLO converts."""
    if value.type.element_type == element:
        return value
    return stablehlo("convert", with_elements(value.type, element), value)


def coordinates(value: ir.Value) -> ir.Value:
    """Start indices as signed numbers: upstream makes unsigned types signless later on."""
    element = value.type.element_type
    if not element.is_unsigned:
        return value
    wide = ir.IntegerType.get_signless(64 if element.width >= 32 else 32)
    if element.width == 64:
        scalar = ir.RankedTensorType.get([], element)
        least, most = (
            stablehlo(
                "constant",
                scalar,
                value=ir.DenseElementsAttr.get_splat(scalar, ir.IntegerAttr.get(element, number)),
            )
            for number in (0, (1 << 63) - 1)
        )
        value = stablehlo("clamp", value.type, least, value, most)
    return converted(value, wide)


def element(value: ir.Value, position: int) -> Ix:
    """Element `position` of a 0-d or 1-d integer tensor, as an index; a number where it is known.

    Shapes are computed by ops that only pack and unpack sizes: those are looked through.
    """
    owner = value.owner
    name = "" if isinstance(owner, ir.Block) else owner.name
    if name == "stablehlo.constant":
        return int(ir.DenseIntElementsAttr(owner.attributes["value"])[position])
    if name in ("stablehlo.reshape", "stablehlo.convert"):
        return element(owner.operands[0], position)
    if name == "stablehlo.concatenate":
        for operand in owner.operands:
            count = operand.type.shape[0]
            if count == DYNAMIC:
                break
            if position < count:
                return element(operand, position)
            position -= count
    if name == "stablehlo.get_dimension_size":
        return size_of(owner.operands[0], ir.IntegerAttr(owner.attributes["dimension"]).value)
    if name == "tensor.from_elements":
        return _as_index(owner.operands[position])
    return _as_index(tensor.extract(value, [index(position)] * value.type.rank))


def _as_index(number: ir.Value) -> ir.Value:
    if isinstance(number.type, ir.IndexType):
        return number
    owner = number.owner
    if not isinstance(owner, ir.Block) and owner.name == "arith.index_cast":
        return owner.operands[0]
    return arith.index_cast(ir.IndexType.get(), number)


def is_size(extent: Ix, value: ir.Value, position: int) -> bool:
    """Whether `extent` is known to be the size of `value` in that dimension."""
    known = value.type.shape[position]
    if isinstance(extent, int) or known != DYNAMIC:
        return extent == known
    owner = extent.owner
    return (
        not isinstance(owner, ir.Block)
        and owner.name == "tensor.dim"
        and owner.operands[0] == value
        and constant_of(owner.operands[1]) == position
    )


def flag(op: ir.OpView, name: str) -> bool:
    """Whether the optional boolean attribute `name` is there and true."""
    return name in op.attributes and ir.BoolAttr(op.attributes[name]).value
