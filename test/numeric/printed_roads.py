"""What our passes print, compiled from the text by every road, against what it was made from.

    python test/numeric/printed_roads.py --cases 2000 --seed 0

A case is an input (a workload of benchmarks/ at its small size, or a random program), a prefix of
the pipeline that `compile` runs, and a pass or pipeline of the registry with random options. The
printed module is parsed and compiled by `mlir_gs.compile`, on one thread or two, and, where no op
of ours or StableHLO's is left in it, by upstream's passes and engine in a context that knows
nothing of ours. All must give the same bits. What a pass refuses is counted by its message.
"""

import argparse
import random
import re
import sys
import typing
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from draw import RandomDraw
from harness import Outcome, Refused, compiled, difference, parsed, referenced
from linalg_road import LOOPS_TO_LLVM, TO_LOOPS, machine_of
from mlir_gs import lowering
from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.options import Option, option_text, options_of_class
from mlir_gs.lowering.passes.pipeline_text import PipelineError
from mlir_gs.lowering.passes.registry import registered_passes, registered_pipelines
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import profiles
from program import Program
from random_programs import any_program

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from catalogue import workloads

_ONE_BIT = re.compile(r"[su]i1\b")

NUMBERS = (0, 1, 16, 64, 4096, 1 << 20)
"""Of options that take numbers, beside their defaults."""


@dataclass(frozen=True)
class Case:
    """An input, the passes that it goes through, and the threads it is compiled for."""

    program: Program
    passes: str
    threads: int


@cache
def from_workload(name: str) -> Program:
    """A workload at its small size, which writes no argument; what it computes is what it gives
    compiled as written."""
    workload = workloads()[name]
    text = workload.source(True).replace(" {bufferization.writable = true}", "")
    arguments = tuple(np.array(one) for one in workload.case(True, 1).arguments)
    program = Program(name, workload.title, text, arguments, lambda: (), False, _entry(text))
    found = compiled(program)
    assert isinstance(found, tuple), f"{name}: {found}"
    return replace(program, spelling=lambda: found)


def _entry(text: str) -> str:
    return text.partition("func.func @")[2].partition("(")[0]


INPUTS = tuple(workloads())


def draw_case(rng: random.Random) -> Case:
    """A random one."""
    if rng.random() < 0.5:
        program = from_workload(rng.choice(INPUTS))
    else:
        program = any_program(RandomDraw(rng.randrange(1 << 32)))
    threads = rng.choice((1, 2))
    stages = [
        "gs-generalize,linalg-generalize-named-ops",
        "gs-optimize",
        "func.func(convert-elementwise-to-linalg),convert-products-to-gs,gs-generalize,"
        f"gs-bufferize{{layout={rng.choice(('dynamic', *['identity'] * 4))}}},canonicalize,cse",
        f"convert-gs-to-scf{{threads={rng.choice((1, 2))}}},gs-prefetch,gs-unswitch",
        "func.func(convert-linalg-to-loops),gs-emulate-small-floats,gs-order-zeros,"
        "fold-memref-alias-ops",
    ]
    prefix = stages[: rng.randrange(len(stages) + 1)]
    return Case(program, ",".join([*prefix, _random_pass(rng)]), threads)


def _random_pass(rng: random.Random) -> str:
    # Those of kernels change what a function takes, which the other roads do not know.
    rooms = (".lowering.kernel.", ".lowering.llvm.", ".lowering.passes.")
    passes = {n: c for n, c in registered_passes().items() if not _is_in(c, rooms)}
    pipelines = {n: p for n, p in registered_pipelines().items() if not _is_in(p.expand, rooms)}
    # That with the most options has the most forms.
    name = rng.choice([*passes, *pipelines, *["convert-gs-to-scf"] * 10])
    options = options_of_class(passes[name]) if name in passes else pipelines[name].options
    chosen = [o for o in options if rng.random() < 0.4]
    text = " ".join(f"{o.name}={option_text(_value(o, rng))}" for o in chosen)
    return f"{name}{{{text}}}" if text else name


def _is_in(registered: typing.Any, rooms: Sequence[str]) -> bool:
    return any(room in registered.__module__ for room in rooms)


def _value(option: Option, rng: random.Random) -> object:
    if option.type is bool:
        return rng.choice((True, False))
    if option.type is int:
        return rng.choice((option.default, *NUMBERS))
    if option.name == "target":
        return _target(rng)
    return rng.choice(typing.get_args(option.type))


