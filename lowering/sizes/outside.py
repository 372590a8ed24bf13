"""Constraints in loops, as constraints before them."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import linear, plain_dim
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.ir.builders import made_in
from mlir_gs.lowering.sizes.fit import Fit
from mlir_gs.lowering.sizes.size_forms import Form, index_form, linear_form, size_form

linalg = dialect("linalg")

LOOPS = ("scf.for", "scf.while", "scf.parallel", "scf.forall", "affine.for", "affine.parallel")


def hoisted(op: ir.Operation, fit: Fit) -> tuple[ir.Operation, Fit]:
    """The outermost loop around `op` of which each step runs `op` and which computes nothing that
    `fit` compares, or `op` itself; and `fit`, which holds there too where a loop has no step."""
    at = op
    while True:
        loop = at.parent.operation
        counts = _counts(loop)
        if counts is None:
            return at, fit
        forms = (fit.found, *fit.product, fit.limit, *fit.nonempty, *counts)
        if any(made_in(value, loop) for form in forms for value in form.values):
            return at, fit
        at, fit = loop, fit._replace(nonempty=[*fit.nonempty, *counts])


def _counts(loop: Any) -> Sequence[Form] | None:
    """Numbers of which one is not positive where the loop has no step; None of what is no loop, and
    of one whose steps are not known."""
    if loop.name == "scf.for" and isinstance(loop.operands[0].type, ir.IndexType):
        return [index_form(loop.operands[1]).minus(index_form(loop.operands[0]))]
    if loop.name == "affine.for":
        return _affine_count(loop)
    if loop.name == "gs.generic":
        structure = Structure.of(loop.opview)
        accesses = (*structure.inputs, *structure.coordinates, *structure.outputs)
        pairs = [(access.value, access.map) for access in accesses]
    elif loop.name.startswith("linalg."):
        maps = linalg.get_indexing_maps(loop) or ()
        pairs = [(v, a.value) for v, a in zip(loop.operands, maps, strict=False)]
    else:
        return None
    found: list[Form] = []
    for value, map_ in pairs:
        for position, expr in enumerate(map_.results):
            if isinstance(value.type, ir.ShapedType) and plain_dim(expr) is not None:
                size = size_form(value, position)
                found += [] if size in found else [size]
    return found


def _affine_count(loop: ir.Operation) -> Sequence[Form] | None:
    counts = list(loop.attributes["operandSegmentSizes"])
    forms = [index_form(value) for value in list(loop.operands)[: sum(counts[:2])]]
    ends = []
    for name, given in (
        ("lowerBoundMap", forms[: counts[0]]),
        ("upperBoundMap", forms[counts[0] :]),
    ):
        map_ = loop.attributes[name].value
        end = linear(map_.results[0]) if len(map_.results) == 1 else None
        if end is None:
            return None
        ends.append(linear_form(end, given, map_.n_dims))
    return [ends[1].minus(ends[0])]
