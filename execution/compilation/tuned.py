"""`compile(tune=)`: the loops that the policy ranks first are measured, and the best are taken.

Each choice is a target of its own: what `policy` says, with another value for one number. Only
numbers that leave every bit of a result as it is are changed: where lines are prefetched to and how
far ahead, whether stores are non-temporal, how elements move. The next choice begins with the best
one so far.
"""

import copy
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mlir_gs.execution.disk.cache import digest
from mlir_gs.execution.environment import cache_folder, keep
from mlir_gs.execution.machine import host
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.target import MOST
from mlir_gs.lowering.scf.targets import without

_ROUNDS = 3
_TURN = 0.03
"""Seconds."""

_CLEARLY = 1.1
"""How much faster another choice has to be: less is noise."""


class Tried(NamedTuple):
    """A target, and the seconds that a call took."""

    target: str
    seconds: float


Build = Callable[[str], Callable[..., Any]]


def choices(policy: Policy) -> Iterator[str]:
    """What may be faster than what the policy says, the likeliest first."""
    yield f"prefetch-level={3 - policy.prefetch_level}"
    yield f"stream-bytes={0 if policy.stream_bytes else 1}"
    yield f"row-ahead={policy.row_ahead // 4}:elements-ahead={policy.elements_ahead // 2}"
    yield f"row-ahead={policy.row_ahead * 2}:elements-ahead={policy.elements_ahead * 2}"
    yield f"far-bytes={policy.near_bytes}"
    yield f"read-ahead={0 if policy.read_ahead else 2048}"
    yield "copied-ahead=0" if policy.copied_ahead else "copied-ahead=4096"
    yield f"pack-words={str(not policy.pack_words).lower()}"
    if policy.gathered_bytes < MOST:
        yield f"gathered-bytes={MOST}:gathered-fill-bytes={MOST}"
    yield "disable=prefetch"


def best(build: Build, arrays: Sequence[Any], target: str | None, key: str | None) -> list[Tried]:
    """What was tried on the arrays, which are left as they are, the best first; `build` makes the
    kernel for a target. What was kept under `key` before, for arrays of these shapes, is
    not measured again."""
    if key is not None:
        kinds = [(getattr(one, "shape", None), str(getattr(one, "dtype", ""))) for one in arrays]
        key = digest("tuned", key, repr(kinds))
    kept = _kept(key)
    if kept is not None:
        return kept
    spelled = host.target(target)
    calls = {spelled: _call(build(spelled), arrays)}
    tried = {spelled: _seconds(calls, {})[spelled]}
    leader = spelled
    for choice in choices(host.known(target)):
        other = _with(leader, choice)
        if other in tried:
            continue
        calls = {leader: calls[leader], other: _call(build(other), arrays)}
        found = _seconds(calls, tried)
        tried |= {other: found[other]}
        if found[other] * _CLEARLY < found[leader]:
            leader = other
    if leader != spelled:
        # Steps may have added up noise.
        calls = {one: _call(build(one), arrays) for one in (spelled, leader)}
        found = _seconds(calls, {})
        tried |= found
        if found[leader] * _CLEARLY >= found[spelled]:
            leader = spelled
    rest = sorted((Tried(*one) for one in tried.items() if one[0] != leader), key=lambda t: t[1])
    kept = [Tried(leader, tried[leader]), *rest]
    place = cache_folder()
    if key is not None and place is not None:
        keep(place / f"{key}.tuned.json", json.dumps(kept))
    return kept


def _kept(key: str | None) -> list[Tried] | None:
    place = cache_folder()
    if key is None or place is None:
        return None
    try:
        found = json.loads((place / f"{key}.tuned.json").read_text(encoding="utf-8"))
        tried = [Tried(str(target), float(seconds)) for target, seconds in found]
        for one in tried:
            host.target(one.target)
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    except CompileError:
        return None
    return tried or None


def _with(target: str, choice: str) -> str:
    """The target with other values for some numbers, or without a strategy."""
    if choice.startswith("disable="):
        return without(target, choice.partition("=")[2].split(","))
    values = dict(part.split("=", 1) for part in choice.split(":"))
    name, *parts = target.split(":")
    kept = [part for part in parts if part.partition("=")[0] not in values]
    return ":".join([name, *kept, *(f"{number}={value}" for number, value in values.items())])


def _call(kernel: Callable[..., Any], arrays: Sequence[Any]) -> Callable[[], object]:
    """A call on copies: it may write to what it is given."""
    given = [copy.deepcopy(one) for one in arrays]
    return lambda: kernel(*given)


def _seconds(calls: dict[str, Callable[[], object]], before: dict[str, float]) -> dict[str, float]:
    """The median seconds of each call; rounds of the calls are interleaved."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for name, call in calls.items():
        if name not in before:
            call()
    for number in range(_ROUNDS):
        for name in calls if number % 2 == 0 else reversed(calls):
            call, samples = calls[name], []
            end = time.perf_counter() + _TURN
            while len(samples) < 3 or time.perf_counter() < end:
                begun = time.perf_counter()
                call()
                samples.append(time.perf_counter() - begun)
            found[name].append(statistics.median(samples))
    return {name: statistics.median(samples) for name, samples in found.items()}
