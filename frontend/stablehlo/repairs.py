"""StableHLO that upstream's legalization takes in another sense, spelled so that it does not."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import converted, fill_combiner, rewrite, stablehlo, tensor
from mlir_gs.frontend.stablehlo.filled import spread
from mlir_gs.frontend.stablehlo.numbers import NUMBERS
from mlir_gs.lowering.ir.builders import walk_named, with_elements
from mlir_gs.lowering.ir.emit import size_of


def repair(module: ir.Operation) -> None:
    """All of the rewrites below."""
    rewrite(module, NUMBERS)
    windows_of_nothing(module)
    reduce_of_nothing(module)
    rewrite(module, _REWRITES)


def reduce_of_nothing(module: ir.Operation) -> None:
    """Reductions that upstream leaves: of no elements, and over no dims.

    `stablehlo.reduce` of nothing --> the initial values, everywhere;
    `stablehlo.reduce` over no dims --> its inputs, as XLA does: how often the initial values are
    combined with them is up to the implementation.
    """
    for op in walk_named(module, "stablehlo.reduce"):
        count = len(op.results)
        dims = list(op.attributes["dimensions"])
        inputs, inits = list(op.operands)[:count], list(op.operands)[count:]
        first = inputs[0]
        kept = [dim for dim in range(first.type.rank) if dim not in dims]
        if dims and 0 not in first.type.shape:
            continue
        with op.location, ir.InsertionPoint(op):
            sizes = [size_of(first, dim) for dim in kept]
            for old, given, init in zip(op.results, inputs, inits, strict=True):
                type_ = old.type
                new = spread(init, type_.shape, sizes) if dims else given
                new = converted(new, type_.element_type)
                old.replace_all_uses_with(new if new.type == type_ else tensor.cast(type_, new))
        op.erase()


def windows_of_nothing(module: ir.Operation) -> None:
    """`stablehlo.reduce_window` and `rng_bit_generator` without a result --> `tensor.empty`."""
    for op in walk_named(module, "stablehlo.reduce_window", "stablehlo.rng_bit_generator"):
        last = op.results[len(op.results) - 1].type
        if 0 not in last.shape or not last.has_static_shape:
            continue
        with op.location, ir.InsertionPoint(op):
            for result, operand in zip(op.results, op.operands, strict=False):
                type_ = result.type
                if 0 in type_.shape:
                    result.replace_all_uses_with(tensor.empty(type_.shape, type_.element_type))
                else:
                    # The state of what has given no bits is the one before.
                    result.replace_all_uses_with(operand)
            if op.name == "stablehlo.rng_bit_generator":
                op.results[1].replace_all_uses_with(tensor.empty(last.shape, last.element_type))
        op.erase()


def wide_products(op: ir.Operation) -> ir.Value | None:
    """Products of matrices of 16-bit floats are summed in f32, as XLA does on CPUs.

    `stablehlo.dot_general` to f16 or bf16 --> the one to f32, converted.
    """
    type_ = op.results[0].type
    if not isinstance(type_.element_type, (ir.F16Type, ir.BF16Type)):
        return None
    wide = ir.F32Type.get()
    names = [named if isinstance(named, str) else named.name for named in op.attributes]
    new = ir.Operation.create(
        op.name,
        results=[with_elements(type_, wide)],
        operands=[converted(value, wide) for value in op.operands],
        attributes={name: op.attributes[name] for name in names},
    )
    return converted(new.result, type_.element_type)


def reshape_for_unit_dims(op: ir.Operation) -> ir.Value | None:
    """A broadcast that only adds dims of size 1 moves nothing; upstream would copy.

    `stablehlo.broadcast_in_dim` of n to n x 1 --> `stablehlo.reshape`.
    """
    source, result = op.operands[0].type, op.results[0].type
    dims = list(op.attributes["broadcast_dimensions"])
    kept = [result.shape[dim] for dim in dims]
    if dims != sorted(dims) or kept != list(source.shape) or not source.has_static_shape:
        return None
    if any(result.shape[dim] != 1 for dim in range(result.rank) if dim not in dims):
        return None
    return stablehlo("reshape", result, op.operands[0])


def reduce_of_bools(op: ir.Operation) -> ir.Value | None:
    """Booleans are combined as bytes, of which there are vectors.

    `stablehlo.reduce` of i1 by `and` or `or` --> that of ui8, converted.
    """
    if len(op.operands) != 2 or op.operands[0].type.element_type != ir.IntegerType.get_signless(1):
        return None
    combine, *rest = op.regions[0].blocks[0].operations
    if len(rest) != 1 or combine.operation.name not in ("stablehlo.and", "stablehlo.or"):
        return None
    byte, type_ = ir.IntegerType.get_unsigned(8), op.results[0].type
    new = ir.Operation.create(
        op.name,
        results=[with_elements(type_, byte)],
        operands=[converted(value, byte) for value in op.operands],
        attributes={"dimensions": op.attributes["dimensions"]},
        regions=1,
    )
    fill_combiner(new, byte, combine.operation.name.split(".")[1])
    return converted(new.result, type_.element_type)


_REWRITES = {
    "stablehlo.reduce": (reduce_of_bools,),
    "stablehlo.dot_general": (wide_products,),
    "stablehlo.broadcast_in_dim": (reshape_for_unit_dims,),
}
