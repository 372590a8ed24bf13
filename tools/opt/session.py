"""What `gs-opt` does with one input after another: parse, verify, run the passes, print."""

import io
from typing import Any, NoReturn

from mlir_gs.dialect import context as new_context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly import AssemblyError, to_assembly, to_generic
from mlir_gs.frontend.languages import know_languages
from mlir_gs.lowering.passes import explain
from mlir_gs.lowering.passes.diagnostics import (
    current_op_note,
    custom_form,
    error_text,
    plain_message,
)
from mlir_gs.lowering.passes.input_limits import over_limit, types_over_limit
from mlir_gs.lowering.passes.registry import build_pass_manager
from mlir_gs.tools.common.command_line import CommandLine, UsageError
from mlir_gs.tools.common.parse_input import is_binary, parse_bytes, parse_file, parse_model
from mlir_gs.tools.common.progress import doing
from mlir_gs.tools.opt import reproducer
from mlir_gs.tools.opt.irdl_file import load_irdl
from mlir_gs.tools.opt.proofs import Proofs, proof_options
from mlir_gs.tools.opt.source_text import Source
from mlir_gs.tools.opt.split_input import Chunk
from mlir_gs.tools.opt.verify_diagnostics import Verifier
from mlir_gs.tools.picture.page import Picture


class Failed(Exception):
    """One input did not get through; its diagnostics have been reported."""


