"""Locations of a text that was parsed from memory: the name of its file, and places in it."""

from collections.abc import Callable
from typing import Any

from mlir_gs.dialect._bindings import ir

ANONYMOUS = "-"
"""What the bindings call a text that comes from no file."""

Place = Callable[[int, int], tuple[int, int]]
"""Line and column, both from 1, for those in the text that was parsed."""


def relocate(operation: Any, name: str, place: Place) -> None:
    """Give what `operation` holds the file name `name`, and the line and column that `place` gives,
    where it has a location in a text without a name."""
    # Not recursive: an input may nest deeper than Python calls.
    waiting = [operation]
    with operation.context:
        while waiting:
            outer = waiting.pop()
            outer.location = _relocated(outer.location, name, place)
            for region in outer.regions:
                for block in region.blocks:
                    for argument in block.arguments:
                        argument.set_location(_relocated(argument.location, name, place))
                    waiting += [inner.operation for inner in block.operations]


def _relocated(location: Any, name: str, place: Place) -> Any:
    if isinstance(location, ir.FileLineColLoc):
        if location.filename != ANONYMOUS:
            return location
        return ir.Location.file(name, *place(location.start_line, location.start_col))
    if isinstance(location, ir.NameLoc):
        return ir.Location.name(location.name_str, _relocated(location.child_loc, name, place))
    if isinstance(location, ir.FusedLoc):
        inner = [_relocated(each, name, place) for each in location.locations]
        return ir.Location.fused(inner, location.metadata)
    if isinstance(location, ir.CallSiteLoc):
        return ir.Location.callsite(
            _relocated(location.callee, name, place), [_relocated(location.caller, name, place)]
        )
    return location
