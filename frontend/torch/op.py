"""An op of the torch dialect: its tensors, its constants, its optional operands."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.common.common import FrontEnd, Refusal
from mlir_gs.frontend.common.masks import is_set
from mlir_gs.frontend.torch.vtensor import VALUE_TENSORS, TensorType, from_builtin, to_builtin
from mlir_gs.lowering.ir.builders import producer, replace_op

arith = dialect("arith")

CONSTANT = Refusal(
    "a dim, flag, mode or reduction that is not a constant",
    "operand {number} must be a constant, found {found}",
)
DIM = Refusal("a dim out of range", "dim must be in [-{rank}, {rank}), found {dim}")
LIST = Refusal(
    "a list of tensors that is not built in the function",
    "operand {number} must be built by torch.prim.ListConstruct, found {found}",
)
REDUCTION = Refusal("an unknown reduction", "reduction must be {known}, found '{found}'")
ELEMENTS = Refusal(
    "a reduction that is not defined for the element type",
    "no reduction '{name}' of {element} elements",
)
INDICES = Refusal(
    "indices that are not signed integers", "indices must be int32 or int64, found {found}"
)
RANK = Refusal(
    "a result type of another rank than the op gives",
    "result must have rank {wanted}, found {found}",
)
MASK = Refusal("masks that are not bool", "mask must be bool, found {found}")
SOURCE = Refusal(
    "sources of another shape",
    "source must be {wanted} but for dim {dim}, found {found}",
)
MIXED = Refusal(
    "values of another element type",
    "values must have the elements of the tensor, {wanted}, found {found}",
)
COMMON = (*VALUE_TENSORS, CONSTANT, DIM, INDICES, RANK)


def key(op: ir.Operation) -> str:
    """`aten.gather`, whether the dialect has the op or the importer leaves a torch.operator."""
    name = op.name
    if name == "torch.operator":
        name = op.attributes["name"].value
    return name.removeprefix("torch.")


NOT_CONVERTED = Refusal(
    "ops that neither mlir-gs nor torch-mlir converts", "is not supported: no conversion took it"
)

TORCH = FrontEnd("Torch", "convert-torch-to-gs", key, refuses=(NOT_CONVERTED,))


class TorchOp:
    """What conversions read of an op; operands by number."""

    def __init__(self, op: ir.OpView) -> None:
        self.op = op.operation

    @property
    def key(self) -> str:
        """The name that it is registered under."""
        return key(self.op)

    def type(self, number: int) -> TensorType:
        return TensorType.of(self.op.operands[number].type)

    def of_result(self) -> TensorType:
        """The type of the first result."""
        return TensorType.of(self.op.results[0].type)

    def tensor(self, number: int) -> ir.Value:
        """A value tensor as a builtin one."""
        return to_builtin(self.op.operands[number])

    def indices(self, number: int) -> ir.Value:
        """A tensor of coordinates. Torch takes uint8 ones for masks."""
        element = self.type(number).element
        if element not in (ir.IntegerType.get_signed(32), ir.IntegerType.get_signed(64)):
            raise INDICES(found=element)
        return self.tensor(number)

    def mask(self, number: int) -> ir.Value:
        """A tensor of bools. Raises a refusal for others."""
        element = self.type(number).element
        if element != ir.IntegerType.get_signless(1):
            raise MASK(found=element)
        return self.tensor(number)

    def is_none(self, number: int) -> bool:
        return is_none(self.op.operands[number])

    def constant(self, number: int) -> Any:
        """The value of a constant int, float, bool or string."""
        return constant_of(self.op.operands[number], number)

    def dim(self, number: int, rank: int) -> int:
        """A constant dim, counted from the front; a scalar has the dims of one with one."""
        return _dim(self.constant(number), rank)

    def dims(self, number: int, rank: int) -> list[int]:
        """A list of constant dims, counted from the front."""
        return [_dim(constant_of(value, number), rank) for value in self.list(number)]

    def list(self, number: int) -> list[ir.Value]:
        """The elements of a list."""
        value = underived(self.op.operands[number])
        made = producer(value, "torch.prim.ListConstruct")
        if made is None:
            raise LIST(number=number, found=owner_text(value))
        return [underived(element) for element in made.operands]

    def scalar(self, number: int, element: ir.Type) -> ir.Value:
        """A number as an element of a tensor; `element` has the sign of the tensor's type."""
        return scalar_of(self.op.operands[number], element)

    def result(self, value: ir.Value) -> ir.Value:
        """The first result as a value tensor."""
        declared = self.op.results[0].type
        if TensorType.of(declared).rank != value.type.rank:
            raise RANK(wanted=value.type.rank, found=TensorType.of(declared).rank)
        return from_builtin(value, declared)

    def replace(self, values: Sequence[ir.Value]) -> None:
        """Let tensors take the place of the results, and erase the op."""
        pairs = zip(values, self.op.results, strict=True)
        replace_op(self.op, [from_builtin(value, result.type) for value, result in pairs])


