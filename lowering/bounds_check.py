"""Mode error: every coordinate of an op is checked before anything is written."""

from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.structure import Structure, Use
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinates import Coordinates, Point, as_index
from mlir_gs.lowering.emit import Ix, affine, element, loop, minimum, size_of, value, when

func = dialect("func")

_ATTRIBUTE = "gs.sites"
# On a gs.generic: the name of the op that it was made from.
ORIGIN = "gs.origin"


class Sites:
    """Where compiled code may raise: the module's `gs.sites`, and the functions that raise."""

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self.texts: list[str] = (
            [text.value for text in module.attributes[_ATTRIBUTE]]
            if _ATTRIBUTE in module.attributes
            else []
        )
        self._known = len(self.texts)
        self._declared: set[str] = set()

    def add(self, text: str) -> int:
        self.texts.append(text)
        return len(self.texts) - 1

    def raise_index_error(self, site: int, numbers: Sequence[ir.Value], unsigned: bool) -> None:
        """Call `__gs_raise_<rank>(site, coordinate, size, position...)`, which does not return.

        `__gs_raise_unsigned_<rank>` takes the coordinate as an unsigned number.
        """
        rank = len(numbers) - 2
        name = f"__gs_raise_unsigned_{rank}" if unsigned else f"__gs_raise_{rank}"
        i64 = ir.IntegerType.get_signless(64)
        self._declare(name, [i64] * (3 + rank))
        arguments = [arith.constant(i64, site)]
        arguments += [arith.index_cast(i64, number) for number in numbers]
        func.call([], name, arguments)

    def _declare(self, name: str, types: Sequence[ir.Type]) -> None:
        if name in self._declared:
            return
        self._declared.add(name)
        body = self.module.regions[0].blocks[0]
        for op in body.operations:
            if "sym_name" in op.attributes and op.attributes["sym_name"].value == name:
                return
        with ir.InsertionPoint.at_block_begin(body):
            func.FuncOp(name, (list(types), []), visibility="private")

    def write(self) -> None:
        """Store the texts on the module."""
        if len(self.texts) > self._known:
            context = self.module.context
            texts = [ir.StringAttr.get(text, context) for text in self.texts]
            self.module.attributes[_ATTRIBUTE] = ir.ArrayAttr.get(texts, context)


def emit_checks(
    op: ir.Operation,
    structure: Structure,
    coordinates: Coordinates,
    extents: Mapping[int, Ix],
    sites: Sites,
) -> None:
    """Loops over the coordinates under mode error that raise at the first one out of bounds."""
    for symbol, mode in enumerate(structure.modes):
        if mode == "error":
            _check_symbol(op, structure, coordinates, extents, sites, symbol)


def _check_symbol(
    op: ir.Operation,
    structure: Structure,
    coordinates: Coordinates,
    extents: Mapping[int, Ix],
    sites: Sites,
    symbol: int,
) -> None:
    access = structure.coordinates[symbol]
    use = structure.uses(symbol)[0]
    site = sites.add(f"{_place(op.location)}: {_subject(op, symbol, use)}")
    dims = sorted(coordinates.depends(symbol))

    def visit(rest: Sequence[int], point: Point) -> None:
        if rest:
            dim = rest[0]
            loop(0, extents[dim], 1, lambda i: visit(rest[1:], point.at(dim, i)))
            return
        for earlier in range(symbol):
            if coordinates.depends(earlier) <= set(point.dims):
                coordinates.load(earlier, point)
        # Where a coordinate that it hangs on is out of bounds, it is neither read nor checked.
        when(point.valid_for(access.map), lambda: check(point))

    def check(point: Point) -> None:
        where = [value(affine(e, point.dims, point.symbols)) for e in access.map.results]
        given = element(access.value, where)
        position = coordinates.as_position(symbol, given)
        outside = arith.xori(coordinates.in_bounds(symbol, position), _true())

        def raise_() -> None:
            size: Ix = size_of(use.access.value, use.position)
            for other in structure.uses(symbol)[1:]:
                size = minimum(size, size_of(other.access.value, other.position))
            unsigned = isinstance(given.type, ir.IntegerType) and given.type.is_unsigned
            sites.raise_index_error(site, [as_index(given), value(size), *where], unsigned)

        when(outside, raise_)

    visit(dims, Point())


def _subject(op: ir.Operation, symbol: int, use: Use) -> str:
    """The op and what its coordinate addresses, in the words of the op that was written."""
    if ORIGIN not in op.attributes:
        return f"'{op.name}' op, s{symbol} into dimension {use.position} of '{use.access.name}'"
    operand = "source" if use.access.name.startswith("inputs") else "dest"
    origin = op.attributes[ORIGIN].value
    return f"'{origin}' op, into dimension {use.position} of '{operand}'"


def _true() -> ir.Value:
    return arith.constant(ir.IntegerType.get_signless(1), 1)


def _place(location: ir.Location) -> str:
    """`file:line:col` where the location has it."""
    text = str(location)
    return text[4:-1].replace('"', "") if text.startswith("loc(") else text
