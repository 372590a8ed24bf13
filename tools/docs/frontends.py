"""The table of front ends and a page for each: what is converted and refused, from the
registrations."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mlir_gs import frontend
from mlir_gs.frontend.common.common import FrontEnd, Refusal, front_ends
from mlir_gs.lowering import registered_passes, registered_pipelines
from mlir_gs.tools.docs.tables import table


def front_end_table() -> str:
    """The languages, with their passes and pages."""
    rows = (
        (f"[{one.title}]({name.removeprefix('docs/')})", f"`{one.pass_name}`")
        for name, one in _pages().items()
    )
    return table("language", "pass", rows=rows)


def pages() -> dict[str, Callable[[], str]]:
    """By its name, what writes the page of each front end."""
    return {name: partial(_page, one) for name, one in _pages().items()}


def _pages() -> dict[str, FrontEnd]:
    assert frontend.__all__  # All front ends are imported, and so registered.
    found = {}
    for one in front_ends():
        language = one.pass_name.removeprefix("convert-").removesuffix("-to-gs")
        found[f"docs/frontends/{language}.md"] = one
    return found


def _page(front_end: FrontEnd) -> str:
    lines = [f"# {front_end.title}: `{front_end.pass_name}`", ""]
    if front_end.pass_name in registered_passes():
        doc = inspect.cleandoc(registered_passes()[front_end.pass_name].__doc__)
        lines += [doc, ""]
    pipeline = front_end.pass_name.replace("convert-", "gs-import-").removesuffix("-to-gs")
    if pipeline in registered_pipelines():
        lines += [f"Whole modules: `{pipeline}`. {registered_pipelines()[pipeline].doc}", ""]
    forms = [
        ("" if number else names, *form)
        for names, forms in _forms(front_end)
        for number, form in enumerate(forms.items())
    ]
    lines.append(table("source op", "form", "becomes", rows=forms).rstrip())
    refusals = list(_refusals(front_end))
    if refusals:
        lines += ["", "Refused:", "", table("form", "message", "of", rows=refusals).rstrip()]
    if front_end.dialect_class is not None:
        lines += ["", *_dialect(front_end.dialect_class)]
    return "\n".join(lines).strip("\n") + "\n"


def _forms(front_end: FrontEnd) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The names of the ops that have the same forms, and these."""
    alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for conversion in front_end.conversions.values():
        alike.setdefault(tuple(conversion.forms.items()), []).append(f"`{conversion.source}`")
    for forms, names in alike.items():
        yield ", ".join(names), dict(forms)


def _refusals(front_end: FrontEnd) -> Iterator[tuple[str, str, str]]:
    """Each refusal once, with the ops that have it."""
    sources: dict[Refusal, list[str]] = {}
    for conversion in front_end.conversions.values():
        for refusal in conversion.refusals:
            sources.setdefault(refusal, []).append(conversion.source)
    for refusal in front_end.refuses:
        yield refusal.form, f"`{refusal.message}`", "whole modules"
    for refusal, names in sources.items():
        every = len(names) > 1 and len(names) == len(front_end.conversions)
        of = "every op" if every else ", ".join(f"`{name}`" for name in names)
        yield refusal.form, f"`{refusal.message}`", of


def _dialect(dialect_class: type) -> Iterator[str]:
    """The ops of a dialect that is defined here: their docstrings, constraints and all."""
    for op in dialect_class.operations:  # type: ignore[attr-defined]
        yield from (f"## `{op.OPERATION_NAME}`", inspect.cleandoc(op.__doc__), "")
