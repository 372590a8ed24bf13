"""What a StableHLO module has around its ops: unsigned types, attributes for XLA, leftovers."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import NOT_CONVERTED, is_unsigned, rewrite
from mlir_gs.frontend.stablehlo.entry import saturated
from mlir_gs.lowering import PassFailure, register_pass
from mlir_gs.lowering.ir.builders import walk, walk_named

UNSIGNED = "gs.unsigned"
"""On an argument or result of a function: its signless integers are unsigned to the caller."""

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
            type_ = ir.TypeAttr(function.attributes["function_type"]).value
            for name, types in (("arg_attrs", type_.inputs), ("res_attrs", type_.results)):
                _mark(function, name, [is_unsigned(value) for value in types])
            _drop_attributes(function)


@register_pass
@dataclass(frozen=True)
class StablehloCheckConverted:
    """Refuse each op of StableHLO, chlo or shape that is left, by name."""

    name: ClassVar[str] = "stablehlo-check-converted"

    def run(self, module: ir.Operation) -> None:
        left = [
            op
            for op in walk(module)
            if op.name.startswith(_SOURCE) and op.name != "stablehlo.return"
        ]
        for op in left:
            op.location.emit_error(f"'{op.name}' op {NOT_CONVERTED.message}")
        if left:
            raise PassFailure


def _mark(function: ir.Operation, name: str, unsigned: list[bool]) -> None:
    """Add UNSIGNED to the entries of attribute `name`, without the attributes that XLA reads."""
    given = (
        list(function.attributes[name])
        if name in function.attributes
        else [ir.DictAttr.get({})] * len(unsigned)
    )
    entries = []
    for dictionary, is_marked in zip(given, unsigned, strict=True):
        entry = {named.name: named.attr for named in dictionary if not named.name.startswith(_XLA)}
        if is_marked:
            entry[UNSIGNED] = ir.UnitAttr.get()
        entries.append(ir.DictAttr.get(entry))
    if any(len(entry) for entry in entries):
        function.attributes[name] = ir.ArrayAttr.get(entries)
    elif name in function.attributes:
        del function.attributes[name]


def _drop_attributes(op: ir.Operation) -> None:
    names = [named if isinstance(named, str) else named.name for named in op.attributes]
    for name in names:
        if name.startswith(_XLA):
            del op.attributes[name]
