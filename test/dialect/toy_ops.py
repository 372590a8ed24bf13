"""Named ops of a user: a dialect outside the package, whose classes say all that `gs` needs.

`toy.pick` reads rows in reverse, `toy.put` writes on a diagonal. As a script, this is the tool
named first with the dialect in it: `python toy_ops.py gs-opt file.mlir --gs-generalize`.
"""

import sys
from typing import Any

from mlir_gs.bindings import ext, ir
from mlir_gs.dialect import Access, Effects, Structure, build, load_with_gs, named_op
from mlir_gs.dialect.checks import (
    Attributes,
    check_indices,
    check_one_of,
    check_tensor,
    has_declared_parts,
    reported,
    verifier,
)
from mlir_gs.dialect.shared import BOUNDS, FILL, PROMISES, Bounds, check_combiner


@load_with_gs
class Toy(ext.Dialect, name="toy"):
    """Two ops."""


def maps(rank: int, symbols: int, *results: list[ir.AffineExpr]) -> list[ir.AffineMap]:
    return [ir.AffineMap.get(rank, symbols, each) for each in results]


@named_op
class PickOp(Toy.Operation, name="pick", traits=[Effects]):
    """`result[c, i] = table[ids[i], c]`, of a table of rank 2 and ids of rank 1."""

    ATTRIBUTES = Attributes({}, {**PROMISES, **BOUNDS, **FILL})

    table: ext.Operand[Any]
    ids: ext.Operand[Any]
    output: ext.Result[Any]

    def structure(self) -> Structure:
        table, ids = self.operands
        c, i, s = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1), ir.AffineSymbolExpr.get(0)
        read, written, at = maps(2, 1, [s, c], [c, i], [i])
        bounds = Bounds.of(self)
        return Structure(
            (Access("table", table, read),),
            (Access("ids", ids, at),),
            (Access("result", self.results[0], written),),
            ("parallel", "parallel"),
            (bounds.of_generic,),
            (bounds.wrap_negative,),
            (bounds.fill_value,),
            "unique" in self.attributes,
            "sorted" in self.attributes,
        )

    @verifier
    def verify_invariants(self) -> None:
        table, ids = (operand.type for operand in self.operands)
        check_tensor("table", table, 2)
        check_indices("ids", ids, 1)
        shape = [table.shape[1], ids.shape[0]]
        type_ = ir.RankedTensorType.get(shape, table.element_type, loc=self.location)
        check_one_of("result", self.results[0].type, [type_])


@named_op
class PutOp(Toy.Operation, name="put", traits=[Effects]):
    """`dest[ids[i], ids[i]] = combiner(current, updates[i])`, for each i in order."""

    ATTRIBUTES = Attributes({}, {**PROMISES, **BOUNDS})

    updates: ext.Operand[Any]
    dest: ext.Operand[Any]
    ids: ext.Operand[Any]
    output: ext.Result[Any]
    combiner: ext.Region

    def structure(self) -> Structure:
        updates, dest, ids = self.operands
        i, s = ir.AffineDimExpr.get(0), ir.AffineSymbolExpr.get(0)
        plain, addressed = maps(1, 1, [i], [s, s])
        unique, bounds = "unique" in self.attributes, Bounds.of(self)
        return Structure(
            (Access("updates", updates, plain),),
            (Access("ids", ids, plain),),
            (Access("dest", dest, addressed),),
            ("parallel" if unique else "reduction",),
            (bounds.of_generic,),
            (bounds.wrap_negative,),
            (None,),
            unique,
            "sorted" in self.attributes,
        )

    verify_invariants = has_declared_parts

    @reported
    def verify_region_invariants(self) -> None:
        element = self.operands[1].type.element_type
        check_combiner(self.regions[0], element, required=False)


def pick(table: ir.Value, ids: ir.Value, **attributes: Any) -> ir.Value:
    """Build `toy.pick`. Raises InvalidOp."""

    def results() -> list[ir.Type]:
        shape = [table.type.shape[1], ids.type.shape[0]]
        return [ir.RankedTensorType.get(shape, table.type.element_type)]

    def element() -> ir.Type:
        return table.type.element_type

    operands = {"table": table, "ids": ids}
    return build(PickOp, operands, results, attributes, element=element).result


if __name__ == "__main__":
    from mlir_gs.tools import gs_compile, gs_opt, gs_reduce, gs_run

    tools = {"gs-opt": gs_opt, "gs-run": gs_run, "gs-compile": gs_compile, "gs-reduce": gs_reduce}
    sys.exit(tools[sys.argv[1]].main(sys.argv[2:]))
