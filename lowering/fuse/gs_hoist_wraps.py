"""`gs-hoist-wraps`: coordinates that a loop does not change are wrapped in front of it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import Structure, groups
from mlir_gs.lowering.fuse.views import VIEWS
from mlir_gs.lowering.ir import builders
from mlir_gs.lowering.ir.builders import arith, made_in, number_in, producer
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsHoistWraps:
    """Wrap negative coordinates in front of the loops that do not change them.

    before: `scf.for { gs.generic [s0 = %i[d0] wrap_negative] outs(%x[s0]) }`, `%i` from outside
    after:  `%j = gs.generic ins(%i[d0]) { i < 0 ? i + size : i }`,
            `scf.for { gs.generic [s0 = %j[d0]] outs(%x[s0]) }`

    Applies to signless coordinates of static sizes, all wrapped by one number that their type can
    hold. Static views of them move along. Mode error names the coordinate as given and stays.
    """

    name: ClassVar[str] = "gs-hoist-wraps"
    only_with: ClassVar[tuple[str, ...]] = ("gs.generic",)

    def run(self, module: ir.Operation) -> None:
        made: dict[tuple[ir.Value, int, ir.Operation], ir.Value] = {}
        for op in builders.walk_named(module, "gs.generic"):
            inputs, indices, _ = groups(op.opview)
            loops = [o for o in builders.ancestors(op) if o.name in ("scf.for", "scf.while")][::-1]
            structure, wraps = Structure.of(op.opview), list(Structure.of(op.opview).wraps)
            sizes = [_size(structure, s) if loops else -1 for s in range(len(structure.wraps))]
            for n, value in enumerate(indices, len(inputs)):
                here = [s for s, each in enumerate(structure.coordinates) if each.value == value]
                size, *others = {sizes[s] for s in here} or {-1}
                loop = next((o for o in loops if size > 0 and _to_front(value, o)), None)
                if not others and loop is not None and value.type.has_static_shape:
                    key = value, size, loop
                    op.operands[n] = made.get(key) or made.setdefault(key, _wrapped(*key))
                    wraps = [w and s not in here for s, w in enumerate(wraps)]
                    op.attributes["wrap_negative"] = ir.DenseBoolArrayAttr.get(wraps)


def _size(structure: Structure, symbol: int) -> int:
    """By what `symbol` is wrapped; -1 where it is not, or at run time only."""
    element = structure.coordinates[symbol].value.type.element_type
    size = min((u.access.value.type.shape[u.position] for u in structure.uses(symbol)), default=-1)
    bits = getattr(element, "width", 64) if getattr(element, "is_signless", True) else 0
    wraps = structure.wraps[symbol] and structure.modes[symbol] != "error"
    return size if wraps and size < 1 << bits >> 1 else -1


def _to_front(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether `value` comes from outside of `loop`, by static views at most, which move there."""
    # Others may have no such elements where the loop has no turns.
    if not made_in(value, loop):
        return getattr(value.type, "has_static_shape", False)
    made = producer(value, *VIEWS)
    if made is None or not all(_to_front(each, loop) for each in made.operands):
        return False
    made.move_before(loop)
    return True


def _wrapped(value: Any, size: int, loop: ir.Operation) -> ir.Value:
    def body(given: ir.Value, _: ir.Value) -> list[ir.Value]:
        negative = arith.cmpi(arith.CmpIPredicate.slt, given, number_in(given.type, 0))
        return [arith.select(negative, arith.addi(given, number_in(given.type, size)), given)]

    with ir.InsertionPoint(loop), loop.location:
        result = builders.tensor.empty(value.type.shape, value.type.element_type)
        return generic([value], [], [result], body=body).results[0]
