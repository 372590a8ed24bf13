"""One op as a card of SVG: a box per operand, a cell per dim, arrows by its maps."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access, Structure, dims_in

_MARGIN, _GAP, _LABEL, _CELL = 24, 30, 28, 40
_CHAR = 7.9
_LEAST = 44
# One for each iteration dim: of cells, of arrows.
_COLORS = (
    *(("#c8f0d4", "#1a7f37"), ("#fff1c2", "#9a6700"), ("#e6d9fb", "#8250df")),
    *(("#ffd8cc", "#bc4c00"), ("#cfe8ff", "#0969da"), ("#f9d0e8", "#bf3989")),
)


@dataclass
class _Cell:
    """One dim of an operand: what addresses it, its size, where it is drawn."""

    text: str
    size: str
    dims: set[int]
    symbols: set[int]
    x: float = 0
    width: float = 0

    @property
    def center(self) -> float:
        return self.x + self.width / 2


@dataclass
class _Box:
    """An operand; of `symbol` if that is read from it."""

    label: str
    note: str
    cells: list[_Cell]
    symbol: int | None = None
    x: float = 0
    y: float = 0
    width: float = 0

    @property
    def top(self) -> float:
        """Where the cells begin."""
        return self.y + _LABEL

    @property
    def bottom(self) -> float:
        return self.top + _CELL


@dataclass
class Card:
    """A drawing of `width` by `height`, its elements placed from (0, 0) on."""

    width: float = 0
    height: float = 0
    elements: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, kind: str) -> None:
        self.elements.append(f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(text)}</text>')


def card_of(op: ir.Operation, structure: Structure, place: str = "") -> Card:
    """The card of an op; `place` says where it comes from."""
    symbols = [
        _Box(
            f"s{number} = {access.name}",
            _treatment(structure, number),
            _cells(access),
            number,
        )
        for number, access in enumerate(structure.coordinates)
    ]
    inputs = [
        _Box(access.name, "" if fill is None else f"fill {fill}", _cells(access))
        for access, fill in zip(structure.inputs, structure.fills, strict=True)
    ]
    outputs = [_Box(access.name, "", _cells(access)) for access in structure.outputs]
    card = Card()
    card.text(_MARGIN, 30, op.name, "t")
    card.text(_MARGIN + _wide(op.name) * 1.2 + 12, 30, place, "s")
    card.width = _MARGIN * 2 + _wide(op.name) * 1.2 + 12 + _wide(place)
    y = _legend(card, structure)
    if symbols:
        y = _row(card, [symbols], y) + _GAP * 1.5
    y = _row(card, [inputs, outputs], y)
    card.elements += _arrows(symbols, inputs, outputs)
    # Over the arrows, which pass behind what is written.
    for box in (*symbols, *inputs, *outputs):
        card.elements += _drawn(box)
    read, written = ({dim for dim, _, _ in _ends(boxes)} for boxes in (inputs, outputs))
    card.height = y + (_GAP * 1.5 if read & written else _GAP / 2)
    return card


def _treatment(structure: Structure, symbol: int) -> str:
    """What becomes of a coordinate out of bounds."""
    mode = structure.modes[symbol]
    return f"{mode}{', wrap_negative' if structure.wraps[symbol] else ''}"


def _cells(access: Access) -> list[_Cell]:
    shape = access.value.type.shape
    return [
        _Cell(
            str(expr), "?" if size == DYNAMIC else str(size), dims_in(expr), set(symbols_of(expr))
        )
        for expr, size in zip(access.map.results, shape, strict=True)
    ]


def _legend(card: Card, structure: Structure) -> float:
    """The iteration dims and the promises; returns where to go on."""
    x: float = _MARGIN
    for dim, kind in enumerate(structure.iterators):
        fill, line = _colors(dim)
        text = f"d{dim} {kind}"
        card.elements.append(
            f'<rect x="{x:g}" y="46" width="12" height="12" fill="{fill}" stroke="{line}"/>'
        )
        card.text(x + 18, 57, text, "s")
        x += 18 + _wide(text) + 12
    promises = [name for name in ("unique", "sorted") if getattr(structure, name)]
    text = f"promised: {', '.join(promises)}" if promises else ""
    card.text(x, 57, text, "s")
    card.width = max(card.width, x + _wide(text) + _MARGIN)
    return 76


def _row(card: Card, groups: list[list[_Box]], y: float) -> float:
    """Place boxes side by side, with a gap between groups; returns where the row ends."""
    x: float = _MARGIN
    for group in groups:
        for box in group:
            box.x, box.y = x, y
            at = x
            for cell in box.cells:
                cell.x, cell.width = at, max(_LEAST, _wide(cell.text) + 14, _wide(cell.size) + 14)
                at += cell.width
            shown = _wide(box.label) + (12 + _wide(box.note) if box.note else 0)
            box.width = max(at - x, _LEAST)
            x += max(box.width, shown) + _GAP
        x += _GAP
    card.width = max(card.width, x - 2 * _GAP + _MARGIN)
    return y + _LABEL + _CELL


def _drawn(box: _Box) -> Iterator[str]:
    label = f"{escape(box.label)}<tspan dx='12' class='s'>{escape(box.note)}</tspan>"
    yield f'<text x="{box.x:g}" y="{box.top - 13:g}" class="m">{label}</text>'
    if not box.cells:
        yield _rect(box.x, box.top, box.width, "#ffffff")
    for cell in box.cells:
        yield _rect(
            cell.x, box.top, cell.width, _colors(min(cell.dims))[0] if cell.dims else "#ffffff"
        )
        for text, y, kind in ((cell.text, 17, "c"), (cell.size, 33, "s c")):
            place = f'x="{cell.center:g}" y="{box.top + y:g}"'
            yield f'<text {place} class="{kind}">{escape(text)}</text>'


def _arrows(symbols: list[_Box], inputs: list[_Box], outputs: list[_Box]) -> Iterator[str]:
    """From symbols to what they address, and from inputs to outputs along each dim."""
    for source in symbols:
        start = source.x + source.width / 2
        for box in (*symbols, *inputs, *outputs):
            for cell in box.cells:
                if source.symbol not in cell.symbols:
                    continue
                if box.symbol is not None:
                    path = f"M{source.x + source.width:g} {source.top + _CELL / 2:g}"
                    path += f" L{box.x:g} {box.top + _CELL / 2:g}"
                else:
                    path = f"M{start:g} {source.bottom:g} L{cell.center:g} {box.top - _LABEL:g}"
                    path += f" L{cell.center:g} {box.top:g}"
                yield _line(path, "#1f2328")
    for dim, start, y in _ends(inputs):
        for other, end, _ in _ends(outputs):
            if other == dim:
                depth = y + _GAP
                path = f"M{start:g} {y:g} C{start:g} {depth:g} {end:g} {depth:g} {end:g} {y:g}"
                yield _line(path, _colors(dim)[1])


def _ends(boxes: Iterable[_Box]) -> Iterator[tuple[int, float, float]]:
    for box in boxes:
        for cell in box.cells:
            for dim in sorted(cell.dims):
                yield dim, cell.center, box.bottom


def _rect(x: float, y: float, width: float, fill: str) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{_CELL}"'
    return f'<rect {place} fill="{fill}" stroke="#8c959f"/>'


def _line(path: str, color: str) -> str:
    return f'<path d="{path}" class="l" stroke="{color}"/>'


def _wide(text: Any) -> float:
    return _CHAR * len(text)


def _colors(dim: int) -> tuple[str, str]:
    return _COLORS[dim % len(_COLORS)]
