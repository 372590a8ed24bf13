"""The dialect `gs_transform`, and what its ops share."""

# The classes of the dialect DSL take keywords that only the untyped bindings know of.
# pyright: reportCallIssue=false, reportGeneralTypeIssues=false

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs._forks import uninterrupted
from mlir_gs.dialect._bindings import ext, ir, module
from mlir_gs.dialect.base import spelled
from mlir_gs.dialect.checks import Attributes, has_declared_parts
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import ancestors, enclosing
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.passes.python_passes import PassFailure, keep_raised
from mlir_gs.lowering.tile.cut import CannotCut

transform = module("dialects.transform")


@spelled
class GsTransform(ext.Dialect, name="gs_transform"):
    """Transform ops on `gs` ops. A class that declares all says nothing of its verifier."""


GsTransform.Operation.ATTRIBUTES = Attributes()
GsTransform.Operation.verify_invariants = has_declared_parts


class Unfit(Exception):
    """A transform op does not apply to an op: a failure that other transform ops may handle."""

    def __init__(self, payload: ir.Operation, reason: str) -> None:
        super().__init__(reason)
        self.payload = payload


# Of upstream's FailurePropagationMode.
_SUPPRESS = 2


def applying(apply: Callable[[Any, Any, "Payload"], Sequence[Sequence[ir.Operation]]]) -> Any:
    """The interface by which the interpreter runs a transform op.

    `apply(op, rewriter, payload)` gives the operations of each result. Where it raises Unfit, the
    failure is silenceable, and where a PassFailure, definite.
    """

    class Apply(transform.TransformOpInterface):
        @staticmethod
        def apply(op: Any, rewriter: Any, results: Any, state: Any) -> Any:
            failure = transform.DiagnosedSilenceableFailure
            try:
                with uninterrupted, op.operation.context, op.operation.location:
                    found = apply(op, rewriter, Payload(state))
            except Unfit as unfit:
                text = f"'{op.operation.name}' op {unfit}"
                if _is_suppressed(op.operation):
                    note(unfit.payload, "refused", text)
                else:
                    unfit.payload.location.emit_error(text)
                return failure.SilenceableFailure
            except (PassFailure, CannotCut, ValueError) as error:
                if str(error):
                    op.operation.location.emit_error(f"'{op.operation.name}' op {error}")
                return failure.DefiniteFailure
            except BaseException as error:
                keep_raised(op.operation, op.operation.name, error)
                return failure.DefiniteFailure
            for result, operations in zip(op.operation.results, found, strict=True):
                results.set_ops(result, list(operations))
            return failure.Success

        @staticmethod
        def allow_repeated_handle_operands(op: Any) -> bool:
            return False

    return Apply


class Payload:
    """The operations that handles stand for."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def of(self, handle: ir.Value) -> list[ir.Operation]:
        return [op.operation for op in self._state.get_payload_ops(handle)]


class _NoSites(Sites):
    """For an op in no module, such as in a region of transform.alternatives, which works on a
    copy: there is no place for what raises."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op

    def add(self, text: str) -> int:
        raise Unfit(
            self.op,
            "checks of coordinates need a module around the op: in alternatives there is none",
        )

    def write(self) -> None:
        pass


def sites_of(op: ir.Operation) -> Sites:
    """Where compiled code may raise, in the module that `op` is in."""
    whole = next((one for one in ancestors(op) if one.name == "builtin.module"), None)
    return _NoSites(op) if whole is None else Sites(whole)


def effects(*, consumes: Sequence[int] = (), changes: bool = True) -> Any:
    """The memory effects: the operands of these numbers are consumed, others are read."""

    class Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op: Any, found: Any) -> None:
            for number, operand in enumerate(op.op_operands):
                if number in consumes:
                    transform.consumes_handle([operand], found)
                else:
                    transform.only_reads_handle([operand], found)
            transform.produces_handle(op.results, found)
            if changes:
                transform.modifies_payload(found)
            else:
                transform.only_reads_payload(found)

    return Effects


def _is_suppressed(op: ir.Operation) -> bool:
    """Whether an op around this one goes on after a silenceable failure."""
    around = enclosing(op, "transform.alternatives", "transform.sequence")
    return around is not None and (
        around.name == "transform.alternatives"
        or around.attributes["failure_propagation_mode"].value == _SUPPRESS
    )
