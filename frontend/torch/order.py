"""What orders elements, as Torch does: NaN is the largest and the least, bools are 0 and 1, numbers
are compared in the type that Torch takes them to."""

from functools import partial

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.combiners import combiner
from mlir_gs.frontend.common.elementwise import filled, nest, sizes_of
from mlir_gs.frontend.common.shapes import without_unit_dims
from mlir_gs.frontend.torch.numbers import Spelling, broadcast, of_two
from mlir_gs.frontend.torch.op import TorchOp, cast, constant_of, number, scalar_of, signless

arith = dialect("arith")
linalg = dialect("linalg")
tensor = dialect("tensor")


def _of_pairs(t: TorchOp, name: str) -> ir.Value | None:
    """The larger or smaller of two, NaN if one is: `name` is max or min."""
    combine = combiner(name, t.of_result().element)
    return combine and of_two(t, lambda left, right, _: combine(left, right), combine)


def _clamp(t: TorchOp) -> ir.Value | None:
    """clamp(x, min, max) by tensors or numbers, of which one may be None."""
    element = t.of_result().element
    if not isinstance(element, ir.IntegerType | ir.FloatType):
        return None
    given = [n for n in range(len(t.op.operands)) if not n or not t.is_none(n)]
    tensors = [n for n in given if "vtensor" in str(t.op.operands[n].type)]
    numbers = {n: scalar_of(t.op.operands[n], element) for n in given if n not in tensors}
    types = [t.type(n).element for n in tensors]
    bounds = {1: "min"} if t.key.startswith("aten.clamp_max") else {1: "max", 2: "min"}

    def body(*elements: ir.Value) -> ir.Value:
        held = [cast(each, kind, element) for each, kind in zip(elements, types, strict=True)]
        found = held[0]
        for n, each in [*zip(tensors[1:], held[1:], strict=True), *numbers.items()]:
            combine = combiner(bounds[n], element)
            assert combine is not None
            found = combine(found, each)
        return found

    return broadcast(t, [t.tensor(n) for n in tensors], element, body)


def _compared(t: TorchOp, predicate: str) -> ir.Value | None:
    """The comparison of elements with a number, which is taken to their type; of integers with a
    float, both are taken to f32."""
    element = t.type(0).element
    is_float = isinstance(element, ir.FloatType)
    if not is_float and (not isinstance(element, ir.IntegerType) or element.width == 1):
        return None
    scalar = t.op.operands[1]
    is_mixed = not is_float and str(scalar.type) == "!torch.float"
    held = ir.F32Type.get() if is_mixed else element
    if str(scalar.type) not in ("!torch.int", "!torch.float"):
        return None
    bound = scalar_of(scalar, held)
    boolean = ir.IntegerType.get_signless(1)

    def body(each: ir.Value) -> ir.Value:
        each = cast(each, element, held)
        if isinstance(held, ir.FloatType):
            name = "UNE" if predicate == "ne" else f"O{predicate.upper()}"
            return arith.cmpf(getattr(arith.CmpFPredicate, name), each, bound)
        sign = "" if predicate in ("eq", "ne") else "u" if element.is_unsigned else "s"
        spelled = predicate if not sign else f"{sign}{predicate}"
        return arith.cmpi(getattr(arith.CmpIPredicate, spelled), each, bound)

    return broadcast(t, [t.tensor(0)], boolean, body)


def _shifted(t: TorchOp, is_left: bool) -> ir.Value | None:
    """A shift, of which nothing or the sign is left where it is as wide as the elements or wider,
    or negative."""
    element = t.of_result().element
    if not isinstance(element, ir.IntegerType) or element.width == 1:
        return None
    if t.type(0).element != element:
        return None

    def integers(value: ir.Value, by: ir.Value, is_unsigned: bool) -> ir.Value:
        width = arith.constant(by.type, element.width)
        fits = arith.cmpi(arith.CmpIPredicate.ult, by, width)
        most = arith.constant(by.type, element.width - 1)
        zero = arith.constant(by.type, 0)
        if not is_left and not is_unsigned:
            return arith.shrsi(value, arith.select(fits, by, most))
        shift = arith.shli if is_left else arith.shrui
        return arith.select(fits, shift(value, arith.select(fits, by, zero)), zero)

    return of_two(t, integers, lambda left, right: left)


