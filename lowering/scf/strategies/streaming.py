"""Streaming: non-temporal stores where the caches cannot hold what is touched."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import both, compare, either, modulo, when
from mlir_gs.lowering.scf.loops.non_temporal import Streaming, fence, streaming_rows
from mlir_gs.lowering.scf.loops.turned import find_turned
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy


class NonTemporal(Strategy[Loops, Streaming]):
    """Whole lines are stored without being read first, in a version of the loops of their own, or
    by a branch for each vector of elements that are put together one by one."""

    name = "streaming"
    meaning = "non-temporal stores"
    numbers = ("stream_bytes", "stream_scattered")

    def applies(self, work: Loops) -> Streaming | None:
        job, dim, policy = work.job, work.dim, work.policy
        assert dim is not None
        _, reduced = job.loop_order(dim)
        anywhere = not (reduced or _in_one(work) or job.by_elements(dim) or work.segments)
        found = streaming_rows(
            job,
            dim,
            work.lanes,
            policy.stream_bytes,
            policy.stream_scattered,
            work.part(dim).size if anywhere else None,
        )
        if found is None or reduced or find_turned(job, dim) is None:
            return found
        # The last of the tiles that are transposed begins no line where they do not fit.
        rest = modulo(work.part(dim).size, work.lanes)
        if isinstance(rest, int):
            return None if rest else found
        assert isinstance(found.condition, ir.Value)
        return found._replace(condition=both(found.condition, compare("eq", rest, 0)))

    def pays(self, work: Loops, match: Streaming) -> ir.Value | bool:
        return match.condition

    def emit(
        self, work: Loops, match: Streaming, pays: ir.Value | bool, later: Later[Loops]
    ) -> None:
        assert isinstance(pays, ir.Value)
        if _in_one(work):
            # A branch for each vector costs little next to its elements, and halves the code.
            work.emit(match)
            when(pays, fence)
            return

        def streamed() -> None:
            work.emit(match._replace(condition=True))
            fence()

        either(pays, streamed, lambda: later(work))

    def describe(self, work: Loops, match: Streaming, pays: ir.Value | bool) -> str:
        rows = " and rows are aligned" if match.rows is None else ", wherever rows begin"
        return f"non-temporal stores where the caches cannot hold what is touched{rows}"


def _in_one(work: Loops) -> bool:
    """Whether elements are put together in the same way before non-temporal stores as before
    others, or are there already."""
    job, dim = work.job, work.dim
    return dim is not None and (bool(job.by_elements(dim)) or not job.inputs)
