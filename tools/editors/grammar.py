"""The grammar that editors read, `vscode/gs.tmLanguage.json`, from the assembly forms of the ops.

It has one level: what a word is depends on its spelling and what stands next to it. Patterns are
written in what TextMate's, VS Code's and Python's regular expressions share.
"""

import json

from mlir_gs.dialect import Gs
from mlir_gs.dialect.assembly.form import form_of

LANGUAGE = "MLIR"
_WORDS_OF_FORMS = ("into", "at", "ins", "outs", "iterators", "fill", "combine")
_KEYWORDS = ("affine_map", "affine_set", "array", "dense", "dense_resource", "distinct", "loc")


def _rules() -> list[tuple[str, str]]:
    """Scopes and patterns, the first that matches counts."""
    clauses = {name for op in Gs.operations for name in form_of(op).clauses.kinds}
    # Of gs.generic in the generic form only.
    clauses -= {name for name in clauses if name.endswith(("SegmentSizes", "_maps", "_types"))}
    words = "|".join(sorted({*clauses, *_WORDS_OF_FORMS}))
    return [
        ("comment.line.double-slash", r"//.*$"),
        ("entity.name.function", r'"[A-Za-z_][\w$]*(?:\.[\w$]+)+"(?=\s*\()'),
        ("string.quoted.double", r'"(?:[^"\\]|\\.)*"'),
        ("variable.other", r"%[\w$.-]+(?:[:#]\d+)?"),
        ("entity.name.label", r"\^[\w$.-]+"),
        ("entity.name.type", r'@(?:[\w$.-]+|"(?:[^"\\]|\\.)*")'),
        ("storage.type", r"![A-Za-z_$][\w$.-]*"),
        ("constant.other", r"#[A-Za-z_$][\w$.-]*"),
        ("constant.numeric", r"(?<=[<x])(?:\d+|\?|\*)x(?=[a-z\d?!(\[])"),
        ("constant.numeric", r"\b0x[0-9A-Fa-f]+\b"),
        ("constant.numeric", r"\b\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\w$])"),
        ("constant.numeric", r"\b\d+(?=x|\b)"),
        ("storage.type", r"(?:\b|(?<=x))(?:[us]?i\d+|b?f\d+\w*|tf32|index|none)\b(?!\.\w)"),
        ("storage.type", r"(?:\b|(?<=x))(?:tensor|memref|vector|complex|tuple)(?=\s*<)"),
        ("constant.language", r"\b(?:true|false|unit)\b"),
        ("entity.other.attribute-name", r"\b[A-Za-z_][\w$.-]*(?=\s*=(?!=))"),
        ("keyword.other", rf"\b(?:{words})\b"),
        ("keyword.other", rf"\b(?:{'|'.join(_KEYWORDS)})\b"),
        ("entity.name.function", r"\b[A-Za-z_][\w$]*(?:\.[\w$]+)+"),
        ("source", r"[\w$]+"),
        ("keyword.operator", r"->|::|[<>=]=|[-+*/=|&]"),
        ("punctuation", r"[()\[\]{}<>,:;.?!#@]"),
    ]


def grammar_text() -> str:
    """The grammar as JSON."""
    patterns = [{"match": pattern, "name": f"{scope}.mlir"} for scope, pattern in _rules()]
    grammar = {
        "name": LANGUAGE,
        "scopeName": "source.mlir",
        "fileTypes": [LANGUAGE.lower()],
        "patterns": patterns,
    }
    return json.dumps(grammar, indent=2) + "\n"
