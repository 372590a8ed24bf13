"""torch-mlir's own passes over what `gs` has no part in.

Errors for what they refuse have the name that the op had in the source.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.torch import respell
from mlir_gs.frontend.torch.backend import FINISH, TO_LINALG, in_torch
from mlir_gs.frontend.torch.op import NOT_CONVERTED
from mlir_gs.frontend.torch.vtensor import name_of, register_torch
from mlir_gs.lowering import PassFailure, register_pass
from mlir_gs.lowering.ir.builders import walk, walk_named
from mlir_gs.lowering.passes.diagnostics import plain_message
from mlir_gs.lowering.passes.registry import build_pass_manager

_RETURNED = re.compile(r"type of return operand (\d+) ")
_FAILED = re.compile(r"failed to legalize operation '([\w.]+)'")


@register_pass
@dataclass(frozen=True)
class ConvertOnnxByUpstream:
    """Convert the other ONNX nodes as torch-mlir does, to linalg on builtin tensors.

    Runs torch-onnx-to-torch-backend-pipeline, then the steps of convert-torch-by-upstream. An op
    that no conversion takes is an error, which has the name of its node.
    """

    name: ClassVar[str] = "convert-onnx-by-upstream"

    def run(self, module: ir.Operation) -> None:
        _convert(module, ["torch-onnx-to-torch-backend-pipeline", *TO_LINALG], FINISH)


@register_pass
@dataclass(frozen=True)
class ConvertTorchByUpstream:
    """Convert the other Torch ops as torch-mlir does, to linalg on builtin tensors.

    Runs torch-mlir's decompositions, convert-torch-to-gs once more, and
    torch-backend-to-linalg-on-tensors-backend-pipeline without its last check, which does not know
    `gs`. Sorts and scans that this leaves in tm_tensor become loops. An op that no conversion takes
    is an error, which has the op's name before the decompositions.
    """

    name: ClassVar[str] = "convert-torch-by-upstream"

    def run(self, module: ir.Operation) -> None:
        _tell_apart(module)
        steps = [respell.RespellTorch.name, "torchdynamo-export-to-torch-backend-pipeline"]
        _convert(module, [*steps, *TO_LINALG], FINISH)


def _tell_apart(module: ir.Operation) -> None:
    """Name ops in their locations, which what they become keeps: a line may have many."""
    for op in walk(module):
        if in_torch(op) and _has_tensors(op):
            op.location = ir.Location.name(name_of(op), op.location)


def _convert(module: ir.Operation, steps: Sequence[str], last: Sequence[str]) -> None:
    """Run `steps`, after which no op of torch may be left, and `last`."""
    register_torch(module.context)
    sources = _sources(module)
    _run(module, steps, sources)
    # Constants that are results fold back into literals, which the last steps convert.
    left = [op for op in walk(module) if in_torch(op) and op.name != "torch.vtensor.literal"]
    if left:
        _refuse_left(left, sources)
    _name_asserts(module, sources)
    _run(module, last, sources)


def _sources(module: ir.Operation) -> dict[str, set[str]]:
    """The names of the source's ops on tensors, by their location."""
    found: dict[str, set[str]] = {}
    for op in walk(module):
        if in_torch(op) and _has_tensors(op):
            found.setdefault(str(op.location), set()).add(name_of(op))
    return found


def _has_tensors(op: ir.Operation) -> bool:
    """Whether an op is more than a number, a list or arithmetic of sizes."""
    return any("vtensor" in str(value.type) for value in (*op.operands, *op.results))


def _run(module: ir.Operation, steps: Sequence[str], sources: Mapping[str, set[str]]) -> None:
    try:
        build_pass_manager(",".join(steps), module.context).run(module)
    except ir.MLIRError as error:
        found = [_message(each, sources) for each in error.error_diagnostics]
        messages = dict.fromkeys(_with_name(module, *each, sources) for each in found)
        for location, message in messages:
            location.emit_error(message)
        if not messages:
            raise
    else:
        return
    raise PassFailure


def _message(diagnostic: Any, sources: Mapping[str, set[str]]) -> tuple[Any, str]:
    """Where a diagnostic of upstream's is, and what it says with the name of the source's op."""
    location, message = diagnostic.location, plain_message(diagnostic)
    found = _FAILED.match(message)
    if found is None:
        known = _listed(location, sources)
        if known and message.startswith(f"{known} op "):
            return location, message
        return location, f"{known} op is not supported: {message}" if known else message
    return location, _refusal(_listed(location, sources, found[1]), found[1])


def _with_name(
    module: ir.Operation, location: Any, message: str, sources: Mapping[str, set[str]]
) -> tuple[Any, str]:
    """The message; where a result is not what the function gives, with what has made it."""
    found = _RETURNED.match(message)
    if found is not None:
        for end in walk_named(module, "func.return"):
            if int(found[1]) < len(end.operands):
                owner = end.operands[int(found[1])].owner
                place = None if isinstance(owner, ir.Block) else owner.location
                known = _listed(place, sources) if place is not None else ""
                if known:
                    return place, f"{known} op is not supported: {message}"
    return location, message


def _listed(location: Any, sources: Mapping[str, set[str]], name: str = "") -> str:
    """The source's ops at a location, of which one may have become `name`: itself, if it is one."""
    known = sources.get(str(location), set())
    return " or ".join(f"'{each}'" for each in ([name] if name in known else sorted(known)))


def _name_asserts(module: ir.Operation, sources: Mapping[str, set[str]]) -> None:
    """Put the names of the source's ops into errors of the call that name none."""
    for op in walk_named(module, "cf.assert"):
        text, known = op.attributes["msg"].value, _listed(op.location, sources)
        if known and "'" not in text:
            op.attributes["msg"] = ir.StringAttr.get(f"{known} op: {text}")


def _refusal(known: str, name: str) -> str:
    """The message about an op that has become `name`; `known`: how the source calls it."""
    refused = f"{known or repr(name)} op {NOT_CONVERTED.message}"
    became = known and name != "torch.operator" and repr(name) != known
    return f"{refused}, as '{name}'" if became else refused


def _refuse_left(left: Sequence[ir.Operation], sources: Mapping[str, set[str]]) -> NoReturn:
    """Refuse those on tensors, if there are some; numbers are left because others use them."""
    for op in [op for op in left if _has_tensors(op)] or left:
        users = [use.owner for each in op.results for use in each.uses]
        returns = [user for user in users if user.name == "func.return"]
        if op.name.startswith("torch.constant.") and returns:
            returns[0].location.emit_error(
                f"'{returns[0].name}' op takes a '{op.name}', which is no tensor"
            )
            continue
        name = name_of(op)
        op.location.emit_error(_refusal(_listed(op.location, sources, name), name))
    raise PassFailure
