"""The cases of `convert-gs-to-linalg` through IREE, for the CPU.

IREE has no integers with a sign in their type, and so none of the cases that are about these.
"""

import linalg_cases
import numpy as np
import pytest
from harness import difference, numbered, parsed, referenced
from mlir_gs import lowering

compiler = pytest.importorskip("iree.compiler")
runtime = pytest.importorskip("iree.runtime")


def test_cases_in_one_module() -> None:
    programs = numbered(
        [
            *linalg_cases.larger_outputs(),
            *linalg_cases.sizes_of_gathered_operands(),
            *linalg_cases.empty_sums(),
            *linalg_cases.zero_sizes(),
        ]
    )
    module = parsed(programs)
    expected = [referenced(module, program) for program in programs]
    lowering.run_pipeline(module, "convert-gs-to-linalg,canonicalize,cse")
    code = compiler.compile_str(
        str(module), target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=host"]
    )
    loaded = runtime.load_vm_flatbuffer(code, driver="local-sync")
    for program, wanted in zip(programs, expected, strict=True):
        found = loaded[program.name](*(argument.copy() for argument in program.arguments))
        results = found if isinstance(found, tuple) else (found,)
        wrong = difference(program, tuple(np.asarray(one) for one in results), wanted)
        assert wrong is None, f"{program.label}: {wrong}"
