"""Index arithmetic that folds constants as it is built."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from math import prod
from typing import Any, Literal, TypeAlias

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, index

complex_ = dialect("complex")
scf = dialect("scf")
memref = dialect("memref")
tensor = dialect("tensor")

_HALF = 1 << 63

# A number that is known at compile time, or a value of type index.
Ix: TypeAlias = int | ir.Value


def value(x: Ix) -> ir.Value:
    """`x` as a value, modulo 2^64."""
    return index((x + _HALF) % (2 * _HALF) - _HALF) if isinstance(x, int) else x


def add(a: Ix, b: Ix) -> Ix:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if a == 0:
        return b
    return a if isinstance(b, int) and b == 0 else arith.addi(value(a), value(b))


def sub(a: Ix, b: Ix) -> Ix:
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return a if isinstance(b, int) and b == 0 else arith.subi(value(a), value(b))


def mul(a: Ix, b: Ix) -> Ix:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if isinstance(a, int):
        a, b = b, a
    if isinstance(b, int) and b in (0, 1):
        return a if b else 0
    return arith.muli(value(a), value(b))


def product(factors: Iterable[Ix]) -> Ix:
    """The product of numbers; 1 of none."""
    return reduce(mul, factors, 1)


def _folded(
    fold: Callable[[int, int], int], build: Callable[[ir.Value, ir.Value], ir.Value]
) -> Callable[[Ix, Ix], Ix]:
    def apply(a: Ix, b: Ix) -> Ix:
        if isinstance(a, int) and isinstance(b, int):
            return fold(a, b)
        return build(value(a), value(b))

    return apply


minimum = _folded(min, arith.minsi)
maximum = _folded(max, arith.maxsi)
bits_of_both = _folded(lambda a, b: a | b, arith.ori)
shift_right = _folded(lambda a, b: a >> b, arith.shrui)
_floor_div = _folded(lambda a, b: a // b, arith.floordivsi)
_ceil_div = _folded(lambda a, b: -(-a // b), arith.ceildivsi)


def floor_div(a: Ix, b: Ix) -> Ix:
    """The quotient, rounded down."""
    shift = _exponent(b)
    if isinstance(a, int) or shift is None:
        return _floor_div(a, b)
    return arith.shrsi(a, index(shift)) if shift else a


def ceil_div(a: Ix, b: Ix) -> Ix:
    """The quotient, rounded up; `a` + `b` is an index."""
    if isinstance(a, int) or _exponent(b) is None:
        return _ceil_div(a, b)
    return floor_div(add(a, sub(b, 1)), b)


def modulo(a: Ix, b: int) -> Ix:
    """The affine `mod`: never negative for a positive `b`."""
    if isinstance(a, int) or _exponent(b) is None:
        return sub(a, mul(floor_div(a, b), b))
    return arith.andi(a, index(b - 1))


def _exponent(number: Ix) -> int | None:
    """The exponent of a power of two, by which a shift divides: upstream's division takes eight
    instructions."""
    if isinstance(number, int) and number > 0 and number & (number - 1) == 0:
        return number.bit_length() - 1
    return None


def affine(expr: ir.AffineExpr, dims: Mapping[int, Ix], symbols: Mapping[int, Ix]) -> Ix:
    """`expr` at a point."""
    if isinstance(expr, ir.AffineConstantExpr):
        return expr.value
    if isinstance(expr, ir.AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, ir.AffineSymbolExpr):
        return symbols[expr.position]
    lhs, rhs = affine(expr.lhs, dims, symbols), affine(expr.rhs, dims, symbols)
    if isinstance(expr, ir.AffineAddExpr):
        return add(lhs, rhs)
    if isinstance(expr, ir.AffineMulExpr):
        return mul(lhs, rhs)
    if isinstance(expr, ir.AffineModExpr):
        assert isinstance(rhs, int)
        return modulo(lhs, rhs)
    return (floor_div if isinstance(expr, ir.AffineFloorDivExpr) else ceil_div)(lhs, rhs)


def compare(predicate: str, a: Ix, b: Ix) -> ir.Value:
    """`a <predicate> b`, with arith.cmpi's names."""
    return arith.cmpi(getattr(arith.CmpIPredicate, predicate), value(a), value(b))


