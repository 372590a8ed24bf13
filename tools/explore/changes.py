"""What a pass has done to each op: kept, moved, rewritten, merged, new, erased.

The pass runs once more on a copy in which the location of each op is its number. Passes keep
locations, fuse them, or give an op that they make the location of the op that it is made for. The
rest is structure: names, attributes, types and operands are compared where numbers are equal.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir_gs.lowering.ir.builders import walk
from mlir_gs.tools.explore.listing import number_ops, numbers


@dataclass
class Change:
    """Of one op: `kind` is "" where it is as it was; `of` are the numbers of the ops on the other
    side of the pass, `what` says what is other about it."""

    kind: str = ""
    of: list[int] = field(default_factory=list)
    what: str = ""


@dataclass
class _Side:
    """The ops before or after the pass, by their numbers in the order of `walk`."""

    ops: list[Any]
    parents: list[int]
    definitions: dict[Any, tuple[int, int]]


def changes(
    before: Any, after: Any, run: Callable[[Any], object]
) -> tuple[list[Change], list[Change]]:
    """The changes of the ops of `before` and of `after`; `run` runs the pass on a copy."""
    copy = before.clone()
    number_ops(copy)
    run(copy)
    made = walk(copy)
    old, new = _side(before), _side(after)
    sources = [numbers(op.location) for op in made]
    if [op.name for op in made] != [op.name for op in new.ops]:
        # The pass looks at locations. Then those that the ops have must do.
        sources = _by_place(old, new)
    return _Comparison(old, new, sources).changes()


def _by_place(old: _Side, new: _Side) -> list[list[int]]:
    by_place: dict[str, list[int]] = defaultdict(list)
    for number, op in enumerate(old.ops):
        by_place[str(op.location)].append(number)
    return [by_place.get(str(op.location), []) for op in new.ops]


def _side(operation: Any) -> _Side:
    side = _Side(walk(operation), [], {})
    inside: dict[Any, int] = {}
    for number, op in enumerate(side.ops):
        side.parents.append(inside.get(op.block, -1))
        for position, result in enumerate(op.results):
            side.definitions[result] = (number, position)
        blocks = [block for region in op.regions for block in region.blocks]
        for place, block in enumerate(blocks):
            inside[block] = number
            for argument in block.arguments:
                side.definitions[argument] = (number, ~(place << 16 | argument.arg_number))
    return side


class _Comparison:
    def __init__(self, old: _Side, new: _Side, sources: list[list[int]]) -> None:
        self.old, self.new, self.sources = old, new, sources
        self.made_of: dict[int, list[int]] = defaultdict(list)
        for number, found in enumerate(sources):
            for one in found:
                self.made_of[one].append(number)
        self.old_of: dict[int, int] = {}
        self.new_of: dict[int, int] = {}
        self._keys: list[int] = []
        self._equal: dict[int, list[int]] = defaultdict(list)

    def changes(self) -> tuple[list[Change], list[Change]]:
        self._match()
        moved = self._moved()
        after = [self._after(number, number in moved) for number in range(len(self.new.ops))]
        before = [self._before(number, after) for number in range(len(self.old.ops))]
        for number, change in enumerate(before):
            if change.kind == "merged":
                for one in change.of:
                    after[one].kind = after[one].kind or "merged"
                    after[one].of = list(dict.fromkeys([*after[one].of, number]))
                    after[one].what = after[one].what or "stands for equal ops"
        return before, after

    def _match(self) -> None:
        """Give each op the one that it was: of the same location, name and, if several are,
        attributes and types."""
        for number, made in self.made_of.items():
            op = self.old.ops[number]
            same = [n for n in made if self.new.ops[n].name == op.name and n not in self.old_of]
            best = next((n for n in same if not self._difference(op, self.new.ops[n])), None)
            if best is None and same:
                best = same[0]
            if best is not None:
                self.old_of[best], self.new_of[number] = number, best

    def _difference(self, op: Any, other: Any) -> list[str]:
        found = []
        mine, its = _attributes(op), _attributes(other)
        # An attribute cannot be compared with None.
        same = {name for name in mine.keys() & its.keys() if mine[name] == its[name]}
        names = (mine.keys() | its.keys()) - same
        if names:
            found.append(f"attributes {', '.join(sorted(names))}")
        if [r.type for r in op.results] != [r.type for r in other.results]:
            found.append("types")
        return found

    def _operands(self, op: Any, other: Any) -> bool:
        """Whether the operands are others than they were, whatever they are called."""
        mine, its = list(op.operands), list(other.operands)
        if len(mine) != len(its):
            return True
        for a, b in zip(mine, its, strict=True):
            (old, at), (new, at_new) = self.old.definitions[a], self.new.definitions[b]
            if at != at_new:
                return True
            if self.new_of.get(old) != new and old not in self.sources[new]:
                return True
        return False

    def _after(self, number: int, is_moved: bool) -> Change:
        found, op = self.sources[number], self.new.ops[number]
        old = self.old_of.get(number)
        if len(found) > 1:
            return Change("merged", found, "made of " + self._names(found))
        if old is None:
            origin = f"from {self._names(found) or 'no op'}"
            return Change("rewritten" if found else "new", found, origin)
        difference = self._difference(self.old.ops[old], op)
        if self._operands(self.old.ops[old], op):
            difference.append("operands")
        if difference:
            return Change("rewritten", [old], f"other {', '.join(difference)}")
        return Change("moved", [old], "at another place") if is_moved else Change("", [old])

    def _names(self, found: Sequence[int]) -> str:
        return ", ".join(dict.fromkeys(self.old.ops[one].name for one in found))

    def _before(self, number: int, after: Sequence[Change]) -> Change:
        made = self.made_of.get(number, [])
        new = self.new_of.get(number)
        if new is not None:
            kind = after[new].kind
            return Change(kind, [new], after[new].what)
        if made:
            names = ", ".join(dict.fromkeys(self.new.ops[one].name for one in made))
            return Change("rewritten", made, f"into {names}")
        twin = self._twin(number)
        if twin is not None:
            return Change("merged", [twin], "into an equal op")
        return Change("erased")

    def _twin(self, number: int) -> int | None:
        """The op that is left of those that computed the same, if there is one."""
        if not self.old.ops[number].results:
            return None
        for other in self._equal[self._values()[number]]:
            if other in self.new_of:
                return self.new_of[other]
        return None

    def _values(self) -> list[Any]:
        """Of each op a key that ops which compute the same have in common."""
        if not self._keys:
            ids: dict[Any, int] = {}
            for number, op in enumerate(self.old.ops):
                inside = walk(op) if op.results and len(op.regions) else []
                key = tuple(self._key(one, number) for one in (op, *inside))
                self._keys.append(ids.setdefault(key, len(ids)))
                self._equal[self._keys[-1]].append(number)
        return self._keys

    def _key(self, op: Any, first: int) -> Any:
        """What `op` computes; it is the op of the number `first`, or in it."""

        def known(value: Any) -> Any:
            number, at = self.old.definitions[value]
            if number >= first:
                return "inside", number - first, at
            return ("result", self._keys[number], at) if at >= 0 else ("argument", number, at)

        attributes = sorted(_attributes(op).items(), key=lambda one: one[0])
        types = tuple(result.type for result in op.results)
        return op.name, tuple(attributes), types, tuple(map(known, op.operands))

    def _moved(self) -> set[int]:
        """Ops that are in another op than before, or before or behind others than before."""
        moved = set()
        siblings: dict[int, list[int]] = defaultdict(list)
        for number in range(len(self.new.ops)):
            old = self.old_of.get(number)
            if old is None:
                continue
            parent, before = self.new.parents[number], self.old.parents[old]
            is_inside = before < 0 or self.new_of.get(before, parent) == parent
            if is_inside or parent in self.made_of.get(before, ()):
                siblings[parent].append(number)
            else:
                moved.add(number)
        for inside in siblings.values():
            kept = _longest_rising([self.old_of[one] for one in inside])
            moved |= {one for one in inside if self.old_of[one] not in kept}
        return moved


def _attributes(op: Any) -> dict[str, Any]:
    attributes = op.attributes
    return {name: attributes[name] for name in attributes}


def _longest_rising(values: Sequence[int]) -> set[int]:
    """The values of a longest rising subsequence."""
    ends: list[int] = []
    at: list[int] = []
    before = [-1] * len(values)
    for number, value in enumerate(values):
        place = bisect_left(ends, value)
        before[number] = at[place - 1] if place else -1
        ends[place : place + 1], at[place : place + 1] = [value], [number]
    found, number = set(), at[-1] if at else -1
    while number >= 0:
        found.add(values[number])
        number = before[number]
    return found
