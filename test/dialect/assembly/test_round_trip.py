"""Every MLIR file of the repository prints, parses and compares equal in the assembly form."""

import re
from pathlib import Path
from typing import Any

import pytest
from mlir_gs import dialect
from mlir_gs.dialect import assembly
from mlir_gs.frontend.parse import ParseError, parse

ROOT = Path(__file__).parents[3]
FOLDERS = ("test", "examples", "docs", "benchmarks")
FILES = [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.mlir"))
    if "Output" not in path.parts
]
_LEFT = re.compile(r'^\s*(?:%[^"\n]* = )?"gs\.\w+"\(', re.MULTILINE)


def test_there_are_files() -> None:
    assert len(FILES) > 150


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_file_round_trips(path: Path) -> None:
    texts = re.split(rb"^// -----.*$", path.read_bytes(), flags=re.MULTILINE)
    context = new_context()
    for text in texts:
        try:
            module = parse(text, context)
        except ParseError:
            # What is wrong on purpose.
            continue
        # Upstream's own forms leave out a few defaults.
        module = parse(str(module), new_context())
        for form in ({}, {"debug_info": True}, {"local_scope": True}, {"generic": True}):
            printed = assembly.print(module, **form)
            assert form.get("generic") or not _LEFT.search(printed)
            # A context holds each name of a resource once.
            other = new_context() if "dense_resource" in printed else context
            assert generic(parse(printed, other)) == generic(module)


def new_context() -> Any:
    return dialect.context(allow_unregistered=True)


def generic(module: Any) -> str:
    return module.operation.get_asm(print_generic_op_form=True, use_local_scope=True)
