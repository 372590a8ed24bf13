"""Pictures as files: the ops of modules as SVG, and IR step by step as HTML."""

import math
from collections.abc import Callable, Iterator
from html import escape
from importlib.util import find_spec
from typing import Any, NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import print as print_module
from mlir_gs.dialect.assembly.locations import ANONYMOUS
from mlir_gs.dialect.base import drawn
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.diagnostics import file_location, location_text
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.picture.card import Card, card_of

_STYLE = """
text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
.t { font-weight: bold; font-size: 16px; } .s { font-size: 12px; fill: #59636e; }
.m { paint-order: stroke; stroke: #fff; stroke-width: 5px; }
.c { text-anchor: middle; } .l { stroke-width: 1.5; fill: none; marker-end: url(#head); }
"""
_HEAD = """<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6"
 markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" fill="context-stroke"/></marker></defs>
"""
_PAGE = """\
<!doctype html>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; margin: 1em; background: #fff; color: #1f2328; }}
.steps {{ display: flex; gap: 1em; align-items: flex-start; }}
section {{ flex: none; max-width: 60em; border: 1px solid #d1d9e0; padding: 0 1em 1em; }}
pre {{ overflow-x: auto; font-size: 13px; }}
{colors}
</style>
<h1>{title}</h1>
<div class="steps">
{steps}</div>
"""


class _Step(NamedTuple):
    title: str
    text: str
    cards: list[Card]


def ops_svg(operation: ir.Operation) -> str:
    """A picture of each indirect op below `operation`, one below the other."""
    return _svg(list(_cards(operation)))


def op_pictures(operation: ir.Operation, name: str) -> list[tuple[str, str]]:
    """A picture of each indirect op below `operation`, and its `line:column` in the file `name`."""
    cards = _cards(operation)
    return [(card.place.removeprefix(f"{name}:"), _svg([card])) for card in cards]


def _svg(cards: list[Card]) -> str:
    width = math.ceil(max((card.width for card in cards), default=0)) + 1
    height = math.ceil(sum(card.height for card in cards)) + 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">\n<style>{_STYLE}</style>\n{_HEAD}'
        # A light card of its own, so that it reads the same on a light and a dark page.
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" '
        'fill="#ffffff" stroke="#d1d9e0"/>\n'
    ]
    y = 0.0
    for card in cards:
        body = "\n".join(card.elements)
        parts.append(f'<g transform="translate(0 {y:g})">\n{body}\n</g>\n')
        y += card.height
    return "".join([*parts, "</svg>\n"])


def _cards(operation: ir.Operation) -> Iterator[Card]:
    with operation.context:
        for op in walk(operation):
            structure = Structure.of(op.opview) if op.name == "gs.generic" else drawn(op)
            if structure is not None:
                yield card_of(op, structure, _place(op.location))


def _place(location: Any) -> str:
    place = file_location(location)
    return "" if place is None or place[0] == ANONYMOUS else location_text(location)


def module_html(module: Any) -> str:
    """The pictures of the ops of `module`, and its text in color: a part of a page."""
    return _shown(print_module(module.operation), list(_cards(module.operation)), noclasses=True)


def _shown(text: str, cards: list[Card], **options: Any) -> str:
    picture = _svg(cards) if cards else ""
    if not find_spec("pygments"):
        return f"{picture}<pre>{escape(text)}</pre>\n"
    # Imported here, as most runs draw nothing.
    from mlir_gs.tools.editors.lexer import MlirLexer
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter

    return picture + highlight(text, MlirLexer(), HtmlFormatter(**options))


def _colors() -> str:
    if not find_spec("pygments"):
        return ""
    from pygments.formatters.html import HtmlFormatter

    return HtmlFormatter().get_style_defs()


class Picture:
    """What goes into the file `path` of a run: the ops at its end (.svg), or the IR after each pass
    with its ops (.html). Raises UsageError for another ending."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._steps: list[_Step] = []
        self._is_page = path.endswith(".html")
        if not path.endswith((".svg", ".html")):
            raise UsageError(f"for the --gs-picture option: expected .svg or .html, found '{path}'")

    def step(self, operation: ir.Operation, name: str) -> None:
        """The input of the first pass, of the file `name`, or what the pass `name` has made."""
        if self._is_page:
            self._add(operation, name)

    def end(self, operation: ir.Operation) -> None:
        """What is left after all passes."""
        if not self._is_page:
            self._add(operation, "")

    def _add(self, operation: ir.Operation, title: str) -> None:
        self._steps.append(_Step(title, print_module(operation), list(_cards(operation))))

    def write(self, save: Callable[[str, Any], object]) -> None:
        """Let `save` write the file."""
        text = self._page() if self._is_page else self._svg()
        save(self.path, lambda file: file.write(text.encode("utf-8", "replace")))

    def _svg(self) -> str:
        return _svg([card for step in self._steps for card in step.cards])

    def _page(self) -> str:
        sections, before = [], ""
        for title, text, cards in self._steps:
            shown = "<p>no change</p>\n" if text == before else _shown(text, cards)
            sections.append(f"<section>\n<h2>{escape(title)}</h2>\n{shown}</section>\n")
            before = text
        title = self._steps[0].title if self._steps else ""
        return _PAGE.format(title=escape(title), colors=_colors(), steps="".join(sections))
