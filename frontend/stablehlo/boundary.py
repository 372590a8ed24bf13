"""What a StableHLO module has around its ops: unsigned types, attributes for XLA, leftovers."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import NOT_CONVERTED, is_unsigned, rewrite
from mlir_gs.frontend.stablehlo.entry import saturated
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import walk, walk_named
from mlir_gs.lowering.kernel.attributes import mark_unsigned, records, write
from mlir_gs.lowering.passes.registry import fail_at_each

_XLA = ("mhlo.", "jax.", "sdy.", "xla.", "tf.")
_SOURCE = ("stablehlo.", "chlo.", "vhlo.", "sdy.", "mhlo.", "shape.")


@register_pass
@dataclass(frozen=True)
class StablehloEnterSignless:
    """Mark unsigned arguments and results with gs.unsigned; drop the attributes that XLA reads.

    Upstream's passes make all integers signless. A float out of the range of the integers that it
    is converted to gives the nearest one, and NaN gives 0, as in XLA.
    """

    name: ClassVar[str] = "stablehlo-enter-signless"

    def run(self, module: ir.Operation) -> None:
        rewrite(module, dict.fromkeys(("arith.fptosi", "arith.fptoui"), (saturated,)))
        _drop_attributes(module)
        for function in walk_named(module, "func.func"):
            _drop_attributes(function)
            mark_unsigned(function, is_unsigned)


@register_pass
@dataclass(frozen=True)
class StablehloCheckConverted:
    """Refuse each op of StableHLO, chlo or shape that is left, by name."""

    name: ClassVar[str] = "stablehlo-check-converted"

    def run(self, module: ir.Operation) -> None:
        left = [op for op in walk(module) if op.name.startswith(_SOURCE)]
        fail_at_each([(op, NOT_CONVERTED.message) for op in left if op.name != "stablehlo.return"])


def _drop_attributes(op: ir.Operation) -> None:
    """Those that XLA reads, of the op and of the arguments and results of a function."""
    for name in [*op.attributes]:
        if name.startswith(_XLA):
            del op.attributes[name]
    for key in ("arg_attrs", "res_attrs"):
        if key in op.attributes:
            given = records(op, key)
            kept = [{n: a for n, a in one.items() if not n.startswith(_XLA)} for one in given]
            if any(kept):
                write(op, key, kept)
            else:
                del op.attributes[key]
