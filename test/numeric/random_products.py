"""Random products as linalg.generic, compiled, against sums in order by NumPy, bit for bit.

    python test/numeric/random_products.py --count 1000 --seed 0

Matrix products with up to two dims of each kind (of both, one or none of the inputs' own, and
reduced), in any order of dims in each operand, and windows of convolutions. Sizes are static or
known at run time, on tensors or memrefs, from a constant or from an argument, on one to three
threads, that share small products too or do not.
"""

import argparse
from dataclasses import dataclass
from random import Random
from typing import Any

import ml_dtypes
import mlir_gs
import numpy as np

Array = np.ndarray
TYPES = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "i8": np.int8, "i32": np.int32,
}  # fmt: skip
PAIRS = (
    *(("f32", "f32"),) * 4, ("f64", "f64"), ("f32", "f64"), ("f16", "f32"), ("bf16", "f32"),
    ("f16", "f16"), ("i8", "i32"), ("i32", "i32"),
)  # fmt: skip
SIZES = (0, 1, 2, 3, 5, 6, 7, 8, 13, 16, 17, 33, 100)
EVEN = (8, 12, 16, 32, 64, 128, 256)
SHARED = "generic:serial-bytes=0:column-bytes=64"
"""Threads share small products, too: a row or a line's columns each."""


@dataclass(frozen=True)
class Term:
    """An index of an operand: the sum of iteration dims, each times a number."""

    parts: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        return " + ".join(f"d{dim} * {by}" if by > 1 else f"d{dim}" for dim, by in self.parts)

    def size(self, extents: list[int]) -> int:
        if len(self.parts) == 1:
            return extents[self.parts[0][0]]
        return max(sum(max(extents[dim] - 1, 0) * by for dim, by in self.parts) + 1, 1)


@dataclass(frozen=True)
class Product:
    """One function and how it is called; `operands`: the terms of the two inputs and the output."""

    element: str
    sums: str
    operands: tuple[tuple[Term, ...], ...]
    extents: list[int]
    reduced: list[int]
    static: bool
    memrefs: bool
    from_constant: bool
    threads: int
    target: str | None

    def type(self, number: int) -> str:
        sizes = [str(t.size(self.extents)) if self.static else "?" for t in self.operands[number]]
        return "x".join([*sizes, self.element if number < 2 else self.sums])

    @property
    def text(self) -> str:
        kind = "memref" if self.memrefs else "tensor"
        types = [f"{kind}<{self.type(number)}>" for number in range(3)]
        dims = ", ".join(f"d{dim}" for dim in range(len(self.extents)))
        maps = ", ".join(
            f"affine_map<({dims}) -> ({', '.join(map(str, terms))})>" for terms in self.operands
        )
        iterators = ", ".join(
            '"reduction"' if dim in self.reduced else '"parallel"'
            for dim in range(len(self.extents))
        )
        op = "i" if self.sums.startswith("i") else "f"
        wide = {"i": "extsi", "f": "extf"}[op]
        casts = "" if self.element == self.sums else "".join(
            f"  %w{name} = arith.{wide} %{name} : {self.element} to {self.sums}\n" for name in "xy"
        )  # fmt: skip
        x, y = ("%wx", "%wy") if casts else ("%x", "%y")
        zero = f"%zero = arith.constant {'0' if op == 'i' else '0.0'} : {self.sums}\n"
        fill = f"linalg.fill ins(%zero : {self.sums}) outs(%c : {types[2]})"
        start, from_ = "", "%c"
        if self.from_constant:
            start = f"{zero}{fill}\n" if self.memrefs else f"{zero}%from = {fill} -> {types[2]}\n"
            from_ = "%c" if self.memrefs else "%from"
        gives, arrow = ("", "") if self.memrefs else ("%r = ", f" -> {types[2]}")
        return f"""
func.func @f(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}){arrow} {{
  {start}{gives}linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
      ins(%a, %b : {types[0]}, {types[1]}) outs({from_} : {types[2]}) {{
  ^bb0(%x: {self.element}, %y: {self.element}, %z: {self.sums}):
{casts}  %p = arith.mul{op} {x}, {y} : {self.sums}
  %q = arith.add{op} %z, %p : {self.sums}
  linalg.yield %q : {self.sums}
  }}{arrow}
  return {"" if self.memrefs else f"%r : {types[2]}"}
}}
"""


