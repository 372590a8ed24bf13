"""StableHLO's ops that move elements, change shapes, and slice, in many forms."""

from collections.abc import Iterator, Sequence
from math import prod

from stablehlo_forms import ELEMENTS, Form, Shape

FEW = ("f32", "ui32", "i1", "complex<f32>", "i4", "ui2", "bf16", "f8E5M2", "i64", "ui64")


def structural() -> Iterator[Form]:
    """All forms of this file."""
    yield from _broadcasts()
    yield from _reshapes()
    yield from _permutations()
    yield from _slices()
    yield from _pads()
    yield from _joins()
    yield from _sizes()
    yield from _iotas()


def array(numbers: Sequence[int]) -> str:
    """A DenseI64ArrayAttr as text."""
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


def _one(
    op: str,
    name: str,
    ins: Sequence[Shape],
    out: Shape,
    attributes: str,
    element: str,
    **more: object,
) -> Iterator[Form]:
    """The form on tensors of one element type, with static sizes and with dynamic ones."""
    for dynamic in (False, True):
        yield Form(
            f"stablehlo.{op}",
            f"{'dynamic ' if dynamic else ''}{name} {element}",
            tuple((shape, element) for shape in ins),
            ((out, element),),
            attributes,
            dynamic=dynamic,
            **more,
        )


def _elements(first: bool) -> tuple[str, ...]:
    """All element types for one of the shapes, some for the others."""
    return ELEMENTS if first else FEW


_BROADCASTS: tuple[tuple[Shape, tuple[int, ...], Shape], ...] = (
    ((), (), ()), ((), (), (3,)), ((), (), (0,)), ((), (), (1, 1)), ((1,), (0,), (3,)),
    ((1,), (0,), (0,)), ((1,), (0,), (1,)), ((0,), (0,), (0,)), ((3,), (1,), (2, 3)),
    ((3,), (0,), (3, 0)), ((3,), (0,), (3, 1)), ((1, 3), (0, 1), (2, 3)), ((2, 1), (1, 0), (1, 2)),
    ((2, 3), (1, 0), (3, 2)), ((1, 1), (0, 2), (2, 2, 2)), ((0, 1), (0, 1), (0, 4)),
)  # fmt: skip


def _broadcasts() -> Iterator[Form]:
    for shape, dims, out in _BROADCASTS:
        for element in _elements(not out):
            name, attributes = f"{shape} {dims} {out}", f"broadcast_dimensions = {array(dims)}"
            yield from _one("broadcast_in_dim", name, [shape], out, attributes, element)
            for index in ("i64", "i32") if element == "f32" else ("i64",):
                for dynamic in (False, True):
                    yield Form(
                        "stablehlo.dynamic_broadcast_in_dim",
                        f"{'dynamic ' if dynamic else ''}{name} {element} {index}",
                        ((shape, element), ((len(out),), index)),
                        ((out, element),),
                        attributes,
                        dynamic=dynamic,
                        given=(None, list(out)),
                        fixed=(1,),
                    )
    for element in ELEMENTS:
        for shape, sizes in (((), (2,)), ((3,), (0,)), ((0,), (2,)), ((2,), ()), ((), ())):
            attributes = f"broadcast_sizes = {_dense_or_array(sizes)}"
            yield from _one(
                "broadcast", f"{shape} {sizes}", [shape], (*sizes, *shape), attributes, element
            )


def _dense_or_array(numbers: Sequence[int]) -> str:
    return array(numbers)


_RESHAPES: tuple[tuple[Shape, Shape], ...] = (
    ((), ()), ((), (1,)), ((), (1, 1)), ((1,), ()), ((1, 1), ()), ((0,), (0,)), ((0,), (2, 0)),
    ((2, 0), (0,)), ((0, 3), (5, 0, 2)), ((6,), (2, 3)), ((2, 3), (3, 2)), ((2, 3), (6,)),
    ((1, 6, 1), (6,)), ((4, 0), (0, 4)), ((2, 3, 2), (3, 4)), ((1,), (1, 1, 1)), ((0, 1), (1, 0)),
)  # fmt: skip


def _reshapes() -> Iterator[Form]:
    for shape, out in _RESHAPES:
        for element in _elements(not shape):
            name = f"{shape} {out}"
            yield from _one("reshape", name, [shape], out, "", element)
            for dynamic in (False, True):
                yield Form(
                    "stablehlo.dynamic_reshape",
                    f"{'dynamic ' if dynamic else ''}{name} {element}",
                    ((shape, element), ((len(out),), "i64")),
                    ((out, element),),
                    dynamic=dynamic,
                    given=(None, list(out)),
                    fixed=(1,),
                )


