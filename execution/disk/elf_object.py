"""Relocatable ELF objects for x86-64, as LLVM writes them: sections, symbols, relocations."""

import struct
from dataclasses import dataclass, field

ALLOC, WRITE, EXECUTE = 0x2, 0x1, 0x4
"""Section flags."""

NOBITS = 8
"""The section type of zeroes that take no room in the file."""

LOCAL, GLOBAL, WEAK = 0, 1, 2
"""How symbols bind."""

_SYMTAB, _RELA = 2, 4
_HIDDEN = 2
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_X86_64 = 62
RESERVED = 0xFF00
"""Numbers of sections from here on say something else: that a symbol's value is absolute."""
_RELOCATABLE = 1


class ObjectError(Exception):
    """An object that this reader does not take; the text is one line."""


@dataclass
class Relocation:
    """`addend` plus `symbol`, a number, goes to `offset` of a section in the form `kind`."""

    offset: int
    kind: int
    symbol: int
    addend: int


@dataclass
class Section:
    """A section with its contents; `size` counts for `NOBITS`."""

    name: str
    kind: int
    flags: int
    alignment: int
    size: int
    data: bytearray
    relocations: list[Relocation] = field(default_factory=list)


@dataclass(frozen=True)
class Symbol:
    """A symbol; `section` is a section's number, 0 where it is not defined.

    `kind` is 1 for data and 2 for a function, `hidden` says that no other library sees it.
    """

    name: str
    binding: int
    kind: int
    hidden: bool
    section: int
    value: int
    size: int


@dataclass(frozen=True)
class Object:
    """All of an object; sections and symbols by their numbers in it."""

    sections: list[Section]
    symbols: list[Symbol]


def read_object(data: bytes) -> Object:
    """The parts of an object. Raises ObjectError for anything but one for x86-64."""
    if len(data) < _HEADER.size or data[:6] != b"\x7fELF\x02\x01":
        raise ObjectError("not a little-endian 64-bit ELF file")
    _, kind, machine, _, _, _, table, _, _, _, _, size, count, names = _HEADER.unpack_from(data)
    if kind != _RELOCATABLE or machine != _X86_64:
        raise ObjectError("not a relocatable object for x86-64")
    headers = [_SECTION.unpack_from(data, table + number * size) for number in range(count)]

    def contents(number: int) -> bytes:
        _, section_kind, _, _, offset, length, *_ = headers[number]
        return b"" if section_kind == NOBITS else data[offset : offset + length]

    strings = contents(names)
    sections = [
        Section(_string(strings, h[0]), h[1], h[2], max(h[8], 1), h[5], bytearray(contents(number)))
        for number, h in enumerate(headers)
    ]
    symbols: list[Symbol] = []
    for number, header in enumerate(headers):
        if header[1] == _SYMTAB:
            symbols = _symbols(contents(number), contents(header[6]))
        elif header[1] == _RELA:
            for offset, info, addend in _RELOCATION.iter_unpack(contents(number)):
                entry = Relocation(offset, info & 0xFFFFFFFF, info >> 32, addend)
                sections[header[7]].relocations.append(entry)
    return Object(sections, symbols)


def _symbols(table: bytes, strings: bytes) -> list[Symbol]:
    return [
        Symbol(_string(strings, name), info >> 4, info & 15, other & 3 != 0, section, value, size)
        for name, info, other, section, value, size in _SYMBOL.iter_unpack(table)
    ]


def _string(strings: bytes, start: int) -> str:
    return strings[start : strings.index(b"\0", start)].decode()


def hide_symbols(data: bytes, prefix: str) -> bytes:
    """The object with the symbols of a prefix hidden from other libraries; what is no such object
    as it is."""
    try:
        read_object(data)
    except ObjectError:
        return data
    changed = bytearray(data)
    fields = _HEADER.unpack_from(data)
    table, size, count = fields[6], fields[11], fields[12]
    headers = [_SECTION.unpack_from(data, table + number * size) for number in range(count)]
    for header in headers:
        if header[1] != _SYMTAB:
            continue
        names = headers[header[6]]
        strings = data[names[4] : names[4] + names[5]]
        for place in range(header[4], header[4] + header[5], _SYMBOL.size):
            name, _, other, *_ = _SYMBOL.unpack_from(data, place)
            if _string(strings, name).startswith(prefix):
                changed[place + 5] = other & ~3 | _HIDDEN
    return bytes(changed)
