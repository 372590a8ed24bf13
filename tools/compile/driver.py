"""What `gs-compile` does, step by step."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlir_gs import execution
from mlir_gs.execution.aot import aot
from mlir_gs.execution.aot.header import header
from mlir_gs.execution.disk import link
from mlir_gs.execution.machine import openmp
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.read_module import one_line, read_module
from mlir_gs.tools.common.saved_file import save
from mlir_gs.tools.compile.options import parse_options

_LIBRARIES = (".so", ".dylib")
_KINDS = (".o", *_LIBRARIES, ".h", ".ll")


def run(argv: Sequence[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError."""
    options = parse_options(argv)
    for name in options.output:
        if Path(name).suffix not in _KINDS:
            raise UsageError(f"{name}: expected a file name that ends in {', '.join(_KINDS)}")
    triple = options.triple
    cpus = tuple(options.mcpu.split(",")) if options.mcpu else aot.default_cpus(triple)
    threads = _threads(options.threads, triple)
    with one_line():
        module = read_module(options.file, options.pass_pipeline)
        entries = options.entry or execution.public_names(module)
        for name in entries:
            execution.entry_name(module, name)
        settings = aot.Options(
            cpus, threads, options.sanitize, options.prefix, options.target, triple
        )
        made = aot.compile_ahead(module, entries, settings)
    for name in options.output:
        data = _contents(name, made, options, cpus)
        save(name, lambda file, data=data: file.write(data), Path(name).suffix in _LIBRARIES)
    return 0


def _threads(wanted: int, triple: str | None) -> int:
    if wanted > 1 and triple is None and openmp.runtime() is None:
        raise UsageError(f"--threads {wanted}: no OpenMP runtime (pip install cmeel-libomp)")
    return min(wanted, openmp.MOST_THREADS)


def _contents(name: str, made: aot.Compiled, options: Any, cpus: Sequence[str]) -> bytes:
    suffix = Path(name).suffix
    if suffix == ".o":
        return made.code
    if suffix == ".ll":
        return made.llvm_ir().encode()
    if suffix == ".h":
        source = "stdin" if options.file == "-" else Path(options.file).name
        return header(made.kernels, source, cpus, Path(name).stem).encode()
    exported = [symbol for kernel in made.kernels for symbol in aot.exports(kernel)]
    runtime = "-lomp" if made.triple else openmp.runtime()
    needed = [runtime] if made.parallel and runtime else []
    given = (options.linker, made.triple)
    try:
        return link.link(made.code, Path(name).name, exported, needed, *given)
    except link.LinkError as error:
        raise UsageError(f"{name}: {error}") from error
