"""Lit tests of the passes through the plugin: some here, all by `lit_files.py`."""

from lit_files import cases, compare
from stock import Stock

SOME = 5


def test_results_are_those_of_gs_opt(stock: Stock) -> None:
    everything = list(cases())
    assert len(everything) > 100
    # Spread over the folders.
    for case in everything[:: len(everything) // SOME]:
        status, why = compare(stock, case)
        assert status != "differs", f"{case}\n{why}"
