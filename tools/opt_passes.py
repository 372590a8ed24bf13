"""Passes as flags: `--cse --convert-gs-to-scf="threads=4"` as the text of a pipeline."""

import re
from typing import Any

from mlir_gs.dialect._bindings import PassManager
from mlir_gs.lowering.options import Option, nearest
from mlir_gs.lowering.registry import (
    ANCHOR,
    pass_doc,
    pass_options,
    registered_passes,
    registered_pipelines,
)
from mlir_gs.tools.command_line import UsageError

_RESTRICTED = re.compile(r"restricted to '([^']+)' on a PassManager")
_UNKNOWN = "does not refer to a registered pass"


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
    if _UNKNOWN in message:
        hint = nearest(name, [*registered_passes(), *registered_pipelines(), *other_flags])
        hint = hint.replace("'", "'--", 1)
        raise UsageError(f"Unknown command line argument '--{name}'{hint}  Try: 'gs-opt --help'")
    restricted = _RESTRICTED.search(message)
    return f"{restricted[1]}({text})" if restricted else text


def _refusal(name: str, context: Any) -> str:
    """Why upstream does not take the pass `name` at module level; empty if it does."""
    if not re.fullmatch(r"[\w.-]+", name):
        return _UNKNOWN
    try:
        PassManager(ANCHOR, context).add(name)
    except ValueError as error:
        return str(error)
    return ""


def listing() -> str:
    """Our passes and pipelines with options and first sentences, as `--list-passes` prints them."""
    lines = ["Passes:"]
    for name, cls in registered_passes().items():
        lines += _entry(name, pass_doc(cls), pass_options(cls))
    lines.append("Pipelines:")
    for name, pipeline in registered_pipelines().items():
        lines += _entry(name, pipeline.doc, pipeline.options)
    lines.append("Every pass and pipeline of upstream is a flag too, as in mlir-opt.")
    return "\n".join(lines)


def _entry(name: str, doc: str, options: tuple[Option, ...]) -> list[str]:
    lines = [f"  {'--' + name:<40} - {doc.splitlines()[0]}"]
    for option in options:
        usage = f"--{option.name}=<{option.type_text()}>"
        about = f"{option.help} ({option.default_text()})" if option.help else option.default_text()
        lines.append(f"    {usage:<38} - {about}")
    return lines
