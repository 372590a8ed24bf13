"""Which passes have something to do: by the names of the ops that a module has.

`gs-if` runs passes where a condition holds. A pass says in `only_with` without which ops it does
nothing. Both read the names of the module, which are found once for passes next to each other that
change nothing.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir

Condition = Callable[[Any], bool]

_conditions: dict[str, Condition] = {}


def register_condition(name: str) -> Callable[[Condition], Condition]:
    """Function decorator: `gs-if{when=name}` asks the function about the module."""

    def register(function: Condition) -> Condition:
        _conditions[name] = function
        return function

    return register


def has_any(names: Collection[str], starts: tuple[str, ...]) -> bool:
    """Whether one of `names` begins with one of `starts`."""
    return any(name.startswith(starts) for name in names)


def names_in(module: Any) -> set[str]:
    """The names of the ops in a module."""
    found: set[str] = set()
    add, go_on = found.add, ir.WalkResult.ADVANCE

    def visit(op: Any) -> Any:
        add(op.name)
        return go_on

    module.walk(visit)
    return found


class Names:
    """The names of the ops in a module, for passes that run one after the other."""

    def __init__(self) -> None:
        self._found: set[str] | None = None

    def of(self, module: Any) -> set[str]:
        """As they were before the first pass of these that has changed the module since."""
        if self._found is None:
            self._found = names_in(module)
        return self._found

    def forget(self) -> None:
        """The module is another one, or changed."""
        self._found = None


@dataclass(frozen=True)
class GsIf:
    """Run passes on modules for which a condition holds: `gs-if{has=linalg.}(cse,canonicalize)`.

    All options that are given must hold. Passes that are left out find nothing to do, or would do
    again what is done.
    """

    name: ClassVar[str] = "gs-if"
    has: tuple[str, ...] = field(
        default=(), metadata={"help": "some op's name begins with one of these"}
    )
    lacks: tuple[str, ...] = field(
        default=(), metadata={"help": "no op's name begins with one of these"}
    )
    unmarked: str = field(
        default="", metadata={"help": "no function of the module has this attribute"}
    )
    when: str = field(
        default="", metadata={"help": "a condition by name, such as may-merge or has-callees"}
    )

    def run(self, module: Any) -> None:
        """Nothing: the passes in parentheses run where `holds` says so."""

    def __post_init__(self) -> None:
        if self.when and self.when not in _conditions:
            raise ValueError(f"no condition '{self.when}' (there are: {', '.join(_conditions)})")

    def holds(self, module: Any, names: Names) -> bool:
        """Whether the passes are to run."""
        if self.unmarked and any(
            self.unmarked in op.operation.attributes for op in module.regions[0].blocks[0]
        ):
            return False
        if self.has and not has_any(names.of(module), self.has):
            return False
        if self.lacks and has_any(names.of(module), self.lacks):
            return False
        return not self.when or _conditions[self.when](module)
