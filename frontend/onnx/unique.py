"""ONNX's Unique: slices in order, those that are equal in one group."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.elementwise import elementwise
from mlir_gs.frontend.common.slices import Int
from mlir_gs.frontend.common.take import take
from mlir_gs.frontend.onnx.gather_scatter import AXIS, COMMON, axis_of
from mlir_gs.frontend.onnx.node import ONNX, Node, expect_sizes
from mlir_gs.frontend.torch.vtensor import from_builtin
from mlir_gs.lowering.ir.builders import dim_of, index
from mlir_gs.lowering.ir.emit import (
    Ix,
    any_of,
    choose,
    compare,
    flat,
    loop_carrying,
    loop_while,
    size_of,
    sliced,
    value,
)
from mlir_gs.lowering.named.sort import sorted_positions

arith = dialect("arith")
complex_ = dialect("complex")
linalg = dialect("linalg")
tensor = dialect("tensor")

SORTED = Refusal("a flag that is neither 0 nor 1", "sorted must be 0 or 1, found {found}")


@ONNX.converts(
    "onnx.Unique",
    {"of the elements, or of slices along an axis; sorted or not": "a merge sort, `gs.gather`"},
    refuses=(*COMMON, AXIS, SORTED),
)
def convert_unique(node: Node) -> Sequence[ir.Value]:
    """The slices that differ, where each comes first, which one each is, how many; since opset 11.

    NaNs are equal to each other and come last, as in NumPy.
    """
    source = node.input(0)
    in_order = node.attribute("sorted", "int", 1)
    if in_order not in (0, 1):
        raise SORTED(found=in_order)
    if node.attribute("axis", "int", None) is None:
        axis, source = 0, flat(source)
    else:
        axis = axis_of(node, source.type.rank)
    total = size_of(source, axis)
    order = _Order(_rows(source, axis), node.type(0).is_unsigned)
    groups = _Groups.of(total, order)
    if not in_order:
        groups = groups.by_first(total)
    heads = groups.cut(groups.firsts)
    found = [
        take(source, heads, axis, unique=True),
        _numbers(heads),
        _numbers(groups.of_each),
        _numbers(groups.cut(groups.sizes)),
    ]
    types = [given.type for given in node.op.results]
    return [
        from_builtin(expect_sizes(each, type_, "onnx.Unique"), type_)
        for each, type_ in zip(found, types, strict=False)
    ]


def _numbers(places: ir.Value) -> ir.Value:
    i64 = ir.IntegerType.get_signless(64)
    return elementwise([places], i64, lambda each: arith.index_cast(i64, each))


def _rows(source: ir.Value, axis: int) -> ir.Value:
    """`source` with `axis` first, and the other dims in one."""
    type_ = source.type
    if type_.rank == 1:
        return source
    dims = [axis, *(d for d in range(type_.rank) if d != axis)]
    if axis:
        out = tensor.empty([size_of(source, d) for d in dims], type_.element_type)
        source = linalg.transpose(source, outs=[out], permutation=dims).results[0]
    if type_.rank == 2:
        return source
    sizes = source.type.shape
    inner = DYNAMIC if DYNAMIC in sizes[1:] else prod(sizes[1:])
    wanted = ir.RankedTensorType.get([sizes[0], inner], type_.element_type)
    return tensor.collapse_shape(wanted, source, [[0], list(range(1, type_.rank))])


@dataclass(frozen=True)
class _Order:
    """The lexicographic order of rows, a matrix or a vector of elements, by their positions."""

    rows: ir.Value
    unsigned: bool

    def before(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """Whether row `a` comes before row `b`."""
        if self.rows.type.rank == 1:
            return self._less(*self._pair(a, b))
        place = self._difference(a, b)
        differ = compare("slt", place, dim_of(self.rows, 1))
        return choose(differ, _truth(), lambda: self._less(*self._pair(a, b, place)), _false)

    def same(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """Whether two rows are equal."""
        if self.rows.type.rank == 1:
            return self._equal(*self._pair(a, b))
        return compare("eq", self._difference(a, b), dim_of(self.rows, 1))

    def _difference(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """The first column in which two rows differ; their number where none does."""

        def alike(place: ir.Value) -> ir.Value:
            inside = compare("slt", place, dim_of(self.rows, 1))
            return choose(inside, _truth(), lambda: self._equal(*self._pair(a, b, place)), _false)

        return loop_while(0, alike, lambda place: arith.addi(place, index(1)))

    def _pair(self, a: ir.Value, b: ir.Value, *place: ir.Value) -> list[ir.Value]:
        return [tensor.extract(self.rows, [row, *place]) for row in (a, b)]

    def _equal(self, x: ir.Value, y: ir.Value) -> ir.Value:
        if isinstance(x.type, ir.ComplexType):
            parts = [part(each) for part in (complex_.re, complex_.im) for each in (x, y)]
            return arith.andi(self._equal(*parts[:2]), self._equal(*parts[2:]))
        if not isinstance(x.type, ir.FloatType):
            return arith.cmpi(arith.CmpIPredicate.eq, x, y)
        both = arith.andi(_is_nan(x), _is_nan(y))
        return arith.ori(arith.cmpf(arith.CmpFPredicate.OEQ, x, y), both)

    def _less(self, x: ir.Value, y: ir.Value) -> ir.Value:
        if isinstance(x.type, ir.ComplexType):
            parts = [part(each) for part in (complex_.re, complex_.im) for each in (x, y)]
            tie = arith.andi(self._equal(*parts[:2]), self._less(*parts[2:]))
            return arith.ori(self._less(*parts[:2]), tie)
        if not isinstance(x.type, ir.FloatType):
            natural = self.unsigned or x.type.width == 1
            return compare("ult" if natural else "slt", x, y)
        last = arith.andi(arith.xori(_is_nan(x), _true()), _is_nan(y))
        return arith.ori(arith.cmpf(arith.CmpFPredicate.OLT, x, y), last)


def _truth() -> ir.Type:
    return ir.IntegerType.get_signless(1)


def _false() -> ir.Value:
    return arith.constant(_truth(), 0)


def _is_nan(x: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.UNO, x, x)


@dataclass(frozen=True)
class _Groups:
    """Groups of equal rows, by number: the group of each row; the first row and the size of each
    group, in tensors that have room for more; how many there are."""

    of_each: ir.Value
    firsts: ir.Value
    sizes: ir.Value
    count: ir.Value

    @classmethod
    def of(cls, total: Int, order: _Order) -> "_Groups":
        """In the order of the rows."""
        places = sorted_positions(total, order.before)

        def walk(step: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            of_each, firsts, sizes, count = carried
            place = tensor.extract(places, [value(step)])
            previous = arith.maxsi(arith.subi(value(step), index(1)), index(0))
            same = order.same(tensor.extract(places, [previous]), place)
            is_new = any_of([compare("eq", step, 0), arith.xori(same, _true())])
            count = arith.addi(count, arith.index_castui(count.type, is_new))
            group = arith.subi(count, index(1))
            return [
                tensor.insert(group, of_each, [place]),
                _put(firsts, group, is_new, place, tensor.extract(firsts, [group])),
                _put(sizes, group, is_new, index(1), _one_more(sizes, group)),
                count,
            ]

        return cls(*loop_carrying(0, total, [*_room(total), index(0)], walk))

    def by_first(self, total: Int) -> "_Groups":
        """In the order of their first rows."""

        def walk(step: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            labels, of_each, firsts, sizes, count = carried
            place = value(step)
            group = tensor.extract(self.of_each, [place])
            is_new = compare("eq", tensor.extract(self.firsts, [group]), place)
            label = arith.select(is_new, count, tensor.extract(labels, [group]))
            # Each row writes what its group's first one did.
            return [
                tensor.insert(label, labels, [group]),
                tensor.insert(label, of_each, [place]),
                tensor.insert(tensor.extract(self.firsts, [group]), firsts, [label]),
                tensor.insert(tensor.extract(self.sizes, [group]), sizes, [label]),
                arith.addi(count, arith.index_castui(count.type, is_new)),
            ]

        labels = _room(total)[0]
        return _Groups(*loop_carrying(0, total, [labels, *_room(total), index(0)], walk)[1:])

    def cut(self, held: ir.Value) -> ir.Value:
        """What `held` has of the groups."""
        return sliced(held, [0], [self.count])


def _true() -> ir.Value:
    return arith.constant(_truth(), 1)


def _room(total: Int) -> list[ir.Value]:
    """A number for each row, and two for each group that there may be."""
    # Upstream takes no slice of a size that is known to be 0.
    most = max(total, 1) if isinstance(total, int) else total
    return [tensor.empty([size], ir.IndexType.get()) for size in (total, most, most)]


def _one_more(held: ir.Value, place: ir.Value) -> ir.Value:
    return arith.addi(tensor.extract(held, [place]), index(1))


def _put(
    held: ir.Value, place: ir.Value, is_new: ir.Value, first: ir.Value, later: ir.Value
) -> ir.Value:
    return tensor.insert(arith.select(is_new, first, later), held, [place])