def _permutations() -> Iterator[Form]:
    for shape, order in (
        ((), ()), ((0,), (0,)), ((1,), (0,)), ((2, 3), (1, 0)), ((2, 0), (1, 0)), ((1, 3), (1, 0)),
        ((2, 1, 3), (2, 0, 1)), ((0, 2, 3), (1, 2, 0)),
    ):  # fmt: skip
        for element in _elements(shape in ((), (2, 3))):
            out = tuple(shape[d] for d in order)
            attributes = f"permutation = {array(order)}"
            yield from _one("transpose", f"{shape} {order}", [shape], out, attributes, element)
    for shape, dims in (
        ((), ()), ((0,), (0,)), ((1,), (0,)), ((3,), (0,)), ((2, 3), (0, 1)), ((2, 0), (1,)),
        ((2, 0), (0,)), ((2, 3), ()),
    ):  # fmt: skip
        for element in _elements(shape in ((), (3,))):
            attributes = f"dimensions = {array(dims)}"
            yield from _one("reverse", f"{shape} {dims}", [shape], shape, attributes, element)


_SLICES: tuple[tuple[Shape, Shape, Shape, Shape], ...] = (
    ((), (), (), ()), ((3,), (0,), (3,), (1,)), ((3,), (1,), (3,), (2,)), ((3,), (3,), (3,), (1,)),
    ((0,), (0,), (0,), (1,)), ((1,), (0,), (1,), (9,)), ((5,), (1,), (5,), (2**63 - 1,)),
    ((5,), (0,), (0,), (2**62,)), ((2, 3), (1, 0), (2, 3), (1, 2)),
    ((2, 0), (0, 0), (2, 0), (1, 1)),
    ((4, 1), (1, 0), (3, 0), (1, 1)),
)  # fmt: skip


