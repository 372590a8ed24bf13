"""Forms in which programs arrive, errors while they run, and what is refused."""

import re
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir, module
from mlir_gs.frontend import torch as torch_frontend
from mlir_gs.frontend.torch.vtensor import register_torch
from mlir_gs.lowering import PassFailure, run_pipeline

assert torch_frontend.ConvertTorchToGs.name == "convert-torch-to-gs"


def _converted(text: str, pipeline: str = "convert-torch-to-gs") -> Any:
    context = dialect.context()
    register_torch(context)
    with context, ir.Location.unknown():
        parsed = ir.Module.parse(text)
        run_pipeline(parsed, pipeline)
        return parsed


DECOMPOSED = {
    "index_add": lambda torch, x, i, v: torch.index_add(x, 0, i, v, alpha=2),
    "index_copy": lambda torch, x, i, v: torch.index_copy(x, 0, i % 2 + torch.arange(2) * 2, v),
    "index_fill": lambda torch, x, i, v: torch.index_fill(x, 0, i, 3.0),
    "take": lambda torch, x, i, v: torch.take(x, i),
    "take_along_dim": lambda torch, x, i, v: torch.take_along_dim(x, i[:, None], 0),
}


@pytest.mark.parametrize("name", DECOMPOSED)
@pytest.mark.filterwarnings("ignore")
def test_decomposed_by_the_importer(name: str) -> None:
    """torch_mlir.fx.export_and_import without options decomposes some ops to others."""
    torch = pytest.importorskip("torch")
    from torch_harness import Function, as_array

    fx, context = module("fx"), dialect.context()
    register_torch(context)
    program = Function(lambda *arguments: DECOMPOSED[name](torch, *arguments))
    arguments = (torch.randn(4, 3), torch.tensor([1, 0]), torch.randn(2, 3))
    imported = fx.export_and_import(program, *arguments, fx_importer=fx.FxImporter(context=context))
    with context, ir.Location.unknown():
        run_pipeline(imported, "gs-import-torch")
    found = execution.compile(imported)(*map(as_array, arguments))
    np.testing.assert_array_equal(found, as_array(program(*arguments)))


OUT_OF_BOUNDS = {
    "gather": (lambda torch, x, i: torch.gather(x, 0, i), (-1, 4)),
    "index_select": (lambda torch, x, i: torch.index_select(x, 0, i[:, 0]), (-1, 4)),
    "index": (lambda torch, x, i: x[i[:, 0]], (-5, 4)),
    "take": (lambda torch, x, i: torch.take(x, i), (-13, 12)),
    "index_add": (lambda torch, x, i: torch.index_add(x, 0, i[:, 0], x[:2]), (-1, 4)),
    "index_fill": (lambda torch, x, i: torch.index_fill(x, 0, i[:, 0], 1.0), (-5, 4)),
    "scatter_add": (lambda torch, x, i: torch.scatter_add(x, 0, i, x), (-1, 4)),
    "index_put": (lambda torch, x, i: torch.index_put(x, (i[:, 0],), x[:2]), (-5, 4)),
}


@pytest.mark.parametrize("name", OUT_OF_BOUNDS)
@pytest.mark.filterwarnings("ignore")
def test_out_of_bounds_as_in_torch(name: str) -> None:
    """What Torch calls out of bounds raises IndexError, and its neighbours do not."""
    torch = pytest.importorskip("torch")
    from torch_harness import Function, as_array, compiled

    function, (low, high) = OUT_OF_BOUNDS[name]
    program = Function(lambda *arguments: function(torch, *arguments))
    x, i = torch.randn(4, 3), torch.zeros(2, 3, dtype=torch.int64)
    kernel = compiled(program, x, i)
    for wrong in (low, high):
        for last in (wrong, wrong + (1 if wrong < 0 else -1)):
            i[1, 0] = last
            try:
                wanted = program(x, i)
            except (IndexError, RuntimeError):
                with pytest.raises(IndexError, match=f"coordinate {last} at position"):
                    kernel(as_array(x), as_array(i))
            else:
                assert last != wrong
                np.testing.assert_array_equal(kernel(as_array(x), as_array(i)), as_array(wanted))


