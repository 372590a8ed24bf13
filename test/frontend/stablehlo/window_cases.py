"""Random gathers and scatters of StableHLO: every dimension number, as text and as arrays.

A case is drawn from one seed. `Gather` and `Scatter` hold the dimension numbers as StableHLO
names them; `text` is the module, `arguments` what it is called with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

Array = np.ndarray

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
}
INDEX_TYPES = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
COMBINERS = ("overwrite", "keep", "add", "multiply", "minimum", "maximum", "mix")
UNORDERED = ("keep", "add", "minimum", "maximum")


@dataclass(frozen=True)
class Numbers:
    """Dimension numbers with the shapes they are for; the words are those of gather."""

    operand: tuple[int, ...]
    indices: tuple[int, ...]
    moved: tuple[int, ...]
    slice_sizes: tuple[int, ...]
    offset_dims: tuple[int, ...]
    collapsed: tuple[int, ...]
    operand_batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    start_map: tuple[int, ...]
    vector_dim: int

    def listed(self, offset: str, collapsed: str, batching: str, shared: str, start: str) -> str:
        """As the attribute spells them, with these names."""
        parts = [
            f"{name} = {list(dims)}"
            for name, dims in (
                (offset, self.offset_dims),
                (collapsed, self.collapsed),
                (batching, self.operand_batching),
                (shared, self.indices_batching),
                (start, self.start_map),
            )
            if dims
        ]
        return ", ".join([*parts, f"index_vector_dim = {self.vector_dim}"])


@dataclass(frozen=True)
class Case:
    """A program, what it is called with, and what it was drawn as."""

    numbers: Numbers
    text: str
    arguments: list[Array]
    element: str
    combiner: str = ""
    unique: bool = False
    elements: Sequence[str] = field(default_factory=list)


class Draw:
    """Choices from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def below(self, limit: int) -> int:
        return int(self.rng.integers(0, limit))

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def pick(self, options: Sequence[str]) -> str:
        return options[self.below(len(options))]

    def subset(self, items: Sequence[int]) -> list[int]:
        return [item for item in items if self.chance(0.5)]

    def shuffled(self, items: Sequence[int]) -> list[int]:
        return [int(item) for item in self.rng.permutation(np.array(items, np.int64))]

    def size(self, zero: float = 0.03) -> int:
        return 0 if self.chance(zero) else 1 + self.below(5)


def draw_numbers(d: Draw, last_vector_dim: bool = False) -> Numbers:
    """Valid dimension numbers; `last_vector_dim`: as JAX has them."""
    rank = d.below(5)
    operand = [d.size() for _ in range(rank)]
    batching = [dim for dim in range(rank) if d.chance(0.2)]
    rest = [dim for dim in range(rank) if dim not in batching]
    start_map = d.shuffled(d.subset(rest))
    slice_sizes = [1] * rank
    collapsed = []
    for dim in rest:
        # A window of one element has to fit, so an empty dim has an empty window.
        choice = d.below(3)
        largest = operand[dim]
        slice_sizes[dim] = min(1, largest) if choice == 0 else d.below(largest + 1)
        if choice == 1:
            slice_sizes[dim] = largest
        if slice_sizes[dim] == 1 and d.chance(0.6):
            collapsed.append(dim)
    for dim in batching:
        slice_sizes[dim] = min(1, operand[dim])
    # The dims of the indices: shared ones, and free ones as -1.
    free = [-1] * d.below(3)
    leading = [int(kind) for kind in d.rng.permutation(np.array([*batching, *free], np.int64))]
    sizes = [operand[kind] if kind >= 0 else d.size() for kind in leading]
    vector_dim = len(leading) if last_vector_dim else d.below(len(leading) + 1)
    positions = [place if place < vector_dim else place + 1 for place in range(len(leading))]
    indices = [*sizes[:vector_dim], len(start_map), *sizes[vector_dim:]]
    if len(start_map) == 1 and not last_vector_dim and d.chance(0.3):
        # Coordinates without a dim of their own.
        vector_dim, indices, positions = len(leading), list(sizes), list(range(len(leading)))
    windows = [dim for dim in rest if dim not in collapsed]
    moved_rank = len(leading) + len(windows)
    offset_dims = sorted(d.shuffled(range(moved_rank))[: len(windows)])
    moved = [0] * moved_rank
    for place, dim in zip(offset_dims, windows, strict=True):
        moved[place] = slice_sizes[dim]
    others = [place for place in range(moved_rank) if place not in offset_dims]
    for place, known in zip(others, sizes, strict=True):
        moved[place] = known
    shared = {kind: place for place, kind in zip(positions, leading, strict=True)}
    return Numbers(
        tuple(operand), tuple(indices), tuple(moved), tuple(slice_sizes), tuple(offset_dims),
        tuple(collapsed), tuple(batching), tuple(shared[dim] for dim in batching),
        tuple(start_map), vector_dim,
    )  # fmt: skip


