"""`gs.generic`: linalg.generic whose indexing maps may read index tensors."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from mlir_gs.dialect._bindings import AffineMap, InsertionPoint, Location, Operation, Value, ext, ir
from mlir_gs.dialect.assembly.index_notation import IndexNotation
from mlir_gs.dialect.base import Gs
from mlir_gs.dialect.build import Constant, InvalidOp, checked, constant_of, value_of
from mlir_gs.dialect.checks import reported, verifier
from mlir_gs.dialect.effects import Effects
from mlir_gs.dialect.generic_verify import ATTRIBUTES, verify_body, verify_structure
from mlir_gs.dialect.structure import SLOTS, segments
from mlir_gs.dialect.yield_ import yield_


class GenericOp(Gs.Operation, name="generic", traits=[Effects]):
    """Runs `body` over an iteration space whose operands are addressed through index tensors.

    A symbol is a coordinate: an element of an `indices` operand. Its map in `coordinate_maps` says
    which element. An indexing map `(d0, ...)[s0, ...] -> (...)` addresses an input or an output by
    iteration dims and symbols. The body runs at each point of the iteration space, in row-major
    order:

    `outputs[maps(d, s)] = body(inputs[maps(d, s)], current outputs)`

    A sum or product of floats with the fast-math flag `reassoc` may be grouped in any way.

    A dim is *plain* in a map result that is this dim and nothing else: in `x[d0, 2 * d1]`, d0 is
    plain and d1 is not. The extent of a dim is the least size of all dimensions in which it is
    plain. In `ins(%a[i]) outs(%b[i])` with 5 elements in `%a` and 3 in `%b`, `i` runs to 3.

    **Warning:** sizes that differ are no error here: the longer operand is cut. Named ops and
    source languages have constraints on sizes, which are asserted before the `gs.generic` that
    they become.

    Constraints:

    - C1: the operands are up to 8 inputs, 8 indices and 1 to 4 outputs, all ranked tensors or all
      ranked, strided memrefs of integer, float, complex or index elements.
      `operandSegmentSizes` has a 1 for each of these 20 slots that is taken, each role filled
      from its left.
    - C2: `coordinate_maps` has one array of maps per indices operand; the operand has index or
      integer elements; a map has one result per dim of it and uses earlier symbols only.
    - C3: `indexing_maps` has one map per input and per output, with one result per dim of it.
    - C4: all maps have the same dims and symbols; each result is affine in the dims, plus at most
      one symbol with factor 1; a divisor is a constant of 1 or more.
    - C5: each dim appears plainly at least once.
    - C6: `iterator_types` has "parallel" or "reduction" per dim; each output map has every parallel
      dim as a plain result, unless the op is `unique`.
    - C7: `modes` (promise_in_bounds, clip, fill_or_drop, error) and `wrap_negative` have one entry
      per symbol. Under clip, fill_or_drop, error or wrap_negative, a symbol addresses a dimension
      of an input or output, without division.
    - C8: `fill_values` has one entry per input, a constant of its element type or `unit` for the
      default; an input read under fill_or_drop needs a type that has a default, or an entry.
    - C9: the body takes one element per input and output and yields one per output; outputs
      after the first share one element type.
    - C10: on tensors there is one result per output, of its type; on memrefs none.
      `resultSegmentSizes` has a 1 for each of 4 slots that is taken.
    - C11: constants of a map, factors among them, lie between -2^62 and 2^62. So do all
      intermediate values of a result with a division, for dims below 2^31.

    A use `s + f(d)` of a symbol in a dimension of size N is in bounds when 0 <= s + min f and s +
    max f <= N - 1, so that the whole window is. A symbol with several uses has to be in bounds of
    each. wrap_negative comes before the mode: it adds the smallest N to a negative s. clip clamps s
    to the upper bound, then to the lower one. fill_or_drop fills an input and does not write an
    output. error fails before anything is written. That is an effect: the op runs where it is
    reached, whether its results are used or not.

    Lowering refuses a `gs` op in a body.

    Undefined:

    - under promise_in_bounds, a coordinate out of bounds;
    - a place out of bounds that dims alone compute, as in `x[d0 + 1]` where d0 runs over all of x;
      gs-sanitize reports it;
    - under `unique`, two points that differ in a parallel dim and write the same output element;
    - under `sorted`, coordinates of an output that descend from one point to a later one, where
      both points have the same plain dims of that output; if no output has coordinates, the
      coordinates of the inputs;
    - on memrefs, an output that shares elements with another operand, unless that operand is an
      input with the same memory and the same map.

    ```mlir
    // y[row[e]] += val[e] * x[col[e]], a sparse matrix times a vector
    %y1 = gs.generic (e) [r = %row[e], c = %col[e]]
        ins(%val[e], %x[c]) outs(%y0[r]) iterators(e = reduction)
        : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>)
        -> tensor<9xf32> {
    ^bb0(%v: f32, %xe: f32, %acc: f32):
      %p = arith.mulf %v, %xe : f32
      %n = arith.addf %acc, %p : f32
      gs.yield %n : f32
    }
    ```
    """

    ATTRIBUTES = ATTRIBUTES
    ASSEMBLY = IndexNotation()

    # One IRDL operand definition holds values of one type only, so each value has its own.
    # They are written down as a whole: since Python 3.14 there is no such name in a class's body.
    __annotations__ = {
        **{f"{name}{k}": ext.Operand[Any] | None for name, most in SLOTS for k in range(most)},
        **{f"out{k}": ext.Result[Any] | None for k in range(SLOTS[2][1])},
        **dict.fromkeys(("indexing_maps", "coordinate_maps", "iterator_types"), Any),
        "body": ext.Region,
    }

    verify_invariants = verifier(verify_structure)
    verify_region_invariants = reported(verify_body)


Body = Callable[..., Value | Sequence[Value]]
Iterator = Literal["parallel", "reduction"]


def generic(
    inputs: Sequence[Value],
    indices: Sequence[Value],
    outputs: Sequence[Value],
    *,
    body: Body,
    indexing_maps: Sequence[AffineMap] | None = None,
    coordinate_maps: Sequence[Sequence[AffineMap]] = (),
    iterator_types: Sequence[str] | None = None,
    modes: Sequence[str] | None = None,
    wrap_negative: Sequence[bool] | None = None,
    fill_values: Sequence[Constant | None] | None = None,
    unique: bool = False,
    sorted: bool = False,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Operation:
    """Build `gs.generic`; `body(*elements)` builds the region and returns what is yielded.

    `inputs`, `indices` and `outputs` are all tensors or all memrefs. `indexing_maps`: a map for
    each input, then for each output, by default identities. `coordinate_maps`: for each of
    `indices` a list of maps, one for each symbol that it holds. `iterator_types`: "parallel", the
    default, or "reduction" for each dim.
    `modes` and `wrap_negative`: an entry for each symbol, in the order of `coordinate_maps`.
    `fill_values`: an entry for each input, None for the default. `body` gets an element of each
    input, then the current one of each output. Returns the op, with a result for each output
    that is a tensor.

    Defaults (all promise_in_bounds, nothing wrapped, no fill value) are left off the op. Raises
    InvalidOp, a ValueError, for what the op does not take.
    """
    inputs, indices, outputs = (
        [value_of("gs.generic", f"{role} #{n}", each) for n, each in enumerate(given)]
        for role, given in (("inputs", inputs), ("indices", indices), ("outputs", outputs))
    )
    if not outputs:
        raise InvalidOp("'gs.generic' op expects 1 output or more, found 0")
    on_tensors = isinstance(outputs[0].type, ir.RankedTensorType)
    if indexing_maps is None:
        ranks = [getattr(value.type, "rank", 0) for value in (*inputs, *outputs)]
        indexing_maps = [ir.AffineMap.get_identity(rank) for rank in ranks]
    maps = _array("indexing_maps", indexing_maps)
    iterators = iterator_types
    if iterators is None:
        iterators = ["parallel"] * max((map_.n_dims for map_ in indexing_maps), default=0)
    attributes: dict[str, ir.Attribute] = {
        "indexing_maps": maps,
        "coordinate_maps": ir.ArrayAttr.get(
            [_array("coordinate_maps", maps) for maps in coordinate_maps]
        ),
        "iterator_types": _array("iterator_types", iterators),
        **segments(len(inputs), len(indices), len(outputs), on_tensors),
    }
    if modes and any(mode != "promise_in_bounds" for mode in modes):
        attributes["modes"] = _array("modes", modes)
    if wrap_negative and any(wrap_negative):
        attributes["wrap_negative"] = ir.DenseBoolArrayAttr.get(list(wrap_negative))
    if fill_values and any(value is not None for value in fill_values):
        attributes["fill_values"] = ir.ArrayAttr.get(
            [
                ir.UnitAttr.get() if value is None else _constant(number, value, inputs)
                for number, value in enumerate(fill_values)
            ]
        )
    for name, given in (("unique", unique), ("sorted", sorted)):
        if given:
            attributes[name] = ir.UnitAttr.get()
    op = ir.Operation.create(
        "gs.generic",
        results=[value.type for value in outputs] if on_tensors else [],
        operands=[*inputs, *indices, *outputs],
        attributes=attributes,
        regions=1,
        loc=loc,
        ip=ip,
    )

    def fill(region: ir.Region) -> None:
        if not all(isinstance(value.type, ir.ShapedType) for value in (*inputs, *outputs)):
            return  # The verifier says so.
        elements = [value.type.element_type for value in (*inputs, *outputs)]
        block = region.blocks.append(*elements, arg_locs=[op.location] * len(elements))
        with ir.InsertionPoint(block), op.location:
            yielded = body(*block.arguments)
            yield_(*([yielded] if isinstance(yielded, ir.Value) else yielded))

    return checked(op, fill)


def _constant(number: int, given: Constant, inputs: Sequence[Value]) -> ir.Attribute:
    if isinstance(given, ir.Attribute) or number >= len(inputs):
        return given if isinstance(given, ir.Attribute) else ir.UnitAttr.get()
    element = inputs[number].type.element_type
    return constant_of("gs.generic", f"fill_values #{number}", given, element)


def _array(name: str, items: Sequence[Any]) -> ir.ArrayAttr:
    maps = name.endswith("maps")
    kind, word, attribute = (
        (ir.AffineMap, "maps", ir.AffineMapAttr) if maps else (str, "strings", ir.StringAttr)
    )
    for each in items:
        if not isinstance(each, kind):
            raise InvalidOp(f"'gs.generic' op attribute '{name}' must hold {word}, found {each!r}")
    return ir.ArrayAttr.get([attribute.get(each) for each in items])
