"""Modules that nobody compiles on purpose, and files that are no modules: every tool says one
sentence of each, with exit code 1, or does its work.

    python test/tools/common/odd_modules.py [TOOL ...]
"""

import contextlib
import importlib
import io
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.tools.lsp.document import Document

GATHER = """\
func.func @f(%t: tensor<8x4xf32>, %i: tensor<3x1xi64>) -> tensor<3x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
"""
_LONG = "f" * 5000
_HERE = Path(__file__).parent


def _listed() -> dict[str, bytes]:
    texts = [path.read_text(encoding="utf-8") for path in (_HERE / "Inputs").glob("odd-*.txt")]
    parts = [part.partition("\n") for text in texts for part in text.split("=== ")[1:]]
    return {name: body.replace("GATHER\n", GATHER).encode() for name, _, body in parts}


TEXTS: dict[str, bytes] = {
    **_listed(),
    **{
        name: text.encode()
        for name, text in {
            "empty": "",
            "blank": " \n\t\n",
            "deep": "module {" * 200 + "}" * 200,
            "a long name": GATHER.replace("@f", f"@{_LONG}"),
            "a name beyond ASCII": GATHER.replace("@f", '@"\u00e4\u6f22"'),
            "rank 40": GATHER.replace("3x1xi64", f"3x1x{'1x' * 40}i64"),
            "CRLF": GATHER.replace("\n", "\r\n"),
            "CR": GATHER.replace("\n", "\r"),
            "BOM": "\ufeff" + GATHER,
            "form feed": GATHER.replace("\n", "\f\n"),
            "no line end": GATHER.rstrip("\n"),
            "splits": f"{GATHER}// -----\n{GATHER}",
            "a split of nothing": "// -----\n",
            "open comment": f"/{GATHER}",
        }.items()
    },
    "zeros": bytes(64),
    "a zero in the text": GATHER.encode().replace(b"@f", b"@f\0"),
    "binary": bytes(range(256)) * 4,
    "no UTF-8": GATHER.encode().replace(b"@f", b'@"\xff\xfe"'),
    "no UTF-8 in a comment": b"// \xff\xfe\n" + GATHER.encode(),
    "UTF-16": GATHER.encode("utf-16"),
    "ELF": b"\x7fELF\x02\x01\x01" + bytes(57),
    "zip": b"PK\x03\x04" + bytes(60),
    "gzip": b"\x1f\x8b\x08" + bytes(60),
    "bytecode of nothing": b"ML\xefR",
    "bytecode of a later version": b"ML\xefR\xff\xff\xff\xff\xff",
    "bytecode of nonsense": b"ML\xefR\x0dMLIR24\0" + bytes(range(200)),
    "npy": b"\x93NUMPY\x01\0" + bytes(60),
}


def _bytecode(kept: int | None) -> bytes:
    with ir.Context() as context, ir.Location.unknown():
        dialect.load(context)
        file = io.BytesIO()
        parse(GATHER.encode(), context).operation.write_bytecode(file)
    return file.getvalue()[:kept]


PLACES: dict[str, Callable[[Path], object]] = {
    "bytecode": lambda path: path.write_bytes(_bytecode(None)),
    "half of bytecode": lambda path: path.write_bytes(_bytecode(90)),
    "a directory": Path.mkdir,
    "a link to nothing": lambda path: path.symlink_to(path.parent / "nowhere"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "nothing": lambda path: None,
}


def write(name: str, folder: Path) -> Path:
    """The file of that name."""
    path = folder / "odd.mlir"
    if name in TEXTS:
        path.write_bytes(TEXTS[name])
    else:
        PLACES[name](path)
    return path


def _interest(folder: Path) -> str:
    script = folder / "interest.sh"
    script.write_text("#!/bin/sh\nexit 1\n")
    script.chmod(0o755)
    return str(script)


_Main = Callable[[Sequence[str]], int]
TOOLS: dict[str, tuple[str, Callable[[str, Path], list[str]]]] = {
    "opt": ("opt", lambda file, folder: ["--gs-canonicalize", file]),
    "lower": ("opt", lambda file, folder: ["--gs-to-llvm", file]),
    "explain": ("opt", lambda file, folder: ["--gs-generalize", "--gs-fuse", "--gs-explain", file]),
    "run": ("run", lambda file, folder: [file, "--check", "--quiet", "--size=16"]),
    "compile": (
        "compile",
        lambda file, folder: [file, f"-o{folder / 'x.o'}", f"-o{folder / 'x.h'}"],
    ),
    "reduce": ("reduce", lambda file, folder: ["--test", _interest(folder), file]),
    "prove": ("prove", lambda file, folder: ["--pass=gs-canonicalize", "--timeout=2", file]),
    "tune": ("tune", lambda file, folder: [file]),
    "target": ("run", lambda file, folder: [write_gather(folder), f"--target={file}", "--quiet"]),
}
"""By name, the tool and its command line for a file."""

WITHOUT_FILES = {"lsp": Document, "python": execution.compile}
"""What takes a text."""


def write_gather(folder: Path) -> str:
    path = folder / "gather.mlir"
    path.write_text(GATHER)
    return str(path)


def _work(tool: str, name: str, folder: Path) -> int:
    if tool in TOOLS:
        module, command = TOOLS[tool]
        main: _Main = importlib.import_module(f"mlir_gs.tools.gs_{module}").main
        return main(command(str(write(name, folder)), folder))
    try:
        WITHOUT_FILES[tool](TEXTS.get(name, b"").decode("utf-8", "surrogateescape"))
    except (execution.CompileError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def complaint(tool: str, name: str, seconds: int = 100) -> str:
    """What `tool` does wrong with the file `name`, in a process of its own; empty if nothing."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        errors = folder / "errors"
        child = os.fork()
        if not child:
            # Not what pytest has put in their places.
            for number, path in enumerate((os.devnull, os.devnull, str(errors))):
                os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
            sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="replace", closefd=False)
            signal.alarm(seconds)
            code = 99
            with contextlib.suppress(SystemExit):
                code = _work(tool, name, folder)
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = errors.read_text(encoding="utf-8", errors="replace")
    allowed = {0, 1, 2} if tool == "prove" else {0, 1}
    if code not in allowed or "internal error" in said or "Traceback" in said:
        return f"{tool} of {name}: exit code {code}: {said[:300]}"
    return f"{tool} of {name}: it fails and says nothing" if code and not said.strip() else ""


def main() -> int:
    """Print what goes wrong, and the figures."""
    found, count = [], 0
    for tool in sys.argv[1:] or (*TOOLS, *WITHOUT_FILES):
        for name in (*TEXTS, *PLACES):
            count += 1
            wrong = complaint(tool, name)
            if wrong:
                found.append(wrong)
                print(wrong, flush=True)
    print(f"{count} files given to tools, {len(found)} answered wrongly")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
