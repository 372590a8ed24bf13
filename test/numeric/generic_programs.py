"""Programs of gs.generic: the text of one, and what NumPy says of it on whole index grids."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

import numpy as np
from elements import constant_text
from generic_bodies import Bodies, one
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
    """`kind` says on what it works: "tensor" or "memref". `combiners` and `sources` have one per
    output, see `generic_bodies`; no sources: all take the inputs. `filled`: outputs are filled with
    ones before; `constants`: the coordinates are constants of the program."""

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
    sorted: bool = False
    kind: str = "tensor"
    moves: bool = False
    sources: tuple[str, ...] = ()
    outside: np.ndarray | None = None
    filled: bool = False
    constants: bool = False

    @property
    def bodies(self) -> Bodies:
        sources = self.sources or ("inputs",) * len(self.outputs)
        return Bodies(self.element, len(self.inputs), self.combiners, sources)

    def label(self) -> str:
        names = [n for n in ("unique", "sorted", "filled", "constants") if getattr(self, n)]
        names += ["wrap"] if any(self.wraps) else []
        flags = "".join(f" {name}" for name in (*names, self.kind))
        return (
            f"{'/'.join(self.modes) or 'no symbol'}{flags} {self.element} {self.coordinate} "
            f"over {list(self.extents)} by {[c or 'overwrite' for c in self.combiners]} "
            f"of {list(self.bodies.sources)}"
        )


def program(g: Generic) -> Program:
    given = [*g.inputs, *(() if g.constants else g.indices), *g.outputs]
    arrays = tuple(operand.array for operand in given)
    written = tuple(range(len(arrays) - len(g.outputs), len(arrays)))
    arrays += () if g.outside is None else (g.outside,)
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
    attributes += [name for name in ("unique", "sorted") if getattr(g, name)]
    arguments = dict(zip(names, types, strict=True))
    before = _before(g, names, arguments)
    signature = ", ".join(f"{name}: {type_}" for name, type_ in arguments.items())
    out = ", ".join(outputs) if results else ""
    head = f"%r:{results} = " if results > 1 else "%r = " if results else ""
    returned = ", ".join(f"%r#{n}" for n in range(results)) if results > 1 else "%r"
    return (
        f"func.func @f({signature}) -> ({out}) {{\n{before}"
        f'  {head}"gs.generic"({", ".join(names)}) ({{\n{g.bodies.text()}  }}) {{\n    '
        + ",\n    ".join(attributes)
        + f"}}\n      : ({', '.join(types)}) -> ({out})\n"
        + (f"  return {returned} : {out}\n}}\n" if results else "  return\n}\n")
    )


def _before(g: Generic, names: list[str], arguments: dict[str, str]) -> str:
    """The ops before that one, and changes to its operands and the arguments of the function."""
    lines = []
    if g.outside is not None:
        arguments["%outside_one"] = f"{g.kind}<{g.element}>"
        load = {"tensor": "tensor.extract", "memref": "memref.load"}[g.kind]
        lines.append(f"%outside = {load} %outside_one[] : {g.kind}<{g.element}>")
    if g.constants:
        for n, operand in enumerate(g.indices, len(g.inputs)):
            type_ = arguments.pop(names[n])
            values = operand.array.astype(object).tolist() if operand.array.size else ""
            lines.append(f"{names[n]} = arith.constant dense<{values}> : {type_}")
    if g.filled:
        lines.append(f"%begin = arith.constant {constant_text(one(g.element), g.element)}")
        for n in range(len(names) - len(g.outputs), len(names)):
            type_, name = arguments[names[n]], f"%filled{n}"
            filled = f"{name} = " if g.kind == "tensor" else ""
            result = f" -> {type_}" if g.kind == "tensor" else ""
            lines.append(
                f"{filled}linalg.fill ins(%begin : {g.element}) outs({names[n]} : {type_}){result}"
            )
            names[n] = name if g.kind == "tensor" else names[n]
    return "".join(f"  {line}\n" for line in lines)


def can_be_filled(element: str) -> bool:
    """arith has constants of the kind."""
    return not element.startswith(("complex", "u", "s"))


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
    results, spots, fine = [], [], []
    for operand in g.outputs:
        result = np.full_like(operand.array, one(g.element)) if g.filled else operand.array.copy()
        where, good = _where(operand.maps[0], d, s, alive, points)
        results.append(result)
        # A scalar is written through a view that has a dimension.
        spots.append(where or (np.zeros(points, int),))
        fine.append(good)
    targets = [result if result.ndim else result.reshape(1) for result in results]
    g.bodies.apply(values, targets, spots, fine, g.outside)
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


def ascends(g: Generic) -> bool:
    """What `sorted` promises holds: of coordinates as they stand there, in row-major order."""
    d = box(g.extents)
    try:
        check_errors(g)
        s, alive = load(g, d)
    except IndexError:
        return False
    through = [
        [o.maps[0] for o in operands if any(e.symbol is not None for e in o.maps[0])]
        for operands in (g.outputs, g.inputs)
    ]
    return all(_ascends(g, results, d, s, alive) for results in through[0] or through[1])


def _ascends(
    g: Generic, results: Map, d: np.ndarray, s: Sequence[np.ndarray], alive: Sequence[np.ndarray]
) -> bool:
    plain = [expr.plain for expr in results if expr.plain is not None]
    last: dict[tuple[int, ...], tuple[int, ...]] = {}
    used = sorted({expr.symbol for expr in results if expr.symbol is not None})
    found = [_where(g.indices[k].maps[0], d, s, alive, d.shape[1]) for k in used]
    for point in range(d.shape[1]):
        if not all(good[point] for _, good in found):
            continue
        here = tuple(
            int(g.indices[k].array[tuple(axis[point] for axis in where)])
            for k, (where, _) in zip(used, found, strict=True)
        )
        line = tuple(int(d[j, point]) for j in plain)
        if last.get(line, here) > here:
            return False
        last[line] = here
    return True


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
