"""gs-run and gs-opt on models: told by their kind, no flag needed."""

import re
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
SCRIPTS = Path(sysconfig.get_path("scripts"))


def tool(name: str, path: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPTS / name, path, *flags], capture_output=True, text=True, check=False
    )


def runs(path: Path, shape: str) -> None:
    """gs-run runs it; gs-opt shows it as it is, and after --import as gs without its own ops."""
    found = tool("gs-run", path, "--quiet")
    assert found.returncode == 0, found.stderr
    assert shape in found.stdout
    shown = tool("gs-opt", path)
    assert shown.returncode == 0, shown.stderr
    assert " = gs." not in shown.stdout
    imported = tool("gs-opt", path, "--import")
    assert imported.returncode == 0, imported.stderr
    assert " = gs." in imported.stdout
    # The message of an assertion names the op whose sizes it checks, gs.origin the one to blame.
    lines = re.sub(r"gs\.origin = \[.*?\]", "", imported.stdout).splitlines()
    ops = [line for line in lines if "cf.assert" not in line]
    assert not any(name in line for line in ops for name in ("stablehlo.", "torch.aten", "onnx."))


def test_an_onnx_model(needs: Callable[..., Any]) -> None:
    needs("onnx")
    runs(EXAMPLES / "onnx" / "recommender.onnx", "result 2: float32[1024, 80]")


def test_torch_text() -> None:
    runs(EXAMPLES / "torch" / "experts.mlir", "result 0: float32[5, 3]")


def test_weights_round_trip() -> None:
    """Their names clash with themselves in one context."""
    found = tool("gs-opt", EXAMPLES / "torch" / "experts.mlir", "--verify-roundtrip")
    assert found.returncode == 0, found.stderr


def test_stablehlo_text() -> None:
    runs(EXAMPLES / "jax" / "network.mlir", "result 1: int32[6, 9]")


def test_an_export_of_torch(tmp_path: Path, needs: Callable[..., Any]) -> None:
    torch = needs("torch")
    table = torch.nn.Embedding(10, 4)
    program = torch.export.export(table, (torch.tensor([[1, 2], [3, 4]]),))
    torch.export.save(program, tmp_path / "table.pt2")
    runs(tmp_path / "table.pt2", "result 0: float32[2, 2, 4]")
    runs(tmp_path / "table.pt2", "argument 0 (input): int64[2, 2]")


def test_an_export_of_jax(tmp_path: Path, needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    from jax import export

    exported = export.export(jax.jit(lambda table, rows: table[rows] * 2))(
        jax.ShapeDtypeStruct((100, 16), "float32"), jax.ShapeDtypeStruct((7,), "int32")
    )
    (tmp_path / "export").write_bytes(exported.serialize())
    runs(tmp_path / "export", "result 0: float32[7, 16]")
    (tmp_path / "artifact.mlirbc").write_bytes(exported.mlir_module_serialized)
    found = tool("gs-run", tmp_path / "artifact.mlirbc", "--quiet")
    assert "result 0: float32[7, 16]" in found.stdout


@pytest.mark.parametrize("name", ["gs-run", "gs-opt"])
@pytest.mark.parametrize(
    ("file", "package", "reason"),
    [
        ("wrong.onnx", "onnx", "not an ONNX model"),
        ("wrong.pt2", "torch", "not a program of torch.export"),
    ],
)
def test_what_is_no_model(
    name: str, file: str, package: str, reason: str, tmp_path: Path, needs: Callable[..., Any]
) -> None:
    """One line that names the file."""
    needs(package)
    (tmp_path / file).write_bytes(b"\x00\x01 no model")
    found = tool(name, tmp_path / file)
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert found.stderr.count(file) == 1
    assert reason in found.stderr


@pytest.mark.parametrize("name", ["gs-run", "gs-opt"])
def test_what_is_refused_names_the_node(
    name: str, tmp_path: Path, needs: Callable[..., Any]
) -> None:
    onnx = needs("onnx")
    helper, kind = onnx.helper, onnx.TensorProto
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Gather", ["x", "i"], ["y"], axis=7, name="rows")],
        "g",
        [info("x", kind.FLOAT, [3, 4]), info("i", kind.INT64, [2])],
        [info("y", kind.FLOAT, [2, 4])],
    )
    path = tmp_path / "axis.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), path)
    found = tool(name, path, *(["--import"] if name == "gs-opt" else []))
    assert found.returncode == 1
    message = "rows: error: 'onnx.Gather' op axis must be in [-2, 2), found 7"
    assert f"{path}: {message}" in found.stderr


def test_import_from_one_language() -> None:
    jax = EXAMPLES / "jax" / "network.mlir"
    assert " = gs." in tool("gs-opt", jax, "--import=stablehlo").stdout
    # Nothing of it is Torch's.
    assert " = gs." not in tool("gs-opt", jax, "--import=torch").stdout
    wrong = tool("gs-opt", jax, "--import=french")
    assert wrong.returncode == 1
    assert "'french' is none of dml, onnx, stablehlo, tcp, tensor, torch, tosa" in wrong.stderr