def draw_values(d: Draw, element: str, shape: Sequence[int]) -> Array:
    """Small numbers, so that sums and products of a few are exact."""
    if element == "i1":
        return d.rng.integers(0, 2, shape).astype(np.bool_)
    low = 0 if element.startswith("ui") else -4
    return d.rng.integers(low, 5, shape).astype(DTYPES[element])


def index_limits(index_type: str) -> np.iinfo:
    """What indices are drawn from: the interpreter takes unsigned ones for signed."""
    return np.iinfo(DTYPES[index_type.removeprefix("u")])


def draw_indices(d: Draw, n: Numbers, index_type: str, whole: bool) -> Array:
    """Starts in and out of bounds; `whole`: a window is inside, or outside with all of it."""
    limits = index_limits(index_type)
    columns = []
    for dim in n.start_map:
        size, window = n.operand[dim], n.slice_sizes[dim]
        inside = list(range(size - window + 1))
        outside = [-max(window, 1), size, size + 3, limits.max, limits.min]
        partly = [] if whole else [-1, size - window + 1, size - 1]
        options = [*inside, *inside, *inside, *outside, *partly]
        low = 0 if index_type.startswith("u") else limits.min
        options = [v for v in options if low <= v <= limits.max]
        columns.append(options)
    shape = list(n.indices)
    if n.vector_dim < len(shape):
        del shape[n.vector_dim]
    drawn = [d.rng.choice(np.array(options, object), shape) for options in columns]
    if n.vector_dim == len(n.indices):
        return np.asarray(drawn[0]).astype(DTYPES[index_type])
    if not drawn:
        return np.zeros(n.indices, DTYPES[index_type])
    stacked = np.stack([np.asarray(column) for column in drawn], axis=n.vector_dim)
    return stacked.astype(DTYPES[index_type])


