"""What `convert-gs-to-scf` chose for an op and why, in words.

The notes are of kind "runs"; `gs-opt --gs-explain` and `gs-run --time` print them. Dims are those
of the `gs.generic` after neighbours have become one dim; operands are counted by role.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.passes.explain import note

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def parts_of_a_strategy() -> Iterator[None]:
    """Loops of a strategy that has its remark have none of their own."""
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


def remark_on(op: ir.Operation, text: str) -> None:
    if not _quiet.get():
        note(op, "runs", text)


def remark(job: Job, text: str) -> None:
    remark_on(job.op, text)


def names(job: Job, refs: Sequence[Ref]) -> str:
    found = [
        f"{role} #{number}"
        for role, known in (("input", job.inputs), ("output", job.outputs))
        for number, ref in enumerate(known)
        if any(ref is one for one in refs)
    ]
    return " and ".join(found)
