"""Programs of gs.generic: the text of one, and what NumPy says of it on whole index grids."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

import numpy as np
from combiners import Combiner, combiners_of
from elements import COMPLEX, DTYPES, FLOATS, constant_text
from program import Program, jax_fill, tensor_type

Shape = tuple[int, ...]
SLOTS = (8, 8, 4)


@dataclass(frozen=True)
class Expr:
    """symbol + sum(factors[j] * d_j) + constant, divided by `divisor` and rounded down."""

    symbol: int | None = None
    factors: dict[int, int] = field(default_factory=dict)
    constant: int = 0
    divisor: int = 1

    @property
    def plain(self) -> int | None:
        """j if the expression is d_j."""
        if self.symbol is not None or self.constant or self.divisor != 1:
            return None
        return next(iter(self.factors)) if list(self.factors.values()) == [1] else None

    def text(self) -> str:
        terms = [f"d{j} * {n}" if n != 1 else f"d{j}" for j, n in self.factors.items()]
        if self.symbol is not None:
            terms.insert(0, f"s{self.symbol}")
        if self.constant or not terms:
            terms.append(str(self.constant))
        total = " + ".join(terms)
        return f"({total}) floordiv {self.divisor}" if self.divisor != 1 else total

    def value(self, d: np.ndarray, s: Sequence[np.ndarray]) -> np.ndarray:
        total = np.full(d.shape[1:], self.constant)
        for j, n in self.factors.items():
            total = total + n * d[j]
        if self.symbol is not None:
            total = total + s[self.symbol]
        return total // self.divisor

    def reach(self, extents: Shape) -> tuple[int, int]:
        """The least and greatest value without the symbol, over a box that is not empty."""
        ends = [(n * (extents[j] - 1)) for j, n in self.factors.items()]
        low = self.constant + sum(min(end, 0) for end in ends)
        high = self.constant + sum(max(end, 0) for end in ends)
        return low // self.divisor, high // self.divisor


def dim(j: int) -> Expr:
    return Expr(factors={j: 1})


Map = tuple[Expr, ...]


@dataclass(frozen=True)
class Operand:
    """An array, the map(s) that address it, and which of its dims the type leaves open."""

    array: np.ndarray
    maps: tuple[Map, ...]
    dynamic: tuple[bool, ...]


@dataclass(frozen=True)
class Generic:
    """`kind` says on what it works: "tensor" or "memref". `combiners` has one per output: None
    overwrites it with the value that `value` makes of the inputs (see VALUES)."""

    element: str
    coordinate: str
    extents: Shape
    inputs: tuple[Operand, ...]
    indices: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    iterators: tuple[str, ...]
    modes: tuple[str, ...]
    wraps: tuple[bool, ...]
    combiners: tuple[str | None, ...]
    fills: tuple[np.ndarray | None, ...] | None = None
    unique: bool = False
    kind: str = "tensor"
    moves: bool = False

    def label(self) -> str:
        flags = f"{' unique' * self.unique}{' wrap' * any(self.wraps)} {self.kind}"
        return (
            f"{'/'.join(self.modes) or 'no symbol'}{flags} {self.element} {self.coordinate} "
            f"over {list(self.extents)} by {[c or 'overwrite' for c in self.combiners]}"
        )


def value_function(element: str, count: int) -> Combiner | None:
    """How the inputs become one value: none is a constant, one is itself, two are multiplied
    (added where elements are not, or-ed where they are bits)."""
    if count < 2:
        return None
    table = combiners_of(element)
    return table["mul"] if element in FLOATS or element in COMPLEX else table["add"]


def program(g: Generic) -> Program:
    operands = [*g.inputs, *g.indices, *g.outputs]
    arrays = tuple(operand.array for operand in operands)
    written = tuple(range(len(arrays) - len(g.outputs), len(arrays)))
    return Program(
        "gs.generic", g.label(), _text(g), arrays, lambda: spelling(g), g.moves,
        written=written if g.kind == "memref" else (),
    )  # fmt: skip


def _types(g: Generic) -> tuple[list[str], list[str], list[str]]:
    def of(operands: Sequence[Operand], element: str) -> list[str]:
        texts = (tensor_type(o.array.shape, element, o.dynamic) for o in operands)
        return [text.replace("tensor<", f"{g.kind}<", 1) for text in texts]

    return of(g.inputs, g.element), of(g.indices, g.coordinate), of(g.outputs, g.element)


def _map_text(g: Generic, results: Map) -> str:
    dims = ", ".join(f"d{j}" for j in range(len(g.extents)))
    count = sum(len(operand.maps) for operand in g.indices)
    symbols = f"[{', '.join(f's{k}' for k in range(count))}]" if count else ""
    return f"affine_map<({dims}){symbols} -> ({', '.join(e.text() for e in results)})>"


def _body(g: Generic) -> str:
    inputs = [f"%i{n}" for n in range(len(g.inputs))]
    current = [f"%o{n}" for n in range(len(g.outputs))]
    arguments = ", ".join(f"{name}: {g.element}" for name in (*inputs, *current))
    lines, value = _value_lines(g, inputs)
    yielded = []
    for n, name in enumerate(g.combiners):
        if name is None:
            yielded.append(value)
            continue
        combiner = combiners_of(g.element)[name]
        body, result = combiner.ops(g.element, current[n], value, f"c{n}_")
        lines += body
        yielded.append(result)
    types = ", ".join([g.element] * len(yielded))
    text = "".join(f"    {line}\n" for line in lines)
    return f'  ^bb0({arguments}):\n{text}    "gs.yield"({", ".join(yielded)}) : ({types}) -> ()\n'


def _value_lines(g: Generic, inputs: Sequence[str]) -> tuple[list[str], str]:
    function = value_function(g.element, len(inputs))
    if function is not None:
        return function.ops(g.element, inputs[0], inputs[1], "v_")
    if inputs:
        return [], inputs[0]
    constant = constant_text(one(g.element), g.element)
    if g.element in COMPLEX:
        return [f"%one = complex.constant {constant} : {g.element}"], "%one"
    if g.element[0] in "us":
        signless = "i" + g.element.lstrip("usi")
        return [
            f"%bits = arith.constant 1 : {signless}",
            f"%one = builtin.unrealized_conversion_cast %bits : {signless} to {g.element}",
        ], "%one"
    return [f"%one = arith.constant {constant}"], "%one"


def one(element: str) -> np.ndarray:
    return np.array(1).astype(DTYPES[element])


def _text(g: Generic) -> str:
    inputs, indices, outputs = _types(g)
    types = [*inputs, *indices, *outputs]
    names = [f"%a{n}" for n in range(len(types))]
    taken = []
    for count, most in zip(map(len, (inputs, indices, outputs)), SLOTS, strict=True):
        taken += [1] * count + [0] * (most - count)
    results = len(outputs) if g.kind == "tensor" else 0
    maps = [_map_text(g, operand.maps[0]) for operand in (*g.inputs, *g.outputs)]
    loads = ["[" + ", ".join(_map_text(g, m) for m in operand.maps) + "]" for operand in g.indices]
    attributes = [
        f"indexing_maps = [{', '.join(maps)}]",
        f"coordinate_maps = [{', '.join(loads)}]",
        "iterator_types = [" + ", ".join(f'"{kind}"' for kind in g.iterators) + "]",
        f"operandSegmentSizes = array<i32: {', '.join(map(str, taken))}>",
        "resultSegmentSizes = array<i32: "
        + ", ".join(map(str, [1] * results + [0] * (SLOTS[2] - results)))
        + ">",
    ]
    if any(mode != "promise_in_bounds" for mode in g.modes):
        attributes.append("modes = [" + ", ".join(f'"{mode}"' for mode in g.modes) + "]")
    if any(g.wraps):
        flags = ", ".join(str(flag).lower() for flag in g.wraps)
        attributes.append(f"wrap_negative = array<i1: {flags}>")
    if g.fills is not None:
        values = ("unit" if f is None else constant_text(f, g.element) for f in g.fills)
        attributes.append(f"fill_values = [{', '.join(values)}]")
    attributes += ["unique"] if g.unique else []
    signature = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    out = ", ".join(outputs) if results else ""
    head = f"%r:{results} = " if results > 1 else "%r = " if results else ""
    returned = ", ".join(f"%r#{n}" for n in range(results)) if results > 1 else "%r"
    return (
        f"func.func @f({signature}) -> ({out}) {{\n"
        f'  {head}"gs.generic"({", ".join(names)}) ({{\n{_body(g)}  }}) {{\n    '
        + ",\n    ".join(attributes)
        + f"}}\n      : ({', '.join(types)}) -> ({out})\n"
        + (f"  return {returned} : {out}\n}}\n" if results else "  return\n}\n")
    )


def spelling(g: Generic) -> tuple[np.ndarray, ...]:
    """The results by index grids over the whole iteration space, and ordered ufunc.at."""
    check_errors(g)
    d = box(g.extents)
    points = d.shape[1]
    s, alive = load(g, d)
    values = []
    fills = g.fills or [None] * len(g.inputs)
    for operand, fill in zip(g.inputs, fills, strict=True):
        where, good = _where(operand.maps[0], d, s, alive, points)
        found = np.empty(points, operand.array.dtype)
        found[...] = jax_fill(g.element) if fill is None else fill
        found[good] = operand.array[tuple(axis[good] for axis in where)]
        values.append(found)
    function = value_function(g.element, len(values))
    if function is not None:
        value = function.apply(values[0], values[1])
    else:
        value = values[0] if values else np.full(points, one(g.element), DTYPES[g.element])
    results = []
    for operand, name in zip(g.outputs, g.combiners, strict=True):
        result = operand.array.copy()
        where, good = _where(operand.maps[0], d, s, alive, points)
        spots = tuple(axis[good] for axis in where)
        # A scalar is written through a view that has a dimension.
        target, spots = (
            (result, spots) if spots else (result.reshape(1), (np.zeros(good.sum(), int),))
        )
        if name is None:
            target[spots] = value[good]
        else:
            with np.errstate(all="ignore"):
                combiners_of(g.element)[name].at(target, spots, value[good])
        results.append(result)
    return tuple(results)


def box(extents: Shape) -> np.ndarray:
    """All points of the iteration space in row-major order, a column each."""
    return np.indices(extents).reshape(len(extents), math.prod(extents))


def _where(
    results: Map, d: np.ndarray, s: Sequence[np.ndarray], alive: Sequence[np.ndarray], points: int
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Index arrays of an operand at all points, and where no symbol is filled or dropped."""
    good = np.ones(points, bool)
    for expr in results:
        if expr.symbol is not None:
            good &= alive[expr.symbol]
    return tuple(np.broadcast_to(expr.value(d, s), points) for expr in results), good


