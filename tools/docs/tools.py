"""`docs/tools.md`: the tools, and the flags of `gs-opt` and of mlir-opt."""

from mlir_gs.tools.opt.flags import FLAGS

_INTRODUCTION = """\
# The tools

| tool | does |
| --- | --- |
| `gs-opt` | run passes on MLIR, as mlir-opt does |
| `gs-run` | compile a function and run it on arrays |
| `gs-reduce` | make a module small that shows a fault, as mlir-reduce does |
| `gs-prove` | show that a rewrite keeps what a function means: [proofs](prove.md) |
| `gs-compile` | make a library for C, C++ and Rust: [ahead of time](aot.md) |
| `gs-tune` | measure this machine: [targets](targets.md) |
| `gs-lsp` | a language server: diagnostics, hover, completion in [editors](editors.md) |

```sh
gs-opt examples/sums.mlir --gs-generalize --cse -o generic.mlir
gs-run generic.mlir --shape 0=4 --shape 1=6x1 --check
gs-run examples/sums.mlir --time --quiet
```

Each tool lists its flags with `--help`. `python -m mlir_gs.tools.gen_docs` writes this page from
the tables of flags.

## gs-reduce

It needs a script that exits with 0 if a candidate is not interesting, and with another code if it
is:

<!-- not run: takes minutes; test/tools/reduce runs others -->
```sh
cat > interesting.sh <<'EOF'
#!/bin/sh
gs-opt "$1" --gs-generalize 2>&1 | grep -q 'gs.generic' && exit 1
exit 0
EOF
chmod +x interesting.sh
gs-reduce examples/sums.mlir --test ./interesting.sh
```

## Promises

With `gs-run --sanitize` and `compile(..., sanitize=True)`, a broken promise (`unique`, `sorted`, in
bounds) is an IndexError before it does harm. See [gs-sanitize](passes/checks.md#gs-sanitize).

## Pictures

```sh
gs-opt examples/sums.mlir --gs-picture=ops.svg -o /dev/null
gs-opt examples/sums.mlir --gs-generalize --canonicalize --gs-picture=steps.html -o /dev/null
```

The first draws what each `gs` op reads and writes where, as in [the dialect](dialect.md). The
second shows the IR after each pass, side by side, with a drawing of its ops.

## Completion in the shell

```sh
eval "$(gs-opt --completion=bash)"     # or zsh; every tool has it
gs-opt --completion=fish > gs-opt.fish
```

## A process of its own

The tools do their work in a process that they fork before MLIR is imported. It has the terminal,
the standard streams and the process group, and gets all signals. If MLIR crashes, the tool prints
one line, writes nothing by half, and exits with 70:

```text
gs-opt: a.mlir: MLIR ended with SIGSEGV while reading it; --isolate=false is for debuggers
```

`gs-reduce` runs each step in a process, so it can shrink what crashes MLIR. `--isolate=false` works
in the tool's own process, for debuggers and profilers.

| exit code | means |
| --- | --- |
| 0 | all went well |
| 1 | one line or diagnostics say what is wrong, or that `--time-limit` was reached |
| 70 | a signal ended the work: MLIR or compiled code crashed, or memory ran out |
| 130 | interrupted |

## gs-opt and mlir-opt

Passes are flags, as in mlir-opt. The other flags:

"""
# Flags of mlir-opt that are no flags of ours, and why.
MISSING = {
    "color": "diagnostics have no colors",
    "debug-only, debug-counter, print-debug-counter": "the wheel's LLVM is built without them",
    "mlir-debug-counter, mlir-print-debug-counter, debug-counter-break-on-last, "
    "print-debug-counter-queries": "not in the bindings",
    "elide-resource-data-from-bytecode, emit-bytecode-producer": "the bindings cannot set them",
    "help-hidden, help-list-hidden": "no flag is hidden",
    "load-dialect-plugin, load-pass-plugin": "the bindings cannot load them: "
    "a dialect comes by `--irdl-file`, passes by `register_pass`",
    "log-actions-to, log-mlir-actions-filter, profile-actions-to, mlir-enable-debugger-hook": "not "
    "in the bindings",
    "mlir-diagnostic-verbosity-level": "not in the bindings; `--debug` shows tracebacks",
    "mlir-output-format, mlir-timing-display, mlir-pass-statistics-display": "the bindings print "
    "the default form",
    "mlir-pass-pipeline-local-reproducer": "the reproducer has the whole pipeline",
    "mlir-print-assume-verified": "what is printed has been verified",
    "mlir-print-stacktrace-on-diagnostic": "not in the bindings",
    "mlir-print-elementsattrs-with-hex-if-larger, mlir-print-unique-ssa-ids, "
    "mlir-print-value-users": "not among the bindings' printing flags",
    "mlir-very-unsafe-disable-verifier-on-parsing": "the bindings always verify what they parse",
    "remark-*, remarks-*": "not in the bindings; `--gs-explain` reports what our passes did",
}


def tools_markdown() -> str:
    """The text of `docs/tools.md`."""
    lines = [_INTRODUCTION + "| flag | in mlir-opt | |", "| --- | --- | --- |"]
    for flag in FLAGS:
        usage = flag.usage().replace("|", r"\|")
        lines.append(f"| `{usage}` | {flag.origin or 'has it'} | {flag.help} |")
    lines.append("\nFlags of mlir-opt that `gs-opt` does not have:\n")
    lines += ["| mlir-opt | why |", "| --- | --- |"]
    lines += [f"| `{name}` | {why} |" for name, why in MISSING.items()]
    return "\n".join([*lines, _NOTE])


_NOTE = """
`--mlir-print-ir-before=` and `-after=` take flags of passes, with commas between them. The IR is
printed as it comes, so a crash loses none of it.
"""
