"""An ONNX node as the importer leaves it: a `torch.operator` with the node's name."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common import FrontEnd, Refusal
from mlir_gs.frontend.vtensor import TensorType, to_builtin
from mlir_gs.lowering.builders import dim_of

arith = dialect("arith")
cf = dialect("cf")
tensor = dialect("tensor")

_OPSET = "torch.onnx_meta.opset_version"
_NEWEST = 1 << 30

NO_INPUT = Refusal("a required input that is left out", "needs input {number}, which is left out")


def name_of(op: ir.Operation) -> str:
    """`onnx.Gather` for a node; else the operation's name."""
    if op.name == "torch.operator":
        return op.attributes["name"].value
    return op.name


def key(op: ir.Operation) -> str:
    """The node's name, or nothing for shape arithmetic, which is torch-mlir's to fold."""
    name = name_of(op)
    return "" if name.startswith("onnx.") and is_shape_arithmetic(op) else name


NO_RANK = Refusal(
    "values of unknown rank, as branches of an If that differ in it",
    "no rank is known for '{name}': shape inference does not find it, and the model declares none",
)

ONNX = FrontEnd("ONNX", "convert-onnx-to-gs", key, refuses=(NO_RANK,))


class Node:
    """What conversions read of a node."""

    def __init__(self, op: ir.OpView) -> None:
        self.op = op.operation

    @property
    def opset(self) -> int:
        """The version of the default operator set; the newest if the function does not tell."""
        parent = self.op.parent
        while parent is not None:
            if _OPSET in parent.operation.attributes:
                return parent.operation.attributes[_OPSET].value
            parent = parent.operation.parent
        return _NEWEST

    def attribute(self, name: str, default: Any = None) -> Any:
        """An int, float or string attribute, or a list of integers."""
        full = f"torch.onnx.{name}"
        if full not in self.op.attributes:
            return default
        value = self.op.attributes[full]
        if isinstance(value, ir.ArrayAttr):
            return [each.value for each in value]
        return value.value

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

    def scalars(self, number: int) -> Sequence[ir.Value]:
        """The elements of a rank-0 or rank-1 input of static size, as index values."""
        value = self.input(number)
        count = math.prod(value.type.shape)
        places = [[]] if value.type.rank == 0 else [[constant_index(k)] for k in range(count)]
        unsigned = self.type(number).is_unsigned
        return [as_index(tensor.extract(value, place), unsigned) for place in places]


def constant_index(value: int) -> ir.Value:
    return arith.constant(ir.IndexType.get(), value)


def as_index(value: ir.Value, unsigned: bool = False) -> ir.Value:
    """A signless integer, or a float, cut to an integer, as an index."""
    if isinstance(value.type, ir.FloatType):
        value = arith.fptosi(ir.IntegerType.get_signless(64), value)
    cast = arith.index_castui if unsigned else arith.index_cast
    return cast(ir.IndexType.get(), value)


def constant_integers(value: ir.Value) -> list[int] | None:
    """The elements of an `onnx.Constant` that holds integers of the IR."""
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
        if isinstance(held, ir.ArrayAttr):
            return [each.value for each in held]
        if isinstance(held, ir.IntegerAttr):
            return [held.value]
    return None


# What models compute sizes with, beside the ops of this front end.
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
            same = arith.cmpi(arith.CmpIPredicate.eq, found, constant_index(size))
            cf.AssertOp(same, f"'{name}' result has another size in dim {dim} than {size}")
    return value
