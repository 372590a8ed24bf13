"""Questions to Z3, with ends to its time and memory."""

import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

import z3
from mlir_gs.prove import bits
from mlir_gs.prove.models import Question
from mlir_gs.prove.scalars import laws
from mlir_gs.prove.terms import parts_of

# Megabytes that the solver may take.
z3.set_param("memory_max_size", 1536)
# Milliseconds of a question that many may stand in for.
SOON = 200
# The parts of its time that a question is asked in, each from another seed: which of several ways
# the solver takes first decides whether a question takes milliseconds or minutes.
_PARTS = (1 / 8, 1 / 8, 1 / 4, 1 / 2)
# Steps of the solver that are taken before a process is made.
_STEPS = 50_000
# Filled in processes alone: the way taken there does not hang on what was asked before.
_EMPTY = z3.Context()
# Processes that end.
_ending: list[int] = []


@dataclass
class Solver:
    """Questions to the solver, all within one time limit."""

    deadline: float
    # The most milliseconds of one question.
    slice: int = 4000
    timed_out: bool = field(default=False)
    # The last question without an answer.
    last: Question | None = None
    # Terms that were looked at, by their numbers, and the laws of functions in them.
    seen: dict[int, z3.ExprRef] = field(default_factory=dict)
    laws: dict[int, list[z3.BoolRef]] = field(default_factory=dict)

    @contextmanager
    def within(self, slice_: int) -> Iterator[None]:
        """Questions meanwhile take so many milliseconds at most."""
        before, self.slice = self.slice, slice_
        try:
            yield
        finally:
            self.slice = before

    def holds(self, known: Sequence[z3.BoolRef], goal: z3.BoolRef) -> bool:
        """`goal` follows from `known`."""
        left = int((self.deadline - time.monotonic()) * 1000)
        if left <= 0:
            self.timed_out = True
            return False
        given, goal = goal, z3.simplify(goal)
        if z3.is_true(goal):
            return True
        terms = [*known, z3.Not(goal), *laws_of([*known, goal], self.seen, self.laws)]
        time_ = min(left, self.slice)
        answers = (_answer(terms, time_ * part, n) for n, part in enumerate(_PARTS))
        first = _answer_soon(terms)
        first = next(answers) if first == z3.unknown else first
        of_bits = bits.question(known, given) if first != z3.unsat else []
        if of_bits and _answer(of_bits, time_ * _PARTS[2], 1) == z3.unsat:
            return True
        if next((each for each in chain([first], answers) if each != z3.unknown), None) == z3.unsat:
            return True
        self.last = Question([*known, *terms[len(known) + 1 :]], goal)
        return False


def laws_of(
    terms: Sequence[z3.ExprRef],
    seen: dict[int, z3.ExprRef] | None = None,
    known: dict[int, list[z3.BoolRef]] | None = None,
) -> list[z3.BoolRef]:
    """What is known of the uninterpreted functions in `terms`, and in those that were `seen`."""
    known = {} if known is None else known
    for term in parts_of(terms, seen):
        if z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            declaration = term.decl()
            known.setdefault(declaration.get_id(), laws(declaration))
    return [law for found in known.values() for law in found]


def _answer(terms: Sequence[z3.BoolRef], milliseconds: float, seed: int) -> z3.CheckSatResult:
    """Whether all `terms` may hold."""

    def check() -> z3.CheckSatResult:
        return _solver(seed, (term.translate(_EMPTY) for term in terms), _EMPTY).check()

    return ended(check, milliseconds / 1000)


def _answer_soon(terms: Sequence[z3.BoolRef]) -> z3.CheckSatResult:
    """That of most questions, in a few steps: a process takes ten times as long."""
    solver = _solver(0, terms)
    solver.set("rlimit", _STEPS)
    try:
        return solver.check()
    except z3.Z3Exception:
        # All questions of this process have one bound of memory.
        return z3.unknown


def _solver(seed: int, terms: Iterable[z3.BoolRef], context: z3.Context | None = None) -> z3.Solver:
    solver = z3.SimpleSolver(ctx=context)
    solver.set("random_seed", seed)
    solver.add(*terms)
    return solver


def ended(check: Callable[[], z3.CheckSatResult], seconds: float) -> z3.CheckSatResult:
    """What `check` answers, in a process that ends in time: a few questions make z3 deaf."""
    answers = [z3.unknown, z3.unsat, z3.sat]
    _ending[:] = [child for child in _ending if not _is_over(child)]
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(write, bytes([answers.index(check())]))
        finally:
            os._exit(0)
    os.close(write)
    ready, _, _ = select.select([read], [], [], seconds)
    found = os.read(read, 1) if ready else b""
    os.close(read)
    os.kill(child, signal.SIGKILL)
    # Its memory is given back meanwhile.
    _ending.append(child)
    return answers[found[0]] if found else z3.unknown


def _is_over(child: int) -> bool:
    """Whether the process has ended, or is a child of the process that this one is forked from."""
    try:
        return os.waitpid(child, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True
