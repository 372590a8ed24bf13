"""ONNX models: `convert-onnx-to-gs`, the pipeline around it, and the loader."""

from dataclasses import dataclass
from importlib import import_module
from os import PathLike, fspath
from typing import Any, ClassVar

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir, module
from mlir_gs.frontend import torch
from mlir_gs.frontend.onnx import (
    boxes,
    broadcast,
    dequantize,
    dynamic_quantize,
    gather_scatter,
    masks,
    pads,
    quantized,
    recurrent,
    tile,
    unique,
    unpool,
    writes,
)
from mlir_gs.frontend.onnx import slices as onnx_slices
from mlir_gs.frontend.onnx.broadcast import expand_unknown
from mlir_gs.frontend.onnx.check import check
from mlir_gs.frontend.onnx.contrib import unpack
from mlir_gs.frontend.onnx.fold import with_known_sizes
from mlir_gs.frontend.onnx.graphs import graphs
from mlir_gs.frontend.onnx.infer import check_values, infer
from mlir_gs.frontend.onnx.node import ONNX
from mlir_gs.frontend.onnx.products import split_products
from mlir_gs.frontend.onnx.ranks import check_layers, check_ranks
from mlir_gs.frontend.onnx.unknown import with_sizes_read
from mlir_gs.frontend.onnx.upgrade import pad_pools, upgraded
from mlir_gs.frontend.torch.upstream import ConvertOnnxByUpstream
from mlir_gs.frontend.torch.vtensor import load_conversions, register_torch
from mlir_gs.lowering import PassFailure, register_pass, register_pipeline, run_pipeline
from mlir_gs.lowering.ir.builders import walk, walk_named

FAMILIES = (
    *(
        broadcast,
        masks,
        gather_scatter,
        dequantize,
        dynamic_quantize,
        quantized,
        recurrent,
        onnx_slices,
        pads,
    ),
    *(boxes, tile, unique, unpool, writes, torch),
)
_SMALL = 64
"""Initializers of so many elements or fewer may be sizes, which the passes read."""


@register_pass
@dataclass(frozen=True)
class ConvertOnnxToGs:
    """Convert ONNX's gathers, scatters and slices, as the importer leaves them, to gs.

    Before the importer, the onnx package infers shapes and brings operators to a version that
    torch-mlir converts. Sizes and conditions that follow from constants and static sizes are
    computed, and branches that are never taken go. A model whose number of dims depends on a
    dynamic size is refused: set the size with `onnx.tools.update_model_dims` first."""

    name: ClassVar[str] = "convert-onnx-to-gs"

    def run(self, module: ir.Operation) -> None:
        load_conversions()
        ONNX.convert(module)


@register_pipeline(
    "gs-import-onnx", "Convert an imported ONNX model to gs and linalg on builtin tensors."
)
def import_pipeline() -> list[str]:
    """torch-mlir's own conversions take the nodes that `convert-onnx-to-gs` leaves."""
    return ["convert-onnx-to-gs", ConvertOnnxByUpstream.name]


def load(source: Any, context: ir.Context | None = None) -> ir.Module:
    """The function `main` of an ONNX model, on builtin tensors: `gs`, linalg and their kin.

    `source`: the path of a model, or an `onnx.ModelProto`, which is not changed. `context`: a new
    one by default. Raises PassFailure with one line per error, ImportError without onnx.
    """
    found = read(source, context)
    with found.context, ir.Location.unknown():
        run_pipeline(found, "gs-import-onnx")
    return found


def read(source: Any, context: ir.Context | None = None) -> ir.Module:
    """The same model as torch-mlir's importer has it: a `torch.operator` for each node."""
    onnx = _onnx()
    chosen: Any = dialect.context() if context is None else context
    dialect.load(chosen)
    register_torch(chosen)
    model = _read(onnx, source)
    with chosen, ir.Location.unknown():
        found = _import(model, chosen)
        if isinstance(source, str | PathLike):
            _name_file(found, fspath(source))
    return found


def _name_file(module: ir.Module, path: str) -> None:
    """Put the name of the file before those of the nodes, in the locations of ops."""
    for op in walk(module.operation):
        if isinstance(op.location, ir.NameLoc):
            op.location = ir.Location.name(path, op.location)


def _onnx() -> Any:
    try:
        return import_module("onnx")
    except ImportError as error:
        raise ImportError("reading ONNX models needs the package onnx: pip install onnx") from error


