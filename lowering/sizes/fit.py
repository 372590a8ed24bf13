"""A constraint on a size, as a comparison of static or dynamic numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.sizes.size_forms import Form, number, size_form


class Fit(NamedTuple):
    """A constraint: `what`, which is `found`, must be equal to (`eq`), at least (`sge`) or at most
    (`sle`) `wanted`, which is `limit`. It holds if one of `nonempty` is not positive. `product` is
    added to `found`, and may have more than 64 bits."""

    what: str
    found: Form
    relation: str
    wanted: str
    limit: Form
    nonempty: Sequence[Form] = ()
    product: tuple[Form, Form] = (number(0), number(0))

    @property
    def whole(self) -> Form:
        """What is found, with the product."""
        return self.found.plus(self.product[0].times(self.product[1]))

    @property
    def is_known(self) -> bool:
        """It holds, whatever the sizes are."""
        if any(size.constant is not None and size.constant <= 0 for size in self.nonempty):
            return True
        found = self.whole
        if self.relation == "eq":
            return not found.minus(self.limit).terms
        less, more = (self.limit, found)[:: 1 if self.relation == "sge" else -1]
        return more.minus(less).is_natural

    @property
    def is_wrong(self) -> bool:
        """It does not hold, whatever the sizes are."""
        more = self.whole.minus(self.limit).constant
        if more is None or any(size.constant is None for size in self.nonempty):
            return False
        return not self.is_known

    @property
    def is_of_sizes(self) -> bool:
        """It compares constants and sizes."""
        forms = (self.found, *self.product, self.limit)
        return all(isinstance(v.type, ir.ShapedType) for form in forms for v in form.values)

    @property
    def is_far(self) -> bool:
        """It moves a place by a constant of more than 31 bits, which few arrays are as long as."""
        return any(abs(form.terms.get((), 0)) >= 1 << 31 for form in (self.whole, self.limit))

    def __str__(self) -> str:
        return f"{self.what} must be {_WORDS[self.relation]}{self.wanted}"

    @property
    def numbers(self) -> str:
        """With the numbers, where `is_wrong`."""
        return f"{self}: expected {self.limit.constant}, found {self.whole.constant}"


_WORDS = {"eq": "", "sge": "at least ", "sle": "at most "}
_TURNED = {"eq": "eq", "sge": "sle", "sle": "sge"}


class Side(NamedTuple):
    """The size of an operand in one dimension."""

    name: str
    value: ir.Value
    position: int

    def __str__(self) -> str:
        return f"dimension {self.position} of '{self.name}'"

    @property
    def form(self) -> Form:
        return size_form(self.value, self.position)


def compared(found: Side, relation: str, limit: Side) -> Fit:
    """What is known stands last."""
    if found.form.constant is not None:
        found, relation, limit = limit, _TURNED[relation], found
    return Fit(f"size of {found}", found.form, relation, f"that of {limit}", limit.form)


def has(found: Side, wanted: str, limit: Form, relation: str = "eq") -> Fit:
    return Fit(f"size of {found}", found.form, relation, wanted, limit)
