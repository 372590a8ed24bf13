"""ONNX's ops for the table of `upstream_table.py`, held against onnxruntime, or against onnx's
evaluator where onnxruntime has no code for them."""

import re
from functools import cache
from typing import Any

import numpy as np
from mlir_gs import dialect
from mlir_gs.dialect._bindings import PassManager, ir, module
from mlir_gs.frontend.torch.vtensor import bindings, register_torch
from onnx_forms import Form, all_forms, schemas
from upstream_stock import run as run_stock
from upstream_table import Array, Case, Unknown, as_list

UNDRAWN: dict[str, str] = {}
_RANDOM = ("Random", "Bernoulli", "Multinomial", "Dropout")

_NAMED = re.compile(r"\bnode\b|'(x|y)\d'|'onnx\.\w+'")
"""What an error of a call names: the node, one of its inputs or results, or its op."""

_TO_LINALG = (
    "builtin.module(torch-onnx-to-torch-backend-pipeline,"
    "torch-backend-to-linalg-on-tensors-backend-pipeline)"
)
"""What upstream has for a whole model."""


@cache
def names() -> set[str]:
    """The ops of all domains that the onnx package defines."""
    return {_named(*key) for key in schemas()}


def _named(domain: str, op: str) -> str:
    return f"{domain}.{op}" if domain else f"onnx.{op}"


@cache
def cases() -> list[Case]:
    """Each form; sums and the like may be rounded in another order."""
    return [
        Case(
            _named(f.domain, f.op), f.name, f, tuple(f.given().values()), 2e-3, also=(f.op, "'y0'")
        )
        for f in all_forms()
    ]


def ours(case: Case) -> list[Array]:
    """By the library, on one thread."""
    import mlir_gs
    from mlir_gs.execution import CompileError
    from mlir_gs.frontend import onnx as front_end
    from mlir_gs.lowering import PassFailure

    try:
        found = front_end.load(case.source.model())
    except PassFailure as error:
        raise CompileError(str(error)) from error
    kernel = mlir_gs.compile(found, "main", threads=1)
    try:
        results = kernel(*(np.array(argument) for argument in case.arguments))
    except (RuntimeError, IndexError, ValueError) as error:
        if not _NAMED.search(str(error)):
            raise
        # The name of the node is as good as that of its op.
        raise CompileError(f"{case.op}: {error}") from error
    return as_list(results)


def upstream(case: Case) -> list[Array]:
    """By torch-mlir's importer and passes, and what follows them."""
    import onnx

    importer = module("extras.onnx_importer")
    bindings()
    context = dialect.context()
    register_torch(context)
    with context, ir.Location.unknown():
        model = onnx.shape_inference.infer_shapes(case.source.model(), data_prop=True)
        model.graph.name = "main"
        info = importer.ModelInfo(model)
        found = info.create_module(context=context)
        importer.NodeImporter.define_function(info.main_graph, found.operation).import_all()
        PassManager.parse(_TO_LINALG).run(found.operation)
        return run_stock(found, [np.asarray(each) for each in case.arguments])


def expected(case: Case) -> list[Array]:
    """By onnxruntime."""
    import onnxruntime

    form: Form = case.source
    if form.op.startswith(_RANDOM):
        raise Unknown("random")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    model: Any = form.model()
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return [np.asarray(each) for each in session.run(None, form.given())]
    except Exception as error:
        raise Unknown(str(error)) from None
