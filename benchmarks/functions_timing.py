"""How the workloads of functions.py are run: new data each round, results compared, medians."""

import argparse
import gc
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
from functions_catalogue import WORKS
from functions_work import Work, print_means, rows_of
from peers import missing

TURN = 0.03
"""Seconds that each party runs for in a round."""
PAUSE = 0.21
"""Seconds before a party, in which threads of other runtimes go to sleep."""
SMALL_TURN = 0.01


@dataclass
class Party:
    name: str
    kind: str
    module: Any
    function: Callable[[Any, Any], Any]
    samples: list[float] = field(default_factory=list)
    wrong: bool = False


def run(options: argparse.Namespace) -> int:
    """Time the workloads, print a row for each, and the geometric means; 1 if ours was wrong."""
    begun = time.perf_counter()
    kinds = [kind for kind in options.peers.split(",") if kind and not missing(kind)]
    modules = {kind: _module(kind, options.threads[0]) for kind in kinds}
    size = 100 if options.small else None
    rows, failed = [], False
    print(f"{options.threads[0]} threads" + (", 100 elements" if size else ""))
    if not options.quick:
        print(f"{'workload':28}{'ours us':>10} {'peer/ours':>9} {'lib/ours':>9}  all in us")
    known = rows_of(options.json) if options.resume else {}
    for work in WORKS:
        if options.names and not any(name in work.name for name in options.names):
            continue
        if (work.through and work.through not in kinds) or (options.threads[0], work.name) in known:
            continue
        if options.seconds and time.perf_counter() - begun > options.seconds:
            print(f"not run, {options.seconds:.0f} s are over: {work.name}")
            continue
        parties = [Party("ours", work.through, modules.get(work.through) or _ours(), work.ours)]
        parties += [
            Party(name, name.split()[0], modules[name.split()[0]], function)
            for name, function in work.peers.items()
            if name.split()[0] in kinds
        ]
        count = size or (100 if options.quick else work.size)
        for number in range(1 if options.quick else options.rounds):
            _round(work, parties, number, count, options.quick, bool(size))
        failed |= parties[0].wrong
        if options.quick:
            print(f"{work.name}: equal: {', '.join(p.name for p in parties if not p.wrong)}")
            continue
        row = _row(work, parties, options.threads[0], np.min if options.best else np.median)
        rows.append(row)
        if options.json:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    if rows:
        print_means(f"{options.threads[0]} threads", rows)
    return int(failed)


def _ours() -> Any:
    import mlir_gs

    return mlir_gs


def _module(kind: str, threads: int) -> Any:
    if kind == "torch":
        import torch

        torch.set_num_threads(threads)
        return torch
    if kind == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        return jax
    return np if kind == "numpy" else None


def _round(
    work: Work, parties: list[Party], number: int, size: int, quick: bool, small: bool
) -> None:
    rng = np.random.default_rng(number + 1)
    data = work.make(rng, size)
    expected = None
    if number == 0:
        reference = parties[1] if len(parties) > 1 else parties[0]
        expected = _numpy(_call(reference, data)())
    for party in [*parties[number % len(parties) :], *parties[: number % len(parties)]]:
        if party.wrong:
            continue
        call = _call(party, data)
        found = call()
        if expected is not None and not _equal(_numpy(found), expected, work.tolerance):
            party.wrong = True
            print(f"{work.name}: {party.name} is WRONG", flush=True)
            continue
        del found
        if not quick:
            _time(party, call, small)


def _time(party: Party, call: Callable[[], Any], small: bool) -> None:
    time.sleep(0 if small else PAUSE)
    for _ in range(4):
        call()
    start = time.perf_counter()
    call()
    one = max(time.perf_counter() - start, 1e-7)
    batch = max(1, round((1e-4 if small else 1e-3) / one))
    turn = SMALL_TURN if small else TURN
    gc.disable()
    try:
        for _ in range(max(3, min(50, round(turn / (batch * one))))):
            start = time.perf_counter()
            for _ in range(batch):
                call()
            party.samples.append((time.perf_counter() - start) / batch)
    finally:
        gc.enable()


def _call(party: Party, data: dict[str, Any]) -> Callable[[], Any]:
    """The call of a party on its own arrays."""
    function, module = party.function, party.module
    if party.kind == "torch":
        arrays = SimpleNamespace(**{k: _tensor(module, v) for k, v in data.items()})
        return lambda: function(module, arrays)
    if party.kind == "jax":
        numbers = module.numpy
        arrays = {
            key: numbers.asarray(value) for key, value in data.items() if type(value) is np.ndarray
        }
        others = {key: value for key, value in data.items() if key not in arrays}
        made = module.jit(lambda arrays: function(numbers, SimpleNamespace(**arrays, **others)))
        return lambda: module.block_until_ready(made(arrays))
    space = SimpleNamespace(**data)
    return lambda: function(module, space)


def _tensor(torch: Any, value: Any) -> Any:
    if type(value) is not np.ndarray:
        return value
    if value.dtype == np.uint16:
        # torch has few ops on it; a user would hold these in the next wider type.
        value = value.astype(np.int32)
    return torch.from_numpy(value)


def _numpy(found: Any) -> list[np.ndarray]:
    several = found if isinstance(found, tuple | list) else (found,)
    return [np.array(each) for each in several]


def _equal(found: list[np.ndarray], expected: list[np.ndarray], tolerance: float) -> bool:
    for one, other in zip(found, expected, strict=True):
        if one.shape != other.shape:
            return False
        if one.dtype.kind not in "fc" or not tolerance:
            if not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
                return False
            continue
        bound = tolerance * max(1e-30, float(np.abs(other).max(initial=0)))
        if not np.allclose(one, other, rtol=0, atol=bound):
            return False
    return True


def _row(work: Work, parties: list[Party], threads: int, of: Callable[..., Any]) -> dict[str, Any]:
    times = {p.name: float(of(p.samples)) * 1e6 for p in parties if p.samples}
    ours = times.get("ours")
    others = {name: us for name, us in times.items() if name != "ours"}
    libraries = {name: us for name, us in others.items() if not name.startswith("numba")}
    peer = min(others.values()) / ours if others and ours else None
    library = min(libraries.values()) / ours if libraries and ours else None
    listed = "  ".join(
        f"{name} {us:.1f}" for name, us in sorted(others.items(), key=lambda x: x[1])
    )
    print(
        f"{work.name:28}{ours or 0:10.1f} {peer or 0:9.2f} {library or 0:9.2f}  {listed}",
        flush=True,
    )
    return {
        "name": work.name,
        "threads": threads,
        "us": times,
        "peer": peer,
        "library": library,
    }
