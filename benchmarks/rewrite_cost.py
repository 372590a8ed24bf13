"""What rewriting costs: modules of 100 and of 1,000 indirect ops, pass by pass.

`python benchmarks/rewrite_cost.py` prints seconds of CPU time and the ratio of the two, which is 10
where the cost is linear. `--count` counts calls of Python functions instead, ours without
upstream's, which no load on the machine changes. Sizes are dynamic and static, which take other
paths.
"""

import argparse
import sys
import time
from collections.abc import Callable

from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import run_pipeline
from rich.console import Console
from rich.table import Table

SIZES = (100, 1000)
PASSES = {
    "infer": "gs-infer",
    "canonicalize": "gs-canonicalize",
    "generalize": "gs-generalize,linalg-generalize-named-ops,"
    "func.func(convert-elementwise-to-linalg),canonicalize,cse",
    "fuse": "gs-fuse",
    "bufferize": "canonicalize,cse,gs-bufferize,canonicalize,cse",
    "lower": "convert-gs-to-scf",
}


def layers(count: int, size: str) -> str:
    """Gather, compute, scatter-add, one after the other on the same tensor: three ops at a time."""
    table, rows = f"tensor<{size}x8xf32>", f"tensor<{size}x8xf32>"
    ids = f"tensor<{size}x1xi64>"
    lines = []
    value = "%x"
    for n in range(count // 2):
        lines += [
            f'  %g{n} = "gs.gather"({value}, %i) {{gather_dims = array<i64: 0>}} '
            f": ({table}, {ids}) -> {rows}",
            f"  %m{n} = arith.mulf %g{n}, %w : {rows}",
            f'  %s{n} = "gs.scatter"(%m{n}, {value}, %k) ({{',
            "  ^bb0(%c: f32, %u: f32):",
            "    %a = arith.addf %c, %u : f32",
            "    gs.yield %a : f32",
            f"  }}) {{scatter_dims = array<i64: 0>}} : ({rows}, {table}, {ids}) -> {table}",
        ]
        value = f"%s{n}"
    return _function(f"%x: {table}, %w: {rows}, %i: {ids}, %k: {ids}", lines, value, table)


def gathers(count: int, size: str) -> str:
    """Each gather reads what the one before it gave: coordinates are composed."""
    type_, ids = f"tensor<{size}xf32>", f"tensor<{size}x1xi64>"
    lines, value = [], "%x"
    for n in range(count):
        lines.append(
            f'  %g{n} = "gs.gather"({value}, %i) {{gather_dims = array<i64: 0>}} '
            f": ({type_}, {ids}) -> {type_}"
        )
        value = f"%g{n}"
    return _function(f"%x: {type_}, %i: {ids}", lines, value, type_)


def apart(count: int, size: str) -> str:
    """Rows for each of many tables, scaled and added up: ops that do not depend on each other."""
    type_, ids = f"tensor<{size}x8xf32>", f"tensor<{size}x1xi64>"
    lines, value = [], "%x"
    tables = "".join(f", %x{n}: {type_}" for n in range(count))
    for n in range(count):
        lines += [
            f'  %g{n} = "gs.gather"(%x{n}, %i) {{gather_dims = array<i64: 0>, mode = "clip"}} '
            f": ({type_}, {ids}) -> {type_}",
            f"  %e{n} = math.absf %g{n} : {type_}",
            f"  %s{n} = arith.addf %e{n}, {value} : {type_}",
        ]
        value = f"%s{n}"
    return _function(f"%x: {type_}, %i: {ids}{tables}", lines, value, type_)


def moving(count: int, size: str) -> str:
    """Each gather is at coordinates computed from those of the one before it."""
    type_, ids = f"tensor<{size}xf32>", f"tensor<{size}x1xi64>"
    lines, value, where = [], "%x", "%i"
    for n in range(count):
        lines += [
            f"  %i{n} = arith.addi {where}, %k : {ids}",
            f'  %g{n} = "gs.gather"(%x, %i{n}) {{gather_dims = array<i64: 0>, mode = "clip"}} '
            f": ({type_}, {ids}) -> {type_}",
            f"  %s{n} = arith.addf %g{n}, {value} : {type_}",
        ]
        value, where = f"%s{n}", f"%i{n}"
    return _function(f"%x: {type_}, %i: {ids}, %k: {ids}", lines, value, type_)


def _function(arguments: str, lines: list[str], value: str, type_: str) -> str:
    body = "\n".join(lines)
    return f"func.func @f({arguments}) -> {type_} {{\n{body}\n  return {value} : {type_}\n}}\n"


def seconds(run: Callable[[], None]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def calls(run: Callable[[], None]) -> float:
    """Calls of Python functions while `run` runs, in thousands."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count / 1000


def costs(text: str, measure: Callable[[Callable[[], None]], float]) -> dict[str, float]:
    """What each pass takes on the module, one after the other."""
    found = {}
    with dialect.context(), ir.Location.unknown():
        module = parse(text)
        for name, passes in PASSES.items():
            pipeline = f"builtin.module({passes})"
            found[name] = measure(
                lambda module=module, pipeline=pipeline: run_pipeline(
                    module, pipeline, verify_each=False
                )
            )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", action="store_true", help="thousands of calls, not seconds")
    parser.add_argument("--quick", action="store_true", help="10 and 100 ops")
    options = parser.parse_args()
    measure = calls if options.count else seconds
    few, many = (n // 10 if options.quick else n for n in SIZES)
    unit = "Thousands of calls" if options.count else "Seconds of CPU time"
    table = Table(title=f"{unit} for n ops")
    for head in ("module", "sizes", "pass", f"n = {few}", f"n = {many}", "ratio"):
        table.add_column(head, justify="left" if head in ("module", "sizes", "pass") else "right")
    for make in (layers, gathers, apart, moving):
        for size in ("?", "64"):
            less, more = (costs(make(n, size), measure) for n in (few, many))
            sums = {"all": (sum(less.values()), sum(more.values()))}
            for name, (a, b) in ({n: (less[n], more[n]) for n in PASSES} | sums).items():
                sizes = "dynamic" if size == "?" else "static"
                row = (make.__name__, sizes, name, f"{a:.3f}", f"{b:.3f}", f"{b / a:.1f}")
                table.add_row(*row, end_section=name == "all")
    Console(width=None if sys.stdout.isatty() else 100).print(table)


if __name__ == "__main__":
    main()
