"""`docs/images/road.svg`: the passes of `gs-to-llvm`, in their order."""

from collections.abc import Iterable, Iterator
from html import escape

import mlir_gs.frontend
from mlir_gs.lowering.passes.pipeline_text import Element, parse_pipeline
from mlir_gs.lowering.passes.registry import (
    registered_passes,
    registered_pipelines,
)

_WIDTH, _ROW, _TOP = 296, 21, 84
_LEGEND = "blue: ours; grey: upstream's; dashed: only where a module has something for it"
_STYLE = """\
  <!-- A light card of its own, so that it reads the same on a light and a dark page. -->
  <style>
    text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
    .t { font: bold 15px "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; }
    .s { font: 12px "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; fill: #59636e; }
    .gs { fill: #ddf4ff; stroke: #0969da; } .up { fill: #f6f8fa; stroke: #8c959f; }
    .if { stroke-dasharray: 4 3; }
  </style>"""


def road_svg() -> str:
    """What `gs-to-llvm` runs on two threads: a column for each level, a box for each pass."""
    assert mlir_gs.frontend.__all__
    texts = registered_pipelines()["gs-to-llvm"].expand(threads=2)
    first, buffers, loops, *rest = [one for text in texts for one in parse_pipeline(text)]
    columns = [
        ("to buffers", [first, *(buffers.children or ())]),
        ("to loops", list(loops.children or ())),
        ("to the LLVM dialect", rest),
    ]
    boxes = [(title, list(_boxes(elements))) for title, elements in columns]
    height = _TOP + _ROW * max(len(rows) for _, rows in boxes) + 16
    width = 24 + _WIDTH * len(boxes)
    shape = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    label = 'role="img" aria-label="the passes of gs-to-llvm"'
    frame = f'width="{width - 1}" height="{height - 1}" rx="10" fill="#ffffff" stroke="#d1d9e0"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {shape} {label}>',
        _STYLE,
        f'  <rect x="0.5" y="0.5" {frame}/>',
        '  <text x="24" y="30" class="t">gs-to-llvm, on two threads</text>',
        f'  <text x="24" y="50" class="s">{_LEGEND}</text>',
    ]
    for column, (title, rows) in enumerate(boxes):
        left = 24 + _WIDTH * column
        lines.append(f'  <text x="{left}" y="{_TOP - 10}" class="t">{title}</text>')
        for number, (name, kind) in enumerate(rows):
            top = _TOP + _ROW * number
            lines.append(
                f'  <rect x="{left}.5" y="{top}.5" width="{_WIDTH - 24}" height="18" rx="4" '
                f'class="{kind}"/>'
            )
            lines.append(f'  <text x="{left + 8}" y="{top + 14}">{escape(name)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def _boxes(elements: Iterable[Element], dashed: bool = False) -> Iterator[tuple[str, str]]:
    """Name and style of each pass."""
    for element in elements:
        if element.children is not None:
            is_condition = element.name == "gs-if"
            yield from _boxes(element.children, dashed or is_condition)
            continue
        cls = registered_passes().get(element.name)
        ours = cls is not None or element.name in registered_pipelines()
        asks = dashed or hasattr(cls, "only_with") or hasattr(cls, "has_work")
        yield element.name, ("gs" if ours else "up") + " if" * asks
