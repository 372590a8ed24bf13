"""Loops whose steps may go past the largest number, after which upstream's begin again."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.asserts import require
from mlir_gs.lowering.ir.builders import arith, index, producer
from mlir_gs.lowering.repair.divisions import constant_of
from mlir_gs.lowering.repair.loop_carried import one_empty_tensor_each, one_tensor_each
from mlir_gs.lowering.repair.repairs import lowered, repairs

_BOUNDS = ("LowerBound", "UpperBound", "Step")


@repairs("scf.for")
def loop_of_steps(op: Any) -> None:
    """A loop that may step past the largest number of its type, or that may not move on.

    before: `scf.for %i = %lo to %hi step %s`
    after:  `scf.for %k = 0 to (%hi - %lo) ceildivui %s step 1`, with %lo + %k * %s for %i; a call
            with a step that is not positive raises an error

    Does not apply to a step of 1, nor to constant steps up to a size or a constant that is far
    enough below the largest number.
    """
    one_tensor_each(op)
    low, high, step = list(op.operands)[:3]
    if _ends_before_its_type(high, step):
        return
    for number, value in enumerate(_counted(op, low, high, step)):
        op.operands[number] = value
    kind = low.type
    if not isinstance(kind, ir.IndexType) and kind.width < 64:
        # Half of all numbers of a narrow type are more than its largest signed one.
        op.attributes["unsignedCmp"] = ir.UnitAttr.get()
    _replace_counter(op.regions[0].blocks[0], 0, _place(low, step))


@repairs("scf.parallel")
def parallel_steps(op: Any) -> None:
    """Each dim of an `scf.parallel` as `loop_of_steps` has it."""
    block = op.regions[0].blocks[0]
    rank = len(block.arguments)
    for dim in range(rank):
        low, high, step = (op.operands[part * rank + dim] for part in range(3))
        if _ends_before_its_type(high, step):
            continue
        for part, value in enumerate(_counted(op, low, high, step)):
            op.operands[part * rank + dim] = value
        _replace_counter(block, dim, _place(low, step))


@repairs("scf.forall")
def forall_steps(op: Any) -> Sequence[ir.Value] | None:
    """Each dim of an `scf.forall` as `loop_of_steps` has it."""
    one_empty_tensor_each(op)
    fixed = [list(op.attributes[f"static{name}"]) for name in _BOUNDS]
    counts = list(op.attributes["operandSegmentSizes"])
    given = iter(op.operands)
    bounds = [[index(n) if n != DYNAMIC else next(given) for n in numbers] for numbers in fixed]
    block = op.regions[0].blocks[0]
    changed = False
    for dim, (low, high, step) in enumerate(zip(*bounds, strict=True)):
        # A constant that is the mark of a dynamic bound would be folded to one.
        marked = DYNAMIC in map(constant_of, (low, high))
        if _ends_before_its_type(high, step) and not marked:
            continue
        changed = True
        for part, value in enumerate(_counted(op, low, high, step)):
            bounds[part][dim] = value
        _replace_counter(block, dim, _place(low, step))
    if not changed:
        return None
    outputs = list(op.operands)[sum(counts[:3]) :]
    rank = len(fixed[0])
    attributes = {name: op.attributes[name] for name in op.attributes}
    attributes |= {f"static{n}": ir.DenseI64ArrayAttr.get([DYNAMIC] * rank) for n in _BOUNDS}
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([rank] * 3 + [len(outputs)])
    other = ir.Operation.create(
        "scf.forall",
        [result.type for result in op.results],
        [value for values in bounds for value in values] + outputs,
        attributes,
        regions=1,
    )
    block.append_to(other.regions[0])
    return other.results


def _constant_range(op: Any) -> range | None:
    """The places of an `affine.for` from a constant to a constant."""
    ends = [op.attributes[f"{end}BoundMap"].value.results for end in ("lower", "upper")]
    if any(len(end) != 1 or not isinstance(end[0], ir.AffineConstantExpr) for end in ends):
        return None
    low, high = (end[0].value for end in ends)
    return range(low, high, op.attributes["step"].value)


def _affine_may_pass_the_end(op: Any) -> bool:
    """Whether a loop of the affine dialect may step past the largest number: unless it moves by 1
    or up to a constant."""
    if op.name == "affine.parallel":
        return any(step.value != 1 for step in op.attributes["steps"])
    step = op.attributes["step"].value
    ends = op.attributes["upperBoundMap"].value.results
    constants = [end.value for end in ends if isinstance(end, ir.AffineConstantExpr)]
    return step != 1 and not any(end + step <= 1 << 63 for end in constants)


def _constants_pass_the_end(op: Any) -> bool:
    return _constant_range(op) is not None and _affine_may_pass_the_end(op)


@repairs("affine.for", where=_constants_pass_the_end)
def affine_steps(op: Any) -> None:
    """An `affine.for` between constants, which folds wrongly near the largest number, over its
    turns."""
    places = _constant_range(op)
    assert places is not None
    turns = (places.stop - places.start + places.step - 1) // places.step
    for end, value in (("lower", 0), ("upper", max(0, turns))):
        bound = ir.AffineMap.get(0, 0, [ir.AffineConstantExpr.get(value)])
        op.attributes[f"{end}BoundMap"] = ir.AffineMapAttr.get(bound)
    op.attributes["step"] = ir.IntegerAttr.get(ir.IndexType.get(), 1)
    place = ir.AffineExpr.get_dim(0) * places.step + places.start
    map_ = ir.AffineMapAttr.get(ir.AffineMap.get(1, 0, [place]))
    _replace_counter(
        *(op.regions[0].blocks[0], 0),
        # Of a kind that ops of the affine dialect take.
        lambda turn: ir.Operation.create("affine.apply", [turn.type], [turn], {"map": map_}).result,
    )


# Other bounds are computed by what upstream lowers them to.
lowered(
    *("affine.for", "affine.parallel"),
    by="lower-affine",
    to=("scf.for", "scf.parallel"),
    where=_affine_may_pass_the_end,
)


def _counted(op: Any, low: ir.Value, high: ir.Value, step: ir.Value) -> Sequence[ir.Value]:
    """The bounds and the step of a loop over the turns of another; a call with a step of `op` that
    is not positive raises an error."""
    known = constant_of(step)
    unsigned = "unsignedCmp" in op.attributes
    zero, one = arith.constant(low.type, 0), arith.constant(low.type, 1)
    predicate = arith.CmpIPredicate
    if known is None or known < 1:
        order = predicate.ne if unsigned else predicate.sgt
        require(op, arith.cmpi(order, step, zero), "step must be positive")
    runs = arith.cmpi(predicate.ult if unsigned else predicate.slt, low, high)
    distance = arith.select(runs, arith.subi(high, low), zero)
    # The division may run before the error.
    positive = step if known is not None and known > 0 else arith.maxui(step, one)
    return zero, arith.ceildivui(distance, positive), one


def _replace_counter(block: ir.Block, number: int, place: Callable[[ir.Value], ir.Value]) -> None:
    """Compute the place of a turn where the loop's own counter was used."""
    counter = block.arguments[number]
    uses = [(use.owner, use.operand_number) for use in counter.uses]
    with ir.InsertionPoint.at_block_begin(block):
        computed = place(counter)
    for user, operand in uses:
        user.operands[operand] = computed


def _place(low: ir.Value, step: ir.Value) -> Callable[[ir.Value], ir.Value]:
    return lambda turn: arith.addi(low, arith.muli(turn, step))


def _ends_before_its_type(high: ir.Value, step: ir.Value) -> bool:
    known = constant_of(step)
    return known is not None and (known == 1 or (known > 0 and _is_far(high, known)))


def _is_far(high: ir.Value, step: int) -> bool:
    """Whether a loop up to `high` ends before its type does."""
    if producer(high, "tensor.dim", "memref.dim") is not None:
        return step < 1 << 60
    end = constant_of(high)
    width = 64 if isinstance(high.type, ir.IndexType) else high.type.width
    return end is not None and end + step <= (1 << (width - 1))