def both(a: ir.Value | None, b: ir.Value | None) -> ir.Value | None:
    """The conjunction of two conditions; None holds always."""
    if a is None or b is None:
        return b if a is None else a
    return a if a == b else arith.andi(a, b)


def negated(condition: ir.Value) -> ir.Value:
    """Whether the condition does not hold."""
    return arith.xori(condition, arith.constant(condition.type, 1))


def any_of(conditions: Sequence[ir.Value | None]) -> ir.Value | None:
    """Whether one of the conditions holds; None always does."""
    found: ir.Value | None = None
    for condition in conditions:
        if condition is None:
            return None
        found = condition if found is None else arith.ori(found, condition)
    return found


def all_at_least(pairs: Sequence[tuple[Ix, Ix]]) -> bool | ir.Value:
    """Whether the first number of each pair is at least the second: a bool, or a condition."""
    condition: ir.Value | None = None
    for larger, smaller in pairs:
        if not isinstance(larger, int) or not isinstance(smaller, int):
            condition = both(condition, compare("sge", larger, smaller))
        elif larger < smaller:
            return False
    return True if condition is None else condition


def size_of(shaped: ir.Value, position: int) -> Ix:
    """The size of a tensor or memref in one dimension."""
    size = shaped.type.shape[position]
    if size != ir.ShapedType.get_dynamic_size():
        return size
    on_tensors = isinstance(shaped.type, ir.RankedTensorType)
    return (tensor if on_tensors else memref).dim(shaped, index(position))


def dynamic_and_static(numbers: Sequence[Ix]) -> tuple[list[ir.Value], list[int]]:
    """`numbers` as the bindings take them: the values, and all with DYNAMIC for each value."""
    known = [number if isinstance(number, int) else DYNAMIC for number in numbers]
    return [number for number in numbers if not isinstance(number, int)], known


def slice_operands(
    offsets: Sequence[Ix], sizes: Sequence[Ix], strides: Sequence[int] = ()
) -> tuple[list[ir.Value], list[ir.Value], list[ir.Value], list[int], list[int], list[int]]:
    """Offsets, sizes and strides, by default 1, of a slice as the bindings take them."""
    (starts, at), (dynamic, static) = dynamic_and_static(offsets), dynamic_and_static(sizes)
    return starts, dynamic, [], at, static, list(strides) or [1] * len(static)


def sliced(source: ir.Value, offsets: Sequence[Ix], sizes: Sequence[Ix]) -> ir.Value:
    """The slice of a tensor with strides of 1."""
    given, type_ = slice_operands(offsets, sizes), source.type
    result = ir.RankedTensorType.get(given[4], type_.element_type, type_.encoding)
    return tensor.extract_slice(result, source, *given)


def flat(value: ir.Value, leading: int | None = None) -> ir.Value:
    """A tensor with its first `leading` dims as one, in row-major order; by default with all."""
    shape, element = list(value.type.shape), value.type.element_type
    leading = len(shape) if leading is None else leading
    if leading == 1:
        return value
    if leading == 0:
        groups = [[0, 1], *([d] for d in range(2, len(shape) + 1))] if shape else []
        dynamic, _ = dynamic_and_static([size_of(value, d) for d in range(len(shape))])
        made = ir.RankedTensorType.get([1, *shape], element)
        return tensor.expand_shape(made, value, groups, dynamic, [1, *shape])
    if 0 in shape[:leading]:
        # Nothing, in whatever shape: upstream does not collapse 0 with a dynamic size.
        return tensor.empty([0, *(size_of(value, d) for d in range(leading, len(shape)))], element)
    total = DYNAMIC if DYNAMIC in shape[:leading] else prod(shape[:leading])
    groups = [list(range(leading)), *([d] for d in range(leading, len(shape)))]
    made = ir.RankedTensorType.get([total, *shape[leading:]], element)
    return tensor.collapse_shape(made, value, groups)


