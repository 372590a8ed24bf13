"""Digests of the loops that `convert-gs-to-scf` makes, to show which kernels a change touches.

    python benchmarks/digests.py before.txt
    (change something)
    python benchmarks/digests.py after.txt --against before.txt

One line for each workload, each kernel of the functions on arrays and each lit input, on 1 and 2
threads, for each profile: name, machine, threads, digest of the canonicalized IR, or `refused` and
a digest of the diagnostic. For the machine `llvm` it is the LLVM IR that `compile` makes for the
profile `generic`. A change that moves code and nothing else leaves every line. With --against,
lines that differ, were added or are gone are printed, and the command exits with 1 if there are
any. `--ir` keeps the IR itself, a file for each line.
"""

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mlir_gs
import numpy as np
from catalogue import workloads
from functions_catalogue import WORKS
from mlir_gs import dialect
from mlir_gs.dialect._bindings import dialect as upstream
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError, entry_name, lowered
from mlir_gs.execution.compilation import build
from mlir_gs.execution.disk import cached
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, run_pipeline
from mlir_gs.lowering.scf.targets import profiles
from rich.console import Console
from rich.progress import track

TESTS = Path(__file__).parent.parent / "test"
SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
THREADS = (1, 2)


TO_BUFFERS = (
    "gs-import,gs-infer,gs-canonicalize,gs-if{when=may-merge}(gs-merge),"
    "func.func(convert-elementwise-to-linalg),convert-products-to-gs,gs-generalize,gs-bufferize,"
    "canonicalize,cse"
)

MACHINES = [name for name in profiles() if name != "tiny"]


def inputs() -> Iterator[tuple[str, str]]:
    """Name and text of each workload and of each part of each lit input."""
    for name, workload in workloads().items():
        yield name, workload.source(False)
    yield from of_functions()
    for path in sorted(TESTS.rglob("*.mlir")):
        if "Inputs" in path.parts:
            continue
        parts = SPLIT.split(path.read_text(encoding="utf-8", errors="surrogateescape"))
        for number, text in enumerate(parts):
            yield f"{path.relative_to(TESTS)}:{number}", text


def of_functions() -> Iterator[tuple[str, str]]:
    """Name and text of each kernel that calls of the functions on arrays compile."""
    texts: dict[str, None] = {}
    real = build.build

    def noted(source: Any, *settings: Any, **named: Any) -> Any:
        if callable(source):
            with dialect.context(), ir.Location.unknown():
                texts[str(source())] = None
        return real(source, *settings, **named)

    build.build, is_kept, cached.enabled = noted, cached.enabled, lambda: False
    for work in WORKS:
        if not work.through:
            data = work.make(np.random.default_rng(0), 100)
            work.ours(mlir_gs, SimpleNamespace(**data))
        for number, text in enumerate(texts):
            yield f"{work.name.replace(' ', '-')}:{number}", text
        texts.clear()
    build.build, cached.enabled = real, is_kept


def pipelines() -> dict[tuple[str, int], str]:
    """By machine and threads, the pipeline text of `convert-gs-to-scf` and its options."""
    return {
        (name, threads): f"convert-gs-to-scf{{threads={threads} target={{{name}}}}},"
        f"gs-prefetch{{target={{{name}}}}},gs-unswitch,canonicalize"
        for name in MACHINES
        for threads in THREADS
    }


def loops(text: str, to_scf: dict[tuple[str, int], str]) -> Iterator[tuple[str, str]]:
    """Machine and threads, and the IR for them; a diagnostic where there is none."""
    with dialect.context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        try:
            module = parse(text)
            run_pipeline(module, TO_BUFFERS)
        except (PassFailure, ParseError, ir.MLIRError) as failure:
            yield "any any", f"refused {failure}"
            return
        for (name, threads), step in to_scf.items():
            copy = ir.Module.parse(str(module))
            try:
                run_pipeline(copy, step)
                yield f"{name} {threads}", str(copy)
            except (PassFailure, ir.MLIRError) as failure:
                yield f"{name} {threads}", f"refused {failure}"
        for threads in THREADS:
            yield f"llvm {threads}", _llvm_ir(text, threads)


def _llvm_ir(text: str, threads: int) -> str:
    try:
        module = parse(text)
        made = lowered(module, entry_name(module), threads=threads, target="generic")
        return upstream("llvm").translate_module_to_llvmir(made.operation)
    except (CompileError, ParseError, ir.MLIRError) as failure:
        return f"refused {failure}"


def digests(folder: Path | None) -> dict[str, str]:
    """Digest of the IR by what it is of; the IR goes to `folder`, if there is one."""
    to_scf = pipelines()
    found: dict[str, str] = {}
    console = Console(stderr=True)
    everything = list(inputs())
    for name, text in track(
        everything, "lowering", console=console, disable=not console.is_terminal
    ):
        for target, made in loops(text, to_scf):
            digest = hashlib.sha256(made.encode("utf-8", "surrogateescape")).hexdigest()[:16]
            refused = "refused " if made.startswith("refused ") else ""
            found[f"{name} {target}"] = refused + digest
            if folder is not None:
                path = folder / re.sub(r"[^\w.-]", "_", f"{name} {target}.mlir")
                path.write_text(made, encoding="utf-8", errors="surrogateescape")
    return found


def read(path: Path) -> dict[str, str]:
    """What `main` wrote."""
    lines = [line.split(" ", 3) for line in path.read_text(encoding="utf-8").splitlines()]
    return {" ".join(line[:3]): line[3] for line in lines}


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """A line for each name whose digest changed, is new or is gone."""
    return [
        f"{'changed' if name in before and name in after else 'new' if name in after else 'gone'}"
        f" {name}"
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    ]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("output", type=Path, help="the file to write")
    parser.add_argument("--against", type=Path, help="a file written before")
    parser.add_argument("--ir", type=Path, help="a folder that the IR is kept in")
    arguments = parser.parse_args()
    if arguments.ir is not None:
        arguments.ir.mkdir(parents=True, exist_ok=True)
    before = read(arguments.against) if arguments.against is not None else None
    found = digests(arguments.ir)
    lines = [f"{name} {digest}\n" for name, digest in sorted(found.items())]
    arguments.output.write_text("".join(lines), encoding="utf-8")
    refused = sum(digest.startswith("refused") for digest in found.values())
    print(f"{len(found)} digests, {refused} of them of diagnostics")
    if before is None:
        return 0
    changed = differences(before, found)
    print(*changed, f"{len(changed)} differ", sep="\n")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
