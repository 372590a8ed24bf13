"""The transform ops on `gs` ops."""

# The classes of the dialect DSL take keywords that only the untyped bindings know of.
# pyright: reportCallIssue=false, reportGeneralTypeIssues=false

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import ext, ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.checks import Attributes, Wrong, verifier
from mlir_gs.lowering.linalg.convert_gs_to_linalg import lower
from mlir_gs.lowering.named.gs_generalize import generalized
from mlir_gs.lowering.tile.cut import CannotCut
from mlir_gs.lowering.tile.gs_tile import check_sizes, tile
from mlir_gs.lowering.tile.producer import fuse_into
from mlir_gs.lowering.transform.dialect import (
    GsTransform,
    Payload,
    Unfit,
    applying,
    effects,
    sites_of,
)

Found = Sequence[Sequence[ir.Operation]]
_LOOPS = ("for", "forall")


def _of_generics(payload: Payload, handle: ir.Value) -> list[ir.Operation]:
    """The `gs.generic` on tensors that a handle stands for. Raises Unfit."""
    ops = payload.of(handle)
    for op in ops:
        if op.name != "gs.generic":
            raise Unfit(op, f"takes gs.generic, found '{op.name}'{_hint(op)}")
        if len(op.results) == 0:
            raise Unfit(op, "takes gs.generic on tensors, found one on memrefs")
    return ops


def _hint(op: ir.Operation) -> str:
    return ": gs_transform.generalize comes first" if op.name in NAMED else ""


def _replace(rewriter: Any, op: ir.Operation, values: Sequence[ir.Value]) -> None:
    rewriter.replace_op(op, list(values))


def _generalize(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    found = []
    for one in payload.of(op.operands[0]):
        if one.name not in NAMED:
            raise Unfit(one, f"takes a named op of gs, found '{one.name}'")
        results, made = generalized(one)
        _replace(rewriter, one, results)
        found += made
    return [found]


class GeneralizeOp(
    GsTransform.Operation, name="generalize", traits=[applying(_generalize), effects(consumes=[0])]
):
    """Rewrites named ops of gs to `gs.generic`, as the pass gs-generalize does.

    ```mlir
    %generic = gs_transform.generalize %gather : (!transform.any_op) -> !transform.any_op
    ```
    """

    target: ext.Operand[Any]
    generic: ext.Result[Any]


def _tile(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    tiles: list[ir.Operation] = []
    loops: list[ir.Operation] = []
    kind = op.attributes["loops"].value if "loops" in op.attributes else "for"
    for one in _of_generics(payload, op.operands[0]):
        sites = sites_of(one)
        try:
            tiled = tile(one, list(op.attributes["sizes"]), sites, kind)
        except CannotCut as reason:
            raise Unfit(one, f"does not apply: {reason}") from None
        sites.write()
        if tiled is None:
            tiles.append(one)
            continue
        _replace(rewriter, one, tiled.results)
        tiles.append(tiled.op)
        loops += tiled.loops
    return [tiles, loops]


class TileOp(GsTransform.Operation, name="tile", traits=[applying(_tile), effects(consumes=[0])]):
    """Cuts `gs.generic` on tensors into tiles, as the pass gs-tile does.

    `sizes`: one per iteration dim, 0 for a dim that stays whole. `loops`: "for", the default, or
    "forall". The results are the ops on tiles, and their loops, each nest from the outside. Fails,
    so that other transform ops may go on, for an op that cannot be cut so.

    ```mlir
    %tiled, %loops = gs_transform.tile %generic sizes([4, 0]) loops(forall)
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
    """

    ATTRIBUTES = Attributes({"sizes": ir.DenseI64ArrayAttr}, {"loops": ir.StringAttr})

    target: ext.Operand[Any]
    tiled: ext.Result[Any]
    made: ext.Result[Any]
    sizes: Any

    @verifier
    def verify_invariants(self) -> None:
        try:
            check_sizes(list(self.attributes["sizes"]))
        except ValueError as error:
            raise Wrong(f"attribute 'sizes': {error}") from error
        kind = self.attributes["loops"].value if "loops" in self.attributes else "for"
        if kind not in _LOOPS:
            raise Wrong(f"attribute 'loops' must be one of {', '.join(_LOOPS)}, found {kind}")


def _one(payload: Payload, handle: ir.Value, at: ir.OpView, what: str) -> ir.Operation:
    ops = payload.of(handle)
    if len(ops) != 1:
        raise Unfit(at.operation, f"takes one {what}, found {len(ops)}")
    return ops[0]


def _fuse_into(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    loop = _one(payload, op.operands[1], op, "loop")
    found = []
    # What a producer reads may be the next: from the last to the first.
    for one in reversed(_of_generics(payload, op.operands[0])):
        sites = sites_of(one)
        try:
            found += fuse_into(one, loop, sites, rewriter.replace_op)
        except CannotCut as reason:
            raise Unfit(one, f"does not apply: {reason}") from None
        sites.write()
        if not any(True for result in one.results for _ in result.uses):
            rewriter.erase_op(one)
    return [found]


class FuseIntoOp(
    GsTransform.Operation, name="fuse_into", traits=[applying(_fuse_into), effects(consumes=[0])]
):
    """Computes `gs.generic` on tensors in a loop, slice by slice as the loop reads their results.

    `loop` is an scf.for or scf.forall, of gs_transform.tile or of upstream's, that takes slices of
    the results. The result is the ops on slices. A producer that nothing else reads is gone. Fails,
    so that other transform ops may go on, where the loop reads what a slice of the op does not
    give.

    ```mlir
    %fused = gs_transform.fuse_into %gather, %loop
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    ```
    """

    producer: ext.Operand[Any]
    loop: ext.Operand[Any]
    fused: ext.Result[Any]


def _to_linalg(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    found: list[ir.Operation] = []
    for one in _of_generics(payload, op.operands[0]):
        sites = sites_of(one)
        with one.location, ir.InsertionPoint(one):
            results = lower(one, sites)
        sites.write()
        made = [result.owner for result in results if not isinstance(result.owner, ir.Block)]
        for each in (owner.operation for owner in made):
            if each.name == "tensor.insert_slice":
                each = each.operands[0].owner.operation
            if each.name in ("linalg.generic", "scf.for") and each not in found:
                found.append(each)
        _replace(rewriter, one, results)
    return [found]


class ToLinalgOp(
    GsTransform.Operation, name="to_linalg", traits=[applying(_to_linalg), effects(consumes=[0])]
):
    """Lowers `gs.generic` on tensors, as the pass convert-gs-to-linalg does: the results are
    linalg.generic, and scf.for of what writes through coordinates.

    ```mlir
    %linalg = gs_transform.to_linalg %generic : (!transform.any_op) -> !transform.any_op
    ```
    """

    target: ext.Operand[Any]
    lowered: ext.Result[Any]
