"""`docs/targets.md`: the facts of machines that loops are made for, and the presets."""

from collections.abc import Iterator
from typing import Any

from mlir_gs.lowering.passes.options import option_text, options_of_class
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.targets import Facts, facts, presets

_INTRODUCTION = """\
# Targets

```sh
gs-run examples/sums.mlir --check                           # for this machine
gs-run examples/sums.mlir --check --target=generic          # for no machine in particular
gs-run examples/sums.mlir --check --target=native:disable=prefetch
gs-opt examples/sums.mlir --gs-generalize --gs-bufferize --convert-gs-to-scf="threads=2 target=zen4"
```

`convert-gs-to-scf` makes loops for a **target**: sizes of caches, distances of prefetches,
thresholds. They are facts in a file; no threshold in the code depends on the name of a CPU. A
kernel gives the same bits for every target.

| a target is | example |
| --- | --- |
| a preset | `zen4` |
| a JSON file of facts | `mine.json` |
| one of these with some facts replaced | `zen4:cache-bytes=16777216:words=true` |

A file looks like `{"vector_bytes": 32, "stream_share": [0.5, 1]}`. Facts that it leaves out are as
in `generic`. Of two values of a fact, the first is for one thread, the second for several.

- `compile(target=)`, `gs-run --target` and `MLIR_GS_TARGET` name a target. The default is `native`:
  the preset that fits this CPU, with `cache-bytes` from the system.
- The pass uses `generic`, unless its option `target` says otherwise.
- `gs-compile --target` uses `native` for `--mcpu=native`, else `generic`, or `neon` on ARM.

`python -m mlir_gs.tools.gen_docs` writes this page from `lowering/scf/targets.py` and
`targets.json`.

## Facts
"""

_STRATEGIES = """\
## Strategies

What `convert-gs-to-scf` may do beyond plain loops, from the outermost in. The fact `disable` leaves
some out, which changes no result:

```sh
gs-run examples/sums.mlir --check --target=native:disable=strips,words
```

| strategy | |
| --- | --- |"""


def targets_markdown() -> str:
    """The text of `docs/targets.md`."""
    strategies = (f"| `{name}` | {_meaning(each)} |" for name, each in STRATEGIES.items())
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


def _meaning(strategy: Any) -> str:
    """What it does, in one phrase: its `meaning`, or the text that it is."""
    return getattr(strategy, "meaning", strategy)


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