def generated(sizes: Sequence[Ix], element: ir.Type, body: Callable[..., ir.Value]) -> ir.Value:
    """A tensor of `body(*position)` at each position, which is given as indices."""
    (dynamic, static), places = dynamic_and_static(sizes), [ir.IndexType.get()] * len(sizes)
    made = tensor.GenerateOp(ir.RankedTensorType.get(static, element), dynamic)
    block = made.regions[0].blocks.append(*places, arg_locs=[made.location] * len(sizes))
    with ir.InsertionPoint(block):
        tensor.YieldOp(body(*block.arguments))
    return made.result


def element(shaped: ir.Value, where: Sequence[ir.Value]) -> ir.Value:
    """The element of a tensor or memref at `where`."""
    if isinstance(shaped.type, ir.RankedTensorType):
        return tensor.extract(shaped, where)
    return memref.load(shaped, where)


_NO_VECTORS = "#llvm.loop_annotation<vectorize = <disable = true>, unroll = <{} = true>>"
_HINTS = {"known": _NO_VECTORS.format("runtimeDisable"), "never": _NO_VECTORS.format("disable")}

Unroll: TypeAlias = Literal["any", "known", "never"]
"""What LLVM may do to a loop. `never`: neither unroll nor vectorize. `known`: unroll where the trip
count is known. `any`: unroll and vectorize.

The loops of a kernel are in vectors already, or read through coordinates, which LLVM does not
vectorize. Unrolling by an unknown trip count pays only in loops that neither read coordinates nor
prefetch, and costs compile time."""


def loop(
    lower: Ix, upper: Ix, step: int, body: Callable[[Ix], None], unroll: Unroll = "known"
) -> None:
    """`for i = lower to upper step step { body(i) }`; no loop where it runs at most once."""
    if isinstance(lower, int) and isinstance(upper, int):
        if upper <= lower:
            return
        if upper <= lower + step:
            body(lower)
            return
    op = scf.ForOp(value(lower), value(upper), index(step))
    _annotate(op, unroll)
    with ir.InsertionPoint(op.body):
        body(op.induction_variable)
        scf.yield_([])


def _annotate(op: Any, unroll: Unroll) -> None:
    if unroll in _HINTS:
        op.operation.attributes["loop_annotation"] = ir.Attribute.parse(_HINTS[unroll])


def loop_carrying(
    lower: Ix,
    upper: Ix,
    carried: list[ir.Value],
    body: Callable[[Ix, list[ir.Value]], list[ir.Value]],
    step: Ix = 1,
    unroll: Unroll = "known",
) -> list[ir.Value]:
    """`for i = lower to upper step step { carried = body(i, carried) }`; returns the last ones."""
    op = scf.ForOp(value(lower), value(upper), value(step), carried)
    _annotate(op, unroll)
    with ir.InsertionPoint(op.body):
        scf.yield_(body(op.induction_variable, list(op.inner_iter_args)))
    return list(op.results)


def loop_while(
    start: Ix, goes_on: Callable[[ir.Value], ir.Value], body: Callable[[ir.Value], Ix]
) -> ir.Value:
    """`i = start; while goes_on(i) { i = body(i) }`; returns the last `i`."""
    (last,) = loop_while_carrying(
        [value(start)],
        lambda carried: (goes_on(carried[0]), carried),
        lambda carried: [value(body(carried[0]))],
    )
    return last


