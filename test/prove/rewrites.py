"""Functions in the assembly form, and rewrites of each: right and wrong ones.

A rewrite is pairs of old and new text. `python test/prove/rewrites.py` tries all of them, also in
the generic form.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.assembly.read import to_generic
from mlir_gs.prove.prove import Answer, prove

Edits = list[tuple[str, str]]


@dataclass(frozen=True)
class Rewrite:
    """One function and what is made of it."""

    name: str
    before: str
    after: str
    is_right: bool

    def answer(self, timeout: float = 5.0) -> Answer:
        with context():
            modules = [
                ir.Module.parse(to_generic(text.encode()).text.decode())
                for text in (self.before, self.after)
            ]
            return prove(*modules, "f", timeout)


# Base, wrong rewrites, right rewrites.
TABLE: dict[str, tuple[str, dict[str, Edits], dict[str, Edits]]] = {
    "spmv": (
        """func.func @f(%v: tensor<?xf32>, %row: tensor<?xi32>, %col: tensor<?xi32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = gs.generic (e) [r = %row[e] mode(fill_or_drop), c = %col[e] mode(clip)]
      ins(%v[e], %x[c]) outs(%y[r]) iterators(e = reduction)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    gs.yield %s : f32
  }
  return %r : tensor<?xf32>
}""",
        {
            "row and column": [("r = %row[e]", "r = %col[e]"), ("c = %col[e]", "c = %row[e]")],
            "wrapped": [("mode(clip)", "mode(clip) wrap_negative")],
            "drop lost": [("r = %row[e] mode(fill_or_drop)", "r = %row[e]")],
            "clip for drop": [("r = %row[e] mode(fill_or_drop)", "r = %row[e] mode(clip)")],
            "unique invented": [("e = reduction)", "e = parallel) unique")],
            "difference": [("arith.addf %o, %p", "arith.subf %o, %p")],
            "squared": [("arith.mulf %a, %b", "arith.mulf %a, %a")],
            "no sum": [("arith.addf %o, %p", "arith.addf %p, %p")],
            "sorted invented": [("e = reduction)", "e = reduction) sorted")],
            "reassociated": [
                (
                    "arith.addf %o, %p : f32",
                    "arith.addf %p, %a : f32\n    %t = arith.addf %o, %s : f32",
                ),
                ("gs.yield %s", "gs.yield %t"),
            ],
        },
        {
            "factors swapped": [("arith.mulf %a, %b", "arith.mulf %b, %a")],
            "terms swapped": [("arith.addf %o, %p", "arith.addf %p, %o")],
            "inputs swapped": [
                ("ins(%v[e], %x[c])", "ins(%x[c], %v[e])"),
                ("^bb0(%a: f32, %b: f32", "^bb0(%b: f32, %a: f32"),
            ],
            "times one": [
                (
                    "arith.mulf %a, %b : f32",
                    "arith.mulf %a, %b : f32\n    %one = arith.constant 1.0 : f32\n    %q = arith.mulf %p, %one : f32",
                ),
                ("%o, %p", "%o, %q"),
            ],
        },
    ),
    "columns": (
        """func.func @f(%x: tensor<?x?xi32>, %i: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = gs.gather_elements %x[%i] dim(1) mode(fill) fill_value(7 : i32) wrap_negative
      : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}""",
        {
            "other dim": [("dim(1)", "dim(0)")],
            "other fill": [("fill_value(7 : i32)", "fill_value(-7 : i32)")],
            "fill lost": [(" fill_value(7 : i32)", "")],
            "wrap lost": [(" wrap_negative", "")],
            "clip": [("mode(fill) fill_value(7 : i32)", "mode(clip)")],
            "promise": [(" mode(fill) fill_value(7 : i32)", "")],
            "error": [("mode(fill) fill_value(7 : i32)", "mode(error)")],
            "unique invented": [("dim(1)", "dim(1) unique")],
        },
        {
            "as a nest": [
                (
                    "gs.gather_elements %x[%i] dim(1) mode(fill) fill_value(7 : i32) wrap_negative\n      : (tensor<?x?xi32>, tensor<?x?xi32>)",
                    "gs.generic (a, b) [s = %i[a, b] mode(fill_or_drop) wrap_negative] ins(%x[a, s] fill(7 : i32)) outs(%e[a, b]) iterators(a = parallel, b = parallel) : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>)",
                ),
                (
                    "  %r =",
                    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = tensor.dim %i, %c0 : tensor<?x?xi32>\n  %m = tensor.dim %i, %c1 : tensor<?x?xi32>\n  %e = tensor.empty(%n, %m) : tensor<?x?xi32>\n  %r =",
                ),
                (
                    "tensor<?x?xi32>\n  return",
                    "tensor<?x?xi32> {\n  ^bb0(%p: i32, %o: i32):\n    gs.yield %p : i32\n  }\n  return",
                ),
            ],
            "added and wrapped": [
                (
                    "  %r =",
                    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = tensor.dim %i, %c0 : tensor<?x?xi32>\n  %m = tensor.dim %i, %c1 : tensor<?x?xi32>\n  %w = tensor.generate %n, %m {\n  ^bb0(%a: index, %b: index):\n    %v = tensor.extract %i[%a, %b] : tensor<?x?xi32>\n    tensor.yield %v : i32\n  } : tensor<?x?xi32>\n  %r =",
                ),
                ("%x[%i]", "%x[%w]"),
            ],
        },
    ),
    "rows of a batch": (
        """func.func @f(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xi64>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) batch_dims(1) mode(error)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}""",
        {
            "last dim": [("gather_dims([1])", "gather_dims([2])")],
            "error lost": [(" mode(error)", " mode(clip)")],
            "promise": [(" mode(error)", "")],
            "fill": [("mode(error)", "mode(fill)")],
            "wraps": [("mode(error)", "mode(error) wrap_negative")],
        },
        {
            "itself": [("%r", "%result")],
        },
    ),
    "sum of rows": (
        """func.func @f(%u: tensor<?x?xi32>, %d: tensor<?x?xi32>, %i: tensor<?x1xi8>) -> tensor<?x?xi32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) wrap_negative combine(add)
      : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x1xi8>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}""",
        {
            "mul": [("combine(add)", "combine(mul)")],
            "or": [("combine(add)", "combine(or)")],
            "overwritten": [(" combine(add)", "")],
            "wrap lost": [(" wrap_negative", "")],
            "clip": [("mode(drop)", "mode(clip)")],
            "unique": [("combine(add)", "combine(add) unique")],
            "unsigned coordinates": [
                ("%i: tensor<?x1xi8>) ->", "%g: tensor<?x1xi8>) ->"),
                (
                    "  %r =",
                    "  %c0 = arith.constant 0 : index\n  %n = tensor.dim %g, %c0 : tensor<?x1xi8>\n  %c = arith.extui %g : tensor<?x1xi8> to tensor<?x1xi32>\n  %r =",
                ),
                ("%d[%i]", "%d[%c]"),
                (
                    "tensor<?x?xi32>, tensor<?x1xi8>) -> tensor<?x?xi32>\n  return",
                    "tensor<?x?xi32>, tensor<?x1xi32>) -> tensor<?x?xi32>\n  return",
                ),
            ],
        },
        {
            "widened": [
                ("  %r =", "  %c = arith.extsi %i : tensor<?x1xi8> to tensor<?x1xi64>\n  %r ="),
                ("%d[%i]", "%d[%c]"),
                (
                    "tensor<?x?xi32>, tensor<?x1xi8>) -> tensor<?x?xi32>\n  return",
                    "tensor<?x?xi32>, tensor<?x1xi64>) -> tensor<?x?xi32>\n  return",
                ),
            ],
            "columns first": [
                (
                    "gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) wrap_negative combine(add)\n      : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x1xi8>) -> tensor<?x?xi32>",
                    "gs.generic (b, a) [s = %i[a, 0] mode(fill_or_drop) wrap_negative] ins(%u[a, b]) outs(%d[s, b]) iterators(b = parallel, a = reduction) : (tensor<?x?xi32>, tensor<?x1xi8>, tensor<?x?xi32>) -> tensor<?x?xi32> {\n  ^bb0(%p: i32, %o: i32):\n    %q = arith.addi %o, %p : i32\n    gs.yield %q : i32\n  }",
                )
            ],
        },
    ),
    "two coordinates": (
        """func.func @f(%x: tensor<?x?x?xf32>, %i: tensor<?x2xi32>) -> tensor<?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(clip)
      : (tensor<?x?x?xf32>, tensor<?x2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""",
        {
            "other dims": [("gather_dims([0, 2])", "gather_dims([0, 1])")],
            "sorted": [("mode(clip)", "mode(clip) sorted")],
            "unique": [("mode(clip)", "mode(clip) unique")],
            "wrap": [("mode(clip)", "mode(clip) wrap_negative")],
            "swapped as a nest": [
                (
                    "gs.gather %x[%i] gather_dims([0, 2]) mode(clip)\n      : (tensor<?x?x?xf32>, tensor<?x2xi32>)",
                    "gs.generic (a, b) [s = %i[a, 1] mode(clip), t = %i[a, 0] mode(clip)] ins(%x[s, b, t]) outs(%e[a, b]) iterators(a = parallel, b = parallel) : (tensor<?x?x?xf32>, tensor<?x2xi32>, tensor<?x?xf32>)",
                ),
                (
                    "  %r =",
                    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = tensor.dim %i, %c0 : tensor<?x2xi32>\n  %m = tensor.dim %x, %c1 : tensor<?x?x?xf32>\n  %e = tensor.empty(%n, %m) : tensor<?x?xf32>\n  %r =",
                ),
                (
                    "tensor<?x?xf32>\n  return",
                    "tensor<?x?xf32> {\n  ^bb0(%p: f32, %o: f32):\n    gs.yield %p : f32\n  }\n  return",
                ),
            ],
        },
        {
            "as a nest": [
                (
                    "gs.gather %x[%i] gather_dims([0, 2]) mode(clip)\n      : (tensor<?x?x?xf32>, tensor<?x2xi32>)",
                    "gs.generic (a, b) [s = %i[a, 0] mode(clip), t = %i[a, 1] mode(clip)] ins(%x[s, b, t]) outs(%e[a, b]) iterators(a = parallel, b = parallel) : (tensor<?x?x?xf32>, tensor<?x2xi32>, tensor<?x?xf32>)",
                ),
                (
                    "  %r =",
                    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = tensor.dim %i, %c0 : tensor<?x2xi32>\n  %m = tensor.dim %x, %c1 : tensor<?x?x?xf32>\n  %e = tensor.empty(%n, %m) : tensor<?x?xf32>\n  %r =",
                ),
                (
                    "tensor<?x?xf32>\n  return",
                    "tensor<?x?xf32> {\n  ^bb0(%p: f32, %o: f32):\n    gs.yield %p : f32\n  }\n  return",
                ),
            ],
        },
    ),
    "overlapping windows": (
        """func.func @f(%u: tensor<?x3xf32>, %d: tensor<?xf32>, %i: tensor<?xi32>) -> tensor<?xf32> {
  %r = gs.generic (a, w) [s = %i[a] mode(fill_or_drop)] ins(%u[a, w]) outs(%d[s + w])
      iterators(a = reduction, w = reduction) : (tensor<?x3xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%p: f32, %o: f32):
    gs.yield %p : f32
  }
  return %r : tensor<?xf32>
}""",
        {
            "shifted": [("outs(%d[s + w])", "outs(%d[s - w])")],
            "clip": [("mode(fill_or_drop)", "mode(clip)")],
            "no overlap promised": [
                (
                    "iterators(a = reduction, w = reduction)",
                    "iterators(a = parallel, w = parallel) unique",
                )
            ],
            "columns first": [
                ("(a, w) [", "(w, a) ["),
                (
                    "iterators(a = reduction, w = reduction)",
                    "iterators(w = reduction, a = reduction)",
                ),
            ],
            "along the updates": [("%u[a, w]", "%u[w, a]")],
            "stride": [("outs(%d[s + w])", "outs(%d[s + 2 * w])")],
            "wrapped": [("mode(fill_or_drop)", "mode(fill_or_drop) wrap_negative")],
            "summed": [("    gs.yield %p", "    %q = arith.addf %p, %o : f32\n    gs.yield %q")],
        },
        {
            "sum written otherwise": [("outs(%d[s + w])", "outs(%d[w + s])")],
        },
    ),
    "padded": (
        """func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[1] {
  ^bb0(%a: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  %r = gs.gather %p[%i] gather_dims([0]) mode(fill) fill_value(0.0 : f32)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}""",
        {
            "low": [("low[2] high[1]", "low[1] high[2]")],
            "negative zero": [("constant 0.0", "constant -0.0")],
            "of other fill": [("fill_value(0.0", "fill_value(-0.0")],
            "no padding": [("gs.gather %p[%i]", "gs.gather %x[%i]")],
            "wrap": [("mode(fill)", "wrap_negative mode(fill)")],
        },
        {
            "more padding": [("high[1]", "high[5]")],
            "none behind": [("high[1]", "high[0]")],
        },
    ),
    "joined": (
        """func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %i: tensor<?x1xi32>, %j: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %h = gs.gather %y[%j] gather_dims([0]) mode(clip) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = tensor.concat dim(0) %g, %h : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""",
        {
            "order": [("dim(0) %g, %h", "dim(0) %h, %g")],
            "twice": [("dim(0) %g, %h", "dim(0) %g, %g")],
            "coordinates": [("%y[%j]", "%y[%i]")],
            "columns": [("dim(0) %g", "dim(1) %g")],
        },
        {
            "later first": [
                (
                    "  %g = gs.gather %x[%i] gather_dims([0]) mode(clip) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>\n",
                    "",
                ),
                (
                    "  %r =",
                    "  %g = gs.gather %x[%i] gather_dims([0]) mode(clip) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>\n  %r =",
                ),
            ],
        },
    ),
    "transposed": (
        """func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %r = gs.gather %t[%i] gather_dims([0]) mode(fill) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""",
        {
            "not transposed": [("gs.gather %t[%i]", "gs.gather %x[%i]")],
            "other dim": [("gather_dims([0])", "gather_dims([1])")],
        },
        {
            "folded": [("gs.gather %t[%i] gather_dims([0])", "gs.gather %x[%i] gather_dims([1])")],
            "as a nest": [
                (
                    "gs.gather %t[%i] gather_dims([0]) mode(fill) : (tensor<?x?xf32>, tensor<?x1xi32>)",
                    "gs.generic (a, b) [s = %i[a, 0] mode(fill_or_drop)] ins(%x[b, s]) outs(%o[a, b]) iterators(a = parallel, b = parallel) : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>)",
                ),
                (
                    "  %r =",
                    "  %c0 = arith.constant 0 : index\n  %n = tensor.dim %i, %c0 : tensor<?x1xi32>\n  %m = tensor.dim %x, %c0 : tensor<?x?xf32>\n  %o = tensor.empty(%n, %m) : tensor<?x?xf32>\n  %r =",
                ),
                (
                    "tensor<?x?xf32>\n  return",
                    "tensor<?x?xf32> {\n  ^bb0(%p: f32, %q: f32):\n    gs.yield %p : f32\n  }\n  return",
                ),
            ],
        },
    ),
    "arithmetic of coordinates": (
        """func.func @f(%x: tensor<?xf32>, %i: tensor<?xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?xi32>
  %k = tensor.generate %n {
  ^bb0(%a: index):
    %v = tensor.extract %i[%a] : tensor<?xi32>
    %three = arith.constant 3 : i32
    %w = arith.addi %v, %three : i32
    tensor.yield %w : i32
  } : tensor<?xi32>
  %e = tensor.expand_shape %k [[0, 1]] output_shape [%n, 1] : tensor<?xi32> into tensor<?x1xi32>
  %r = gs.gather %x[%e] gather_dims([0]) mode(fill) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}""",
        {
            "no overflow": [("arith.addi %v, %three :", "arith.addi %v, %three overflow<nsw> :")],
            "subtracted": [("arith.addi", "arith.subi")],
            "multiplied": [("arith.addi", "arith.muli")],
            "masked": [("arith.addi %v, %three", "arith.andi %v, %three")],
            "divided": [("arith.addi", "arith.floordivsi")],
            "shifted": [("arith.addi %v, %three", "arith.shli %v, %three")],
        },
        {
            "twice": [
                (
                    "%w = arith.addi %v, %three : i32",
                    "%one = arith.constant 1 : i32\n    %two = arith.constant 2 : i32\n    %u = arith.addi %v, %one : i32\n    %w = arith.addi %u, %two : i32",
                )
            ],
            "minus": [("constant 3", "constant -3"), ("arith.addi", "arith.subi")],
            "wide and cut": [
                (
                    "%w = arith.addi %v, %three : i32",
                    "%wide = arith.extsi %v : i32 to i64\n    %t = arith.constant 3 : i64\n    %sum = arith.addi %wide, %t : i64\n    %w = arith.trunci %sum : i64 to i32",
                )
            ],
        },
    ),
    "two scatters": (
        """func.func @f(%u: tensor<?xf32>, %v: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>, %j: tensor<?x1xi32>) -> tensor<?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) combine(max) : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.scatter %v into %s[%j] scatter_dims([0]) mode(drop) combine(max) : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}""",
        {
            "first lost": [("%s[%j]", "%d[%j]")],
            "second lost": [("return %r", "return %s")],
            "maxnum": [
                (
                    "combine(max) : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>\n  return",
                    "combine(maxnum) : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>\n  return",
                )
            ],
            "same coordinates": [("%s[%j]", "%s[%i]")],
            "minimum": [
                (
                    "combine(max) : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>\n  return",
                    "combine(min) : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>\n  return",
                )
            ],
        },
        {},
    ),
    "signed minimum": (
        """func.func @f(%u: tensor<?xi32>, %d: tensor<?xi32>, %i: tensor<?x1xi32>) -> tensor<?xi32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(clip) combine(min) : (tensor<?xi32>, tensor<?xi32>, tensor<?x1xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}""",
        {
            "unsigned": [("combine(min)", "combine(minui)")],
            "maximum": [("combine(min)", "combine(max)")],
            "from zero": [
                (
                    "  %r =",
                    "  %z = arith.constant 0 : i32\n  %e = linalg.fill ins(%z : i32) outs(%d : tensor<?xi32>) -> tensor<?xi32>\n  %r =",
                ),
                ("into %d[", "into %e["),
            ],
        },
        {
            "compared and selected": [
                (
                    "combine(min) : (tensor<?xi32>, tensor<?xi32>, tensor<?x1xi32>) -> tensor<?xi32>",
                    ": (tensor<?xi32>, tensor<?xi32>, tensor<?x1xi32>) -> tensor<?xi32> {\n  ^bb0(%o: i32, %n: i32):\n    %c = arith.cmpi slt, %n, %o : i32\n    %m = arith.select %c, %n, %o : i32\n    gs.yield %m : i32\n  }",
                )
            ],
        },
    ),
    "slice": (
        """func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = tensor.extract_slice %x[%o, 0] [%n, %m] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %r = gs.gather %s[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""",
        {
            "offset lost": [("gs.gather %s[%i]", "gs.gather %x[%i]")],
            "stride": [("[1, 1]", "[2, 1]")],
            "offset and size": [("[%o, 0] [%n, %m]", "[%n, 0] [%o, %m]")],
            "offset once more": [
                ("[%o, 0]", "[%p, 0]"),
                ("  %s =", "  %p = arith.addi %o, %c1 : index\n  %s ="),
            ],
        },
        {
            "of the rest": [
                ("[%o, 0] [%n, %m] [1, 1]", "[%o, 0] [%left, %m] [1, 1]"),
                (
                    "  %s =",
                    "  %c0 = arith.constant 0 : index\n  %all = tensor.dim %x, %c0 : tensor<?x?xf32>\n  %left = arith.subi %all, %o : index\n  %s =",
                ),
            ],
        },
    ),
    "sum with start": (
        """func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(0.0 : f32) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %w = arith.addf %o, %p : f32
    linalg.yield %w : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}""",
        {
            "not filled": [(" mode(fill) fill_value(0.0 : f32)", "")],
            "zeros skipped": [
                (
                    "gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(0.0 : f32)",
                    "gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(-0.0 : f32)",
                )
            ],
            "along the other": [
                (
                    '(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]',
                    '(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>], iterator_types = ["reduction", "parallel"]',
                )
            ],
            "started twice": [
                (
                    "arith.addf %o, %p : f32",
                    "arith.addf %o, %p : f32\n    %v = arith.addf %w, %w : f32",
                ),
                ("linalg.yield %w", "linalg.yield %v"),
            ],
        },
        {
            "commuted": [("arith.addf %o, %p", "arith.addf %p, %o")],
        },
    ),
}


def rewrites() -> Iterator[Rewrite]:
    for base, (before, wrong, right) in TABLE.items():
        for is_right, edits in ((False, wrong), (True, right)):
            for name, pairs in edits.items():
                after = before
                for old, new in pairs:
                    assert old in after, (base, name, old)
                    after = after.replace(old, new)
                yield Rewrite(f"{base}: {name}", before, after, is_right)


def main() -> int:
    counts: dict[tuple[bool, str], int] = {}
    for each in rewrites():
        if sys.argv[1:] and sys.argv[1] not in each.name:
            continue
        start = time.monotonic()
        try:
            answer = each.answer()
        except Exception as error:
            print(f"{each.name}: {type(error).__name__} {str(error)[:300]}", flush=True)
            continue
        wanted = "proved" if each.is_right else "refuted"
        counts[each.is_right, answer.status] = counts.get((each.is_right, answer.status), 0) + 1
        if answer.status != wanted:
            why = answer.reason or (answer.counterexample and answer.counterexample.text())
            word = "right" if each.is_right else "wrong"
            print(
                f"{word} {each.name}: {answer.status} ({time.monotonic() - start:.1f} s): {why}",
                flush=True,
            )
    print(counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
