"""What `docs/prove.md` lists: which rewrites are proved, and in what order points may run."""

from pathlib import Path

from mlir_gs.tools.docs.tables import table

_FILES = Path(__file__).parents[2] / "test" / "prove" / "Inputs" / "patterns"

_ALONE, _KEPT, _GROUPED = "as it is", "kept for each element", "grouped"
# The order in which each strategy of convert-gs-to-scf runs the points.
ORDERS = {
    **dict.fromkeys(("masked-reads", "gathers", "narrow-rows", "streaming", "prefetch"), _ALONE),
    **dict.fromkeys(("overwritten", "strips", "cuts", "runs"), _KEPT),
    **dict.fromkeys(("owned", "halo", "tiles"), _KEPT),
    "private": _GROUPED,
}


def orders() -> str:
    """The strategies by the order of their points."""
    kinds = (_ALONE, _KEPT, _GROUPED)
    names = (sorted(name for name, kind in ORDERS.items() if kind == each) for each in kinds)
    rows = ((kind, ", ".join(each)) for kind, each in zip(kinds, names, strict=True))
    return table("order", "strategies", rows=rows)


def proved() -> str:
    """The rewrites, and how many are proved."""
    rows = [_row(path.read_text(encoding="utf-8")) for path in sorted(_FILES.glob("*.mlir"))]
    count = sum(row[2].startswith("for ") for row in rows)
    everywhere = sum(row[2] == "for all sizes" for row in rows)
    return (
        f"{table('rewrite', 'forms', 'proved', '', rows=rows)}\n"
        f"{count} of {len(rows)} are proved, {everywhere} of them for all sizes; the others are "
        "tested only.\n"
    )


def _row(text: str) -> tuple[str, int, str, str]:
    lines = [line[3:].split(": ", 1) for line in text.split("\n\n")[0].splitlines()]
    header = dict(lines)
    name = header.get("pattern") or header["pass"]
    status, _, why = header["status"].partition(": ")
    if status == "proved":
        status = "for these forms" if "limits" in header else "for all sizes"
    note = why or header.get("limits") or header.get("note", "")
    return f"`{name}`", text.count("func.func @"), status, note
