"""What is known of one file: what is wrong with it, its ops, where its values are defined."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.form import find
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering.ir.builders import walk
from mlir_gs.lowering.passes.diagnostics import error_text
from mlir_gs.tools.lsp.text import VALUE, Text, Token
from mlir_gs.tools.opt.split_input import DEFAULT_MARKER, split_input

_NAME = "-"
_DIAGNOSTIC = re.compile(rf"^{_NAME}:(\d+):(\d+): (error|warning|note): (.*)$")


class Problem(NamedTuple):
    """A diagnostic at an offset, and the notes that belong to it."""

    offset: int
    severity: str
    message: str
    notes: list["Problem"]


class Definition(NamedTuple):
    """Where a value gets its name, and the value, if the file could be read."""

    token: Token
    value: Any
    op: Any
    is_guess: bool = False


class Symbol(NamedTuple):
    """An op with a name, or one of ours: its name or "", its op's, where it starts and ends, and
    what is in it."""

    name: str
    op: str
    start: int
    end: int
    inner: list["Symbol"]


class Document:
    """A file as its text has it now. Parts between lines `// -----` are read one by one."""

    def __init__(self, text: str) -> None:
        self.text = Text(text)
        self.problems: list[Problem] = []
        self.ops: dict[int, Any] = {}
        """The ops that could be read, by the offsets of their names."""
        self._arguments: dict[int, Any] = {}
        # An op that was found by walking keeps its module alive no longer than that takes.
        self._modules: list[Any] = []
        data = text.encode("utf-8", "surrogatepass")
        context = execution.context_for(data)
        for chunk in split_input(data, DEFAULT_MARKER)[0]:
            # As many lines come first as in the file.
            self._read(b"\n" * (chunk.line - 1) + chunk.text, context)
        self._places = sorted(self.ops)
        self._named: dict[str, list[Definition]] = defaultdict(list)
        for each in self._definitions():
            self._named[each.token.name].append(each)

    def _read(self, data: bytes, context: Any) -> None:
        try:
            module = parse(data, context, name=_NAME)
        except ParseError as error:
            self.problems += self._problems(str(error))
            return
        except ir.MLIRError as error:
            self.problems += self._problems(error_text(error))
            return
        self._modules.append(module)
        for op in walk(module.operation):
            # The first that says so: an op before those in it.
            self._note(self.ops, op.location, op)
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.arguments:
                        self._note(self._arguments, argument.location, argument)

    def _note(self, places: dict[int, Any], location: Any, what: Any) -> None:
        offset = self._offset(location)
        if offset is not None:
            places.setdefault(offset, what)

    def _offset(self, location: Any) -> int | None:
        if isinstance(location, ir.FileLineColLoc) and location.filename == _NAME:
            return self.text.offset(location.start_line, location.start_col)
        return None

    def _problems(self, text: str) -> Iterator[Problem]:
        last: Problem | None = None
        for line in text.split("\n"):
            found = _DIAGNOSTIC.match(line)
            if found is None and last is not None:
                continue
            place, severity, message = (1, 1), "error", line
            if found is not None:
                place, severity, message = (int(found[1]), int(found[2])), found[3], found[4]
            problem = Problem(self.text.offset(*place), severity, message, [])
            if severity != "note" or last is None:
                last = problem
                yield problem
            elif not message.startswith("see current operation"):
                last.notes.append(problem)

    def _definitions(self) -> Iterator[Definition]:
        results = {result.start: result for result in self.text.results}
        for token in self.text.tokens:
            result = results.get(token.start)
            if result is not None:
                op = self._op_at(result.op)
                values = [] if op is None else list(op.results)
                known = result.first < len(values)
                yield Definition(token, values[result.first] if known else None, op)
            elif token.start in self._arguments:
                yield Definition(token, self._arguments[token.start], None)
            elif self.text.text.startswith(":", token.end):
                # Of what could not be read, or has a place of its own: as arguments are printed.
                yield Definition(token, None, None, is_guess=True)

    def _op_at(self, offset: int) -> Any:
        """The op whose name is there; some of upstream's have their places further on."""
        at = bisect_left(self._places, offset)
        end = self.text.text.find("\n", offset)
        is_one = at < len(self._places) and (end < 0 or self._places[at] < end)
        return self.ops[self._places[at]] if is_one else None

    def definition(self, offset: int) -> Definition | None:
        """The definition of the value that is named there."""
        token = self.text.token_at(offset)
        return token and self._definition(token.name, token.scope, token.start)

    def _definition(self, name: str, scope: int, offset: int) -> Definition | None:
        scopes = self.text.scopes(scope)
        found = [each for each in self._named[name] if each.token.scope in scopes]
        found = [each for each in found if not each.is_guess] or found
        # An argument of a loop is named before the braces that it is for: the last name counts.
        before = [each for each in found if each.token.start <= offset]
        return before[-1] if before else found[0] if found else None

    def references(self, offset: int) -> list[Token]:
        """Every place that names the value which is named there, its definition among them."""
        found = self.definition(offset)
        if found is None:
            return []
        named = [token for token in self.text.tokens if token.name == found.token.name]
        places = (self._definition(token.name, token.scope, token.start) for token in named)
        return [
            token
            for token, one in zip(named, places, strict=True)
            if one is not None and one.token.start == found.token.start
        ]

    def rename(self, offset: int, name: str) -> list[Token]:
        """The places to write `name` at, with or without its `%`. Raises ValueError for what is no
        name, or one that another value has where these stand."""
        wanted = "%" + name.removeprefix("%")
        if not re.fullmatch(VALUE, wanted, re.A):
            raise ValueError(f"'{name}' is no name of a value")
        found = self.references(offset)
        inside = {token.scope for token in found}
        around = set[int]().union(*map(self.text.scopes, inside))
        for token in self.text.tokens:
            meets = token.scope in around or self.text.scopes(token.scope) & inside
            if token.name == wanted and meets:
                line = self.text.place(token.start)[0] + 1
                raise ValueError(f"'{wanted}' is another value, in line {line}")
        return found

    def symbols(self) -> list[Symbol]:
        """What has a name in the file, and the ops of ours in it."""
        return list(self._symbols([module.operation for module in self._modules]))

    def _symbols(self, ops: list[Any]) -> Iterator[Symbol]:
        for op in ops:
            below = [one.operation for r in op.regions for block in r.blocks for one in block]
            inner, start = list(self._symbols(below)), self._offset(op.location)
            named = op.attributes["sym_name"].value if "sym_name" in op.attributes else ""
            if start is None or not (named or find(op.name)):
                yield from inner
                continue
            last = start
            for block in (block for region in op.regions for block in region.blocks):
                last = self._offset(block.operations[-1].location) or last
            mark = "\n" if last == start else "}"
            stop = self.text.text.find(mark, last) + (mark == "}")
            yield Symbol(named, op.name, start, stop if stop > 0 else len(self.text.text), inner)

    def visible(self, offset: int) -> list[Definition]:
        """The values that may be used there, each name once."""
        scope = self.text.scope_at(offset)
        found = (self._definition(name, scope, offset - 1) for name in self._named)
        return [each for each in found if each is not None and each.token.end < offset]

    def type_of(self, definition: Definition, number: int = 0) -> str:
        """The type of a value, of its result `number` where the name stands for several."""
        if definition.value is None:
            return ""
        if definition.op is not None and number:
            at = definition.value.result_number + number
            results = definition.op.results
            return str(results[at].type) if at < len(results) else ""
        return str(definition.value.type)
