"""The flags of `gs-opt` that are not passes, under the names that mlir-opt gives them."""

from dataclasses import replace
from typing import Any

from mlir_gs.tools.common.command_line import Flag
from mlir_gs.tools.common.completion import SHELLS
from mlir_gs.tools.opt.split_input import DEFAULT_MARKER

ANY_LANGUAGE = "any"
"""The value of `--import` without one: the languages of the ops in the input."""


def _ours(name: str, help: str, value: str = "", **more: Any) -> Flag:
    """A flag that mlir-opt has not."""
    return Flag(name, help, value, origin="ours", **more)


def _of(group: str, *flags: Flag) -> list[Flag]:
    return [replace(flag, group=group) for flag in flags]


FLAGS: tuple[Flag, ...] = (
    Flag("o", "Write the output here instead of standard output", "file"),
    _ours(
        "import",
        "First of all, bring the input to gs and upstream's dialects: from whatever language, or "
        "from onnx, stablehlo, torch, ...",
        "language",
        optional=ANY_LANGUAGE,
    ),
    Flag("pass-pipeline", "Passes to run: 'builtin.module(a,func.func(b{x=1}))'", "text"),
    Flag(
        "split-input-file",
        f"Process the parts between marker lines separately (default '{DEFAULT_MARKER}')",
        "marker",
        optional=DEFAULT_MARKER,
    ),
    Flag("output-split-marker", f"Marker between outputs (default '{DEFAULT_MARKER}')", "marker"),
    Flag(
        "verify-diagnostics",
        "Compare diagnostics with the 'expected-error {{...}}' comments: all, or only-expected",
        "level",
        optional="all",
        choices=("all", "only-expected"),
    ),
    Flag("allow-unregistered-dialect", "Accept operations of dialects that nobody registered"),
    Flag("no-implicit-module", "The input is one operation; put no module around it"),
    Flag("verify-each", "Verify after each pass (default; =false switches it off)"),
    _ours(
        "prove",
        "After each pass, prove with Z3 that each function means what it did before, or fail; "
        "'timeout=5,fail-on-unknown'",
        "options",
        optional="true",
    ),
    Flag("verify-roundtrip", "Print and parse the input, as text and bytecode, and compare"),
    Flag("emit-bytecode", "Write bytecode"),
    Flag("emit-bytecode-version", "Write bytecode of this version", "n"),
    Flag("irdl-file", "Register the dialects of this IRDL file before reading the input", "file"),
    _ours("gs-explain", "Report of each indirect op what was proved, rewritten, merged or refused"),
    _ours(
        "gs-picture",
        "Draw what each indirect op reads and writes where (.svg), or the IR after each pass side "
        "by side (.html)",
        "file",
    ),
    Flag("run-reproducer", "Run the pipeline stored in the input by a reproducer"),
    *_of(
        "Printing",
        Flag("mlir-print-op-generic", "Print all operations in the generic form"),
        Flag("mlir-print-debuginfo", "Print locations"),
        Flag("mlir-pretty-debuginfo", "Print locations for reading; not parseable"),
        Flag("mlir-print-local-scope", "Print without aliases"),
        Flag("mlir-print-skip-regions", "Leave out regions"),
        Flag("mlir-use-nameloc-as-prefix", "Name values after their locations"),
        Flag("mlir-elide-elementsattrs-if-larger", "Shorten larger constants", "n"),
        Flag("mlir-elide-resource-strings-if-larger", "Shorten resources", "n"),
        Flag(
            "mlir-print-op-on-diagnostic",
            "Show the operation with a diagnostic (default; =false switches it off)",
        ),
        Flag("mlir-disable-diagnostic-notes", "Leave out notes"),
    ),
    *_of(
        "Pass manager",
        Flag("mlir-print-ir-before", "Print the IR before these passes", "pass,...", repeats=True),
        Flag("mlir-print-ir-after", "Print the IR after these passes", "pass,...", repeats=True),
        Flag("mlir-print-ir-before-all", "Print the IR before each pass"),
        Flag("mlir-print-ir-after-all", "Print the IR after each pass"),
        Flag("mlir-print-ir-after-change", "... only if the pass changed it"),
        Flag("mlir-print-ir-after-failure", "... only if the pass failed"),
        Flag("mlir-print-ir-module-scope", "... and always the whole module"),
        Flag("mlir-print-ir-tree-dir", "... into files in this folder", "folder"),
        Flag("mlir-timing", "Report how long each pass took"),
        Flag("mlir-pass-statistics", "Report what the passes count"),
        Flag(
            "mlir-disable-threading",
            "No effect: gs-opt runs one thread",
            origin="always so: verifiers in Python",
        ),
        Flag("dump-pass-pipeline", "Print the pipeline that runs, with all options"),
        Flag(
            "mlir-pass-pipeline-crash-reproducer",
            "If the pipeline fails or crashes, leave the input and the pipeline here",
            "file",
        ),
        Flag(
            "mlir-generate-reproducer",
            "Write the input and the pipeline here, whether or not it fails",
            "file",
        ),
    ),
    *_of(
        "About",
        Flag(
            "list-passes",
            "List our passes and pipelines with their options",
            origin="ours only, with options and first sentences",
        ),
        Flag("show-dialects", "List the dialects that can be read"),
        _ours("irdl", "Print the gs dialect as IRDL, for 'mlir-opt --irdl-file='"),
        _ours("plugin-table", "Print what a plugin in C++ registers"),
        _ours("serve", "Serve a plugin in C++", "pipe", optional=""),
        _ours(
            "completion",
            'Print a script that completes flags and passes: eval "$(gs-opt --completion=bash)"',
            "shell",
            choices=SHELLS,
        ),
        Flag("debug", "Show the traceback of an internal error", origin="LLVM's debug output"),
        _ours(
            "load",
            "First run this Python file, which registers ops, passes, patterns or strategies "
            "(also: MLIR_GS_LOAD)",
            "file",
            repeats=True,
        ),
        _ours(
            "isolate",
            "Work in a process of its own (default; =false switches it off, for debuggers)",
        ),
        _ours("time-limit", "End the work after so many seconds", "s"),
        _ours("memory-limit", "Give the work no more than so many megabytes", "MB"),
        Flag("version", "Print the version"),
        Flag("help", "Print this"),
        Flag("help-list", "Print the flags by their names, without groups"),
        Flag("h", "Print this"),
    ),
)
