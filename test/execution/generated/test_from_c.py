"""The shared code is what its C files are translated to, and holds on every platform."""

import re
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.generated import support
from mlir_gs.tools.docs import from_c

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", from_c.NAMES)
def test_the_text_is_that_of_the_c_file(name: str) -> None:
    source, text = ROOT / from_c.FOLDER / f"{name}.c", support.text(name)
    # Without the compiler the sources' digest says whether they have changed since.
    assert text.startswith(from_c.note_on(source)), "python -m mlir_gs.tools.docs.from_c"
    if from_c.missing() is None:
        assert text == from_c.dialect_of(source)


@pytest.mark.parametrize("name", from_c.NAMES)
def test_shared_code_is_mlir_for_any_platform(name: str) -> None:
    text = support.text(name)
    found = re.findall(r"x86|target|dlti|tbaa|passthrough|struct<\"", text)
    assert not found
    with dialect.context(), ir.Location.unknown():
        assert ir.Module.parse(text).operation.verify()
    named = re.findall(r"^llvm.func (?:internal )?(?:fastcc )?@(\w+)\(%", text, re.MULTILINE)
    assert set(named) - {name for name in named if name.startswith("__gs_")} <= {
        *(support.ROUNDING + support.OPENMP)
    }


def test_functions_of_another_module_are_its_own() -> None:
    text = support.internal("memory")
    assert re.findall(r"llvm.func (internal )?@(\w+)", text) == [
        ("internal ", f"__gs_{name}") for name in ("alloc", "free", "free_all")
    ]
