"""The command line of `gs-compile`."""

import argparse
from collections.abc import Sequence

from mlir_gs.tools.common.options import Parser, add_pipeline, add_target, positive

_DESCRIPTION = """Compile functions of an MLIR file for programs in C, C++, Python and Rust.

The file may be of any level: gs, upstream's tensor ops, a source language that mlir-gs converts,
or loops on memrefs. What is made has C functions and tvm-ffi's, and needs neither Python nor MLIR
when it runs. docs/aot.md describes them."""

_EXAMPLES = """examples:
  gs-compile gather.mlir -o gather.o -o gather.h      an object and its header
  gs-compile gather.mlir -o gather.so                 a shared library; tvm_ffi.load_module takes it
  gs-compile model.mlir --entry f --entry g -o fg.o   two of its functions
  gs-compile gather.mlir --mcpu=x86-64-v3,x86-64-v4 -o gather.so    two versions, chosen at run time
  gs-compile gather.mlir --mcpu=native -o gather.o    for this machine
  gs-compile gather.mlir --target=generic:llc-bytes=8388608 -o gather.o    for a smaller cache
  gs-compile gather.mlir --triple=aarch64-linux-gnu -o gather.o    for another machine
  gs-compile gather.mlir -o gather.ll                 LLVM IR, for another compiler
  cc main.c gather.o -lm                              a program with it"""


def parse_options(argv: Sequence[str]) -> argparse.Namespace:
    """Read `argv`. Raises UsageError; `--help` prints and exits."""
    parser = Parser("gs-compile", _DESCRIPTION, _EXAMPLES)
    parser.add("file", "the MLIR file, - for stdin")
    parser.add(
        "-o --output FILE",
        "what to make, by its ending: .o, .so (.dylib), .h, or .ll; may be given again",
        action="append",
        required=True,
    )
    parser.add(
        "-e --entry NAME",
        "a function; may be given again (default: all that are public)",
        action="append",
    )
    parser.add("--prefix PREFIX", "put before the functions' names in C", default="")
    parser.add(
        "--mcpu CPU",
        "LLVM's name of a CPU, or native, or several of x86-64, x86-64-v2, x86-64-v3 and"
        " x86-64-v4 with commas between them (default: x86-64-v3, elsewhere generic)",
    )
    parser.add(
        "--triple TRIPLE",
        "LLVM's triple of another machine, such as aarch64-linux-gnu; needs llvmlite",
    )
    parser.add(
        "--threads N",
        "at most so many; above 1 the code calls LLVM's OpenMP runtime (default: 1)",
        type=positive,
        default=1,
    )
    parser.add("--sanitize", "check in bounds, unique and sorted in each call")
    parser.add(
        "--linker COMMAND",
        "what links shared libraries: a C compiler, or builtin (default: $CC, cc, the package"
        " ziglang, builtin; with --triple the triple's gcc or clang)",
    )
    add_target(parser, "this machine for --mcpu=native, else generic, or neon on ARM")
    add_pipeline(parser)
    return parser.read(argv)
