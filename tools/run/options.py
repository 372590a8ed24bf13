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
    parser.add_argument("file", help="the MLIR file or the model, - for MLIR from stdin")
    parser.add_argument(
        "-e", "--entry", help="the function (default: the only public one, or main)"
    )
    parser.add_argument(
        "-a",
        "--args",
        nargs="*",
        metavar="VALUE",
        help="one for each argument: a.npy, b.npz:key, a number, true, false, or _",
    )
    parser.add_argument("-o", "--output", help="save the results: .npy for one, .npz for several")
    parser.add_argument(
        "--size",
        type=positive,
        metavar="N",
        help="dynamic sizes of generated arrays (default: 1024, less for large arrays)",
    )
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="K=AxB",
        help="the shape of generated argument K, ? to leave a size open",
    )
    parser.add_argument("--seed", type=count, default=0, help="of generated inputs (default: 0)")
    parser.add_argument(
        "--time",
        nargs="?",
        type=_calls,
        const=0,
        metavar="CALLS",
        help="measure calls: median, fastest, bytes per second, their share of what a copy "
        "reaches here; print how each op runs and why (default: calls for about a second)",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare with the source program, run by the reference or, of StableHLO, ONNX and "
        "torch.export, by their own interpreters; exit code 1 if different",
    )
    parser.add_argument(
        "--reference", action="store_true", help="run in the reference instead of compiling"
    )
    parser.add_argument(
        "--sanitize",
        action="store_true",
        help="check what the ops promise (in bounds, unique, sorted); an error names the op",
    )
    parser.add_argument("--threads", type=positive, help="at most so many (default: the CPUs)")
    parser.add_argument(
        "--tune",
        action="store_true",
        help="measure a few schedules on the arguments and take the fastest; print each",
    )
    add_target(parser, "$MLIR_GS_TARGET, or this machine")
    add_pipeline(parser)
    parser.add_argument("--quiet", action="store_true", help="do not print arrays")
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
