"""The Pygments lexer of MLIR with `gs` ops, by the grammar that editors read."""

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, ClassVar

from pygments import token
from pygments.lexer import RegexLexer

_TOKENS = {
    "comment.line.double-slash": token.Comment.Single,
    "entity.name.function": token.Name.Function,
    "string.quoted.double": token.String.Double,
    "variable.other": token.Name.Variable,
    "entity.name.label": token.Name.Label,
    "entity.name.type": token.Name.Class,
    "storage.type": token.Keyword.Type,
    "constant.other": token.Name.Constant,
    "constant.numeric": token.Number,
    "constant.language": token.Keyword.Constant,
    "entity.other.attribute-name": token.Name.Attribute,
    "keyword.other": token.Keyword,
    "source": token.Name,
    "keyword.operator": token.Operator,
    "punctuation": token.Punctuation,
}


def _rules() -> list[tuple[str, Any]]:
    path = files("mlir_gs.tools.editors") / "vscode" / "gs.tmLanguage.json"
    patterns = json.loads(path.read_text("utf-8"))["patterns"]
    rules = [(each["match"], _TOKENS[each["name"].removesuffix(".mlir")]) for each in patterns]
    return [(r"\s+", token.Whitespace), *rules]


class MlirLexer(RegexLexer):
    """MLIR's text, with the assembly form of `gs` ops."""

    name = "MLIR"
    aliases: ClassVar[Sequence[str]] = [name.lower()]
    filenames: ClassVar[Sequence[str]] = ["*.mlir"]
    url = "https://mlir.llvm.org/docs/LangRef/"
    tokens: ClassVar[Any] = {"root": _rules()}
