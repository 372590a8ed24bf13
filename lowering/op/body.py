"""The body of a `gs.generic`: scalar by scalar, or on vectors."""

from collections.abc import Iterable, Sequence

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, cast, clone_block, producer

vector = dialect("vector")

# Ops that work on vectors lane by lane.
_ELEMENTWISE = ("arith.", "math.")
# Upstream lowers it to an intrinsic with one exponent for all lanes.
_SCALAR = ("math.fpowi",)
_CONVERTING = ("arith.extf", "arith.truncf", "arith.bitcast")
_VECTOR_WIDTHS = (1, 8, 16, 32, 64)


class Body:
    """The region of one op: `elements` are the types of its arguments, inputs then outputs."""

    def __init__(self, block: ir.Block, n_inputs: int) -> None:
        self.block = block
        self.n_inputs = n_inputs
        *self.operations, terminator = [op.operation for op in block.operations]
        self.yields = list(terminator.operands)
        self.elements = [argument.type for argument in block.arguments]

    @property
    def moves_only(self) -> bool:
        """The body computes nothing: each output takes an input as it is."""
        return not self.operations and all(self.moved_input(n) is not None for n in self._outputs)

    @property
    def _outputs(self) -> range:
        return range(len(self.yields))

    def moved_input(self, output: int) -> int | None:
        """The number of the input that output takes as it is, if it takes one."""
        for number, argument in enumerate(self.block.arguments):
            if number < self.n_inputs and argument == self.yields[output]:
                return number
        return None

    def uses(self, number: int) -> bool:
        """Argument `number` is used: that input, or the current element of that output, is read."""
        return bool(list(self.block.arguments[number].uses))

    @property
    def mask(self) -> tuple[ir.Value, list[ir.Operation], list[int]] | None:
        """A condition without which all outputs stay as they are, the ops that compute it, and the
        arguments that these read."""
        choices = [producer(value, "arith.select") for value in self.yields]
        found = [choice.operands[0] for choice in choices if choice is not None]
        olds = list(self.block.arguments)[self.n_inputs :]
        kept = [choice.operands[2] for choice in choices if choice is not None]
        if kept != olds or any(each != found[0] for each in found):
            return None
        needed, ops = {found[0]}, []
        for op in reversed(self.operations):
            if not needed.isdisjoint(op.results):
                ops.insert(0, op)
                needed |= set(op.operands)
        return found[0], ops, [n for n, each in enumerate(self.block.arguments) if each in needed]

    @property
    def vectorizable(self) -> bool:
        """All ops are elementwise on types that vectors in memory can hold."""
        if not all(vector_element(a.type) or _is_converted(a) for a in self.block.arguments):
            return self.moves_only
        return all(
            len(op.regions) == 0
            and (op.name == "arith.constant" or op.name.startswith(_ELEMENTWISE))
            and op.name not in _SCALAR
            and all(vector_element(r.type) or _is_converted(r) for r in op.results)
            for op in self.operations
        )

    def scalar(self, values: Sequence[ir.Value]) -> list[ir.Value]:
        """The elements that the body yields for one per argument, as they are stored."""
        if self.moves_only:
            return [values[self.moved_input(n) or 0] for n in self._outputs]
        elements = [cast(v, type_) for v, type_ in zip(values, self.elements, strict=True)]
        return clone_block(self.block, elements)

    def on_vectors(self, values: Sequence[ir.Value], lanes: int) -> list[ir.Value]:
        """The vectors of `lanes` elements that the body yields for one per argument."""
        known = dict(zip(self.block.arguments, values, strict=True))
        self.compute(range(len(self.operations)), known, lanes)
        return self.yielded(known, lanes)

    def compute(self, numbers: Iterable[int], known: dict[ir.Value, ir.Value], lanes: int) -> None:
        """Emit these operations on vectors. `known` maps the body's values to vectors: those that
        they use, and after it their results."""
        for number in numbers:
            op = self.operations[number]
            if op.name == "arith.constant":
                constant = arith.constant(op.results[0].type, op.attributes["value"])
                known[op.results[0]] = splat(constant, lanes)
                continue
            new = ir.Operation.create(
                op.name,
                results=[ir.VectorType.get([lanes], result.type) for result in op.results],
                operands=[_known(operand, known, lanes) for operand in op.operands],
                attributes=dict(op.attributes),
            )
            known.update(zip(op.results, new.results, strict=True))

    def yielded(self, known: dict[ir.Value, ir.Value], lanes: int) -> list[ir.Value]:
        """The vectors in `known` of the values that the body yields."""
        if self.moves_only:
            # As they are stored.
            return [known[value] for value in self.yields]
        found = [_known(value, known, lanes) for value in self.yields]
        return [
            _bits_as(v, ir.IntegerType.get_signless(8)) if _small_float(y.type) else v
            for v, y in zip(found, self.yields, strict=True)
        ]


def _known(operand: ir.Value, known: dict[ir.Value, ir.Value], lanes: int) -> ir.Value:
    if operand not in known:
        # Defined outside of the body: uniform.
        known[operand] = splat(operand, lanes)
    return _bits_as(known[operand], operand.type)


def vector_element(type_: ir.Type) -> bool:
    """Vectors of `type_` lie in memory as its elements do, those of i1 as bytes."""
    if isinstance(type_, ir.IndexType):
        return True
    if isinstance(type_, ir.IntegerType):
        return type_.is_signless and type_.width in _VECTOR_WIDTHS
    return isinstance(type_, (ir.F64Type, ir.F32Type, ir.F16Type, ir.BF16Type))


def _is_converted(value: ir.Value) -> bool:
    """A mask, an integer between a shift and a conversion, or a small float, which is only
    converted: `gs-emulate-small-floats` does that in lanes."""
    if isinstance(value.type, ir.IntegerType):
        return value.type.is_signless and value.type.width < 8
    if not _small_float(value.type):
        return False
    made = isinstance(value.owner, ir.Block) or value.owner.name in _CONVERTING
    return made and all(use.owner.name in (*_CONVERTING, "gs.yield") for use in value.uses)


def _small_float(type_: ir.Type) -> bool:
    return isinstance(type_, ir.FloatType) and type_.width <= 8


def _bits_as(value: ir.Value, type_: ir.Type) -> ir.Value:
    """A vector of the elements that memory has as one of `type_`."""
    if value.type.element_type == type_:
        return value
    return arith.bitcast(ir.VectorType.get(value.type.shape, type_), value)


def is_mask(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.width == 1


def harmless(type_: ir.Type) -> ir.Value:
    """A value for an element that is not read; not 0, since a body may divide by it."""
    if isinstance(type_, (ir.IntegerType, ir.IndexType)) and not is_mask(type_):
        return arith.constant(type_, ir.IntegerAttr.get(type_, 1))
    return ir.Operation.create("ub.poison", results=[type_]).result


def splat(value: ir.Value, lanes: int) -> ir.Value:
    """`value` in each lane."""
    return vector.broadcast(ir.VectorType.get([lanes], value.type), value)


def bytes_of(type_: ir.Type) -> int:
    """The bytes of an element in memory."""
    if isinstance(type_, ir.ComplexType):
        return 2 * bytes_of(type_.element_type)
    if isinstance(type_, ir.IndexType):
        return 8
    width = type_.width
    size = 1
    while size * 8 < width:
        size *= 2
    return size
