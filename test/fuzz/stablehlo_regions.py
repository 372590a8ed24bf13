"""StableHLO's ops with a computation of their own, in many forms: reductions, windows, scatters."""

from collections.abc import Iterator, Sequence

import numpy as np
from stablehlo_forms import ELEMENTS, Form, Shape
from stablehlo_structural import FEW, array

COMBINERS = ("add", "multiply", "maximum", "minimum", "and", "or", "xor")
_SOME = ("f32", "ui32", "i8", "bf16", "complex<f32>", "i1")


def with_regions() -> Iterator[Form]:
    """All forms of this file."""
    yield from _reductions()
    yield from _windows()
    yield from _selections()
    yield from _maps_and_sorts()
    yield from _scatters_and_gathers()


def combiner(op: str, element: str) -> str:
    """A region of two elements and one result."""
    type_ = f"tensor<{element}>"
    return (
        f"{{ ^bb0(%x: {type_}, %y: {type_}): %z = stablehlo.{op} %x, %y : {type_} "
        f'"stablehlo.return"(%z) : ({type_}) -> () }}'
    )


def comparison(direction: str, element: str) -> str:
    """A region that compares two elements."""
    type_ = f"tensor<{element}>"
    return (
        f"{{ ^bb0(%x: {type_}, %y: {type_}): %z = stablehlo.compare {direction}, %x, %y : "
        f'({type_}, {type_}) -> tensor<i1> "stablehlo.return"(%z) : (tensor<i1>) -> () }}'
    )


def _near(op: str, element: str) -> float:
    if op in ("add", "multiply") and ("f" in element):
        return (
            2.0**-5
            if element in ("bf16", "f16")
            else 2.0**-19
            if "f32" in element
            else (2.0**-40 if "f64" in element else 0.5)
        )
    return 0.0


_REDUCED: tuple[tuple[Shape, tuple[int, ...]], ...] = (
    ((), ()), ((0,), (0,)), ((1,), (0,)), ((5,), (0,)), ((2, 3), (1,)), ((2, 3), (0, 1)),
    ((2, 0), (1,)), ((2, 0), (0,)), ((0, 3), (1,)), ((0, 3), (0,)), ((1, 1), (0, 1)), ((2, 3), ()),
    ((2, 0, 3), (1,)), ((0, 0), (0,)),
)  # fmt: skip


def _reductions() -> Iterator[Form]:
    for shape, dims in _REDUCED:
        out = tuple(n for d, n in enumerate(shape) if d not in dims)
        for op in COMBINERS:
            for element in ELEMENTS if (shape, dims) == ((5,), (0,)) else _SOME:
                for dynamic in (False, True):
                    yield Form(
                        "stablehlo.reduce",
                        f"{'dynamic ' if dynamic else ''}{shape} {dims} {op} {element}",
                        ((shape, element), ((), element)),
                        ((out, element),),
                        f"dimensions = {array(dims)}",
                        combiner(op, element),
                        _near(op, element),
                        dynamic,
                        (_pool(op, element, shape), None),
                    )
        for element in ("f32", "ui8"):
            value, at = f"tensor<{element}>", "tensor<i32>"
            region = (
                f"{{ ^bb0(%a: {value}, %i: {at}, %b: {value}, %j: {at}): "
                f"%c = stablehlo.compare GE, %a, %b : ({value}, {value}) -> tensor<i1> "
                f"%v = stablehlo.select %c, %a, %b : tensor<i1>, {value} "
                f"%k = stablehlo.select %c, %i, %j : tensor<i1>, {at} "
                f'"stablehlo.return"(%v, %k) : ({value}, {at}) -> () }}'
            )
            for dynamic in (False, True):
                yield Form(
                    "stablehlo.reduce",
                    f"{'dynamic ' if dynamic else ''}{shape} {dims} argmax {element}",
                    ((shape, element), (shape, "i32"), ((), element), ((), "i32")),
                    ((out, element), (out, "i32")),
                    f"dimensions = {array(dims)}",
                    region,
                    dynamic=dynamic,
                )


def _pool(op: str, element: str, shape: Shape) -> list | None:
    """Small numbers where an order of a sum would show; None where it does not."""
    if op not in ("add", "multiply") or element[0] in "iu":
        return None
    count = 1
    for n in shape:
        count *= n
    return (np.arange(count) % 4 - 1).reshape(shape).tolist() if count else None


