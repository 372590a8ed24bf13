"""All workloads, in the order of their names."""

import workloads_bags
import workloads_bins
import workloads_elements
import workloads_fused
import workloads_fused_bags
import workloads_fused_graph
import workloads_fused_points
import workloads_graph
import workloads_rows
import workloads_scatter
import workloads_sparse
import workloads_spatter
from workload import Workload

_FILES = (
    workloads_rows,
    workloads_elements,
    workloads_bags,
    workloads_graph,
    workloads_sparse,
    workloads_fused,
    workloads_fused_bags,
    workloads_fused_graph,
    workloads_fused_points,
    workloads_scatter,
    workloads_bins,
    workloads_spatter,
)

_ORDER = "GFUSPT"


def workloads() -> dict[str, Workload]:
    """By id: gathers, fused ones, chains to be fused, scatters, patterns, Spatter's whole suite."""
    found = [workload for file in _FILES for workload in file.WORKLOADS]
    found.sort(key=lambda workload: (_ORDER.index(workload.id[0]), workload.id))
    return {workload.id: workload for workload in found}


def chosen(ids: list[str]) -> list[Workload]:
    """Those named, by id or by the start of one (`G`, `S0`); all if none is.

    Raises ValueError for a name that fits none.
    """
    everything = workloads()
    if not ids:
        return list(everything.values())
    for name in ids:
        if not any(id.startswith(name) for id in everything):
            raise ValueError(f"no workload {name}; there are {', '.join(everything)}")
    return [w for id, w in everything.items() if any(id.startswith(name) for name in ids)]