def _target(rng: random.Random) -> str:
    """A profile with other values for some numbers."""
    both = {one.name: one for kind in (Policy, Target) for one in options_of_class(kind)}
    left_out = ("threads", "disabled")
    facts = [one for one in both.values() if rng.random() < 0.1 and one.name not in left_out]
    spelled = [f"{fact.name}={option_text(_fact(fact, rng))}" for fact in facts]
    if rng.random() < 0.3:
        spelled.append(f"disable={rng.choice([*STRATEGIES])}")
    return ":".join([rng.choice(profiles()), *spelled])


def _fact(fact: Option, rng: random.Random) -> object:
    if fact.type is float:
        return rng.choice((0.0, 0.5, 12.5))
    return _value(fact, rng)


def check(case: Case) -> tuple[list[str], str | None]:
    """What is wrong with a case, and what was refused, if its passes refuse it."""
    module = parsed([case.program])
    expected = _expected(case.program, module)
    with module.context, ir.Location.unknown():
        try:
            lowering.run_pipeline(module, case.passes)
        except (lowering.PassFailure, PipelineError) as refusal:
            return [], _reason(str(refusal))
        names = {op.name for op in walk(module.operation)}
        text = str(module)
    if _ONE_BIT.search(case.program.text) and not _ONE_BIT.search(text):
        # NumPy has a type for i1 that is none for si1 and ui1: arguments would be others.
        return [], "numbers of one bit have lost their sign"
    printed = replace(case.program, text=text)
    roads: dict[str, Callable[[], Outcome | Refused | str]] = {
        "compile": lambda: compiled(printed, case.threads)
    }
    # Between gs-enter- and gs-leave-bufferization a linalg.generic stands for a gs.generic.
    ours = any(name.startswith(("gs.", "stablehlo.")) for name in names) or "gs.generic = " in text
    if not ours and not _for_us_alone(text):
        roads["upstream"] = lambda: by_upstream(printed, expected)
    wrong = []
    for road, run in roads.items():
        try:
            found = run()
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if isinstance(found, (Refused, str)):
            wrong.append(f"{road}: {found}")
            continue
        complaint = difference(case.program, found, expected)
        if complaint is not None:
            wrong.append(f"{road}: {complaint}")
    return wrong, None


def _expected(program: Program, module: ir.Module) -> Outcome:
    if program.op in INPUTS:
        return program.spelling()
    return referenced(module, program)


def _reason(text: str) -> str:
    """The message of a refusal without its place."""
    return text.splitlines()[0].partition("error: ")[2] or text.splitlines()[0]


def _for_us_alone(text: str) -> bool:
    """Upstream lowers no arithmetic of floats of fewer than 16 bits, and takes either zero for the
    greater one."""
    return any(name in text for name in ("f8E", "f6E", "f4E", "arith.maxnumf", "arith.minnumf"))


def by_upstream(program: Program, expected: Outcome) -> Outcome | Refused:
    """What upstream gives of the text, without us."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(program.text)

        def lower() -> None:
            for text in (TO_LOOPS, LOOPS_TO_LLVM):
                manager = PassManager.parse(f"builtin.module({text.rstrip(',')})")
                manager.run(module.operation)

        try:
            machine = machine_of(module, lower, protected=not program.written)
        except ir.MLIRError as error:
            return Refused(str(error))
        return machine.call(program, expected)


def run(cases: int, seed: int, say: Callable[[str], None] = print) -> tuple[Counter, list[str]]:
    """How many cases were refused by which message, and what went wrong."""
    rng = random.Random(seed)
    refused: Counter[str] = Counter()
    wrong = []
    for number in range(cases):
        case = draw_case(rng)
        found, reason = check(case)
        if reason is not None:
            refused[reason] += 1
        for one in found:
            wrong.append(
                f"case {number} of seed {seed}: {case.program.op} {case.program.label}\n"
                f"  {case.passes}\n  threads={case.threads}: {one}"
            )
            say(wrong[-1])
    return refused, wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    refused, wrong = run(options.cases, options.seed)
    for reason, count in refused.most_common():
        print(f"{count:5} refused: {reason}")
    print(f"{options.cases} cases, {refused.total()} refused, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
