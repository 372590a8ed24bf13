"""What `gs-prove` does with its command line."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs import execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import ParseError, parse
from mlir_gs.lowering import PassFailure, PipelineError, run_pipeline
from mlir_gs.lowering.passes.diagnostics import error_text
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.options import Parser, seconds
from mlir_gs.tools.common.parse_input import read_path
from mlir_gs.tools.common.prover import prover, text_of
from mlir_gs.tools.common.read_module import one_line, read_module
from mlir_gs.tools.opt.split_input import DEFAULT_MARKER, split_input

_DESCRIPTION = """Prove that a function may stand for another, for all sizes, coordinates, contents.

Functions are compared by their names. Each is proved, or refuted by small arguments that were run
on both, or unknown, with the part that stopped the proof."""

_EXAMPLES = """examples:
  gs-prove before.mlir after.mlir
  gs-prove both.mlir                        before and after with a line '// -----' between them
  gs-prove --pass=gs-canonicalize file.mlir        what the passes make of it
  gs-prove --pass='gs-generalize,gs-fuse' --timeout 30 file.mlir

exit codes: 0 all proved, 1 one is refuted (or the files are wrong), 2 one is unknown"""

# From the best to the worst.
_CODES = {"proved": 0, "unknown": 2, "refuted": 1}


def run(arguments: list[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError for what cannot be begun."""
    options = _options(arguments)
    prove = prover()
    before, after = _modules(options)
    names = [options.entry] if options.entry else prove.compared(before, after)
    if not names or (options.entry and options.entry not in prove.functions(before)):
        raise UsageError(f"no function {options.entry or 'with a body'} before")
    statuses = []
    for name in names:
        answer = prove.prove(before, after, name, options.timeout)
        statuses.append(answer.status)
        print(f"@{name}: {text_of(answer)}", flush=True)
        if options.save and answer.counterexample is not None:
            paths = _saved(Path(options.save), name, answer.counterexample.arguments)
            print(f"  gs-run {options.files[0]} -e {name} --args {' '.join(paths)}", flush=True)
        if options.dump_smt and answer.question is not None:
            path = _made(Path(options.dump_smt)) / f"{name}.smt2"
            path.write_text(prove.smt_of(answer.question), encoding="utf-8")
            print(f"  {path}: unsat if this holds", flush=True)
    order = list(_CODES)
    return _CODES[max(statuses, key=order.index)]


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = Parser("gs-prove", _DESCRIPTION, _EXAMPLES)
    parser.add("files", "before and after; - for stdin", nargs="+")
    parser.add("--pass PIPELINE", "make after from before", dest="passes")
    parser.add("-e --entry ENTRY", "only this function")
    parser.add(
        "--timeout TIMEOUT", "seconds for each function (%(default)s)", type=seconds, default=10
    )
    parser.add(
        "--save-counterexample DIR",
        "write the arguments of each counterexample as .npy files, and print a call of gs-run",
        dest="save",
    )
    parser.add("--dump-smt DIR", "write what the solver could not show as SMT-LIB")
    options = parser.read(arguments)
    if len(options.files) > (1 if options.passes else 2):
        raise UsageError("expected one file with --pass, else two (gs-prove --help)")
    return options


def _saved(folder: Path, name: str, arguments: list[Any]) -> list[str]:
    """The files that hold the arguments, one each."""
    paths = [_made(folder) / f"{name}.{n}.npy" for n in range(len(arguments))]
    for path, array in zip(paths, arguments, strict=True):
        np.save(path, array)
    return [str(path) for path in paths]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _modules(options: argparse.Namespace) -> tuple[Any, Any]:
    if len(options.files) == 2:
        return tuple(read_module(name) for name in options.files)
    (name,) = options.files
    if options.passes is None:
        return _parts(name)
    before, after = read_module(name), read_module(name)
    with one_line():
        try:
            run_pipeline(after, options.passes)
        except (PipelineError, PassFailure) as error:
            raise UsageError(f"--pass: {error}") from error
    return before, after


def _parts(name: str) -> tuple[Any, Any]:
    """The two parts of one file."""
    if not Path(name).is_file():
        raise UsageError(f"{name}: no such file")
    chunks, _ = split_input(read_path(name), DEFAULT_MARKER)
    if len(chunks) != 2:
        raise UsageError(
            f"{name}: expected two files, --pass, or one line '{DEFAULT_MARKER}' that parts before "
            f"from after, found {len(chunks) - 1}"
        )
    try:
        # As many lines come first as in the file, for the places in what is reported.
        texts = [b"\n" * (chunk.line - 1) + chunk.text for chunk in chunks]
        before, after = (
            parse(text, execution.context_for(text), name=name).operation for text in texts
        )
    except ParseError as error:
        raise UsageError(str(error)) from error
    except ir.MLIRError as error:
        raise UsageError(error_text(error)) from error
    return before, after
