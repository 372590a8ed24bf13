"""gs-explore without a browser: who is let in, limits, and what the page asks for."""

import base64
import hashlib
import json
import signal
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from explored import Server, explored
from mlir_gs.tools import gs_explore

PAGE = Path(__file__).parents[3] / "tools" / "explore" / "page"
ROWS = """\
func.func @rows(%table: tensor<8x4xf32>, %ids: tensor<3x1xi64>) -> tensor<3x4xf32> {
  %0 = gs.gather %table[%ids] gather_dims([0])
      : (tensor<8x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""
LOOP = """\
func.func @rows(%table: tensor<1000x64xf32>, %ids: tensor<4096x1xi64>) -> tensor<4096x64xf32> {
  %0 = gs.gather %table[%ids] gather_dims([0])
      : (tensor<1000x64xf32>, tensor<4096x1xi64>) -> tensor<4096x64xf32>
  return %0 : tensor<4096x64xf32>
}
"""
TWICE = """\
func.func @f(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  %1 = arith.mulf %x, %x : f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package)
    with explored() as found:
        yield found


def kinds(side: Any) -> dict[str, list[str]]:
    """The texts of ops that are marked, by how."""
    lines = side["text"].split("\n")
    found: dict[str, list[str]] = {}
    for first, _, _, kind, *_ in side["ops"]:
        if kind and first:
            found.setdefault(kind, []).append(lines[first - 1].strip())
    return found


def test_only_who_knows_the_token_gets_the_page(server: Server) -> None:
    status, data, headers = server.request(f"/{server.token}/")
    assert (status, b"<title>gs-explore</title>" in data) == (200, True)
    assert "default-src 'none'" in headers["content-security-policy"]
    for path in ("/", "/x/", f"/{server.token[:-1]}/", f"/{server.token}x/do/show"):
        status, data, _ = server.request(path)
        assert (status, b"no valid token" in data) == (403, True)
    assert len(server.token) >= 32
    for path in ("page.js", "page.css"):
        assert server.request(f"/{server.token}/{path}")[0] == 200
    for path in ("bundle.mjs", "../driver.py", "%2e%2e/driver.py", "src/page.js"):
        assert server.request(f"/{server.token}/{path}")[0] == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:80"},
        {"Host": "evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "localhost:1"},
    ],
)
def test_other_hosts_and_origins_are_refused(server: Server, headers: dict[str, str]) -> None:
    path = f"/{server.token}/do/show"
    assert server.request(path, {}, **headers)[0] == 403
    own = {"Host": f"localhost:{server.port}", "Origin": f"http://localhost:{server.port}"}
    body = {"name": "a", "text": "", "passes": [], "at": 0}
    assert server.request(path, body, **own)[0] == 200


def test_requests_that_are_too_large_or_no_requests_are_refused(server: Server) -> None:
    assert server.request(f"/{server.token}/do/show", b" " * (9 << 20))[0] == 413
    for body in (b"", b"[]", b"{", b"[" * 100_000, b"\xff"):
        assert server.request(f"/{server.token}/do/show", body)[0] == 400
    assert server.request(f"/{server.token}/do/_update", {})[0] == 404
    assert server.request(f"/{server.token}/do/show")[0] == 405
    for about in ({}, {"name": 1, "text": 2, "passes": 3, "at": 4}, {"at": "x"}):
        assert "error" in server.ask("show", **about)


def test_the_page_begins_with_the_file_and_its_passes(server: Server) -> None:
    found = server.ask("start")
    assert found["state"]["name"] == "example.mlir"
    assert "convert-gs-to-scf{threads=1 target={generic}}" in found["row"]
    (about,) = [one for one in found["passes"] if one["name"] == "convert-gs-to-scf"]
    assert {"threads", "target"} == {option["name"] for option in about["options"]}
    assert server.ask("expand", pipeline="gs-prepare,cse")["row"][-2:] == ["gs-check-sizes", "cse"]
    assert "did you mean" in server.show(ROWS, "gs-generaliz")["problems"][0]["text"]
    assert "expected ','" in server.ask("expand", pipeline="a(b)c")["error"]


def test_errors_are_at_their_places(server: Server) -> None:
    (wrong,) = server.show(ROWS.replace("gather_dims([0])", "gather_dims([7])"))["problems"]
    assert (wrong["line"], wrong["column"], wrong["step"]) == (2, 8, 0)
    assert "7" in wrong["text"]
    (wrong,) = server.show(ROWS, "canonicalize", "gs-schedule")["problems"]
    assert (wrong["line"], wrong["column"], wrong["step"]) == (2, 8, 2)
    assert "must become gs.generic before loops" in wrong["text"]