def uses(g: Generic, symbol: int) -> list[tuple[Expr, int]]:
    """(expression, size) of each dimension that `symbol` addresses."""
    return [
        (expr, size)
        for operand in (*g.indices, *g.inputs, *g.outputs)
        for results in operand.maps
        for expr, size in zip(results, operand.array.shape, strict=True)
        if expr.symbol == symbol
    ]


def bounds(g: Generic, symbol: int) -> tuple[int, int]:
    """The least and the greatest value of `symbol` for which every window fits."""
    low, high = -(2**62), 2**62
    for expr, size in uses(g, symbol):
        if all(g.extents[j] for j in expr.factors):
            least, greatest = expr.reach(g.extents)
            low, high = max(low, -least), min(high, size - 1 - greatest)
    return low, high


def needed(g: Generic, symbol: int) -> tuple[set[int], set[int]]:
    """The symbols, itself included, and the dims on which the value of `symbol` hangs."""
    maps = [results for operand in g.indices for results in operand.maps]
    symbols, dims, pending = set(), set(), [symbol]
    while pending:
        k = pending.pop()
        symbols.add(k)
        for expr in maps[k]:
            dims |= set(expr.factors)
            pending += [] if expr.symbol is None else [expr.symbol]
    return symbols, dims


def check_errors(g: Generic) -> None:
    """IndexError if a coordinate under mode "error" is out of bounds, read or not."""
    for k, mode in enumerate(g.modes):
        if mode == "error":
            symbols, dims = needed(g, k)
            extents = tuple(n if j in dims else 1 for j, n in enumerate(g.extents))
            load(g, box(extents), symbols)


