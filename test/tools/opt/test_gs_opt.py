"""`gs-opt` in one process: what a shell cannot spell, or what takes many runs."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.tools import gs_opt
from mlir_gs.tools.opt import session as opt_session

GOOD = "func.func @f() { return }\n"


@pytest.fixture
def tool(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """`tool(*arguments, stdin=bytes)`: exit code, standard output and standard error."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = gs_opt.main(arguments)
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


JUNK = {
    "elf": b"\x7fELF\x02\x01\x01\x00" + bytes(64),
    "all-bytes": bytes(range(256)),
    "latin-1": '"é.f"() : () -> ()'.encode("latin-1"),
    "latin-1-message": 'module { x."é" }'.encode("latin-1"),
    "utf-16": "module {}".encode("utf-16"),
    "byte-order-mark": b"\xef\xbb\xbfmodule {}",
    "open-string": b'"abc',
    "open-region": b"module {",
    "bytecode-magic": b"ML\xefR",
    "bytecode-cut": b"ML\xefR\x0dMLIR\x00\x01\x02",
    "bytecode-junk": b"ML\xefR" + bytes(range(255, 0, -1)),
}


@pytest.mark.parametrize("name", JUNK)
@pytest.mark.parametrize(
    "flags", [(), ("--split-input-file",), ("--no-implicit-module",), ("--cse",)]
)
def test_junk_is_one_diagnostic(
    name: str, flags: tuple[str, ...], tool: Any, tmp_path: Path
) -> None:
    path = tmp_path / "junk.mlir"
    path.write_bytes(JUNK[name])
    for arguments, shown in (((str(path),), str(path)), ((), "<stdin>")):
        code, out, err = tool(*arguments, *flags, stdin=JUNK[name])
        assert code == 1, err
        assert not out
        assert err.startswith(f"{shown}:"), err
        assert ": error: " in err.splitlines()[0]
        assert "internal error" not in err
        assert "Traceback" not in err


@pytest.mark.parametrize("data", [b"", b"\n", b"// nothing\n", b"module {}"])
def test_empty_input_is_an_empty_module(data: bytes, tool: Any) -> None:
    assert tool(stdin=data) == (0, "module {\n}\n", "")
    assert tool("--verify-diagnostics", stdin=data) == (0, "module {\n}\n", "")


def test_columns_count_bytes_and_the_caret_characters(tool: Any) -> None:
    code, _, err = tool(stdin='func.func @"ä"() { %x }'.encode())
    assert code == 1
    first, source, caret = err.splitlines()[:3]
    assert first.startswith("<stdin>:1:23: error: ")
    assert source == 'func.func @"ä"() { %x }'
    assert caret == " " * 21 + "^"


def test_output_file_is_kept_on_failure(tool: Any, tmp_path: Path) -> None:
    target = tmp_path / "out.mlir"
    target.write_text("before")
    assert tool("-o", str(target), stdin=b"junk")[0] == 1
    assert target.read_text() == "before"
    assert tool("-o", str(target), stdin=GOOD.encode()) == (0, "", "")
    assert "@f" in target.read_text()