def _slices() -> Iterator[Form]:
    for shape, start, limit, stride in _SLICES:
        out = tuple(-(-(b - a) // s) for a, b, s in zip(start, limit, stride, strict=True))
        name = f"{shape} {start} {limit} {stride}"
        for element in _elements(shape in ((), (3,))):
            attributes = (
                f"start_indices = {array(start)}, limit_indices = {array(limit)}, "
                f"strides = {array(stride)}"
            )
            yield from _one("slice", name, [shape], out, attributes, element)
            if not shape:
                continue
            for dynamic in (False, True):
                numbers = ((len(shape),), "i64")
                yield Form(
                    "stablehlo.real_dynamic_slice",
                    f"{'dynamic ' if dynamic else ''}{name} {element}",
                    ((shape, element), numbers, numbers, numbers),
                    ((out, element),),
                    dynamic=dynamic,
                    given=(None, list(start), list(limit), list(stride)),
                    fixed=(1, 2, 3),
                )
    for shape, sizes in (((), ()), ((3,), (2,)), ((3,), (0,)), ((0,), (0,)), ((1, 3), (1, 2))):
        for start in (0, 1, -1, 100, -(2**31) + 3):
            for element in _elements(shape in ((), (3,)) and start == 1):
                for index in ("i32", "ui8", "i64", "ui64") if element == "f32" else ("i32",):
                    number = start % 128 if index[0] == "u" else start
                    ins = (((), index),) * len(shape)
                    name = f"{shape} {sizes} at {number} {index} {element}"
                    given = (None, *[number] * len(shape))
                    one, part = (shape, element), (sizes, element)
                    yield Form(
                        "stablehlo.dynamic_slice", name, (one, *ins), (part,),
                        f"slice_sizes = {array(sizes)}", given=given,
                    )  # fmt: skip
                    yield Form(
                        "stablehlo.dynamic_update_slice", name, (one, part, *ins), (one,),
                        given=(None, None, *given[1:]),
                    )  # fmt: skip


_PADS: tuple[tuple[Shape, Shape, Shape, Shape], ...] = (
    ((), (), (), ()), ((3,), (1,), (2,), (0,)), ((3,), (-1,), (0,), (0,)),
    ((3,), (0,), (-2,), (0,)),
    ((3,), (-1,), (2,), (1,)), ((3,), (-3,), (3,), (0,)), ((3,), (-4,), (4,), (2,)),
    ((0,), (2,), (0,), (1,)), ((0,), (0,), (0,), (3,)), ((0,), (3,), (-2,), (2,)),
    ((1,), (-1,), (1,), (5,)), ((1,), (0,), (0,), (2**40,)), ((2, 3), (1, -1), (0, 2), (2, 0)),
    ((2, 0), (0, 1), (1, 0), (0, 1)), ((0, 3), (1, 1), (1, -1), (1, 1)), ((3,), (-1,), (-2,), (0,)),
    ((3,), (5,), (-6,), (0,)), ((3,), (-6,), (8,), (0,)), ((3,), (-3,), (-2,), (1,)),
)  # fmt: skip


def _pads() -> Iterator[Form]:
    for shape, low, high, interior in _PADS:
        out = tuple(
            a + b + n + max(n - 1, 0) * i
            for n, a, b, i in zip(shape, low, high, interior, strict=True)
        )
        name = f"{shape} {low} {high} {interior}"
        for element in _elements(low in ((1,), (-1,))):
            attributes = (
                f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, "
                f"interior_padding = {array(interior)}"
            )
            yield from _one("pad", name, [shape, ()], out, attributes, element)
            for dynamic in (False, True):
                numbers = ((len(shape),), "i64")
                yield Form(
                    "stablehlo.dynamic_pad",
                    f"{'dynamic ' if dynamic else ''}{name} {element}",
                    ((shape, element), ((), element), numbers, numbers, numbers),
                    ((out, element),),
                    dynamic=dynamic,
                    given=(None, None, list(low), list(high), list(interior)),
                    fixed=(2, 3, 4),
                )


def _joins() -> Iterator[Form]:
    for shapes, dim in (
        ([(3,)], 0), ([(0,)], 0), ([(1,), (0,), (2,)], 0), ([(2, 0), (2, 3)], 1),
        ([(0, 3), (0, 3)], 0), ([(2, 3), (1, 3)], 0),
    ):  # fmt: skip
        out = list(shapes[0])
        out[dim] = sum(shape[dim] for shape in shapes)
        for element in _elements(len(shapes) == 3):
            attributes = f"dimension = {dim} : i64"
            yield from _one(
                "concatenate", f"{shapes} {dim}", shapes, tuple(out), attributes, element
            )


def _sizes() -> Iterator[Form]:
    for element in ELEMENTS:
        for dynamic in (False, True):
            name = f"{'dynamic ' if dynamic else ''}{element}"
            one = ((0, 3), element)
            for dim in (0, 1):
                attributes = f"dimension = {dim} : i64"
                yield Form(
                    "stablehlo.get_dimension_size", f"{name} {dim}", (one,), (((), "i32"),),
                    attributes, dynamic=dynamic,
                )  # fmt: skip
            yield Form(
                "stablehlo.set_dimension_size", name, (((3,), element), ((), "i32")),
                (((3,), element),), "dimension = 0 : i64", dynamic=dynamic, given=(None, 3),
                fixed=(1,),
            )  # fmt: skip


def _iotas() -> Iterator[Form]:
    for element in ELEMENTS:
        for shape, dim in (((0,), 0), ((1,), 0), ((3,), 0), ((2, 3), 1), ((2, 0), 0)):
            attributes = f"iota_dimension = {dim} : i64"
            outs = ((shape, element),)
            yield Form("stablehlo.iota", f"{shape} {dim} {element}", (), outs, attributes)
            for dynamic in (False, True):
                yield Form(
                    "stablehlo.dynamic_iota",
                    f"{'dynamic ' if dynamic else ''}{shape} {dim} {element}",
                    (((len(shape),), "i64"),),
                    outs,
                    attributes,
                    dynamic=dynamic,
                    given=(list(shape),),
                    fixed=(0,),
                )
        for shape in ((), (0,), (1,), (2, 3), (2, 0)):
            number = "1" if element[0] in "iu" else "1.0"
            number = "true" if element == "i1" else number
            number = "(1.0, 2.0)" if element[0] == "c" else number
            value = number if prod(shape) else ""
            sizes = "".join(f"{n}x" for n in shape)
            for op in ("stablehlo.constant", "chlo.constant"):
                yield Form(
                    op, f"{shape} {element}", (), ((shape, element),),
                    f"value = dense<{value}> : tensor<{sizes}{element}>",
                )  # fmt: skip
