"""What the page asks for."""

import re
from collections.abc import Callable
from typing import Any

from mlir_gs.lowering import PipelineError
from mlir_gs.lowering.scf.table import STRATEGIES
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.explore import runs
from mlir_gs.tools.explore.pipeline import known, parts
from mlir_gs.tools.explore.steps import Problem, Steps
from mlir_gs.tools.picture.page import op_pictures


class Requests:
    """Answers one after another. `doing` is told what is being done."""

    def __init__(self, doing: Callable[[str], object]) -> None:
        self._doing = doing
        self._steps = Steps(doing)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request, by what is to be `do`ne. Raises UsageError."""
        return getattr(self, f"_{asked['do']}")(asked)

    def _about(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What is known of passes, and the pipeline that the page begins with."""
        about = {"passes": known(), "strategies": STRATEGIES}
        return about | (self._expand(asked) if asked.get("pipeline") is not None else {})

    def _expand(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A pipeline as a row of passes."""
        try:
            return {"row": parts(asked["pipeline"])}
        except PipelineError as error:
            raise UsageError(error.reason) from None
        except ValueError as error:
            raise UsageError(str(error)) from None

    def _update(self, asked: dict[str, Any]) -> None:
        self._steps.update(asked["name"], asked["text"], asked["passes"], asked.get("knobs", {}))

    def _show(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The IR after pass `at`, `compared` with that before, and what `also` names: pictures,
        schedules; `rest`: run the other passes too, to know what they change."""
        answer: dict[str, Any] = {"at": asked["at"]}
        also = asked.get("also", ())
        try:
            self._update(asked)
            if not asked.get("rest"):
                answer["shown"] = self._steps.shown(asked["at"], asked.get("compared", True))
                if "pictures" in also:
                    self._doing("drawing pictures")
                    module = self._steps.after(asked["at"])
                    answer["pictures"] = op_pictures(module, asked["name"])
            else:
                self._steps.after(len(asked["passes"]))
            if "schedules" in also:
                answer["schedules"] = self._steps.schedules()
        except Problem as problem:
            answer["problems"] = _problems(problem, asked["name"])
        answer["steps"] = self._steps.computed()
        answer["notes"] = [[number, *note] for number, note in self._steps.notes()]
        return answer

    def _signature(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What the function takes that the page would run."""
        try:
            self._steps.update(asked["name"], asked["text"], [], {})
        except Problem as problem:
            return {"problems": _problems(problem, asked["name"])}
        return runs.signature(self._steps.after(0), asked.get("entry", ""))

    def _run(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A run of what the passes make of the text."""
        try:
            self._update(asked)
            source, compiled = self._steps.after(0), self._steps.after(len(asked["passes"]))
        except Problem as problem:
            return {"problems": _problems(problem, asked["name"])}
        return runs.run(source, compiled, asked["run"], asked["name"], self._doing)

    def _follow(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What ops a place of the text has become after each pass."""
        return self._steps.followed(*asked["place"])


def _problems(problem: Problem, name: str) -> list[dict[str, Any]]:
    """Diagnostics with their places: line and column from 1, 0 where a place is not known."""
    found: list[dict[str, Any]] = []
    form = re.compile(rf"(?:{re.escape(name)}|-):(\d+):(\d+): (error|warning|note|remark): (.*)")
    for line in problem.text.split("\n"):
        match = form.fullmatch(line)
        if match:
            at, kind, text = (int(match[1]), int(match[2])), match[3], match[4]
            if not (kind == "note" and text.startswith("see current operation")):
                found.append({"line": at[0], "column": at[1], "kind": kind, "text": text})
        elif not found:
            text = re.sub(r"^<unknown>:0: error: ", "", line)
            found.append({"line": 0, "column": 0, "kind": "error", "text": text})
    return [{**one, "step": problem.step} for one in found]
