"""An ONNX node as the importer leaves it: a `torch.operator` with the node's name."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import FrontEnd, Refusal
from mlir_gs.frontend.onnx.check import CHECKS
from mlir_gs.frontend.onnx.infer import NARROW, NEGATIVE, NO_RANK
from mlir_gs.frontend.onnx.ranks import CHECKS as RANK_CHECKS
from mlir_gs.frontend.onnx.upgrade import STEPS
from mlir_gs.frontend.torch.vtensor import TensorType, name_of, to_builtin
from mlir_gs.lowering.ir.builders import ancestors, dim_of, index

arith = dialect("arith")
cf = dialect("cf")

MOST = 1 << 43
"""A tensor of so many elements, of up to 16 bytes, fits no memory."""

_OPSET = "torch.onnx_meta.opset_version"
_NEWEST = 1 << 30

_REQUIRED: Any = object()
_KINDS = {"int": (int, int), "ints": (list, int), "string": (str, str), "strings": (list, str)}
"""By kind the type of an attribute, and that of its elements where it is a list."""

ATTRIBUTE = Refusal(
    "an attribute of another kind, or a required one that is left out",
    "attribute '{name}' must be {kind}, found {found}",
)
NO_INPUT = Refusal("a required input that is left out", "needs input {number}, which is left out")


def key(op: ir.Operation) -> str:
    """The node's name, or nothing for shape arithmetic, which is torch-mlir's to fold."""
    name = name_of(op)
    return "" if name.startswith("onnx.") and is_shape_arithmetic(op) else name


class Node:
    """What conversions read of a node."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op

    @property
    def opset(self) -> int:
        """The version of the default operator set; the newest if the function does not tell."""
        around = (op.attributes for op in ancestors(self.op.parent))
        return next((found[_OPSET].value for found in around if _OPSET in found), _NEWEST)

    def attribute(self, name: str, kind: str, default: Any = _REQUIRED) -> Any:
        """An attribute of `kind`: int, ints, string or strings; `default` where it is left out."""
        full = f"torch.onnx.{name}"
        if full not in self.op.attributes:
            if default is _REQUIRED:
                raise ATTRIBUTE(name=name, kind=kind, found="nothing")
            return default
        held = self.op.attributes[full]
        found = _python(held)
        whole, each_of = _KINDS[kind]
        if not isinstance(found, whole) or (
            isinstance(found, list) and not all(isinstance(each, each_of) for each in found)
        ):
            raise ATTRIBUTE(name=name, kind=kind, found=held)
        return found

    def has(self, number: int) -> bool:
        """Whether an optional input is given."""
        operands = self.op.operands
        return number < len(operands) and str(operands[number].type) != "!torch.none"

    def type(self, number: int) -> TensorType:
        if not self.has(number):
            raise NO_INPUT(number=number)
        return TensorType.of(self.op.operands[number].type)

    def input(self, number: int) -> ir.Value:
        """An input as a builtin tensor."""
        if not self.has(number):
            raise NO_INPUT(number=number)
        return to_builtin(self.op.operands[number])

    def result_type(self) -> ir.Type:
        return self.op.results[0].type

    def integers(self, number: int) -> list[int] | None:
        """The elements of an input that is a constant in the IR; None for any other."""
        return constant_integers(self.op.operands[number])


_WHOLE = (NO_RANK, NEGATIVE, NARROW, STEPS, *CHECKS, *RANK_CHECKS)
ONNX = FrontEnd("ONNX", "convert-onnx-to-gs", key, view=Node, refuses=_WHOLE)


def _python(held: ir.Attribute) -> Any:
    """The number, text or list of them that an attribute holds; None for others."""
    if isinstance(held, ir.ArrayAttr):
        return [_python(each) for each in held]
    known = isinstance(held, ir.IntegerAttr | ir.FloatAttr | ir.StringAttr)
    return held.value if known else None


def as_index(value: ir.Value, given: ir.Type | None = None) -> ir.Value:
    """A number as an index; see `as_i64`."""
    return arith.index_cast(ir.IndexType.get(), as_i64(value, given))