def test_tm_tensor_scatter() -> None:
    text = """
    func.func @main(%u: tensor<5x3xi64>, %i: tensor<5x1xi32>, %d: tensor<4x3xi64>)
        -> tensor<4x3xi64> {
      %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
          ins(%u, %i : tensor<5x3xi64>, tensor<5x1xi32>) outs(%d : tensor<4x3xi64>) {
      ^bb0(%update: i64, %current: i64):
        %1 = arith.subi %current, %update : i64
        tm_tensor.yield %1 : i64
      } -> tensor<4x3xi64>
      return %0 : tensor<4x3xi64>
    }"""
    updates, dest = np.arange(15).reshape(5, 3), np.ones((4, 3), np.int64)
    indices = np.array([[1], [3], [1], [0], [3]], np.int32)
    found = execution.compile(_converted(text))(updates, indices, dest)
    np.subtract.at(dest, indices[:, 0], updates)
    np.testing.assert_array_equal(found, dest)


REFUSED = {
    "reduction must be sum or prod or mean or amax or amin, found 'median'": """
      %r = torch.constant.str "median"
      %0 = torch.aten.scatter_reduce.two %x, %dim, %i, %x, %r, %flag : !f, !torch.int, !i, !f,
          !torch.str, !torch.bool -> !f""",
    "operand 1 must be a constant, found a function argument": """
      %0 = torch.aten.gather %x, %n, %i, %flag : !f, !torch.int, !i, !torch.bool -> !f""",
    "dim must be in [-2, 2), found 2": """
      %two = torch.constant.int 2
      %0 = torch.aten.gather %x, %two, %i, %flag : !f, !torch.int, !i, !torch.bool -> !f""",
    "indices must be int32 or int64, found f32": """
      %0 = torch.aten.gather %x, %dim, %x, %flag : !f, !torch.int, !f, !torch.bool -> !f""",
    "needs tensors of known rank and element type, found !torch.vtensor": """
      %0 = torch.aten.gather %any, %dim, %i, %flag : !any, !torch.int, !i, !torch.bool -> !f""",
    "no reduction 'amax' of complex<f32> elements": """
      %r = torch.constant.str "amax"
      %0 = torch.aten.scatter_reduce.two %c, %dim, %i, %c, %r, %flag : !c, !torch.int, !i, !c,
          !torch.str, !torch.bool -> !c""",
    "result must have rank 3, found 2": """
      %l = torch.prim.ListConstruct %i : (!i) -> !torch.list<vtensor>
      %0 = torch.aten.index.Tensor_hacked_twin %x, %l : !f, !torch.list<vtensor> -> !f""",
    "needs an index for some dim": """
      %none = torch.constant.none
      %l = torch.prim.ListConstruct %none : (!torch.none) -> !torch.list<optional<vtensor>>
      %0 = torch.aten.index.Tensor %x, %l : !f, !torch.list<optional<vtensor>> -> !f""",
    "operand 1 must be built by torch.prim.ListConstruct, found a function argument": """
      %0 = torch.aten.index.Tensor %x, %list : !f, !torch.list<optional<vtensor>> -> !f""",
    "values must have the elements of the tensor, f32, found si64": """
      %l = torch.prim.ListConstruct %i : (!i) -> !torch.list<vtensor>
      %0 = torch.aten.index_put.hacked_twin %x, %l, %i, %flag : !f, !torch.list<vtensor>, !i,
          !torch.bool -> !f""",
}


