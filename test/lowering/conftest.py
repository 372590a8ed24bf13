"""What tests of strategies share."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from mlir_gs.execution.machine import host
from mlir_gs.lowering.scf import table


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[bool]]:
    """`applied("strips")` is a list to which each op that is lowered adds whether the strategy of
    this name applies to it, if it is looked at. Nothing is taken from the disk."""

    def start(name: str) -> list[bool]:
        found: list[bool] = []
        (kind,) = (type(one) for one in table.WHOLE if one.name == name)
        applies = kind.applies

        def observed(self, work):
            match = applies(self, work)
            found.append(match is not None)
            return match

        monkeypatch.setenv("MLIR_GS_CACHE", "off")
        monkeypatch.setattr(kind, "applies", observed)
        return found

    return start


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[bool]]:
    """`watch("is_narrow", module)` is a list to which each call of that function in the module adds
    whether it returned something. Nothing is taken from the disk."""

    def start(name: str, module: ModuleType) -> list[bool]:
        found: list[bool] = []
        find = getattr(module, name)

        def observed(*arguments):
            result = find(*arguments)
            found.append(result is not None)
            return result

        monkeypatch.setenv("MLIR_GS_CACHE", "off")
        monkeypatch.setattr(module, name, observed)
        return found

    return start


@pytest.fixture
def on_target(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`on_target(cache_bytes=0)`: kernels are made for this machine, but for these facts."""

    def choose(**facts: Any) -> None:
        spelled = [
            f"{name.replace('_', '-')}={str(value).lower()}" for name, value in facts.items()
        ]
        monkeypatch.setenv(host.VARIABLE, ":".join([host.NATIVE, *spelled]))

    return choose
