"""Inputs and limits that no tool can work with: one line, exit code 1, no traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

GATHER = """
func.func @f(%t: tensor<8x4xf32>, %i: tensor<3x1xi64>) -> tensor<3x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
"""


def told(tool: str, *arguments: str) -> tuple[int, list[str]]:
    """The exit code of a tool, and what it says."""
    command = [sys.executable, "-m", f"mlir_gs.tools.{tool}", *arguments]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return found.returncode, found.stderr.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize("limit", ["0.0001", "1", "30", "100", "200"])
@pytest.mark.parametrize("tool", ["gs_run", "gs_opt"])
def test_too_little_memory(tool: str, limit: str, tmp_path: Path) -> None:
    source = tmp_path / "gather.mlir"
    source.write_text(GATHER)
    code, lines = told(tool, str(source), f"--memory-limit={limit}")
    name = tool.replace("_", "-")
    assert (code, lines) == (1, [f"{name}: it needs more memory than there is (--memory-limit)"])


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize("limit", ["9e12", "1e300"])
def test_more_memory_than_there_is(limit: str, tmp_path: Path) -> None:
    source = tmp_path / "gather.mlir"
    source.write_text(GATHER)
    assert told("gs_opt", str(source), f"--memory-limit={limit}") == (0, [])


@pytest.mark.parametrize("place", [0, 500_000])
def test_a_long_line_is_cut(place: int, tmp_path: Path) -> None:
    source = tmp_path / "long.mlir"
    text = f"func.func @f() {{ {' ' * place}%0 = arith.constant {'x' * 500_000} }}"
    source.write_text(text)
    code, lines = told("gs_opt", str(source))
    assert code == 1
    assert len(lines) == 3
    assert max(map(len, lines)) < 400
    at = int(lines[0].split(":")[2]) - 1
    caret = lines[2].index("^")
    assert lines[1][caret : caret + 10] == text[at : at + 10]


def test_devices(tmp_path: Path) -> None:
    assert told("gs_run", "/dev/zero") == (1, ["gs-run: /dev/zero: is no regular file"])
    output = str(tmp_path / "x.o")
    code, lines = told("gs_compile", "/dev/null", "-o", output)
    assert (code, lines) == (1, ["gs-compile: /dev/null: is no regular file"])


SHAPES = ["(-1, 4)", "(True, 4)", "(2.5, 4)", "(18446744073709551616, 4)", "('a', 4)", "4", "None"]
SHAPES += ["(4611686018427387904, 4)", "(9223372036854775807,)", "(8, 4, 1" + ", 1" * 90 + ")"]


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_that_are_none(shape: str, tmp_path: Path) -> None:
    source, table = tmp_path / "gather.mlir", tmp_path / "table.npy"
    source.write_text(GATHER)
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    table.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
    code, lines = told("gs_run", str(source), "--args", str(table), "_", "--time-limit=200")
    assert code == 1
    assert len(lines) == 1
    assert lines[0].startswith(f"gs-run: {table}: ")
