"""Numbered cases in processes of their own: one that ends, hangs or says something costs only its
case."""

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

_CONTEXT = get_context("spawn")
_CASES_PER_PROCESS = 200
_MEMORY = 6 << 30
Check = Callable[[int, int], str]
"""Runs case (seed, number); returns a complaint, or an empty text."""

ISOLATED = "isolated: "
"""How the text begins where a crash was kept away from the tool: no complaint."""


@dataclass(frozen=True)
class Finding:
    """Case `number` went wrong: `kind` is crash, hang, complaint or isolated."""

    number: int
    kind: str
    text: str


def _work(pipe: Connection, check: Check, seed: int, errors: str) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(errors, os.O_WRONLY | os.O_APPEND), 2)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    pipe.send("ready")
    while (number := pipe.recv()) is not None:
        try:
            pipe.send(check(seed, number))
        except BaseException as error:
            pipe.send(f"{type(error).__name__}: {error}")


class _Worker:
    def __init__(self, check: Check, seed: int) -> None:
        number, self.errors = tempfile.mkstemp(prefix="fuzz-")
        os.close(number)
        self.pipe, other = _CONTEXT.Pipe()
        self.process: BaseProcess = _CONTEXT.Process(
            target=_work, args=(other, check, seed, self.errors)
        )
        self.process.start()
        other.close()
        # Starting takes longer than most cases.
        self.pipe.recv()
        self.number = -1
        self.since = time.monotonic()
        self.done = 0

    def give(self, number: int) -> None:
        self.number, self.since = number, time.monotonic()
        self.pipe.send(number)

    def end(self) -> str:
        """Stop; what the process wrote to standard error last."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.pipe.close()
        text = Path(self.errors).read_bytes()[-1500:].decode("utf-8", "replace")
        os.unlink(self.errors)
        return text


def watch(
    check: Check, seed: int, numbers: Sequence[int], jobs: int, seconds: float
) -> Iterator[Any]:
    """Yields a Finding or None for each case, in the order in which they end."""
    waiting = list(reversed(numbers))
    workers: list[_Worker] = []
    while waiting or workers:
        while waiting and len(workers) < jobs:
            workers.append(_Worker(check, seed))
            workers[-1].give(waiting.pop())
        ready = wait([worker.pipe for worker in workers], timeout=1.0)
        for worker in list(workers):
            if worker.pipe in ready:
                found = _received(worker)
            elif time.monotonic() - worker.since > seconds:
                found = Finding(worker.number, "hang", f"after {seconds:.0f} s; {worker.end()}")
            else:
                continue
            yield found
            ended = found is not None and found.kind in ("crash", "hang")
            if not ended and worker.done < _CASES_PER_PROCESS and waiting:
                worker.give(waiting.pop())
                continue
            workers.remove(worker)
            if not ended:
                worker.end()


def _received(worker: _Worker) -> Finding | None:
    number = worker.number
    try:
        text = worker.pipe.recv()
    except (EOFError, ConnectionResetError):
        told = worker.end()
        code = worker.process.exitcode or 0
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Finding(number, "crash", f"{name}; {told}")
    worker.done += 1
    if not text:
        return None
    kind = "isolated" if text.startswith(ISOLATED) else "complaint"
    return Finding(number, kind, text.removeprefix(ISOLATED))
