"""Forms of ops that torch-mlir's conversions end the process on, converted or refused before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import Refusal, Refused
from mlir_gs.frontend.common.elementwise import elementwise
from mlir_gs.frontend.torch.op import TorchOp, cast, signless
from mlir_gs.frontend.torch.vtensor import (
    TensorType,
    from_builtin,
    name_of,
    to_builtin,
    with_element,
)
from mlir_gs.lowering import PassFailure, register_pass
from mlir_gs.lowering.ir.builders import producer, replace_op, walk

arith = dialect("arith")
tensor = dialect("tensor")

BYTES = Refusal(
    "8-bit integers in ops that torch-mlir converts and that are neither moves nor arithmetic",
    "is not supported: its elements are integers of 8 bits",
)

COMPLEX = Refusal(
    "triangles of complex elements", "is not supported: its elements are complex numbers"
)

_FAR = 1 << 43
"""No tensor has so many elements."""

_MOVES = frozenset(
    {
        "alias", "as_strided", "broadcast_to", "cat", "clone", "contiguous", "copy", "detach",
        "empty.memory_format", "expand", "flatten.using_ints", "full", "narrow", "ones", "permute",
        "reshape", "select.int", "slice.Tensor", "slice_scatter", "squeeze", "squeeze.dim",
        "stack", "t", "transpose.int", "unflatten.int", "unsqueeze", "view", "_unsafe_view",
        "where.self", "zeros", "tile", "repeat", "expand_as", "flip", "roll", "unbind.int",
        "split.Tensor", "chunk", "to.device", "select_scatter", "new_empty",
        "empty_like", "int_repr", "zeros_like", "ones_like", "new_zeros", "new_ones",
        "lift_fresh_copy", "diag_embed", "diagonal", "unfold", "replication_pad1d",
        "replication_pad2d", "replication_pad3d", "reflection_pad1d", "reflection_pad2d",
    }
)  # fmt: skip
"""What reads no number but the elements."""

_ARITHMETIC = frozenset(
    {
        "abs", "add.Scalar", "add.Tensor", "bitwise_and.Scalar", "bitwise_and.Tensor",
        "bitwise_left_shift.Tensor", "bitwise_not", "bitwise_or.Tensor",
        "bitwise_right_shift.Tensor", "bitwise_xor.Tensor", "clamp", "clamp.Tensor", "clamp_max",
        "clamp_min", "clamp_min.Tensor", "clamp_max.Tensor", "div.Scalar_mode", "div.Tensor_mode",
        "floor_divide", "floor_divide.Scalar", "fmod.Scalar", "fmod.Tensor", "masked_fill.Scalar",
        "masked_fill.Tensor", "maximum", "minimum", "mul.Scalar", "mul.Tensor", "neg",
        "pow.Tensor_Scalar", "pow.Tensor_Tensor", "relu", "remainder.Scalar", "remainder.Tensor",
        "rsub.Scalar", "sign", "square", "sub.Scalar", "sub.Tensor", "where.Scalar",
        "where.ScalarOther", "where.ScalarSelf", "constant_pad_nd", "fill.Scalar", "fill.Tensor",
        "triu", "tril", "threshold", "cumsum", "full_like", "new_full", "__and__.Scalar",
        "__or__.Scalar", "bitwise_or.Scalar", "bitwise_xor.Scalar", "addcmul", "sort", "topk",
        "max.dim", "min.dim", "__lshift__.Scalar", "__rshift__.Scalar", "max_pool1d", "max_pool2d",
    }
)  # fmt: skip
"""What gives the low 8 bits of its 32-bit result for the low 8 bits of its operands, extended."""

_OF_BITS = ("view", "_to_copy", "to.")
"""What takes the bits of the elements, and casts, which torch-mlir does rightly."""

_CASTS = frozenset({"to.dtype", "_to_copy", "to.dtype_layout", "to.other", "type_as"})


@register_pass
@dataclass(frozen=True)
class RepairTorch:
    """Convert ops on which torch-mlir crashes: with results of size 0, or of 8-bit integers."""

    # Results of a static size of 0 --> tensor.empty. Arithmetic of 8-bit integers --> that of
    # 32-bit ones, its result cut. Casts to 8-bit integers --> arith. What else gives 8-bit integers
    # and is no move is refused.

    name: ClassVar[str] = "repair-torch"

    def run(self, module: ir.Operation) -> None:
        refused = False
        ops = [op for op in walk(module) if op.name.startswith("torch.aten.")]
        empty = [_holds_nothing(op) for op in ops]
        for op in [op for op, nothing in zip(ops, empty, strict=True) if nothing]:
            with op.location, ir.InsertionPoint(op):
                _replace_by_empty(op)
        rest = [op for op, nothing in zip(ops, empty, strict=True) if not nothing]
        kept = []
        for op in reversed(rest):
            # What only they used.
            if any(empty) and len(op.results) and not any(list(r.uses) for r in op.results):
                op.erase()
            else:
                kept.append(op)
        for op in reversed(kept):
            with op.location, ir.InsertionPoint(op):
                if op.name == "torch.aten.neg" and _negated(op):
                    continue
                try:
                    _repair_triangle(op)
                    _repair_bytes(op)
                except Refused as refusal:
                    op.location.emit_error(f"'{name_of(op)}' op {refusal}")
                    refused = True
        if refused:
            raise PassFailure


def _types(values: ir.OpResultList | ir.OpOperandList) -> list[TensorType | None]:
    """Those of value tensors that are known; None for other values."""
    found: list[TensorType | None] = []
    for value in values:
        try:
            found.append(TensorType.of(value.type))
        except Refused:
            found.append(None)
    return found


def _holds_nothing(op: ir.Operation) -> bool:
    types = _types(op.results)
    return bool(types) and all(t and 0 in t.shape and min(t.shape) >= 0 for t in types)


def _replace_by_empty(op: ir.Operation) -> None:
    types = [TensorType.of(result.type) for result in op.results]
    TorchOp(op).replace([tensor.empty(list(t.shape), signless(t.element)) for t in types])


def _negated(op: ir.Operation) -> bool:
    """Replace the negation of integers, which torch-mlir takes through floats."""
    type_ = _types(op.results)[0]
    if type_ is None or not isinstance(type_.element, ir.IntegerType):
        return False

    def body(element: ir.Value) -> ir.Value:
        return arith.subi(arith.constant(element.type, 0), element)

    made = elementwise([to_builtin(op.operands[0])], signless(type_.element), body)
    replace_op(op, [from_builtin(made, op.results[0].type)])
    return True


def _repair_triangle(op: ir.Operation) -> None:
    """Bring a diagonal near, so that places count to it without overflow."""
    if op.name not in ("torch.aten.triu", "torch.aten.tril"):
        return
    type_ = _types(op.results)[0]
    if type_ is not None and isinstance(type_.element, ir.ComplexType):
        raise COMPLEX()
    constant = producer(op.operands[1], "torch.constant.int")
    if constant is not None:
        held = constant.attributes["value"]
        near = ir.IntegerAttr.get(held.type, max(-_FAR, min(held.value, _FAR)))
        made = ir.Operation.create(constant.name, [op.operands[1].type], attributes={"value": near})
        op.operands[1] = made.result


_SORTS = ("torch.aten.sort", "torch.aten.topk")


def _is_byte(type_: TensorType | None, op: ir.Operation | None = None) -> bool:
    """Whether elements have 8 bits; or one, where `op` is a sort, which takes it for -1."""
    if type_ is None or not isinstance(type_.element, ir.IntegerType):
        return False
    width = type_.element.width
    return width == 8 or (width == 1 and op is not None and op.name in _SORTS)


def _repair_bytes(op: ir.Operation) -> None:
    results = _types(op.results)
    name = op.name.removeprefix("torch.aten.")
    operands = _types(op.operands)
    if not any(_is_byte(each, op) for each in results):
        if not name.startswith(_OF_BITS) and "quantized" not in name:
            _widen(op, operands)
        return
    if name in _MOVES or _takes_the_nearest(op):
        return
    known = [result for result in results if result is not None]
    if name not in _ARITHMETIC | _CASTS or len(known) < len(results):
        raise BYTES()
    if name in _CASTS:
        given = operands[0]
        if given is None or isinstance(given.element, ir.ComplexType):
            raise BYTES()
        replace_op(op, [_cast(op.operands[0], given, known[0])])
        return
    _widen(op, operands)
    i32 = ir.IntegerType.get_signed(32)
    for result, wanted in zip(op.results, known, strict=True):
        if _is_byte(wanted, op):
            wide = TensorType(wanted.shape, i32)
            result.set_type(with_element(result.type, i32))
            uses = [(use.owner, use.operand_number) for use in result.uses]
            with ir.InsertionPoint.after(op):
                cut = _cast(result, wide, wanted)
            for user, number in uses:
                user.operands[number] = cut


def _takes_the_nearest(op: ir.Operation) -> bool:
    """Whether an interpolation moves elements and computes none."""
    if not op.name.startswith("torch.aten.__interpolate."):
        return False
    mode = producer(op.operands[3], "torch.constant.str")
    return mode is not None and mode.attributes["value"].value.startswith("nearest")


def _widen(op: ir.Operation, types: Sequence[TensorType | None]) -> None:
    """Extend operands of 8 bits to 32, those in lists too: torch-mlir dies on some, and takes
    unsigned for signed ones."""
    i32 = ir.IntegerType.get_signed(32)
    for value in op.operands:
        listed = producer(value, "torch.prim.ListConstruct")
        if listed is not None and len(list(value.uses)) == 1:
            with ir.InsertionPoint(listed):
                _widen(listed, _types(listed.operands))
    for number, type_ in enumerate(types):
        if type_ is not None and _is_byte(type_, op):
            op.operands[number] = _cast(op.operands[number], type_, TensorType(type_.shape, i32))


def _cast(value: ir.Value, given: TensorType, wanted: TensorType) -> ir.Value:
    """A value tensor with its elements converted; of numbers too large the low bits stay."""
    between = given.element
    i64 = ir.IntegerType.get_signed(64)

    def body(element: ir.Value) -> ir.Value:
        if isinstance(between, ir.FloatType):
            return cast(cast(element, between, i64), i64, wanted.element)
        return cast(element, between, wanted.element)

    made = elementwise([to_builtin(value)], signless(wanted.element), body)
    return from_builtin(made, with_element(value.type, wanted.element))