def test_changes_are_by_op(server: Server) -> None:
    found = server.show(ROWS, "gs-generalize")["shown"]
    ((gather,),) = kinds(found["before"]).values()
    assert gather.startswith("%0 = gs.gather %arg0[%arg1]")
    after = kinds(found["after"])
    assert list(after) == ["rewritten"]
    assert any("gs.generic" in line for line in after["rewritten"])
    # Upstream's own: of equal ops one stays, and the op that reads them changes.
    found = server.show(TWICE, "cse")["shown"]
    assert kinds(found["before"])["merged"] == ["%1 = arith.mulf %arg0, %arg0 : f32"]
    assert kinds(found["after"])["merged"] == ["%0 = arith.mulf %arg0, %arg0 : f32"]
    # Names do not count.
    found = server.show("func.func private @g()\n" + TWICE, "symbol-dce")["shown"]
    assert kinds(found["after"]) == {}
    assert kinds(found["before"]) == {"erased": ["func.func private @g()"]}


def test_ops_that_move_are_marked(server: Server) -> None:
    text = """\
func.func @f(%n: index, %x: f32, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %y = arith.mulf %x, %x : f32
    memref.store %y, %m[%i] : memref<?xf32>
  }
  return
}
"""
    found = server.show(text, "func.func(loop-invariant-code-motion)")["shown"]
    assert kinds(found["after"]) == {"moved": ["%0 = arith.mulf %arg1, %arg1 : f32"]}


def test_an_op_is_followed_to_the_end(server: Server) -> None:
    row = server.ask("expand", pipeline="gs-to-llvm")["row"]
    assert "problems" not in server.show(ROWS, *row)
    found = server.ask("follow", place=[2, 40])
    assert found["place"] == [2, 8]
    counts = [names for _, names in found["followed"]]
    assert counts[0] == {"gs.gather": 1}
    assert any("gs.generic" in names for names in counts)
    assert any("scf.for" in names for names in counts)
    assert counts[-1]["llvm.load"] >= 1
    # What is merged comes from both.
    both = ROWS.replace("  return %0", "  %1 = arith.addf %0, %0 : tensor<3x4xf32>\n  return %1")
    server.show(both, *row)
    last = [server.ask("follow", place=[line, 3])["followed"][-1][1] for line in (3, 4)]
    assert [names.get("llvm.fadd", 0) > 0 for names in last] == [True, True]


def test_only_what_comes_behind_a_change_runs_again(server: Server) -> None:
    passes = ["canonicalize", "gs-generalize", "cse"]
    first = server.show(ROWS, *passes)["steps"]
    again = server.show(ROWS, *passes[:2], "canonicalize")["steps"]
    assert [one["seconds"] for one in again[:2]] == [one["seconds"] for one in first[:2]]
    assert len(server.show(ROWS + "\n", *passes, at=1)["steps"]) == 1
    assert len(server.show(ROWS + "\n", *passes, at=1, rest=True)["steps"]) == 3


def test_pictures_and_schedules(server: Server) -> None:
    found = server.show(ROWS, "gs-generalize", also=["pictures"])["pictures"]
    assert [place for place, _ in found] == ["2:8"]
    assert found[0][1].startswith("<svg ")
    row = server.ask("expand", pipeline="gs-to-llvm")["row"]
    (found,) = server.show(LOOP, *row, at=0, also=["schedules"])["schedules"]
    assert found["place"] == "2:8"
    assert found["entries"]["threads"] == 1
    loops = next(n for n, one in enumerate(row, 1) if one.startswith("convert-gs-to-scf"))
    knobs = {"2:8": "{threads = 1, vector_bytes = 16}"}
    narrow = server.show(LOOP, *row, at=loops, knobs=knobs)["shown"]["after"]["text"]
    wide = server.show(LOOP, *row, at=loops)["shown"]["after"]["text"]
    assert ("vector<4xf32>" in narrow, "vector<4xf32>" in wide) == (True, False)
    (found,) = server.show(LOOP, *row, at=0, also=["schedules"], knobs=knobs)["schedules"]
    assert found["entries"] == {"threads": 1, "vector_bytes": 16}
    wrong = server.show(LOOP, *row, at=loops, knobs={"2:8": "{threds = 1}"})["problems"][0]
    assert "unknown entry 'threds'" in wrong["text"]


