"""Torch programs: `convert-torch-to-gs`, the pipeline around it, and the loader."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar
from zipfile import is_zipfile

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir, module
from mlir_gs.frontend.torch import (
    along,
    bag,
    counts,
    gather,
    index,
    other,
    quantized_bag,
    reduce_dims,
    strided,
)
from mlir_gs.frontend.torch import scatter as torch_scatter
from mlir_gs.frontend.torch.activations import ACTIVATIONS
from mlir_gs.frontend.torch.op import TORCH
from mlir_gs.frontend.torch.upstream import ConvertTorchByUpstream
from mlir_gs.frontend.torch.vtensor import bindings, load_conversions, register_torch
from mlir_gs.lowering import PassFailure, register_pass, register_pipeline, run_pipeline
from mlir_gs.lowering.passes.diagnostics import error_text

FAMILIES = (
    along,
    bag,
    counts,
    gather,
    index,
    other,
    quantized_bag,
    reduce_dims,
    torch_scatter,
    strided,
)


@register_pass
@dataclass(frozen=True)
class ConvertTorchToGs:
    """Convert gathers, scatters and reductions on value tensors, and tm_tensor.scatter, to gs.
    Coordinates are checked also where eager Torch moves nothing and does not look at them.
    `fft_rfft` and `stft` of infinities give NaN at other places than eager Torch may."""

    name: ClassVar[str] = "convert-torch-to-gs"

    def run(self, module: ir.Operation) -> None:
        load_conversions()
        TORCH.convert(module)


@register_pipeline(
    "gs-import-torch", "Convert an imported Torch program to gs and linalg on builtin tensors."
)
def import_pipeline() -> list[str]:
    """`convert-torch-to-gs` runs before and after torch-mlir's decompositions."""
    bindings()
    return [
        # Without canonicalization: torch-mlir folds an index_select of a size of 1, unchecked.
        "inline{default-pipeline=}",
        "convert-torch-to-gs",
        "func.func(torch-match-quantized-custom-ops)",
        ConvertTorchByUpstream.name,
    ]


def load(
    program: Any,
    *example: Any,
    context: ir.Context | None = None,
    dynamic_shapes: Any = None,
) -> ir.Module:
    """The function `main` of a Torch program, on builtin tensors: `gs`, linalg and their kin.

    `program`: a `torch.export.ExportedProgram`; a `torch.nn.Module`, which is exported on the
    `example` arguments with `dynamic_shapes`; or the text of a module that was imported before,
    for which torch need not be there. Weights become constants. `context`: a new one by default.
    Raises PassFailure with one line per error, ImportError without torch.
    """
    chosen = _ready(context)
    with chosen, ir.Location.unknown():
        if isinstance(program, str | bytes):
            found = _parsed(program)
        else:
            found = _imported(program, example, chosen, dynamic_shapes)
        run_pipeline(found, "gs-import-torch")
    return found


def read(path: str, context: ir.Context | None = None) -> ir.Module:
    """The program that `torch.export.save` left in a file, in the torch dialect.

    `context`: a new one by default. Raises PassFailure, ImportError without torch.
    """
    chosen = _ready(context)
    _importer()
    if not is_zipfile(path):
        raise PassFailure("not a program of torch.export: not a zip archive")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = import_module("torch").export.load(path)
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        raise PassFailure(f"not a program of torch.export: {first}") from error
    with chosen, ir.Location.unknown():
        return _imported(program, (), chosen, None)


def _ready(context: ir.Context | None) -> Any:
    chosen: Any = dialect.context() if context is None else context
    dialect.load(chosen)
    register_torch(chosen)
    return chosen


def _parsed(text: str | bytes) -> ir.Module:
    try:
        return ir.Module.parse(text)
    except ir.MLIRError as error:
        raise PassFailure(error_text(error)) from error


def _imported(program: Any, example: Any, context: Any, dynamic_shapes: Any) -> ir.Module:
    fx = _importer()
    torch = import_module("torch")
    graph = None
    try:
        if not isinstance(program, torch.export.ExportedProgram):
            program = torch.export.export(program, example, dynamic_shapes=dynamic_shapes)
        program = program.run_decompositions(_decompositions())
        graph = program.graph
        # Not decomposed once more.
        found = fx.export_and_import(
            program, decomposition_table={}, fx_importer=fx.FxImporter(context=context)
        )
        _name_arguments(found, program.graph_signature.user_inputs)
        return found
    except Exception as error:
        # Both torch.export and the importer raise whatever they meet.
        first = str(error).strip().partition("\n")[0]
        message = f"{type(error).__name__}: {first}" if first else type(error).__name__
        raise PassFailure(f"not imported from Torch: {_wrapped(graph)}{message}") from error


def _name_arguments(imported: Any, names: Sequence[Any]) -> None:
    """Give the arguments of the only function the names of the program's, which errors show."""
    (function,) = imported.body.operations
    arguments = function.regions[0].blocks[0].arguments
    if len(arguments) == len(names):
        for argument, name in zip(arguments, names, strict=True):
            argument.set_location(ir.Location.name(str(name), argument.location))


def _wrapped(graph: Any) -> str:
    """The ops that higher-order ones run, which are all that the importer names."""
    names = {
        f"'torch.{str(each).removesuffix('.default')}' op: "
        for node in (graph.nodes if graph is not None else ())
        if getattr(node.target, "namespace", "") == "higher_order"
        for each in node.args
        if getattr(each, "namespace", "") not in ("", "higher_order")
    }
    return "".join(sorted(names))


def _decompositions() -> dict[Any, Any]:
    """torch-mlir's table without the ops that are converted as they are, and Torch's spellings of
    some that torch-mlir gives other numbers, or not in all forms.

    Decomposed, index_add and its kin would accept negative coordinates, which Torch refuses, and
    elu and celu would have NaN for other numbers.
    """
    kept = {*TORCH.conversions, *(f"aten.{name}" for name in ACTIVATIONS)}
    aten = import_module("torch").ops.aten
    spelled = import_module("torch._decomp").get_decompositions
    table = module("extras.fx_decomp_util").get_decomposition_table()
    table = table | spelled([aten.hardtanh, aten.narrow])
    return {
        overload: rule
        for overload, rule in table.items()
        if str(overload).removesuffix(".default") not in kept
    }


def _importer() -> Any:
    try:
        import_module("torch")
    except ImportError as error:
        raise ImportError("importing Torch programs needs torch: pip install torch") from error
    return module("fx")
