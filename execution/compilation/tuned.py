"""`compile(tune=)`: the loops that the policy ranks first are measured, and the best are taken.

Each choice is a target of its own: what `policy` says, with another value for one number. Only
numbers that leave every bit of a result as it is are changed: where lines are prefetched to and how
far ahead, whether stores are non-temporal, how elements move. Each choice is looked at alone; those
that are faster are put together, the fastest first, as long as that makes a call faster.
"""

import copy
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.digests import digest
from mlir_gs.execution.disk.cache import TUNED, complain
from mlir_gs.execution.environment import cache_folder, keep
from mlir_gs.execution.machine import host
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.target import MOST
from mlir_gs.lowering.scf.targets import without

_LOOKS, _ROUNDS = 2, 6
"""Rounds that a first look takes, and rounds that decide."""

_TURN = 0.03
"""Seconds of a call in a round."""

_CLEARLY = 1.03
"""How much faster another choice has to be: less is noise."""

_PAGE = 4096
"""Bytes: arrays that begin at one place of a page wait for each other's stores in one way."""


class Tried(NamedTuple):
    """A target, and the seconds that a call took."""

    target: str
    seconds: float


Build = Callable[[str], Kernel]


def choices(policy: Policy, ordered: bool) -> Iterator[str]:
    """What may be faster than what the policy says. `ordered`: no op lets its sums be grouped, so
    that other strategies and lanes leave the bits."""
    yield f"prefetch-level={3 - policy.prefetch_level}"
    yield f"row-ahead={policy.row_ahead // 4}:elements-ahead={policy.elements_ahead // 2}"
    yield f"row-ahead={policy.row_ahead * 2}:elements-ahead={policy.elements_ahead * 2}"
    yield f"far-bytes={4 * policy.far_bytes}:memory-bytes={policy.far_bytes}"
    # Where nothing is prefetched, what long rows are.
    for ahead in ("read_ahead", "write_ahead"):
        number = 0 if getattr(policy, ahead) else policy.long_row_bytes
        yield f"{ahead.replace('_', '-')}={number}"
    yield f"stream-bytes={0 if policy.stream_bytes else 1}"
    yield f"stream-bytes=1:stream-scattered={str(not policy.stream_scattered).lower()}"
    yield "disable=prefetch"
    if ordered:
        yield f"gathered-bytes={MOST}:gathered-fill-bytes={MOST}"
        yield from (f"disable={name}" for name in STRATEGIES)


def best(
    build: Build,
    arrays: Sequence[Any],
    target: str | None,
    key: str | None,
    ordered: Callable[[], bool],
) -> list[Tried]:
    """What was tried on the arrays, which are left as they are, the best first; `build` makes the
    kernel for a target, `ordered` says what `choices` takes. What was kept under `key` before, for
    arrays of these shapes, is not measured again."""
    if key is not None:
        kinds = [(getattr(one, "shape", None), str(getattr(one, "dtype", ""))) for one in arrays]
        key = digest("tuned", key, repr(kinds))
    kept = _kept(key)
    if kept is not None:
        return kept
    first = host.target(target)
    calls = {first: _call(build(first), arrays)}
    ways = {_with(first, choice): choice for choice in choices(host.known(target), ordered())}
    calls |= {other: _call(build(other), arrays) for other in ways if other != first}
    tried = _seconds(calls, _LOOKS)
    faster = [one for one in ways if tried[one] * _CLEARLY < tried[first]]
    leader = first
    for other in sorted(faster, key=tried.__getitem__):
        both = _with(leader, ways[other])
        if both not in calls:
            calls[both] = _call(build(both), arrays)
        found = _seconds({one: calls[one] for one in (leader, both)}, _ROUNDS)
        tried |= found
        if found[both] * _CLEARLY < found[leader]:
            leader = both
    rest = sorted((Tried(*one) for one in tried.items() if one[0] != leader), key=lambda t: t[1])
    kept = [Tried(leader, tried[leader]), *rest]
    place = cache_folder()
    if key is not None and place is not None:
        try:
            keep(place / (key + TUNED), json.dumps(kept))
        except OSError as error:
            complain(place, error)
    return kept


def _kept(key: str | None) -> list[Tried] | None:
    place = cache_folder()
    if key is None or place is None:
        return None
    try:
        file = place / (key + TUNED)
        found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
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


def _call(kernel: Kernel, arrays: Sequence[Any]) -> Callable[[], object]:
    """A call on the arrays, and on copies of those that it writes to."""
    given = [
        _copy(array) if parameter.written else array
        for array, parameter in zip(arrays, kernel.parameters, strict=False)
    ]
    return lambda: kernel(*given)


def _copy(array: Any) -> Any:
    """Its strides and its place in a page are those of the array: both decide what loops cost."""
    if not isinstance(array, np.ndarray):
        return copy.deepcopy(array)
    low, high = np.lib.array_utils.byte_bounds(array)
    memory = np.empty(high - low + 2 * _PAGE, np.uint8)
    start = (low - memory.ctypes.data) % _PAGE
    at = array.__array_interface__["data"][0] - low + start
    copied = np.ndarray(array.shape, array.dtype, memory, at, array.strides)
    copied[...] = array
    return copied


def _seconds(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The seconds of each call: the median of a turn, the least of interleaved rounds, since other
    work only adds to a time."""
    found = dict.fromkeys(calls, float("inf"))
    for call in calls.values():
        call()
    for number in range(rounds):
        for name in calls if number % 2 == 0 else reversed(calls):
            call, samples = calls[name], []
            end = time.perf_counter() + _TURN
            while not samples or time.perf_counter() < end:
                begun = time.perf_counter()
                call()
                samples.append(time.perf_counter() - begun)
            found[name] = min(found[name], statistics.median(samples))
    return found