class Session:
    """One context and one pass manager for all inputs, which are treated as the command line says.

    `printing` are keywords of `get_asm`, `instrumentation` those of `build_pass_manager`; `report`
    takes each line for stderr. Raises UsageError.
    """

    def __init__(
        self,
        line: CommandLine,
        printing: dict[str, Any],
        instrumentation: dict[str, Any],
        report: Any,
    ) -> None:
        self.line, self.report = line, report
        self.printing, self.instrumentation = printing, instrumentation
        self.bytecode_version = line.number("emit-bytecode-version")
        self.prove = proof_options(line.value("prove"))
        picture = line.value("gs-picture")
        self.picture = None if picture is None else Picture(picture)
        self.notes = not line.on("mlir-disable-diagnostic-notes")
        self.operation_notes = line.on("mlir-print-op-on-diagnostic", default=True)
        self.context = new_context(allow_unregistered=line.on("allow-unregistered-dialect"))
        self.context.emit_error_diagnostics = True
        self.source = Source("-", b"")
        self.verifier: Verifier | None = None
        self.errors = 0
        self.context.attach_diagnostic_handler(self._handle)
        self.pipeline = ""
        self.manager: Any = None
        self.proofs: Proofs | None = None

    def load_irdl(self, source: Source) -> None:
        """Register the dialects that `source` defines. Raises Failed, UsageError."""
        self.source = source
        try:
            load_irdl(source.data, source.name, self.context)
        except ir.MLIRError as error:
            if not self.errors:
                self.report(self._unexplained(error))
            raise Failed from error

    def prepare(self, pipeline: str) -> None:
        """Build the pass manager for all inputs. Raises PipelineError."""
        self.pipeline = pipeline
        know_languages(self.context, pipeline)
        if self.prove:
            self.proofs = Proofs(self.report, self.prove)
        watched = self.prove is not None or self.picture is not None
        self.manager = build_pass_manager(
            pipeline,
            self.context,
            after_each=self._after_pass if watched else None,
            **self.instrumentation,
        )

    def _after_pass(self, module: Any, name: str) -> None:
        if self.picture is not None:
            self.picture.step(module, name)
        if self.proofs is not None:
            self.proofs.check(module, name)

    def close(self) -> None:
        """Let go of the pass manager, which then prints its report of times."""
        self.manager = None

    def _handle(self, diagnostic: Any) -> bool:
        if not plain_message(diagnostic):
            # Upstream's, of a transform op in Python that does not apply: what it says of it comes
            # before and after.
            return True
        if self.verifier is not None:
            self.verifier.handle(diagnostic)
            return True
        self.errors += diagnostic.severity == ir.DiagnosticSeverity.ERROR
        is_shown = self.operation_notes and self.notes
        # Of errors of MLIR's own the op is among the notes.
        note = "" if list(diagnostic.notes) or not is_shown else current_op_note()
        self.report(self.source.report(diagnostic, self._shown, note))
        return True

    def _shown(self, note: Any) -> bool:
        is_operation = plain_message(note).startswith("see current operation:")
        return self.notes and (self.operation_notes or not is_operation)

    def process(self, source: Source, chunk: Chunk, path: str | None = None) -> bytes:
        """The output for one chunk of `source`, which is the whole of the file `path` if given.

        Raises Failed. With `--verify-diagnostics` an input may fail as long as it does as expected;
        its output is empty then.
        """
        if source is not self.source:
            know_languages(self.context, source.data)
        self.source = source
        source.first = chunk.line
        self.verifier = None
        level = self.line.value("verify-diagnostics")
        if not level:
            return self._output(chunk, path)
        self.verifier = Verifier(source, level == "only-expected")
        self.verifier.scan(chunk)
        try:
            output = self._output(chunk, path)
        except Failed:
            output = b""
        problems = self.verifier.finish()
        for problem in problems:
            self.report(problem)
        if problems:
            raise Failed
        return output

    def _output(self, chunk: Chunk, path: str | None) -> bytes:
        before = self.errors
        place = self.source.name if chunk.line == 1 else f"{self.source.name}:{chunk.line}"
        try:
            doing(place, "reading it")
            operation = self._parse(chunk, path)
            if self.line.on("verify-roundtrip"):
                doing(place, "printing and reading it again")
                self._check_roundtrip(operation)
            if self.picture is not None:
                self.picture.step(operation, place)
            if self.manager is not None:
                doing(place, "running passes on it")
                self._run(operation)
            if self.picture is not None:
                self.picture.end(operation)
            doing(place, "printing it")
            return self._print(operation)
        except ir.MLIRError as error:
            # What is diagnosed has come to the handler; this is for what has not.
            if self.errors == before and (self.verifier is None or error.error_diagnostics):
                self.report(self._unexplained(error))
            raise Failed from error

    def _unexplained(self, error: Any) -> str:
        """A message for an error that came with no diagnostic."""
        form = custom_form(self.source.data)
        if form is None:
            return self.source.message(None, "error", error_text(error))
        line, column, text = form
        return self.source.message((self.source.name, line, column), "error", text)

    def _parse(self, chunk: Chunk, path: str | None) -> Any:
        name, first = self.source.name, chunk.line
        model = parse_model(chunk.text, name, self.context, first)
        if model is not None:
            return model
        self._check_limits(chunk)
        operation = self._parsed(chunk, path, first)
        message = types_over_limit(operation) if is_binary(chunk.text) else ""
        if message:
            self._refuse((name, 1, 1), message)
        return operation

    def _parsed(self, chunk: Chunk, path: str | None, first: int) -> Any:
        name, implicit_module = self.source.name, not self.line.on("no-implicit-module")
        try:
            generic = to_generic(chunk.text)
        except AssemblyError as error:
            self._refuse((name, error.line + first - 1, error.column), error.message)
        self.source.place = generic.place
        if path is not None and implicit_module and generic.place is None:
            return parse_file(path, self.context)
        # Diagnostics are given the name anyway; what is only printed shows no locations.
        located = (
            self.manager is not None
            or self.line.on("emit-bytecode")
            or bool(self.printing["enable_debug_info"])
        )
        return parse_bytes(generic, name, self.context, implicit_module, first, located)

    def _check_limits(self, chunk: Chunk) -> None:
        beyond = None if is_binary(chunk.text) else over_limit(chunk.text)
        if beyond is None:
            return
        line, column, message = beyond
        self._refuse((self.source.name, line + chunk.line - 1, column), message)

    def _refuse(self, place: tuple[str, int, int], message: str) -> NoReturn:
        if self.verifier is not None:
            self.verifier.handle_text(place, "error", message)
        else:
            self.report(self.source.message(place, "error", message))
        raise Failed

    def _run(self, operation: Any) -> None:
        path = self.line.value("mlir-pass-pipeline-crash-reproducer")
        for each in (path, self.line.value("mlir-generate-reproducer")):
            if each:
                reproducer.write(each, operation, self.pipeline)
        if self.proofs is not None:
            self.proofs.begin(operation)
        with explain.collecting() as notes:
            self.manager.run(operation)
        if self.line.on("gs-explain"):
            for note in dict.fromkeys(notes):
                self.report(str(note))
        if path:
            reproducer.remove(path)

    def _print(self, operation: Any) -> bytes:
        if self.line.on("emit-bytecode"):
            buffer = io.BytesIO()
            try:
                operation.write_bytecode(buffer, self.bytecode_version)
            except ValueError as error:
                raise UsageError(f"for the --emit-bytecode-version option: {error}") from error
            return buffer.getvalue()
        # The pass manager has verified, unless that is switched off.
        verified = self.instrumentation.get("verify_each", True)
        text = operation.get_asm(binary=True, assume_verified=verified, **self.printing)
        if not self.printing.get("print_generic_op_form"):
            text = to_assembly(text)
        return text.rstrip(b"\n") + b"\n"

    def _check_roundtrip(self, operation: Any) -> None:
        reference = _comparable(operation)
        buffer = io.BytesIO()
        operation.write_bytecode(buffer)
        text = to_assembly(operation.get_asm(binary=True, enable_debug_info=True))
        for kind, data in (("text", text), ("bytecode", buffer.getvalue())):
            # In a context of its own: one holds each name of a resource once.
            context = new_context(allow_unregistered=self.line.on("allow-unregistered-dialect"))
            know_languages(context, text)
            generic = to_generic(data)
            again = parse_bytes(generic, self.source.name, context, kind == "bytecode")
            if again.name != operation.name:
                again = again.regions[0].blocks[0].operations[0].detach_from_parent()
            if _comparable(again) != reference:
                operation.location.emit_error(f"{kind} round trip: the parsed IR differs")
                raise Failed


def _comparable(operation: Any) -> str:
    return operation.get_asm(print_generic_op_form=True, use_local_scope=True)
