"""ATen's ops for the table of `upstream_table.py`, held against eager Torch.

A case is a graph of one op, as the FX importer takes it from `torch.compile` and `torch.export`.
"""

import atexit
import base64
import os
import pickle
import re
import tempfile
import warnings
from functools import cache
from itertools import product
from operator import getitem
from pathlib import Path
from typing import Any

import mlir_gs
import torch
from mlir_gs import dialect
from mlir_gs.dialect._bindings import PassManager, ir, module
from mlir_gs.execution import CompileError
from mlir_gs.frontend import torch as frontend
from mlir_gs.frontend.torch.op import TORCH
from mlir_gs.frontend.torch.vtensor import bindings, register_torch
from mlir_gs.integrations.torch.kernel import import_graph
from mlir_gs.integrations.torch.ops import _COMPANIONS
from mlir_gs.lowering import PassFailure
from torch._subclasses import FakeTensorMode
from torch_forms import Call, calls, overload, split
from upstream_stock import run as run_stock
from upstream_table import Array, Case, Unknown, as_list
from watched import watch

assert frontend.FAMILIES  # Registers the conversions.

_TO_LINALG = (
    "torchdynamo-export-to-torch-backend-pipeline,"
    "torch-backend-to-linalg-on-tensors-backend-pipeline"
)

_CALLS = "UPSTREAM_TORCH_CALLS"
"""In the environment: the file of the calls."""
_UNFIT = (
    "addbmm", "avg_pool3d_backward", "col2im", "conv_transpose3d.input", "max_pool1d_with_indices",
    "max_pool3d_with_indices", "max_pool3d_with_indices_backward", "max_unpool3d",
    "native_group_norm_backward", "native_layer_norm_backward", "nll_loss2d_backward",
    "nll_loss2d_forward", "reflection_pad3d", "stft.center", "tensor", "to.device",
    "upsample_nearest2d_backward",
)  # fmt: skip
_QUANTIZED = (
    "_make_per_channel_quantized_tensor", "int_repr", "quantize_per_channel", "quantize_per_tensor",
)  # fmt: skip
UNDRAWN: dict[str, str] = {
    **{f"aten.{name}": "none of the arguments that are tried fit each other" for name in _UNFIT},
    **{f"aten.{name}": "of quantized tensors" for name in _QUANTIZED},
    "aten.cuda": "of a GPU",
    "prims.iota": "none of the arguments that are tried fit each other",
}
"""And those of which eager Torch ends the process in `draw`."""


@cache
def names() -> set[str]:
    """ATen's ops that the backend takes, and those of the torch dialect that write no argument."""
    context = _context()
    found = set(_COMPANIONS) | set(TORCH.conversions)
    for library in Path(bindings().__file__).parent.glob("*.so*"):
        words = re.findall(rb"torch\.((?:aten|prims)\.[A-Za-z0-9_.]+)", library.read_bytes())
        known = (word.decode() for word in words)
        found |= {name for name in known if context.is_registered_operation(f"torch.{name}")}
    return {name for name in found if (op := overload(name)) and _is_of_tensors(op._schema)}


def _is_of_tensors(schema: Any) -> bool:
    """Whether it gives tensors and writes none."""
    kinds = {str(each.type).removeprefix("List[").rstrip("]") for each in schema.returns}
    return kinds == {"Tensor"} and not schema.is_mutable


def _context() -> Any:
    context = dialect.context()
    register_torch(context)
    return context


def draw(op: str = "") -> None:
    """Find out what eager Torch takes of the ops with `op` in their names, for this process and
    those that it starts. Ops of which eager Torch ends the process are not drawn."""
    known = sorted(names())
    chosen = [number for number, name in enumerate(known) if op in name]
    made: list[Call] = []
    for finding in watch(_drawn, 0, chosen, 1, 120):
        if finding.kind == "complaint":
            made += pickle.loads(base64.b64decode(finding.text))
        else:
            UNDRAWN[known[finding.number]] = "eager Torch dies of arguments that do not fit"
    made.sort(key=lambda call: call.name)
    with tempfile.NamedTemporaryFile(delete=False) as file:
        pickle.dump(made, file)
    os.environ[_CALLS] = file.name
    atexit.register(os.unlink, file.name)


def _drawn(_seed: int, number: int) -> str:
    torch.set_num_threads(1)
    found = [call for call in calls(sorted(names())[number]) if _is_traced(call)]
    return base64.b64encode(pickle.dumps(found)).decode()


def _is_traced(call: Call) -> bool:
    """Whether Torch's tracing takes what eager Torch does, and gives the same types."""
    try:
        told = [node.meta["val"] for node in _graph(call).output_node().args[0]]
        found = call.run()
    except Exception:
        return False
    return [(t.shape, t.dtype) for t in told] == [(t.shape, t.dtype) for t in found]


