"""The module that combines rows of different lengths."""

from string import Template
from typing import Any

from mlir_gs import dialect as gs
from mlir_gs._texts import template
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.functions.bodies import build

_SCALING = """%by = memref.subview %scales[%first] [%size] [1]
        : memref<?x$element> to memref<?x$element, $strided>"""


def module(
    body: str, element: str, wide: str, number: str, start: str, scaled: bool, width: str
) -> Any:
    """A loop over rows, with one `gs.generic` on memrefs in it."""
    shape, strided = f"?x{width}", "strided<[1], offset: ?>"
    parts = {
        "element": element,
        "number": number,
        "start": start,
        "strided": strided,
        "table": f"memref<{shape}{element}>",
        "result": f"memref<{shape}{wide}>",
        "list": f"memref<?x{number}>",
        "bounds": f"memref<?x{start}>",
        "scales": f"%scales: memref<?x{element}>, " if scaled else "",
    }
    if width:
        columns = "%width" if width == "?x" else width[:-1]
        parts["place"] = f"[%r, 0] [1, {columns}] [1, 1]"
        parts["row"] = f"memref<{width}{wide}, {strided}>"
    else:
        parts["place"], parts["row"] = "[%r] [1] [1]", f"memref<{wide}, strided<[], offset: ?>>"
    known = "" if width != "?x" else "%width = memref.dim %result, %c1 : $result"
    parts["width"] = Template(known).substitute(parts)
    parts["scaling"] = Template(_SCALING if scaled else "").substitute(parts)
    text = template(__file__, "mlir/rows.mlir").substitute(parts)
    module = ir.Module.parse(text)
    function = module.body.operations[0]
    entry = function.regions[0].blocks[0]
    loop = next(op for op in entry.operations if op.operation.name == "scf.parallel")
    inner = loop.regions[0].blocks[0]
    views = [op.results[0] for op in inner.operations if op.operation.name == "memref.subview"]
    row_of, numbers, *scaling = views
    with ir.InsertionPoint(inner.operations[len(inner.operations) - 1]):
        _combined(body, entry.arguments[int(scaled)], row_of, numbers, scaling, bool(width))
    return module


def _combined(
    body: str, table: Any, row: Any, numbers: Any, scaling: list[Any], wider: bool
) -> None:
    """row[j] = body(row[j], scaling[k], table[numbers[k], j]) over k and j."""
    k, j = ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)
    number = ir.AffineSymbolExpr.get(0)
    rank = 2 if wider else 1
    columns = [j] if wider else []

    def map_(*results: Any) -> Any:
        return ir.AffineMap.get(rank, 1, list(results))

    gs.generic(
        [*scaling, table],
        [numbers],
        [row],
        indexing_maps=[*[map_(k)] * len(scaling), map_(number, *columns), map_(*columns)],
        coordinate_maps=[[map_(k)]],
        iterator_types=["reduction", *["parallel"] * wider],
        body=lambda *elements: build(body, elements),
    )
