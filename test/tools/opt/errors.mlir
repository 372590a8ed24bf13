// RUN: not gs-opt %t.missing 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not gs-opt %S 2>&1 | filecheck %s --check-prefix=FOLDER
// RUN: not gs-opt %s -o %t.missing/x 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: not gs-opt %s -o %S 2>&1 | filecheck %s --check-prefix=TARGET-FOLDER
// RUN: not gs-opt %s %s 2>&1 | filecheck %s --check-prefix=TWO
// RUN: not gs-opt %s --nonsense 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not gs-opt %s --verify-diagnostic 2>&1 | filecheck %s --check-prefix=NEAR
// RUN: not gs-opt %s --cse --pass-pipeline=cse 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: not gs-opt %s --pass-pipeline='builtin.module(cse,nonsense)' 2>&1 \
// RUN:   | filecheck %s --check-prefix=PIPELINE --strict-whitespace
// RUN: not gs-opt %s --pass-pipeline='func.func(cse' 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: not gs-opt %s --canonicalize="nonsense=1" 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not gs-opt %s --verify-each=perhaps 2>&1 | filecheck %s --check-prefix=BOOL
// RUN: not gs-opt %s --mlir-elide-elementsattrs-if-larger=few 2>&1 \
// RUN:   | filecheck %s --check-prefix=NUMBER
// RUN: not gs-opt %s --verify-diagnostics=some 2>&1 | filecheck %s --check-prefix=CHOICE
// RUN: not gs-opt %s -o 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not gs-opt %s --run-reproducer 2>&1 | filecheck %s --check-prefix=REPRODUCER
// RUN: not gs-opt %s --symbol-privatize --convert-func-to-llvm --inline='max-iterations=x' 2>&1 \
// RUN:   | filecheck %s --check-prefix=BAD-VALUE

// MISSING: gs-opt: cannot open input file '{{.*}}.missing': No such file or directory
// FOLDER: gs-opt: cannot open input file '{{.*}}': Is a directory
// TARGET: gs-opt: cannot open output file '{{.*}}x': No such file or directory
// TARGET-FOLDER: gs-opt: cannot open output file '{{.*}}': Is a directory
// TWO: gs-opt: Too many positional arguments specified
// UNKNOWN: gs-opt: Unknown command line argument '--nonsense'{{ *}}Try: 'gs-opt --help'
// NEAR: gs-opt: Unknown command line argument '--verify-diagnostic'; did you mean '--verify-diagnostics'?
// BOTH: gs-opt: --pass-pipeline cannot be combined with passes as flags (--cse)
// PIPELINE: error: 'nonsense' does not refer to a registered pass or pass pipeline
// PIPELINE-NEXT:builtin.module(cse,nonsense)
// PIPELINE-NEXT:                   ^
// OPEN: error: encountered unbalanced parentheses while parsing pipeline
// OPTION: error: {{.*}}no such option nonsense
// BOOL: gs-opt: for the --verify-each option: 'perhaps' is invalid value for boolean argument!
// NUMBER: gs-opt: for the --mlir-elide-elementsattrs-if-larger option: 'few' value invalid
// CHOICE: gs-opt: for the --verify-diagnostics option: 'some' is none of all, only-expected
// VALUE: gs-opt: for the -o <file> option: requires a value!
// REPRODUCER: gs-opt: '{{.*}}errors.mlir' holds no reproducer
// BAD-VALUE: error: failed to add `inline` with options `max-iterations=x`
func.func @f() {
  return
}
