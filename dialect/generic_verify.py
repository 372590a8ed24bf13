"""The verifier of `gs.generic`, constraint by constraint."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import divides_by_positive, fits, symbols_of
from mlir_gs.dialect.checks import (
    DYNAMIC,
    Attributes,
    Wrong,
    check_coordinates,
    check_element,
    items,
    plural,
)
from mlir_gs.dialect.shared import check_body, check_fill
from mlir_gs.dialect.structure import MODES, SLOTS, Access, Structure, groups, role_counts

ATTRIBUTES = Attributes(
    {
        "indexing_maps": ir.ArrayAttr,
        "coordinate_maps": ir.ArrayAttr,
        "iterator_types": ir.ArrayAttr,
        "operandSegmentSizes": ir.DenseI32ArrayAttr,
        "resultSegmentSizes": ir.DenseI32ArrayAttr,
    },
    {
        "modes": ir.ArrayAttr,
        "wrap_negative": ir.DenseBoolArrayAttr,
        "fill_values": ir.ArrayAttr,
        "unique": ir.UnitAttr,
        "sorted": ir.UnitAttr,
    },
)


def verify_structure(op: ir.OpView) -> None:
    """C1 to C8, C10 and C11."""
    _check_operands(op)
    _check_map_counts(op)
    _check_counts_per_symbol(op)
    structure = Structure.of(op)
    _check_maps(structure)
    _check_extents(structure)
    _check_iterators(structure)
    _check_modes(structure)
    _check_fills(structure)
    _check_results(op, structure)


def verify_body(op: ir.OpView) -> None:
    """C9."""
    inputs, _, outputs = groups(op)
    elements = [value.type.element_type for value in (*inputs, *outputs)]
    if len(set(elements[len(inputs) + 1 :])) > 1:  # generic_c9
        found = ", ".join(str(element) for element in elements[len(inputs) :])
        raise Wrong(f"outputs after the first must share one element type, found {found}")
    check_body("body", op.regions[0], elements, elements[len(inputs) :])  # generic_c9


def _check_operands(op: ir.OpView) -> None:
    # generic_c1
    taken = op.attributes["operandSegmentSizes"]
    counts = role_counts(tuple(taken))
    if counts is None:
        slots = ", ".join(f"{most} {name}" for name, most in SLOTS)
        raise Wrong(
            f"attribute 'operandSegmentSizes' must hold a 1 or 0 per slot ({slots}), each role "
            f"filled from its left, found {taken}"
        )
    if sum(counts) != len(op.operands):
        raise Wrong(f"expects {plural(sum(counts), 'operand')}, found {len(op.operands)}")
    if counts[2] < 1:
        raise Wrong("expects 1 output or more, found 0")
    operands = [
        (f"{name} #{number}", value.type)
        for name, values in zip(("inputs", "indices", "outputs"), groups(op), strict=True)
        for number, value in enumerate(values)
    ]
    for what, type_ in operands:
        if not isinstance(type_, (ir.RankedTensorType, ir.MemRefType)):
            raise Wrong(f"operand '{what}' must be a ranked tensor or memref, found {type_}")
    last, last_type = operands[-1]
    for what, type_ in operands:
        if type(type_) is not type(last_type):
            raise Wrong(
                f"operands must be all tensors or all memrefs, found '{what}' {type_} and "
                f"'{last}' {last_type}"
            )
        if not _is_strided(type_):
            raise Wrong(f"operand '{what}' must have a strided layout, found {type_}")
        # generic_c1 generic_c2
        check = check_coordinates if what.startswith("indices") else check_element
        check(what, type_)


def _is_strided(type_: ir.ShapedType) -> bool:
    if not isinstance(type_, ir.MemRefType):
        return True
    try:
        type_.get_strides_and_offset()
    except RuntimeError:
        return False
    return True


def _check_map_counts(op: ir.OpView) -> None:
    inputs, indices, outputs = groups(op)
    for name, attribute in (
        ("indexing_maps", op.attributes["indexing_maps"]),
        *(("coordinate_maps", maps) for maps in items(op.attributes["coordinate_maps"])),
    ):
        if not isinstance(attribute, ir.ArrayAttr):
            raise Wrong(f"attribute '{name}' must hold arrays of maps, found {attribute}")
        for entry in items(attribute):
            if not isinstance(entry, ir.AffineMapAttr):
                raise Wrong(f"attribute '{name}' must hold affine maps, found {entry}")
    found = len(op.attributes["indexing_maps"])
    if found != len(inputs) + len(outputs):  # generic_c3
        raise Wrong(
            "attribute 'indexing_maps' must have one map per input and output "
            f"({len(inputs) + len(outputs)}), found {found}"
        )
    found = len(op.attributes["coordinate_maps"])
    if found != len(indices):  # generic_c2
        raise Wrong(
            "attribute 'coordinate_maps' must have one array per indices operand "
            f"({len(indices)}), found {found}"
        )


def _check_counts_per_symbol(op: ir.OpView) -> None:
    symbols = sum(len(maps) for maps in op.attributes["coordinate_maps"])
    for name in ("modes", "wrap_negative"):
        if name in op.attributes and len(op.attributes[name]) != symbols:  # generic_c7
            raise Wrong(
                f"attribute '{name}' must have one entry per symbol ({symbols}), "
                f"found {len(op.attributes[name])}"
            )
    for name, allowed in (("modes", MODES), ("iterator_types", ("parallel", "reduction"))):
        if name not in op.attributes:
            continue
        for entry in items(op.attributes[name]):
            # generic_c6 generic_c7
            if not isinstance(entry, ir.StringAttr) or entry.value not in allowed:
                raise Wrong(f"attribute '{name}' must hold {', '.join(allowed)}, found {entry}")
    # generic_c8
    inputs = groups(op)[0]
    fills = items(op.attributes["fill_values"]) if "fill_values" in op.attributes else None
    if fills is not None and len(fills) != len(inputs):
        raise Wrong(
            f"attribute 'fill_values' must have one entry per input ({len(inputs)}), "
            f"found {len(fills)}"
        )
    for entry in fills or ():
        if not isinstance(entry, ir.Attribute):
            raise Wrong(f"attribute 'fill_values' must hold constants or unit, found {entry}")


def _check_maps(s: Structure) -> None:
    n_symbols = len(s.coordinates)
    for access in s.accesses:
        map_, rank = access.map, access.value.type.rank
        if (map_.n_dims, map_.n_symbols) != (s.rank, n_symbols):  # generic_c4
            raise Wrong(
                f"map of '{access.name}' must have {plural(s.rank, 'dim')} and "
                f"{plural(n_symbols, 'symbol')}, found {map_}"
            )
        if len(map_.results) != rank:  # generic_c2 generic_c3
            raise Wrong(f"map of '{access.name}' must have {plural(rank, 'result')}, found {map_}")
        for expr in map_.results:
            factors = symbols_of(expr)
            if len(factors) > 1 or any(factor != 1 for factor in factors.values()):  # generic_c4
                raise Wrong(
                    f"map of '{access.name}' must use at most one symbol per result, with "
                    f"factor 1, found {expr}"
                )
            if not divides_by_positive(expr):  # generic_c4
                raise Wrong(
                    f"map of '{access.name}' must divide by constants of 1 or more, found {expr}"
                )
            if not fits(expr):  # generic_c11
                raise Wrong(
                    f"map of '{access.name}' must compute numbers of less than 2^62, found {expr}"
                )
    for symbol, access in enumerate(s.coordinates):
        used = {k for expr in access.map.results for k in symbols_of(expr)}
        if any(k >= symbol for k in used):  # generic_c2
            raise Wrong(
                f"coordinate map of s{symbol} must use earlier symbols only, found {access.map}"
            )


def _check_extents(s: Structure) -> None:
    # generic_c5
    for dim, extents in enumerate(s.extents):
        if not extents:
            raise Wrong(f"dim d{dim} must be a plain result of some map: its extent is unknown")


def _check_iterators(s: Structure) -> None:
    # generic_c6
    for dim, kind in enumerate(s.iterators):
        if kind == "parallel" and not s.unique and not s.plain_in_outputs(dim):
            raise Wrong(
                f"iterator d{dim} must be reduction: it is not a plain result of each output map, "
                "and the op is not 'unique'"
            )


def _check_modes(s: Structure) -> None:
    # generic_c7
    for symbol, (mode, wraps) in enumerate(zip(s.modes, s.wraps, strict=True)):
        if mode == "promise_in_bounds" and not wraps:
            continue
        uses = s.uses(symbol)
        what = f'mode "{mode}"' if mode != "promise_in_bounds" else "wrap_negative"
        if not uses:
            raise Wrong(f"{what} of s{symbol}: the symbol addresses nothing")
        for use in uses:
            if use.form is None:
                raise Wrong(
                    f"{what} of s{symbol} needs linear uses, found "
                    f"{use.access.map.results[use.position]} in the map of '{use.access.name}'"
                )
            if mode == "clip" and use.access.value.type.shape[use.position] == 0:
                sizes = {extent.size for extents in s.extents for extent in extents}
                if sizes & {0, DYNAMIC}:
                    continue
                raise Wrong(
                    f"{what} of s{symbol} needs a non-empty dimension: dimension {use.position} "
                    f"of '{use.access.name}' has size 0"
                )


def masked_symbols(s: Structure, access: Access) -> set[int]:
    """The fill_or_drop symbols on which reading or writing `access` depends."""
    pending = {k for expr in access.map.results for k in symbols_of(expr)}
    found: set[int] = set()
    while pending:
        symbol = pending.pop()
        if s.modes[symbol] == "fill_or_drop":
            found.add(symbol)
        pending |= {k for expr in s.coordinates[symbol].map.results for k in symbols_of(expr)}
    return found


def _check_fills(s: Structure) -> None:
    # generic_c8
    for access, fill in zip(s.inputs, s.fills, strict=True):
        if fill is not None or masked_symbols(s, access):
            what = f"fill_values' entry of '{access.name}"
            check_fill(what, access.value.type.element_type, fill)


def _check_results(op: ir.OpView, s: Structure) -> None:
    # generic_c10
    taken = op.attributes["resultSegmentSizes"]
    slots = SLOTS[2][1]
    wanted = [int(slot < len(op.results)) for slot in range(slots)]
    if list(taken) != wanted:
        raise Wrong(
            f"attribute 'resultSegmentSizes' must hold a 1 or 0 per slot ({slots}), as many 1s as "
            f"there are results ({len(op.results)}), filled from the left, found {taken}"
        )
    types = [access.value.type for access in s.outputs]
    expected = types if isinstance(types[0], ir.RankedTensorType) else []
    found = [result.type for result in op.results]
    if found != expected:
        text = [" and ".join(str(t) for t in types) or "none" for types in (expected, found)]
        raise Wrong(f"results must be {text[0]}, found {text[1]}")
