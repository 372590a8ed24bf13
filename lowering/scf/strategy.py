"""What a strategy is, and the driver that goes through a list of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import remark_on


class Lowering(Protocol):
    """What strategies are looked for: an op, the loops of a part of one, or a loop around ops."""

    @property
    def op(self) -> ir.Operation: ...

    @property
    def policy(self) -> Policy: ...

    @property
    def is_in_parallel(self) -> bool: ...


Work = TypeVar("Work", bound=Lowering)
Match = TypeVar("Match")
Later: TypeAlias = Callable[[Work], None]
"""Lowers by the strategies that come after one in their list."""


class Strategy(ABC, Generic[Work, Match]):
    """One way to lower beyond plain loops. Results have the bits of the sequential loop.

    `name` is what `disable` calls it, `meaning` says in a line what it does, `numbers` are the
    fields of a policy that it reads. `in_parallel`: it may run in a loop that threads share
    already. `makes_ops`: it makes other ops of the op, which are lowered in their turn.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    numbers: ClassVar[tuple[str, ...]] = ()
    in_parallel: ClassVar[bool] = True
    makes_ops: ClassVar[bool] = False

    @abstractmethod
    def applies(self, work: Work) -> Match | None:
        """How it can be done: by maps, types and attributes alone."""

    def pays(self, work: Work, match: Match) -> ir.Value | bool:
        """Whether it is faster: known now, or a condition that is emitted."""
        return True

    @abstractmethod
    def emit(self, work: Work, match: Match, pays: ir.Value | bool, later: Later[Work]) -> None:
        """The loops. Where `pays` is a condition, `later(work)` is what runs without it."""

    @abstractmethod
    def describe(self, work: Work, match: Match, pays: ir.Value | bool) -> str:
        """What is done, and why, for `--gs-explain`."""


def unless_always(pays: ir.Value | bool) -> ir.Value | None:
    """The condition that is left of what pays, None for none."""
    return None if isinstance(pays, bool) else pays


def lower(
    work: Work, strategies: Sequence[Strategy[Work, Any]], plainly: Callable[[Work], None]
) -> None:
    """Emit loops by the first of `strategies` that applies and pays, else `plainly`."""
    for number, strategy in enumerate(strategies, 1):
        if not work.policy.uses(strategy.name):
            continue
        if work.is_in_parallel and not strategy.in_parallel:
            continue
        match = strategy.applies(work)
        pays = match is not None and strategy.pays(work, match)
        if pays is False:
            continue
        remark_on(work.op, strategy.describe(work, match, pays))
        rest = partial(lower, strategies=strategies[number:], plainly=plainly)
        strategy.emit(work, match, pays, rest)
        return
    plainly(work)
