"""A text and what each pass of a pipeline makes of it, computed as far as somebody looks.

What has been computed stays until what comes before it changes.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import in_words_of
from mlir_gs.frontend.languages import know_languages
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, PipelineError
from mlir_gs.lowering.ir.builders import walk, walk_named
from mlir_gs.lowering.passes import explain
from mlir_gs.lowering.passes.diagnostics import error_text
from mlir_gs.lowering.passes.registry import run_pipeline
from mlir_gs.lowering.scf import schedule
from mlir_gs.tools.explore.changes import changes
from mlir_gs.tools.explore.listing import Places, listing, located_here, places, places_in

_LOOPS, _SCHEDULE = "convert-gs-to-scf", "gs-schedule"


@dataclass
class Problem(Exception):
    """The text or a pass is wrong; `step` is 0 for the text, else the number of the pass."""

    step: int
    text: str


@dataclass
class _Step:
    """The module after a pass, and what the pass noted."""

    module: Any
    seconds: float = 0.0
    changed: bool = False
    notes: list[explain.Note] = field(default_factory=list)


class Steps:
    """`doing` is told what is being done."""

    def __init__(self, doing: Callable[[str], object]) -> None:
        self._doing = doing
        self._source = ("", "")
        self._knobs: dict[str, str] = {}
        self._passes: list[str] = []
        self._steps: list[_Step] = []
        self._seen: dict[tuple[int, str], Any] = {}

    def update(self, name: str, text: str, passes: Sequence[str], knobs: dict[str, str]) -> None:
        """Look at this text from now on, after these passes. `knobs` are schedules of ops by their
        places, `line:column`, which are set before the loops are made. Raises Problem."""
        if (name, text) != self._source or not self._steps:
            self._source, self._steps, self._passes = ("", ""), [], []
            module = self._parsed(name, text)
            self._source, self._steps = (name, text), [_Step(module)]
        same = 0
        for mine, other in zip(self._passes, passes, strict=False):
            if mine != other or (_name(mine) in (_LOOPS, _SCHEDULE) and knobs != self._knobs):
                break
            same += 1
        del self._steps[same + 1 :]
        self._passes, self._knobs = list(passes), dict(knobs)
        self._seen = {key: one for key, one in self._seen.items() if key[0] <= same}

    def _parsed(self, name: str, text: str) -> Any:
        self._doing(f"reading {name}")
        data = located_here(text).encode("utf-8", "surrogatepass")
        try:
            self._seen = {}
            self._data = data
            return parse(data, execution.context_for(data), name=name).operation
        except ParseError as error:
            raise Problem(0, str(error)) from None
        except ir.MLIRError as error:
            raise Problem(0, error_text(error)) from None

    def after(self, number: int) -> Any:
        """The module after so many passes. Raises Problem for one that fails on the way."""
        while len(self._steps) <= number:
            self._run(len(self._steps))
        return self._steps[number].module

    def _run(self, number: int) -> None:
        before, text = self._steps[number - 1], self._passes[number - 1]
        self._doing(f"running pass {number}, {_name(text)}")
        module = before.module.clone()
        start = time.perf_counter()
        with explain.collecting() as notes:
            self._apply(number, text, module)
        seconds = time.perf_counter() - start
        changed = _printed(module) != _printed(before.module)
        self._steps.append(_Step(module, seconds, changed, list(dict.fromkeys(notes))))

    def _apply(self, number: int, text: str, module: Any, verify: bool = True) -> None:
        know_languages(module.context, text)
        with module.context, ir.Location.unknown():
            try:
                if _name(text) in (_LOOPS, _SCHEDULE):
                    self._set_schedules(module)
                run_pipeline(module, text, verify_each=verify)
            except PipelineError as error:
                raise Problem(number, error.reason) from None
            except PassFailure as error:
                raise Problem(number, self._in_words(str(error).strip())) from None

    def _in_words(self, text: str) -> str:
        """Diagnostics at places of the text in the names that it gives."""

        def line_of(line: str) -> str:
            found = re.match(r"(.*?):(\d+):(\d+): ", line)
            if found is None or found[1] != self._source[0]:
                return line
            return in_words_of(self._data, int(found[2]), int(found[3]), line)

        return "\n".join(map(line_of, text.split("\n")))

    def _set_schedules(self, module: Any) -> None:
        if not self._knobs:
            return
        ops = walk_named(module, "gs.generic")
        for op, found in zip(ops, (_places_of(op, self._source[0]) for op in ops), strict=True):
            for place in found:
                if place in self._knobs:
                    try:
                        attribute = ir.Attribute.parse(self._knobs[place])
                    except (ir.MLIRError, ValueError) as error:
                        raise PassFailure(f"the schedule of the op at {place}: {error}") from None
                    op.attributes[schedule.ATTRIBUTE] = attribute

    def computed(self) -> list[dict[str, Any]]:
        """Of each pass that has run: its time in seconds, and whether it changed anything."""
        return [{"seconds": one.seconds, "changed": one.changed} for one in self._steps[1:]]

    def notes(self) -> list[tuple[int, explain.Note]]:
        """What the passes noted, with the number of the pass."""
        return [(number, note) for number, one in enumerate(self._steps) for note in one.notes]

    def shown(self, number: int, compared: bool) -> dict[str, Any]:
        """The text after a pass; if `compared` with the changes of each op, and the text before it.
        Raises Problem."""
        module = self.after(number)
        is_changed = number > 0 and self._steps[number].changed
        if is_changed and not compared:
            return {"after": self._side(module, None), "partly": True}
        if (number, "shown") not in self._seen:
            if is_changed:
                self._doing(f"comparing the IR before and after pass {number}")
                before = self._steps[number - 1].module
                old, new = changes(
                    before,
                    module,
                    lambda copy: self._apply(number, self._passes[number - 1], copy, verify=False),
                )
                found = {"after": self._side(module, new), "before": self._side(before, old)}
            else:
                found = {"after": self._side(module, None)}
            self._seen[number, "shown"] = found
        return self._seen[number, "shown"]

    def _side(self, module: Any, found: Any) -> dict[str, Any]:
        printed = listing(module)
        where = places(module, self._source[0])
        ops = []
        for number, ((first, last), at) in enumerate(zip(printed.lines, where, strict=True)):
            change = found[number] if found else None
            kind, of, what = (change.kind, change.of, change.what) if change else ("", [], "")
            ops.append([first, last, at, kind, of, what])
        return {"text": printed.text, "ops": ops}

    def followed(self, line: int, column: int) -> dict[str, Any]:
        """The op at a place of the text, or the last before it, and after each pass that has run
        the ops that come from it: the number of the pass, and names with how many there are, where
        these are others than before."""
        every = sorted({at for _, all_ in self._placed(0) for at in all_ if at[0] <= line})
        if not every:
            return {"place": None, "followed": []}
        # Names of results stand before their op.
        on_line = [at for at in every if at[0] == line] or every[-1:]
        place = max((at for at in on_line if at <= (line, column)), default=on_line[0])
        found: list[list[Any]] = []
        for number, step in enumerate(self._steps):
            if number and not step.changed:
                continue
            counts = Counter(name for name, at in self._placed(number) if place in at)
            if not found or found[-1][1] != counts:
                found.append([number, counts])
        return {"place": place, "followed": found}

    def _placed(self, number: int) -> list[tuple[str, Places]]:
        """The ops after a pass, with the places of the text that they come from."""
        if not self._steps:
            return []
        key = (number, "places")
        if key not in self._seen:
            module = self._steps[number].module
            names = [op.name for op in walk(module)]
            self._seen[key] = list(zip(names, places(module, self._source[0]), strict=True))
        return self._seen[key]

    def schedules(self) -> list[dict[str, Any]]:
        """What the loops of each op are to use, by the op's place, as text and entry by entry;
        nothing where the pipeline makes no loops. Raises Problem."""
        at = next((n for n, text in enumerate(self._passes, 1) if _name(text) == _LOOPS), 0)
        if not at:
            return []
        module = self.after(at - 1).clone()
        text = self._passes[at - 1].replace(_LOOPS, _SCHEDULE)
        with explain.collecting():
            self._apply(at, text, module)
        found = []
        for op in walk_named(module, "gs.generic"):
            where = _places_of(op, self._source[0])
            if where and schedule.ATTRIBUTE in op.attributes:
                attribute = op.attributes[schedule.ATTRIBUTE]
                entries = {each.name: _plain(each.attr) for each in attribute}
                found.append({"place": where[0], "text": str(attribute), "entries": entries})
        return found


def _plain(attribute: Any) -> Any:
    """A schedule's entry as JSON."""
    if isinstance(attribute, ir.DictAttr):
        return {each.name: _plain(each.attr) for each in attribute}
    return attribute.value


def _name(text: str) -> str:
    return re.split(r"[{(]", text, maxsplit=1)[0].strip()


def _printed(module: Any) -> bytes:
    return module.get_asm(binary=True, assume_verified=True, print_generic_op_form=True)


def _places_of(op: Any, name: str) -> list[str]:
    """Where an op comes from, as `line:column`."""
    return [f"{line}:{column}" for line, column in places_in(str(op.location), name)]
