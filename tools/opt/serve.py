"""gs-opt as the other half of a plugin in a C++ compiler: `--plugin-table` and `--serve`.

A request is a line of JSON and the bytes that it announces, an answer likewise. gs-opt says first
which version it is of. It ends with its input, or at once when its host has gone.
"""

import fcntl
import json
import os
import signal
from collections.abc import Iterable
from typing import Any

from mlir_gs import __version__
from mlir_gs.dialect import context as new_context
from mlir_gs.dialect import irdl_text
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.locations import ANONYMOUS
from mlir_gs.frontend.languages import know_languages
from mlir_gs.lowering import PipelineError, registered_passes, registered_pipelines
from mlir_gs.lowering.passes.diagnostics import (
    current_op_note,
    error_text,
    plain_message,
    severity_text,
)
from mlir_gs.lowering.passes.options import Option
from mlir_gs.lowering.passes.registry import build_pass_manager, pass_doc, pass_options
from mlir_gs.tools.common.version import mlir_version

_MOST_KEPT = 1 << 26
"""Bytes of requests after which a new context begins: one never frees types and attributes."""


def _version() -> dict[str, str]:
    return {"version": __version__, "llvm": mlir_version()}


def table(dialects: Iterable[str]) -> str:
    """JSON: versions, the dialect as IRDL, the `dialects` that passes may leave, and our passes and
    pipelines by name with their options."""
    passes = [(n, pass_doc(p), pass_options(p)) for n, p in registered_passes().items()]
    passes += [(n, p.doc, p.options) for n, p in registered_pipelines().items()]
    entries = [
        {"name": name, "doc": doc.splitlines()[0], "options": [_described(o) for o in options]}
        for name, doc, options in passes
    ]
    rest = {"irdl": irdl_text(), "dialects": sorted(dialects), "passes": entries}
    return json.dumps(_version() | rest, indent=1)


def _described(option: Option) -> dict[str, str]:
    texts = {"type": option.type_text(), "default": option.default_text()}
    return {"name": option.name, "help": option.help} | texts


def serve(lifeline: str) -> int:
    """Answer requests on standard input until its end; `lifeline` is the number of a pipe that the
    host holds open, or empty. What passes print goes to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # A crash is the host's to report: not tvm-ffi's, by a backtrace.
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    if lifeline:
        # The kernel ends this process when the pipe closes: a long pass holds Python's lock.
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(int(lifeline), fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(int(lifeline), fcntl.F_SETFL, os.O_ASYNC)
    server = _Server()

    def answer(head: dict[str, Any], data: bytes = b"") -> None:
        answers.write(json.dumps(head | {"bytes": len(data)}).encode() + b"\n" + data)
        answers.flush()

    answer(_version())
    while line := requests.readline():
        request = json.loads(line)
        answer(*server.handle(request["pipeline"], requests.read(request["bytes"])))
    return 0


class _Server:
    """One context for requests, until a new one is needed; `found` are the diagnostics of one."""

    def __init__(self) -> None:
        self.context: Any = None
        self.kept = 0
        self.found: list[dict[str, Any]] = []

    def handle(self, pipeline: str, data: bytes) -> tuple[dict[str, Any], bytes]:
        """Run `pipeline` on a module in the generic form, or only build it where there is none."""
        self._renew(data)
        self.found = []
        module = None
        try:
            know_languages(self.context, pipeline.encode() + data)
            manager = build_pass_manager(pipeline, self.context)
            if data:
                module = ir.Module.parse(data, self.context).operation
                manager.run(module)
                form = {"print_generic_op_form": True, "enable_debug_info": True}
                data = module.get_asm(binary=True, assume_verified=True, **form)
            return {"diagnostics": self.found}, data
        except Exception as error:
            errors = [each for each in self.found if each["severity"] == "error"]
            # What does not verify is at a place of the host's; what does not parse, in the text.
            in_text = all(f'"{ANONYMOUS}":' in each["location"] for each in errors)
            failed = "reading" if data and module is None and errors and in_text else "running"
            head = {"failed": failed, "error": _reason(error, bool(errors))}
            return head | {"diagnostics": self.found}, b""

    def _renew(self, data: bytes) -> None:
        self.kept += len(data)
        # A context has each resource's name once.
        if self.context is None or self.kept > _MOST_KEPT or b"dialect_resources" in data:
            # The host has refused what it does not allow.
            self.context = new_context(allow_unregistered=True)
            self.context.emit_error_diagnostics = True
            self.context.attach_diagnostic_handler(self._keep)
            self.kept = len(data)

    def _keep(self, diagnostic: Any) -> bool:
        if plain_message(diagnostic):
            self.found.append(_as_data(diagnostic))
            note = "" if list(diagnostic.notes) else current_op_note()
            if note:
                self.found[-1]["notes"].append(self.found[-1] | {"message": note, "notes": []})
        return True


def _reason(error: Exception, is_said: bool) -> str:
    """Why a request failed, in one line; empty where a diagnostic says it."""
    if isinstance(error, PipelineError):
        return error.reason
    if isinstance(error, ir.MLIRError):
        return "" if is_said else " ".join(error_text(error).split())
    return " ".join(f"internal error: {type(error).__name__}: {error}".split())


def _as_data(diagnostic: Any) -> dict[str, Any]:
    return {
        "severity": severity_text(diagnostic.severity),
        "location": str(diagnostic.location),
        "message": plain_message(diagnostic),
        "notes": [_as_data(note) for note in diagnostic.notes],
    }
