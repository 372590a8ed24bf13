"""What gs-fuse says of the chains U01 to U12: each loop nest was merged or says why it was not."""

import re
import sys
from pathlib import Path

import pytest
from mlir_gs import dialect
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.passes.diagnostics import location_text
from mlir_gs.lowering.passes.explain import collecting

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from workloads_fused import WORKLOADS as FUSED
from workloads_fused_bags import WORKLOADS as BAGS
from workloads_fused_graph import WORKLOADS as GRAPHS
from workloads_fused_points import WORKLOADS as POINTS
from workloads_sparse import WORKLOADS as SPARSE

CHAINS = {w.id: w for w in (*SPARSE, *BAGS, *FUSED, *GRAPHS, *POINTS) if w.chain}
_LOOPS = ("gs.generic", "linalg.generic")


@pytest.mark.parametrize("name", CHAINS)
def test_each_nest_is_accounted_for(name: str) -> None:
    source = CHAINS[name].source(quick=True)
    with dialect.context():
        module = parse(source)
        steps = "gs-infer,gs-canonicalize,gs-generalize,linalg-generalize-named-ops"
        pipeline = f"builtin.module({steps},convert-elementwise-to-linalg,canonicalize,cse)"
        run_pipeline(module, pipeline)
        before = [location_text(op.location) for op in walk_named(module.operation, *_LOOPS)]
        with collecting() as notes:
            run_pipeline(module, "builtin.module(gs-fuse)")
        nests = walk_named(module.operation, *_LOOPS, "linalg.fill")
        after = [location_text(op.location) for op in nests]
    merged = [note for note in notes if note.kind == "merged" and ".generic'" in note.text]
    refused = [note for note in notes if note.kind == "refused"]
    assert merged
    assert all(re.fullmatch(r".*:\d+:\d+", note.place) for note in notes)
    # A nest that is gone has gone into the one that says so.
    gone = [note.text.rpartition(" at ")[2] for note in merged]
    assert sorted(gone + after) == sorted(before)
    # Of those that are left but for one it is said why; what an output is filled with is none.
    lines = source.splitlines()
    left = [place for place in after if "linalg.fill" not in lines[int(place.split(":")[-2]) - 1]]
    apart = [re.search(r" at (\S+) is not merged: .", note.text) for note in refused]
    assert all(apart)
    assert len(left) == 1 + len({found[1] for found in apart if found})
