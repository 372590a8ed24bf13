"""The tables of `docs/targets.md`: facts of machines, profiles, numbers and strategies."""

import json

from mlir_gs.lowering.passes.options import option_text, options_of_class
from mlir_gs.lowering.scf.policy import NUMBERS, policy
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import PROFILES, machine, profiles
from mlir_gs.tools.docs.tables import table


def facts() -> str:
    """Each fact of a target, with its default."""
    options = options_of_class(Target)
    rows = ((f"`{one.name}`", _shown(one.default), one.help) for one in options)
    return table("fact", "`generic`", "", rows=rows)


def profile_tables() -> str:
    """Where the facts of each profile are from, and a row for each fact that some profile has
    another value for."""
    files = {name: (PROFILES / f"{name}.json").read_text(encoding="utf-8") for name in profiles()}
    sources = ((f"`{name}`", json.loads(text)["source"]) for name, text in files.items())
    known = {name: machine(name).target for name in profiles() if name != "generic"}
    rows = []
    for option in options_of_class(Target):
        values = [getattr(each, option.field) for each in known.values()]
        if any(value != option.default for value in values):
            cells = ("" if value == option.default else _shown(value) for value in values)
            rows.append((f"`{option.name}`", *cells))
    names = (f"`{name}`" for name in known)
    first = table("profile", "its facts are", rows=sources)
    return f"{first}\n{table('fact', *names, rows=rows)}"


def numbers() -> str:
    """What the policy computes of the facts of `generic`."""
    usual = policy(Target())
    shown = ((one, _shown(getattr(usual, one.name))) for one in NUMBERS)
    rows = ((f"`{one.name.replace('_', '-')}`", n, one.metadata["help"]) for one, n in shown)
    return table("number", "`generic`", "", rows=rows)


def strategies() -> str:
    """What each strategy does, in one phrase: its `meaning`, or the text that it is."""
    rows = ((f"`{name}`", getattr(each, "meaning", each)) for name, each in STRATEGIES.items())
    return table("strategy", "", rows=rows)


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else option_text(value)
