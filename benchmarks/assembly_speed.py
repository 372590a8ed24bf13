"""How long the assembly form takes to read and to write, over what MLIR takes itself.

`python benchmarks/assembly_speed.py` prints milliseconds of the CPU for modules of so many ops,
each the least of some runs, in turns: MLIR reads the generic form, `mlir_gs.parse` the assembly
form, and both write it. The ops of a module are alike, but for "distinct": there each has an
attribute of its own.
"""

import argparse
import time

import mlir_gs
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from rich.console import Console
from rich.table import Table
from timing import least

_GATHER = """
  %r{n} = gs.gather %t[%i] gather_dims([0]) mode(clip){more}
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>"""
_GENERIC = """
  %r{n} = gs.generic (e) [r = %row[e], c = %col[e]]
      ins(%val[e], %x[c]) outs(%y[r]) iterators(e = reduction)
      : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>)
      -> tensor<9xf32> {{
  ^bb0(%v: f32, %xe: f32, %acc: f32):
    %p = arith.mulf %v, %xe : f32
    %s = arith.addf %acc, %p : f32
    gs.yield %s : f32
  }}"""
_ROWS = "%t: tensor<?x64xf32>, %i: tensor<?x1xi64>"
_SPARSE = (
    "%val: tensor<?xf32>, %x: tensor<9xf32>, %row: tensor<?xi32>, %col: tensor<?xi32>, "
    "%y: tensor<9xf32>"
)
CASES = {
    "gathers": (_ROWS, _GATHER, ""),
    "distinct": (_ROWS, _GATHER, " {{m.n = {n} : i64}}"),
    "generics": (_SPARSE, _GENERIC, ""),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    table = Table("ops", "MLIR reads", "read", "over", "MLIR writes", "written", "over")
    for case, (arguments, op, more) in CASES.items():
        ops = "".join(op.format(n=n, more=more.format(n=n)) for n in range(options.ops))
        text = f"func.func @f({arguments}) {{{ops}\n  return\n}}\n"
        context = dialect.context()
        module = mlir_gs.parse(text, context)
        generic = mlir_gs.print(module, generic=True)
        found = least(
            {
                "MLIR reads": lambda g=generic, c=context: ir.Module.parse(g, c),
                "read": lambda t=text, c=context: mlir_gs.parse(t, c),
                "MLIR writes": lambda m=module: m.operation.get_asm(),
                "written": lambda m=module: mlir_gs.print(m),
            },
            options.runs,
            time.process_time,
        )
        times = [*found.values()]
        rows = [(a, b, b / a) for a, b in (times[:2], times[2:])]
        table.add_row(case, *(f"{value:.2f}" for row in rows for value in row))
    Console().print(table)


if __name__ == "__main__":
    main()