def constant_of(value: ir.Value, number: int) -> Any:
    """The value of a constant, which is operand `number` or in it."""
    made = producer(underived(value))
    if made is None or not made.name.startswith("torch.constant."):
        raise CONSTANT(number=number, found=owner_text(underived(value)))
    return made.attributes["value"].value


def _dim(dim: int, rank: int) -> int:
    rank = max(rank, 1)
    if not -rank <= dim < rank:
        raise DIM(rank=rank, dim=dim)
    return dim % rank


def underived(value: ir.Value) -> ir.Value:
    """`value` before torch.derefine forgot its type."""
    made = producer(value, "torch.derefine")
    return value if made is None else underived(made.operands[0])


def is_none(value: ir.Value) -> bool:
    return str(underived(value).type) == "!torch.none"


def is_one(value: ir.Value) -> bool:
    """Whether it is the constant 1."""
    made = producer(underived(value), "torch.constant.int")
    return made is not None and made.attributes["value"].value == 1


def owner_text(value: ir.Value) -> str:
    """What gives `value`, for a message."""
    made = producer(value)
    return "a function argument" if made is None else made.name


def signless(element: ir.Type) -> ir.Type:
    if isinstance(element, ir.IntegerType):
        return ir.IntegerType.get_signless(element.width)
    return element


def number(value: float, element: ir.Type) -> ir.Value:
    """A Python number as a constant of a signless type; a bool is whether it is not 0."""
    element = signless(element)
    if isinstance(element, ir.ComplexType):
        part = ir.FloatAttr.get(element.element_type, float(value))
        zero = ir.FloatAttr.get(element.element_type, 0.0)
        return dialect("complex").constant(element, ir.ArrayAttr.get([part, zero]))
    if isinstance(element, ir.FloatType):
        return arith.constant(element, float(value))
    if element.width == 1:
        return arith.constant(element, int(value != 0))
    wrapped = int(value) % (1 << element.width)
    signed = wrapped - (1 << element.width) if wrapped >> (element.width - 1) else wrapped
    return arith.constant(element, signed)


def scalar_of(value: ir.Value, element: ir.Type) -> ir.Value:
    """A `!torch.int`, `!torch.float` or `!torch.bool` as a value of `element`, made signless."""
    value = underived(value)
    made = producer(value)
    if made is not None and made.name.startswith("torch.constant."):
        return number(made.attributes["value"].value, element)
    kind = {"!torch.int": "i64", "!torch.float": "f64", "!torch.bool": "i1"}.get(str(value.type))
    if kind is None or isinstance(element, ir.ComplexType):
        raise CONSTANT(number="'value'", found=owner_text(value))
    read = ir.Operation.create(
        f"torch_c.to_{kind}", results=[ir.Type.parse(kind)], operands=[value]
    ).result
    return cast(read, read.type, element)


def as_index(value: ir.Value) -> ir.Value:
    """A `!torch.int` as an index."""
    wide = scalar_of(value, ir.IntegerType.get_signless(64))
    return arith.index_cast(ir.IndexType.get(), wide)


def cast(value: ir.Value, given: ir.Type, element: ir.Type) -> ir.Value:
    """`value`, of the signless type of `given`, as a number of `element`; no complex ones.

    The types have signs; signless integers are signed, those of one bit are bools.
    """
    wanted = signless(element)
    if given == element:
        return value
    if isinstance(wanted, ir.FloatType):
        if isinstance(given, ir.FloatType):
            return _cast_float(value, wanted)
        return (arith.uitofp if _is_natural(given) else arith.sitofp)(wanted, value)
    if wanted.width == 1:
        return is_set(value)
    if isinstance(given, ir.FloatType):
        return (arith.fptoui if element.is_unsigned else arith.fptosi)(wanted, value)
    if given.width == wanted.width:
        return value
    if given.width > wanted.width:
        return arith.trunci(wanted, value)
    return (arith.extui if _is_natural(given) else arith.extsi)(wanted, value)


def _cast_float(value: ir.Value, wanted: ir.Type) -> ir.Value:
    given = value.type
    if given.width == wanted.width:
        # bf16 and f16 hold different numbers.
        return arith.truncf(wanted, arith.extf(ir.F32Type.get(), value))
    return (arith.extf if given.width < wanted.width else arith.truncf)(wanted, value)


def _is_natural(element: ir.Type) -> bool:
    return element.width == 1 or element.is_unsigned
