"""The transform ops on `gs` ops."""

# The classes of the dialect DSL take keywords that only the untyped bindings know of.
# pyright: reportCallIssue=false, reportGeneralTypeIssues=false

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mlir_gs.dialect._bindings import ext, ir
from mlir_gs.dialect.base import NAMED
from mlir_gs.dialect.checks import Attributes, Wrong, verifier
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.checks.sites import Sites
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.linalg.convert_gs_to_linalg import lower
from mlir_gs.lowering.named.gs_generalize import generalized
from mlir_gs.lowering.named.gs_specialize import specialized, symbols_in
from mlir_gs.lowering.scf import schedule
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.tile.consumer import fuse_consumer
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
_KINDS = ("any", "gather", "scatter")
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


@contextmanager
def _cutting(op: ir.Operation) -> Iterator[Sites]:
    """Where what is made of `op` may raise; Unfit for what cannot be cut."""
    sites = sites_of(op)
    try:
        yield sites
    except CannotCut as reason:
        raise Unfit(op, f"does not apply: {reason}") from None
    sites.write()


def _match(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    kind = op.attributes["kind"].value if "kind" in op.attributes else "any"
    roots = payload.of(op.operands[0])
    found = [one for root in roots for one in walk_named(root, "gs.generic")]
    return [[one for one in found if kind in ("any", _kind(one))]]


def _kind(op: ir.Operation) -> str:
    structure = Structure.of(op.opview)
    if any(symbols_in(access.map) for access in structure.outputs):
        return "scatter"
    return "gather" if structure.coordinates else "any"


class MatchOp(
    GsTransform.Operation, name="match", traits=[applying(_match), effects(changes=False)]
):
    """Finds the `gs.generic` ops in `root`.

    `kind`: "gather" for those that read through coordinates and write without, "scatter" for those
    that write through coordinates, "any" for all, which is the default. Named ops are found by
    upstream's `transform.structured.match ops{["gs.gather"]}`.

    ```mlir
    %gathers = gs_transform.match %root kind(gather) : (!transform.any_op) -> !transform.any_op
    ```
    """

    ATTRIBUTES = Attributes(optional={"kind": ir.StringAttr})

    root: ext.Operand[Any]
    found: ext.Result[Any]

    @verifier
    def verify_invariants(self) -> None:
        kind = self.attributes["kind"].value if "kind" in self.attributes else "any"
        if kind not in _KINDS:
            raise Wrong(f"attribute 'kind' must be one of {', '.join(_KINDS)}, found {kind}")


def _generalize(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    found = []
    for one in payload.of(op.operands[0]):
        if one.name not in NAMED:
            raise Unfit(one, f"takes a named op of gs, found '{one.name}'")
        results, made = generalized(one)
        rewriter.replace_op(one, list(results))
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


def _specialize(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    found = []
    for one in _of_generics(payload, op.operands[0]):
        result = specialized(one)
        if result is None:
            raise Unfit(one, "takes a gs.generic that is a named op, found another")
        rewriter.replace_op(one, [result])
        found.append(result.owner.operation)
    return [found]


class SpecializeOp(
    GsTransform.Operation, name="specialize", traits=[applying(_specialize), effects(consumes=[0])]
):
    """Rewrites `gs.generic` to the named ops that they are equivalent to.

    Fails, so that other transform ops may go on, for one that is no named op.

    ```mlir
    %named = gs_transform.specialize %generic : (!transform.any_op) -> !transform.any_op
    ```
    """

    target: ext.Operand[Any]
    named: ext.Result[Any]


def _tile(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    tiles: list[ir.Operation] = []
    loops: list[ir.Operation] = []
    kind = op.attributes["loops"].value if "loops" in op.attributes else "for"
    for one in _of_generics(payload, op.operands[0]):
        with _cutting(one) as sites:
            tiled = tile(one, list(op.attributes["sizes"]), sites, kind)
        if tiled is None:
            tiles.append(one)
            continue
        rewriter.replace_op(one, list(tiled.results))
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
        with _cutting(one) as sites:
            found += fuse_into(one, loop, sites, rewriter.replace_op)
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


def _fuse_consumer(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    one = _one(payload, op.operands[0], op, "consumer")
    loop = _one(payload, op.operands[1], op, "loop")
    with _cutting(one) as sites:
        fused = fuse_consumer(one, loop, sites)
    rewriter.replace_op(one, list(fused.results))
    rewriter.replace_op(loop, list(fused.loop_results))
    return [[fused.op], fused.loops]


class FuseConsumerOp(
    GsTransform.Operation,
    name="fuse_consumer",
    traits=[applying(_fuse_consumer), effects(consumes=[0, 1])],
):
    """Computes what reads a result of a loop in that loop, tile by tile.

    `consumer` is a `gs.generic` on tensors or a linalg.generic of scalar ops; it becomes a
    `gs.generic` on tiles. `loop` is the outermost one of a nest of scf.for, or an scf.forall, that
    puts a tile into its result in each step. The results are the op on tiles, and the new loops
    from the outside. Fails, so that other transform ops may go on, where the tiles are not known to
    make up all of the result, or do not keep the order of a sum.

    ```mlir
    %fused, %loops = gs_transform.fuse_consumer %consumer, %loop
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    ```
    """

    consumer: ext.Operand[Any]
    loop: ext.Operand[Any]
    fused: ext.Result[Any]
    made: ext.Result[Any]


def _schedule(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
    ops = payload.of(op.operands[0])
    for one in ops:
        if one.name != "gs.generic":
            raise Unfit(one, f"takes gs.generic, found '{one.name}'{_hint(one)}")
    for one in ops:
        one.attributes[schedule.ATTRIBUTE] = op.attributes["schedule"]
        schedule.read(one, Policy())
    return []


class ScheduleOp(GsTransform.Operation, name="schedule", traits=[applying(_schedule), effects()]):
    """Says which strategies the loops of `gs.generic` use: the attribute gs.schedule, with
    numbers, which convert-gs-to-scf obeys.

    ```mlir
    gs_transform.schedule %generic schedule({cuts = {}, threads = 2 : i64, vector_bytes = 32 : i64})
        : !transform.any_op
    ```
    """

    ATTRIBUTES = Attributes({"schedule": ir.DictAttr})

    target: ext.Operand[Any]
    schedule: Any


def _lower(as_loops: bool) -> Any:
    def apply(op: ir.OpView, rewriter: Any, payload: Payload) -> Found:
        found: list[ir.Operation] = []
        for one in _of_generics(payload, op.operands[0]):
            sites = sites_of(one)
            with one.location, ir.InsertionPoint(one):
                results = lower(one, sites, as_loops=as_loops)
            sites.write()
            made = [result.owner for result in results if not isinstance(result.owner, ir.Block)]
            for each in (owner.operation for owner in made):
                if each.name == "tensor.insert_slice":
                    each = each.operands[0].owner.operation
                if each.name in ("linalg.generic", "scf.for") and each not in found:
                    found.append(each)
            rewriter.replace_op(one, list(results))
        return [found]

    return apply


class ToLinalgOp(
    GsTransform.Operation, name="to_linalg", traits=[applying(_lower(False)), effects(consumes=[0])]
):
    """Lowers `gs.generic` on tensors, as the pass convert-gs-to-linalg does: the results are
    linalg.generic, and scf.for of what writes through coordinates.

    ```mlir
    %linalg = gs_transform.to_linalg %generic : (!transform.any_op) -> !transform.any_op
    ```
    """

    target: ext.Operand[Any]
    lowered: ext.Result[Any]


class ToLoopsOp(
    GsTransform.Operation, name="to_loops", traits=[applying(_lower(True)), effects(consumes=[0])]
):
    """Lowers `gs.generic` on tensors to scf.for over elements; the results are the outermost ones.

    ```mlir
    %loops = gs_transform.to_loops %generic : (!transform.any_op) -> !transform.any_op
    ```
    """

    target: ext.Operand[Any]
    lowered: ext.Result[Any]
