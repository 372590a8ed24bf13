"""`gs-check-sizes`: what ops ask of dynamic sizes becomes assertions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.bounds_check import place
from mlir_gs.lowering.builders import is_within, walk, walk_named
from mlir_gs.lowering.emit import both, compare, when
from mlir_gs.lowering.fits import CHECKED, GS, Fit, fits_of
from mlir_gs.lowering.registry import register_pass

cf = dialect("cf")

_LOOPS = ("scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for", "affine.parallel")
_WINDOWS = (
    "tensor.extract_slice",
    "tensor.insert_slice",
    "tensor.parallel_insert_slice",
    "memref.subview",
)


@register_pass
@dataclass(frozen=True)
class GsCheckSizes:
    """Assert before an op that sizes fit which are known only when it runs.

    A `cf.assert` stands for each constraint on sizes that the types and what is known of them leave
    open, as soon as the sizes are there: of the ops of `gs`, and of upstream's that read and write
    by them (linalg, element-wise ops on tensors, casts, reshapes, copies, concatenation, padding,
    slices). It names the place, the op, the operand and the dimension; compiled code adds what was
    expected and found, and raises ValueError. Slices in loops, and elements that are read or
    written one by one, are not checked.
    """

    name: ClassVar[str] = "gs-check-sizes"

    def run(self, module: ir.Operation) -> None:
        check_sizes(walk(module))


def check_named(module: ir.Operation) -> None:
    """The assertions for the named ops of `gs` in `module`, before these are rewritten."""
    check_sizes(walk_named(module, *GS))


def check_sizes(ops: Iterable[ir.Operation]) -> None:
    """The assertions for `ops`; those that have theirs are left out."""
    made: dict[ir.Block, set[tuple]] = {}
    for op in ops:
        if CHECKED in op.attributes or (op.name in _WINDOWS and is_within(op, *_LOOPS)):
            continue
        fits = list(fits_of(op))
        if fits and op.name in GS:
            op.attributes[CHECKED] = ir.UnitAttr.get(op.context)
        for fit in fits:
            _assert(op, fit, made.setdefault(op.block, set()))


def _assert(op: ir.Operation, fit: Fit, made: set[tuple]) -> None:
    forms = (fit.found, fit.limit, *fit.nonempty)
    key = (fit.relation, *(frozenset(form.terms.items()) for form in forms))
    if key in made:
        return
    made.add(key)
    values = [value for form in forms for value in form.values]
    with op.location, _behind(op, values):
        condition = None
        for size in fit.nonempty:
            if size.constant is None:
                condition = both(condition, compare("sgt", size.emit(), 0))
        if any(size.constant == 0 for size in fit.nonempty):
            return
        text = f"{place(op.location)}: '{op.name}' op, {fit}"
        when(
            condition,
            lambda: cf.AssertOp(compare(fit.relation, fit.found.emit(), fit.limit.emit()), text),
        )


def _behind(op: ir.Operation, values: Iterable[ir.Value]) -> ir.InsertionPoint:
    """Where in the block of `op` the values are there: before anything that comes later writes."""
    last = None
    for value in values:
        if isinstance(value.owner, ir.Block):
            continue
        owner = value.owner.operation
        if owner.block == op.block and (last is None or last.is_before_in_block(owner)):
            last = owner
    if last is None:
        return ir.InsertionPoint.at_block_begin(op.block)
    return ir.InsertionPoint.after(last)
