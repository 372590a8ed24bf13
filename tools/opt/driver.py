"""What `gs-opt` does with its command line."""

import os
import pkgutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir_gs.dialect import context as new_context
from mlir_gs.dialect import irdl_text
from mlir_gs.dialect._bindings import module
from mlir_gs.frontend.languages import DIALECTS, know_languages
from mlir_gs.lowering import PipelineError
from mlir_gs.tools.common import command_line, completion, progress
from mlir_gs.tools.common.command_line import CommandLine, UsageError
from mlir_gs.tools.common.console import shortened
from mlir_gs.tools.common.parse_input import can_parse_file, is_binary, read_path
from mlir_gs.tools.common.saved_file import check_writable, save
from mlir_gs.tools.common.version import version_text
from mlir_gs.tools.opt import pass_flags, reproducer, serve
from mlir_gs.tools.opt.flags import FLAGS
from mlir_gs.tools.opt.ir_dumps import Wanted, only
from mlir_gs.tools.opt.irdl_file import is_registered
from mlir_gs.tools.opt.session import Failed, Session
from mlir_gs.tools.opt.source_text import Source
from mlir_gs.tools.opt.split_input import DEFAULT_MARKER, Chunk, split_input

_HELP = """\
gs-opt: read MLIR with the gs dialect, run passes, write it again.

usage: gs-opt [flags] [file]          without a file, or with '-', standard input is read

The file may be MLIR of any language that mlir-gs converts, as text or bytecode, an ONNX model
(.onnx), a program of torch.export (.pt2), or a portable artifact or export of StableHLO.

Examples:
  gs-opt a.mlir                                       parse, verify, print
  gs-opt a.mlir --gs-generalize --cse                 passes, in the order of their flags
  gs-opt a.mlir --canonicalize="max-iterations=2"     a pass with an option
  gs-opt a.mlir --pass-pipeline='builtin.module(gs-generalize,func.func(cse))'
  gs-opt a.mlir --split-input-file --verify-diagnostics
  gs-opt a.mlir -o b.mlir
  gs-opt model.onnx --import                          any model as gs and upstream's dialects
  gs-opt a.mlir --gs-generalize --gs-fuse --gs-picture=steps.html      the IR after each pass
"""
_STDIN = "<stdin>"
# Dialects whose module in the bindings has another name, or none.
_OTHER_DIALECTS = (
    *("acc", "amx", "arm_neon", "arm_sme", "arm_sve", "async", "dlti", "mpi", "omp", "pdl_interp"),
    *("ptr", "vcix", "wasmssa", "x86vector", "xegpu", "xevm"),
)


def run(arguments: list[str]) -> int:
    """Run the tool; returns the exit code. Raises UsageError for what cannot be begun."""
    line = command_line.parse(arguments, FLAGS)
    for name, text in _ABOUT.items():
        if line.on(name):
            print(text())
            return 0
    lifeline = line.value("serve")
    if lifeline is not None:
        return serve.serve(lifeline)
    if len(line.words) > 1:
        raise UsageError(f"Too many positional arguments specified: {' '.join(line.words)}")
    try:
        return _transform(line)
    except PipelineError as error:
        _report(shortened(str(error)))
        return 1


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _help() -> str:
    return "\n".join([_HELP, command_line.help_text(FLAGS), pass_flags.listing()])


def _dialects(own: Sequence[str] = ()) -> list[str]:
    """The registered dialects among `own` and those that the bindings have a module for.

    The bindings cannot list what is registered.
    """
    modules = {each.name.strip("_") for each in pkgutil.iter_modules(module("dialects").__path__)}
    names = modules.union(_OTHER_DIALECTS, own)
    context = new_context()
    know_languages(context, "".join(f"{name}." for name in own))
    found = {"builtin", "gs", *(name for name in names if is_registered(name, context))}
    return sorted(found)


def _help_list() -> str:
    by_name = sorted(FLAGS, key=lambda flag: flag.name)
    return command_line.help_text(replace(flag, group="Flags") for flag in by_name)


_ABOUT = {
    "help": _help,
    "help-list": _help_list,
    "h": _help,
    "version": lambda: version_text("gs-opt"),
    "list-passes": pass_flags.listing,
    "show-dialects": lambda: "Available Dialects: " + ", ".join(_dialects(DIALECTS)),
    "plugin-table": lambda: serve.table(_dialects()),
    "irdl": irdl_text,
}


