// RUN: gs-opt --help | filecheck %s --check-prefix=HELP
// RUN: gs-opt -h --nonsense | filecheck %s --check-prefix=HELP
// RUN: gs-opt --list-passes | filecheck %s --check-prefix=PASSES
// RUN: gs-opt --show-dialects | filecheck %s --check-prefix=DIALECTS
// RUN: gs-opt --irdl | filecheck %s --check-prefix=IRDL
// RUN: gs-opt --irdl | gs-opt | filecheck %s --check-prefix=IRDL
// RUN: gs-opt --version | filecheck %s --check-prefix=VERSION

// HELP: usage: gs-opt [flags] [file]
// HELP: Examples:
// HELP: General:
// HELP: --pass-pipeline=<text>
// HELP: --split-input-file[=<marker>]
// HELP: Passes:
// PASSES: Passes:
// PASSES: Pipelines:
// DIALECTS: Available Dialects: {{.*}}dml, {{.*}}func, {{.*}}gs, gs_transform, {{.*}}stablehlo, tcp, tensor, tm_tensor, torch, torch_c
// IRDL: irdl.dialect @gs
// IRDL: irdl.operation @gather
// VERSION: gs-opt {{[0-9]+\.[0-9]+}}