def draw(seed: int) -> Product:
    """The product with this seed."""
    rng = Random(seed)
    element, sums = rng.choice(PAIRS)
    kinds = [rng.choice((0, 0, 0, 1, 2)), *(rng.choice((0, 1, 1, 1, 2)) for _ in range(3))]
    if kinds[3] == 0 or kinds[1] + kinds[2] == 0:
        kinds[1:] = [1, 1, 1]
    dims, count = [], 0
    for number in kinds:
        dims.append(list(range(count, count + number)))
        count += number
    order = list(range(count))
    rng.shuffle(order)
    batch, left, right, inner = ([order[dim] for dim in each] for each in dims)
    sizes = rng.choice((SIZES, EVEN))
    budget = 1 << 16
    extents = [0] * count
    for dim in rng.sample(range(count), count):
        extents[dim] = rng.choice([size for size in sizes if size <= budget] or [1])
        budget //= max(extents[dim], 1)

    def shuffled(found: list[int]) -> list[Term]:
        rng.shuffle(found)
        return [Term(((dim, 1),)) for dim in found]

    one, two = shuffled(batch + left + inner), shuffled(batch + right + inner)
    if left and inner and rng.random() < 0.25:
        # A window: an own dim of the first input and a reduced one share an index.
        a, k = left[0], inner[0]
        # Upstream's verifier wants a window to have places.
        extents[a], extents[k] = max(extents[a], 1), max(extents[k], 1)
        window = Term(((a, rng.choice((1, 2))), (k, rng.choice((1, 1, 2)))))
        one = [window if t.parts[0][0] == a else t for t in one if t.parts[0][0] != k]
        if rng.random() < 0.5:
            one, two = two, one
    return Product(
        element,
        sums,
        (tuple(one), tuple(two), tuple(shuffled(batch + left + right))),
        extents,
        sorted(inner),
        rng.random() < 0.5,
        rng.random() < 0.25,
        rng.random() < 0.7,
        rng.choice((1, 2, 2, 3)),
        rng.choice((None, SHARED, SHARED)),
    )


def arrays(product: Product, seed: int) -> list[Array]:
    rng = np.random.default_rng(seed)
    found = []
    for number, terms in enumerate(product.operands):
        name = product.element if number < 2 else product.sums
        shape = [term.size(product.extents) for term in terms]
        numbers = rng.integers(-9, 9, shape) if name[0] == "i" else rng.normal(size=shape)
        found.append(np.asarray(numbers, TYPES[name]))
    return found


def expected(product: Product, given: list[Array]) -> Array:
    """The sums in row-major order of the reduced dims, rounded after each op."""
    extents, outer = product.extents, product.operands[2]
    sums = TYPES[product.sums]
    result = np.zeros_like(given[2]) if product.from_constant else given[2].copy()
    grid = np.indices([extents[term.parts[0][0]] for term in outer])
    for point in np.ndindex(*(extents[dim] for dim in product.reduced)):
        places: dict[int, Any] = dict(zip(product.reduced, point, strict=True))
        places.update((term.parts[0][0], each) for term, each in zip(outer, grid, strict=True))
        x, y = (
            array[tuple(sum(places[dim] * by for dim, by in term.parts) for term in terms)]
            for array, terms in zip(given, product.operands[:2], strict=False)
        )
        result = (result + x.astype(sums) * y.astype(sums)).astype(sums)
    return result


def check(seed: int) -> None:
    """Raises AssertionError where the compiled product has other bits."""
    product = draw(seed)
    given = arrays(product, seed)
    kernel = mlir_gs.compile(product.text, threads=product.threads, target=product.target)
    wanted = expected(product, given)
    found = kernel(*given)
    if product.memrefs:
        found = given[2]
    np.testing.assert_array_equal(found, wanted, err_msg=f"seed {seed}:\n{product.text}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.count):
        check(seed)
    print(f"{options.count} products are equal")


if __name__ == "__main__":
    main()
