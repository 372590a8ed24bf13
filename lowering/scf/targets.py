"""Targets by name: profiles in `profiles/`, files of the user's, and what overrides their numbers.

A target is spelled `<name>[:<number>=<value>...]`: a profile, or the path of a JSON file like those
that `gs-tune` writes, and other values for some facts, or for some numbers that follow from them,
as in `generic:llc-bytes=16777216:stream-scattered=false`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mlir_gs.lowering.passes.options import Option, nearest, options_of_class
from mlir_gs.lowering.scf.policy import NUMBERS, Policy, policy
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.target import Target

_PARTS = ("source", "facts", "policy")
"""Of a profile: `source` says in words where the facts are from."""
PROFILES = Path(__file__).with_name("profiles")


@dataclass(frozen=True)
class Machine:
    """What a spelled target stands for: a `target`, numbers of its policy that are `given`
    otherwise, and strategies that are not used."""

    target: Target
    given: Mapping[str, Any] = field(default_factory=dict)
    disabled: tuple[str, ...] = ()

    def policy(self, threads: int) -> Policy:
        """What loops go by that so many threads share."""
        return policy(self.target, threads, self.disabled, self.given)


@dataclass(frozen=True)
class _Given:
    disable: tuple[str, ...] = ()


@cache
def profiles() -> tuple[str, ...]:
    """The targets that are known by name, `generic` first."""
    names = sorted(path.stem for path in PROFILES.glob("*.json"))
    return ("generic", *(name for name in names if name != "generic"))


@cache
def _facts() -> dict[str, Option]:
    return {option.name: option for option in options_of_class(Target)}


@cache
def _numbers() -> dict[str, Option]:
    computed = {one.name for one in NUMBERS}
    found = {one.name: one for one in options_of_class(Policy) if one.field in computed}
    return {name: one for name, one in found.items() if name not in _facts()}


@cache
def machine(spelled: str) -> Machine:
    """The machine that `spelled` stands for. Raises ValueError naming what is wrong with it."""
    name, *overrides = spelled.split(":")
    if name in profiles():
        facts, numbers = read_profile(PROFILES / f"{name}.json")
    elif name.endswith(".json"):
        facts, numbers = read_profile(Path(name))
    else:
        hint = nearest(name, profiles()) or f" (there are: {', '.join(profiles())})"
        raise ValueError(f"no target '{name}'{hint}; a file's name ends in .json")
    texts: dict[str, str | None] = {**facts, **numbers}
    given = [one.partition("=") for one in overrides]
    for one, equals, text in given:
        if sum(one == other for other, _, _ in given) > 1:
            raise ValueError(f"target '{spelled}' has '{one}' twice")
        texts[one] = text if equals else None
    disable = options_of_class(_Given)[0]
    known = {**_facts(), **_numbers(), disable.name: disable}
    for one in texts:
        if one not in known:
            raise ValueError(f"a target has no '{one}'{nearest(one, known)}")
    values = {known[one].field: known[one].parse(text) for one, text in texts.items()}
    disabled = values.pop("disable", ())
    for one in disabled:
        if one not in STRATEGIES:
            hint = nearest(one, STRATEGIES) or f" (there are: {', '.join(STRATEGIES)})"
            raise ValueError(f"no strategy '{one}'{hint}")
    is_fact = {option.field for option in _facts().values()}
    found = Machine(
        Target(**{one: value for one, value in values.items() if one in is_fact}),
        {one: value for one, value in values.items() if one not in is_fact},
        tuple(disabled),
    )
    found.policy(1)
    return found


def without(spelled: str, strategies: Sequence[str]) -> str:
    """The target that `spelled` stands for, without these strategies either. Raises ValueError as
    `machine` does."""
    disabled = dict.fromkeys((*machine(spelled).disabled, *strategies))
    kept = [part for part in spelled.split(":") if not part.startswith("disable=")]
    return ":".join([*kept, f"disable={','.join(disabled)}"] if disabled else kept)


def read_profile(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The facts of a file, and the numbers that it has instead of what follows from them, as they
    are spelled. Raises ValueError for a file that is none."""
    try:
        if path.exists() and not path.is_file():
            raise ValueError("not a regular file")
        return _parts(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"target '{path}': {error}") from None


def facts_of_text(text: str) -> Target:
    """The facts of a profile's text. Raises ValueError for a text that is none."""
    given, _ = _parts(text)
    for one in given:
        if one not in _facts():
            raise ValueError(f"a target has no '{one}'{nearest(one, _facts())}")
    return Target(**{_facts()[one].field: _facts()[one].parse(text) for one, text in given.items()})


def _parts(text: str) -> tuple[dict[str, str], dict[str, str]]:
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("too deep") from None
    if not isinstance(found, dict) or "facts" not in found:
        raise ValueError("expected an object with facts")
    for one in found:
        if one not in _PARTS:
            raise ValueError(f"a profile has no '{one}'{nearest(one, _PARTS)}")
    parts = [found["facts"], found.get("policy", {})]
    if not all(isinstance(part, dict) for part in parts):
        raise ValueError("expected an object with facts")
    facts, numbers = ({k.replace("_", "-"): _text(v) for k, v in p.items()} for p in parts)
    return facts, numbers


def _text(value: Any) -> str:
    """A value of JSON as an option is spelled."""
    return str(value).lower() if isinstance(value, bool) else str(value)
