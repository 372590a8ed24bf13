"""The check that an output of a `gs.generic` on memrefs shares no element with another operand."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.sites import Numbers, Sites
from mlir_gs.lowering.checks.unique import Table, unravel
from mlir_gs.lowering.ir.builders import arith, memory_of, producer
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    any_of,
    both,
    compare,
    loop,
    memref,
    mul,
    product,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.passes.diagnostics import location_text


class Memory(NamedTuple):
    """An operand in memory: the address of its first element, sizes, strides in bytes."""

    start: Ix
    sizes: Sequence[Ix]
    strides: Sequence[Ix]
    width: int

    @classmethod
    def of(cls, value_: ir.Value) -> "Memory":
        rank = value_.type.rank
        _, offset, *rest = memref.extract_strided_metadata(value_)
        width = bytes_of(value_.type.element_type)
        pointer = memref.extract_aligned_pointer_as_index(value_)
        strides = [mul(stride, width) for stride in rest[rank:]]
        return cls(add(pointer, mul(offset, width)), list(rest[:rank]), strides, width)

    def ends(self) -> tuple[Ix, Ix]:
        """The lowest address and the one behind the highest; the same where there is nothing."""
        low, high = self.start, add(self.start, self.width)
        for size, stride in zip(self.sizes, self.strides, strict=True):
            far = mul(sub(size, 1), stride)
            low = add(low, arith.minsi(value(far), value(0)))
            high = add(high, arith.maxsi(value(far), value(0)))
        return low, high

    def each(self, body: Callable[[list[Ix], Ix, Ix], None]) -> None:
        """`body(position, its number, address)` for each byte of each element."""

        def visit(dim: int, at: list[Ix], number: Ix, address: Ix) -> None:
            if dim == len(self.sizes):
                loop(0, self.width, 1, lambda byte: body(at, number, add(address, byte)))
                return
            size, stride = self.sizes[dim], self.strides[dim]
            loop(0, size, 1, lambda i: visit(
                dim + 1, [*at, i], add(mul(number, size), i), add(address, mul(i, stride))
            ))  # fmt: skip

        visit(0, [], 0, self.start)


Pairs = list[tuple[ir.Value, ir.Value]]
"""Memrefs whose memory must not be shared."""

_FRESH = ("memref.alloc", "memref.alloca")


def apart_by_origin(a: ir.Value, b: ir.Value) -> bool:
    """Whether two memrefs share no memory because of what made them."""
    a, b = memory_of(a), memory_of(b)
    fresh = [producer(each, *_FRESH) is not None for each in (a, b)]
    if a == b or all(fresh):
        return a != b
    other = b if fresh[0] else a
    if any(fresh):
        # What an argument is was made before.
        block = other.owner
        given = isinstance(block, ir.Block) and block.owner.operation.name == "func.func"
        at_start = given and block == block.owner.operation.regions[0].blocks[0]
        return at_start or _global(other) is not None
    return None not in (_global(a), _global(b)) and _global(a) != _global(b)


def _global(value: ir.Value) -> str | None:
    made = producer(value, "memref.get_global")
    return None if made is None else str(made.attributes["name"])


def lie_apart(pairs: Pairs) -> ir.Value:
    """Whether the addresses of each pair lie apart."""
    ends = {ref: Memory.of(ref).ends() for ref in dict.fromkeys(sum(pairs, ()))}
    found: ir.Value | None = None
    for a, b in pairs:
        (a_low, a_high), (b_low, b_high) = ends[a], ends[b]
        apart = arith.ori(compare("sle", a_high, b_low), compare("sle", b_high, a_low))
        found = both(found, apart)
    assert found is not None
    return found


def check_overlap(op: ir.Operation, structure: Structure, sites: Sites, frees: bool) -> None:
    """Raise where an output shares an element with a different operand.

    An input that is the output's memory, addressed by the same map, is allowed. Where
    the ranges of addresses are disjoint, no elements are compared.
    """
    if len(op.results) > 0:
        return
    others = [*structure.inputs, *structure.coordinates, *structure.outputs]
    for number, output in enumerate(structure.outputs):
        done: list[ir.Value] = []
        for other in others:
            if other.value in done or other.name == output.name:
                continue
            if other in structure.outputs and structure.outputs.index(other) < number:
                continue
            done.append(other.value)
            maps = [each.map for each in others if each.value == other.value]
            in_place = other in structure.inputs and all(m == output.map for m in maps)
            if in_place and other.value == output.value:
                continue
            subject = f"'{op.name}' op, '{output.name}' and '{other.name}'"
            site = sites.add(f"{location_text(op.location)}: {subject}")
            _check_pair(Memory.of(output.value), Memory.of(other.value), in_place, site, sites,
                        frees)  # fmt: skip


def _check_pair(a: Memory, b: Memory, in_place: bool, site: int, sites: Sites, frees: bool) -> None:
    (a_low, a_high), (b_low, b_high) = a.ends(), b.ends()
    suspect = both(compare("slt", a_low, b_high), compare("slt", b_low, a_high))
    for size in (*a.sizes, *b.sizes):
        suspect = both(suspect, compare("sgt", size, 0))
    if in_place:
        # Not the same memory in the same layout.
        pairs = [(a.start, b.start), *zip(a.sizes, b.sizes, strict=True)]
        pairs += zip(a.strides, b.strides, strict=True)
        suspect = both(suspect, any_of([compare("ne", x, y) for x, y in pairs]))

    def look() -> None:
        table = Table(product([a.width, *a.sizes]))
        a.each(lambda _, number, address: table.insert(value(address), number, lambda _: None))

        def probe(at: list[Ix], _: Ix, address: Ix) -> None:
            def shared(number: ir.Value) -> None:
                groups = [
                    Numbers(unravel(number, a.sizes), True),
                    Numbers([value(x) for x in at], True),
                ]
                sites.raise_broken("overlap", site, groups)

            table.look(value(address), shared)

        b.each(probe)
        if frees:
            table.free()

    when(suspect, look)
