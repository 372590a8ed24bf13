"""Index notation, the assembly form of `gs.generic`: each operand with what addresses it."""

import re
from functools import lru_cache

from mlir_gs.dialect.assembly import scanner
from mlir_gs.dialect.assembly.form import Clauses, Parts, need
from mlir_gs.dialect.assembly.positions import Piece
from mlir_gs.dialect.assembly.scanner import Scanner, Span
from mlir_gs.dialect.structure import SLOTS

_DEFAULT = "promise_in_bounds"
_MAP = re.compile(r"affine_map<\(([^()]*)\)(?:\[([^\]]*)\])? -> \((.*)\)>")
_ENTRY = {"mode", "wrap_negative"}
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_][\w$.]*", re.ASCII)
_OPERATORS = {"mod", "floordiv", "ceildiv"}
_RESERVED = {*_OPERATORS, "symbol"}
"""What means something else in an affine map."""


class IndexNotation:
    """`(d0) [s0 = %i[d0]] ins(%x[s0]) outs(%y[d0]) iterators(d0 = parallel)`."""

    def read(self, text: Scanner, clauses: Clauses) -> Parts:
        return _Reading(text, clauses).parts()

    def names(self, text: Scanner, clauses: Clauses) -> dict[str, str]:
        """What messages call dims, symbols and operands, and their names in the text. Raises
        AssemblyError."""
        reading = _Reading(text, clauses)
        values = [f"'{text.text[start:end]}'" for start, end in reading.parts().operands]
        first, second = len(reading.fills), len(reading.fills) + len(reading.indices)
        groups = (values[:first], values[first:second], values[second:])
        called = {"d": reading.dims, "s": reading.symbols}
        found = {f"{c}{n}": name for c, names in called.items() for n, name in enumerate(names)}
        for role, group in zip(("inputs", "indices", "outputs"), groups, strict=True):
            found |= {f"'{role} #{number}'": value for number, value in enumerate(group)}
        return found

    def finish(self, text: Scanner, parts: Parts, results: int) -> None:
        if results > SLOTS[2][1]:
            raise text.fail(f"takes at most {SLOTS[2][1]} results, found {results}")
        slots = [1] * results + [0] * (SLOTS[2][1] - results)
        parts.attributes.append(("resultSegmentSizes", [_array("i32", slots)]))

    def write(
        self,
        operands: list[str],
        attributes: dict[str, str],
        results: int,
        aliases: dict[str, str],
        clauses: Clauses,
    ) -> str:
        counts = _counts(attributes.get("operandSegmentSizes", ""))
        taken = [1] * results + [0] * (SLOTS[2][1] - results)
        need(sum(counts) == len(operands))
        need(attributes.get("resultSegmentSizes") == _array("i32", taken))
        first, second = counts[0], counts[0] + counts[1]
        inputs, indices, outputs = operands[:first], operands[first:second], operands[second:]
        maps = _maps(attributes.get("indexing_maps", ""), aliases)
        arrays = _list(attributes.get("coordinate_maps", ""))
        kinds = [_unquoted(kind) for kind in _list(attributes.get("iterator_types", ""))]
        coordinates = [_maps(each, aliases) for each in arrays]
        need(len(maps) == first + len(outputs) and len(arrays) == len(indices))
        symbols = sum(map(len, coordinates))
        every = [*maps, *(map_ for each in coordinates for map_ in each)]
        names = tuple(
            ", ".join(f"{letter}{number}" for number in range(count))
            for letter, count in (("d", len(kinds)), ("s", symbols))
        )
        need(all(map_[:2] == names for map_ in every))
        clauses_of = _per_symbol(attributes, symbols)
        fills = _fills(attributes, first)
        entries, symbol, before = "", 0, ""
        for operand, results_of in zip(indices, coordinates, strict=True):
            for number, map_ in enumerate(results_of):
                # Of one operand are the symbols that follow each other with its name.
                comma = "; " if not number and operand == before else ", "
                entry = f"s{symbol} = {operand}[{map_[2]}]{clauses_of[symbol]}"
                entries += (comma if entries else "") + entry
                symbol += 1
            if not results_of:
                entries += (("; " if operand == before else ", ") if entries else "") + operand
            before = operand
        text = f"({names[0]})" + (f" [{entries}]" if indices else "")
        if inputs:
            accesses = (
                f"{value}[{map_[2]}]{fill}"
                for value, map_, fill in zip(inputs, maps, fills, strict=False)
            )
            text += f" ins({', '.join(accesses)})"
        accesses = (f"{v}[{map_[2]}]" for v, map_ in zip(outputs, maps[first:], strict=True))
        text += f" outs({', '.join(accesses)})"
        if kinds:
            text += f" iterators({', '.join(f'd{d} = {kind}' for d, kind in enumerate(kinds))})"
        for name in ("indexing_maps", "coordinate_maps", "iterator_types"):
            del attributes[name]
        del attributes["operandSegmentSizes"], attributes["resultSegmentSizes"]
        return text