def tensor_type(shape: Sequence[int], element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def draw_gather(seed: int) -> Case:
    """`stablehlo.gather`, or dynamic_gather with the sizes of the slices as an argument."""
    d = Draw(seed)
    n, element, index_type = draw_numbers(d), d.pick(list(DTYPES)), d.pick(INDEX_TYPES)
    arguments = [draw_values(d, element, n.operand), draw_indices(d, n, index_type, False)]
    types = [tensor_type(n.operand, element), tensor_type(n.indices, index_type)]
    result = tensor_type(n.moved, element)
    numbers = n.listed(
        "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
        "start_indices_batching_dims", "start_index_map",
    )  # fmt: skip
    attributes = f"dimension_numbers = #stablehlo.gather<{numbers}>"
    if d.chance(0.2):
        name, rank = "dynamic_gather", len(n.operand)
        types.append(tensor_type([rank], "i64"))
        arguments.append(np.array(n.slice_sizes, np.int64).reshape(rank))
    else:
        name = "gather"
        sizes = ", ".join(map(str, n.slice_sizes))
        attributes += f", slice_sizes = array<i64{': ' if sizes else ''}{sizes}>"
    names = ", ".join(f"%a{k}" for k in range(len(types)))
    declared = ", ".join(f"%a{k}: {type_}" for k, type_ in enumerate(types))
    text = f"""
func.func @main({declared}) -> {result} {{
  %r = "stablehlo.{name}"({names}) <{{{attributes}}}> : ({", ".join(types)}) -> {result}
  return %r : {result}
}}"""
    return Case(n, text, arguments, element)


def combiner_text(combiner: str, element: str, current: str, update: str, name: str) -> str:
    """Ops that leave the combined value in `%name`; empty where that is one of the arguments."""
    scalar = f"tensor<{element}>"
    if combiner == "mix":
        # Not symmetric, so that the order of the updates is seen.
        return (
            f"%{name}a = stablehlo.add %{current}, %{current} : {scalar}\n"
            f"    %{name} = stablehlo.add %{name}a, %{update} : {scalar}"
        )
    return f"%{name} = stablehlo.{combiner} %{current}, %{update} : {scalar}"


def draw_scatter(seed: int) -> Case:
    """`stablehlo.scatter` of one to three operands, each combined by itself or with the next."""
    d = Draw(seed)
    n, index_type = draw_numbers(d), d.pick(INDEX_TYPES)
    count = 1 + (d.below(3) if d.chance(0.3) else 0)
    elements = [d.pick(list(DTYPES)) for _ in range(count)]
    # The interpreter writes overlapping windows in another order than XLA.
    overlap = any(n.slice_sizes[dim] > 1 for dim in n.start_map)
    entwined = count > 1 and d.chance(0.5) and not overlap
    if entwined:
        elements = [elements[0]] * count
    operands = [draw_values(d, element, n.operand) for element in elements]
    updates = [draw_values(d, element, n.moved) for element in elements]
    arguments = [*operands, draw_indices(d, n, index_type, True), *updates]
    types = [
        *(tensor_type(n.operand, element) for element in elements),
        tensor_type(n.indices, index_type),
        *(tensor_type(n.moved, element) for element in elements),
    ]
    results = types[:count]
    combiners = [d.pick(UNORDERED if overlap else COMBINERS) for _ in range(count)]
    lines, returned = [], []
    for k, (combiner, element) in enumerate(zip(combiners, elements, strict=True)):
        if combiner == "overwrite":
            returned.append(f"%u{k}")
        elif combiner == "keep":
            returned.append(f"%c{k}")
        else:
            other = (k + 1) % count if entwined else k
            lines.append(combiner_text(combiner, element, f"c{other}", f"u{k}", f"r{k}"))
            returned.append(f"%r{k}")
    scalars = [f"tensor<{element}>" for element in elements]
    block = ", ".join(f"%{name}{k}: {type_}" for name in "cu" for k, type_ in enumerate(scalars))
    body = "\n    ".join([*lines, f"stablehlo.return {', '.join(returned)} : {', '.join(scalars)}"])
    numbers = n.listed(
        "update_window_dims", "inserted_window_dims", "input_batching_dims",
        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
    )  # fmt: skip
    declared = ", ".join(f"%a{k}: {type_}" for k, type_ in enumerate(types))
    names = ", ".join(f"%a{k}" for k in range(len(types)))
    left = f"%r:{count}" if count > 1 else "%r"
    given = ", ".join(f"%r#{k}" for k in range(count)) if count > 1 else "%r"
    text = f"""
func.func @main({declared}) -> ({", ".join(results)}) {{
  {left} = "stablehlo.scatter"({names})
      <{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> ({{
  ^bb0({block}):
    {body}
  }}) : ({", ".join(types)}) -> ({", ".join(results)})
  return {given} : {", ".join(results)}
}}"""
    return Case(n, text, arguments, elements[0], combiners[0], elements=elements)


def draw_slices(seed: int) -> Case:
    """`stablehlo.slice`, dynamic_slice or dynamic_update_slice."""
    d = Draw(seed)
    rank, element = d.below(5), d.pick(list(DTYPES))
    operand = [d.size() for _ in range(rank)]
    sizes = [size if d.chance(0.4) else d.below(size + 1) for size in operand]
    arguments = [draw_values(d, element, operand)]
    types = [tensor_type(operand, element)]
    kind = d.below(3)
    if kind == 0:
        starts = [d.below(size - window + 1) for size, window in zip(operand, sizes, strict=True)]
        strides = [1 + d.below(3) for _ in range(rank)]
        counts = [-(-window // step) for window, step in zip(sizes, strides, strict=True)]
        bounds = ", ".join(
            f"{start}:{start + window}:{step}"
            for start, window, step in zip(starts, sizes, strides, strict=True)
        )
        result = tensor_type(counts, element)
        op = f"stablehlo.slice %a0 [{bounds}] : ({types[0]}) -> {result}"
    else:
        if kind == 2:
            arguments.append(draw_values(d, element, sizes))
            types.append(tensor_type(sizes, element))
        index_type = d.pick(INDEX_TYPES)
        limits = index_limits(index_type)
        for size in operand:
            options = [0, size, d.below(size + 2), -1, limits.max, limits.min]
            value = options[d.below(len(options))]
            low = 0 if index_type.startswith("u") else limits.min
            arguments.append(np.array(max(value, low), DTYPES[index_type]))
            types.append(f"tensor<{index_type}>")
        names = ", ".join(f"%a{k}" for k in range(len(types)))
        result = types[0] if kind == 2 else tensor_type(sizes, element)
        name = "dynamic_update_slice" if kind == 2 else "dynamic_slice"
        listed = ", ".join(map(str, sizes))
        attribute = (
            "" if kind == 2 else f"<{{slice_sizes = array<i64{': ' if sizes else ''}{listed}>}}>"
        )
        op = f'"stablehlo.{name}"({names}) {attribute} : ({", ".join(types)}) -> {result}'
    declared = ", ".join(f"%a{k}: {type_}" for k, type_ in enumerate(types))
    text = f"""
func.func @main({declared}) -> {result} {{
  %r = {op}
  return %r : {result}
}}"""
    numbers = Numbers(tuple(operand), (), (), tuple(sizes), (), (), (), (), (), 0)
    return Case(numbers, text, arguments, element)


DRAWS = {"gather": draw_gather, "scatter": draw_scatter, "slices": draw_slices}
