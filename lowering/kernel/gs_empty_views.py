"""`gs-empty-views`: views of memory without elements, which upstream divides by."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import replace_op, walk_named
from mlir_gs.lowering.ir.emit import dynamic_and_static, product, size_of, value
from mlir_gs.lowering.passes.registry import register_pass

memref = dialect("memref")


@register_pass
@dataclass(frozen=True)
class GsEmptyViews:
    """Make each memref.collapse_shape of memory that has a size of 0 a memref.reinterpret_cast.

    Nothing is read through it. Upstream's `fold-memref-alias-ops` divides a constant index of a
    load by the sizes, and ends the process.
    """

    name: ClassVar[str] = "gs-empty-views"
    only_with: ClassVar[tuple[str, ...]] = ("memref.collapse_shape",)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "memref.collapse_shape"):
            source, type_ = op.operands[0], op.results[0].type
            if 0 not in source.type.shape:
                continue
            strides, offset = type_.get_strides_and_offset()
            with ir.InsertionPoint(op), op.location:
                sizes = [
                    value(product(size_of(source, dim.value) for dim in group))
                    if size == DYNAMIC
                    else size
                    for size, group in zip(type_.shape, op.attributes["reassociation"], strict=True)
                ]
                parts = [
                    dynamic_and_static(part)
                    for part in (
                        [value(0) if offset == DYNAMIC else offset],
                        sizes,
                        [value(0) if stride == DYNAMIC else stride for stride in strides],
                    )
                ]
                made = memref.reinterpret_cast(
                    type_, source, *(values for values, _ in parts), *(known for _, known in parts)
                )
                replace_op(op, [made])
