"""What tests of strategies share."""

from collections.abc import Callable
from types import ModuleType

import pytest
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
