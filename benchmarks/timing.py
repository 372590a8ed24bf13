"""Timing several contestants in turns, so that each sees the same machine."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

PAUSE = 0.4
"""Seconds between runtimes: workers that spin for their next task would take a core from others."""

BATCH = 1e-3
"""Seconds that one reading of the clock covers at least."""

TURN = 0.03
"""Seconds that one contestant runs for at a time, if that is three batches or more."""

WARM = 0.02
"""Seconds that each runs for before that, however long a call is: after a pause a CPU takes 5 to 12
ms to get up to speed, in which calls of 0.1 to 1 ms took up to twice as long. With one batch
instead, what is short was timed on the way there, and what is long was not."""


@dataclass
class Contestant:
    """One party: what it runs, and in which runtime's threads; `prepare` runs before each turn."""

    name: str
    runtime: str
    call: Callable[[], Any]
    prepare: Callable[[], None] = lambda: None
    samples: list[float] = field(default_factory=list)
    """Seconds per call."""

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
    contestants: Sequence[Contestant], rounds: int, pause: float, turn: float = TURN
) -> Iterator[tuple[int, str]]:
    """Fill the samples of the contestants; yields after each turn, outside of any timing."""
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
            _turn(contestant, estimates[contestant.name], turn)
            yield number, contestant.name


def _turn(contestant: Contestant, estimate: float, turn: float) -> None:
    count = max(1, round(min(BATCH, turn) / estimate))
    batches = min(20, max(3, round(turn / (count * estimate))))
    contestant.prepare()
    gc.disable()
    try:
        warm = time.perf_counter() + min(WARM, turn)
        while time.perf_counter() < warm:
            contestant.time_batch(count)
        contestant.samples += [contestant.time_batch(count) for _ in range(batches)]
    finally:
        gc.enable()


def statistics(samples: Sequence[float]) -> dict[str, float]:
    """Minimum, quartiles and the number of samples; seconds."""
    low, median, high = np.quantile(samples, [0.25, 0.5, 0.75]).tolist()
    return {"min": min(samples), "q1": low, "median": median, "q3": high, "samples": len(samples)}
