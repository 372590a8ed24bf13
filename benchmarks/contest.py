"""Ours and the peers of one workload: made, checked, and timed in turns."""

import functools
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any

import ml_dtypes
import moments
import numpy as np
import slices
import timing
from bandwidth import measure
from mlir_gs.execution import compile
from peers import kind_of, missing
from summary import OURS, UNFUSED
from timing import Contestant
from workload import Case, Workload

CHECKS = 3
"""Calls whose results are checked: threads that race for an element do not lose each time."""


def ours(workload: Workload, case: Case, quick: bool, merged: bool = True) -> Callable[[], Any]:
    """Our kernel, as a user calls it: into `out`, or with the destination given away."""
    kernel = compile(workload.source(quick), threads=case.threads, optimize=merged)
    if case.in_place:
        return functools.partial(kernel, *case.arguments)
    return functools.partial(kernel, *case.arguments, out=case.out)


def contestants(
    workload: Workload, case: Case, kinds: Collection[str], quick: bool
) -> tuple[list[Contestant], dict[str, str], list[str]]:
    """Those whose result is right, ours first, of a chain unfused too; why the others are left
    out; and the names of those that sum up in another order than the sequential loop, whose bits
    ours has: theirs are others.

    Raises AssertionError if our own result is not that of the sequential loop.
    """
    found, left_out, other_bits = [], dict(workload.left_out), []
    ordered = not workload.in_any_order
    tolerance = 0.0 if ordered else workload.tolerance
    for name in (OURS, UNFUSED) if workload.chain else (OURS,):
        call = ours(workload, case, quick, merged=name == OURS)
        problem, _ = _difference(case, call, tolerance, CHECKS)
        words = name.replace(OURS, "our", 1)
        assert problem is None, f"{workload.id}: {words} result {problem}"
        found.append(Contestant(name, OURS, call))
    for name, maker in workload.peers.items():
        kind = kind_of(name)
        if kind not in kinds:
            continue
        reason = missing(kind)
        if reason is None:
            try:
                call = maker(case)
                # JAX and IREE have a destination of their own, which cannot be reset.
                times = 1 if kind in ("jax", "iree") and case.in_place else CHECKS
                reason, same_bits = _difference(case, call, workload.tolerance, times)
                if reason is None:
                    found.append(_contestant(name, kind, call, case.threads, quick))
                    other_bits += [] if same_bits or not ordered else [found[-1].name]
            except Exception as error:
                lines = str(error).strip().splitlines() or [""]
                reason = f"{type(error).__name__}: {lines[0][:120]}"
        if reason is not None:
            left_out[name] = reason
    return found, left_out, other_bits


def _contestant(
    name: str, kind: str, call: Callable[[], Any], threads: int, quick: bool
) -> Contestant:
    if kind != "torch":
        return Contestant(name, kind, call)
    import torch

    # More threads make some of torch's ops slower: it gets the better number.
    choices = []
    for count in sorted({1, threads}):
        label = name if count == threads else f"{name} (1 thread)"
        prepare = functools.partial(torch.set_num_threads, count)
        contestant = Contestant(label, kind, call, prepare)
        time.sleep(_pause(threads, quick))
        choices.append((contestant.estimate(), label, contestant))
    return min(choices)[2]


def _pause(threads: int, quick: bool) -> float:
    """Without a second thread nothing spins."""
    return timing.PAUSE if threads > 1 and not quick else 0.0


def _difference(
    case: Case, call: Callable[[], Any], tolerance: float, times: int
) -> tuple[str | None, bool]:
    """How a result of so many calls differs from the expected one, None if none does; and whether
    all have its bits."""
    same_bits = True
    for _ in range(times):
        case.reset()
        found = as_array(call())
        if found.shape != case.expected.shape:
            return f"has shape {found.shape}, expected {case.expected.shape}", False
        problem = _in_bits(found, case.expected)
        same_bits &= problem is None
        if tolerance:
            problem = _beyond(found, case.expected, tolerance)
        if problem is not None:
            return problem, same_bits
    return None, same_bits


def _in_bits(found: np.ndarray, expected: np.ndarray) -> str | None:
    if found.itemsize != expected.itemsize:
        return f"has elements of type {found.dtype}, expected {expected.dtype}"
    bits = f"u{expected.itemsize}"
    count = int((found.view(bits) != expected.view(bits)).sum())
    return f"differs in {count} of {found.size} elements" if count else None


def _beyond(found: np.ndarray, expected: np.ndarray, tolerance: float) -> str | None:
    error = float(np.abs(found - expected).max(initial=0) / np.abs(expected).max(initial=1))
    return None if error <= tolerance else f"differs by {error:.1e} of the largest element"


def as_array(result: Any) -> np.ndarray:
    """A result of NumPy's, torch's, JAX's or IREE's as an array."""
    if type(result).__module__.startswith("torch"):
        import torch

        if result.dtype == torch.bfloat16:
            return result.view(torch.uint16).numpy().view(ml_dtypes.bfloat16)
        return result.numpy()
    return np.ascontiguousarray(result)


def run(
    workload: Workload, threads: int, kinds: Collection[str], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Events for the progress bar, `{"event": "turn"}`, and at the end all turns: see `summary`."""
    case = workload.case(quick, threads)
    parties, left_out, other_bits = contestants(workload, case, kinds, quick)
    seconds = 1e-3 if quick else 0.02
    pause = _pause(threads, quick)
    turn = 1e-4 if quick else timing.TURN
    moment = functools.partial(moments.measure, threads)
    total = rounds * len(parties)
    yield {"event": "turns", "id": workload.id, "total": total}
    # A machine has faster and slower moments: limits are of the same ones as times.
    time.sleep(pause)
    limits = [(moment(), _limits(case, threads, seconds))]
    for number, (_, name) in enumerate(timing.compete(parties, rounds, pause, turn, moment), 1):
        yield {"event": "turn", "name": name}
        if number in (total // 2, total):
            time.sleep(pause)
            limits.append((moment(), _limits(case, threads, seconds)))
    yield {
        "event": "measured",
        "id": workload.id,
        "title": workload.title,
        "threads": threads,
        "turns": {party.name: party.turns for party in parties},
        "limits": limits,
        "left_out": left_out,
        "other_bits": other_bits,
        "read": case.read,
        "written": case.written,
        "temporaries": case.temporaries if workload.chain else 0,
        "why": workload.why,
    }


def _limits(case: Case, threads: int, seconds: float) -> dict[str, Any]:
    """Bytes per second, and seconds that it takes at least; of slices, where there are some."""
    bandwidth = measure(case.read + case.written, threads, seconds)
    measured = [slices.measure(each, threads, seconds) for each in case.slices]
    alone = [each for each in measured if each is not None]
    # What moves besides.
    read = max(0, case.read - sum(each.read for each in case.slices))
    written = max(0, case.written - sum(each.written for each in case.slices))
    return {
        "bandwidth": bandwidth.numbers(),
        "floor": bandwidth.floor(case.read, case.written),
        "slices": sum(alone) if alone and len(alone) == len(measured) else None,
        "streams": bandwidth.floor(read, written),
    }
