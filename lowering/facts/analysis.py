"""What is known of the elements of integer tensors: range, order, whether two are equal.

The analysis goes through arithmetic, shapes, sorts and earlier gathers (`ops.py`). It follows a
body of linalg.generic or tensor.generate scalar by scalar (`bodies.py`).
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.lowering.facts import arithmetic
from mlir_gs.lowering.facts.numbers import Facts, anything, element_of, fitting, limits, of_known
from mlir_gs.lowering.facts.ops import RULES, of_named
from mlir_gs.lowering.ir.builders import producer, walk
from mlir_gs.lowering.ir.known import Known

# The most ops of a chain that are followed at once.
_DEEPEST = 16


class Analysis:
    """The facts of values, each looked for once; the IR must stay as it is."""

    def __init__(self) -> None:
        self._found: dict[ir.Value, Facts | None] = {}
        self._depth = 0
        self.known = Known()

    @classmethod
    def of(cls, module: ir.Operation) -> "Analysis":
        """The facts of all integer tensors of `module`.

        Found in program order: so chains of any length are followed.
        """
        found = cls()
        for op in walk(module):
            for result in op.results:
                is_tensor = isinstance(result.type, ir.RankedTensorType)
                if is_tensor and limits(result.type.element_type):
                    found(result)
        return found

    def __call__(self, value: ir.Value) -> Facts | None:
        """What is known of an integer, or of the elements of a tensor of integers."""
        if value not in self._found:
            # What depends on itself, in a loop, is not known.
            top = anything(element_of(value.type))
            if self._depth == _DEEPEST:
                return top
            self._found[value] = top
            self._depth += 1
            self._found[value] = self._evaluate(value)
            self._depth -= 1
        return self._found[value]

    def _evaluate(self, value: ir.Value) -> Facts | None:
        element = element_of(value.type)
        top = anything(element)
        op = producer(value)
        if top is None or op is None:
            return top
        if isinstance(value.type, ir.RankedTensorType):
            known = self.known(value)
            if known is not None and known.size:
                return of_known(known)
        if op.name == "arith.constant":
            attribute = op.attributes["value"]
            if isinstance(attribute, ir.IntegerAttr):
                return Facts(attribute.value, attribute.value, ascending=True)
            return top
        if op.name in RULES:
            found = RULES[op.name](self, op, value)
        elif op.name in NAMED:
            found = of_named(self, op, value)
        else:
            parts = [self(operand) for operand in op.operands]
            found = arithmetic.transfer(op, parts)
        return fitting(found, element) or top
