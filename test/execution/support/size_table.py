"""Which constraints of the ops speak of sizes that a call gives, and what breaks them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mlir_gs.dialect
import numpy as np

F32 = np.float32
Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Broken:
    """Arguments that break a constraint, and what the error says."""

    what: str
    arguments: Arrays
    message: str
    error: type[Exception] = ValueError


@dataclass(frozen=True)
class Sized:
    """A constraint on sizes: an op on dynamic ones, arguments that fit, and some that do not."""

    modes: Sequence[str]
    text: Callable[[str], str]
    fitting: Arrays
    broken: Sequence[Broken]
    in_place: Callable[[str], str] | None = None


def ids(*shape: int) -> np.ndarray:
    """Coordinates that are in bounds wherever there is an element, each of another row."""
    return np.arange(int(np.prod(shape))).reshape(shape) % 2


def rows(*shape: int) -> np.ndarray:
    return np.arange(int(np.prod(shape)), dtype=F32).reshape(shape)


GATHERS = ("promise_in_bounds", "clip", "fill", "error")
SCATTERS = ("promise_in_bounds", "clip", "drop", "error")
ADD = """({
  ^bb0(%c: f32, %u: f32):
    %n = arith.addf %c, %u : f32
    gs.yield %n : f32
  })"""


def function(op: str, region: str, attributes: str, types: Sequence[str], results: str) -> str:
    """@f, one op on all its arguments, between ops that may be merged with it."""
    names = [f"%a{n}" for n in range(len(types))]
    signature = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    first = types[0]
    return f"""func.func @f({signature}) -> {results} {{
  %before = arith.negf %a0 : {first}
  %r = "{op}"({", ".join(["%before", *names[1:]])}) {region} {{{attributes}}}
      : ({", ".join(types)}) -> {results}
  %after = arith.negf %r : {results}
  return %after : {results}
}}
"""


def in_place(op: str, region: str, attributes: str, types: Sequence[str]) -> str:
    """@f on memrefs, which writes the scatter into its second argument."""
    memrefs = [t.replace("tensor", "memref") for t in types]
    signature = ", ".join(f"%m{n}: {t}" for n, t in enumerate(memrefs))
    tensors = "\n".join(
        f"  %a{n} = bufferization.to_tensor %m{n} restrict{' writable' * (n == 1)} : {m} to {t}"
        for n, (m, t) in enumerate(zip(memrefs, types, strict=True))
    )
    return f"""func.func @f({signature}) {{
{tensors}
  %r = "{op}"({", ".join(f"%a{n}" for n in range(len(types)))}) {region} {{{attributes}}}
      : ({", ".join(types)}) -> {types[1]}
  bufferization.materialize_in_destination %r in restrict writable %m1
      : ({types[1]}, {memrefs[1]}) -> ()
  return
}}
"""


def gather(shape: str, indices: str, result: str, dims: str) -> Callable[[str], str]:
    types = [f"tensor<{shape}xf32>", f"tensor<{indices}xi64>"]
    return lambda mode: function(
        "gs.gather", "", f'{dims}, mode = "{mode}"', types, f"tensor<{result}xf32>"
    )


def _scattering(op: str, updates: str, dest: str, indices: str, dims: str) -> dict[str, Any]:
    types = [f"tensor<{updates}xf32>", f"tensor<{dest}xf32>", f"tensor<{indices}xi64>"]

    def attributes(mode: str) -> str:
        return f'{dims}, mode = "{mode}"'

    return {
        "modes": SCATTERS,
        "text": lambda mode: function(op, ADD, attributes(mode), types, types[1]),
        "in_place": lambda mode: in_place(op, ADD, attributes(mode), types),
    }


SCATTER = _scattering("gs.scatter", "?x?", "?x?", "?x1", "scatter_dims = array<i64: 0>")
UNIT_FORM = _scattering("gs.scatter", "?x?x?", "?x?", "?x1", "scatter_dims = array<i64: 0>")
BATCHED = _scattering(
    "gs.scatter", "?x?x?", "?x?x?", "?x?x1", "batch_dims = 1 : i64, scatter_dims = array<i64: 1>"
)
ELEMENTS = _scattering("gs.scatter_elements", "?x?", "?x?", "?x?", "dim = 0 : i64")
HISTOGRAM = f"""func.func @f(%a0: tensor<?x?x?xf32>, %a1: tensor<?x?x1xi64>)
    -> (tensor<?x?xf32>, tensor<?x1xi64>) {{
  %before = arith.negf %a0 : tensor<?x?x?xf32>
  %r, %i = "gs.histogram"(%before, %a1) {ADD}
      : (tensor<?x?x?xf32>, tensor<?x?x1xi64>) -> (tensor<?x?xf32>, tensor<?x1xi64>)
  return %r, %i : tensor<?x?xf32>, tensor<?x1xi64>
}}
"""
WINDOW = function(
    "gs.strided_slice", "",
    "offsets = array<i64: 1, 0>, sizes = array<i64: 4, 2>, strides = array<i64: -2, 1>",
    ["tensor<?x?xf32>"], "tensor<2x2xf32>",
)  # fmt: skip


def differ(op: str, side: str, dim: int, wanted: int, found: int) -> str:
    """Part of a message: `side` is the operand."""
    numbers = f": expected {wanted}, found {found}"
    return rf"'{op}' op, size of dimension {dim} of '{side}' must be .*{numbers}$"


TYPES = "not about sizes: kinds of types and ranks, which the verifier sees"
ATTRIBUTE = "not about sizes: an attribute, which the verifier sees"
REGION = "not about sizes: a region, which the verifier sees"
STATIC = "about sizes that are static by the constraint, which the verifier sees"
RESULT = "about the type of a result, which follows from those of the operands"
MAPS = "not about sizes: maps and attributes, which the verifier sees"
LEAST = "not about sizes: the extent of a dim is the least of its sizes, so all sizes fit"
# Where ops are merged, the error names the gs.generic that they became.
NO_CLIP = r"'gs.({}|generic)' op, .*into dimension {} of '.*': coordinate 1 at .* for size 0$"


def nothing_to_clip(op: str, dim: int, arguments: Arrays) -> Broken:
    message = NO_CLIP.format(op, dim)
    return Broken("an empty dimension under clip", arguments, message, IndexError)


TABLE: dict[tuple[str, int], Sized | str] = {
    **{("gather", n): TYPES for n in (1, 2)},
    **{("gather", n): ATTRIBUTE for n in (4, 7)},
    ("gather", 3): Sized(
        GATHERS,
        gather("?x?x?", "?x?x1", "?x?x?", "batch_dims = 1 : i64, gather_dims = array<i64: 1>"),
        (rows(3, 4, 5), ids(3, 2, 1)),
        [
            Broken(
                f"{found} batches of source, 3 of indices",
                (rows(found, 4, 5), ids(3, 2, 1)),
                differ("gs.gather", "source", 0, 3, found),
            )
            for found in (0, 1, 2, 4)
        ],
    ),
    ("gather", 5): STATIC,
    ("gather", 6): RESULT,
    ("gather", 8): Sized(
        ("clip",),
        gather("?x?", "?x1", "?x?", "gather_dims = array<i64: 0>"),
        (rows(4, 5), ids(3, 1)),
        [nothing_to_clip("gather", 0, (rows(0, 5), ids(3, 1) + 1))],
    ),
    **{("scatter", n): TYPES for n in (1, 2, 3)},
    **{("scatter", n): ATTRIBUTE for n in (5, 10)},
    ("scatter", 4): Sized(
        fitting=(rows(3, 2, 5), rows(3, 4, 5), ids(3, 2, 1)),
        broken=[
            Broken(
                f"{found} batches of dest, 3 of indices",
                (rows(3, 2, 5), rows(found, 4, 5), ids(3, 2, 1)),
                differ("gs.scatter", "dest", 0, 3, found),
            )
            for found in (0, 1, 2, 4)
        ],
        **BATCHED,
    ),
    ("scatter", 6): STATIC,
    ("scatter", 7): Sized(
        fitting=(rows(3, 5), rows(4, 5), ids(3, 1)),
        broken=[
            *(
                Broken(
                    f"{found} updates at 3 coordinates",
                    (rows(found, 5), rows(4, 5), ids(3, 1)),
                    differ("gs.scatter", "updates", 0, 3, found),
                )
                for found in (0, 1, 2, 4)
            ),
            *(
                Broken(
                    f"updates of {found} in rows of 5",
                    (rows(3, found), rows(4, 5), ids(3, 1)),
                    differ("gs.scatter", "updates", 1, 5, found),
                )
                for found in (0, 1, 4, 6)
            ),
        ],
        **SCATTER,
    ),
    ("scatter", 8): RESULT,
    ("scatter", 9): REGION,
    ("scatter", 11): Sized(
        fitting=(rows(3, 5), rows(4, 5), ids(3, 1)),
        broken=[nothing_to_clip("scatter", 0, (rows(1, 5), rows(0, 5), ids(1, 1) + 1))],
        **{**SCATTER, "modes": ("clip",)},
    ),
    **{("gather_elements", n): TYPES for n in (1, 2)},
    **{("gather_elements", n): ATTRIBUTE for n in (3, 6)},
    ("gather_elements", 4): Sized(
        GATHERS,
        lambda mode: function(
            "gs.gather_elements",
            "",
            f'dim = 1 : i64, mode = "{mode}"',
            ["tensor<?x?xf32>", "tensor<?x?xi64>"],
            "tensor<?x?xf32>",
        ),
        (rows(3, 4), ids(2, 5)),
        [
            Broken(
                f"indices of {found} rows, source of 3",
                (rows(3, 4), ids(found, 5)),
                differ("gs.gather_elements", "source", 0, found, 3),
            )
            for found in (4, 5, 64)
        ],
    ),
    ("gather_elements", 5): RESULT,
    ("gather_elements", 7): Sized(
        ("clip",),
        lambda mode: function(
            "gs.gather_elements",
            "",
            f'dim = 1 : i64, mode = "{mode}"',
            ["tensor<?x?xf32>", "tensor<?x?xi64>"],
            "tensor<?x?xf32>",
        ),
        (rows(3, 4), ids(2, 5)),
        [nothing_to_clip("gather_elements", 1, (rows(3, 0), ids(2, 5) * 0 + 1))],
    ),
    **{("scatter_elements", n): TYPES for n in (2, 3)},
    **{("scatter_elements", n): ATTRIBUTE for n in (4, 8)},
    ("scatter_elements", 1): Sized(
        fitting=(rows(2, 3), rows(4, 5), ids(2, 3)),
        broken=[
            Broken(
                f"updates of {shape}, indices of (2, 3)",
                (rows(*shape), rows(4, 5), ids(2, 3)),
                differ("gs.scatter_elements", "updates", dim, (2, 3)[dim], shape[dim]),
            )
            for dim, shape in ((0, (1, 3)), (0, (3, 3)), (0, (0, 3)), (1, (2, 2)), (1, (2, 4)))
        ],
        **ELEMENTS,
    ),
    ("scatter_elements", 5): Sized(
        fitting=(rows(2, 3), rows(4, 5), ids(2, 3)),
        broken=[
            Broken(
                f"indices of {found} columns, dest of 5",
                (rows(2, found), rows(4, 5), ids(2, found)),
                differ("gs.scatter_elements", "dest", 1, found, 5),
            )
            for found in (6, 7)
        ],
        **ELEMENTS,
    ),
    ("scatter_elements", 6): RESULT,
    ("scatter_elements", 7): REGION,
    ("scatter_elements", 9): Sized(
        fitting=(rows(2, 3), rows(4, 5), ids(2, 3)),
        broken=[
            nothing_to_clip("scatter_elements", 0, (rows(2, 3), rows(0, 5), ids(2, 3) * 0 + 1))
        ],
        **{**ELEMENTS, "modes": ("clip",)},
    ),
    **{("histogram", n): TYPES for n in (1, 2)},
    ("histogram", 3): Sized(
        ("promise_in_bounds",),
        lambda mode: HISTOGRAM,
        (rows(2, 3, 4), ids(2, 3, 1)),
        [
            Broken(
                f"updates of {shape} at {(2, 3)} coordinates",
                (rows(*shape, 4), ids(2, 3, 1)),
                differ("gs.histogram", "updates", dim, (2, 3)[dim], shape[dim]),
            )
            for dim, shape in ((0, (1, 3)), (0, (3, 3)), (0, (0, 3)), (1, (2, 2)), (1, (2, 4)))
        ],
    ),
    **{("histogram", n): RESULT for n in (4, 5)},
    ("histogram", 6): REGION,
    **{
        ("strided_slice", 1): TYPES,
        ("strided_slice", 2): ATTRIBUTE,
        ("strided_slice", 4): ATTRIBUTE,
    },
    ("strided_slice", 3): Sized(
        ("promise_in_bounds",),
        lambda mode: WINDOW,
        (rows(5, 3),),
        [
            Broken(
                f"a source of {shape} for a window that ends at (5, 2)",
                (rows(*shape),),
                differ("gs.strided_slice", "source", dim, (5, 2)[dim], shape[dim]),
            )
            for dim, shape in ((0, (4, 3)), (0, (1, 3)), (0, (0, 3)), (1, (5, 1)), (1, (5, 0)))
        ],
    ),
    ("strided_slice", 5): RESULT,
    ("generic", 1): TYPES,
    **{("generic", n): MAPS for n in (2, 3, 4, 6, 8, 11)},
    ("generic", 5): LEAST,
    ("generic", 7): MAPS,
    ("generic", 9): REGION,
    ("generic", 10): RESULT,
    **{("yield", n): REGION for n in (1, 2, 3)},
}
"""By op and number: what breaks the constraint, or why it is not one on sizes of a call."""


def constraints() -> list[tuple[str, int]]:
    """Every op and number of a constraint, from the docstrings."""
    return [
        (op.OPERATION_NAME.removeprefix("gs."), int(number))
        for op in mlir_gs.dialect.Gs.operations
        for number in re.findall(r"^ +- C([0-9]+):", op.__doc__, re.MULTILINE)
    ]
