"""`docs/tools.md`: the flags of `gs-opt` beside mlir-opt's."""

from mlir_gs.tools.opt.flags import FLAGS

_INTRODUCTION = """\
# The tools

`gs-opt --help`, `gs-run --help` and `gs-reduce --help` list all flags. This file is generated from
their tables by `python -m mlir_gs.tools.gen_docs`.

## gs-opt beside mlir-opt

Passes, ours and upstream's, are flags as in mlir-opt. Of the other flags:

"""
# Flags of mlir-opt that are no flags of ours, and why.
_MISSING = {
    "color": "diagnostics have no colors",
    "debug-only, debug-counter, print-debug-counter": "the wheel's LLVM is built without them",
    "emit-bytecode-producer": "the bindings cannot set it",
    "load-dialect-plugin, load-pass-plugin": "the bindings cannot load them: "
    "a dialect comes by `--irdl-file`, passes by `register_pass`",
    "log-actions-to, profile-actions-to, mlir-enable-debugger-hook": "not in the bindings",
    "mlir-output-format, mlir-timing-display, mlir-pass-statistics-display": "the bindings print "
    "the default form",
    "mlir-pass-pipeline-local-reproducer": "the reproducer has the whole pipeline",
    "mlir-print-stacktrace-on-diagnostic": "not in the bindings",
    "mlir-print-elementsattrs-with-hex-if-larger, mlir-print-unique-ssa-ids, "
    "mlir-print-value-users": "not among the bindings' printing flags",
    "mlir-very-unsafe-disable-verifier-on-parsing": "the bindings always verify what they parse",
    "remarks-*": "not in the bindings; `--gs-explain` tells what our passes did",
}


def tools_markdown() -> str:
    """The text of `docs/tools.md`."""
    lines = [_INTRODUCTION + "| flag | mlir-opt | |", "| --- | --- | --- |"]
    for flag in FLAGS:
        usage = flag.usage().replace("|", r"\|")
        lines.append(f"| `{usage}` | {flag.origin or 'the same'} | {flag.help} |")
    lines.append("\nOf mlir-opt's flags these are missing:\n")
    lines += ["| mlir-opt | why |", "| --- | --- |"]
    lines += [f"| `{name}` | {why} |" for name, why in _MISSING.items()]
    return "\n".join([*lines, _SHELL])


_SHELL = """
`--mlir-print-ir-before=` and `-after=` name passes by their flags, several with commas. The
bindings print around all passes or none: a process beside picks out what is wanted as it comes, and
loses nothing in a crash.

## A process of its own

`gs-opt`, `gs-run`, `gs-compile` and `gs-reduce` do their work in a process that they fork before
MLIR is imported, which takes about two milliseconds. It has the terminal, the standard streams and
the process group; signals are passed on to it, and it does not outlive the tool. If MLIR crashes,
on malformed text for example, that is one line, nothing is half written, and the exit code is 70:

    $ gs-opt a.mlir
    gs-opt: a.mlir: MLIR ended with SIGSEGV while reading it; --isolate=false is for debuggers

`gs-reduce` puts each of its steps into a process, so that it can shrink what crashes MLIR.
`--isolate=false` does the work in the process itself: for debuggers and profilers. So do systems
without `fork`, and a program that calls `gs_opt.main([...])` without `--isolate`.

| exit code | means |
| --- | --- |
| 0 | all went well |
| 1 | one line or diagnostics say what is wrong, or that `--time-limit` was reached |
| 70 | a signal ended the work: a crash of MLIR or of compiled code, want of memory |
| 130 | interrupted |

SIGTERM, SIGHUP and SIGQUIT end the tool as if it had no process of its own.

## Speed

`python benchmarks/opt_speed.py` measures a start on a file of one function, and files of 1,000
small functions with `--split-input-file`. CPU time, one core of a Xeon at 2.5 GHz, the least of 7:

| a start | ms |
| --- | --- |
| `gs-opt FILE` | 345 |
| `gs-opt FILE --isolate=false`, which takes everything down in order at the end | 397 |
| the plain bindings: import, `Module.parse`, print | 175 |
| `gs-opt --version` | 77 |
| `torch-mlir-opt FILE` | 5 |

| microseconds a part | `gs-opt` | the plain bindings in a loop | `torch-mlir-opt` |
| --- | --- | --- | --- |
| upstream's ops | 108 | 81 | 918 |
| upstream's ops, canonicalize and cse | 325 | 181 | 1032 |
| a `gs.gather` | 194 | 163 | 813 |
| a `gs.gather`, canonicalize and cse | 478 | 361 | 881 |

mlir-opt makes a context for each part, `gs-opt` one for all. What is ours beyond the bindings is
above all that the locations get the file's name, where passes could show them. torch-mlir-opt
knows `gs` from its IRDL, without our verifiers.

## Completion in the shell

    eval "$(gs-opt --completion=bash)"                      # or zsh; gs-run alike
    gs-opt --completion=fish | source

## Checked promises

`gs-run --sanitize` and `compile(..., sanitize=True)` run [gs-sanitize](passes.md#gs-sanitize)
before anything relies on a promise of an op. A broken one is an IndexError that names the op:

    $ gs-run rows.mlir --args table.npy rows.npy --sanitize
    gs-run: IndexError: rows.mlir:2:8: 'gs.gather' op: coordinates [3] at position [1] address the
    element of position [0] again: 'unique' does not hold

`python benchmarks/sanitize.py` measures what the checks cost. 100,000 rows, one thread, one core of
a Xeon at 2.5 GHz under `chrt -f 20`; medians, and what three runs differed by:

| op | plain, us | sanitized, us | ratio |
| --- | --- | --- | --- |
| gather rows of 1, in bounds | 136 | 225 | 1.6 to 1.7 |
| gather rows of 1, sorted | 89 | 205 | 2.3 |
| gather rows of 1, unique | 136 | 1,620 | 12 to 14 |
| scatter rows of 1, in bounds | 159 | 238 | 1.5 |
| scatter rows of 1, unique | 261 | 1,980 | 6.3 to 7.6 |
| gather rows of 64, in bounds or sorted | 6,900 to 9,100 | 6,800 to 9,200 | 1.0 |
| gather rows of 64, unique | 9,300 | 11,700 | 1.2 to 1.3 |
| scatter rows of 64, in bounds | 7,700 | 7,900 | 1.0 |
| scatter rows of 64, unique | 10,300 | 12,800 | 1.2 to 1.3 |

`unique` puts each address that is met into a hash table, which no longer fits into the caches here.
"""
