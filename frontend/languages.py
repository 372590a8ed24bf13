"""Source languages: which dialects a text needs, what kind of file a model is, and
`gs-import`, which brings any of them to `gs`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend import onnx, torch
from mlir_gs.frontend.common.common import front_ends
from mlir_gs.frontend.stablehlo import artifacts as stablehlo_artifacts
from mlir_gs.frontend.stablehlo.common import register_dialects as register_stablehlo
from mlir_gs.frontend.torch.vtensor import name_of, register_torch
from mlir_gs.lowering import register_pass, registered_passes, registered_pipelines
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.registry import build_pass_manager
from mlir_gs.lowering.transform import load_transform_ops

# How a file of bytecode begins; portable artifacts of StableHLO do too.
_BYTECODE = b"ML\xefR"
DIALECTS = (
    *("chlo", "stablehlo", "torch", "torch_c", "tm_tensor", "tcp", "dml"),
    "gs_transform",
)
"""What is registered beside upstream's dialects and gs, as a text names it."""
_TENSOR_OPS = {"tensor.gather", "tensor.scatter"}
# Dialects that come with another one.
_WITH = {"chlo": "stablehlo", "sdy": "stablehlo", "torch_c": "torch", "tm_tensor": "torch"}


def know_languages(context: Any, text: str | bytes) -> None:
    """Make `context` know the languages whose names `text`, or bytecode, mentions, and the
    transform ops on `gs` ops.

    Registering them all costs each start some milliseconds. Doing it again changes nothing.
    """
    words = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if b"stablehlo" in words or b"chlo." in words:
        register_stablehlo(context)
    if any(name in words for name in (b"torch.", b"torch_c.", b"tm_tensor.", b"onnx.")):
        register_torch(context)
    if b"gs_transform." in words or b"transform-preload-library" in words:
        load_transform_ops(context)


def read_model(path: str, data: bytes, context: Any) -> Any | None:
    """The module of a file that MLIR's parser does not read; else None.

    `path`: its name; `data`: its bytes. An ONNX model is known by the ending .onnx, a program that
    torch.export saved by .pt2, a portable artifact or export of StableHLO by its bytes, StableHLO's
    text with shardings by its ops. The module is in the language of the file; `gs-import` brings
    it to `gs`. Raises PassFailure, ArtifactError, MLIRError, and ImportError where onnx or torch is
    needed and missing.
    """
    if path.endswith(".onnx"):
        return onnx.read(path, context)
    if path.endswith(".pt2"):
        return torch.read(path, context)
    binary = data.startswith(_BYTECODE) or b"\0" in data[:4096]
    # The provider has no parser for Shardy's ops: `load` reads around them.
    if stablehlo_artifacts.is_stablehlo(data) and (binary or b"sdy." in data):
        with ir.Location.unknown(context):
            return stablehlo_artifacts.load(data, context)
    return None


def languages() -> tuple[str, ...]:
    """The names of the source languages: `onnx` for `convert-onnx-to-gs`."""
    names = (each.pass_name.removeprefix("convert-") for each in front_ends())
    found = (name.removesuffix("-to-gs") for name in names if name.endswith("-to-gs"))
    return tuple(sorted(found))


def import_of(language: str) -> str:
    """The pipeline that brings a module of `language` to gs and upstream's dialects.

    That is `gs-import-<language>` or, where there is none, `convert-<language>-to-gs`.
    """
    whole = f"gs-import-{language}"
    return whole if whole in registered_pipelines() else f"convert-{language}-to-gs"


def imports(module: Any) -> list[str]:
    """The pipelines that bring `module`, an operation, to gs and upstream's dialects."""
    ops = walk(module)
    names = {name_of(op) for op in ops}
    # A function that returns what it is given has no op of Torch.
    names |= {"torch." for op in ops if "!torch." in str(op.attributes.get("function_type", ""))}
    found = {_WITH.get(name, name) for name in (each.partition(".")[0] for each in names)}
    if not names & _TENSOR_OPS:
        found.discard("tensor")
    if "onnx" in found:
        # The importer's own ops around the nodes are torch's.
        found.discard("torch")
    known = {*registered_passes(), *registered_pipelines()}
    return [text for text in map(import_of, sorted(found)) if text in known]


@register_pass
@dataclass(frozen=True)
class GsImport:
    """Convert what a module holds of source languages to gs and upstream's dialects.

    The names of the ops say which languages they are; for each one its own pipeline runs, as
    `gs-import-stablehlo`, or its own pass, as `convert-dml-to-gs`. Other ops stay.
    """

    name: ClassVar[str] = "gs-import"

    def run(self, module: ir.Operation) -> None:
        for text in imports(module):
            # What it leaves is verified as after any pass, or where the pipeline ends.
            build_pass_manager(text, module.context, verify_each=False).run(module)
