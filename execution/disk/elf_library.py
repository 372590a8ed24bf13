"""Shared libraries of an object, without a linker: ELF for x86-64 Linux.

LLVM's code for the execution engine reaches everything through 64-bit offsets, so few kinds of
relocation are needed. The library is three segments: what is read, what is run, what is written.
Symbols that the object lacks are left to the dynamic loader.
"""

import os
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlir_gs.execution.disk.elf_object import (
    ALLOC,
    EXECUTE,
    GLOBAL,
    NOBITS,
    RESERVED,
    WRITE,
    Object,
    ObjectError,
    Section,
    read_object,
)
from mlir_gs.execution.disk.elf_versions import Table, versions

_PAGE = 0x1000
_ABS64, _PC32, _PC64, _GOTOFF64, _GOT64, _GOTPC64 = 1, 2, 24, 25, 27, 29
_GLOB_DAT, _RELATIVE = 6, 8
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551
_ABSOLUTE = 0xFFF1
_NEEDED, _HASH, _STRTAB, _SYMTAB, _RELA, _RELASZ, _RELAENT = 1, 4, 5, 6, 7, 8, 9
_SECTIONS = (
    (".text", 1, 0x6, 0, 0),
    (".dynsym", 11, 0x2, 3, 24),
    (".dynstr", 3, 0x2, 0, 0),
    (".hash", 5, 0x2, 2, 4),
    (".gnu.version", 0x6FFFFFFF, 0x2, 2, 2),
    (".gnu.version_r", 0x6FFFFFFE, 0x2, 3, 0),
    (".rela.dyn", 4, 0x2, 2, 24),
    (".dynamic", 6, 0x3, 3, 16),
    (".shstrtab", 3, 0, 0, 0),
)
"""Of the file's sections the name, kind, flags, section that it refers to, and bytes of one
entry."""
_STRSZ, _SYMENT, _SONAME = 10, 11, 14
_VERSYM, _VERNEED, _VERNEEDNUM = 0x6FFFFFF0, 0x6FFFFFFE, 0x6FFFFFFF


def link_library(
    code: bytes, name: str, exported: Collection[str], needed: Sequence[str] = ()
) -> bytes:
    """A shared library of an object.

    `name` is its own name for the dynamic loader, `needed` are those of the libraries to load
    before it. Visible from outside are the symbols `exported`, also those local to it.
    Raises ObjectError for what it cannot link.
    """
    return _Library(read_object(code), name, exported, needed).write()


@dataclass
class _Part:
    """A section in the library: `segment` is 0 (read), 1 (run) or 2 (written)."""

    section: Section
    segment: int
    address: int = 0


def needed(libraries: Sequence[str]) -> list[str]:
    """The names by which the dynamic loader looks for libraries; libm and libc are added."""
    own = [Path(library).name for library in libraries]
    is_glibc = "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", {})
    return [*own, "libm.so.6", "libc.so.6"] if is_glibc else own


def _up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment


class _Strings:
    def __init__(self) -> None:
        self.data = bytearray(b"\0")

    def add(self, text: str) -> int:
        start = len(self.data)
        self.data += text.encode() + b"\0"
        return start


