"""The table of passes, the pages of passes, and the sections of `docs/pipelines.md`."""

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
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
from mlir_gs.tools.docs.tables import table


def pass_table() -> str:
    """Each pass in a line."""
    firsts = ((n, _room(cls), pass_doc(cls).strip()) for n, cls in _passes().items())
    rows = ((f"[`{n}`](passes/{room}.md#{n})", t.partition("\n")[0]) for n, room, t in firsts)
    return table("pass", "", rows=rows)


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


def pipelines() -> str:
    """The sections of `docs/pipelines.md`."""
    assert mlir_gs.frontend.__all__
    found = registered_pipelines().items()
    return "\n".join(_entry(name, _pipeline_doc(each), each.options) for name, each in found)


def _entry(name: str, doc: str, options: Iterable[Option]) -> str:
    rows = [(f"`{o.name}`", o.type_text(), o.default_text(), o.help) for o in options]
    listed = table("option", "values", "default", "", rows=rows)
    return f"## {name}\n\n{doc.strip()}\n" + (f"\n{listed}" if rows else "")


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