def loop_while_carrying(
    start: Sequence[ir.Value],
    goes_on: Callable[[list[ir.Value]], tuple[ir.Value, list[ir.Value]]],
    body: Callable[[list[ir.Value]], list[ir.Value]],
) -> list[ir.Value]:
    """`carried = start; while condition { carried = body(found) }`, where `goes_on(carried)` gives
    the condition and what is found, of the same types; returns what was found last."""
    types = [one.type for one in start]
    op = scf.WhileOp(types, start)
    locations = [op.location] * len(types)
    before = op.before.blocks.append(*types, arg_locs=locations)
    after = op.after.blocks.append(*types, arg_locs=locations)
    with ir.InsertionPoint(before):
        scf.condition(*goes_on(list(before.arguments)))
    with ir.InsertionPoint(after):
        scf.yield_(body(list(after.arguments)))
    return list(op.results)


def when(condition: ir.Value | None, body: Callable[[], None]) -> None:
    """`if condition { body() }`."""
    if condition is None:
        body()
        return
    op = scf.IfOp(condition)
    with ir.InsertionPoint(op.then_block):
        body()
        scf.yield_([])


def either(
    condition: ir.Value | None, then: Callable[[], None], otherwise: Callable[[], None]
) -> None:
    """`if condition { then() } else { otherwise() }`; None always holds."""
    if condition is None:
        then()
        return
    op = scf.IfOp(condition, has_else=True)
    for block, build in ((op.then_block, then), (op.else_block, otherwise)):
        with ir.InsertionPoint(block):
            build()
            scf.yield_([])


def choose_all(
    condition: ir.Value | None,
    types: Sequence[ir.Type],
    then: Callable[[], Sequence[ir.Value]],
    otherwise: Callable[[], Sequence[ir.Value]],
) -> list[ir.Value]:
    """`if condition { then() } else { otherwise() }` as values; None always holds."""
    if condition is None:
        return list(then())
    op = scf.IfOp(condition, types, has_else=True)
    for block, build in ((op.then_block, then), (op.else_block, otherwise)):
        with ir.InsertionPoint(block):
            scf.yield_(list(build()))
    return list(op.results)


def choose(
    condition: ir.Value | None,
    type_: ir.Type,
    then: Callable[[], ir.Value],
    otherwise: Callable[[], ir.Value],
) -> ir.Value:
    """`if condition { then() } else { otherwise() }` as a value; None always holds."""
    return choose_all(condition, [type_], lambda: [then()], lambda: [otherwise()])[0]


def choose_element(
    condition: ir.Value,
    type_: ir.Type,
    then: Callable[[], ir.Value],
    otherwise: Callable[[], ir.Value],
) -> ir.Value:
    """`choose` of elements. A bf16 comes out of the branch as the bits of an f32, rounded as one in
    integers: where LLVM carries a bf16 from block to block, or the 16 bits of one, it rounds it
    again, and an instruction for that flushes denormals."""
    is_complex = isinstance(type_, ir.ComplexType)
    part = type_.element_type if is_complex else type_
    if not isinstance(part, ir.BF16Type):
        return choose(condition, type_, then, otherwise)
    narrow, wide = (ir.IntegerType.get_signless(width) for width in (16, 32))
    half = arith.constant(wide, 16)

    def widened(element: ir.Value) -> list[ir.Value]:
        parts = [complex_.re(element), complex_.im(element)] if is_complex else [element]
        return [arith.shli(arith.extui(wide, arith.bitcast(narrow, x)), half) for x in parts]

    types = [wide, wide] if is_complex else [wide]
    chosen = choose_all(condition, types, lambda: widened(then()), lambda: widened(otherwise()))

    def narrowed(bits: ir.Value) -> ir.Value:
        odd = arith.andi(arith.shrui(bits, half), arith.constant(wide, 1))
        bits = arith.addi(arith.addi(bits, arith.constant(wide, 0x7FFF)), odd)
        return arith.bitcast(part, arith.trunci(narrow, arith.shrui(bits, half)))

    parts = [narrowed(bits) for bits in chosen]
    return complex_.create_(type_, *parts) if is_complex else parts[0]
