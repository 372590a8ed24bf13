"""What the function of a kernel says of itself, in attributes that print and parse.

    gs.kernel                  on the function that is called
    gs.arguments = [{type = tensor<?xf32>, name = "x", donated, unsigned, memref, written}, ...]
    gs.results = [{type = memref<?xf32>, sizes = [["size", 0, 0]], unsigned, scalar}, ...]
    gs.ranks, gs.disjoint      on this and other functions, see `gs-note-memory`
    gs.status                  the kernel, of the LLVM dialect, returns 0, or -1 after an error
    gs.tracked                 its allocations are in a list, to be freed after an error
    gs.sequential              parallel loops run on one thread
    gs.buffers, gs.loops       the passes that lead to these levels are done

`type` is of the value that a caller passes. `memref`: a caller gives memory that may be shared with
other arguments. `unsigned`: signless integers that a front end found unsigned. A result with
`sizes` is in memory that the caller gives; one with `argument = n` is that argument; the function
allocates any other. `scalar`: the caller wants the element of an array of rank 0. A size is a
number, or an operation with its operands: `["size", argument, dim]`, `["scalar", argument]`,
`["add", size, size]`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mlir_gs.dialect._bindings import ir

KERNEL = "gs.kernel"
ARGUMENTS = "gs.arguments"
RESULTS = "gs.results"
RANKS, DISJOINT = "gs.ranks", "gs.disjoint"
STATUS, TRACKED = "gs.status", "gs.tracked"
UNSIGNED = "gs.unsigned"
"""On an argument or result: integers that a front end has made signless."""
WRITABLE = "bufferization.writable"

Record = dict[str, Any]
"""The attributes of one argument or result."""


def kernel_of(module: Any, *with_attributes: str) -> Any:
    """The function of the kernel, if `gs-choose-kernel` has chosen one and it has all of these
    attributes."""
    for op in module.regions[0].blocks[0].operations:
        attributes = op.operation.attributes
        if KERNEL in attributes:
            has_all = all(name in attributes for name in with_attributes)
            return op.operation if has_all else None
    return None


def records(function: Any, key: str) -> list[Record]:
    """What ARGUMENTS or RESULTS say, in order."""
    return [{one.name: one.attr for one in each} for each in function.attributes[key]]


def write(function: Any, key: str, found: Iterable[Mapping[str, Any]]) -> None:
    """Say it. An attribute that is False is left out, one that is True is a unit attribute."""
    function.attributes[key] = ir.ArrayAttr.get([ir.DictAttr.get(_kept(one)) for one in found])


def _kept(record: Mapping[str, Any]) -> Record:
    given = ((name, ir.UnitAttr.get() if a is True else a) for name, a in record.items())
    return {name: attribute for name, attribute in given if attribute is not False}


def dictionaries(function: Any, values: str, count: int) -> list[Record]:
    """The attributes of each argument (`arg_attrs`) or result (`res_attrs`), of which there are so
    many at least."""
    given = records(function, values) if values in function.attributes else []
    return given + [{} for _ in range(count - len(given))]


def mark_unsigned(function: Any, is_unsigned: Callable[[ir.Type], bool]) -> None:
    """UNSIGNED on the arguments and results of such types, which passes make signless then."""
    type_ = ir.TypeAttr(function.attributes["function_type"]).value
    for key, types in (("arg_attrs", type_.inputs), ("res_attrs", type_.results)):
        marks = [{UNSIGNED: True} if is_unsigned(each) else {} for each in types]
        if any(marks):
            given = dictionaries(function, key, len(types))
            write(function, key, [a | b for a, b in zip(given, marks, strict=True)])
