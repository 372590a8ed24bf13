"""Whole programs under torch.compile: eager Torch, inductor and mlir_gs, in turns in one run.

`python benchmarks/programs.py` prints the medians of forward alone, and of forward and backward,
and the time until the first result, after checking that all agree. `--quick`: tiny sizes, is it
right?
"""

import argparse
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import timing
from peers import missing
from timing import Contestant

ROUNDS = 5
PARTIES: dict[str, dict[str, Any]] = {
    "eager": {"backend": "eager"},
    "inductor": {"backend": "inductor"},
    "mlir_gs": {"backend": "mlir_gs"},
    "without-compiler": {"backend": "mlir_gs", "options": {"rest": "eager"}},
    "all-kernels": {"backend": "mlir_gs", "options": {"kernels": "all"}},
}
USUAL = ("eager", "inductor", "mlir_gs")


def gradients(program: Any, compiled: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result, and the gradients of parameters and arguments."""
    import torch

    parameters = program.parameters() if isinstance(program, torch.nn.Module) else ()
    leaves = [each for each in (*parameters, *arguments) if each.requires_grad]
    result = compiled(*arguments)
    return result, *torch.autograd.grad(result.square().sum(), leaves)


def forward(compiled: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result alone."""
    import torch

    with torch.no_grad():
        return compiled(*arguments)


def contest(
    program: Any, arguments: Sequence[Any], options: argparse.Namespace
) -> Iterator[list[Contestant]]:
    """The contestants of forward, and of forward and backward; all are checked against eager."""
    import torch

    differentiated = any(a.requires_grad for a in arguments) or isinstance(program, torch.nn.Module)
    parties: dict[str, list[Contestant]] = {"forward": []}
    if differentiated:
        parties["forward and backward"] = []
    wanted: dict[str, Any] = {}
    for who in options.parties:
        torch._dynamo.reset()
        compiled = program
        if who != "eager":
            compiled = torch.compile(program, dynamic=options.dynamic, **PARTIES[who])
        runs = {"forward": partial(forward, compiled, arguments)}
        if differentiated:
            runs["forward and backward"] = partial(gradients, program, compiled, arguments)
        for name, call in runs.items():
            begun = time.perf_counter()
            found = call()
            took = time.perf_counter() - begun
            torch.testing.assert_close(found, wanted.setdefault(name, found), rtol=2e-3, atol=2e-3)
            parties[name].append(Contestant(f"{name}, {who}, first {took:.1f} s", who, call))
    yield from parties.values()


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="names, all by default")
    parser.add_argument("--repeats", type=int, default=ROUNDS, help="rounds (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one round")
    parser.add_argument("--dynamic", action="store_true", help="sizes that are not compiled for")
    parser.add_argument("--threads", type=int, help="of all parties")
    parser.add_argument(
        "--parties", nargs="+", default=USUAL, choices=PARTIES, help="the last: ours"
    )
    options = parser.parse_args()
    if why := missing("torch"):
        print(f"left out: torch, {why}")
        return 0
    import torch
    from programs_catalogue import PROGRAMS

    warnings.filterwarnings("ignore")
    torch.manual_seed(20261121)
    if options.threads:
        torch.set_num_threads(options.threads)
    rounds, pause = (1, 0.0) if options.quick else (options.repeats, timing.PAUSE)
    ratios: list[float] = []
    for name in options.programs or PROGRAMS:
        program, arguments = PROGRAMS[name](options.quick)
        print(f"{name}: {', '.join(str(list(a.shape)) for a in arguments)}", flush=True)
        for parties in contest(program, arguments, options):
            for _ in timing.compete(parties, rounds, pause):
                pass
            medians = [1e6 * timing.statistics(party.samples)["median"] for party in parties]
            for party, median in zip(parties, medians, strict=True):
                print(f"  {party.name:50} {median:10.1f} us", flush=True)
            ratios.append(min(medians[:-1]) / medians[-1])
            print(f"  best of the others over {parties[-1].runtime}: {ratios[-1]:.2f}", flush=True)
    print(f"geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
