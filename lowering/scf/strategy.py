"""What a strategy is, and the driver that goes through those of `table`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Generic, TypeVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import vector_dim
from mlir_gs.lowering.op.volume import bytes_moved
from mlir_gs.lowering.scf.remarks import remark
from mlir_gs.lowering.scf.strategies.variants import emit_part
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.threads import SERIAL_BYTES, in_function, is_in_parallel

Match = TypeVar("Match")


@dataclass
class Work:
    """An op to lower at the insertion point.

    `name` begins the names of functions that run parts of it. `initial` is what all elements of
    its one output are before, if that need not be read. `in_place` emits the loops of one thread,
    where a strategy has emitted code that can run them; else `in_function` says that they are to
    be a function, for the function around only calls.
    """

    op: ir.Operation
    job: Job
    target: Target
    name: str
    initial: ir.Attribute | None = None
    in_place: Callable[[], None] | None = None
    in_function: bool = False

    @classmethod
    def of(
        cls, op: ir.Operation, target: Target, name: str, initial: ir.Attribute | None = None
    ) -> "Work":
        """Takes `op` apart; emits what its loops need before them."""
        return cls(op, Job.of(op, initial), target, name, initial)

    @cached_property
    def lanes_dim(self) -> int | None:
        """The dim in vector lanes."""
        return vector_dim(self.job)

    @cached_property
    def bytes(self) -> Ix:
        """About how many bytes move; emits their computation where it is first read."""
        return bytes_moved(self.job)

    @property
    def is_little(self) -> bool:
        """So few bytes move that threads cannot gain."""
        return isinstance(self.bytes, int) and self.bytes < SERIAL_BYTES

    @property
    def may_be_shared(self) -> bool:
        """There are threads to share the op, and it is not known to be too little for them."""
        return not self.is_little and self.target.threads > 1


Later = Callable[[Work], None]
"""Lowers an op by the strategies that come after one in the table."""


class Strategy(ABC, Generic[Match]):
    """One way to run an op beyond plain loops. Results have the bits of the sequential loop.

    `name` is what `disable` calls it, `meaning` says in a line what it does. `in_parallel`: it may
    run in a loop that threads share already.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    in_parallel: ClassVar[bool] = False

    @abstractmethod
    def applies(self, work: Work) -> Match | None:
        """How the op can run like this: by its maps, types and attributes alone."""

    def pays(self, work: Work, match: Match) -> ir.Value | bool:
        """Whether it is faster: known now, or a condition that is emitted."""
        return True

    @abstractmethod
    def emit(self, work: Work, match: Match, pays: ir.Value | bool, later: Later) -> None:
        """The loops. Where `pays` is a condition, `later(work)` is what runs without it."""

    @abstractmethod
    def describe(self, work: Work, match: Match, pays: ir.Value | bool) -> str:
        """What is done, and why, for `--gs-explain`."""


def unless_always(pays: ir.Value | bool) -> ir.Value | None:
    """The condition that is left of what pays, None for none."""
    return None if isinstance(pays, bool) else pays


def lower(work: Work, strategies: Sequence[Strategy[Any]]) -> None:
    """Emit the loops of an op by the first of `strategies` that applies and pays, else plainly."""
    inside = is_in_parallel(work.op)
    for number, strategy in enumerate(strategies, 1):
        if not work.target.uses(strategy.name) or (inside and not strategy.in_parallel):
            continue
        match = strategy.applies(work)
        pays = match is not None and strategy.pays(work, match)
        if pays is False:
            continue
        remark(work.job, strategy.describe(work, match, pays))
        strategy.emit(work, match, pays, partial(lower, strategies=strategies[number:]))
        return
    remark(work.job, f"on one thread: {_why_one_thread(work, inside)}")
    on_one_thread(work)


def _why_one_thread(work: Work, inside: bool) -> str:
    if inside:
        return "threads share the loop around it"
    if work.is_little:
        return "little moves"
    if work.target.threads == 1:
        return "no more were asked for"
    return "points may write to one place, and no dim keeps them apart"


def on_one_thread(work: Work) -> None:
    """The loops of one thread."""

    def emit(part: ir.Operation, _: list[ir.Value]) -> None:
        emit_part(Job.of(part, work.initial), work.target, None, [])

    if work.in_place is not None:
        work.in_place()
    elif work.in_function:
        in_function(work.op, f"{work.name}_alone", emit)
    else:
        emit_part(work.job, work.target, None, [])
