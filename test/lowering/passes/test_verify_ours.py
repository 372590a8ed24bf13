"""What a pass of ours leaves is verified where that is asked for, before another repairs it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.llvm import managers
from mlir_gs.lowering import PassFailure, register_pass, run_pipeline
from mlir_gs.lowering.passes import registry

TEXT = "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}\n"


@dataclass(frozen=True)
class _Spell:
    name: ClassVar[str]
    text: ClassVar[str]

    def run(self, module: Any) -> None:
        """Write another type of the function than its block has."""
        (function,) = module.regions[0].blocks[0].operations
        function.attributes["function_type"] = ir.TypeAttr.get(ir.Type.parse(self.text))


@pytest.fixture(autouse=True)
def passes() -> Iterator[None]:
    before = dict(registry._passes)
    for name, text in {"make-wrong": "(i8) -> f32", "make-right": "(f32) -> f32"}.items():
        about = {"name": name, "text": text, "__doc__": "Spell a type."}
        register_pass(dataclass(frozen=True)(type("_Pass", (_Spell,), about)))
    yield
    registry._passes.clear()
    registry._passes.update(before)


PIPELINES = ("make-wrong,make-right", "gs-if{has=func.}(make-wrong,make-right)")


@pytest.mark.parametrize("text", PIPELINES)
@pytest.mark.parametrize("asked", [False, True])
def test_what_is_repaired_is_seen(text: str, asked: bool) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(TEXT)
        if asked:
            with pytest.raises((PassFailure, ir.MLIRError), match="type of entry block argument"):
                run_pipeline(module, text, verify_each=False, verify_ours=True)
        else:
            run_pipeline(module, text, verify_each=False)
            assert module.operation.verify()


@pytest.mark.parametrize("text", PIPELINES)
def test_kernels_of_the_tests(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managers, "VERIFY", True)
    with dialect.context(), ir.Location.unknown(), pytest.raises(PassFailure, match="entry block"):
        managers.run_kept(ir.Module.parse(TEXT), text)