class _Library:
    def __init__(
        self, obj: Object, name: str, exported: Collection[str], needed: Sequence[str]
    ) -> None:
        self.object = obj
        self.strings = _Strings()
        self.needed = [self.strings.add(library) for library in needed]
        self.name = self.strings.add(name)
        self.parts = {
            number: _Part(section, _segment(section))
            for number, section in enumerate(obj.sections)
            if section.flags & ALLOC and section.size
        }
        self.dynamic_symbols: list[int] = []
        """Numbers of the object's symbols that the loader has to know, in order."""
        self.slots: dict[int, int] = {}
        """By symbol, its slot in the table of addresses."""
        relocations = [r for part in self.parts.values() for r in part.section.relocations]
        for relocation in relocations:
            if relocation.kind == _GOT64:
                self.slots.setdefault(relocation.symbol, len(self.slots))
        used = {r.symbol for r in relocations if r.kind != _GOTPC64}
        for number, symbol in enumerate(obj.symbols):
            if symbol.name in exported if symbol.section else number in used:
                self.dynamic_symbols.append(number)
        self.places = {number: k + 1 for k, number in enumerate(self.dynamic_symbols)}
        self.names = [self.strings.add(obj.symbols[n].name) for n in self.dynamic_symbols]
        symbols = [obj.symbols[number] for number in self.dynamic_symbols]
        known = versions([each.name for each in symbols if not each.section], needed)
        wanted = [None if each.section else known.get(each.name) for each in symbols]
        self.versions = Table(wanted, self.strings.add)

    def write(self) -> bytes:
        """The file. An address in memory is the offset in the file."""
        symbol_count = len(self.dynamic_symbols) + 1
        relocation_count = len(self.slots) + sum(
            r.kind == _ABS64 for part in self.parts.values() for r in part.section.relocations
        )
        at = 64 + 56 * 5
        self.symtab = _up(at, 8)
        self.strtab = self.symtab + 24 * symbol_count
        self.hash = _up(self.strtab + len(self.strings.data), 8)
        self.versym = self.hash + 4 * (2 + 1 + symbol_count)
        self.verneed = _up(self.versym + len(self.versions.of_symbols), 8)
        self.rela = _up(self.verneed + len(self.versions.needs), 8)
        self.rela_size = 24 * relocation_count
        ends = []
        at = self.rela + self.rela_size
        for segment in range(3):
            start = 0 if segment == 0 else _up(at, _PAGE)
            at = at if segment == 0 else start
            if segment == 2:
                self.got = at
                self.dynamic = _up(self.got + 8 * len(self.slots), 16)
                at = self.dynamic + 16 * (len(self.needed) + 13)
            at = self._place(segment, at, zeroes=False)
            filled = at
            at = self._place(segment, at, zeroes=True)
            ends.append((start, filled, at))
        self.image = bytearray(ends[2][1])
        for part in self.parts.values():
            if part.section.kind != NOBITS:
                self._put(part.address, bytes(part.section.data))
        self._put(self.rela, self._relocate())
        self._put(self.symtab, self._symbols())
        self._put(self.strtab, bytes(self.strings.data))
        self._put(self.hash, self._hash(symbol_count))
        self._put(self.versym, self.versions.of_symbols)
        self._put(self.verneed, self.versions.needs)
        dynamic = self._dynamic()
        self._put(self.dynamic, dynamic)
        table = self._section_table(ends, symbol_count, len(dynamic))
        self._put(0, self._headers(ends, len(dynamic)))
        return bytes(self.image) + table

    def _put(self, address: int, data: bytes) -> None:
        self.image[address : address + len(data)] = data

    def _place(self, segment: int, at: int, zeroes: bool) -> int:
        for part in self.parts.values():
            if part.segment == segment and (part.section.kind == NOBITS) == zeroes:
                part.address = _up(at, part.section.alignment)
                at = part.address + part.section.size
        return at

    def _address(self, number: int) -> int | None:
        """Where a symbol is; None if it is not here."""
        symbol = self.object.symbols[number]
        if symbol.section == _ABSOLUTE:
            return symbol.value
        if not symbol.section:
            return None
        if symbol.section not in self.parts:
            empty = self.object.sections[symbol.section] if symbol.section < RESERVED else None
            if empty is None or empty.size:
                raise ObjectError(f"symbol '{symbol.name}' is in no section that is loaded")
            return self.got
        return self.parts[symbol.section].address + symbol.value

    def _relocate(self) -> bytes:
        """Fill in what is known now; returns the relocations that are left to the loader."""
        left = bytearray()
        for number, slot in self.slots.items():
            left += self._absolute(number, self.got + 8 * slot, 0, _GLOB_DAT)
        for part in self.parts.values():
            for r in part.section.relocations:
                place = part.address + r.offset
                if r.kind == _ABS64:
                    left += self._absolute(r.symbol, place, r.addend, _ABS64)
                    continue
                value, size = self._value(r.kind, r.symbol, place, r.addend)
                if size == 4 and not -(2**31) <= value < 2**31:
                    raise ObjectError("a relocation is out of reach")
                self._put(place, (value & (2 ** (8 * size) - 1)).to_bytes(size, "little"))
        return bytes(left)

    def _absolute(self, number: int, place: int, addend: int, kind: int) -> bytes:
        """A relocation for the address of a symbol, by the loader's base or by name."""
        address = self._address(number)
        if address is not None:
            return struct.pack("<QQq", place, _RELATIVE, address + addend)
        return struct.pack("<QQq", place, self.places[number] << 32 | kind, addend)

    def _value(self, kind: int, number: int, place: int, addend: int) -> tuple[int, int]:
        if kind == _GOT64:
            return 8 * self.slots[number] + addend, 8
        if kind == _GOTPC64:
            return self.got + addend - place, 8
        address = self._address(number)
        name = self.object.symbols[number].name
        if address is None or kind not in (_PC32, _PC64, _GOTOFF64):
            raise ObjectError(f"relocation of kind {kind} to '{name}' is not one that is known")
        if kind == _GOTOFF64:
            return address + addend - self.got, 8
        return address + addend - place, 4 if kind == _PC32 else 8

    def _symbols(self) -> bytes:
        table = bytearray(24)
        for name, number in zip(self.names, self.dynamic_symbols, strict=True):
            symbol = self.object.symbols[number]
            address = self._address(number)
            section = 0 if address is None else 1
            info = max(symbol.binding, GLOBAL) << 4 | (symbol.kind if symbol.section else 0)
            table += struct.pack("<IBBHQQ", name, info, 0, section, address or 0, symbol.size)
        return bytes(table)

    def _hash(self, symbol_count: int) -> bytes:
        """A table of one bucket: there are a handful of symbols."""
        first = 1 if symbol_count > 1 else 0
        chain = [0, *range(2, symbol_count), 0][:symbol_count]
        return struct.pack(f"<{3 + symbol_count}I", 1, symbol_count, first, *chain)

    def _dynamic(self) -> bytes:
        entries = [(_NEEDED, name) for name in self.needed]
        entries += [
            (_SONAME, self.name),
            (_HASH, self.hash),
            (_STRTAB, self.strtab),
            (_SYMTAB, self.symtab),
            (_STRSZ, len(self.strings.data)),
            (_SYMENT, 24),
        ]
        if self.versions.count:
            entries += [
                (_VERSYM, self.versym),
                (_VERNEED, self.verneed),
                (_VERNEEDNUM, self.versions.count),
            ]
        if self.rela_size:
            entries += [(_RELA, self.rela), (_RELASZ, self.rela_size), (_RELAENT, 24)]
        return b"".join(struct.pack("<QQ", *entry) for entry in [*entries, (0, 0)])

    def _headers(self, ends: list[tuple[int, int, int]], dynamic_size: int) -> bytes:
        sections = _up(ends[2][1], 8)
        head = struct.pack(
            "<16sHHIQQQIHHHHHH",
            *(b"\x7fELF\x02\x01\x01", 3, 62, 1, 0, 64, sections, 0, 64, 56, 5, 64),
            *(len(_SECTIONS) + 1, len(_SECTIONS)),
        )
        for (start, filled, end), flags in zip(ends, (4, 5, 6), strict=True):
            sizes = (filled - start, end - start)
            head += struct.pack("<IIQQQQQQ", _LOAD, flags, start, start, start, *sizes, _PAGE)
        place = (self.dynamic, self.dynamic, self.dynamic, dynamic_size, dynamic_size)
        head += struct.pack("<IIQQQQQQ", _DYNAMIC, 6, *place, 8)
        return head + struct.pack("<IIQQQQQQ", _STACK, 6, 0, 0, 0, 0, 0, 16)

    def _section_table(
        self, ends: list[tuple[int, int, int]], symbol_count: int, dynamic_size: int
    ) -> bytes:
        """What linkers and debuggers read; the loader does not. It starts at the next eighth
        byte."""
        filled = ends[2][1]
        start = _up(filled, 8)
        names = _Strings()
        places = {
            ".text": (ends[1][0], ends[1][1] - ends[1][0]),
            ".dynsym": (self.symtab, 24 * symbol_count),
            ".dynstr": (self.strtab, len(self.strings.data)),
            ".hash": (self.hash, 4 * (3 + symbol_count)),
            ".gnu.version": (self.versym, len(self.versions.of_symbols)),
            ".gnu.version_r": (self.verneed, len(self.versions.needs)),
            ".rela.dyn": (self.rela, self.rela_size),
            ".dynamic": (self.dynamic, dynamic_size),
            ".shstrtab": (start + 64 * (len(_SECTIONS) + 1), 0),
        }
        table = bytearray(64)
        listed = [(names.add(name), name, *rest) for name, *rest in _SECTIONS]
        for at, name, kind, flags, link, size_of_one in listed:
            place, size = places[name]
            size = len(names.data) if name == ".shstrtab" else size
            address = place if flags else 0
            info = {".dynsym": 1, ".gnu.version_r": self.versions.count}.get(name, 0)
            fields = (at, kind, flags, address, place, size, link, info, 8, size_of_one)
            table += struct.pack("<IIQQQQIIQQ", *fields)
        return bytes(start - filled) + bytes(table) + bytes(names.data)


def _segment(section: Section) -> int:
    if section.flags & EXECUTE:
        return 1
    return 2 if section.flags & WRITE else 0
