"""One op as a card of SVG: a box per operand, a cell per dim, arrows by its maps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access, Structure, dims_in
from mlir_gs.tools.picture.body import formulas

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
    """An operand; of `symbol` if that is read from it. `shown` is the width with its label."""

    label: str
    note: str
    cells: list[_Cell]
    symbol: int | None = None
    x: float = 0
    y: float = 0
    width: float = 0
    shown: float = 0

    @property
    def top(self) -> float:
        """Where the cells begin: below the label, which is above them for a symbol."""
        return self.y + (0 if self.symbol is None else _LABEL)

    @property
    def bottom(self) -> float:
        return self.top + _CELL


@dataclass
class Card:
    """A drawing of `width` by `height`, its elements placed from (0, 0) on; of an op at `place`."""

    width: float = 0
    height: float = 0
    elements: list[str] = field(default_factory=list)
    place: str = ""

    def text(self, x: float, y: float, text: str, kind: str) -> None:
        self.elements.append(f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(text)}</text>')


def card_of(op: ir.Operation, structure: Structure, place: str = "") -> Card:
    """The card of an op; `place` says where it comes from."""
    is_generic = op.name == "gs.generic"
    symbols = [
        _Box(
            f"s{number} = {_name(access, is_generic)}",
            _treatment(structure, number),
            _cells(access),
            number,
        )
        for number, access in enumerate(structure.coordinates)
    ]
    inputs = [
        _Box(_name(access, is_generic), "" if fill is None else f"fill {fill}", _cells(access))
        for access, fill in zip(structure.inputs, structure.fills, strict=True)
    ]
    outputs = [_Box(_name(access, is_generic), "", _cells(access)) for access in structure.outputs]
    of = [box.label for box in (*inputs, *outputs)] if is_generic else ["current", "update"]
    body = [
        f"{output.label} = {text}" if is_generic else text
        for output, text in zip(outputs, formulas(op, of), strict=False)
    ]
    card = Card(place=place)
    card.text(_MARGIN, 30, op.name, "t")
    card.text(_MARGIN + _wide(op.name) * 1.2 + 12, 30, place, "s")
    card.width = _MARGIN * 2 + _wide(op.name) * 1.2 + 12 + _wide(place)
    y = _legend(card, structure)
    below = y + _LABEL + _CELL + _GAP * 1.5 if symbols else y
    # The arrow from the inputs to the outputs, with the body on it.
    between = max(map(_wide, body), default=0) + 2 * _GAP
    end = _row(card, inputs, _MARGIN, below)
    _row(card, outputs, end + between, below)
    # Above what they address, so that few arrows cross.
    symbols.sort(key=lambda box: _target(box, [*inputs, *outputs]))
    _row(card, symbols, _MARGIN, y)
    card.elements += _arrows(symbols, [*inputs, *outputs])
    if inputs:
        start = inputs[-1].x + inputs[-1].width
        card.elements.append(_moved(start, end + between, below + _CELL / 2, body))
    # Over the arrows, which pass behind what is written.
    for box in symbols:
        card.elements += _drawn(box, above=True)
    for box in (*inputs, *outputs):
        card.elements += _drawn(box, above=False)
    card.height = below + _CELL + _LABEL + _GAP / 2
    return card


def _name(access: Access, is_generic: bool) -> str:
    """The role of an operand of a named op; of gs.generic the name that the source gives it."""
    if not is_generic:
        return access.name
    value = access.value
    if isinstance(value.owner, ir.Block):
        location = ir.BlockArgument(value).location
        if isinstance(location, ir.NameLoc):
            return f"%{location.name_str}"
    return str(value.get_name())


def _target(box: _Box, addressed: list[_Box]) -> tuple[float, int]:
    """The mean place of what the symbol of `box` addresses; its number, which keeps chains."""
    number = box.symbol or 0
    ends = [cell.center for each in addressed for cell in each.cells if number in cell.symbols]
    return (sum(ends) / len(ends) if ends else 0, number)


def _moved(start: float, end: float, y: float, body: Sequence[str]) -> str:
    """The arrow along which elements move, with the formulas of the body."""
    parts = [_line(f"M{start + 6:g} {y:g} L{end - 6:g} {y:g}", "#8c959f")]
    for number, text in enumerate(reversed(body)):
        place = f'x="{(start + end) / 2:g}" y="{y - 8 - 17 * number:g}"'
        parts.append(f'<text {place} class="c">{escape(text)}</text>')
    return "".join(parts)


def _treatment(structure: Structure, symbol: int) -> str:
    """What becomes of a coordinate out of bounds; nothing where the default holds."""
    mode = structure.modes[symbol].replace("promise_in_bounds", "")
    return ", ".join(filter(None, [mode, "wrap_negative" if structure.wraps[symbol] else ""]))


def _cells(access: Access) -> list[_Cell]:
    results = access.map.results
    # What has no value, as the search of gs.histogram, has no sizes.
    shape = access.value.type.shape if access.value else [""] * len(results)
    return [
        _Cell(
            str(expr), "?" if size == DYNAMIC else str(size), dims_in(expr), set(symbols_of(expr))
        )
        for expr, size in zip(results, shape, strict=True)
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


def _row(card: Card, boxes: list[_Box], x: float, y: float) -> float:
    """Place boxes side by side; returns where the last one ends."""
    end = x
    for box in boxes:
        box.x, box.y = x, y
        at = x
        for cell in box.cells:
            cell.x, cell.width = at, max(_LEAST, _wide(cell.text) + 14, _wide(cell.size) + 14)
            at += cell.width
        box.width = max(at - x, _LEAST)
        box.shown = _wide(box.label) + (12 + _wide(box.note) if box.note else 0)
        end = x + max(box.width, box.shown)
        x = end + _GAP
    card.width = max(card.width, end + _MARGIN)
    return end


def _drawn(box: _Box, above: bool) -> Iterator[str]:
    """The cells of a box, with its label above or below them."""
    label = f"{escape(box.label)}<tspan dx='12' class='s'>{escape(box.note)}</tspan>"
    place = box.top - 13 if above else box.bottom + 19
    yield f'<text x="{box.x:g}" y="{place:g}" class="m">{label}</text>'
    if not box.cells:
        yield _rect(box.x, box.top, box.width, "#ffffff")
    for cell in box.cells:
        yield _rect(
            cell.x, box.top, cell.width, _colors(min(cell.dims))[0] if cell.dims else "#ffffff"
        )
        for text, y, kind in ((cell.text, 17, "c"), (cell.size, 33, "s c")):
            place = f'x="{cell.center:g}" y="{box.top + y:g}"'
            yield f'<text {place} class="{kind}">{escape(text)}</text>'


def _arrows(symbols: list[_Box], addressed: list[_Box]) -> Iterator[str]:
    """From symbols to what they address."""
    for source in symbols:
        start = source.x + source.width / 2
        for box in (*symbols, *addressed):
            for cell in box.cells:
                if source.symbol not in cell.symbols:
                    continue
                if box.symbol is None:
                    path = f"M{start:g} {source.bottom:g} L{cell.center:g} {box.top:g}"
                else:
                    # Under the row, since a box can stand between the two.
                    low = source.bottom + _GAP
                    path = f"M{start:g} {source.bottom:g} C{start:g} {low:g} "
                    path += f"{cell.center:g} {low:g} {cell.center:g} {box.bottom:g}"
                yield _line(path, "#1f2328")


def _rect(x: float, y: float, width: float, fill: str) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{_CELL}"'
    return f'<rect {place} fill="{fill}" stroke="#8c959f"/>'


def _line(path: str, color: str) -> str:
    return f'<path d="{path}" class="l" stroke="{color}"/>'


def _wide(text: Any) -> float:
    return _CHAR * len(text)


def _colors(dim: int) -> tuple[str, str]:
    return _COLORS[dim % len(_COLORS)]
