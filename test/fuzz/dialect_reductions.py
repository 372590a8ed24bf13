"""Reductions and products of vectors, in many forms, each beside what NumPy makes of the arrays."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from dialect_vector import ELEMENTS, program, vector
from upstream_table import Array, Case


def reductions() -> Iterator[Case]:
    """All forms of this file."""
    for element in ELEMENTS:
        yield from _reductions(element)


_COMBINED = {
    "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "minimumf": np.minimum, "maximumf": np.maximum, "minnumf": np.fmin, "maxnumf": np.fmax,
}  # fmt: skip


def _reductions(element: str) -> Iterator[Case]:
    is_float = element[0] != "i"
    near = (
        {"f32": 2.0**-18, "f64": 2.0**-48, "bf16": 2.0**-4}.get(element, 0.5) if is_float else 0.0
    )
    small = [1, 2, -1, 3] if element != "i1" else [True, False, True, True]
    scalar = vector((), element)
    for kind, combine in _COMBINED.items():
        if is_float and kind in ("minsi", "maxsi", "and", "or", "xor"):
            continue
        if not is_float and kind.endswith("f"):
            continue

        def whole(a: Array, f: Any = combine) -> Array:
            # One after the other, since sums of one bit are no numbers of them.
            found = a[0]
            for each in a[1:]:
                found = f(found, each).astype(a.dtype)
            return found

        if element == "i1":
            logical = {"add": np.bitwise_xor, "mul": np.bitwise_and, "minsi": np.bitwise_or,
                       "maxsi": np.bitwise_and}  # fmt: skip
            combine = logical.get(kind, combine)

            def whole(a: Array, f: Any = combine) -> Array:
                return f.reduce(a)

        for count in (4, 1):
            many = vector((count,), element)
            yield program(
                "vector.reduction", f"{kind} {count} {element}", [((count,), element)],
                f"%x = vector.reduction <{kind}>, %v0 : {many} into {element}\n"
                f"  %r = vector.broadcast %x : {element} to {scalar}", ((), element), whole, near,
                [small[:count]],
            )  # fmt: skip
        square, row = vector((2, 2), element), vector((2,), element)
        for dim in (0, 1):
            yield program(
                "vector.multi_reduction", f"{kind} {dim} {element}",
                [((2, 2), element), ((2,), element)],
                f"%r = vector.multi_reduction <{kind}>, %v0, %v1 [{dim}] : {square} to {row}",
                ((2,), element),
                lambda a, b, d=dim, w=whole: np.array(
                    [w(np.array([b[n], *np.moveaxis(a, d, 1)[n]])) for n in range(2)]
                ), near, [[small[:2], small[2:]], small[:2]],
            )  # fmt: skip
            yield program(
                "vector.scan", f"{kind} {dim} {element}",
                [((2, 2), element), ((2,), element)],
                f"%r, %s = vector.scan <{kind}>, %v0, %v1 {{inclusive = true, reduction_dim = "
                f"{dim} : i64}} : {square}, {row}", ((2, 2), element),
                lambda a, b, d=dim, w=whole: np.stack(
                    [a.take(0, d), np.array([w(a.take(n, 1 - d)) for n in range(2)])], d
                ), near, [[small[:2], small[2:]], small[:2]],
            )  # fmt: skip
    if element == "i1":
        return
    for kind in ("add", "maximumf" if is_float else "maxsi"):
        combine = _COMBINED[kind]
        yield program(
            "vector.outerproduct", f"{kind} {element}",
            [((2,), element), ((3,), element), ((2, 3), element)],
            f"%r = vector.outerproduct %v0, %v1, %v2 {{kind = #vector.kind<{kind}>}} : "
            f"{vector((2,), element)}, {vector((3,), element)}", ((2, 3), element),
            lambda a, b, c, f=combine: f(c, np.outer(a, b).astype(c.dtype)), near,
            [[1, 2], [1, -1, 2], [[1, 0, 2], [-1, 1, 1]]],
        )  # fmt: skip
    maps = ("affine_map<(i, j, k) -> (i, k)>", "affine_map<(i, j, k) -> (k, j)>",
            "affine_map<(i, j, k) -> (i, j)>")  # fmt: skip
    square = vector((2, 2), element)
    yield program(
        "vector.contract", element, [((2, 2), element)] * 3,
        f"%r = vector.contract {{indexing_maps = [{', '.join(maps)}], iterator_types = "
        '["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v0, %v1, %v2 : '
        f"{square}, {square} into {square}", ((2, 2), element),
        lambda a, b, c: c + a @ b, near,
        [[[1, 2], [-1, 1]], [[1, 0], [2, 1]], [[0, 1], [1, 1]]],
    )  # fmt: skip
