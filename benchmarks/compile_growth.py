"""How compiling grows with a program: the passes whose time grows faster than the program.

`python benchmarks/compile_growth.py` makes programs of n, 2n and 4n ops, lowers each with
`gs-to-llvm` and reads the CPU time of every pass. A pass is printed where 4n ops take more than
`--above` times what 2n take, and more than `--least` of the whole. The last column is the time of
all passes.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import mlir_gs
from mlir_gs import dialect, ir
from mlir_gs.lowering import build_pass_manager

_I = "tensor<?x1xi64>"
_T = "tensor<?x64xf32>"


def _function(arguments: str, lines: Sequence[str], results: Sequence[str], type_: str) -> str:
    types = ", ".join([type_] * len(results))
    body = "\n".join(f"  {line}" for line in lines)
    returned = f"  return {', '.join(results)} : {types}"
    return f"func.func @f({arguments}) -> ({types}) {{\n{body}\n{returned}\n}}\n"


def _gather(result: str, table: str, ids: str, type_: str = _T, ids_type: str = _I) -> str:
    types = f"({type_}, {ids_type}) -> {type_}"
    return f"{result} = gs.gather {table}[{ids}] gather_dims([0]) mode(clip) : {types}"


def chain(n: int) -> str:
    """Each gather reads the one before at the same ids."""
    lines = [_gather(f"%r{k + 1}", f"%r{k}", "%i") for k in range(n)]
    return _function(f"%r0: {_T}, %i: {_I}", lines, [f"%r{n}"], _T)


def static_chain(n: int) -> str:
    """The same of static sizes."""
    table, ids = "tensor<128x64xf32>", "tensor<128x1xi64>"
    lines = [_gather(f"%r{k + 1}", f"%r{k}", "%i", table, ids) for k in range(n)]
    return _function(f"%r0: {table}, %i: {ids}", lines, [f"%r{n}"], table)


def jumps(n: int) -> str:
    """Each gather reads the one before at the one before."""
    lines = [_gather(f"%r{k + 1}", f"%r{k}", f"%r{k}", _I) for k in range(n)]
    return _function(f"%r0: {_I}", lines, [f"%r{n}"], _I)


def outputs(n: int) -> str:
    """Gathers of one table, each a result."""
    arguments = ", ".join([f"%t: {_T}", *(f"%i{k}: {_I}" for k in range(n))])
    lines = [_gather(f"%r{k}", "%t", f"%i{k}") for k in range(n)]
    return _function(arguments, lines, [f"%r{k}" for k in range(n)], _T)


def _sum(n: int) -> list[str]:
    names = [f"%r{k}" for k in range(n)]
    sums = ["%s0 = arith.addf %r0, %r0 : " + _T]
    sums += [f"%s{k} = arith.addf %s{k - 1}, {names[k]} : {_T}" for k in range(1, n)]
    return sums


def uses(n: int) -> str:
    """Gathers of one table, added up."""
    arguments = ", ".join([f"%t: {_T}", *(f"%i{k}: {_I}" for k in range(n))])
    lines = [_gather(f"%r{k}", "%t", f"%i{k}") for k in range(n)]
    return _function(arguments, [*lines, *_sum(n)], [f"%s{n - 1}"], _T)


def scatters(n: int) -> str:
    """Each scatter adds to the one before."""
    types = f"({_T}, {_T}, {_I}) -> {_T}"
    lines = [
        f"%r{k + 1} = gs.scatter %u into %r{k}[%i] scatter_dims([0]) combine(add) : {types}"
        for k in range(n)
    ]
    return _function(f"%r0: {_T}, %u: {_T}, %i: {_I}", lines, [f"%r{n}"], _T)


def inserts(n: int) -> str:
    """Slices inserted into one tensor, one beside the other."""
    part, whole = "tensor<4x64xf32>", f"tensor<{4 * n}x64xf32>"
    lines = [
        f"%r{k + 1} = tensor.insert_slice %p into %r{k}[{4 * k}, 0] [4, 64] [1, 1]"
        f" : {part} into {whole}"
        for k in range(n)
    ]
    return _function(f"%r0: {whole}, %p: {part}", lines, [f"%r{n}"], whole)


def overlapping_inserts(n: int) -> str:
    """Slices inserted at rows that arguments say."""
    part = "tensor<4x64xf32>"
    lines = [
        f"%r{k + 1} = tensor.insert_slice %p into %r{k}[%a, 0] [4, 64] [1, 1] : {part} into {_T}"
        for k in range(n)
    ]
    return _function(f"%r0: {_T}, %p: {part}, %a: index", lines, [f"%r{n}"], _T)


def sums(n: int) -> str:
    """A chain of element-wise ops."""
    lines = [f"%r{k + 1} = arith.mulf %r{k}, %u : {_T}" for k in range(n)]
    return _function(f"%r0: {_T}, %u: {_T}", lines, [f"%r{n}"], _T)


def layers(n: int) -> str:
    """Gathers and scatters of a graph network, with element-wise ops between them."""
    lines = []
    scattered = f"({_T}, {_T}, {_I}) -> {_T}"
    for k in range((n + 3) // 4):
        lines += [
            _gather(f"%g{k}", f"%r{k}", "%i"),
            f"%m{k} = arith.mulf %g{k}, %w : {_T}",
            f"%s{k} = gs.scatter %m{k} into %z[%j] scatter_dims([0]) combine(add) : {scattered}",
            f"%r{k + 1} = math.tanh %s{k} : {_T}",
        ]
    arguments = f"%r0: {_T}, %w: {_T}, %z: {_T}, %i: {_I}, %j: {_I}"
    return _function(arguments, lines, [f"%r{(n + 3) // 4}"], _T)


def slices(n: int) -> str:
    """Slices of one tensor, each a result."""
    part, whole = "tensor<4x64xf32>", f"tensor<{4 * n}x64xf32>"
    lines = [
        f"%r{k} = tensor.extract_slice %t[{4 * k}, 0] [4, 64] [1, 1] : {whole} to {part}"
        for k in range(n)
    ]
    return _function(f"%t: {whole}", lines, [f"%r{k}" for k in range(n)], part)


def loops(n: int) -> str:
    """Loops that gather in turns."""
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    for k in range(n):
        lines += [
            f"%r{k + 1} = scf.for %n{k} = %c0 to %k step %c1 iter_args(%x{k} = %r{k}) -> {_T} {{",
            "  " + _gather(f"%y{k}", f"%x{k}", "%i"),
            f"  scf.yield %y{k} : {_T}",
            "}",
        ]
    return _function(f"%r0: {_T}, %i: {_I}, %k: index", lines, [f"%r{n}"], _T)


PROGRAMS: dict[str, Callable[[int], str]] = {
    made.__name__: made
    for made in (
        *(chain, static_chain, jumps, outputs, uses, scatters, inserts),
        *(overlapping_inserts, sums, layers, slices, loops),
    )
}


def measured(text: str, pipeline: str = "gs-to-llvm") -> dict[str, float]:
    """Seconds of the CPU in each pass of `pipeline` on the module `text`."""
    found: dict[str, float] = defaultdict(float)
    last = [time.process_time()]

    def after(module: ir.Operation, name: str) -> None:
        now = time.process_time()
        found[name] += now - last[0]
        last[0] = time.process_time()

    with dialect.context(), ir.Location.unknown():
        module = mlir_gs.parse(text)
        after(module.operation, "parsing")
        manager = build_pass_manager(pipeline, verify_each=False, after_each=after)
        last[0] = time.process_time()
        manager.run(module.operation)
    return dict(found)


def growing(
    make: Callable[[int], str], n: int, above: float, least: float, pipeline: str
) -> tuple[list[tuple[str, list[float]]], list[float]]:
    """Passes that grow faster than the program with their seconds at n, 2n and 4n; all passes."""
    runs = [measured(make(n * factor), pipeline) for factor in (1, 2, 4)]
    totals = [sum(run.values()) for run in runs]
    rows = []
    for name in runs[-1]:
        seconds = [run.get(name, 0.0) for run in runs]
        if seconds[2] > least * totals[2] and seconds[2] > above * seconds[1]:
            rows.append((name, seconds))
    return sorted(rows, key=lambda row: -row[1][2]), totals


def main() -> int:
    """Print the passes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(PROGRAMS)}; all by default")
    parser.add_argument("-n", type=int, default=16, help="ops of the least program (%(default)s)")
    parser.add_argument("--above", type=float, default=2.6, help="(%(default)s)")
    parser.add_argument("--least", type=float, default=0.02, help="(%(default)s)")
    parser.add_argument("--pipeline", default="gs-to-llvm", help="(%(default)s)")
    options = parser.parse_args()
    unknown = set(options.programs) - PROGRAMS.keys()
    if unknown:
        parser.error(f"no program {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")
    measured(chain(2), options.pipeline)
    print("| program | pass | n, ms | 2n | 4n | growth |")
    print("|---" * 6 + "|")
    for name in options.programs or PROGRAMS:
        rows, totals = growing(
            PROGRAMS[name], options.n, options.above, options.least, options.pipeline
        )
        for label, seconds in [("all", totals), *rows]:
            cells = " | ".join(f"{1e3 * s:.0f}" for s in seconds)
            print(f"| {name} | {label} | {cells} | {seconds[2] / max(seconds[1], 1e-9):.1f} |")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