_BAG = """
      %m = torch.constant.int {mode}
      %none = torch.constant.none
      %0:4 = torch.aten._embedding_bag %{value}, %i1, %i1, %flag, %m, %flag, %none, %flag, %dim
          : !{table}, !i1d, !i1d, !torch.bool, !torch.int, !torch.bool, !torch.none, !torch.bool,
            !torch.int -> !{table}, !i1d, !i1d, !i1d"""
_TM = """
      {name}tm_tensor.scatter {{dimension_map = array<i64: {dims}>}} unique_indices(true)
          ins(%u, %p : {kind}<5xf32>, {kind}<5x2xi32>) outs(%d : {kind}<4x3xf32>) {{
      ^bb0(%update: f32, %current: f32):
        tm_tensor.yield %update : f32
      }} {result}"""
REFUSED |= {
    "mode must be 0 (sum), 1 (mean) or 2 (max), found 7": _BAG.format(mode=7, value="x", table="f"),
    "the table must hold floats, found si64": _BAG.format(mode=0, value="i", table="i"),
    "dimension_map must be strictly ascending, found [1, 0]": """
      %u = tensor.empty() : tensor<5xf32>
      %p = tensor.empty() : tensor<5x2xi32>
      %d = tensor.empty() : tensor<4x3xf32>"""
    + _TM.format(name="%0 = ", dims="1, 0", kind="tensor", result="-> tensor<4x3xf32>"),
    "needs tensors, found memref<4x3xf32>": """
      %u = memref.alloc() : memref<5xf32>
      %p = memref.alloc() : memref<5x2xi32>
      %d = memref.alloc() : memref<4x3xf32>"""
    + _TM.format(name="", dims="0, 1", kind="memref", result=""),
    "elements must be floats": """
      %0 = torch.operator "torch.aten.histc"(%i, %dim, %dim, %dim)
          : (!i, !torch.int, !torch.int, !torch.int) -> !i""",
    "has -1 bins from 0 to 0": """
      %m = torch.constant.int -1
      %zero = torch.constant.int 0
      %0 = torch.operator "torch.aten.histc"(%x, %m, %zero, %zero)
          : (!f, !torch.int, !torch.int, !torch.int) -> !f""",
    "elements must be integer, float or complex, found !torch.qint8": """
      %0 = torch.aten.gather %q, %dim, %i, %flag : !q, !torch.int, !i, !torch.bool -> !q""",
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message: str) -> None:
    text = f"""
    func.func @main(%x: !f, %i: !i, %c: !c, %any: !any, %n: !torch.int,
        %list: !torch.list<optional<vtensor>>, %i1: !i1d, %q: !q) {{
      %dim = torch.constant.int 0
      %flag = torch.constant.bool false
      {REFUSED[message]}
      return
    }}"""
    types = {
        "i1d": "[4],si64",
        "q": "[4,3],!torch.qint8",
        "f": "[4,3],f32",
        "i": "[4,3],si64",
        "c": "[4,3],complex<f32>",
    }
    for name, held in types.items():
        text = re.sub(rf"!{name}\b", f"!torch.vtensor<{held}>", text)
    with pytest.raises(PassFailure) as raised:
        _converted(text.replace("!any", "!torch.vtensor"))
    lines = str(raised.value).splitlines()
    assert message in lines[0]
    assert re.search(r":\d+: error: '(aten|tm_tensor)\.", lines[0])


def test_what_torch_mlir_leaves() -> None:
    """Where its own conversions do not fail on an op, the check at the end names it."""
    text = """
    func.func @main() {
      %0 = torch.constant.int 3
      return
    }"""
    with pytest.raises(PassFailure, match="int' op is not supported: no conversion took it"):
        _converted(text, "verify-no-torch")


def test_what_no_conversion_takes() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
      %0 = torch.operator "torch.aten.no_such_op"(%x)
          : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
      return %0 : !torch.vtensor<[4],f32>
    }"""
    with pytest.raises(PassFailure, match=r"no_such_op|torch.operator"):
        _converted(text, "gs-import-torch")