def as_i64(value: ir.Value, given: ir.Type | None = None) -> ir.Value:
    """A number of the type `given`, which tells its sign, by default a signed integer, as an i64.

    Floats are cut to integers; those that are none, or too large, become the least one. Unsigned
    ones that are too large become the largest.
    """
    i64 = ir.IntegerType.get_signless(64)
    if isinstance(value.type, ir.FloatType):
        wide = arith.extf(ir.F64Type.get(), value) if value.type.width < 64 else value
        far = [arith.constant(wide.type, sign * 2.0**62) for sign in (-1, 1)]
        above = arith.cmpf(arith.CmpFPredicate.OGE, wide, far[0])
        inside = arith.andi(above, arith.cmpf(arith.CmpFPredicate.OLE, wide, far[1]))
        cut = arith.fptosi(i64, arith.select(inside, wide, far[0]))
        return arith.select(inside, cut, arith.constant(i64, -(1 << 63)))
    if given is not None and given.is_unsigned:
        if value.type.width < 64:
            return arith.extui(i64, value)
        return arith.minui(value, arith.constant(i64, (1 << 63) - 1))
    return arith.extsi(i64, value) if value.type.width < 64 else value


def expect(holds: ir.Value, message: str) -> None:
    """An error of the call where `holds` does not."""
    cf.AssertOp(holds, message)


def constant_integers(value: ir.Value) -> list[int] | None:
    """The elements of an `onnx.Constant` that holds numbers of the IR, cut to integers."""
    owner = value.owner
    if isinstance(owner, ir.Block) or name_of(owner.operation) != "onnx.Constant":
        return None
    attributes = owner.operation.attributes
    for name in ("value", "value_ints", "value_int"):
        full = f"torch.onnx.{name}"
        if full not in attributes:
            continue
        held = attributes[full]
        if isinstance(held, ir.DenseIntElementsAttr):
            return list(held)
        if isinstance(held, ir.DenseFPElementsAttr) and all(isfinite(each) for each in held):
            return [int(each) for each in held]
        if isinstance(held, ir.ArrayAttr):
            return [each.value for each in held]
        if isinstance(held, ir.IntegerAttr):
            return [held.value]
    return None


# What models compute sizes with, in addition to the ops of this front end.
_SHAPE_OPS = frozenset(
    f"onnx.{name}"
    for name in (
        *("Shape", "Size", "Constant", "Cast", "Identity"),
        *("Add", "Sub", "Mul", "Div", "Equal", "Where"),
        *("Concat", "Gather", "Slice", "Squeeze", "Unsqueeze"),
    )
)


def is_shape_arithmetic(op: ir.Operation) -> bool:
    """Whether `op` computes integers from sizes and constants alone.

    torch-mlir folds such ops to find the sizes of reshapes and the like; it does not see through
    ops of `gs`.
    """
    return bool(op.results) and all(_is_small(each.type) for each in op.results) and _known(op)


def _is_small(type_: ir.Type) -> bool:
    text = str(type_)
    return (
        text.startswith("!torch.vtensor<[")
        and text.endswith(("si64>", "si32>"))
        and ("," not in text.partition("]")[0])
    )


def _known(op: ir.Operation) -> bool:
    seen_size = False
    for each in _backwards(op):
        if each is None or name_of(each) not in _SHAPE_OPS:
            return False
        seen_size |= name_of(each) in ("onnx.Shape", "onnx.Size")
    return seen_size


def _backwards(op: ir.Operation) -> Iterator[ir.Operation | None]:
    """`op` and what it is computed from, up to shapes; None for a block argument."""
    pending, seen = [op], set()
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        yield each
        if name_of(each) in ("onnx.Shape", "onnx.Size"):
            continue
        for operand in each.operands:
            if isinstance(operand.owner, ir.Block):
                yield None
            else:
                pending.append(operand.owner.operation)


def expect_sizes(value: ir.Value, declared: ir.Type, name: str) -> ir.Value:
    """Check at run time that `value` has the sizes that the model declares for a result."""
    for dim, (known, size) in enumerate(
        zip(value.type.shape, TensorType.of(declared).shape, strict=True)
    ):
        if known == DYNAMIC and size != DYNAMIC:
            found = dim_of(value, dim)
            same = arith.cmpi(arith.CmpIPredicate.eq, found, index(size))
            expect(same, f"'{name}' result has another size in dim {dim} than {size}")
    return value
