"""A function under construction: what the random chains of rewrite_programs.py are made with."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from draw import Draw, chance
from elements import DTYPES
from program import tensor_type

ELEMENTS = ("f32", "i32")
COORDINATES = ("index", "i64", "i32")
UNARY = {"f32": ("arith.negf", "math.absf"), "i32": ("math.absi",)}
BINARY = {
    "f32": ("arith.addf", "arith.mulf", "arith.subf", "arith.maximumf"),
    "i32": ("arith.addi", "arith.muli", "arith.subi", "arith.maxsi"),
}
SUM = {"f32": "arith.addf", "i32": "arith.addi"}
LARGEST = 400


@dataclass(frozen=True)
class Tensor:
    """An SSA value whose concrete shape is known; `dynamic` says which sizes its type omits."""

    name: str
    shape: tuple[int, ...]
    element: str
    dynamic: tuple[bool, ...]

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.element, self.dynamic)


@dataclass
class Chain:
    """A function under construction."""

    draw: Draw
    rng: np.random.Generator
    lines: list[str] = field(default_factory=list)
    arguments: list[tuple[Tensor, np.ndarray]] = field(default_factory=list)
    values: list[Tensor] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def flags(self, rank: int) -> tuple[bool, ...]:
        return tuple(chance(self.draw, 3) for _ in range(rank))

    def argument(self, array: np.ndarray, element: str, flags: Sequence[bool]) -> Tensor:
        tensor = Tensor(f"%a{len(self.arguments)}", array.shape, element, tuple(flags))
        self.arguments.append((tensor, array))
        return tensor

    def data(self, shape: Sequence[int], element: str, flags: Sequence[bool]) -> Tensor:
        array = self.rng.integers(-9, 10, shape)
        if element == "f32":
            array = array * self.rng.choice([0.1, 1.0, 1e7], shape)
        return self.argument(np.asarray(array).astype(DTYPES[element]), element, flags)

    def value(self, most: int = 8, least: int = 0) -> Tensor:
        """A value of the chain, mostly the latest; a new argument if none has such a rank."""
        found = [v for v in self.values if least <= v.rank <= most]
        if found and not chance(self.draw, 6):
            return found[-1] if not chance(self.draw, 4) else self.draw.choice(found)
        rank = self.draw.integer(max(least, 1), max(least, min(most, 3)))
        shape = tuple(self.draw.integer(1, 5) for _ in range(rank))
        return self.data(shape, self.draw.choice(ELEMENTS), self.flags(rank))

    def emit(self, tensor: Tensor, text: str) -> Tensor:
        self.lines.append(f"  {tensor.name} = {text}")
        self.values.append(tensor)
        return tensor

    def like(self, shape: Sequence[int], element: str, dynamic: Sequence[bool]) -> Tensor:
        return Tensor(self.name(), tuple(shape), element, tuple(dynamic))

    def empty(self, tensor: Tensor, sizes: dict[int, tuple[Tensor, int]]) -> Tensor:
        """`tensor.empty` like `tensor`; `sizes` says which value's dimension a dynamic one is."""
        names = []
        for position, flag in enumerate(tensor.dynamic):
            if flag:
                source, at = sizes[position]
                constant, size = self.name(), self.name()
                self.lines.append(f"  {constant} = arith.constant {at} : index")
                self.lines.append(
                    f"  {size} = tensor.dim {source.name}, {constant} : {source.type}"
                )
                names.append(size)
        out = self.like(tensor.shape, tensor.element, tensor.dynamic)
        self.lines.append(f"  {out.name} = tensor.empty({', '.join(names)}) : {out.type}")
        return out


def coordinates(
    chain: Chain,
    shape: tuple[int, ...],
    sizes: Sequence[int],
    mode: str,
    wrap: bool,
    last: bool,
    batch: int = 0,
) -> tuple[Tensor, bool]:
    """Coordinates into dimensions of `sizes`, and whether no tuple of them comes twice."""
    element = chain.draw.choice(COORDINATES)
    columns = []
    for size in sizes:
        low, high = (-size if wrap else 0), size
        if mode in ("clip", "fill", "drop") or (mode == "error" and chance(chain.draw, 6)):
            low, high = low - 1, high + 1
        columns.append(chain.rng.integers(low, high, shape))
    array = np.stack(columns, -1) if last else columns[0]
    flags = chain.flags(len(shape)) + ((False,) if last else ())
    flat = array.reshape(-1, len(sizes)) % np.array(sizes)
    inside = mode in ("promise_in_bounds", "error")
    distinct = inside and len(np.unique(flat, axis=0)) == len(flat)
    if chance(chain.draw, 5):
        if chance(chain.draw, 2):  # evenly spaced, where that is in bounds
            count = array.shape[batch]
            run = np.arange(count).reshape((-1,) + (1,) * (array.ndim - 1 - batch))
            run = np.broadcast_to(run, array.shape)
            if len(sizes) == 1 and count <= sizes[0]:
                array, distinct = run, array.size == count
                if chance(chain.draw, 3):
                    array = sizes[0] - 1 - run
        tensor = Tensor(chain.name(), array.shape, element, (False,) * array.ndim)
        chain.lines.append(
            f"  {tensor.name} = arith.constant dense<{array.tolist()}> : {tensor.type}"
        )
        return tensor, distinct
    tensor = chain.argument(array.astype(DTYPES[element]), element, flags)
    if chain.draw.integer(0, 3) == 0:
        tensor = _moved_coordinates(chain, tensor)
    return tensor, distinct


def _moved_coordinates(chain: Chain, tensor: Tensor) -> Tensor:
    """The coordinates through a cast, through arithmetic or through a gather of coordinates."""
    if chance(chain.draw, 3):
        one, more = chain.name(), chain.like(tensor.shape, tensor.element, (False,) * tensor.rank)
        same = chain.like(tensor.shape, tensor.element, (False,) * tensor.rank)
        static = tensor
        if any(tensor.dynamic):
            static = chain.like(tensor.shape, tensor.element, (False,) * tensor.rank)
            chain.lines.append(
                f"  {static.name} = tensor.cast {tensor.name} : {tensor.type} to {static.type}"
            )
        chain.lines += [
            f"  {one} = arith.constant dense<1> : {more.type}",
            f"  {more.name} = arith.addi {static.name}, {one} : {more.type}",
            f"  {same.name} = arith.subi {more.name}, {one} : {more.type}",
        ]
        return same
    if tensor.element == "i32" and chance(chain.draw, 2):
        wide = chain.like(tensor.shape, "i64", tensor.dynamic)
        chain.lines.append(
            f"  {wide.name} = arith.extsi {tensor.name} : {tensor.type} to {wide.type}"
        )
        return wide
    order = chain.rng.permutation(tensor.shape[0]).reshape(-1, 1)
    through = chain.argument(order.astype(np.int64), "i64", (tensor.dynamic[0], False))
    out = chain.like(tensor.shape, tensor.element, tensor.dynamic)
    chain.lines.append(
        f'  {out.name} = "gs.gather"({tensor.name}, {through.name}) '
        f"{{gather_dims = array<i64: 0>}} : ({tensor.type}, {through.type}) -> {out.type}"
    )
    return out