def _per_symbol(attributes: dict[str, str], symbols: int) -> list[str]:
    """What stands behind each symbol; takes `modes` and `wrap_negative` out where it says them."""
    found = [""] * symbols
    if "modes" in attributes and symbols:
        modes = [_unquoted(mode) for mode in _list(attributes["modes"])]
        need(len(modes) == symbols)
        said = any(mode != _DEFAULT for mode in modes)
        for symbol, mode in enumerate(modes):
            if mode != _DEFAULT or (not said and not symbol):
                found[symbol] += f" mode({mode})"
        del attributes["modes"]
    wraps = re.fullmatch(r"array<i1: ([\w, ]+)>", attributes.get("wrap_negative", ""))
    if wraps and "true" in wraps[1]:
        wrapped = wraps[1].split(", ")
        need(len(wrapped) == symbols)
        for symbol, wrap in enumerate(wrapped):
            found[symbol] += " wrap_negative" if wrap == "true" else ""
        del attributes["wrap_negative"]
    return found


def _fills(attributes: dict[str, str], inputs: int) -> list[str]:
    """What stands behind each input; takes `fill_values` out where it says them."""
    values = _list(attributes.get("fill_values", "[]"))
    if all(value == "unit" for value in values):
        return [""] * inputs
    need(len(values) == inputs)
    del attributes["fill_values"]
    return ["" if value == "unit" else f" fill({value})" for value in values]


def _list(text: str) -> tuple[str, ...]:
    """The entries of an array that MLIR printed."""
    need(text.startswith("[") and text.endswith("]"))
    return scanner.split(text[1:-1])


def _unquoted(text: str) -> str:
    word = text[1:-1]
    need(text == f'"{word}"' and scanner.words(word))
    return word


@lru_cache(maxsize=4096)
def _map(text: str) -> tuple[str, str, str]:
    """Dims, symbols and results of a map that MLIR printed."""
    found = need(_MAP.fullmatch(text))
    return found[1], found[2] or "", found[3]


def _maps(text: str, aliases: dict[str, str]) -> list[tuple[str, str, str]]:
    return [_map(aliases.get(entry, entry)) for entry in _list(text)]


def _array(kind: str, values: list[int]) -> str:
    return f"array<{kind}: {', '.join(map(str, values))}>"


@lru_cache(maxsize=256)
def _counts(text: str) -> tuple[int, ...]:
    """How many operands each role has, of the attribute that MLIR printed."""
    found = need(re.fullmatch(r"array<i32: ([01, ]+)>", text))
    taken, counts, start = found[1].split(", "), [], 0
    for _, most in SLOTS:
        part = taken[start : start + most]
        counts.append(part.count("1"))
        need(part == ["1"] * counts[-1] + ["0"] * (most - counts[-1]))
        start += most
    need(start == len(taken))
    return tuple(counts)