def load(
    g: Generic, d: np.ndarray, wanted: Container[int] = range(99)
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The symbols at all points, and where they are neither filled nor dropped."""
    points = d.shape[1]
    s: list[np.ndarray] = []
    alive: list[np.ndarray] = []
    for operand in g.indices:
        for results in operand.maps:
            k = len(s)
            c, inside = np.zeros(points, np.int64), np.ones(points, bool)
            if k in wanted:
                c, inside = _coordinates(g, k, results, operand.array, d, s, alive)
            s.append(np.where(inside, c, 0))
            alive.append(inside)
    return s, alive


def _coordinates(
    g: Generic,
    k: int,
    results: Map,
    operand: np.ndarray,
    d: np.ndarray,
    s: Sequence[np.ndarray],
    alive: Sequence[np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """s_k at the points d, and where it is neither filled nor dropped."""
    where, good = _where(results, d, s, alive, d.shape[1])
    c = np.zeros(d.shape[1], np.int64)
    raw = operand[tuple(axis[good] for axis in where)]
    c[good] = (np.minimum(raw, np.uint64(2**62)) if raw.dtype == np.uint64 else raw).astype(
        np.int64
    )
    if g.wraps[k]:
        c = np.where(c < 0, c + min(size for _, size in uses(g, k)), c)
    low, high = bounds(g, k)
    inside = (low <= c) & (c <= high)
    if g.modes[k] == "error" and not inside[good].all():
        raise IndexError
    if g.modes[k] == "clip":
        return np.maximum(np.minimum(c, high), low), good
    return c, inside & good
