"""The plot of the tables: how many times faster gs is than each peer, workload by workload."""

import textwrap
from pathlib import Path
from typing import Any

from peers import kind_of
from report import Result, best, kinds_of, machine_line, ratio

MARKS = {
    "numpy": ("#0072b2", "o"),
    "torch": ("#d55e00", "s"),
    "torch.compile": ("#e69f00", "D"),
    "jax": ("#009e73", "^"),
    "onnxruntime": ("#cc79a7", "v"),
    "numba": ("#56b4e9", "P"),
    "scipy": ("#8c564b", "X"),
    "iree": ("#7f7f7f", "*"),
}
"""Color and marker of each kind of peer, in every plot."""

_FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_CAPTION = (
    "A row is a workload. A mark is the fastest way of one peer: right of the black line gs is "
    "faster, left of it slower. The black bar is the floor: the time to move the workload's bytes "
    "at the memory bandwidth of this machine. On the line, gs is as fast as memory. Left of it gs "
    "also waits for something else, mostly for cache lines at random places. Right of it a cache "
    "holds some of the bytes."
)


def pyplot_for_files() -> Any | None:
    """matplotlib's pyplot, which needs no display; None without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def plot(results: dict[str, Any], path: Path) -> Path | None:
    """Ratios to the peers and to the floor, per number of threads; None without matplotlib."""
    pyplot = pyplot_for_files()
    if pyplot is None:
        return None
    counts = sorted({result["threads"] for result in results["results"]})
    if not counts:
        return path
    rows = max(sum(r["threads"] == t for r in results["results"]) for t in counts)
    size = (6 * len(counts) + 4, 2 + 0.24 * rows)
    figure, axes = pyplot.subplots(1, len(counts), figsize=size, squeeze=False)
    for axis, threads in zip(axes[0], counts, strict=True):
        part = [result for result in results["results"] if result["threads"] == threads]
        _draw(axis, part, threads, has_names=axis is axes[0][0])
    figure.tight_layout()
    figure.suptitle(f"Speed of gs over other libraries: {path.stem}", y=1, va="bottom")
    _legend(figure, axes[0])
    write_caption(figure, f"{_CAPTION}\n{machine_line(results)}")
    figure.savefig(path, dpi=100, bbox_inches="tight")
    pyplot.close(figure)
    return path


def write_caption(figure: Any, text: str) -> None:
    """Write `text` below everything else, one paragraph a line of it."""
    columns = int(figure.get_figwidth() * 15)
    paragraphs = (textwrap.fill(line, columns) for line in text.splitlines())
    inch = 1 / figure.get_figheight()
    figure.text(0.02, -0.5 * inch, "\n\n".join(paragraphs), fontsize=8, va="top")


def _legend(figure: Any, axes: Any) -> None:
    marks = {}
    for axis in axes:
        handles, labels = axis.get_legend_handles_labels()
        marks |= dict(zip(labels, handles, strict=True))
    figure.legend(
        [*marks.values()], [*marks], ncols=len(marks), fontsize=8, frameon=False,
        loc="upper center", bbox_to_anchor=(0.5, 0),
    )  # fmt: skip


def _draw(axis: Any, part: list[Result], threads: int, has_names: bool) -> None:
    places = range(len(part))
    for kind in kinds_of(part):
        points = [
            (ratio(result, peer), place)
            for place, result in zip(places, part, strict=True)
            if (peer := best(result, lambda name, kind=kind: kind_of(name) == kind))
        ]
        x, y = zip(*points, strict=True)
        color, marker = MARKS[kind]
        axis.scatter(x, y, s=24, color=color, marker=marker, label=kind, zorder=3)
    floors = [result["floor"] / result["ours"]["median"] for result in part]
    axis.scatter(floors, places, s=40, marker="|", color="black", label="floor", zorder=4)
    axis.axvline(1, color="black", linewidth=1)
    axis.set_xscale("log")
    low, high = axis.get_xlim()
    ticks = [factor for factor in _FACTORS if low <= factor <= high]
    axis.set_xticks(
        ticks, [_words(factor) for factor in ticks], fontsize=8, rotation=40, ha="right"
    )
    axis.minorticks_off()
    names = [f"{r['id']}  {r['title']}" for r in part] if has_names else [r["id"] for r in part]
    axis.set_yticks(places, names, fontsize=7)
    axis.set_ylim(len(part) - 0.5, -0.5)
    axis.grid(linewidth=0.3)
    axis.set_title(f"{threads} thread{'s' if threads > 1 else ''}")


def _words(factor: float) -> str:
    """How gs does against a peer that takes `factor` times as long."""
    if factor == 1:
        return "same speed"
    return f"{factor}x faster" if factor > 1 else f"{1 / factor:.0f}x slower"
