"""`gs-to-llvm` with what each pass makes printed, parsed, and taken from there.

`python test/lowering/llvm/printed_again.py` does that for every function of every lit input, on one
thread and on two, and prints those whose LLVM IR differs.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mlir_gs import dialect
from mlir_gs.dialect._bindings import dialect as upstream
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline

TESTS = Path(__file__).parents[2]
_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
_FUNCTION = re.compile(r"^func\.func @(\w+)", re.MULTILINE)
_PHI = re.compile(r"(?<= )\[ [^\]]+ \](?:, \[ [^\]]+ \])+")


def inputs() -> Iterator[tuple[str, str, str]]:
    """Where each function of the lit inputs is, the text around it, and its name."""
    for path in sorted(TESTS.rglob("*.mlir")):
        if "Inputs" in path.parts:
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        for number, part in enumerate(_SPLIT.split(text)):
            for name in _FUNCTION.findall(part):
                yield f"{path.relative_to(TESTS)}:{number}", part, name


def options(entry: str, threads: int) -> str:
    """Each parallel loop is shared out, however little it does."""
    return f"gs-to-llvm{{entry={entry} threads={threads} target={{generic:serial-bytes=0}}}}"


def llvm_ir(text: str, pipeline: str, after_each: Any = None) -> str:
    """The LLVM IR of a module. The operands of each phi are sorted: their order follows use lists.
    Raises PassFailure and ParseError."""
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        run_pipeline(module, pipeline, after_each=after_each)
        found = upstream("llvm").translate_module_to_llvmir(module.operation)
    return _PHI.sub(lambda phi: ", ".join(sorted(phi[0][2:-2].split(" ], [ "))), found)


def replace_by_its_print(module: Any, _: str) -> None:
    """Everything in `module`, an operation, and its attributes, as its text says."""
    again = ir.Module.parse(str(module))
    body = module.regions[0].blocks[0]
    for op in list(body.operations):
        op.operation.erase()
    for op in list(again.body.operations):
        body.append(op)
    for name in list(module.attributes):
        del module.attributes[name]
    for name in again.operation.attributes:
        module.attributes[name] = again.operation.attributes[name]


def is_equal(text: str, name: str, threads: int) -> bool | None:
    """Whether it makes no difference; None for a function that is refused."""
    pipeline = options(name, threads)
    try:
        expected = llvm_ir(text, pipeline)
    except (PassFailure, ParseError):
        return None
    return llvm_ir(text, pipeline, replace_by_its_print) == expected


def main() -> int:
    """The command line."""
    found = {
        f"{place} @{name} on {threads}": is_equal(text, name, threads)
        for place, text, name in inputs()
        for threads in (1, 2)
    }
    wrong = [place for place, equal in found.items() if equal is False]
    print(*wrong, f"{len(wrong)} of {len(found)} differ", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