def _transform(line: CommandLine) -> int:
    shell = line.value("completion")
    if shell is not None:
        print(completion.script(shell, "gs-opt", pass_flags.words(FLAGS)), end="")
        return 0
    path = line.words[0] if line.words else "-"
    target = line.value("o") or "-"
    session = _session(line)
    if line.value("irdl-file") is not None:
        irdl = line.values["irdl-file"]
        try:
            session.load_irdl(Source(irdl, read_path(irdl)))
        except Failed:
            return 1
    pipeline = _pipeline(line, session.context)
    if target != "-":
        check_writable(target)
    data = read_path(path)
    source = Source(_STDIN if path == "-" else path, data)
    if line.on("run-reproducer"):
        found = reproducer.read(data)
        if found is None:
            raise UsageError(f"'{path}' holds no reproducer")
        data, pipeline = found
    if pipeline:
        session.prepare(pipeline)
        if line.on("dump-pass-pipeline"):
            _report(str(session.manager))
    marker = line.value("split-input-file")
    if marker == "":
        raise UsageError("for the --split-input-file option: the marker is empty")
    chunks = [Chunk(data, 1)]
    if marker is not None and not is_binary(data):
        chunks, near = split_input(data, marker)
        for number in near:
            place = (source.name, number, 1)
            _report(source.message(place, "warning", "near miss with file split marker"))
    whole = path if marker is None and data is source.data and can_parse_file(path) else None
    outputs = []
    failed = False
    # Into a folder MLIR writes by itself.
    as_is = line.on("mlir-print-op-generic") or line.value("mlir-print-ir-tree-dir") is not None
    with only(_dumps(line), progress.held(), as_is):
        for chunk in chunks:
            try:
                outputs.append(session.process(source, chunk, whole))
            except Failed:
                outputs.append(b"")
                failed = True
    session.close()
    if session.picture is not None:
        session.picture.write(save)
    between = os.fsencode(line.value("output-split-marker") or DEFAULT_MARKER) + b"\n"
    # As in mlir-opt, a file is written only if all went well.
    if target == "-" or not failed:
        _write(target, between.join(outputs))
    return int(failed)


def _session(line: CommandLine) -> Session:
    limits = {
        "large_elements_limit": line.number("mlir-elide-elementsattrs-if-larger"),
        "large_resource_limit": line.number("mlir-elide-resource-strings-if-larger"),
    }
    pretty = line.on("mlir-pretty-debuginfo")
    form = limits | {
        "enable_debug_info": pretty or line.on("mlir-print-debuginfo"),
        "print_generic_op_form": line.on("mlir-print-op-generic"),
    }
    printing = form | {
        "pretty_debug_info": pretty,
        "use_local_scope": line.on("mlir-print-local-scope"),
        "use_name_loc_as_prefix": line.on("mlir-use-nameloc-as-prefix"),
        "skip_regions": line.on("mlir-print-skip-regions"),
    }
    instrumentation = {
        "verify_each": line.on("verify-each", default=True),
        "timing": line.on("mlir-timing"),
        "statistics": line.on("mlir-pass-statistics"),
        "ir_printing": _ir_printing(line, form),
    }
    return Session(line, printing, instrumentation, _report)


def _ir_printing(line: CommandLine, form: dict[str, Any]) -> dict[str, Any] | None:
    dumps = _dumps(line)
    before, after = dumps.before is None or dumps.before, dumps.after is None or dumps.after
    folder = line.value("mlir-print-ir-tree-dir")
    if not before and not after:
        return None
    if folder is not None and not dumps.is_everything:
        raise UsageError("--mlir-print-ir-tree-dir takes dumps of all passes, not of some")
    return {
        "print_before_all": bool(before),
        "print_after_all": bool(after),
        "print_module_scope": line.on("mlir-print-ir-module-scope"),
        "print_after_change": line.on("mlir-print-ir-after-change"),
        "print_after_failure": line.on("mlir-print-ir-after-failure"),
        "tree_printing_dir_path": folder,
    } | form


def _dumps(line: CommandLine) -> Wanted:
    """The passes around which the IR is printed."""
    found = []
    for when in ("before", "after"):
        text = line.value(f"mlir-print-ir-{when}")
        names = frozenset(text.split(",")) if text else frozenset()
        for name in sorted(names):
            if not pass_flags.is_pass(name):
                raise UsageError(
                    f"for the --mlir-print-ir-{when} option: Cannot find option named '{name}'!"
                )
        everything = line.on(f"mlir-print-ir-{when}-all")
        if when == "after" and not names:
            everything |= line.on("mlir-print-ir-after-change")
            everything |= line.on("mlir-print-ir-after-failure")
        found.append(None if everything else names)
    return Wanted(*found)


def _pipeline(line: CommandLine, context: Any) -> str:
    text, language = line.value("pass-pipeline"), line.value("import")
    if text is not None and (line.others or language):
        other = line.others[0][0] if line.others else "import"
        raise UsageError(f"--pass-pipeline cannot be combined with passes as flags (--{other})")
    if text is not None:
        return text
    first = pass_flags.import_flags(language)
    passes = [*first, *line.others]
    if not passes:
        return ""
    return pass_flags.pipeline_text(passes, [flag.name for flag in FLAGS], context)


def _write(path: str, output: bytes) -> None:
    if path != "-":
        save(path, lambda file: file.write(output))
        return
    try:
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot write output file '-': {reason}") from error