class _Reading:
    """One op that is read."""

    def __init__(self, text: Scanner, clauses: Clauses) -> None:
        self.text, self.clauses = text, clauses
        self.dims: list[str] = []
        self.symbols: list[str] = []
        self.modes: list[list[Piece] | None] = []
        self.wraps: list[bool] = []
        self.indices: list[Span] = []
        self.coordinates: list[list[Span]] = []
        self.fills: list[list[Piece] | None] = []

    def parts(self) -> Parts:
        text = self.text
        self._names()
        if text.takes("["):
            self._coordinates()
        inputs = self._accesses("ins") if text.peek_word() == "ins" else []
        if text.peek_word() != "outs":
            raise text.fail("expected 'outs('" + text._found())
        outputs = self._accesses("outs")
        kinds = self._iterators() if text.peek_word() == "iterators" else {}
        counts = (len(inputs), len(self.indices), len(outputs))
        slots: list[int] = []
        for count, (role, most) in zip(counts, SLOTS, strict=True):
            if count > most:
                raise text.fail(f"takes at most {most} {role} operands, found {count}")
            slots += [1] * count + [0] * (most - count)
        values = [value for value, _ in inputs] + self.indices + [value for value, _ in outputs]
        maps = [expressions for _, expressions in (*inputs, *outputs)]
        iterators: list[Piece] = []
        for number, dim in enumerate(self.dims):
            iterators += [", " if number else "", '"', *kinds.get(dim, ["parallel"]), '"']
        coordinates: list[Piece] = []
        for number, each in enumerate(self.coordinates):
            coordinates += [", " if number else "", *self._maps(each)]
        parts = Parts(values)
        parts.attributes = [
            ("indexing_maps", self._maps(maps)),
            ("coordinate_maps", ["[", *coordinates, "]"]),
            ("iterator_types", ["[", *iterators, "]"]),
            ("operandSegmentSizes", [_array("i32", slots)]),
        ]
        self._add_optional(parts)
        return parts

    def _add_optional(self, parts: Parts) -> None:
        if any(mode is not None for mode in self.modes):
            modes: list[Piece] = []
            for number, mode in enumerate(self.modes):
                modes += [", " if number else "", *(mode or [f'"{_DEFAULT}"'])]
            parts.attributes.append(("modes", ["[", *modes, "]"]))
        if any(self.wraps):
            wraps = ", ".join("true" if wrap else "false" for wrap in self.wraps)
            parts.attributes.append(("wrap_negative", [f"array<i1: {wraps}>"]))
        if any(fill is not None for fill in self.fills):
            fills: list[Piece] = []
            for number, fill in enumerate(self.fills):
                fills += [", " if number else "", *(fill or ["unit"])]
            parts.attributes.append(("fill_values", ["[", *fills, "]"]))

    def _names(self) -> None:
        self.text.expect("(", " before the iteration dims")
        for _ in self.text.entries(")", "an iteration dim"):
            self._name(self.dims, "an iteration dim")

    def _name(self, names: list[str], what: str) -> None:
        at = self.text.position
        name = self.text.word(f"the name of {what}")
        if name in self.dims or name in self.symbols:
            raise self.text.fail(f"'{name}' names two things", at)
        if name in _RESERVED:
            raise self.text.fail(f"'{name}' is a word of affine maps, not a name", at)
        names.append(name)

    def _coordinates(self) -> None:
        """What stands in brackets: symbols and the operands that hold them."""
        text, before = self.text, ""
        if text.takes("]"):
            return
        while True:
            is_named = text.peek() != "%"
            if is_named:
                self._name(self.symbols, "a symbol")
                text.expect("=", f" after the symbol '{self.symbols[-1]}'")
            start, end = text.value("indices")
            value = text.text[start:end]
            if value != before:
                self.indices.append((start, end))
                self.coordinates.append([])
            before = value
            if is_named:
                self.coordinates[-1].append(text.inside("[", f" after '{value}'"))
                self._entry()
            if text.takes("]"):
                return
            if text.takes(";"):
                before = ""
            else:
                text.expect(",", " or ']' after a symbol")

    def _entry(self) -> None:
        """How the coordinates of a symbol are treated."""
        text = self.text
        self.modes.append(None)
        self.wraps.append(False)
        while word := text.peek_word():
            at = text.position
            text.word(word)
            if (word == "mode" and self.modes[-1]) or (word == "wrap_negative" and self.wraps[-1]):
                raise text.fail(f"has '{word}' of the symbol '{self.symbols[-1]}' twice", at)
            if word == "mode":
                start, end = text.one_inside("(", word)
                quote = "" if text.text[start] == '"' else '"'
                self.modes[-1] = [quote, (start, end), quote]
            elif word == "wrap_negative":
                self.wraps[-1] = True
            else:
                raise text.no_such("clause of a symbol", word, sorted(_ENTRY), at)

    def _accesses(self, word: str) -> list[tuple[Span, Span]]:
        text = self.text
        text.word(word)
        text.expect("(", f" after '{word}'")
        found: list[tuple[Span, Span]] = []
        for _ in text.entries(")", f"an operand of '{word}'"):
            value = text.value(word)
            found.append((value, text.inside("[", f" after '{text.text[slice(*value)]}'")))
            if word == "ins":
                self.fills.append(None)
                if text.peek_word() == "fill":
                    text.word("fill")
                    self.fills[-1] = [text.one_inside("(", "fill")]
        return found

    def _iterators(self) -> dict[str, list[Piece]]:
        text = self.text
        text.word("iterators")
        text.expect("(", " after 'iterators'")
        found: dict[str, list[Piece]] = {}
        for _ in text.entries(")", "an iterator"):
            text.skip()
            at = text.position
            dim = text.word("an iteration dim")
            if dim not in self.dims:
                raise text.no_such("iteration dim", dim, self.dims, at)
            if dim in found:
                raise text.fail(f"has the iterator of '{dim}' twice", at)
            text.expect("=", f" after '{dim}'")
            text.skip()
            at = text.position
            text.word("parallel or reduction")
            found[dim] = [(at, text.position)]
        return found

    def _maps(self, expressions: list[Span]) -> list[Piece]:
        symbols = f"[{', '.join(self.symbols)}]" if self.symbols else ""
        head = f"affine_map<({', '.join(self.dims)}){symbols} -> ("
        pieces: list[Piece] = ["["]
        known = {*self.dims, *self.symbols, *_OPERATORS}
        for number, each in enumerate(expressions):
            for name in _NAME.finditer(scanner.on_one_line(self.text.text[slice(*each)])):
                if name[0] not in known:
                    names = [*self.dims, *self.symbols]
                    at = each[0] + name.start()
                    raise self.text.no_such("dim or symbol", name[0], names, at)
            pieces += [", " if number else "", head, each, ")>"]
        return [*pieces, "]"]
