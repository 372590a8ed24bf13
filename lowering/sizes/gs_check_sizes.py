"""`gs-check-sizes`: constraints on dynamic sizes become assertions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.lowering.ir.builders import (
    arith,
    callee_of,
    enclosing,
    index,
    is_within,
    producer,
    symbol,
    walk,
    walk_named,
)
from mlir_gs.lowering.ir.emit import Ix, add, both, compare, maximum, minimum, value, when
from mlir_gs.lowering.passes.diagnostics import location_text
from mlir_gs.lowering.passes.registry import fail, register_pass
from mlir_gs.lowering.sizes.fit import Fit
from mlir_gs.lowering.sizes.fits import CHECKED, Larger, fits_of, structure_fits
from mlir_gs.lowering.sizes.outside import LOOPS, hoisted
from mlir_gs.lowering.sizes.places import PLACES, WINDOWS
from mlir_gs.lowering.sizes.size_forms import Form, index_form

cf = dialect("cf")


@register_pass
@dataclass(frozen=True)
class GsCheckSizes:
    """Assert that the dynamic sizes of an op's operands fit.

    Inserts a `cf.assert` for each constraint on sizes that is not known to hold, as early as the
    sizes are known: for the ops of `gs`, and for upstream's that read and write by sizes (linalg,
    element-wise ops on tensors, casts, reshapes, copies, concatenation, padding, slices). The
    message names the place, the op, the operand and the dimension. Compiled code adds what was
    expected and what was found, and raises ValueError. Of slices in loops and of indices of single
    elements and vectors, constants are checked, before the loop where each step meets them, and
    numbers that a constant of more than 31 bits is added to; others by gs-sanitize. A constant
    outside of static sizes is an error of the pass where each call of the function meets it.
    Functions that stay functions, as they call themselves, are called in a parallel loop or are
    `no_inline`, raise no errors of places.
    """

    name: ClassVar[str] = "gs-check-sizes"

    def run(self, module: ir.Operation) -> None:
        check_sizes(walk(module))


def check_named(module: ir.Operation) -> None:
    """The assertions for the named ops of `gs` in `module`, before these are rewritten."""
    check_sizes(walk_named(module, *NAMED))


def check_sizes(ops: Iterable[ir.Operation], everywhere: bool = False) -> None:
    """The assertions for `ops`; those that have theirs are left out. `everywhere`: slices in loops
    as well, and elements that are read or written one by one, but in bodies of gs. Raises
    PassFailure."""
    ops = list(ops)
    made: dict[ir.Block, _Made] = {}
    for op in ops:
        if op.name == "cf.assert":
            made.setdefault(op.block, _Made()).know(op)
    left_out = None
    for op in ops:
        if CHECKED in op.attributes:
            continue
        if op.name in PLACES and not everywhere:
            left_out = _not_inlined(ops) if left_out is None else left_out
            if left_out and _function_of(op) in left_out:
                continue
        fits = list(fits_of(op))
        if fits and op.name in NAMED:
            op.attributes[CHECKED] = ir.UnitAttr.get(op.context)
        met = _checked(op, fits, everywhere) if op.name in PLACES else [(op, fit) for fit in fits]
        for at, fit in met:
            made.setdefault(_block(at), _Made()).add(op, fit, at=at)


def _function_of(op: ir.Operation) -> str:
    """The name of the function that `op` is in."""
    return symbol(enclosing(op, "func.func", "builtin.module") or op)


def _not_inlined(ops: Iterable[ir.Operation]) -> set[str]:
    """The functions that stay where `ops` are all of a module: an error in them has no caller that
    could return it."""
    calls = [op for op in ops if op.name == "func.call"]
    reached: dict[str, set[str]] = {}
    for call in calls:
        reached.setdefault(_function_of(call), set()).add(callee_of(call))
    for middle in reached:
        for callees in reached.values():
            if middle in callees:
                callees |= reached[middle]
    stay = {name for name, callees in reached.items() if name in callees}
    if any(is_within(call, "scf.parallel", "scf.forall") for call in calls):
        # None of them is inlined.
        stay |= {callee_of(call) for call in calls}
    return stay | {symbol(op) for op in ops if "no_inline" in op.attributes}


def _checked(
    op: ir.Operation, fits: list[Fit], everywhere: bool
) -> Iterator[tuple[ir.Operation, Fit]]:
    """What is asserted of places, and before which op. Raises PassFailure for a wrong one that each
    call of the function meets, and in a body of gs, which holds no assertion."""
    around = op.parent.operation
    wrong = [fit for fit in fits if fit.is_wrong]
    always = around.name == "func.func" and op.block == around.regions[0].blocks[0]
    if wrong and (around.name.startswith("gs.") or always):
        fail(op, f"'{op.name}' op, {wrong[0].numbers}")
    for fit in fits:
        at, moved = hoisted(op, fit)
        given = op.name in WINDOWS or fit.found.constant is not None
        known = fit.is_of_sizes or fit.is_far or (given and not is_within(at, *LOOPS))
        if (everywhere or known) and not at.parent.operation.name.startswith("gs."):
            yield at, moved


def check_structure(
    op: ir.Operation, source: str, names: Callable[[Access], str], larger: Larger
) -> None:
    """The assertions for a `gs.generic` that an op of a source language, `source`, became."""
    made = _Made()
    for fit in structure_fits(Structure.of(op.opview), names, larger):
        made.add(op, fit, source)


def _block(op: ir.Operation) -> ir.Block:
    """The block whose ops run before `op`: the end of a scf.forall holds nothing else."""
    around = op.parent.operation
    return around.block if around.name == "scf.forall.in_parallel" else op.block


@dataclass
class _Made:
    """The assertions that were put into a block, and the last of those at its begin."""

    keys: set[tuple] = field(default_factory=set)
    last: ir.Operation | None = None

    def know(self, op: ir.Operation) -> None:
        """`op` is an assertion that is there already, as front ends have them."""
        met = producer(op.operands[0], "arith.cmpi")
        if met is not None and isinstance(met.operands[0].type, ir.IndexType):
            relation = _RELATIONS.get(met.attributes["predicate"].value)
            if relation is not None:
                self.keys.add(_key(relation, *map(index_form, met.operands)))

    def add(
        self, op: ir.Operation, fit: Fit, name: str = "", at: ir.Operation | None = None
    ) -> None:
        """Put the assertion for `op` into its block, or that of `at`; `name`: what it is called."""
        forms = (fit.found, *fit.product, fit.limit, *fit.nonempty)
        key = _key(fit.relation, fit.whole, fit.limit, *fit.nonempty)
        if key in self.keys:
            return
        self.keys.add(key)
        block = _block(at or op)
        behind = _latest(block, [value for form in forms for value in form.values])
        after = behind or self.last
        if after is None:
            point = ir.InsertionPoint.at_block_begin(block)
        else:
            point = ir.InsertionPoint.after(after)
        with op.location, point:
            end = _assert(f"{location_text(op.location)}: '{name or op.name}' op, {fit}", fit)
        if behind is None:
            self.last = end


# By the number that arith.cmpi has for it.
_RELATIONS = {0: "eq", 3: "sle", 5: "sge"}


def _key(relation: str, *forms: Form) -> tuple:
    return (relation, *(frozenset(form.terms.items()) for form in forms))


def _assert(text: str, fit: Fit) -> ir.Operation:
    """The operation that asserts it."""

    def check() -> ir.Operation:
        met = compare(fit.relation, _found(fit), fit.limit.emit())
        return cf.AssertOp(met, text).operation

    condition = None
    for size in fit.nonempty:
        if size.constant is None:
            condition = both(condition, compare("sgt", size.emit(), 0))
    if condition is None:
        return check()
    when(condition, check)
    return next(iter(condition.uses)).owner.operation


_FAR = 1 << 62
"""More than any size."""


def _found(fit: Fit) -> Ix:
    """The number; where its product has more than 62 bits, one that is larger than any size."""
    constant = fit.product[0].times(fit.product[1]).constant
    if constant is not None and abs(constant) < _FAR:
        return fit.whole.emit()
    low, high = arith.mulsi_extended(*(value(form.emit()) for form in fit.product))
    far = arith.select(compare("slt", high, 0), index(-_FAR), index(_FAR))
    held = compare("eq", high, arith.shrsi(low, index(63)))
    near = minimum(maximum(arith.select(held, low, far), -_FAR), _FAR)
    return add(near, fit.found.emit())


def _latest(block: ir.Block, values: Iterable[ir.Value]) -> ir.Operation | None:
    """The last op of `block` that gives one of the values; None where they come from before it.

    Behind it an assertion stands before anything that comes later writes.
    """
    last = None
    for given in values:
        if not isinstance(given.owner, ir.Block):
            owner = given.owner.operation
            if owner.block == block and (last is None or last.is_before_in_block(owner)):
                last = owner
    return last