def test_output_may_be_the_input(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(GOOD)
    assert tool(str(path), "-o", str(path)) == (0, "", "")
    assert path.read_text().startswith("module {")


def test_a_reproducer_that_is_not_needed_takes_no_device_away(tool: Any, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(os.devnull)
    flag = f"--mlir-pass-pipeline-crash-reproducer={link}"
    assert tool(flag, "--cse", stdin=GOOD.encode())[0] == 0
    assert link.is_symlink()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_full_disk_is_one_line(tool: Any) -> None:
    code, out, err = tool("-o", "/dev/full", stdin=GOOD.encode())
    assert (code, out) == (1, "")
    assert err == "gs-opt: /dev/full: No space left on device\n"
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "mlir_gs.tools.gs_opt"]
        run = subprocess.run(command, input=b"", stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode == 1
    assert run.stderr.splitlines() == [
        b"gs-opt: cannot write output file '-': No space left on device"
    ]


def test_reader_that_goes_away() -> None:
    command = f"echo | {sys.executable} -m mlir_gs.tools.gs_opt | :"
    run = subprocess.run(
        ["bash", "-c", command], cwd="/", stderr=subprocess.PIPE, text=True, check=False
    )
    assert run.stderr == ""


def test_internal_error_is_one_line(tool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr(opt_session, "parse_bytes", broken)
    code, out, err = tool(stdin=b"")
    assert (code, out) == (1, "")
    assert err == (
        "gs-opt: internal error: RuntimeError: first second (--debug shows the traceback)\n"
    )
    assert "Traceback" in tool("--debug", stdin=b"")[2]


def test_missing_bindings_are_one_line() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "mlir_gs.tools.gs_opt"],
        env={**os.environ, "MLIR_GS_BINDINGS": "nothing"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("gs-opt: the installation is incomplete: MLIR_GS_BINDINGS=nothing")
    assert run.stderr.count("\n") == 1


def test_name_with_odd_characters(tool: Any, tmp_path: Path) -> None:
    for name in ('quo"te.mlir', "bäck\\slash.mlir", "new\nline.mlir", "sp ace.mlir"):
        path = tmp_path / name
        path.write_text("func.func @f() { %x }")
        code, _, err = tool(str(path))
        assert code == 1
        assert err.startswith(f"{path}:1:20: error: "), err


def test_locations_name_the_file_however_it_is_read(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    text = (
        "func.func @f(%a: i32) -> i32 {\n"
        "  return %a : i32\n"
        "}\n"
        '#n = loc("name"("b.mlir":7:8))\n'
        '#c = loc(callsite("callee" at "c.mlir":1:2))\n'
        'func.func private @g() loc(fused<"meta">[#n, #c])\n'
    )
    path.write_text(text)
    whole = tool(str(path), "--mlir-print-debuginfo")
    assert whole[0] == 0
    assert tool(str(path), "--mlir-print-debuginfo", "--split-input-file") == whole
    shown = whole[1].replace(str(path), "<stdin>")
    assert tool("--mlir-print-debuginfo", stdin=text.encode()) == (0, shown, "")


def test_thousand_parts_in_one_process(tool: Any) -> None:
    parts = [f"func.func @f{i}() {{ return }}\n" for i in range(1000)]
    code, out, err = tool("--split-input-file", stdin="// -----\n".join(parts).encode())
    assert (code, err) == (0, "")
    assert out.count("// -----\n") == 999
    assert "@f999" in out


def test_deep_nesting(tool: Any) -> None:
    text = "module {" * 200 + "}" * 200
    code, out, err = tool("--split-input-file", stdin=text.encode())
    assert (code, err) == (0, "")
    assert out.count("module {") == 200
    code, out, err = tool("--split-input-file", stdin=("module {" * 2000 + "}" * 2000).encode())
    assert (code, out) == (1, "")
    assert re.match(r"<stdin>:1:\d+: error: ", err)


def test_locations_of_parts_are_those_of_the_file(tool: Any, tmp_path: Path) -> None:
    path = tmp_path / "parts.mlir"
    path.write_text("func.func private @f()\n// -----\n\nfunc.func private @g()\n")
    for flags in ([], ["--cse"], ["--no-implicit-module"]):
        code, text, _ = tool(str(path), "--split-input-file", "--mlir-print-debuginfo", *flags)
        assert code == 0
        assert f'"{path}":1:1' in text
        assert f'"{path}":4:1' in text
        assert '"-"' not in text


def test_locations_of_parts_in_bytecode(tool: Any, tmp_path: Path) -> None:
    path, target = tmp_path / "parts.mlir", tmp_path / "parts.mlirbc"
    path.write_text("// -----\n\nfunc.func private @g()\n")
    flags = ["--split-input-file", "--emit-bytecode", "-o", str(target)]
    assert tool(str(path), *flags)[0] == 0
    data = target.read_bytes().partition(b"// -----\n")[2]
    operation = ir.Module.parse(data, context()).body.operations[0]
    assert str(operation.location) == f'loc("{path}":3:1)'
