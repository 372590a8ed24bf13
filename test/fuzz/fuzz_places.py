"""Constant places of single elements, vectors, slices and views, in nests of loops and branches.

    python test/fuzz/fuzz_places.py --cases 500 --seed 0

Each program adds what it reads at a constant place of an array of dynamic size to a sum, or writes
there. It gives what NumPy does, or one error where a step meets a place that the array lacks; a
place that no step meets is none.
"""

import sys

import numpy as np
from campaign import campaign
from mlir_gs import CompileError, compile

SIZE = 9
CONSTANTS = (0, 1, 3, 5, 8, 9, 12, -1, 2**31, 2**31 + 4, 2**40, 2**62, -(2**31), -(2**62))
# What reads %v at the constant place %k, or {0}, and how many elements from there it needs.
OPS = {
    "%v = tensor.extract %t[%k] : tensor<?xf32>": 1,
    "%v = memref.load %m[%k] : memref<?xf32>": 1,
    "%v = affine.load %m[{0}] : memref<?xf32>": 1,
    "%w = vector.load %m[%k] : memref<?xf32>, vector<4xf32>\n"
    "%v = vector.extract %w[0] : f32 from vector<4xf32>": 4,
    "%w = affine.vector_load %m[{0}] : memref<?xf32>, vector<4xf32>\n"
    "%v = vector.extract %w[0] : f32 from vector<4xf32>": 4,
    "%w = vector.transfer_read %m[%k], %zero {{in_bounds = [true]}} : memref<?xf32>, "
    "vector<4xf32>\n%v = vector.extract %w[0] : f32 from vector<4xf32>": 4,
    "%v = memref.atomic_rmw addf %zero, %m[%k] : (f32, memref<?xf32>) -> f32": 1,
    "%w = tensor.extract_slice %t[%k] [2] [1] : tensor<?xf32> to tensor<2xf32>\n"
    "%v = tensor.extract %w[%c0] : tensor<2xf32>": 2,
    "%w = memref.subview %m[%k] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>\n"
    "%v = memref.load %w[%c0] : memref<2xf32, strided<[1], offset: ?>>": 2,
    "%w = memref.reinterpret_cast %m to offset: [%k], sizes: [3], strides: [1] : memref<?xf32> to "
    "memref<3xf32, strided<[1], offset: ?>>\n"
    "%v = memref.load %w[%c0] : memref<3xf32, strided<[1], offset: ?>>": 3,
}
AROUND = ("for", "affine", "if", "while", "linalg", "generic")


def _nest(kinds: list[str], op: str, depth: int) -> str:
    """Lines that give %r<depth>, from %r<depth - 1>."""
    before, after, inner = f"%s{depth}", f"%r{depth}", f"%a{depth}"
    if depth == len(kinds):
        return f"{op}\n{after} = arith.addf {before}, %v : f32"
    body = _nest(kinds, op, depth + 1).replace(f"%s{depth + 1}", inner)
    end, i = f"%r{depth + 1}", f"%i{depth}"
    if kinds[depth] == "for":
        return (
            f"{after} = scf.for {i} = %c0 to %n step %c1 iter_args({inner} = {before}) -> f32 {{\n"
            f"{body}\nscf.yield {end} : f32\n}}"
        )
    if kinds[depth] == "affine":
        return (
            f"{after} = affine.for {i} = 0 to %n iter_args({inner} = {before}) -> f32 {{\n"
            f"{body}\naffine.yield {end} : f32\n}}"
        )
    if kinds[depth] == "if":
        body = body.replace(inner, before)
        return (
            f"{after} = scf.if %b -> f32 {{\n{body}\nscf.yield {end} : f32\n}} else {{\n"
            f"scf.yield {before} : f32\n}}"
        )
    if kinds[depth] == "while":
        return (
            f"{after}, {i}e = scf.while ({inner}b = {before}, {i} = %c0) : (f32, index) -> "
            f"(f32, index) {{\n{i}c = arith.cmpi slt, {i}, %n : index\n"
            f"scf.condition({i}c) {inner}b, {i} : f32, index\n}} do {{\n"
            f"^bb0({inner}: f32, {i}f: index):\n{body}\n"
            f"{i}n = arith.addi {i}f, %c1 : index\nscf.yield {end}, {i}n : f32, index\n}}"
        )
    t, from_ = f"%t{depth}", f"%f{depth}"
    head = f"{from_} = tensor.from_elements {before} : tensor<f32>\n"
    tail = f"\n{after} = tensor.extract {t}[] : tensor<f32>"
    if kinds[depth] == "linalg":
        return (
            head
            + (
                f"{t} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, "
                f'affine_map<(d0) -> ()>], iterator_types = ["reduction"]}} '
                f"ins(%p : tensor<?xf32>) outs({from_} : tensor<f32>) {{\n"
                f"^bb0({i}x: f32, {inner}: f32):\n{body}\n"
                f"linalg.yield {end} : f32\n}} -> tensor<f32>"
            )
            + tail
        )
    return (
        head
        + (
            f"{t} = gs.generic (d0) ins(%p[d0]) outs({from_}[]) iterators(d0 = reduction) : "
            f"(tensor<?xf32>, tensor<f32>) -> tensor<f32> {{\n"
            f"^bb0({i}x: f32, {inner}: f32):\n{body}\ngs.yield {end} : f32\n}}"
        )
        + tail
    )


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    rng = np.random.default_rng([seed, number])

    def one_of(options: tuple) -> object:
        return options[int(rng.integers(len(options)))]

    op, needed = list(OPS.items())[int(rng.integers(len(OPS)))]
    place, count = int(one_of(CONSTANTS)), int(one_of((0, 1, 2)))
    kinds = [str(one_of(AROUND)) for _ in range(int(rng.integers(1, 4)))]
    in_body = [kind in ("linalg", "generic") for kind in kinds]
    if any(in_body):
        # Bodies hold elements of tensors, in no other nest.
        kinds = kinds[: in_body.index(True) + 1]
        op, needed = next(iter(OPS.items()))
    branch = bool(rng.integers(2))
    lines = _nest(kinds, op.format(place), 0).replace("%s0", "%zero")
    types = "%t: tensor<?xf32>, %m: memref<?xf32>, %p: tensor<?xf32>, %n: index, %b: i1"
    text = f"""func.func @f({types}) -> f32 {{
%k = arith.constant {place} : index
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%zero = arith.constant 0.0 : f32
{lines}
return %r0 : f32
}}"""
    steps = 1
    for kind in kinds:
        steps *= int(branch) if kind == "if" else count
    array = np.arange(SIZE, dtype=np.float32) + 1
    is_met = steps > 0 and not 0 <= place <= SIZE - needed
    given = [array, array.copy(), np.ones(count, np.float32), count, np.bool_(branch)]
    try:
        found = compile(text, threads=1 + number % 2)(*given)
    except (ValueError, CompileError) as error:
        # A negative constant is out of bounds whatever the size is, and refused where it is met.
        fits = is_met and ("must be at" in str(error))
        in_generic = kinds[-1] == "generic" and place < 0 and "must be at" in str(error)
        return "" if fits or in_generic else f"{error}\n{text}"
    if is_met:
        return f"gives {found}, has no place {place}\n{text}"
    wanted = steps * array[place] if steps else 0.0
    return "" if float(found) == wanted else f"gives {found}, expected {wanted}\n{text}"


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "programs of constant places", "wrong"))
