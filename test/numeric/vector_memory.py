"""Programs that move one vector from memory to memory, by each pair of vector ops, against NumPy.

python test/numeric/vector_memory.py --programs 2000 --seed 0
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs import execution

LANES, SIZE = 8, 16

READS = {
    "vector.load": "vector.load %from[{at}] : {memref}, {vector}",
    "affine.vector_load": "affine.vector_load %from[{at}] : {memref}, {vector}",
    "vector.maskedload": "vector.maskedload %from[{at}], %mask, %pass : {memref}, vector<8xi1>, "
    "{vector} into {vector}",
    "vector.expandload": "vector.expandload %from[{at}], %mask, %pass : {memref}, vector<8xi1>, "
    "{vector} into {vector}",
    "vector.gather": "vector.gather %from[{at}][%lanes], %mask, %pass : {memref}, vector<8xi32>, "
    "vector<8xi1>, {vector} into {vector}",
    "vector.transfer_read": "vector.transfer_read %from[{at}], %pad, %mask : {memref}, {vector}",
}
WRITES = {
    "vector.store": "vector.store %v, %to[{at}] : {memref}, {vector}",
    "affine.vector_store": "affine.vector_store %v, %to[{at}] : {memref}, {vector}",
    "vector.maskedstore": "vector.maskedstore %to[{at}], %mask, %v : {memref}, vector<8xi1>, "
    "{vector}",
    "vector.compressstore": "vector.compressstore %to[{at}], %mask, %v : {memref}, vector<8xi1>, "
    "{vector}",
    "vector.scatter": "vector.scatter %to[{at}][%lanes], %mask, %v : {memref}, vector<8xi32>, "
    "vector<8xi1>, {vector}",
    "vector.transfer_write": "vector.transfer_write %v, %to[{at}], %mask : {vector}, {memref}",
}
ELEMENTS: dict[str, Any] = {
    "i1": np.bool_,
    "i2": ml_dtypes.int2,
    "i4": ml_dtypes.uint4,
    "si4": ml_dtypes.int4,
    "ui2": ml_dtypes.uint2,
    "i8": np.int8,
    "i16": np.int16,
    "ui32": np.uint32,
    "index": np.int64,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "bf16": ml_dtypes.bfloat16,
    "f64": np.float64,
}
"""Element types that arrays have; of `ODD` only memory has that a program allocates."""
ODD = ("i3", "i7", "i24", "i33", "i63")


@dataclass(frozen=True)
class Program:
    """A vector is read by one op and written by another, at places of memrefs of the same rank;
    with `strided`, of every second row of larger ones."""

    element: str
    read: str
    write: str
    rank: int
    strided: bool
    source: int
    target: int

    @property
    def shape(self) -> tuple[int, ...]:
        return (3,) * (self.rank - 1) + (SIZE,)

    def text(self) -> str:
        size = "x".join(map(str, self.shape))
        bits = "i64" if self.element in ODD else self.element
        views, memref = "", f"memref<{size}x{self.element}>"
        names = {"from": "%x", "to": "%o"}
        if self.element in ODD:
            for name, argument in list(names.items()):
                views += _copied(argument, f"%{name}_odd", size, self.rank, self.element)
                names[name] = f"%{name}_odd"
            views += "".join(
                _copied("%q", "%q_odd", str(LANES), 1, self.element),
            )
        if self.strided:
            rest = ", ".join(["0"] * (self.rank - 1) + ["1"])
            half = ", ".join(["3"] * (self.rank - 1) + [str(SIZE - 1)])
            ones = ", ".join(["1"] * self.rank)
            strides = ", ".join(str(SIZE * 3**d) for d in reversed(range(self.rank - 1)))
            strides = f"{strides}, 1" if strides else "1"
            kept = "x".join(["3"] * (self.rank - 1) + [str(SIZE - 1)])
            view = f"memref<{kept}x{self.element}, strided<[{strides}], offset: 1>>"
            for name, whole in names.items():
                views += f"  %{name} = memref.subview {whole}[{rest}] [{half}] [{ones}] : "
                views += f"{memref} to {view}\n"
            memref = view
        for name, whole in names.items() if not self.strided else ():
            views += f"  %{name} = memref.cast {whole} : {memref} to {memref}\n"
        outer = ["%c1"] * (self.rank - 1)
        fields = {"memref": memref, "vector": f"vector<{LANES}x{self.element}>"}
        read = READS[self.read].format(at=", ".join([*outer, "%source"]), **fields)
        write = WRITES[self.write].format(at=", ".join([*outer, "%target"]), **fields)
        given = "%q_odd" if self.element in ODD else "%q"
        back = _back("%to_odd", "%o", self.rank, self.element) if self.element in ODD else ""
        return f"""
