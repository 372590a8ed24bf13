"""Pipelines as rows of passes, and what is known of each pass."""

from typing import Any

from mlir_gs.lowering.passes.conditions import GsIf
from mlir_gs.lowering.passes.options import Option, parse_options
from mlir_gs.lowering.passes.pipeline_text import Element, parse_pipeline
from mlir_gs.lowering.passes.registry import (
    ANCHOR,
    pass_doc,
    pass_options,
    registered_passes,
    registered_pipelines,
)


def parts(text: str) -> list[str]:
    """A pipeline as passes at module level, with pipelines taken apart. Raises PipelineError.

    Of `gs-if{unmarked=...}` the passes stay, without the condition: what is explored has not been
    lowered in part.
    """
    elements = parse_pipeline(text)
    if len(elements) == 1 and elements[0].name in (ANCHOR, "any") and elements[0].children:
        elements = elements[0].children
    return [part for element in elements for part in _parts(text, element)]


def _parts(text: str, element: Element) -> list[str]:
    pipeline = registered_pipelines().get(element.name)
    if pipeline is not None:
        given = parse_options(element.name, pipeline.options, element.options or "")
        return [part for one in pipeline.expand(**given) for part in parts(one)]
    is_mark = element.name == GsIf.name and (element.options or "").startswith("unmarked=gs.")
    if is_mark and element.children and " " not in (element.options or ""):
        return [part for child in element.children for part in _parts(text, child)]
    return [text[element.start : element.end]]


def known() -> list[dict[str, Any]]:
    """Our passes and pipelines: name, what it does, options, and whether it is a pipeline."""
    passes = [
        _about(name, pass_doc(cls), pass_options(cls), False)
        for name, cls in registered_passes().items()
    ]
    pipelines = [
        _about(one.name, one.doc, one.options, True) for one in registered_pipelines().values()
    ]
    return [*passes, *pipelines]


def _about(name: str, doc: str, options: tuple[Option, ...], is_pipeline: bool) -> dict[str, Any]:
    shown = [
        {"name": o.name, "type": o.type_text(), "default": o.default_text(), "help": o.help}
        for o in options
    ]
    return {"name": name, "doc": doc.split("\n\n")[0], "options": shown, "pipeline": is_pipeline}
