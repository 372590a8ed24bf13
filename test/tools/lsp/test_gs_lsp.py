"""gs-lsp, spoken to as an editor does: the protocol, over stdin and stdout."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mlir_gs.dialect import Gs
from mlir_gs.tools import gs_opt
from mlir_gs.tools.lsp.document import Document
from mlir_gs.tools.lsp.features import complete, hover

ROOT = Path(__file__).parents[3]
URI = "file:///work/%C3%A4/a.mlir"
TEXT = """\
// "quoted { braces
func.func @rows(%table: tensor<5x4xf32>, %ids: tensor<3x1xi64>) -> tensor<3x4xf32> {
  %0 = gs.gather %table[%ids] gather_dims([0]) mode(clip) {my.text = "\U0001f600"}
      : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c3 iter_args(%acc = %0) -> tensor<3x4xf32> {
    %y = gs.generic (a, b) [s = %ids[a, 0]] ins(%table[s, b]) outs(%acc[a, b])
        : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<3x4xf32> {
    ^bb0(%x: f32, %old: f32):
      gs.yield %x : f32
    }
    scf.yield %y : tensor<3x4xf32>
  }
  return %sum : tensor<3x4xf32>
}
"""


class Client:
    """The editor's side of a connection."""

    def __init__(self, process: Any) -> None:
        self.process = process
        self.number = 0

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        data = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def receive(self) -> Any:
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        self.send(method, params, self.number)
        while (answer := self.receive()).get("id") != self.number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    def diagnostics(self) -> list[Any]:
        while (answer := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        return answer["params"]["diagnostics"]

    def at(self, method: str, line: int, character: int) -> Any:
        position = {"line": line, "character": character}
        return self.ask(
            f"textDocument/{method}", {"textDocument": {"uri": URI}, "position": position}
        )


@pytest.fixture
def client(needs: Any) -> Iterator[Client]:
    needs("pygls")
    process = subprocess.Popen(
        [sys.executable, "-m", "mlir_gs.tools.gs_lsp", "--stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    client = Client(process)
    client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    client.send("initialized", {})
    try:
        yield client
        client.ask("shutdown", None)
        client.send("exit", None)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()


def place(text: str, nth: int = 0) -> tuple[int, int]:
    """Line and UTF-16 character of an occurrence of `text` in TEXT."""
    start = [found.start() for found in re.finditer(re.escape(text), TEXT)][nth]
    line = TEXT.count("\n", 0, start)
    before = TEXT[TEXT.rfind("\n", 0, start) + 1 : start]
    return line, len(before.encode("utf-16-le")) // 2


def test_an_editor_opens_hovers_completes_and_breaks_a_file(client: Client) -> None:
    document = {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}
    client.send("textDocument/didOpen", {"textDocument": document})
    assert client.diagnostics() == []

    found = client.at("hover", *place("gs.gather"))
    assert "source[s0, d1]" in found["contents"]["value"]
    assert found["range"]["start"]["character"] == place("gs.gather")[1]
    assert "tensor<5x4xf32>" in client.at("hover", *place("%table", 1))["contents"]["value"]
    # Behind a character of two units.
    assert client.at("hover", *place("tensor<3x4xf32>", 1)) is None

    found = client.at("definition", *place("%old", 0))
    assert found["range"]["start"]["line"] == place("%old")[0]
    start = client.at("definition", *place("%acc", 1))["range"]["start"]
    assert (start["line"], start["character"]) == place("%acc")

    position = dict(zip(("line", "character"), place("%acc"), strict=True))
    about = {"textDocument": {"uri": URI}, "position": position}
    asked = about | {"context": {"includeDeclaration": False}}
    assert len(client.ask("textDocument/references", asked)) == 1
    edits = client.ask("textDocument/rename", about | {"newName": "sum_"})["changes"][URI]
    assert [each["newText"] for each in edits] == ["%sum_", "%sum_"]
    (function,) = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert function["name"] == "rows"
    assert [each["name"] for each in function["children"]] == ["gs.gather", "gs.generic"]
    options = {"tabSize": 2, "insertSpaces": True}
    asked = {"textDocument": {"uri": URI}, "options": options}
    assert client.ask("textDocument/formatting", asked) == []

    line, character = place("mode(clip)")
    items = client.at("completion", line, character + len("mode("))
    assert {item["label"] for item in items} == {"promise_in_bounds", "clip", "fill", "error"}

    # One line is changed, as an editor sends it.
    line, character = place("gather_dims([0])")
    end = {"line": line, "character": character + len("gather_dims([0])")}
    change = {
        "range": {"start": {"line": line, "character": character}, "end": end},
        "text": "gather_dims([7])",
    }
    client.send(
        "textDocument/didChange",
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [change]},
    )
    (problem,) = client.diagnostics()
    assert "'gather_dims' must hold dims in [0, 2), found 7" in problem["message"]
    assert problem["severity"] == 1
    assert problem["range"]["start"] == dict(
        zip(("line", "character"), place("gs.gather"), strict=True)
    )
    # What is there can still be looked up.
    assert client.at("definition", *place("%0", 1))["range"]["start"]["line"] == 2
    client.send("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.diagnostics() == []


BROKEN = {
    "a clause": ("gather_dims([0])", "gather_dim([0])"),
    "a type": ("tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>\n", "tensor<5xf32>) -> i1\n"),
    "a brace": ("scf.yield %y : tensor<3x4xf32>\n  }\n", "scf.yield %y : tensor<3x4xf32>\n"),
    "a value": ("ins(%table[s, b])", "ins(%tabel[s, b])"),
    "a map": ("[s, b])", "[s, b + ])"),
    "an op": ("gs.gather", "gs.gathr"),
    "bytes": ("arith.constant 0", "arith.constant \U0001f600"),
}


@pytest.mark.parametrize("damage", BROKEN)
def test_diagnostics_are_where_gs_opt_has_them(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = BROKEN[damage]
    assert old in TEXT
    text = f"func.func @first() {{\n  return\n}}\n// -----\n{TEXT.replace(old, new)}"
    file = tmp_path / "broken.mlir"
    file.write_text(text, encoding="utf-8")
    assert gs_opt.main([str(file), "--split-input-file"]) == 1
    expected = re.findall(r"^.*\.mlir:(\d+):(\d+): error: (.*)$", capsys.readouterr().err, re.M)
    assert expected
    document = Document(text)
    found = []
    for problem in document.problems:
        line, character = document.text.place(problem.offset)
        before = document.text.lines[line][:character]
        found.append((str(line + 1), str(len(before.encode()) + 1), problem.message))
    assert found == expected


def test_every_name_of_a_value_is_found_where_it_is_defined() -> None:
    seen = 0
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "examples").rglob("*.mlir"))
    }
    for path, text in texts.items():
        # Files of wrong IR say so.
        if "expected-error" in text:
            continue
        document = Document(text)
        assert not document.problems, path
        for token in document.text.tokens:
            found = document.definition(token.start)
            assert found is not None, (path, token)
            assert found.token.name == token.name
            assert found.token.start <= token.start
            seen += bool(document.type_of(found, token.number))
    assert seen > 1000


def test_loops_in_a_row_define_names_of_their_own() -> None:
    text = """func.func @f(%c: index) {
  scf.for %i = %c to %c step %c { "test.use"(%i) : (index) -> () }
  scf.for %i = %c to %c step %c { "test.use"(%i) : (index) -> () }
  return
}
func.func @g(%c: i32) { return }
"""
    document = Document(text.replace('"test.use"(%i) : (index) -> ()', "vector.print %i : index"))
    assert not document.problems
    uses = [token for token in document.text.tokens if token.name == "%i"]
    lines = [document.text.place(document.definition(t.start).token.start)[0] for t in uses]
    assert lines == [1, 1, 2, 2]
    last = document.text.tokens[-1]
    assert document.type_of(document.definition(last.start)) == "i32"


def labels(text: str) -> set[str]:
    return {each.text for each in complete(Document(text), len(text))}


def test_completion_goes_by_what_stands_before() -> None:
    ops = {op.OPERATION_NAME for op in Gs.operations}
    assert labels("func.func @f() {\n  %0 = gs.ga") == ops
    assert "arith.addf" in labels("func.func @f() {\n  %0 = arith.")
    assert labels("func.func @f() {\n  %0 = nonsense.") == set()
    head = "func.func @f(%a: tensor<4xf32>, %b: tensor<2x1xi64>) {\n  %c = arith.constant 0 : i32\n"
    assert labels(f"{head}  %0 = gs.gather %") >= {"%a", "%b", "%c"}
    clauses = labels(f"{head}  %0 = gs.scatter %a into %b[%a] unique ")
    assert {"combine", "scatter_dims", "mode"} <= clauses
    assert not {"unique", "gather_dims"} & clauses
    assert "add" in labels(f"{head}  %0 = gs.scatter %a into %b[%a] combine(")
    assert "fill_or_drop" in labels(f"{head}  %0 = gs.generic (i) [s = %b[i, 0] mode(")
    assert labels(f"{head}  // gs.") == set()
    typed = f"{head}  %0 = gs.gather %a[%b] gather_dims([0]) : (tensor<4xf32>, "
    assert labels(typed) == set()


def test_every_op_has_something_to_say() -> None:
    for op in Gs.operations:
        text = f"  {op.OPERATION_NAME} "
        found = hover(Document(text), 4)
        assert found is not None
        assert op.OPERATION_NAME in found[0]
        assert len(found[0]) > 100


def test_without_the_protocol_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mlir_gs.tools import gs_lsp

    for name in ("pygls", "pygls.lsp", "pygls.lsp.server", "lsprotocol"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "mlir_gs.tools.lsp.server", raising=False)
    assert gs_lsp.main([]) == 1
    assert capsys.readouterr().err == (
        "gs-lsp: the protocol is not installed: pip install pygls, or '.[lsp]' in a clone\n"
    )
