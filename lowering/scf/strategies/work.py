"""An op that is to be lowered, as its strategies see it."""

from dataclasses import dataclass, field

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import Ix
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import vector_dim
from mlir_gs.lowering.op.volume import bytes_moved
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import remark
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.threads import is_in_parallel


@dataclass
class Work:
    """An op to lower at the insertion point.

    `name` begins the names of functions that run parts of it. `initial` is what all elements of
    its one output are before, if that need not be read.
    """

    op: ir.Operation
    job: Job
    policy: Policy
    name: str
    initial: ir.Attribute | None = None
    _bytes: Ix | None = field(default=None, init=False)

    @classmethod
    def of(
        cls, op: ir.Operation, policy: Policy, name: str, initial: ir.Attribute | None = None
    ) -> "Work":
        """Analyzes `op`; emits what its loops need before them."""
        return cls(op, Job.of(op, initial), policy, name, initial)

    @property
    def lanes_dim(self) -> int | None:
        """The dim in vector lanes."""
        return vector_dim(self.job)

    @property
    def bytes(self) -> Ix:
        """About how many bytes move; emits their computation where it is first read."""
        if self._bytes is None:
            self._bytes = bytes_moved(self.job)
        return self._bytes

    @property
    def is_in_parallel(self) -> bool:
        """Threads share a loop around the op already."""
        return is_in_parallel(self.op)

    @property
    def is_little(self) -> bool:
        """So few bytes move that threads cannot gain."""
        return isinstance(self.bytes, int) and self.bytes < self.policy.serial_bytes

    @property
    def may_be_shared(self) -> bool:
        """There are threads to share the op, and it is not known to be too little for them."""
        return not self.is_little and self.policy.threads > 1


def _why_one_thread(work: Work) -> str:
    if work.is_in_parallel:
        return "threads share the loop around it"
    if work.is_little:
        return "little moves"
    if work.policy.threads == 1:
        return "threads = 1"
    return "points may write to one place, and no dim separates them"


def plainly(work: Work) -> None:
    """One thread, for no strategy has a part for others."""
    remark(work.job, f"on one thread: {_why_one_thread(work)}")
    on_one_thread(work)


def on_one_thread(work: Work) -> None:
    """The loops of one thread."""
    emit_part(work.job, work.policy, None, [])
