"""Work in several processes that outlives the death of one: a crash is a result like any other."""

import argparse
import os
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

_CONTEXT = get_context("spawn")


class Failure:
    """What became of an item instead of a result: an exception, or the end of the process."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def run_programs(
    check: Callable[[int], tuple[str | Sequence[str], str]], description: str
) -> tuple[Counter[str], int, int]:
    """The main part of a generator: how many programs were of each kind, how many there were, and
    how many were wrong, which are printed. `check` of a seed gives a kind, or several, and what is
    wrong, empty if nothing is."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--programs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    options = parser.parse_args()
    seeds = range(options.seed * 1_000_000, options.seed * 1_000_000 + options.programs)
    counts: Counter[str] = Counter()
    wrong = 0
    for number, result in run_all(check, seeds, options.jobs):
        kinds, found = ("dead", str(result)) if isinstance(result, Failure) else result
        counts.update([kinds] if isinstance(kinds, str) else kinds)
        if found:
            wrong += 1
            print(f"seed {seeds[number]}: {found}", flush=True)
    return counts, options.programs, wrong


def run_all(
    function: Callable[[Any], Any], items: Sequence[Any], jobs: int
) -> Iterator[tuple[int, Any]]:
    """(number of the item, function(item) or a Failure), as they are done."""
    left = iter(range(len(items)))
    workers: dict[Connection, tuple[Any, int]] = {}

    def start(process: Any = None, pipe: Connection | None = None) -> None:
        number = next(left, None)
        if number is None:
            if pipe is not None:
                pipe.send(None)
                process.join()
            return
        if pipe is None:
            pipe, other = _CONTEXT.Pipe()
            process = _CONTEXT.Process(target=_work, args=(other, function), daemon=True)
            process.start()
            other.close()
        pipe.send(items[number])
        workers[pipe] = (process, number)

    for _ in range(jobs):
        start()
    while workers:
        for ready in wait(list(workers)):
            assert isinstance(ready, Connection)
            process, number = workers.pop(ready)
            try:
                result = ready.recv()
            except EOFError:
                process.join()
                yield number, Failure(f"the process died with exit code {process.exitcode}")
                start()
                continue
            yield number, result
            start(process, ready)


def _work(pipe: Connection, function: Callable[[Any], Any]) -> None:
    while (item := pipe.recv()) is not None:
        try:
            result = function(item)
        except Exception as error:
            result = Failure("".join(traceback.format_exception(error, limit=-4)))
        pipe.send(result)
