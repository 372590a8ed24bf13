"""gs-run on files that are no MLIR: told by their kind, no flag needed."""

import subprocess
import sysconfig
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
GS_RUN = Path(sysconfig.get_path("scripts")) / "gs-run"


def gs_run(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([GS_RUN, path, "--quiet"], capture_output=True, text=True, check=False)


def test_an_onnx_model() -> None:
    pytest.importorskip("onnx")
    found = gs_run(EXAMPLES / "onnx" / "recommender.onnx")
    assert found.returncode == 0, found.stderr
    assert "result 2: float32[1024, 80]" in found.stdout


def test_what_is_no_onnx_model(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"\x00\x01 no model")
    found = gs_run(wrong)
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert "wrong.onnx" in found.stderr


def test_an_export_of_jax(tmp_path: Path) -> None:
    jax = pytest.importorskip("jax")
    from jax import export

    exported = export.export(jax.jit(lambda table, rows: table[rows] * 2))(
        jax.ShapeDtypeStruct((100, 16), "float32"), jax.ShapeDtypeStruct((7,), "int32")
    )
    for name, data in (
        ("export", exported.serialize()),
        ("artifact.mlirbc", exported.mlir_module_serialized),
    ):
        (tmp_path / name).write_bytes(data)
        found = gs_run(tmp_path / name)
        assert found.returncode == 0, found.stderr
        assert "result 0: float32[7, 16]" in found.stdout
