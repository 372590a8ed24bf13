"""Pattern on contractions with one-hot rows: they are gathers."""

from typing import Any

from mlir_gs.dialect import gather
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import arith, producer, tensor
from mlir_gs.lowering.ir.known import Known
from mlir_gs.lowering.passes.explain import note

linalg = dialect("linalg")
_EQ = 0
# What a product with 0 and a sum with 0 must be allowed to ignore.
_FLAGS = {"nnan", "ninf", "nsz"}


@pattern("linalg.matmul")
@pattern("linalg.generic")
def gather_for_one_hot(op: ir.OpView, rewriter: Any) -> bool:
    """A product with a matrix whose rows have a 1 where a coordinate says is a gather.

    before: `matmul(h, x)` into zeros, where `h[m, k] = (i[m] == k)`
    after:  `gather(x, i) {mode = "fill", fill_value = 0}`

    Applies to integers, and to floats whose product and sum are marked nnan, ninf and nsz, in
    linalg.matmul and linalg.generics that say the same. Does not apply to other floats, where
    0 * inf is NaN and -0 + 0 is 0.
    """
    if len(op.operands) != 3 or not _is_contraction(op):
        return False
    hot, x, start = op.operands
    coordinates = _hot_at(hot)
    if coordinates is None or not _is_zero(start):
        return False
    element = x.type.element_type
    if op.results[0].type.element_type != element:
        return False
    groups, shape = [[0, 1]], list(coordinates.type.shape)
    type_ = ir.RankedTensorType.get([*shape, 1], coordinates.type.element_type)
    sizes = [] if coordinates.type.has_static_shape else [tensor.dim(coordinates, _zero_index())]
    column = tensor.expand_shape(type_, coordinates, groups, sizes, [*shape, 1])
    zero = (
        ir.FloatAttr.get(element, 0.0)
        if isinstance(element, ir.FloatType)
        else ir.IntegerAttr.get(element, 0)
    )
    result = gather(x, column, [0], mode="fill", fill_value=zero)
    if result.type != op.results[0].type:
        result = tensor.cast(op.results[0].type, result)
    note(op.operation, "rewrote", "product with one-hot rows: a gather")
    rewriter.replace_op(op, [result])
    return True


def _zero_index() -> ir.Value:
    return arith.constant(ir.IndexType.get(), 0)


def _is_contraction(op: ir.OpView) -> bool:
    """`result[m, n] += a[m, k] * b[k, n]`, in integers or in floats that may ignore zeros."""
    maps = ["(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d2, d1)", "(d0, d1, d2) -> (d0, d1)"]
    if "indexing_maps" in op.attributes and maps != [
        str(attribute.value) for attribute in op.attributes["indexing_maps"]
    ]:
        return False
    if op.operation.name == "linalg.generic":
        kinds = [str(kind).split("<")[-1].rstrip(">") for kind in op.attributes["iterator_types"]]
        if kinds != ["parallel", "parallel", "reduction"]:
            return False
    block = op.regions[0].blocks[0]
    operations = [nested.operation for nested in block.operations]
    if len(operations) != 3 or len(block.arguments) != 3:
        return False
    product, total, end = operations
    a, b, current = block.arguments
    names = (product.name, total.name)
    if names not in (("arith.muli", "arith.addi"), ("arith.mulf", "arith.addf")):
        return False
    if list(product.operands) not in ([a, b], [b, a]):
        return False
    if list(total.operands) not in ([current, product.results[0]], [product.results[0], current]):
        return False
    if list(end.operands) != [total.results[0]]:
        return False
    return names[0] == "arith.muli" or all(_may_ignore_zeros(o) for o in (product, total))


def _may_ignore_zeros(op: ir.Operation) -> bool:
    if "fastmath" not in op.attributes:
        return False
    flags = set(str(op.attributes["fastmath"]).split("<")[-1].rstrip(">").split(","))
    return "fast" in flags or flags >= _FLAGS


def _hot_at(value: ir.Value) -> ir.Value | None:
    """The coordinates of the ones, where `value[m, k]` is 1 if k is coordinate m and else 0."""
    made = producer(value, "linalg.generic")
    if made is None or len(made.operands) != 2 or len(made.results) != 1:
        return None
    maps = [str(attribute) for attribute in made.attributes["indexing_maps"]]
    if maps != ["affine_map<(d0, d1) -> (d0)>", "affine_map<(d0, d1) -> (d0, d1)>"]:
        return None
    element = made.operands[0].type.element_type
    signed = isinstance(element, ir.IndexType) or (
        isinstance(element, ir.IntegerType) and element.is_signless and element.width > 1
    )
    block = made.regions[0].blocks[0]
    equal = _one_where(list(block.operations)[-1].operands[0])
    if not signed or equal is None or equal.attributes["predicate"].value != _EQ:
        return None
    for number in (0, 1):
        if equal.operands[number] != block.arguments[0]:
            continue
        position = equal.operands[1 - number]
        while (cast := producer(position, "arith.index_cast")) is not None:
            position = cast.operands[0]
        where = producer(position, "linalg.index")
        if where is not None and where.attributes["dim"].value == 1:
            return made.operands[0]
    return None


def _one_where(value: ir.Value) -> ir.Operation | None:
    """The comparison that a 1 stands for, as a number of any type."""
    cast = producer(value, "arith.extui", "arith.uitofp")
    if cast is not None:
        return producer(cast.operands[0], "arith.cmpi")
    chosen = producer(value, "arith.select")
    if chosen is None:
        return None
    one, zero = (producer(operand, "arith.constant") for operand in list(chosen.operands)[1:])
    if one is None or zero is None:
        return None
    values = (one.attributes["value"].value, zero.attributes["value"].value)
    return producer(chosen.operands[0], "arith.cmpi") if values == (1, 0) else None


def _is_zero(value: ir.Value) -> bool:
    fill = producer(value, "linalg.fill")
    if fill is not None:
        constant = producer(fill.operands[0], "arith.constant")
        return constant is not None and constant.attributes["value"].value == 0
    known = Known()(value)
    return known is not None and not known.any()
