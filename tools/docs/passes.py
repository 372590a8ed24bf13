"""`docs/passes.md`, the pages of passes below it, and `docs/pipelines.md`."""

import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import mlir_gs.frontend
from mlir_gs.lowering.passes.options import REQUIRED, Option
from mlir_gs.lowering.passes.registry import (
    Pipeline,
    pass_doc,
    pass_options,
    registered_passes,
    registered_pipelines,
)

_INTRODUCTION = """\
# Passes

```sh
gs-opt examples/sums.mlir --gs-generalize --cse
gs-opt examples/sums.mlir --pass-pipeline='builtin.module(gs-generalize,convert-gs-to-linalg)'
gs-opt examples/sums.mlir --gs-generalize --gs-bufferize --convert-gs-to-scf="threads=2"
gs-opt --list-passes
```

Each pass of this page and each of our [pipelines](pipelines.md) is a flag of `gs-opt`, with its
options in quotes, and can stand in `--pass-pipeline`. So can the passes of upstream that MLIR's
bindings register. A pass of this page runs on the module.

A usual order is `convert-<language>-to-gs`, `gs-infer`, `gs-canonicalize`, `gs-generalize`,
`gs-fuse`, then `convert-gs-to-linalg`, or `gs-bufferize` and `convert-gs-to-scf`.
`python -m mlir_gs.tools.gen_docs` writes this page and those that it links from the registrations.
There is a page for each folder of `lowering/` that has passes, and one for `frontend/`.

| pass | |
| --- | --- |
"""

_PIPELINES = """\
# Pipelines

```sh
gs-opt examples/sums.mlir --gs-optimize --gs-bufferize
gs-opt --list-passes
```

A pipeline runs several [passes](passes.md). Like a pass, it is a flag of `gs-opt`, and may be part
of `--pass-pipeline` and of the text for `mlir_gs.run_pipeline`.
"""


def passes_markdown() -> str:
    """The text of `docs/passes.md`: each pass in a line."""
    rows = []
    for name, cls in _passes().items():
        first = pass_doc(cls).strip().partition("\n")[0]
        rows.append(f"| [`{name}`](passes/{_room(cls)}.md#{name}) | {first} |\n")
    return _INTRODUCTION + "".join(rows)


def pass_pages() -> dict[str, Callable[[], str]]:
    """By file, what writes the page of the passes of one folder."""
    rooms = sorted({_room(cls) for cls in _passes().values()})
    return {f"docs/passes/{room}.md": partial(_page, room) for room in rooms}


def _page(room: str) -> str:
    folder = "frontend" if room == "frontend" else f"lowering/{room}"
    parts = [f"# Passes of `{folder}/`\n"]
    parts += [
        _entry(name, pass_doc(cls), pass_options(cls))
        for name, cls in _passes().items()
        if _room(cls) == room
    ]
    return "\n".join(parts)


def _passes() -> Mapping[str, type]:
    # Importing the front ends registers their passes.
    assert mlir_gs.frontend.__all__
    return registered_passes()


def _room(cls: type) -> str:
    """The folder of a pass: of `lowering/` its own, of `frontend/` that one."""
    _, layer, inner = cls.__module__.split(".")[:3]
    return inner if layer == "lowering" else layer


def pipelines_markdown() -> str:
    """The text of `docs/pipelines.md`."""
    assert mlir_gs.frontend.__all__
    parts = [_PIPELINES]
    for name, pipeline in registered_pipelines().items():
        parts.append(_entry(name, _pipeline_doc(pipeline), pipeline.options))
    return "\n".join(parts)


def _entry(name: str, doc: str, options: Iterable[Option]) -> str:
    text = f"## {name}\n\n{doc.strip()}\n"
    table = "\n".join(_table(options))
    return f"{text}\n{table}\n" if table else text


def _table(options: Iterable[Option]) -> Iterator[str]:
    options = list(options)
    if options:
        yield "| option | values | default | |"
        yield "| --- | --- | --- | --- |"
    for option in options:
        values = option.type_text().replace("|", r"\|")
        yield f"| `{option.name}` | {values} | {option.default_text()} | {option.help} |"


def _pipeline_doc(pipeline: Pipeline) -> str:
    """The one sentence, the docstring of the function, and the parts at the default options."""
    parts = [pipeline.doc]
    if pipeline.expand.__doc__:
        parts.append(inspect.cleandoc(pipeline.expand.__doc__))
    if all(option.default is not REQUIRED for option in pipeline.options):
        texts = pipeline.expand(**{option.field: option.default for option in pipeline.options})
        lines = textwrap.wrap(", ".join(texts), 96, break_long_words=False, break_on_hyphens=False)
        parts.append("\n".join(["It runs:", "", "```text", *lines, "```"]))
    return "\n\n".join(parts)
