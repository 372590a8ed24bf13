"""The command line of `gs-run`."""

import argparse
from collections.abc import Sequence

from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.options import Parser, add_pipeline, add_target, count, positive

_MOST_CALLS = 10**9
_DESCRIPTION = """Compile a function of an MLIR file and run it on arrays.

The file may be of any level: gs, upstream's tensor ops, a source language that mlir-gs converts,
or loops on memrefs; or a model: ONNX (.onnx), torch.export (.pt2), an artifact of StableHLO.
Without --args the inputs are made up: floats from a normal distribution, integers from 0 to 99, and
coordinates within the bounds of what they address."""

_EXAMPLES = """examples:
  gs-run gather.mlir                               run with generated inputs, print the results
  gs-run gather.mlir --args table.npy ids.npz:ids -o rows.npy
  gs-run gather.mlir --shape 0=100000x64 --shape 1=4096x1 --time --threads 2
  gs-run scatter.mlir --check                      compare with the reference
  gs-run scatter.mlir --args a.npy dest.npy ids.npy --sanitize
                                                   check promises while it runs
  gs-run many.mlir --entry f --args _ 3 2.5        _ generates that argument
  gs-run scatter.mlir --target=native:disable=strips --check       leave out a strategy
  gs-run gather.mlir --time --tune                 the best schedule for these arrays
  gs-run tensors.mlir --pass-pipeline='builtin.module(canonicalize)'"""


def parse_options(argv: Sequence[str]) -> argparse.Namespace:
    """Read `argv`. Raises UsageError; `--help` prints and exits."""
    parser = Parser("gs-run", _DESCRIPTION, _EXAMPLES)
    parser.add("file", "the MLIR file or the model, - for MLIR from stdin")
    parser.add("-e --entry ENTRY", "the function (default: the only public one, or main)")
    parser.add(
        "-a --args VALUE",
        "one for each argument: a.npy, b.npz:key, a number, true, false, or _",
        nargs="*",
    )
    parser.add("-o --output OUTPUT", "save the results: .npy for one, .npz for several")
    parser.add(
        "--size N",
        "dynamic sizes of generated arrays (default: 1024, less for large arrays)",
        type=positive,
    )
    parser.add(
        "--shape K=AxB",
        "the shape of generated argument K, ? to leave a size open",
        action="append",
        default=[],
    )
    parser.add("--seed SEED", "of generated inputs (default: 0)", type=count, default=0)
    parser.add(
        "--time CALLS",
        "measure calls: median, fastest, bytes per second, their share of what a copy "
        "reaches here; print how each op runs and why (default: calls for about a second)",
        nargs="?",
        type=_calls,
        const=0,
    )
    parser.add(
        "--check",
        "compare with the source program, run by the reference or, of StableHLO, ONNX and "
        "torch.export, by their own interpreters; exit code 1 if different",
    )
    parser.add("--reference", "run in the reference instead of compiling")
    parser.add(
        "--sanitize",
        "check what the ops promise (in bounds, unique, sorted); an error names the op",
    )
    parser.add("--threads THREADS", "at most so many (default: the CPUs)", type=positive)
    parser.add(
        "--tune", "measure a few schedules on the arguments and take the fastest; print each"
    )
    add_target(parser, "$MLIR_GS_TARGET, or this machine")
    add_pipeline(parser)
    parser.add("--quiet", "do not print arrays")
    return parser.read(argv)


def _calls(text: str) -> int:
    value = positive(text)
    if value > _MOST_CALLS:
        raise argparse.ArgumentTypeError(f"expected a number up to {_MOST_CALLS}, found {value}")
    return value


def parse_shapes(texts: Sequence[str]) -> dict[int, list[int | None]]:
    """`["0=1000x64", "1=?"]` as `{0: [1000, 64], 1: [None]}`. Raises UsageError."""
    shapes: dict[int, list[int | None]] = {}
    for text in texts:
        number, equals, sizes = text.partition("=")
        parts = sizes.split("x") if sizes else []
        try:
            found = [None if part == "?" else count(part) for part in parts]
            argument = count(number if equals else "")
        except argparse.ArgumentTypeError as error:
            raise UsageError(f"--shape {text:.100}: expected a form like 0=1000x64") from error
        if argument in shapes:
            raise UsageError(f"--shape {text:.100}: argument {argument} has a shape already")
        shapes[argument] = found
    return shapes
