"""Modules that gather and scatter slices, for any sizes: one per element type, ranks and mode."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mlir_gs import dialect
from mlir_gs.dialect import generic
from mlir_gs.dialect._bindings import dialect as upstream
from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.common.combiners import combiner

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Slices:
    """Which slices of an operand the coordinates address.

    Of `operand[batch.., rest..]` each tuple in `indices[batch.., i.., k]` addresses `dims`, k of
    the dims past the first `batch` ones. The slices are `[batch.., rest[:at].., i.., rest[at:]..]`,
    where rest are the dims that are neither batch nor addressed.
    """

    dims: tuple[int, ...]
    batch: int = 0
    at: int = 0

    def rest(self, rank: int) -> list[int]:
        """The dims of the operand that a slice keeps."""
        return [d for d in range(self.batch, rank) if d not in self.dims]

    def shape(self, operand: Shape, indices: Shape) -> Shape:
        """The shape of the slices. Raises TypeError for shapes that do not fit."""
        rank, batch = len(operand), self.batch
        if not indices or indices[-1] != len(self.dims):
            raise TypeError(
                f"the last dim of indices must have size {len(self.dims)}, one per addressed dim,"
                f" found shape {list(indices)}"
            )
        if not 0 <= batch <= min(rank, len(indices) - 1):
            raise TypeError(f"batch_dims {batch} is more than the operands have dims")
        if operand[:batch] != indices[:batch]:
            raise TypeError(
                "the batch dims of operand and indices must agree, found"
                f" {list(operand[:batch])} and {list(indices[:batch])}"
            )
        ascending = list(self.dims) == sorted(set(self.dims))
        if not self.dims or not ascending or not batch <= self.dims[0] <= self.dims[-1] < rank:
            raise TypeError(
                f"addressed dims must ascend and lie in [{batch}, {rank}), found {list(self.dims)}"
            )
        kept = tuple(operand[d] for d in self.rest(rank))
        return operand[:batch] + kept[: self.at] + indices[batch:-1] + kept[self.at :]

    def maps(
        self, rank: int, index_rank: int
    ) -> tuple[ir.AffineMap, ir.AffineMap, list[ir.AffineMap], int]:
        """The maps of the operand, of the slices and of the coordinates; the rank of the slices."""
        inner, rest = index_rank - 1 - self.batch, self.rest(rank)
        count, start = self.batch + len(rest) + inner, self.batch + self.at
        plain = [ir.AffineDimExpr.get(d) for d in range(count)]
        batch, tuples = plain[: self.batch], plain[start : start + inner]
        kept = dict(zip(rest, plain[self.batch : start] + plain[start + inner :], strict=True))
        where = kept | dict(enumerate(batch))
        where |= {d: ir.AffineSymbolExpr.get(k) for k, d in enumerate(self.dims)}
        numbers = [ir.AffineConstantExpr.get(k) for k in range(len(self.dims))]

        def map_(results: Sequence[Any]) -> ir.AffineMap:
            return ir.AffineMap.get(count, len(self.dims), list(results))

        coordinates = [map_([*batch, *tuples, number]) for number in numbers]
        return map_([where[d] for d in range(rank)]), map_(plain), coordinates, count

    def kinds(self, rank: int, index_rank: int) -> list[str]:
        """Iterator types of a scatter: the tuples are walked in order."""
        inner = range(self.batch + self.at, self.at + index_rank - 1)
        count = rank - len(self.dims) + len(inner)
        return ["reduction" if d in inner else "parallel" for d in range(count)]


@dataclass(frozen=True)
class Access:
    """What is known and wanted of the coordinates, in the words of the dialect."""

    mode: str = "promise_in_bounds"
    wrap_negative: bool = False
    unique: bool = False
    sorted: bool = False

    def attributes(self, count: int) -> dict[str, Any]:
        """The attributes of a gs.generic with `count` symbols."""
        mode = "fill_or_drop" if self.mode in ("fill", "drop") else self.mode
        return {
            "modes": [mode] * count,
            "wrap_negative": [self.wrap_negative] * count,
            "unique": self.unique,
            "sorted": self.sorted,
        }


def gather_module(
    element: np.dtype[Any],
    rank: int,
    index: np.dtype[Any],
    index_rank: int,
    slices: Slices,
    access: Access,
    fill_value: bytes,
) -> ir.Module:
    """`main(source, indices) -> slices`; `fill_value` is an element, for mode fill, else empty."""
    with dialect.context(), ir.Location.name("mlir_gs.integrations.jax"):
        source_type, index_type = _type(element, rank), _indices(index, index_rank, slices)
        operand, plain, coordinates, count = slices.maps(rank, index_rank)
        value = np.frombuffer(fill_value, element)[0].item() if fill_value else None
        fill = _fill(source_type.element_type, value) if fill_value else None

        def build(source: Any, indices: Any) -> Any:
            sizes = [_size(source, d) for d in range(slices.batch)]
            kept = [_size(source, d) for d in slices.rest(rank)]
            inner = [_size(indices, d) for d in range(slices.batch, index_rank - 1)]
            sizes += kept[: slices.at] + inner + kept[slices.at :]
            return generic(
                [source],
                [indices],
                [upstream("tensor").empty(sizes, source_type.element_type)],
                indexing_maps=[operand, plain],
                coordinate_maps=[coordinates],
                body=lambda value, _current: value,
                fill_values=[fill],
                **access.attributes(len(slices.dims)),
            ).results

        return _module([source_type, index_type], [_type(element, count)], build, ())


def scatter_module(
    element: np.dtype[Any],
    rank: int,
    index: np.dtype[Any],
    index_rank: int,
    slices: Slices,
    access: Access,
    combine: str | None,
    parts: int = 1,
) -> ir.Module:
    """`main(dest.., indices, updates..) -> dest..`, which are written in place; of two `parts` the
    real and the imaginary ones of complex numbers."""
    with dialect.context(), ir.Location.name("mlir_gs.integrations.jax"):
        dest_type, index_type = _type(element, rank), _indices(index, index_rank, slices)
        operand, plain, coordinates, count = slices.maps(rank, index_rank)
        signed = dest_type.element_type
        if element.kind == "u":
            signed = ir.IntegerType.get_unsigned(signed.width)
        apply = combiner(combine, signed) if combine else None

        def body(*values: Any) -> Any:
            if parts == 2:
                return _of_pairs(combine, values[2:], values[:2])
            value, current = values
            return apply(current, value) if apply else value

        def build(*values: Any) -> Any:
            dests, indices, updates = values[:parts], values[parts], values[parts + 1 :]
            return generic(
                updates,
                [indices],
                dests,
                indexing_maps=[*[plain] * parts, *[operand] * parts],
                coordinate_maps=[coordinates],
                iterator_types=slices.kinds(rank, index_rank),
                body=body,
                **access.attributes(len(slices.dims)),
            ).results

        inputs = [*[dest_type] * parts, index_type, *[_type(element, count)] * parts]
        return _module(inputs, [dest_type] * parts, build, range(parts))


def _of_pairs(combine: str | None, current: Sequence[Any], value: Sequence[Any]) -> list[Any]:
    """`combine` of two complex numbers by their parts. The least and the greatest are by real and
    then by imaginary parts, and the update where one of those compared is NaN, as in XLA."""
    arith = upstream("arith")
    (a, b), (c, d) = current, value
    if combine == "mul":
        real = arith.subf(arith.mulf(a, c), arith.mulf(b, d))
        return [real, arith.addf(arith.mulf(a, d), arith.mulf(b, c))]
    kind = arith.CmpFPredicate
    order = kind.OLT if combine == "min" else kind.OGT
    stays = arith.select(
        arith.cmpf(kind.OEQ, a, c), arith.cmpf(order, b, d), arith.cmpf(order, a, c)
    )
    return [arith.select(stays, a, c), arith.select(stays, b, d)]


def _module(
    inputs: Sequence[ir.Type], results: Sequence[ir.Type], build: Any, writable: Sequence[int]
) -> ir.Module:
    func = upstream("func")
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        function = func.FuncOp("main", (list(inputs), list(results)))
    with ir.InsertionPoint(function.add_entry_block()):
        func.ReturnOp(list(build(*function.arguments)))
    marked = ir.DictAttr.get({"bufferization.writable": ir.BoolAttr.get(True)})
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(
        [marked if number in writable else ir.DictAttr.get({}) for number in range(len(inputs))]
    )
    return module


def _size(value: Any, dim: int) -> Any:
    constant = upstream("arith").constant(ir.IndexType.get(), dim)
    return upstream("tensor").dim(value, constant)


_FLOATS = {"float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}


def element_type(element: np.dtype[Any]) -> ir.Type:
    """MLIR's signless type for a NumPy dtype of ml_dtypes or NumPy itself."""
    name = element.name
    if name in _FLOATS:
        return ir.Type.parse(_FLOATS[name])
    if name.startswith("float8_"):
        return ir.Type.parse(f"f8{name.removeprefix('float8_').upper()}")
    return ir.IntegerType.get_signless(1 if element.kind == "b" else 8 * element.itemsize)


def _type(element: np.dtype[Any], rank: int) -> Any:
    sizes = [ir.ShapedType.get_dynamic_size()] * rank
    return ir.RankedTensorType.get(sizes, element_type(element))


def _indices(index: np.dtype[Any], rank: int, slices: Slices) -> Any:
    sizes = [ir.ShapedType.get_dynamic_size()] * (rank - 1) + [len(slices.dims)]
    width = 8 * index.itemsize
    kind = ir.IntegerType.get_unsigned if index.kind == "u" else ir.IntegerType.get_signless
    return ir.RankedTensorType.get(sizes, kind(width))


def _fill(kind: Any, value: Any) -> ir.Attribute:
    """The element that stands for what is out of bounds."""
    if isinstance(kind, ir.FloatType):
        return ir.FloatAttr.get(kind, float(value))
    wrapped = int(value) % (1 << kind.width)
    if wrapped >> (kind.width - 1) and kind.width > 1:
        wrapped -= 1 << kind.width
    return ir.IntegerAttr.get(kind, wrapped)
