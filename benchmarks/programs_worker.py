"""One party's process: it compiles programs and times them when it is told to, in JSON lines."""

import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

SEED = 20261121
PARTIES: dict[str, dict[str, Any]] = {
    "eager": {"backend": "eager"},
    "inductor": {"backend": "inductor"},
    "mlir_gs": {"backend": "mlir_gs"},
    "without-compiler": {"backend": "mlir_gs", "options": {"rest": "eager"}},
    "all-kernels": {"backend": "mlir_gs", "options": {"kernels": "all"}},
    "max-autotune": {"backend": "mlir_gs", "mode": "max-autotune"},
}


def gradients(program: Any, compiled: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result, and the gradients of parameters and arguments."""
    import torch

    result = compiled(*arguments)
    leaves = leaves_of(program, arguments)
    return result, *torch.autograd.grad(result.square().sum(), leaves, allow_unused=True)


def leaves_of(program: Any, arguments: Sequence[Any]) -> list[Any]:
    import torch

    parameters = program.parameters() if isinstance(program, torch.nn.Module) else ()
    return [each for each in (*parameters, *arguments) if each.requires_grad]


def forward(compiled: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result alone."""
    import torch

    with torch.no_grad():
        return compiled(*arguments)


def cpu_seconds() -> float:
    """Of this process, and of those that it waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def prepare(task: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """What runs the program forward, and forward and backward where it has a gradient."""
    import torch
    from programs_catalogue import PROGRAMS

    torch._dynamo.reset()
    torch.manual_seed(SEED)
    program, arguments = PROGRAMS[task["program"]](task["quick"])
    given = PARTIES[task["party"]]
    compiled = program
    if task["party"] != "eager":
        compiled = torch.compile(program, dynamic=task["dynamic"], **given)
    runs = {"forward": partial(forward, compiled, arguments)}
    if leaves_of(program, arguments):
        runs["training"] = partial(gradients, program, compiled, arguments)
    return runs


def begin(task: dict[str, Any]) -> None:
    """Import what the party needs, and let inductor ask what its compiler can."""
    import torch

    torch.set_num_threads(task["threads"])

    def tiny(x: Any, at: Any) -> Any:
        return torch.zeros_like(x).scatter_reduce(0, at, x + 1, "prod"), x.sin()

    given = PARTIES[task["party"]]
    compiled = tiny if task["party"] == "eager" else torch.compile(tiny, **given)
    compiled(torch.ones(1 << 18), torch.zeros(1 << 18, dtype=torch.int64))


def main() -> int:
    # Libraries print: the pipe is ours alone.
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    import torch
    from timing import Contestant, compete

    warnings.filterwarnings("ignore")
    runs: dict[str, Callable[[], Any]] = {}
    for line in sys.stdin:
        task = json.loads(line)
        if "threads" in task:
            begin(task)
        told: dict[str, Any] = {}
        if "program" in task:
            found = {}
            runs = prepare(task)
            for way, run in runs.items():
                begun, used = time.perf_counter(), cpu_seconds()
                found[way] = run()
                took = time.perf_counter() - begun
                told[way] = {"first": took, "cpu": cpu_seconds() - used}
            torch.save(found, task["results"])
        elif "way" in task:
            one = Contestant(task["way"], "", runs[task["way"]])
            for _ in compete([one], 1, 0.0, task["turn"]):
                pass
            told = {"samples": one.samples}
        print(json.dumps(told), file=pipe, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