def _read(onnx: Any, source: Any) -> Any:
    """A copy of the model with sizes inferred, nodes named and small initializers inlined."""
    if isinstance(source, str | PathLike):
        path = fspath(source)
        try:
            given = onnx.load(path)
        except Exception as error:
            raise PassFailure(f"{path}: not an ONNX model: {_first_line(error)}") from error
        if not given.HasField("graph"):
            raise PassFailure(f"{path}: not an ONNX model: it has no graph")
    elif isinstance(source, onnx.ModelProto):
        given = source
    else:
        found = type(source).__name__
        raise TypeError(f"expected the path of a model, or an onnx.ModelProto, found {found}")
    try:
        model = _inlined(onnx, given)
        _inline_small(onnx, model)
        check(onnx, model)
        unpack(onnx, model)
        check_layers(onnx, model)
        model = upgraded(onnx, model, ONNX.conversions)
        model = with_known_sizes(onnx, with_sizes_read(onnx, infer(onnx, model)))
    except PassFailure:
        raise
    except Exception as error:
        raise PassFailure(f"no shapes for this ONNX model: {_first_line(error)}") from error
    check(onnx, model)
    check_ranks(onnx, model)
    check_values(onnx, model)
    pad_pools(onnx, model)
    split_products(onnx, model)
    expand_unknown(onnx, model)
    model.graph.name = "main"
    _inline_small(onnx, model)
    return model


def _inlined(onnx: Any, given: Any) -> Any:
    """A copy with the model's own functions in the places of their calls, and all nodes named."""
    model = type(given)()
    model.CopyFrom(given)
    if all(each.domain not in ("", "ai.onnx") for each in model.opset_import):
        # torch-mlir needs it, whether or not there is a node of ONNX's own.
        model.opset_import.append(onnx.helper.make_opsetid("", 21))
    if model.functions:
        model = import_module("onnx.inliner").inline_local_functions(model)
    for graph in graphs(onnx, model.graph):
        for number, node in enumerate(graph.node):
            node.name = node.name or f"{node.op_type}_{number}"
            # A result that is left out has no type; named, it has one, and nobody uses it.
            node.output[:] = [
                given or f"{node.name}: output {place}" for place, given in enumerate(node.output)
            ]
    return model


def _inline_small(onnx: Any, model: Any) -> None:
    """Small tensors of a model as values in the IR."""
    for graph in graphs(onnx, model.graph):
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.HasField("t"):
                    _inline(onnx, attribute.t)
        for initializer in graph.initializer:
            _inline(onnx, initializer)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _inline(onnx: Any, held: Any) -> None:
    """Integers, and single floats, as values in place of bytes, which the importer keeps out of the
    IR."""
    kind = onnx.TensorProto
    most = {kind.INT32: _SMALL, kind.INT64: _SMALL, kind.FLOAT: 1, kind.DOUBLE: 1}
    if held.data_type not in most or not held.HasField("raw_data"):
        return
    try:
        array = onnx.numpy_helper.to_array(held)
    except ValueError as error:
        found = f"{len(held.raw_data)} bytes, which do not fit its dims {list(held.dims)}"
        raise PassFailure(f"initializer '{held.name}' holds {found}") from error
    if array.size <= most[held.data_type]:
        name, dims = held.name, list(held.dims)
        held.CopyFrom(onnx.helper.make_tensor(name, held.data_type, dims, array.flatten()))


def _import(model: Any, context: ir.Context) -> ir.Module:
    importer = module("extras.onnx_importer")
    try:
        info = importer.ModelInfo(model)
        found = info.create_module(context=context)
        importer.NodeImporter.define_function(info.main_graph, found.operation).import_all()
        _cast_results(found.operation)
    except Exception as error:
        raise PassFailure(f"the ONNX importer: {_first_line(error) or repr(error)}") from error
    return found


def _cast_results(module_: ir.Operation) -> None:
    """Bring results to the types that the model declares: the bodies that the onnx package has for
    some operators may give known sizes, of which shape inference knows nothing."""
    for function in walk_named(module_, "func.func"):
        wanted = function.attributes["function_type"].value.results
        end = list(function.regions[0].blocks[0].operations)[-1].operation
        for number, type_ in enumerate(wanted):
            given = end.operands[number]
            if given.type != type_:
                cast = {"name": "torch.tensor_static_info_cast", "results": [type_]}
                made = ir.Operation.create(**cast, operands=[given], ip=ir.InsertionPoint(end))
                end.operands[number] = made.result
