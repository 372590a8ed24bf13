"""Numbered cases in processes of their own: one that ends, hangs or says something costs only its
case.

A worker imports and prepares once, and forks a process for the cases. If that dies, the next fork
takes milliseconds.
"""

import contextlib
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

_CONTEXT = get_context("spawn")
SHARED = "native:serial-bytes=0:column-bytes=64"
_CASES_PER_PROCESS = 100
"""Kernels stay: 100 cases of `fuzz_functions` take 3 GiB of address space, and JAX takes one."""
_ENDED = 77
"""How a process ends that is asked for no more."""
_MEMORY = 6 << 30
Check = Callable[[int, int], str]
"""Runs case (seed, number); returns a complaint, or an empty text."""
Prepare = Callable[[], object]
"""Runs once in each worker, before it forks: what all cases need."""

ISOLATED = "isolated: "
"""How the text begins where a crash was kept away from the tool: no complaint."""


@dataclass(frozen=True)
class Finding:
    """Case `number` went wrong: `kind` is crash, hang, complaint or isolated."""

    number: int
    kind: str
    text: str


def _work(pipe: Connection, check: Check, seed: int, errors: str, prepare: Prepare | None) -> None:
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(errors, os.O_RDWR | os.O_APPEND), 2)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    if prepare is not None:
        prepare()
    pipe.send("ready")
    while True:
        child = os.fork()
        if not child:
            os.ftruncate(2, 0)
            _run_cases(pipe, check, seed)
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == _ENDED:
            return
        if code:
            pipe.send(Finding(-1, "crash", f"{_name(code)}; {_last(errors)}"))


def _run_cases(pipe: Connection, check: Check, seed: int) -> None:
    """Run what is asked for until it is enough for one process, or over."""
    for _ in range(_CASES_PER_PROCESS):
        try:
            number = pipe.recv()
        except EOFError:
            number = None
        if number is None:
            os._exit(_ENDED)
        # Two thirds of the cases on threads that share little work, too.
        os.environ["MLIR_GS_TARGET"] = SHARED if number % 3 else ""
        try:
            text = check(seed, number)
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        pipe.send(text)


def _name(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _last(errors: str) -> str:
    """What was written to standard error last."""
    return Path(errors).read_bytes()[-1500:].decode("utf-8", "replace")


class _Worker:
    def __init__(self, check: Check, seed: int, prepare: Prepare | None) -> None:
        number, self.errors = tempfile.mkstemp(prefix="fuzz-")
        os.close(number)
        self.pipe, other = _CONTEXT.Pipe()
        self.process: BaseProcess = _CONTEXT.Process(
            target=_work, args=(other, check, seed, self.errors, prepare)
        )
        self.process.start()
        other.close()
        # Starting takes longer than most cases.
        self.pipe.recv()
        self.number, self.hangs = -1, False
        self.since = time.monotonic()

    def give(self, number: int) -> None:
        self.number, self.since = number, time.monotonic()
        self.pipe.send(number)

    def end(self) -> str:
        """Stop, with what it has forked; what was written to standard error last."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid or 0, signal.SIGKILL)
        self.process.join()
        self.pipe.close()
        text = _last(self.errors)
        os.unlink(self.errors)
        return text


def watch(
    check: Check,
    seed: int,
    numbers: Sequence[int],
    jobs: int,
    seconds: float,
    prepare: Prepare | None = None,
) -> Iterator[Any]:
    """Yields a Finding or None for each case, in the order in which they end."""
    waiting = list(reversed(numbers))
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_Worker(check, seed, prepare))
                workers[-1].give(waiting.pop())
            ready = wait([worker.pipe for worker in workers], timeout=1.0)
            for worker in list(workers):
                if worker.pipe in ready:
                    found = _received(worker)
                elif time.monotonic() - worker.since > seconds:
                    found = Finding(
                        worker.number, "hang", f"after {seconds:.0f} s; {_last(worker.errors)}"
                    )
                    worker.hangs = True
                else:
                    continue
                yield found
                if waiting and not worker.hangs:
                    worker.give(waiting.pop())
                    continue
                workers.remove(worker)
                worker.end()
    finally:
        for worker in workers:
            worker.end()


def _received(worker: _Worker) -> Finding | None:
    number, told = worker.number, worker.pipe.recv()
    if isinstance(told, Finding):
        return replace(told, number=number)
    if not told:
        return None
    kind = "isolated" if told.startswith(ISOLATED) else "complaint"
    return Finding(number, kind, told.removeprefix(ISOLATED))
