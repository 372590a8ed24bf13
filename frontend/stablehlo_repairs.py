"""StableHLO that upstream's legalization takes in another sense, spelled so that it does not."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo_common import converted, stablehlo, with_element
from mlir_gs.lowering.builders import walk_named

_LOGICAL = {"add": "or", "maximum": "or", "multiply": "and", "minimum": "and"}


def repair(module: ir.Operation) -> None:
    """All of the rewrites below."""
    logical_on_booleans(module)
    reduce_of_nothing(module)
    wide_products(module)
    reshape_for_unit_dims(module)


def logical_on_booleans(module: ir.Operation) -> None:
    """Sums and products of i1 are logical; upstream takes them for numbers of one bit.

    `stablehlo.add` on i1 --> `stablehlo.or`, and so on for multiply, minimum and maximum.
    """
    boolean = ir.IntegerType.get_signless(1)
    for op in walk_named(module, *(f"stablehlo.{name}" for name in _LOGICAL)):
        type_ = op.results[0].type
        if type_.element_type != boolean:
            continue
        with op.location, ir.InsertionPoint(op):
            name = _LOGICAL[op.name.removeprefix("stablehlo.")]
            op.results[0].replace_all_uses_with(stablehlo(name, type_, *op.operands))
        op.erase()


def reduce_of_nothing(module: ir.Operation) -> None:
    """Reductions that upstream leaves: of no elements, and over no dims.

    `stablehlo.reduce` of nothing --> `stablehlo.broadcast_in_dim` of the initial values;
    `stablehlo.reduce` over no dims --> its inputs, as initial values change nothing.
    """
    for op in walk_named(module, "stablehlo.reduce"):
        count = len(op.results)
        if not list(op.attributes["dimensions"]):
            for old, new in zip(op.results, list(op.operands)[:count], strict=True):
                old.replace_all_uses_with(new)
            op.erase()
            continue
        if 0 not in op.operands[0].type.shape:
            continue
        if not all(result.type.has_static_shape for result in op.results):
            continue
        with op.location, ir.InsertionPoint(op):
            for old, init in zip(op.results, list(op.operands)[count:], strict=True):
                dims = ir.DenseI64ArrayAttr.get([])
                new = stablehlo("broadcast_in_dim", old.type, init, broadcast_dimensions=dims)
                old.replace_all_uses_with(new)
        op.erase()


def wide_products(module: ir.Operation) -> None:
    """Products of matrices of 16-bit floats are summed in f32, as XLA does on CPUs.

    `stablehlo.dot_general` to f16 or bf16 --> the one to f32, converted.
    """
    for op in walk_named(module, "stablehlo.dot_general"):
        type_ = op.results[0].type
        element = type_.element_type
        if not isinstance(element, (ir.F16Type, ir.BF16Type)):
            continue
        wide = ir.F32Type.get()
        with op.location, ir.InsertionPoint(op):
            new = ir.Operation.create(
                op.name,
                results=[with_element(type_, wide)],
                operands=[converted(value, wide) for value in op.operands],
                attributes={
                    name: op.attributes[name]
                    for name in (n if isinstance(n, str) else n.name for n in op.attributes)
                },
            )
            op.results[0].replace_all_uses_with(converted(new.result, element))
        op.erase()


def reshape_for_unit_dims(module: ir.Operation) -> None:
    """A broadcast that only adds dims of size 1 moves nothing; upstream would copy.

    `stablehlo.broadcast_in_dim` of n to n x 1 --> `stablehlo.reshape`.
    """
    for op in walk_named(module, "stablehlo.broadcast_in_dim"):
        source, result = op.operands[0].type, op.results[0].type
        dims = list(op.attributes["broadcast_dimensions"])
        kept = [result.shape[dim] for dim in dims]
        if dims != sorted(dims) or kept != list(source.shape) or not source.has_static_shape:
            continue
        if any(result.shape[dim] != 1 for dim in range(result.rank) if dim not in dims):
            continue
        with op.location, ir.InsertionPoint(op):
            op.results[0].replace_all_uses_with(stablehlo("reshape", result, op.operands[0]))
        op.erase()
