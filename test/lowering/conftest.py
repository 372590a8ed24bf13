"""What tests of strategies share."""

from collections.abc import Callable

import pytest
from mlir_gs.lowering import convert_gs_to_scf


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[bool]]:
    """`watch("find_strips")` is a list to which each op that is lowered adds whether that strategy
    was found for it. Nothing is taken from the disk."""

    def start(name: str) -> list[bool]:
        found: list[bool] = []
        find = getattr(convert_gs_to_scf, name)

        def observed(job):
            result = find(job)
            found.append(result is not None)
            return result

        monkeypatch.setenv("MLIR_GS_CACHE", "off")
        monkeypatch.setattr(convert_gs_to_scf, name, observed)
        return found

    return start
