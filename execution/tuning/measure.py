"""`tune`: the facts of this machine, measured with kernels of ours."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs import __version__
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.disk.cache import complain
from mlir_gs.execution.environment import cache_folder
from mlir_gs.execution.machine import cpu, host, measured, openmp
from mlir_gs.execution.tuning import kernels
from mlir_gs.lowering.scf.target import MOST, Target

Progress = Callable[[float, str], None]
"""Called with the part that is done, from 0 to 1, and what is measured next."""

_ELEMENTS = 1 << 20
_ROUNDS = 4
_LEAST = 0.1
"""Seconds that each measurement takes, at least."""

_LARGEST = 256 << 20
_CLEARLY = 1.1
_PAYS = 1.25
"""How much faster non-temporal stores have to be: what reads the result finds it in no cache."""

_LONGEST_FORK = 1e-5
"""Seconds: what takes longer waits for other processes."""


def tune(output: str | os.PathLike[str] | None = None, progress: Progress | None = None) -> Target:
    """Measure this machine, in a few seconds, and keep what was found for `compile` beside the
    kernels on the disk; in the file `output` instead, if one is given, which is a target by its
    name.

    Returns the facts. Nothing is kept where the cache is off or its folder cannot be written.
    Results of kernels do not depend on it. Run it when the machine has nothing else to do. Raises
    OSError where `output` cannot be written.
    """
    found = _Measured(progress or (lambda _done, _what: None)).facts()
    text = profile(found)
    if output is None:
        try:
            measured.store(text)
        except OSError as error:
            complain(cache_folder(), error)
    else:
        Path(output).write_text(text, encoding="utf-8")
    return found


def profile(facts: Target) -> str:
    """The facts as a file that `gs-tune` writes."""
    about = {
        "source": f"measured by gs-tune of mlir-gs {__version__} on {cpu.name()}",
        "facts": asdict(facts),
    }
    return json.dumps(about, indent=2) + "\n"


class _Measured:
    """The facts, one after the other. Sizes of the first two caches are those that the system
    tells."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.known = host.system()
        size = min(max(4 * self.known.llc_bytes, 64 << 20), _LARGEST)
        rng = np.random.default_rng(0)
        self.far = _aligned(size // 4)
        self.far[:] = 1
        self.sums = _aligned(_ELEMENTS)
        self.places = rng.integers(0, size // 4, (_ELEMENTS, 1)).astype(np.int32)
        self.rng = rng
        self.kernels: dict[tuple[str, str], Kernel] = {}

    def facts(self) -> Target:
        parts = {
            "latency": self._latency,
            "lines on their way": self._lines,
            "bandwidths": self._bandwidths,
            "last cache": self._last_cache,
            "rows": self._scattered,
            "gathers": self._gathers,
            "threads": self._fork,
        }
        for number, (name, part) in enumerate(parts.items()):
            self.progress(number / len(parts), name)
            self.known = replace(self.known, **part())
        self.progress(1.0, "")
        return self.known

    def _latency(self) -> dict[str, Any]:
        """Lines in one cycle, in any order."""
        line = self.known.line // 4
        count = min(len(self.far) // line, 1 << 20)
        order = self.rng.permutation(count).astype(np.int32) * line
        chain = np.zeros(count * line, np.int32)
        chain[order] = np.roll(order, -1)
        last, steps = np.zeros(1, np.int32), 1 << 14
        kernel = self._kernel(kernel_text("chase"))
        seconds = _seconds_of({0: lambda: kernel(chain, last, steps)})[0]
        return {"latency_ns": _digits(seconds / steps * 1e9)}

    def _lines(self) -> dict[str, Any]:
        """By Little's law: how many are on their way is what arrives during the latency."""
        found = {}
        calls = {}
        for level, ahead in ((1, 32), (2, 64)):
            spelled = f"generic:prefetch-level={level}:elements-ahead={ahead}:memory-bytes=0"
            calls[level] = self._take(f"{spelled}:read-ahead=0", self.far, self.places)
        for level, seconds in _seconds_of(calls).items():
            lines = self.known.latency_ns / (seconds / _ELEMENTS * 1e9)
            found[f"lines_l{level}"] = max(1, round(lines))
        return found

    def _bandwidths(self) -> dict[str, Any]:
        half = len(self.far) // 2 - 1024
        read = self._kernel(kernels.READ)
        calls = {"read": lambda: read(self.far[:half], self.sums), **self._copies(half)}
        found = _seconds_of(calls).items()
        return {f"{name}_gbs": _digits(half * 4 / s / 1e9) for name, s in found}

    def _last_cache(self) -> dict[str, Any]:
        """What a kernel can count on: the least that a copy touches, of sizes from the largest down
        by halves, for which non-temporal stores pay. Other guests of a machine share what the
        system tells."""
        least = self.known.llc_bytes
        while 4 * self.known.l2_bytes <= least <= self.far.nbytes:
            seconds = _seconds_of(self._copies(least // 16 - 1024))
            if seconds["stream"] * _PAYS > seconds["write"]:
                break
            least //= 2
        return {"llc_bytes": least}

    def _copies(self, count: int) -> dict[str, Callable[[], object]]:
        """What copies so many elements, by stores and by non-temporal ones."""
        # Apart by no multiple of a page: loads would wait for stores.
        first, second = self.far[:count], self.far[count + 528 : 2 * count + 528]
        texts = {"write": kernels.COPY, "stream": kernels.STREAM}
        return {name: partial(self._kernel(text), first, second) for name, text in texts.items()}

    def _scattered(self) -> dict[str, Any]:
        """Of four times what the last cache holds; 0 where plain stores are about as fast."""
        half = min(len(self.far) // 2, self.known.llc_bytes // 2) // 64 * 64
        updates, rows = (part.reshape(-1, 64) for part in (self.far[:half], self.far[-half:]))
        places = self.rng.permutation(len(rows)).astype(np.int32)[:, None]
        calls = {}
        for name, size in (("write", 0), ("stream", 1)):
            spelled = f"generic:stream-bytes={size}:stream-scattered=true"
            kernel = compile(kernel_text("rows"), threads=1, donate=[1], target=spelled)
            calls[name] = partial(kernel, updates, rows, places)
        seconds = _seconds_of(calls)
        faster = seconds["stream"] * _CLEARLY < seconds["write"]
        return {
            "scattered_gbs": _digits(updates.nbytes / seconds["stream"] / 1e9) if faster else 0.0
        }

    def _gathers(self) -> dict[str, Any]:
        """Always, if gathers are faster than loads in the mean over arrays of many sizes, or never:
        to choose by the size at run time costs a branch for each vector."""
        ratio = 1.0
        for size in (1 << 14, 1 << 17, 1 << 20, 1 << 23):
            table, count = self.far[: size // 4], 1 << 16
            places = self.rng.integers(0, len(table), (count, 1)).astype(np.int32)
            calls = {
                gathers: self._take(f"generic:gather-bytes={gathers}", table, places)
                for gathers in (0, MOST)
            }
            seconds = _seconds_of(calls)
            ratio *= seconds[MOST] / seconds[0]
        return {"gather_bytes": MOST if ratio * _CLEARLY < 1 else 0}

    def _fork(self) -> dict[str, Any]:
        """What a loop that threads share takes longer than the same on one thread."""
        threads = openmp.thread_count(None)
        if threads == 1:
            return {}
        calls = {}
        for count in (1, threads):
            text = kernel_text("fork", threads=threads)
            kernel = compile(text, threads=count, target="generic")
            calls[count] = lambda kernel=kernel: kernel(self.sums)
        seconds = _seconds_of(calls)
        return {
            "fork_us": _digits(min(max(seconds[threads] - seconds[1], 0.0), _LONGEST_FORK) * 1e6)
        }

    def _kernel(self, text: str, target: str = "generic") -> Kernel:
        """On one thread, compiled once."""
        key = (text, target)
        if key not in self.kernels:
            self.kernels[key] = compile(text, threads=1, target=target)
        return self.kernels[key]

    def _take(self, target: str, table: np.ndarray, places: np.ndarray) -> Callable[[], object]:
        kernel = self._kernel(kernel_text("take"), target)
        out = self.sums[: len(places)]
        return lambda: kernel(table, places, out=out)


def _aligned(elements: int) -> np.ndarray:
    """So many f32, from the begin of a line on."""
    memory = np.empty(elements * 4 + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + elements * 4].view(np.float32)


def _seconds_of(calls: dict[Any, Callable[[], object]]) -> dict[Any, float]:
    """The least seconds of each call, in interleaved rounds: other work only adds to a time."""
    found = dict.fromkeys(calls, float("inf"))
    for call in calls.values():
        call()
    rounds, end = 0, time.perf_counter() + _LEAST
    while rounds < _ROUNDS or time.perf_counter() < end:
        rounds += 1
        for name, call in calls.items():
            begun = time.perf_counter()
            call()
            found[name] = min(found[name], time.perf_counter() - begun)
    return found


def _digits(number: float) -> float:
    """With three digits."""
    return float(f"{number:.3g}")


def kernel_text(name: str, **parts: int) -> str:
    """The module of a measuring kernel, with these numbers in it."""
    return template(__file__, f"mlir/{name}.mlir").substitute(parts)