_WINDOWS: tuple[tuple[Shape, Shape, Shape, Shape, Shape, tuple[Shape, ...]], ...] = (
    # operand, window, strides, base and window dilations, padding
    ((), (), (), (), (), ()),
    ((5,), (2,), (1,), (1,), (1,), ((0, 0),)),
    ((5,), (2,), (2,), (1,), (1,), ((1, 0),)),
    ((6,), (6,), (1,), (1,), (1,), ((5, 0),)),
    ((4,), (2,), (1,), (2,), (1,), ((0, 1),)),
    ((5,), (2,), (1,), (1,), (3,), ((0, 0),)),
    ((5,), (3,), (1,), (1,), (1,), ((-1, -1),)),
    ((0,), (2,), (1,), (1,), (1,), ((0, 0),)),
    ((0,), (2,), (1,), (1,), (1,), ((2, 1),)),
    ((0,), (1,), (1,), (3,), (1,), ((1, 1),)),
    ((1,), (3,), (1,), (1,), (1,), ((0, 0),)),
    ((1,), (1,), (5,), (1,), (1,), ((0, 0),)),
    ((4, 4), (2, 2), (2, 2), (1, 1), (1, 1), ((0, 0), (0, 0))),
    ((3, 4), (2, 1), (1, 2), (1, 2), (2, 1), ((1, 0), (0, 1))),
    ((2, 0), (1, 1), (1, 1), (1, 1), (1, 1), ((0, 0), (1, 1))),
    ((1, 4, 4, 1), (1, 2, 2, 1), (1, 1, 1, 1), (1,) * 4, (1,) * 4, ((0, 0),) * 4),
    ((5,), (2,), (2**40,), (1,), (1,), ((0, 0),)),
)


def window_count(size: int, window: int, stride: int, base: int, dilation: int, pad: Shape) -> int:
    """How many windows fit."""
    padded = pad[0] + (0 if size == 0 else (size - 1) * base + 1) + pad[1]
    reach = (window - 1) * dilation + 1 if window else 0
    return 0 if padded <= 0 or reach > padded else (padded - reach) // stride + 1


def padding(pads: Sequence[Shape]) -> str:
    """The attribute of windows' padding."""
    listed = ", ".join(f"[{a}, {b}]" for a, b in pads)
    if not pads:
        return "padding = dense<> : tensor<0x2xi64>"
    return f"padding = dense<[{listed}]> : tensor<{len(pads)}x2xi64>"


def _windows() -> Iterator[Form]:
    for shape, window, strides, bases, dilations, pads in _WINDOWS:
        each = zip(shape, window, strides, bases, dilations, pads, strict=True)
        out = tuple(window_count(*numbers) for numbers in each)
        attributes = (
            f"window_dimensions = {array(window)}, window_strides = {array(strides)}, "
            f"base_dilations = {array(bases)}, window_dilations = {array(dilations)}, "
            f"{padding(pads)}"
        )
        for op in ("add", "maximum", "minimum", "multiply", "or"):
            for element in ELEMENTS if shape == (6,) and op in ("add", "maximum") else _SOME:
                for dynamic in (False, True):
                    yield Form(
                        "stablehlo.reduce_window",
                        f"{'dynamic ' if dynamic else ''}{shape} window {window} strides {strides} "
                        f"dilations {bases} {dilations} padding {pads} {op} {element}",
                        ((shape, element), ((), element)),
                        ((out, element),),
                        attributes,
                        combiner(op, element),
                        _near(op, element),
                        dynamic,
                        (_pool(op, element, shape), None),
                    )


_SELECTED: tuple[tuple[Shape, Shape, Shape, tuple[Shape, ...]], ...] = (
    ((), (), (), ()),
    ((6,), (2,), (2,), ((0, 0),)),
    ((6,), (3,), (1,), ((0, 0),)),
    ((5,), (3,), (2,), ((1, 1),)),
    ((5,), (2,), (4,), ((0, 0),)),
    ((0,), (1,), (1,), ((0, 0),)),
    ((1,), (3,), (1,), ((1, 1),)),
    ((1,), (2,), (1,), ((0, 0),)),
    ((4, 4), (2, 2), (2, 2), ((0, 0), (0, 0))),
    ((4, 5), (3, 2), (1, 2), ((1, 0), (0, 1))),
    ((2, 0), (1, 1), (1, 1), ((0, 0), (0, 0))),
    ((1, 3, 3, 1), (1, 2, 2, 1), (1, 1, 1, 1), ((0, 0),) * 4),
)


def _selections() -> Iterator[Form]:
    for selected in _SELECTED:
        for direction in ("GE", "GT", "LE", "LT", "EQ"):
            first = selected[0] == (6,) and direction == "GE"
            for element in ELEMENTS if first else _SOME:
                yield from _selection(*selected, direction, "add", element, direction == "GE")
                if direction == "GE":
                    yield from _selection(*selected, direction, "maximum", element, False)