def _extreme(t: TorchOp, is_max: bool) -> None:
    """max(x, dim, keepdim) and min, values and indices: of equal ones the first, of NaNs too."""
    type_ = t.type(0)
    if not isinstance(type_.element, ir.FloatType) or not type_.rank:
        return
    dim = t.dim(1, type_.rank)
    keeps = bool(constant_of(t.op.operands[2], 2))
    source = t.tensor(0)
    element, i64 = signless(type_.element), ir.IntegerType.get_signless(64)
    sizes = sizes_of(source)
    kept = [1 if d == dim else size for d, size in enumerate(sizes)]
    worst = number(float("-inf" if is_max else "inf"), element)
    starts = [filled(kept, worst), filled(kept, number(0, i64))]
    identity = ir.AffineMap.get_identity(type_.rank)
    exprs = [
        ir.AffineConstantExpr.get(0) if d == dim else ir.AffineDimExpr.get(d)
        for d in range(type_.rank)
    ]
    out = ir.AffineMap.get(type_.rank, 0, exprs)
    kinds = ["reduction" if d == dim else "parallel" for d in range(type_.rank)]

    def body(value: ir.Value, best: ir.Value, place: ir.Value) -> list[ir.Value]:
        order = arith.CmpFPredicate.OGT if is_max else arith.CmpFPredicate.OLT
        is_nan = arith.cmpf(arith.CmpFPredicate.UNO, value, value)
        had_nan = arith.cmpf(arith.CmpFPredicate.UNO, best, best)
        first_nan = arith.andi(is_nan, arith.xori(had_nan, arith.constant(had_nan.type, 1)))
        wins = arith.ori(arith.cmpf(order, value, best), first_nan)
        at = arith.index_cast(i64, linalg.IndexOp(dim).result)
        return [arith.select(wins, value, best), arith.select(wins, at, place)]

    found = nest([source], starts, [identity, out, out], kinds, body)
    t.replace(found if keeps else [without_unit_dims(each, [dim]) for each in found])


def _bucketize(t: TorchOp) -> ir.Value | None:
    """bucketize(x, boundaries, out_int32, right): how many boundaries come before an element, NaN
    after all numbers."""
    given, bounds = t.type(0).element, t.type(1).element
    if given != bounds or not isinstance(given, ir.IntegerType | ir.FloatType):
        return None
    takes_equal = bool(t.constant(3))
    source, line = t.tensor(0), t.tensor(1)
    count = signless(t.of_result().element)
    start = filled(sizes_of(source), number(0, count))
    rank = source.type.rank
    dims = [ir.AffineDimExpr.get(d) for d in range(rank + 1)]
    maps = [ir.AffineMap.get(rank + 1, 0, each) for each in (dims[:rank], dims[rank:], dims[:rank])]
    kinds = ["parallel"] * rank + ["reduction"]

    def body(value: ir.Value, bound: ir.Value, found: ir.Value) -> list[ir.Value]:
        comes = _comes_before(bound, value, given, takes_equal)
        return [arith.addi(found, arith.extui(count, comes))]

    return nest([source, line], [start], maps, kinds, body)[0]


def _comes_before(
    bound: ir.Value, value: ir.Value, element: ir.Type, takes_equal: bool
) -> ir.Value:
    if isinstance(element, ir.FloatType):
        name = "OLE" if takes_equal else "OLT"
        is_nan = arith.cmpf(arith.CmpFPredicate.UNO, value, value)
        # A boundary that is NaN comes after all numbers.
        return arith.ori(arith.cmpf(getattr(arith.CmpFPredicate, name), bound, value), is_nan)
    sign = "u" if element.is_unsigned or element.width == 1 else "s"
    name = f"{sign}l{'e' if takes_equal else 't'}"
    return arith.cmpi(getattr(arith.CmpIPredicate, name), bound, value)


_PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")
ORDER: dict[str, Spelling] = {
    "maximum": partial(_of_pairs, name="max"),
    "minimum": partial(_of_pairs, name="min"),
    "clamp": _clamp,
    "clamp_min": _clamp,
    "clamp_max": _clamp,
    "clamp.Tensor": _clamp,
    "clamp_min.Tensor": _clamp,
    "clamp_max.Tensor": _clamp,
    "bucketize.Tensor": _bucketize,
    "max.dim": partial(_extreme, is_max=True),
    "min.dim": partial(_extreme, is_max=False),
    "__lshift__.Scalar": partial(_shifted, is_left=True),
    "__rshift__.Scalar": partial(_shifted, is_left=False),
    "bitwise_left_shift.Tensor": partial(_shifted, is_left=True),
    "bitwise_right_shift.Tensor": partial(_shifted, is_left=False),
    **{f"{p}.Scalar": partial(_compared, predicate=p) for p in _PREDICATES},
}
