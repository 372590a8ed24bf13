"""What notebooks show: the extension of IPython, in a shell of its own."""

import subprocess
import sys

import mlir_gs
import numpy as np
import pytest

IPython = pytest.importorskip("IPython")

ROWS = """
func.func @rows(%t: tensor<?x2xf32> loc("table"), %i: tensor<?x1xi64>) -> tensor<?x2xf32> {
  %0 = gs.gather %t[%i] gather_dims([0]) mode(clip)
      : (tensor<?x2xf32>, tensor<?x1xi64>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
func.func @two(%x: tensor<3xf32>) -> (tensor<3xf32>, index) {
  %c = arith.constant 7 : index
  return %x, %c : tensor<3xf32>, index
}
func.func private @outside(tensor<3xf32>)
"""


@pytest.fixture
def shell():
    from IPython.core.interactiveshell import InteractiveShell

    InteractiveShell.clear_instance()
    made = InteractiveShell.instance()
    made.run_line_magic("load_ext", "mlir_gs")
    yield made
    InteractiveShell.clear_instance()


def html(shell, value: object) -> str:
    return shell.display_formatter.format(value)[0]["text/html"]


def test_a_cell_becomes_kernels(shell) -> None:
    assert shell.run_cell("%%gs --threads=1 --sanitize\n" + ROWS).success
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    found = shell.user_ns["rows"](table, np.array([[2], [9]]))
    np.testing.assert_array_equal(found, table[[2, 2]])
    assert "outside" not in shell.user_ns


def test_modules_and_kernels_show_themselves(shell) -> None:
    page = html(shell, mlir_gs.parse(ROWS))
    assert "<svg" in page
    assert "gs" in page
    assert 'style="color' in page
    kernel = mlir_gs.compile(ROWS, "two")
    for part in ("two", "argument 0", "float32[3]", "result 0", "result 1"):
        assert part in html(shell, kernel)
    table = html(shell, mlir_gs.compile(ROWS, "rows"))
    assert "argument 0 (table)" in table
    assert "float32[?, 2]" in table


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (ROWS.replace("gather_dims([0])", "gather_dims([5])"), "  %0 = gs.gather %t[%i]"),
        (ROWS.replace("%0 : tensor<?x2xf32>\n}", "%9 : tensor<?x2xf32>\n}"), "  return %9"),
    ],
)
def test_an_error_has_its_line(shell, capsys, cell: str, shown: str) -> None:
    assert not shell.run_cell("%%gs\n" + cell).success
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith("ParseError") for line in lines), lines
    (number,) = (k for k, line in enumerate(lines) if line.startswith(shown))
    assert lines[number + 1].strip() == "^"
    assert not any("Traceback" in line for line in lines)


def test_unknown_flags(shell) -> None:
    result = shell.run_cell("%%gs --thread=3\n" + ROWS)
    assert "found '--thread=3'" in str(result.error_in_exec)


def test_all_names_are_listed_before_they_are_used() -> None:
    code = "import mlir_gs; print(set(mlir_gs.__all__) <= set(dir(mlir_gs)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"
