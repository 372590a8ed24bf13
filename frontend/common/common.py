"""What the front ends share: which forms they convert, which they refuse, and the walk.

A front end registers one function per source op. The function gets the op, builds `gs` ops at the
insertion point, and returns the values that replace its results, or raises a `Refusal`, or `Left`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import structure_of
from mlir_gs.dialect.build import InvalidOp
from mlir_gs.dialect.sizes import addressed
from mlir_gs.dialect.structure import Access, Structure
from mlir_gs.frontend.common.shapes import as_type
from mlir_gs.lowering import PassFailure
from mlir_gs.lowering.checks.bounds import ORIGIN
from mlir_gs.lowering.ir.builders import index, producer, walk_inwards
from mlir_gs.lowering.passes.diagnostics import plain_message
from mlir_gs.lowering.passes.registry import CONVERTED
from mlir_gs.lowering.sizes.fits import Larger
from mlir_gs.lowering.sizes.gs_check_sizes import check_structure

Rewrite = Callable[[Any], Sequence[ir.Value]]


class Refused(Exception):
    """The op is not converted; the text says what is missing."""


class Left(Exception):
    """The op stays as it is, for a pass of upstream that takes it."""


@dataclass(frozen=True)
class Refusal:
    """A form that is not converted, and the message, with its variable parts in braces.

    `raise NO_AXES(found=3)` refuses the op that is being converted.
    """

    form: str
    message: str

    def __call__(self, **found: Any) -> Refused:
        return Refused(self.message.format(**found))


@dataclass(frozen=True)
class Conversion:
    """One source op: `forms` is what it covers and the ops that each form becomes."""

    source: str
    forms: Mapping[str, str]
    refusals: tuple[Refusal, ...]
    rewrite: Rewrite
    larger: Larger = "never"


def operation_name(op: ir.Operation) -> str:
    return op.name


def view_of(op: ir.Operation) -> ir.OpView:
    return op.opview


@dataclass(frozen=True)
class FrontEnd:
    """The conversions of one source language.

    `pass_name` is the pass that runs them. `key` gives the name under which an op is registered,
    where that is not the operation's own name (ONNX ops arrive as `torch.operator`), `view` what
    its conversion gets.
    `dialect_class` is the source dialect, if it is one that is defined in Python. `refuses` are
    the refusals of whole modules and files: those that no conversion of one op makes.
    """

    title: str
    pass_name: str
    key: Callable[[ir.Operation], str] = operation_name
    view: Callable[[ir.Operation], Any] = view_of
    dialect_class: Any = None
    refuses: tuple[Refusal, ...] = ()
    conversions: dict[str, Conversion] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _FRONT_ENDS[self.pass_name] = self

    def converts(
        self,
        source: str,
        forms: Mapping[str, str],
        refuses: Sequence[Refusal] = (),
        larger: Larger = "never",
    ) -> Callable[[Rewrite], Rewrite]:
        """Register the decorated function as the conversion of `source`.

        `forms`: form of the source op to the ops it becomes. `larger`: whether what is addressed
        may be larger than what is moved, where that is a `gs.generic`: its sizes are checked at
        run time (see `structure_fits`). Raises ValueError for a second one.
        """

        def register(rewrite: Rewrite) -> Rewrite:
            if source in self.conversions:
                raise ValueError(f"'{source}' is registered twice in {self.pass_name}")
            self.conversions[source] = Conversion(source, forms, tuple(refuses), rewrite, larger)
            CONVERTED[source] = self.pass_name
            return rewrite

        return register

    def convert(self, module: ir.Operation, *names: str) -> None:
        """Convert all registered ops in `module`, or those of `names`, the innermost first.

        Every op that is refused is reported at its location, then PassFailure is raised.
        """
        wanted = {name: self.conversions[name] for name in names or self.conversions}
        found = [
            (op, conversion)
            for op in walk_inwards(module)
            if (conversion := wanted.get(self.key(op))) is not None
        ]
        refused = [op for op, conversion in found if not _convert_one(op, conversion, self.view)]
        if refused:
            raise PassFailure


_FRONT_ENDS: dict[str, FrontEnd] = {}


def front_ends() -> tuple[FrontEnd, ...]:
    """The front ends that have been imported, by the name of their pass."""
    return tuple(_FRONT_ENDS[name] for name in sorted(_FRONT_ENDS))


def _convert_one(op: ir.Operation, conversion: Conversion, view: Callable[..., Any]) -> bool:
    with op.location, ir.InsertionPoint(op):
        start = index(0).owner.operation
        try:
            replacements = conversion.rewrite(view(op))
        except Left:
            start.erase()
            return True
        except (Refused, InvalidOp) as refused:
            start.erase()
            becomes = "becomes one that is wrong: " if isinstance(refused, InvalidOp) else ""
            op.location.emit_error(f"'{conversion.source}' op {becomes}{refused}")
            return False
        for made in [*_made_behind(start, replacements)]:
            if not _verifies(op, made, conversion):
                return False
            _name_origin(op, made, conversion)
            if made.name == "gs.generic":
                _check_sizes(op, made, conversion)
        start.erase()
        for old, new in zip(op.results, replacements, strict=True):
            old.replace_all_uses_with(as_type(new, old.type))
    op.erase()
    return True


def _made_behind(start: ir.Operation, values: Sequence[ir.Value]) -> Iterator[ir.Operation]:
    """The ops behind `start` in its block from which `values` are computed."""
    seen: set[ir.Value] = set()
    pending = list(values)
    while pending:
        made = producer(pending.pop())
        if made is None or made.block != start.block or made.is_before_in_block(start):
            continue
        if made.results[0] in seen:
            continue
        seen.add(made.results[0])
        pending += made.operands
        yield made


def _verifies(op: ir.Operation, made: ir.Operation, conversion: Conversion) -> bool:
    """Whether `made` is valid; else the error names `op`, which became it."""
    try:
        made.verify()
    except ir.MLIRError as error:
        for each in error.error_diagnostics:
            message = plain_message(each)
            op.location.emit_error(f"'{conversion.source}' op becomes one that is wrong: {message}")
        return False
    return True


def _check_sizes(op: ir.Operation, made: ir.Operation, conversion: Conversion) -> None:
    """Assert what the source language asks of the sizes of `op`, which became `made`."""

    def name(access: Access) -> str:
        number = _operand_of(op, access)
        return access.name if number is None else f"operand #{number}"

    check_structure(made, conversion.source, name, conversion.larger)


def _name_origin(op: ir.Operation, made: ir.Operation, conversion: Conversion) -> None:
    """Let errors at run time name `op`, which became `made`, and its operand."""
    structure = Structure.of(made.opview) if made.name == "gs.generic" else structure_of(made)
    if structure is None or "error" not in structure.modes or ORIGIN in made.attributes:
        return
    where = addressed(structure)
    number = _operand_of(op, where[0]) if len(where) == 1 else None
    if number is not None:
        names = [ir.StringAttr.get(name) for name in (conversion.source, _called(op, number))]
        made.attributes[ORIGIN] = ir.ArrayAttr.get(names)


def _operand_of(op: ir.Operation, access: Access) -> int | None:
    """Which operand of `op` shows what `access` addresses."""
    value, given = access.value, list(op.operands)
    while value not in given and (shown := producer(value, *_SHOWING)) is not None:
        value = shown.operands[0]
    return given.index(value) if value in given else None


def _called(op: ir.Operation, number: int) -> str:
    """An operand as the op's class calls it, if it does."""
    view, wanted = op.opview, op.operands[number]
    for name, member in vars(type(view)).items():
        if isinstance(member, property):
            found = getattr(view, name)
            if isinstance(found, ir.Value) and found == wanted:
                return name.removesuffix("_")
    return f"operand #{number}"


# What shows all of its operand.
_SHOWING = (
    "tensor.cast",
    "tensor.expand_shape",
    "tensor.collapse_shape",
    "torch_c.to_builtin_tensor",
    "builtin.unrealized_conversion_cast",
)


ELEMENTS = Refusal(
    "elements that are not integer, float, complex or index",
    "operand '{operand}' must have integer, float, complex or index elements, found {found}",
)
ENCODING = Refusal(
    "tensors with an encoding",
    "operand '{operand}' must be a tensor without encoding, found {found}",
)
UNRANKED = Refusal("unranked tensors", "operand '{operand}' must be a ranked tensor, found {found}")
PLAIN = (ELEMENTS, ENCODING, UNRANKED)


def check_plain(**operands: ir.Value) -> None:
    """Refuse operands that `gs` does not take; their names go into the message."""
    for name, value in operands.items():
        type_ = value.type
        if not isinstance(type_, ir.RankedTensorType):
            raise UNRANKED(operand=name, found=type_)
        if type_.encoding is not None:
            raise ENCODING(operand=name, found=type_)
        element = type_.element_type
        if not isinstance(element, (ir.IntegerType, ir.FloatType, ir.ComplexType, ir.IndexType)):
            raise ELEMENTS(operand=name, found=element)
