"""Sizes as polynomials over dynamic sizes, which show that sizes are equal or fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.sizes import origin
from mlir_gs.lowering.ir.builders import arith, index, producer
from mlir_gs.lowering.ir.emit import Ix, add, element, mul, size_of

_DEEPEST = 16
_ELEMENT = "element"

Atom: TypeAlias = tuple[ir.Value, int, str]
"""The size of a tensor or memref in a dimension, a number of type index, or an element of a shape
that is a tensor."""
Terms: TypeAlias = dict[tuple[Atom, ...], int]


@dataclass(frozen=True)
class Form:
    """The sum of products of atoms, each with its factor; `()` is the product of none."""

    terms: Terms

    def plus(self, other: "Form", factor: int = 1) -> "Form":
        terms = dict(self.terms)
        for product, count in other.terms.items():
            terms[product] = terms.get(product, 0) + factor * count
        return Form({product: count for product, count in terms.items() if count})

    def minus(self, other: "Form") -> "Form":
        return self.plus(other, -1)

    def times(self, other: "Form") -> "Form":
        found = number(0)
        for a, m in self.terms.items():
            for b, n in other.terms.items():
                atoms = sorted([*a, *b], key=lambda atom: (hash(atom[0]), *atom[1:]))
                found = found.plus(Form({tuple(atoms): m * n}))
        return found

    @property
    def constant(self) -> int | None:
        """The number that it is, if it is known."""
        return None if self.terms.keys() - {()} else self.terms.get((), 0)

    @property
    def is_natural(self) -> bool:
        """It is no negative number, whatever the sizes are."""
        shaped = all(isinstance(v.type, ir.ShapedType) for v in self.values)
        sizes = all(kind != _ELEMENT for product in self.terms for _, _, kind in product)
        return shaped and sizes and all(count >= 0 for count in self.terms.values())

    @property
    def values(self) -> list[ir.Value]:
        """What it is computed from."""
        return [atom[0] for product in self.terms for atom in product]

    def emit(self) -> Ix:
        """The number, at the insertion point."""
        total: Ix = 0
        for product, count in self.terms.items():
            one: Ix = 1
            for atom in product:
                one = mul(one, _emit(atom))
            total = add(total, mul(one, count))
        return total


def number(count: int) -> Form:
    """The form of a number."""
    return Form({(): count} if count else {})


def size_form(value: ir.Value, position: int) -> Form:
    """The size of a tensor or memref in one dimension."""
    found = origin(value, position)
    if isinstance(found, int):
        return number(found)
    value, position = found
    if isinstance(value.type, ir.IndexType):
        return index_form(value)
    return Form({((value, position, ""),): 1})


def index_form(value: Ix, depth: int = 0) -> Form:
    """A number of type index, through sums, differences, products and sizes."""
    if isinstance(value, int):
        return number(value)
    made = producer(value)
    if made is not None and depth < _DEEPEST:
        if made.name == "arith.constant":
            return number(made.attributes["value"].value)
        if made.name in ("tensor.dim", "memref.dim"):
            which = index_form(made.operands[1], depth + 1).constant
            if which is not None and 0 <= which < made.operands[0].type.rank:
                return size_form(made.operands[0], which)
        if made.name in _ARITHMETIC:
            a, b = (index_form(operand, depth + 1) for operand in made.operands)
            return _ARITHMETIC[made.name](a, b)
    return Form({((value, 0, ""),): 1})


def linear_form(place: Linear, given: Sequence[Form], rank: int) -> Form:
    """A result of a map of `rank` dims at what an op of the affine dialect is given: dims, then
    symbols."""
    found = number(place.constant)
    for number_, factor in {
        **place.dims,
        **{rank + s: n for s, n in place.symbols.items()},
    }.items():
        found = found.plus(given[number_], factor)
    return found


_ARITHMETIC = {"arith.addi": Form.plus, "arith.subi": Form.minus, "arith.muli": Form.times}


def elements_form(shape: ir.Value) -> Form:
    """The product of the elements of `shape`, a tensor of a static number of integers."""
    count = shape.type.shape[0]
    found = number(1)
    for place in range(count):
        found = found.times(element_form(shape, place))
    return found


def element_form(shape: ir.Value, place: int) -> Form:
    """An element of a tensor of integers of rank 1."""
    made = producer(shape, "tensor.from_elements")
    if made is not None and isinstance(made.operands[place].type, ir.IndexType):
        return index_form(made.operands[place])
    return Form({((shape, place, _ELEMENT),): 1})


def product_form(value: ir.Value, dims: Sequence[int]) -> Form:
    """The product of the sizes in some dimensions."""
    found = number(1)
    for dim in dims:
        found = found.times(size_form(value, dim))
    return found


def sizes_form(static: Sequence[int], dynamic: Sequence[ir.Value]) -> list[Form]:
    """Sizes of which the dynamic ones are operands."""
    given = iter(dynamic)
    return [index_form(next(given)) if n == DYNAMIC else number(n) for n in static]


def _emit(atom: Atom) -> Ix:
    value, position, kind = atom
    if kind == _ELEMENT:
        found = element(value, [index(position)])
        if isinstance(found.type, ir.IndexType):
            return found
        return arith.index_cast(ir.IndexType.get(), found)
    return value if isinstance(value.type, ir.IndexType) else size_of(value, position)
