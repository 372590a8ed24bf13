"""Passes as flags: `--cse --convert-gs-to-scf="threads=4"` as the text of a pipeline."""

import re
from collections.abc import Iterable
from typing import Any

from mlir_gs.dialect._bindings import PassManager, ir
from mlir_gs.frontend.languages import import_of, languages
from mlir_gs.lowering.passes.options import Option, nearest
from mlir_gs.lowering.passes.pipeline_text import parse_pipeline
from mlir_gs.lowering.passes.registry import (
    ANCHOR,
    UNKNOWN,
    add_upstream,
    pass_doc,
    pass_options,
    registered_passes,
    registered_pipelines,
)
from mlir_gs.tools.common.command_line import Flag, UsageError
from mlir_gs.tools.common.completion import Word
from mlir_gs.tools.opt.flags import ANY_LANGUAGE

_RESTRICTED = re.compile(r"restricted to '([^']+)' on a PassManager")


def pipeline_text(flags: list[tuple[str, str | None]], other_flags: list[str], context: Any) -> str:
    """The pipeline that the flags spell, in their order. Raises UsageError for one that is no pass.

    A pass that upstream restricts to an operation below the module is nested in it.
    """
    return f"{ANCHOR}({','.join(_element(*flag, other_flags, context) for flag in flags)})"


def _element(name: str, options: str | None, other_flags: list[str], context: Any) -> str:
    text = name if not options else f"{name}{{{options}}}"
    if name in registered_passes() or name in registered_pipelines():
        return text
    message = _refusal(name, context)
    if UNKNOWN in message:
        hint = nearest(name, [*registered_passes(), *registered_pipelines(), *other_flags])
        hint = hint.replace("'", "'--", 1)
        raise UsageError(f"Unknown command line argument '--{name}'{hint}  Try: 'gs-opt --help'")
    restricted = _RESTRICTED.search(message)
    return f"{restricted[1]}({text})" if restricted else text


def _refusal(name: str, context: Any) -> str:
    """Why upstream does not take the pass `name` at module level; empty if it does."""
    if not re.fullmatch(r"[\w.-]+", name):
        return UNKNOWN
    try:
        add_upstream(PassManager(ANCHOR, context), name)
    except ValueError as error:
        return str(error)
    return ""


def import_flags(language: str | None) -> list[tuple[str, str | None]]:
    """The pass that `--import=<language>` stands for, as a flag. Raises UsageError."""
    if language is None:
        return []
    if language == ANY_LANGUAGE:
        return [("gs-import", None)]
    if language not in languages():
        raise UsageError(
            f"for the --import option: '{language}' is none of {', '.join(languages())}"
        )
    return [(import_of(language), None)]


def is_pass(name: str) -> bool:
    """Whether a pass or pipeline, ours or upstream's, has this name."""
    if name in registered_passes() or name in registered_pipelines():
        return True
    # Any context will do: the registry of passes is the process's.
    return UNKNOWN not in _refusal(name, ir.Context())


def words(flags: Iterable[Flag]) -> list[Word]:
    """The flags and our passes, for completion."""
    found = []
    for flag in flags:
        dashes = "-" if len(flag.name) == 1 else "--"
        found.append(Word(dashes + flag.name, flag.help, flag.choices if flag.value else None))
    found += [
        Word(f"--{name}", pass_doc(cls).splitlines()[0])
        for name, cls in registered_passes().items()
    ]
    pipelines = registered_pipelines().items()
    return found + [Word(f"--{name}", pipeline.doc) for name, pipeline in pipelines]


def listing() -> str:
    """Our passes and pipelines with options and first sentences, as `--list-passes` prints them."""
    lines = ["Passes:"]
    for name, cls in registered_passes().items():
        lines += _entry(name, pass_doc(cls), pass_options(cls))
    lines.append("Pipelines:")
    for name, pipeline in registered_pipelines().items():
        lines += _entry(name, pipeline.doc, pipeline.options)
    lines.append("Passes of upstream that these pipelines run, with their options and defaults:")
    for name, options in upstream_passes().items():
        lines.append(f"  --{name}" + (f'="{options}"' if options else ""))
    lines.append(
        "Every other pass and pipeline of upstream, torch-mlir and StableHLO is a flag too."
    )
    return "\n".join(lines)


def upstream_passes() -> dict[str, str]:
    """The passes of upstream that our pipelines run, by name, with their options and defaults."""
    found: dict[str, str] = {}
    context = ir.Context()
    texts = [text for each in registered_pipelines().values() for text in each.expand()]
    elements = [inner for text in texts for one in parse_pipeline(text) for inner in one.walk()]
    for name in sorted({each.name for each in elements if each.children is None}):
        if name in registered_passes() or name in registered_pipelines():
            continue
        restricted = _RESTRICTED.search(_refusal(name, context))
        manager = PassManager(restricted[1] if restricted else ANCHOR, context)
        add_upstream(manager, name)
        options = re.search(r"\{(.*)\}\)$", str(manager).strip(), re.DOTALL)
        found[name] = " ".join(options[1].split()) if options else ""
    return found


def _entry(name: str, doc: str, options: tuple[Option, ...]) -> list[str]:
    lines = [f"  {'--' + name:<40} - {doc.splitlines()[0]}"]
    for option in options:
        usage = f"--{option.name}=<{option.type_text()}>"
        about = f"{option.help} ({option.default_text()})" if option.help else option.default_text()
        lines.append(f"    {usage:<38} - {about}")
    return lines
