"""Each strategy is in the table, in a file of its name, and in the guide's words."""

import importlib
import inspect
import pkgutil

import pytest
from mlir_gs.lowering.scf import strategies
from mlir_gs.lowering.scf.strategy import Strategy
from mlir_gs.lowering.scf.table import EVERY, STRATEGIES


@pytest.mark.parametrize("strategy", EVERY, ids=lambda one: one.name)
def test_the_file_has_the_name(strategy: Strategy) -> None:
    name = strategy.name.replace("-", "_")
    assert type(strategy).__module__ == f"{strategies.__name__}.{name}"
    assert type(strategy).__doc__
    assert strategy.meaning == STRATEGIES[strategy.name]


def test_every_strategy_is_in_the_table() -> None:
    modules = [
        importlib.import_module(f"{strategies.__name__}.{found.name}")
        for found in pkgutil.iter_modules(strategies.__path__)
    ]
    classes = {
        one
        for module in modules
        for one in vars(module).values()
        if inspect.isclass(one) and issubclass(one, Strategy) and one is not Strategy
    }
    assert classes == {type(one) for one in EVERY}
    assert len({one.name for one in EVERY}) == len(EVERY)
