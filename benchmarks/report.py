"""Results as Markdown tables. A ratio is a peer's time over ours: above 1, ours is faster."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from peers import HAND_WRITTEN, PACKAGES, WRITES_TEMPORARIES, kind_of

Result = dict[str, Any]

NEAR = 0.85
"""A limit takes the time of what needs at most 1 / NEAR times as long."""


def ratio(result: Result, peer: str) -> float:
    return result["peers"][peer]["median"] / result["ours"]["median"]


def spread(result: Result, peer: str) -> tuple[float, float]:
    """The ratio between the outer and the inner quartiles of the two."""
    ours, theirs = result["ours"], result["peers"][peer]
    return theirs["q1"] / ours["q3"], theirs["q3"] / ours["q1"]


def best(result: Result, only: Callable[[str], bool] = lambda name: True) -> str | None:
    """The name of the fastest peer, of those that `only` lets through."""
    names = [name for name in result["peers"] if only(name)]
    return min(names, key=lambda name: result["peers"][name]["median"], default=None)


def is_library(name: str) -> bool:
    return kind_of(name) not in HAND_WRITTEN


def has_same_bits(result: Result) -> Callable[[str], bool]:
    """Whether a peer's result has the bits of the sequential loop, as ours does. Results of before
    do not say which have others."""
    return lambda name: name not in result.get("other_bits", ())


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def kinds_of(results: list[Result]) -> list[str]:
    """The kinds of peers that took part."""
    found = {kind_of(name) for result in results for name in result["peers"]}
    return [kind for kind in PACKAGES if kind in found]


def markdown(results: dict[str, Any]) -> str:
    """All tables, and what they are about."""
    parts = [_about(results)]
    for threads in sorted({result["threads"] for result in results["results"]}):
        part = [result for result in results["results"] if result["threads"] == threads]
        parts += [
            _means(part, threads),
            _table(part),
            _chains(part),
            _peer_table(part),
            _left_out(part),
        ]
    if results["failed"]:
        rows = [f"- {f['id']}, {f['threads']} threads: {f['why']}" for f in results["failed"]]
        parts.append("## Failed\n\n" + "\n".join(rows))
    return "\n\n".join(part for part in parts if part) + "\n"


def machine_line(results: dict[str, Any]) -> str:
    """Where and when they were measured."""
    machine = results["machine"]
    caches = ", ".join(f"{name} {size}" for name, size in machine["caches"].items())
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    return (
        f"{machine['cpus']} CPUs of {machine['cpu']} ({caches}), {machine['system']}, Python "
        f"{machine['python']}, {packages}. {results['date']}, {_rounds(results)}."
    )


def _rounds(results: dict[str, Any]) -> str:
    # Results of before are of one process.
    rounds, processes = results["rounds"], results.get("processes", 1)
    text = f"{rounds} round{'s' if rounds > 1 else ''}"
    return f"{text} in each of {processes} processes" if processes > 1 else text


def _about(results: dict[str, Any]) -> str:
    lines = [
        "# Times of gs and its peers",
        "docs/benchmarks.md explains the columns.",
        machine_line(results),
    ]
    if results["quick"]:
        lines.append("Tiny sizes (`--quick`): the times say nothing.")
    if begin := results.get("begin"):
        lines.append(f"Arrays begin {begin} bytes after a cache line, as NumPy's large ones do.")
    lines += [f"Left out: {kind}, {why}." for kind, why in results["left_out"].items()]
    return "\n\n".join(lines)


def _means(part: list[Result], threads: int) -> str:
    """The geometric means of one number of threads."""
    title = f"## {threads} thread{'s' if threads > 1 else ''}"
    any_kind = [ratio(r, peer) for r in part if (peer := best(r))]
    library = [ratio(r, peer) for r in part if (peer := best(r, is_library))]
    if not any_kind:
        return title
    means = [f"{geometric_mean(any_kind):.2f} over the best peer of any kind ({len(any_kind)})"]
    if library:
        means.append(f"{geometric_mean(library):.2f} over the best library ({len(library)})")
    limits = [(r["peers"][peer]["median"], limit(r)) for r in part if (peer := best(r))]
    most = geometric_mean(peer / least for peer, least in limits)
    behind = [r["id"] for r in part if (peer := best(r)) and ratio(r, peer) < 1]
    lines = [
        title,
        f"Geometric means over workloads: {', '.join(means)}. "
        f"Behind the best peer: {', '.join(behind) or 'none'}. {_same_bits(part)}If each took no "
        f"longer than its floor or its slices alone, it would be {most:.2f} over the best peer.",
    ]
    if near := [r["hop"] for r in part if r.get("hop")]:
        lines.append(
            f"A cache line took {min(near) * 1e9:.0f} to {max(near) * 1e9:.0f} ns from one CPU to "
            "the other (hop). A row counts turns whose hops differ by at most a factor of two."
        )
    if beside := [r["beside"] for r in part if r.get("beside")]:
        lines[-1] += (
            f" Computing on both CPUs took {min(beside):.2f} to {max(beside):.2f} times as long as "
            "on one (both / one; 2 if they share a core). Within a row it differs by at most 1.4."
        )
    return "\n\n".join(lines)


def _same_bits(part: list[Result]) -> str:
    """What it is like over the peers that sum up in the order of the sequential loop; empty if
    these are all."""
    if not any(result.get("other_bits") for result in part):
        return ""
    among = [(r, peer) for r in part if (peer := best(r, has_same_bits(r)))]
    mean = geometric_mean(ratio(*each) for each in among)
    behind = ", ".join(r["id"] for r, peer in among if ratio(r, peer) < 1)
    return (
        "Some peers (*) sum in another order than the sequential loop and give other bits; gs does "
        f"not: {mean:.2f} over the best peer that gives its bits ({len(among)}), "
        f"behind which {'are' if ',' in behind else 'is'} {behind or 'none'}. "
    )


def _table(part: list[Result]) -> str:
    # Older results have no placements.
    hops = any(result.get("hop") for result in part)
    rows = [
        "| id | workload | MB read + written | gs, us (quartiles) | floor, us | gs / floor "
        "| slices alone, us | limited by | best peer / gs (quartiles) "
        f"| best library / gs |{' hop, ns; both / one |' if hops else ''}",
        f"|---|---|---|---|---|---|---|---|---|---|{'---|' if hops else ''}",
    ]
    for result in part:
        ours = result["ours"]
        times = f"{_us(ours['median'])} ({_us(ours['q1'])}-{_us(ours['q3'])})"
        peer, library = best(result), best(result, is_library)
        same = best(result, has_same_bits(result))
        against = _against(result, peer)
        if same != peer:
            against += f"; of the same bits {_against(result, same)}"
        beside = f"{ratio(result, library):.2f} {_marked(result, library)}" if library else "-"
        floor, slices = result["floor"], result.get("slices")
        rows.append(
            f"| {result['id']} | {result['title']} | {_megabytes(result['read'])} + "
            f"{_megabytes(result['written'])} | {times} | {_us(floor)} | "
            f"{ours['median'] / floor:.2f} | {'-' if slices is None else _us(slices)} | "
            f"{reason(result)} | {against} | {beside} |{_hop(result) if hops else ''}"
        )
    return "\n".join(rows)


def _against(result: Result, peer: str | None) -> str:
    if peer is None:
        return "-"
    low, high = spread(result, peer)
    return f"**{ratio(result, peer):.2f}** ({low:.2f}-{high:.2f}) {_marked(result, peer)}"


def _marked(result: Result, peer: str) -> str:
    return peer if has_same_bits(result)(peer) else f"{peer} (*)"


def _hop(result: Result) -> str:
    """With the share of the turns that count, where it is not all of them."""
    if not result.get("hop"):
        return " - |"
    share = "" if result["counted"] == 1 else f" ({result['counted']:.0%} of turns)"
    beside = f"; {result['beside']:.2f}" if result.get("beside") else ""
    return f" {result['hop'] * 1e9:.0f}{beside}{share} |"


def limit(result: Result) -> float:
    """The floor or slices alone, whichever takes longer; ours, where that is faster."""
    slices = result.get("slices") or 0.0
    return min(result["ours"]["median"], max(result["floor"], slices))


def reason(result: Result) -> str:
    """What takes the time: the first limit that ours is near to, or else what its workload says."""
    ours, slices = result["ours"]["median"], result.get("slices")
    limits = {"bandwidth": result["floor"]}
    if slices is not None:
        limits |= {"slices": slices, "slices, then bandwidth": slices + result["streams"]}
    near = (name for name, limit in limits.items() if limit >= NEAR * ours)
    return next(near, result.get("why") or "-")


def _chains(part: list[Result]) -> str:
    """What merging the ops of a chain does for it; empty if there is no chain."""
    rows = []
    for result in part:
        if unfused := result.get("unfused"):
            least = result["read"] + result["written"]
            # A temporary is written once and read once.
            most = least + 2 * result["temporaries"]
            speedup = unfused["median"] / result["ours"]["median"]
            peer = best(result, lambda name: name in WRITES_TEMPORARIES)
            against = f"**{ratio(result, peer):.2f}** {peer}" if peer else "-"
            rows.append(
                f"| {result['id']} | {_us(result['ours']['median'])} | {_us(unfused['median'])} | "
                f"**{speedup:.2f}** | {_megabytes(least)} | {_megabytes(most)} | "
                f"{most / least:.2f} | {against} |"
            )
    head = (
        "| chain | fused, us | unfused, us | unfused / fused | MB moved | MB with temporaries "
        "| ratio of MB | best peer with temporaries / gs |\n|---|---|---|---|---|---|---|---|\n"
    )
    return head + "\n".join(rows) if rows else ""


def _peer_table(part: list[Result]) -> str:
    """Per kind of peer the ratio of its fastest way."""
    kinds = kinds_of(part)
    if not kinds:
        return ""
    rows = [f"| peer / gs | {' | '.join(kinds)} |", "|---|" + "---|" * len(kinds)]
    columns: dict[str, list[float]] = {kind: [] for kind in kinds}
    for result in part:
        cells = []
        for kind in kinds:
            peer = best(result, lambda name, kind=kind: kind_of(name) == kind)
            cells.append(f"{ratio(result, peer):.2f}" if peer else "-")
            columns[kind] += [ratio(result, peer)] if peer else []
        rows.append(f"| {result['id']} | {' | '.join(cells)} |")
    means = " | ".join(f"{geometric_mean(columns[kind]):.2f}" for kind in kinds)
    return "\n".join([*rows, f"| geometric mean | {means} |"])


def _left_out(part: list[Result]) -> str:
    rows = [f"- {r['id']}, {name}: {why}" for r in part for name, why in r["left_out"].items()]
    return "Left out:\n\n" + "\n".join(rows) if rows else ""


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.3g}"


def _us(seconds: float) -> str:
    micros = seconds * 1e6
    return f"{micros:.2f}" if micros < 10 else f"{micros:.1f}" if micros < 100 else f"{micros:.0f}"
