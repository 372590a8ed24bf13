"""What passes print is compiled by every road: README's pipeline on a scatter and a gather, and a
few of the cases that printed_roads.py draws by the thousand."""

import random
from pathlib import Path

import numpy as np
import pytest
from mlir_gs import compile
from mlir_gs.tools import gs_compile, gs_opt, gs_run
from printed_roads import by_upstream, check, draw_case
from program import Program

# What upstream makes runs in children; JAX warns of every fork of a process that has loaded it.
pytestmark = pytest.mark.filterwarnings(r"ignore:os.fork\(\) was called:RuntimeWarning")

INPUTS = {
    "scatter": (
        "func.func @f(%u: tensor<?x64xf32>, %t: tensor<?x64xf32>, %i: tensor<?x1xi64>)\n"
        "    -> tensor<?x64xf32> {\n"
        '  %r = "gs.scatter"(%u, %t, %i) ({}) {scatter_dims = array<i64: 0>}\n'
        "      : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>\n"
        "  return %r : tensor<?x64xf32>\n}\n"
    ),
    "gather": (
        "func.func @f(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {\n"
        "  %r = tensor.gather %t[%i] gather_dims([0])\n"
        "      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>\n"
        "  return %r : tensor<?x64xf32>\n}\n"
    ),
}
README = ["--convert-tensor-to-gs", "--gs-generalize", "--gs-bufferize"]


def _arguments(name: str) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((9, 64)).astype(np.float32)
    places = rng.integers(0, 9, (5, 1))
    updates = rng.standard_normal((5, 64)).astype(np.float32)
    return (updates, table, places) if name == "scatter" else (table, places)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", INPUTS)
def test_the_pipeline_of_the_readme_runs_on(name: str, threads: int, tmp_path: Path) -> None:
    source, printed = tmp_path / "in.mlir", tmp_path / "printed.mlir"
    source.write_text(INPUTS[name])
    last = f"--convert-gs-to-scf=threads={threads}"
    assert gs_opt.main([str(source), *README, last, "-o", str(printed)]) == 0
    text, arguments = printed.read_text(), _arguments(name)
    expected = compile(INPUTS[name])(*arguments)
    np.testing.assert_array_equal(compile(text, threads=threads)(*arguments), expected)
    program = Program(name, name, text, arguments, lambda: (), True)
    (found,) = by_upstream(program, (expected,))
    np.testing.assert_array_equal(found, expected)
    files = [str(tmp_path / f"{n}.npy") for n in range(len(arguments))]
    for file, argument in zip(files, arguments, strict=True):
        np.save(file, argument)
    result = str(tmp_path / "result.npy")
    assert gs_run.main([str(printed), "--args", *files, "-o", result]) == 0
    np.testing.assert_array_equal(np.load(result), expected)
    assert gs_compile.main([str(printed), "-o", str(tmp_path / "f.o")]) == 0


@pytest.mark.parametrize("seed", range(6))
def test_passes_by_options_by_inputs(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(8):
        case = draw_case(rng)
        wrong, _ = check(case)
        assert not wrong, f"{case.program.op} {case.passes} threads={case.threads}: {wrong}"
