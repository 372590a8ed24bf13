"""`docs/targets.md`: the facts of machines that loops are made for, and the presets."""

from collections.abc import Iterator

from mlir_gs.lowering.passes.options import option_text, options_of_class
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.targets import Facts, facts, presets

_INTRODUCTION = """\
# Targets

`convert-gs-to-scf` makes loops for a machine. What it knows of one are facts: sizes of caches,
distances of prefetches, thresholds. They are data: no threshold in the code depends on the name of
a CPU.

    gs-opt a.mlir --convert-gs-to-scf="threads=2 target=zen4"
    gs-opt a.mlir --convert-gs-to-scf="target=zen4:cache-bytes=16777216:words=true"
    gs-opt a.mlir --convert-gs-to-scf="target=mine.json:prefetch-level=1"

A target is a preset or the path of a JSON file, and behind colons other values for some facts. The
file is an object of facts, `{"vector_bytes": 32, "stream_share": [0.5, 1]}`. What it leaves out is
as in `generic`, the default of the pass. Of two values the first one is for a thread that runs
alone, the second one for several.

`compile`, `gs-run` and the functions take the preset that fits the CPU of this machine, by the
words that the system has for it, and `cache-bytes` from the system. `MLIR_GS_TARGET` names another
target, in which `native` stands for this machine's:

    MLIR_GS_TARGET=generic gs-run a.mlir
    MLIR_GS_TARGET=native:write-ahead=4096 python program.py

A kernel gives the same bits for each target. `gs-compile --mcpu` makes code for `generic`, or for
`neon` where the architecture is not x86.

This file is generated from `lowering/scf/targets.py` and `targets.json` by
`python -m mlir_gs.tools.gen_docs`.

## Facts
"""

_STRATEGIES = """\
## Strategies

What `convert-gs-to-scf` may do beyond plain loops, from the outermost in. The fact `disable` leaves
some out, which changes no result:

    MLIR_GS_TARGET=native:disable=strips,words gs-run a.mlir --check

| strategy | |
| --- | --- |"""


def targets_markdown() -> str:
    """The text of `docs/targets.md`."""
    strategies = (f"| `{name}` | {meaning} |" for name, meaning in STRATEGIES.items())
    parts = [
        _INTRODUCTION,
        *_facts(),
        "",
        "## Presets",
        "",
        *_presets(),
        "",
        _STRATEGIES,
        *strategies,
    ]
    return "\n".join(parts) + "\n"


def _facts() -> Iterator[str]:
    yield "| fact | values | `generic` | |"
    yield "| --- | --- | --- | --- |"
    for option in options_of_class(Facts):
        values = option.type_text().replace("|", r"\|")
        yield f"| `{option.name}` | {values} | {_shown(option.default)} | {option.help} |"


def _presets() -> Iterator[str]:
    """A row for each fact that some preset has another value for."""
    known = {name: facts(name) for name in presets() if name != "generic"}
    usual = facts("generic")
    yield f"| fact | {' | '.join(f'`{name}`' for name in known)} |"
    yield f"| --- |{' --- |' * len(known)}"
    for option in options_of_class(Facts):
        default = getattr(usual, option.field)
        values = [getattr(each, option.field) for each in known.values()]
        if any(value != default for value in values):
            cells = ["" if value == default else _shown(value) for value in values]
            yield f"| `{option.name}` | {' | '.join(cells)} |"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value))
    return f"{value:.4g}" if isinstance(value, float) else option_text(value)
