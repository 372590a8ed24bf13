"""The server: the Language Server Protocol, by pygls, over what `Document` knows."""

from typing import Any

from lsprotocol import types
from mlir_gs import __version__
from mlir_gs.tools.lsp.document import Document, Problem, Symbol
from mlir_gs.tools.lsp.features import complete, hover
from mlir_gs.tools.lsp.layout import laid_out
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_KINDS = {
    "op": types.CompletionItemKind.Function,
    "clause": types.CompletionItemKind.Property,
    "word": types.CompletionItemKind.EnumMember,
    "value": types.CompletionItemKind.Variable,
}


class _Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__("gs-lsp", __version__)
        self._documents: dict[str, tuple[str, Document]] = {}

    def document(self, uri: str) -> Document:
        """What is known of the file, read again if its text has changed."""
        text = self.workspace.get_text_document(uri).source
        if self._documents.get(uri, ("", None))[0] != text or uri not in self._documents:
            self._documents[uri] = text, Document(text)
        return self._documents[uri][1]

    def forget(self, uri: str) -> None:
        self._documents.pop(uri, None)

    def offset(self, document: Document, position: types.Position) -> int:
        """The offset that a client means, who counts UTF-16, or what was agreed on."""
        codec = self.workspace.position_codec
        place = codec.position_from_client_units(document.text.lines, position)
        return document.text.offset_of(place.line, place.character)

    def range(self, document: Document, start: int, end: int) -> types.Range:
        codec, lines = self.workspace.position_codec, document.text.lines
        first, last = (
            codec.position_to_client_units(lines, types.Position(*document.text.place(offset)))
            for offset in (start, end)
        )
        return types.Range(first, last)

    def publish(self, uri: str, version: int | None) -> None:
        document = self.document(uri)
        found = [self._diagnostic(uri, document, problem) for problem in document.problems]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version=version)
        )

    def symbol(self, document: Document, found: Symbol) -> types.DocumentSymbol:
        name_end = document.text.word_end(found.start)
        kinds = {"func.func": types.SymbolKind.Function, "builtin.module": types.SymbolKind.Module}
        return types.DocumentSymbol(
            found.name or found.op,
            kinds.get(found.op, types.SymbolKind.Operator),
            self.range(document, found.start, found.end),
            self.range(document, found.start, min(name_end, found.end)),
            detail=found.op if found.name else None,
            children=[self.symbol(document, each) for each in found.inner],
        )

    def _diagnostic(self, uri: str, document: Document, problem: Problem) -> types.Diagnostic:
        return types.Diagnostic(
            self.range(document, problem.offset, document.text.word_end(problem.offset)),
            problem.message,
            severity=_SEVERITIES[problem.severity],
            source="gs",
            related_information=[
                types.DiagnosticRelatedInformation(
                    types.Location(uri, self.range(document, note.offset, note.offset)),
                    note.message,
                )
                for note in problem.notes
            ],
        )


def make_server() -> LanguageServer:
    """A server, to be started."""
    server = _Server()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.publish(params.text_document.uri, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.publish(params.text_document.uri, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.forget(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(params: types.HoverParams) -> types.Hover | None:
        document = server.document(params.text_document.uri)
        found = hover(document, server.offset(document, params.position))
        if found is None:
            return None
        text, start, end = found
        contents = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(contents, server.range(document, start, end))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def defined(params: types.DefinitionParams) -> types.Location | None:
        uri = params.text_document.uri
        document = server.document(uri)
        found = document.definition(server.offset(document, params.position))
        if found is None:
            return None
        return types.Location(uri, server.range(document, found.token.start, found.token.end))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def referred(params: types.ReferenceParams) -> list[types.Location]:
        uri = params.text_document.uri
        document = server.document(uri)
        found = document.references(server.offset(document, params.position))
        if found and not params.context.include_declaration:
            definition = document.definition(found[0].start)
            found = [each for each in found if definition and each != definition.token]
        return [types.Location(uri, server.range(document, t.start, t.end)) for t in found]

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def renamed(params: types.RenameParams) -> types.WorkspaceEdit:
        uri, name = params.text_document.uri, params.new_name
        document = server.document(uri)
        try:
            found = document.rename(server.offset(document, params.position), name)
        except ValueError as error:
            raise JsonRpcInvalidParams(str(error)) from None
        edits = [
            types.TextEdit(
                server.range(document, token.start, token.start + len(token.name)),
                "%" + name.removeprefix("%"),
            )
            for token in found
        ]
        return types.WorkspaceEdit(changes={uri: edits})

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = server.document(params.text_document.uri)
        return [server.symbol(document, each) for each in document.symbols()]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = server.document(params.text_document.uri)
        text = document.text.text
        whole = server.range(document, 0, len(text))
        written = laid_out(text, params.options.tab_size)
        return [] if written == text else [types.TextEdit(whole, written)]

    options = types.CompletionOptions(trigger_characters=[".", "%", "("])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, options)
    def completed(params: types.CompletionParams) -> list[types.CompletionItem]:
        document = server.document(params.text_document.uri)
        offset = server.offset(document, params.position)
        # What has been typed is replaced: editors differ in whether `.` and `%` are of a word.
        span = server.range(document, document.text.typed_from(offset), offset)
        return [_item(each, span) for each in complete(document, offset)]

    return server


def _item(proposal: Any, span: types.Range) -> types.CompletionItem:
    about = types.MarkupContent(types.MarkupKind.Markdown, proposal.about)
    return types.CompletionItem(
        proposal.text,
        kind=_KINDS[proposal.kind],
        detail=proposal.detail or None,
        documentation=about if proposal.about else None,
        text_edit=types.TextEdit(span, proposal.text),
    )