@cache
def cases() -> list[Case]:
    """What `draw` found, or would find of all ops."""
    if _CALLS not in os.environ:
        draw()
    made = pickle.loads(Path(os.environ[_CALLS]).read_bytes())
    return [Case(c.name, c.form, c, tuple(map(_array, c.tensors)), _relative(c)) for c in made]


def _relative(call: Call) -> float:
    """What rounding in another order may make of it."""
    dtypes = {each.dtype for each in call.tensors}
    return 2e-2 if torch.bfloat16 in dtypes else 2e-3 if torch.float16 in dtypes else 1e-5


def _array(tensor: torch.Tensor) -> Array:
    tensor = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if tensor.dtype == torch.bfloat16:
        import ml_dtypes

        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


_WELFORD = {
    "aten.native_layer_norm",
    *(f"aten.var_mean{form}" for form in ("", ".correction", ".dim")),
}


def expected(case: Case) -> list[Array]:
    """By eager Torch."""
    if torch.Tag.nondeterministic_seeded in case.source.op.tags or "empty" in case.op:
        raise Unknown("random, or not set")
    if case.op == "aten.as_strided_scatter" and _overlaps(case.source):
        raise Unknown("which of several elements of one place stays is open")
    if case.op == "aten.kthvalue":
        raise Unknown("which of equal elements is named is open")
    if case.op == "aten.bucketize.Tensor" and not _ascends(case.source.arguments[1]):
        raise Unknown("boundaries that do not ascend")
    if case.op == "aten.gelu" and any(each.isinf().any() for each in case.source.tensors):
        raise Unknown("infinity gives another number in a vector than alone")
    if case.op in ("aten.fft_rfft", "aten.stft") and not case.source.tensors[0].isfinite().all():
        raise Unknown("which frequencies are NaN is up to the algorithm of the FFT")
    if case.op in _WELFORD and not case.source.tensors[0].isfinite().all():
        raise Unknown("a running mean, which is NaN where the mean is infinite")
    # Of equal indices the last one is to stay.
    torch.set_num_threads(1)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(map(_array, case.source.run()))


def _ascends(line: torch.Tensor) -> bool:
    return not line.is_complex() and bool((line[1:] >= line[:-1]).all())


def _overlaps(call: Call) -> bool:
    _, _, sizes, strides, _ = call.arguments
    places = [range(size) for size in sizes]
    found = [sum(map(int.__mul__, at, strides)) for at in product(*places)]
    return len(set(found)) < len(found)


def _graph(call: Call) -> Any:
    """The graph of one call, with what the importer reads of its values."""
    graph = torch.fx.Graph()
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:

        def node_of(value: Any) -> Any:
            if isinstance(value, torch.Tensor):
                node = graph.placeholder(f"a{len(graph.nodes)}")
                node.meta["val"] = mode.from_tensor(value)
                return node
            if isinstance(value, (list, tuple)):
                return [node_of(each) for each in value]
            return value

        def fake(value: Any) -> Any:
            if isinstance(value, list):
                return [fake(each) for each in value]
            return value.meta["val"] if isinstance(value, torch.fx.Node) else value

        given, named = split(call.op, [node_of(each) for each in call.arguments])
        node = graph.call_function(call.op, tuple(given), named)
        named = {name: fake(each) for name, each in named.items()}
        node.meta["val"] = found = call.op(*map(fake, given), **named)
    if isinstance(found, torch.Tensor):
        results = [node]
    else:
        results = []
        for number, each in enumerate(found):
            results.append(graph.call_function(getitem, (node, number)))
            results[-1].meta["val"] = each
    graph.output(tuple(results))
    # The importer asks for the module of a graph, which graphs do not hold.
    graph.owning_module = torch.fx.GraphModule({}, graph)
    return graph


def upstream(case: Case) -> list[Array]:
    """By torch-mlir's own pipelines, to linalg and then upstream's to LLVM."""
    context = _context()
    with context, ir.Location.unknown():
        importer = module("extras.fx_importer").FxImporter(context=context)
        importer.import_stateless_graph(_graph(case.source), func_name="main")
        program = importer.module
        PassManager.parse(f"builtin.module({_TO_LINALG})").run(program.operation)
        return run_stock(program, case.arguments)


def ours(case: Case) -> list[Array]:
    """As in torch.compile, on one thread; what is refused there is eager."""
    try:
        text = import_graph(_graph(case.source))
    except PassFailure as error:
        raise CompileError(str(error)) from None
    kernel = mlir_gs.compile(text, "main", threads=1)
    return as_list(kernel(*(argument.copy() for argument in case.arguments)))