def test_a_run(server: Server, needs: Any) -> None:
    needs("capstone")
    needs("elftools")
    assert server.ask("signature", name="a.mlir", text=ROWS)["arguments"] == [
        ["argument 0", "float32[8, 4]"],
        ["argument 1", "int64[3, 1]"],
    ]
    row = server.ask("expand", pipeline="gs-to-llvm")["row"]
    for passes in ([], row):
        about = {"name": "a.mlir", "text": ROWS, "passes": passes}
        found = server.ask("run", **about, run={"arguments": ["", "[[2], [0], [2]]"]})
        assert found["equal"], found
        assert found["check"] == "equal to the reference"
        assert [text.split("]")[0] for _, text in found["results"]] == ["float32[3, 4"]
        assert "made up" in found["arguments"][0][1]
        assert "made up" not in found["arguments"][1][1]
        assert {"bytes to move", "floor: a copy of them"} < {name for name, _ in found["figures"]}
    wrong = server.ask("run", **about, run={"arguments": ["", "[[2], [0]"]})
    assert wrong["error"] == "argument 1: expected numbers in brackets, found [[2], [0]"
    about = {**about, "text": ROWS.replace("([0])", "([0]) mode(error)"), "passes": []}
    wrong = server.ask("run", **about, run={"arguments": ["", "[[2], [0], [9]]"]})
    assert "out of bounds" in wrong["error"]


@pytest.mark.parametrize("threads", [1, 2])
def test_instructions_come_from_ops(server: Server, needs: Any, threads: int) -> None:
    needs("capstone")
    needs("elftools")
    run = {"threads": threads}
    found = server.ask("run", name="a.mlir", text=LOOP, passes=[], run=run)["assembly"]
    assert found["title"].startswith("The hottest loop")
    assert any(op == "llvm.load" and [2, 8] in places for *_, places, op in found["lines"])


ENDLESS = """\
func.func @f(%x: i64) -> i64 {
  %t = arith.constant true
  %0 = scf.while (%a = %x) : (i64) -> i64 {
    scf.condition(%t) %a : i64
  } do {
  ^bb0(%b: i64):
    scf.yield %b : i64
  }
  return %0 : i64
}
"""
NULL = """\
func.func @f(%p: memref<1xi64>) -> i64 {
  %c = arith.constant 64 : i64
  %q = llvm.inttoptr %c : i64 to !llvm.ptr
  %0 = llvm.load %q : !llvm.ptr -> i64
  return %0 : i64
}
"""


def test_what_hangs_and_what_crashes_ends_no_server(needs: Any) -> None:
    needs("starlette")
    needs("uvicorn")
    with explored("--request-limit", "6") as server:
        server.show(ROWS, "cse")
        began = time.monotonic()
        found = server.ask("run", name="a.mlir", text=ENDLESS, passes=[], run={})
        assert "stopped: it took more than 6 s" in found["error"]
        assert time.monotonic() - began < 20
        # The process that dies is named with what it was at; the next request has a new one.
        found = server.ask("run", name="a.mlir", text=NULL, passes=[], run={})
        assert "SIGSEGV" in found["error"]
        assert "@f" in found["error"]
        assert server.show(ROWS, "cse")["shown"]["after"]["text"]
        found = server.ask("run", name="a.mlir", text=ROWS, passes=[], run={})
        assert found["equal"]
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) in (0, 130)


def link_of(state: Any) -> str:
    packed = zlib.compress(json.dumps(state).encode())
    return "#" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_a_link_holds_the_state(needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    needs("starlette")
    needs("uvicorn")
    state = {"name": "b.mlir", "text": ROWS, "row": [{"text": "cse", "off": True}], "at": 1}
    with explored(f"http://127.0.0.1:1/x/{link_of(state)}") as server:
        assert server.ask("start")["state"] == state
    for link in ("#", "#x", "http://127.0.0.1:1/x/", link_of([]), link_of({"text": 1})):
        assert gs_explore.main([link]) == 1
        assert "the link holds nothing" in capsys.readouterr().err


def test_wrong_command_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "binary.mlir").write_bytes(b"\xff\xfe")
    for arguments, text in (
        (
            ["none.mlir"],
            "gs-explore: cannot open input file 'none.mlir': No such file or directory",
        ),
        ([str(tmp_path / "binary.mlir")], "no text"),
        (["--port", "65536"], "below 65536"),
        (["--request-limit", "0"], "expected a number of seconds above 0"),
    ):
        assert gs_explore.main(arguments) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert text in line


def test_the_bundle_is_made_of_its_sources() -> None:
    digest = hashlib.sha256()
    sources = ["package.json", *sorted(f"src/{path.name}" for path in (PAGE / "src").iterdir())]
    for name in sources:
        digest.update((PAGE / name).read_bytes())
    first = (PAGE / "page.bundle.js").read_text(encoding="utf-8").partition("\n")[0]
    assert first.endswith(digest.hexdigest()), "cd tools/explore/page; npm install; node bundle.mjs"
    licences = (PAGE / "page.bundle.LICENSE").read_text(encoding="utf-8")
    needed = json.loads((PAGE / "package.json").read_text())["dependencies"]
    for name, version in needed.items():
        assert f"{name} {version}\n" in licences
