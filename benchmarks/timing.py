"""Timing several contestants in turns, so that each sees the same machine."""

import gc
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

PAUSE = 0.4
"""Seconds between runtimes: workers that spin for their next task would take a core from others."""

BATCH = 1e-3
"""Seconds that one reading of the clock covers at least."""

TURN = 0.1
"""Seconds that one contestant runs for at a time, if that is three batches or more. After a pause
what fills a cache that others share takes up to 1.6 times as long, for 50 to 100 ms at times: turns
of 20 to 30 ms met that by chance, and one kernel differed from itself by 1.2."""

MOST_BATCHES = 100
"""Readings in a turn: those of a call that takes less than BATCH fill it."""

WARM = 0.02
"""Seconds that each runs for before that, however long a call is: after a pause a CPU takes 5 to 12
ms to get up to speed, in which calls of 0.1 to 1 ms took up to twice as long. With one batch
instead, what is short was timed on the way there, and what is long was not."""


Moment: TypeAlias = tuple[float, ...] | None
"""What the machine is like: numbers that are larger or smaller; None where nothing is known."""


class Span(NamedTuple):
    """Moments of which each number is between two others."""

    first: tuple[float, ...]
    last: tuple[float, ...]


ANY = Span((), ())


def is_in(span: Span, moment: Moment) -> bool:
    """One of which nothing is known is in all spans."""
    if moment is None:
        return True
    return all(
        low <= x <= high for low, x, high in zip(span.first, moment, span.last, strict=False)
    )


class Turn(NamedTuple):
    """One turn of a contestant: seconds per call, and what `compete` was told of the moment."""

    moment: Moment
    samples: list[float]


@dataclass
class Contestant:
    """One party: what it runs, and in which runtime's threads; `prepare` runs before each turn."""

    name: str
    runtime: str
    call: Callable[[], Any]
    prepare: Callable[[], None] = lambda: None
    turns: list[Turn] = field(default_factory=list)

    @property
    def samples(self) -> list[float]:
        """Seconds per call, of all turns."""
        return self.samples_in(ANY)

    def samples_in(self, span: Span) -> list[float]:
        """Those of turns at moments of `span`."""
        return [sample for turn in self.turns_in(span) for sample in turn.samples]

    def turns_in(self, span: Span) -> list[Turn]:
        return [turn for turn in self.turns if is_in(span, turn.moment)]

    def time_batch(self, count: int) -> float:
        call = self.call
        start = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - start) / count

    def estimate(self) -> float:
        """Seconds of one call, when warm."""
        self.prepare()
        self.time_batch(1)
        return min(self.time_batch(1) for _ in range(3))


def compete(
    contestants: Sequence[Contestant],
    rounds: int,
    pause: float,
    turn: float = TURN,
    moment: Callable[[], Moment] = lambda: None,
) -> Iterator[tuple[int, str]]:
    """Fill the turns of the contestants; yields after each turn, outside of any timing.

    `moment` says what the machine is like before each turn.
    """
    estimates = {}
    for contestant in contestants:
        time.sleep(pause)
        estimates[contestant.name] = max(contestant.estimate(), 1e-8)
    for number in range(rounds):
        before = None
        # Each round begins with another contestant.
        shift = number * len(contestants) // max(rounds, 1)
        for contestant in [*contestants[shift:], *contestants[:shift]]:
            if before is None or contestant.runtime != before:
                time.sleep(pause)
            before = contestant.runtime
            now = moment()
            contestant.turns.append(Turn(now, _turn(contestant, estimates[contestant.name], turn)))
            yield number, contestant.name


def _turn(contestant: Contestant, estimate: float, turn: float) -> list[float]:
    count = max(1, round(min(BATCH, turn) / estimate))
    batches = min(MOST_BATCHES, max(3, round(turn / (count * estimate))))
    contestant.prepare()
    gc.disable()
    try:
        warm = time.perf_counter() + min(WARM, turn)
        while time.perf_counter() < warm:
            contestant.time_batch(count)
        return [contestant.time_batch(count) for _ in range(batches)]
    finally:
        gc.enable()


def alike(contestants: Sequence[Contestant], within: Sequence[float]) -> Span | None:
    """The moments, whose largest numbers are no more than `within` times their smallest ones, at
    which each contestant has a turn and they have the most in all; None if there are none, `ANY`
    where nothing is known of any."""
    moments = {t.moment for each in contestants for t in each.turns if t.moment is not None}
    if not moments:
        return ANY
    found, most = None, 0
    for first in itertools.product(*(sorted(set(n)) for n in zip(*moments, strict=True))):
        span = Span(first, tuple(a * b for a, b in zip(first, within, strict=True)))
        counts = [len(each.turns_in(span)) for each in contestants]
        if min(counts) and sum(counts) > most:
            found, most = span, sum(counts)
    return found


def least(
    contestants: Mapping[str, Callable[[], Any]],
    runs: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Milliseconds of each one's fastest call of so many, which all make in turns."""
    found = dict.fromkeys(contestants, float("inf"))
    for _ in range(runs):
        for name, call in contestants.items():
            gc.collect()
            begin = clock()
            kept = call()
            found[name] = min(found[name], (clock() - begin) * 1e3)
            # What a call made is freed outside of the time.
            del kept
    return found


def statistics(samples: Sequence[float]) -> dict[str, float]:
    """Minimum, quartiles and the number of samples; seconds."""
    low, median, high = np.quantile(samples, [0.25, 0.5, 0.75]).tolist()
    return {"min": min(samples), "q1": low, "median": median, "q3": high, "samples": len(samples)}
