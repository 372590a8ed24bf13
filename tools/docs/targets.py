"""`docs/targets.md`: the facts of machines that loops are made for, and the profiles."""

import json
from collections.abc import Iterator
from typing import Any

from mlir_gs.lowering.passes.options import option_text, options_of_class
from mlir_gs.lowering.scf.policy import NUMBERS, policy
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.targets import PROFILES, machine, profiles

_INTRODUCTION = """\
# Targets

```sh
gs-run examples/sums.mlir --check                           # for this machine
gs-run examples/sums.mlir --check --target=generic          # for no machine in particular
gs-run examples/sums.mlir --check --target=native:disable=prefetch
gs-opt examples/sums.mlir --gs-generalize --gs-bufferize --convert-gs-to-scf="threads=2 target=neon"
```

`convert-gs-to-scf` makes loops for a **target**: a few facts of a machine. A **policy** computes
each distance and threshold from them. No threshold depends on the name of a CPU. A kernel gives the
same bits for every target.

| a target is | example |
| --- | --- |
| a profile | `generic` |
| a JSON file of facts | `mine.json` |
| one of these with some numbers replaced | `generic:llc-bytes=16777216:stream-scattered=false` |

A file looks like `{"facts": {"vector_bytes": 32, "l2_bytes": 2097152}}`. Facts that it leaves out
are as in `generic`. A number of the policy that is replaced is not computed.

## Measuring a machine

<!-- not run: measures for seconds; test/tools/tune does -->
```sh
gs-tune -o mine.json                                   # prints what it found
gs-run examples/sums.mlir --check --target=mine.json
```

```sh
gs-run examples/sums.mlir --check --tune               # a few schedules are tried
```

`gs-tune` without `-o`, or `mlir_gs.tune()`, keeps the facts in the folder of the kernels, by the
CPU, for `compile` to use. Nothing is measured unless you call one of these. Run it while the
machine does nothing else; results of kernels do not depend on it.

`compile(..., tune=[arrays])` and `gs-run --tune` measure schedules on the arrays themselves: each
choice alone, then those that are faster together. What stays faster than the policy's schedule is
taken and kept. Every bit stays as it is.

## Naming a target

- `compile(target=)`, `gs-run --target` and `MLIR_GS_TARGET` name a target. The default is `native`:
  this machine, as `gs-tune` measured it, else with the sizes of caches that the system tells.
- The pass uses `generic`, unless its option `target` says otherwise.
- `gs-compile --target` uses `native` for `--mcpu=native`, else `generic`, or `neon` on ARM.

`python -m mlir_gs.tools.gen_docs` writes this page from `lowering/scf/target.py`, `policy.py` and
`profiles/`.

## Facts
"""

_STRATEGIES = """\
## Strategies

What `convert-gs-to-scf` may do beyond plain loops, from the outermost in. The target's `disable`
leaves some out, which changes no result:

```sh
gs-run examples/sums.mlir --check --target=native:disable=strips,buckets
```

| strategy | |
| --- | --- |"""


def targets_markdown() -> str:
    """The text of `docs/targets.md`."""
    strategies = (f"| `{name}` | {_meaning(each)} |" for name, each in STRATEGIES.items())
    parts = [_INTRODUCTION, *_facts(), "", "## Profiles", "", *_profiles(), ""]
    parts += ["## What follows", "", *_numbers(), "", _STRATEGIES, *strategies]
    return "\n".join(parts) + "\n"


def _meaning(strategy: Any) -> str:
    """What it does, in one phrase: its `meaning`, or the text that it is."""
    return getattr(strategy, "meaning", strategy)


def _facts() -> Iterator[str]:
    yield "| fact | `generic` | |"
    yield "| --- | --- | --- |"
    for option in options_of_class(Target):
        yield f"| `{option.name}` | {_shown(option.default)} | {option.help} |"


def _profiles() -> Iterator[str]:
    """Where the facts of each profile are from, and a row for each fact that some profile has
    another value for."""
    yield "| profile | its facts are |"
    yield "| --- | --- |"
    for name in profiles():
        found = json.loads((PROFILES / f"{name}.json").read_text(encoding="utf-8"))
        yield f"| `{name}` | {found['source']} |"
    yield ""
    known = {name: machine(name).target for name in profiles() if name != "generic"}
    yield f"| fact | {' | '.join(f'`{name}`' for name in known)} |"
    yield f"| --- |{' --- |' * len(known)}"
    for option in options_of_class(Target):
        values = [getattr(each, option.field) for each in known.values()]
        if any(value != option.default for value in values):
            cells = ["" if value == option.default else _shown(value) for value in values]
            yield f"| `{option.name}` | {' | '.join(cells)} |"


def _numbers() -> Iterator[str]:
    yield "| number | `generic` | |"
    yield "| --- | --- | --- |"
    usual = policy(Target())
    for one in NUMBERS:
        shown = _shown(getattr(usual, one.name))
        yield f"| `{one.name.replace('_', '-')}` | {shown} | {one.metadata['help']} |"


def _shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else option_text(value)
