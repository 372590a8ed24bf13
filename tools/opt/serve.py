"""`--serve`: gs-opt as the other half of a plugin in a C++ compiler.

A request is a line of JSON and the bytes that it announces, an answer likewise. gs-opt says first
which version it is of. It ends with its input, or at once when its host has gone.
"""

import fcntl
import gc
import json
import os
import signal
from typing import Any, BinaryIO

from mlir_gs import __version__
from mlir_gs.dialect import context as new_context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.locations import ANONYMOUS
from mlir_gs.dialect.current_op import current_op_text
from mlir_gs.frontend.languages import know_languages
from mlir_gs.lowering import PipelineError
from mlir_gs.lowering.passes.diagnostics import error_text, plain_message, severity_text
from mlir_gs.lowering.passes.registry import build_pass_manager
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.version import mlir_version

_MOST_KEPT = 1 << 26
"""Bytes of requests after which a new context begins: one never frees types and attributes."""


def serve(lifeline: str) -> int:
    """Answer requests on standard input until its end; `lifeline` is the number of a pipe that the
    host holds open, or empty. What passes print goes to standard error. Raises UsageError."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # A crash is the host's to report: not tvm-ffi's, by a backtrace.
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    if lifeline:
        _end_with_host(lifeline)
    gc.freeze()
    server = _Server(requests, answers)
    server.answer({"version": __version__, "llvm": mlir_version()})
    while line := requests.readline():
        request = json.loads(line)
        server.handle(request, requests.read(request.get("bytes", 0)))
    return 0


def _end_with_host(lifeline: str) -> None:
    """Let the kernel end this process when the pipe closes: a long pass holds Python's lock."""
    try:
        pipe = int(lifeline)
        flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    except (ValueError, OSError) as error:
        raise UsageError(f"for the --serve option: '{lifeline}' is no open pipe") from error
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC)


class _Server:
    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self.requests, self.answers = requests, answers
        self.context: Any = None
        self.kept = 0
        self.found: list[dict[str, Any]] = []

    def answer(self, head: dict[str, Any], data: bytes = b"") -> None:
        self.answers.write(json.dumps(head | {"bytes": len(data)}).encode() + b"\n" + data)
        self.answers.flush()

    def handle(self, request: dict[str, Any], data: bytes) -> None:
        """Run `pipeline` on a module in the generic form, or only build it where there is none."""
        self._renew(data)
        self.found = []
        pipeline, step = request["pipeline"], ""
        try:
            know_languages(self.context, pipeline)
            manager = build_pass_manager(pipeline, self.context)
            if data:
                step = "reading"
                know_languages(self.context, data)
                module = ir.Module.parse(data, self.context).operation
                step = ""
                manager.run(module)
                form = {"print_generic_op_form": True, "enable_debug_info": True}
                data = module.get_asm(binary=True, assume_verified=True, **form)
            self.answer({"diagnostics": self.found}, data)
        except Exception as error:
            head = {"error": self._reason(error), "diagnostics": self.found}
            # What does not verify is at a place of the host's; what does not parse, in the text.
            places = [each["location"] for each in self.found if each["severity"] == "error"]
            is_unread = step == "reading" and all(f'"{ANONYMOUS}":' in each for each in places)
            self.answer(head | {"failed": "reading" if is_unread else "running"})

    def _reason(self, error: Exception) -> str:
        """Why a request failed, in one line; empty where a diagnostic says it."""
        if isinstance(error, PipelineError):
            return error.reason
        if isinstance(error, ir.MLIRError):
            said = any(each["severity"] == "error" for each in self.found)
            return "" if said else " ".join(error_text(error).split())
        return " ".join(f"internal error: {type(error).__name__}: {error}".split())

    def _renew(self, data: bytes) -> None:
        """The last context, or a new one: a context has each resource's name once."""
        self.kept += len(data)
        if self.context is None or self.kept > _MOST_KEPT or b"dialect_resources" in data:
            self.context = new_context()
            self.context.emit_error_diagnostics = True
            self.context.attach_diagnostic_handler(self._keep)
            self.kept = len(data)

    def _keep(self, diagnostic: Any) -> bool:
        if plain_message(diagnostic):
            found = _as_data(diagnostic)
            op = "" if found["notes"] else current_op_text()
            if op:
                note = {"severity": "note", "message": f"see current operation: {op}", "notes": []}
                found["notes"].append(note | {"location": found["location"]})
            self.found.append(found)
        return True


def _as_data(diagnostic: Any) -> dict[str, Any]:
    return {
        "severity": severity_text(diagnostic.severity),
        "location": str(diagnostic.location),
        "message": plain_message(diagnostic),
        "notes": [_as_data(note) for note in diagnostic.notes],
    }