func.func @f(%x: memref<{size}x{bits}>, %o: memref<{size}x{bits}>, %m: memref<8xi1>,
    %i: memref<8xi32>, %q: memref<8x{bits}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %source = arith.constant {self.source} : index
  %target = arith.constant {self.target} : index
{views}  %mask = vector.load %m[%c0] : memref<8xi1>, vector<8xi1>
  %lanes = vector.load %i[%c0] : memref<8xi32>, vector<8xi32>
  %pass = vector.load {given}[%c0] : memref<8x{self.element}>, vector<8x{self.element}>
  %pad = memref.load {given}[%c0] : memref<8x{self.element}>
  %v = {read}
  {write}
{back}  return
}}"""

    def expected(self, x: Any, o: Any, mask: Any, lanes: Any, given: Any) -> Any:
        """What `o` holds then."""
        row = (1,) * (self.rank - 1)
        start = int(self.strided)
        source, target = x[row][start:], o.copy()
        places, found = np.arange(LANES) + self.source, given.copy()
        if self.read == "vector.gather":
            places = lanes + self.source
        if self.read == "vector.expandload":
            found[mask] = source[self.source :][: mask.sum()]
        elif self.read in ("vector.load", "affine.vector_load"):
            found = source[places]
        else:
            if self.read == "vector.transfer_read":
                found[:] = given[0]
            is_read = mask & (places < len(source))
            found[is_read] = source[places[is_read]]
        out = target[row][start:]
        places = np.arange(LANES) + self.target
        if self.write == "vector.scatter":
            places = lanes + self.target
        if self.write == "vector.compressstore":
            out[self.target :][: mask.sum()] = found[mask]
        elif self.write in ("vector.store", "affine.vector_store"):
            out[places] = found
        else:
            is_written = mask & (places < len(out))
            out[places[is_written]] = found[is_written]
        return target


def _loops(rank: int, body: str) -> str:
    """`body` at all places of a memref, which are `%d0`, `%d1` and so on."""
    ends = ["%c3"] * (rank - 1) + ["%c16" if rank else ""]
    heads = [f"  scf.for %d{d} = %c0 to {end} step %c1 {{\n" for d, end in enumerate(ends)]
    return "".join(heads) + body + "  }\n" * rank


def _copied(source: str, name: str, size: str, rank: int, element: str) -> str:
    at = ", ".join(f"%d{d}" for d in range(rank))
    body = f"""    %a = memref.load {source}[{at}] : memref<{size}xi64>
    %b = arith.trunci %a : i64 to {element}
    memref.store %b, {name}[{at}] : memref<{size}x{element}>
"""
    made = _loops(rank, body)
    if size == str(LANES):
        made = made.replace("%c16", "%c8")
    return f"  {name} = memref.alloc() : memref<{size}x{element}>\n{made}"


def _back(source: str, name: str, rank: int, element: str) -> str:
    size = "x".join(["3"] * (rank - 1) + [str(SIZE)])
    at = ", ".join(f"%d{d}" for d in range(rank))
    body = f"""    %a = memref.load {source}[{at}] : memref<{size}x{element}>
    %b = arith.extsi %a : {element} to i64
    memref.store %b, {name}[{at}] : memref<{size}xi64>
"""
    return _loops(rank, body)


def draw(rng: random.Random, element: str, read: str, write: str) -> Program:
    """A program of these ops; transfers may leave the memory."""
    strided = rng.random() < 0.4
    most = SIZE - LANES - 1
    source = rng.randint(0, most + (5 if read == "vector.transfer_read" else 0))
    target = rng.randint(0, most + (5 if write == "vector.transfer_write" else 0))
    return Program(element, read, write, rng.randint(1, 3), strided, source, target)


def arrays(program: Program, rng: np.random.Generator) -> list[Any]:
    """What it takes."""
    mask, lanes = rng.random(LANES) < 0.6, rng.permutation(LANES).astype(np.int32)
    shapes = (program.shape, program.shape, (LANES,))
    if program.element in ODD:
        width = int(program.element[1:])
        most = 1 << (width - 1)
        x, o, q = (rng.integers(-most, most, shape) for shape in shapes)
    else:
        dtype = np.dtype(ELEMENTS[program.element])
        codes = 1 << min(_width(program.element), 62)
        unsigned = np.dtype(f"u{dtype.itemsize}")
        x, o, q = (rng.integers(0, codes, s).astype(unsigned).view(dtype) for s in shapes)
    return [x, o, mask, lanes, q]


def _width(element: str) -> int:
    return 64 if element == "index" else int(element.lstrip("suibf").partition("E")[0])


def check(program: Program, rng: np.random.Generator) -> str:
    """Empty where the compiled program does what NumPy does."""
    x, o, mask, lanes, q = arrays(program, rng)
    wanted = program.expected(x, o, mask, lanes, q)
    execution.compile(program.text())(x, o, mask, lanes, q)
    found, wanted = o.view(np.uint8), wanted.view(np.uint8)
    if program.element not in ODD and o.dtype.itemsize == 1:
        # Above the bits of a narrow element a byte may have any.
        bits = np.uint8((1 << _width(program.element)) - 1)
        found, wanted = found & bits, wanted & bits
    return "" if np.array_equal(found, wanted) else f"{program}: {found} for {wanted}"


def programs(count: int, seed: int) -> list[Program]:
    """All element types first with all ops."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        elements = [*ELEMENTS, *ODD]
        rng.shuffle(elements)
        for element in elements:
            found.append(draw(rng, element, rng.choice([*READS]), rng.choice([*WRITES])))
    return found[:count]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    wrong = 0
    for program in programs(options.programs, options.seed):
        told = check(program, rng)
        if told:
            wrong += 1
            print(told)
    print(f"{options.programs} programs, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
