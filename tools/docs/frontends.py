"""`docs/frontends.md` and a page for each front end: what is converted and refused, from the
registrations."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from mlir_gs import frontend
from mlir_gs.frontend.common.common import FrontEnd, Refusal, front_ends
from mlir_gs.lowering import registered_passes, registered_pipelines

_INTRODUCTION = """\
# Front ends

Each source language has a pass that converts its gathers and scatters to `gs`. What it does not
convert is reported at the op's location, as `'<op>' op <message>`, and the pass fails; braces in
a message of these pages stand for what was found.
"""


def frontends_markdown() -> str:
    """The text of `docs/frontends.md`: the languages, with their passes and pages."""
    rows = (
        (f"[{one.title}]({name.removeprefix('docs/')})", f"`{one.pass_name}`")
        for name, one in _pages().items()
    )
    return "\n".join([_INTRODUCTION, *_table(("language", "pass"), rows)]) + "\n"


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
    lines += _table(
        ("source op", "form", "becomes"),
        (
            (names if first else "", form, target)
            for names, forms in _forms(front_end)
            for first, (form, target) in zip(
                [True, *[False] * len(forms)], forms.items(), strict=False
            )
        ),
    )
    refusals = list(_refusals(front_end))
    if refusals:
        lines += ["", "Refused:", ""]
        lines += _table(("form", "message", "of"), refusals)
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


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield _row(head)
    yield _row(("---",) * len(head))
    yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
