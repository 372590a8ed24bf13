"""The flags of `gs-opt` that are not passes, under the names that mlir-opt gives them."""

from mlir_gs.tools.common.command_line import Flag
from mlir_gs.tools.common.completion import SHELLS
from mlir_gs.tools.opt.split_input import DEFAULT_MARKER

_PRINTING = "Printing"
_MANAGER = "Pass manager"
_ABOUT = "About"

ANY_LANGUAGE = "any"
"""The value of `--import` without one: the languages of the ops in the input."""

FLAGS: tuple[Flag, ...] = (
    Flag("o", "Write the output here instead of standard output", "file"),
    Flag(
        "import",
        "First of all, bring the input to gs and upstream's dialects: from whatever language, or "
        "from onnx, stablehlo, torch, ...",
        "language",
        optional=ANY_LANGUAGE,
        origin="ours",
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
    Flag(
        "prove",
        "After each pass, prove with Z3 that each function means what it did before, or fail; "
        "'timeout=5,fail-on-unknown'",
        "options",
        optional="true",
        origin="ours",
    ),
    Flag("verify-roundtrip", "Print and parse the input, as text and bytecode, and compare"),
    Flag("emit-bytecode", "Write bytecode"),
    Flag("emit-bytecode-version", "Write bytecode of this version", "n"),
    Flag("irdl-file", "Register the dialects of this IRDL file before reading the input", "file"),
    Flag(
        "gs-explain",
        "Report of each indirect op what was proved, rewritten, merged or refused",
        origin="ours",
    ),
    Flag(
        "gs-picture",
        "Draw what each indirect op reads and writes where (.svg), or the IR after each pass side "
        "by side (.html)",
        "file",
        origin="ours",
    ),
    Flag("run-reproducer", "Run the pipeline stored in the input by a reproducer"),
    Flag("mlir-print-op-generic", "Print all operations in the generic form", group=_PRINTING),
    Flag("mlir-print-debuginfo", "Print locations", group=_PRINTING),
    Flag("mlir-pretty-debuginfo", "Print locations for reading; not parseable", group=_PRINTING),
    Flag("mlir-print-local-scope", "Print without aliases", group=_PRINTING),
    Flag("mlir-print-skip-regions", "Leave out regions", group=_PRINTING),
    Flag("mlir-use-nameloc-as-prefix", "Name values after their locations", group=_PRINTING),
    Flag("mlir-elide-elementsattrs-if-larger", "Shorten larger constants", "n", group=_PRINTING),
    Flag("mlir-elide-resource-strings-if-larger", "Shorten resources", "n", group=_PRINTING),
    Flag(
        "mlir-print-op-on-diagnostic",
        "Show the operation with a diagnostic (default; =false switches it off)",
        group=_PRINTING,
    ),
    Flag("mlir-disable-diagnostic-notes", "Leave out notes", group=_PRINTING),
    Flag(
        "mlir-print-ir-before",
        "Print the IR before these passes",
        "pass,...",
        group=_MANAGER,
        repeats=True,
    ),
    Flag(
        "mlir-print-ir-after",
        "Print the IR after these passes",
        "pass,...",
        group=_MANAGER,
        repeats=True,
    ),
    Flag("mlir-print-ir-before-all", "Print the IR before each pass", group=_MANAGER),
    Flag("mlir-print-ir-after-all", "Print the IR after each pass", group=_MANAGER),
    Flag("mlir-print-ir-after-change", "... only if the pass changed it", group=_MANAGER),
    Flag("mlir-print-ir-after-failure", "... only if the pass failed", group=_MANAGER),
    Flag("mlir-print-ir-module-scope", "... and always the whole module", group=_MANAGER),
    Flag("mlir-print-ir-tree-dir", "... into files in this folder", "folder", group=_MANAGER),
    Flag("mlir-timing", "Report how long each pass took", group=_MANAGER),
    Flag("mlir-pass-statistics", "Report what the passes count", group=_MANAGER),
    Flag(
        "mlir-disable-threading",
        "No effect: gs-opt runs one thread",
        group=_MANAGER,
        origin="always so: verifiers in Python",
    ),
    Flag("dump-pass-pipeline", "Print the pipeline that runs, with all options", group=_MANAGER),
    Flag(
        "mlir-pass-pipeline-crash-reproducer",
        "If the pipeline fails or crashes, leave the input and the pipeline here",
        "file",
        group=_MANAGER,
    ),
    Flag(
        "mlir-generate-reproducer",
        "Write the input and the pipeline here, whether or not it fails",
        "file",
        group=_MANAGER,
    ),
    Flag(
        "list-passes",
        "List our passes and pipelines with their options",
        group=_ABOUT,
        origin="ours only, with options and first sentences",
    ),
    Flag("show-dialects", "List the dialects that can be read", group=_ABOUT),
    Flag(
        "irdl",
        "Print the gs dialect as IRDL, for 'mlir-opt --irdl-file='",
        group=_ABOUT,
        origin="ours",
    ),
    Flag("plugin-table", "Print what a plugin in C++ registers", group=_ABOUT, origin="ours"),
    Flag("serve", "Serve a plugin in C++", "pipe", optional="", group=_ABOUT, origin="ours"),
    Flag(
        "completion",
        'Print a script that completes flags and passes: eval "$(gs-opt --completion=bash)"',
        "shell",
        choices=SHELLS,
        group=_ABOUT,
        origin="ours",
    ),
    Flag(
        "debug",
        "Show the traceback of an internal error",
        group=_ABOUT,
        origin="LLVM's debug output",
    ),
    Flag(
        "load",
        "First run this Python file, which registers ops, passes, patterns or strategies (also: "
        "MLIR_GS_LOAD)",
        "file",
        repeats=True,
        group=_ABOUT,
        origin="ours",
    ),
    Flag(
        "isolate",
        "Work in a process of its own (default; =false switches it off, for debuggers)",
        group=_ABOUT,
        origin="ours",
    ),
    Flag(
        "time-limit",
        "End the work after so many seconds",
        "s",
        group=_ABOUT,
        origin="ours",
    ),
    Flag(
        "memory-limit",
        "Give the work no more than so many megabytes",
        "MB",
        group=_ABOUT,
        origin="ours",
    ),
    Flag("version", "Print the version", group=_ABOUT),
    Flag("help", "Print this", group=_ABOUT),
    Flag("help-list", "Print the flags by their names, without groups", group=_ABOUT),
    Flag("h", "Print this", group=_ABOUT),
)
