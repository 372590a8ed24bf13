"""References that start from the source program, by other projects: no import is its own witness.

StableHLO runs in its own interpreter, an ONNX model in onnx's reference evaluator, a program of
torch.export in eager Torch.
"""

import os
import pickle
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.execution.compilation.source import copy_module, find
from mlir_gs.frontend.languages import imports
from mlir_gs.frontend.stablehlo.common import bindings
from mlir_gs.frontend.stablehlo.repairs import reduce_of_nothing
from mlir_gs.lowering.ir.builders import walk, walk_named
from mlir_gs.lowering.passes.diagnostics import error_text

_SECONDS = 60
"""An interpreter is given so long."""

_MOST = 200
"""Letters of what it says."""

_PREPARED = (
    "func.func(stablehlo-legalize-composite-to-call),inline{default-pipeline=},symbol-dce,"
    "func.func(chlo-legalize-to-stablehlo)"
)
Results = list[np.ndarray]


class NoAnswer(Exception):
    """The source program was not run; the text says by whom and why, in one line."""


def source_results(
    path: str, module: Any, name: str, arguments: Sequence[Any]
) -> tuple[str, Results] | None:
    """Who ran function `name` of the source program, and its results; None where `module`, as
    it was read from `path`, is in no language that another project runs. Raises NoAnswer."""
    if path.endswith(".onnx"):
        who, run = "onnx's reference evaluator", lambda: _by_onnx(path, arguments)
    elif path.endswith(".pt2"):
        who, run = "Torch", lambda: _by_torch(path, arguments)
    elif any(op.name.startswith(("stablehlo.", "chlo.")) for op in walk(module.operation)):
        who, run = "StableHLO's interpreter", lambda: _by_stablehlo(module, name, arguments)
    elif left := _unwitnessed(module):
        raise NoAnswer(f"nothing else runs {left}")
    else:
        return None
    return who, _apart(who, run)


def _unwitnessed(module: Any) -> str:
    found = imports(module.operation)
    return " and ".join(text.removeprefix("gs-import-") for text in found if "torch" in text)


def _apart(who: str, run: Callable[[], Results]) -> Results:
    """The results of `run` in a process of its own, which may die or take long. Raises NoAnswer."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            os.close(reader)
            os.dup2(errors.fileno(), 2)
            _answer(run, writer)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as file:
            data = file.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        errors.seek(0)
        said = errors.read(_MOST).decode("utf-8", "replace").strip().partition("\n")[0]
    if code == -signal.SIGALRM:
        raise NoAnswer(f"{who} takes more than {_SECONDS} seconds")
    if code:
        ended = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise NoAnswer(f"{who} ended with {ended}: {said}")
    answer = pickle.loads(data)
    if isinstance(answer, str):
        raise NoAnswer(f"{who} cannot run this: {answer}")
    return answer


def _answer(run: Callable[[], Results], writer: int) -> None:
    """Write the results of `run`, or why there are none."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_SECONDS)
    answer: Results | str
    try:
        answer = run()
    except BaseException as error:
        text = error_text(error) if isinstance(error, ir.MLIRError) else str(error)
        answer = " ".join((text or type(error).__name__).split())[:_MOST]
    with os.fdopen(writer, "wb") as file:
        pickle.dump(answer, file)


def _by_stablehlo(module: Any, name: str, arguments: Sequence[Any]) -> Results:
    copy = copy_module(module)
    function = find(copy, name)
    for op in walk_named(copy.operation, "func.func"):
        public = op == function.operation
        op.attributes["sym_visibility"] = ir.StringAttr.get("public" if public else "private")
    arrays = [np.asarray(each) for each in arguments]
    with copy.context, ir.Location.unknown():
        _run(copy, _PREPARED)
        # Alone by now.
        function.operation.attributes["sym_name"] = ir.StringAttr.get("main")
        reduce_of_nothing(copy.operation)
        for op in walk_named(copy.operation, "stablehlo.custom_call"):
            # Of sizes, which the arguments have been checked for.
            if op.attributes["call_target_name"].value == "shape_assertion":
                op.erase()
        _check_indices(copy)
        _run(copy, f"stablehlo-refine-arguments{{types={','.join(_types(copy, arrays))}}}")
        _run(copy, "stablehlo-refine-shapes,canonicalize")
        types = copy.body.operations[0].type.inputs
        given = [_attribute(*pair) for pair in zip(arrays, types, strict=True)]
        return [np.array(each) for each in bindings().eval_module(copy, given)]


_INDICES: dict[str, Callable[[Any], Sequence[Any]]] = {
    "stablehlo.gather": lambda operands: operands[1:2],
    "stablehlo.scatter": lambda operands: operands[len(operands) // 2 :][:1],
    "stablehlo.dynamic_slice": lambda operands: operands[1:],
    "stablehlo.dynamic_update_slice": lambda operands: operands[2:],
}
"""Which operands are coordinates."""


def _check_indices(module: Any) -> None:
    """Raises ValueError where the interpreter clamps coordinates to a size that their type does not
    hold."""
    for op in walk_named(module.operation, *_INDICES):
        for value in _INDICES[op.name](list(op.operands)):
            if value.type.element_type.width < 32:
                raise ValueError(f"it clamps {value.type.element_type} in that type")


def _run(module: Any, passes: str) -> None:
    PassManager.parse(f"builtin.module({passes})").run(module.operation)


def _types(module: Any, arrays: Sequence[np.ndarray]) -> list[str]:
    """The types of the arguments, with the sizes that they have."""
    inputs = module.body.operations[0].type.inputs
    return [
        str(ir.RankedTensorType.get(each.shape, type_.element_type))
        for each, type_ in zip(arrays, inputs, strict=True)
    ]


def _attribute(array: np.ndarray, type_: Any) -> Any:
    if array.dtype == np.bool_:
        # The bytes of a mask of one byte would be read as a splat.
        listed = str(array.tolist()).lower() if array.size else ""
        return ir.Attribute.parse(f"dense<{listed}> : {type_}")
    return ir.DenseElementsAttr.get(np.frombuffer(array.tobytes(), np.uint8), type=type_)


def _by_onnx(path: str, arguments: Sequence[Any]) -> Results:
    import onnx
    from onnx.reference import ReferenceEvaluator

    model = onnx.load(path)
    known = {each.name for each in model.graph.initializer}
    names = [each.name for each in model.graph.input if each.name not in known]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        feeds = dict(zip(names, map(np.asarray, arguments), strict=True))
        return [np.asarray(each) for each in ReferenceEvaluator(model).run(None, feeds)]


def _by_torch(path: str, arguments: Sequence[Any]) -> Results:
    import torch
    from torch.utils._pytree import tree_leaves

    torch.set_num_threads(1)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        program = torch.export.load(path).module()
        found = program(*(torch.from_numpy(np.array(each)) for each in arguments))
    flat = tree_leaves(found)
    return [each.detach().numpy() if isinstance(each, torch.Tensor) else each for each in flat]
