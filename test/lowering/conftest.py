"""What tests of strategies share."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from mlir_gs.execution.machine import host
from mlir_gs.lowering.scf import convert_gs_to_scf


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[bool]]:
    """`watch("find_strips")` is a list to which each op that is lowered adds whether that strategy
    was found for it, as it is asked for in a module. Nothing is taken from the disk."""

    def start(name: str, module: ModuleType = convert_gs_to_scf) -> list[bool]:
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
    """`on_target(owned_bytes=0)`: kernels are made for this machine, but for these facts."""

    def choose(**facts: Any) -> None:
        spelled = [
            f"{name.replace('_', '-')}={str(value).lower()}" for name, value in facts.items()
        ]
        monkeypatch.setenv(host.VARIABLE, ":".join([host.NATIVE, *spelled]))

    return choose