def _selection(
    shape: Shape,
    window: Shape,
    strides: Shape,
    pads: tuple[Shape, ...],
    direction: str,
    scatter: str,
    element: str,
    both: bool,
) -> Iterator[Form]:
    each = zip(shape, window, strides, pads, strict=True)
    source = tuple(window_count(n, w, s, 1, 1, p) for n, w, s, p in each)
    values = _pool("add", element, source)
    for ties in (False, True) if direction in ("GE", "LE") else (False,):
        for dynamic in (False, True) if both else (False,):
            yield Form(
                "stablehlo.select_and_scatter",
                f"{'dynamic ' if dynamic else ''}{shape} window {window} strides {strides} padding "
                f"{pads} {direction} {scatter} {element}{' ties' if ties else ''}",
                ((shape, element), (source, element), ((), element)),
                ((shape, element),),
                f"window_dimensions = {array(window)}, window_strides = {array(strides)}, "
                f"{padding(pads)}",
                f"{comparison(direction, element)}, {combiner(scatter, element)}",
                _near(scatter, element),
                dynamic,
                # The interpreter takes the initial value more than once: it has to change nothing.
                (_equal(shape) if ties else None, values, 0 if scatter == "add" else None),
            )


def _equal(shape: Shape) -> list:
    return np.ones(shape, np.int8).tolist()


def _maps_and_sorts() -> Iterator[Form]:
    for shape in ((0,), (1,), (5,), (2, 3), (2, 0), (0, 3), ()):
        for element in ELEMENTS if shape == (5,) else FEW:
            one = (shape, element)
            for dynamic in (False, True):
                prefix = "dynamic " if dynamic else ""
                for op in ("add", "maximum", "subtract", "and"):
                    yield Form(
                        "stablehlo.map", f"{prefix}{shape} {op} {element}", (one, one), (one,),
                        f"dimensions = {array(range(len(shape)))}", combiner(op, element),
                        dynamic=dynamic,
                    )  # fmt: skip
                falling = _falling(shape) if 0 not in shape and "f" in element else None
                for dim in range(-1, len(shape)):
                    for stable in ("true", "false"):
                        yield Form(
                            "stablehlo.sort", f"{prefix}{shape} {dim} {stable} {element}", (one,),
                            (one,), f"dimension = {dim} : i64, is_stable = {stable}",
                            comparison("LT", element), dynamic=dynamic,
                            given=(falling,),
                        )  # fmt: skip


def _falling(shape: Shape) -> list:
    count = int(np.prod(shape))
    return (-np.arange(count) % 4).reshape(shape).tolist()


def _scatters_and_gathers() -> Iterator[Form]:
    for rows in (0, 1, 3):
        for count in (0, 1, 4):
            for width in (0, 1, 2):
                for index in ("i64", "ui8"):
                    yield from _one_scatter(rows, count, width, index)


def _one_scatter(rows: int, count: int, width: int, index: str) -> Iterator[Form]:
    name = f"{count} of {rows} x {width} by {index}"
    numbers = (
        "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
        "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    )
    taken = (
        "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 1>"
    )
    at = [[(n * 2) % max(rows, 1)] for n in range(count)] if count else None
    given = (None, at, None)
    full = rows == 3 and count == 4 and width == 2
    for element in ELEMENTS if full else _SOME:
        operand, places = ((rows, width), element), ((count, 1), index)
        updates = ((count, width), element)
        for dynamic in (False, True):
            prefix = "dynamic " if dynamic else ""
            for op in ("add", "maximum", "multiply", "minimum") if full else ("add", "multiply"):
                yield Form(
                    "stablehlo.scatter", f"{prefix}{name} {op} {element}",
                    (operand, places, updates), (operand,),
                    f"scatter_dimension_numbers = {numbers}", combiner(op, element),
                    _near(op, element), dynamic, given,
                )  # fmt: skip
            if rows:
                yield Form(
                    "stablehlo.gather", f"{prefix}{name} {element}", (operand, places), (updates,),
                    f"dimension_numbers = {taken}, slice_sizes = array<i64: 1, {width}>",
                    dynamic=dynamic, given=given[:2],
                )  # fmt: skip
                yield Form(
                    "stablehlo.dynamic_gather", f"{prefix}{name} {element}",
                    (operand, places, ((2,), "i64")), (updates,), f"dimension_numbers = {taken}",
                    dynamic=dynamic, given=(*given[:2], [1, width]), fixed=(2,),
                )  # fmt: skip
                yield Form(
                    "stablehlo.torch_index_select", f"{prefix}{name} {element}",
                    (operand, ((count,), index)), (updates,), "dim = 0 : i64, batch_dims = 0 : i64",
                    dynamic=dynamic, given=(None, [n for (n,) in at] if at else None),
                )  # fmt: skip
