"""Element-wise ops of StableHLO and chlo, and conversions, in many forms."""

import re
from collections.abc import Iterator

import numpy as np
from stablehlo_forms import ELEMENTS, FLOATS, Form, Shape

SHAPES: tuple[Shape, ...] = ((), (0,), (1,), (2, 3), (2, 0), (1, 3))
LONG = (14,)

_UNARY = (
    "abs", "cbrt", "ceil", "cosine", "count_leading_zeros", "exponential", "exponential_minus_one",
    "floor", "is_finite", "log", "log_plus_one", "logistic", "negate", "not", "popcnt", "real",
    "imag", "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sine", "sqrt", "tan",
    "tanh", "optimization_barrier",
)  # fmt: skip
_BINARY = (
    "add", "atan2", "and", "complex", "divide", "maximum", "minimum", "multiply", "or", "power",
    "remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor",
)  # fmt: skip
_CHLO_UNARY = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma",
    "erf", "erf_inv", "erfc", "is_inf", "is_neg_inf", "is_pos_inf", "lgamma", "sinh", "square",
    "tan", "_asin_acos_kernel", "constant_like",
)  # fmt: skip
_CHLO_BINARY = (
    "broadcast_add", "broadcast_and", "broadcast_atan2", "broadcast_complex", "broadcast_divide",
    "broadcast_maximum", "broadcast_minimum", "broadcast_multiply", "broadcast_next_after",
    "broadcast_or", "broadcast_polygamma", "broadcast_power", "broadcast_remainder",
    "broadcast_shift_left", "broadcast_shift_right_arithmetic", "broadcast_shift_right_logical",
    "broadcast_subtract", "broadcast_xor", "broadcast_zeta", "mulhi", "next_after", "polygamma",
    "zeta",
)  # fmt: skip
_EXACT = {
    *("abs", "ceil", "count_leading_zeros", "floor", "is_finite", "negate", "not", "popcnt"),
    *("real", "imag", "round_nearest_afz", "round_nearest_even", "sign", "optimization_barrier"),
    *("add", "and", "complex", "maximum", "minimum", "or", "remainder", "subtract", "xor"),
    *("shift_left", "shift_right_arithmetic", "shift_right_logical", "conj", "is_inf"),
    *("is_neg_inf", "is_pos_inf", "constant_like", "next_after", "mulhi"),
}
_DIGITS = {"f32": 23, "f64": 52, "f16": 10, "bf16": 7}


def near(name: str, element: str) -> float:
    """The relative difference that a function of the library of mathematics may have."""
    part = element.removeprefix("complex<").removesuffix(">")
    if name.removeprefix("broadcast_") in _EXACT or element[0] in "iu":
        return 0.0
    if name in ("multiply", "divide", "sqrt") and part == element:
        return 0.0
    # A few units in the last place, and of 8 bits and fewer one.
    return 2.0 ** (6 - _DIGITS[part]) if part in _DIGITS else 0.5


def _plain(op: str, count: int, attributes: str = "") -> Iterator[Form]:
    """An op on `count` operands of one type, with the results that it might have."""
    dialect, name = op.split(".")
    for element in ELEMENTS:
        shapes = SHAPES if element in ("f32", "ui32", "i1", "complex<f32>") else ((),)
        part = element.removeprefix("complex<").removesuffix(">")
        outs = dict.fromkeys((element, part, "i1", f"complex<{element}>"))
        for out in outs:
            if out != element and name not in _OTHER_RESULT:
                continue
            for shape, dynamic in [*((s, False) for s in (*shapes, LONG)), (LONG, True)]:
                relative = near(name, element) if dialect == "stablehlo" else near("tan", part)
                yield Form(
                    op,
                    f"{'dynamic ' if dynamic else ''}{list(shape)} {element}",
                    ((shape, element),) * count,
                    ((shape, out),),
                    attributes,
                    relative=relative,
                    dynamic=dynamic,
                    # What is made of infinite parts differs from library to library.
                    given=(_finite(shape),) * count
                    if part != element and (relative or name == "sign")
                    else (),
                )


def _finite(shape: Shape) -> list | complex:
    values = np.array([1, 0.5 - 0.25j, 1 + 0.5j, 0.75 - 1j, 1.5])
    return values[np.arange(int(np.prod(shape))) % 5].reshape(shape).tolist()


_OTHER_RESULT = (
    "is_finite", "is_inf", "is_neg_inf", "is_pos_inf", "real", "imag", "abs", "complex",
    "broadcast_complex",
)  # fmt: skip


def elementwise() -> Iterator[Form]:
    """All forms of this file."""
    for name in _UNARY:
        yield from _plain(f"stablehlo.{name}", 1)
    for name in _BINARY:
        yield from _plain(f"stablehlo.{name}", 2)
    for name in _CHLO_UNARY:
        value = "value = 3.0 : f32" if name == "constant_like" else ""
        yield from _plain(f"chlo.{name}", 1, value)
    for name in _CHLO_BINARY:
        yield from _plain(f"chlo.{name}", 2)
    yield from _comparisons()
    yield from _choices()
    yield from _conversions()
    yield from _precisions()


def _comparisons() -> Iterator[Form]:
    for element in ELEMENTS:
        for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
            kind = "FLOAT" if "f" in element else "UNSIGNED" if element[0] == "u" else "SIGNED"
            kinds = ("UNSIGNED",) if element == "i1" else (kind,)
            if element in ("f32", "f64", "bf16"):
                kinds = (kind, "TOTALORDER")
            for each in kinds:
                shapes = SHAPES if element == "ui32" and direction == "LT" else ((),)
                for shape in (*shapes, LONG):
                    yield Form(
                        "stablehlo.compare",
                        f"{list(shape)} {element} {direction} {each}",
                        ((shape, element),) * 2,
                        ((shape, "i1"),),
                        f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
                        f"compare_type = #stablehlo<comparison_type {each}>",
                    )
    for element in ELEMENTS:
        yield Form(
            "chlo.broadcast_compare",
            f"{element} LT",
            ((LONG, element),) * 2,
            ((LONG, "i1"),),
            "comparison_direction = #chlo<comparison_direction LT>",
        )


def _choices() -> Iterator[Form]:
    for element in ELEMENTS:
        for shape in (*SHAPES, LONG):
            one = (shape, element)
            for condition in dict.fromkeys(((), shape)):
                ins = ((condition, "i1"), one, one)
                name = f"{list(condition)} {list(shape)} {element}"
                yield Form("stablehlo.select", name, ins, (one,))
                yield Form("chlo.broadcast_select", name, ins, (one,))
            for bounds in dict.fromkeys(((), shape)):
                bound = (bounds, element)
                name = f"{list(bounds)} {list(shape)} {element}"
                yield Form("stablehlo.clamp", name, (bound, one, bound), (one,))


def _conversions() -> Iterator[Form]:
    for element in ELEMENTS:
        for out in ELEMENTS:
            shapes = ((), LONG) if element[0] in "uic" and out[0] in "uic" else (LONG,)
            wide, narrow = bits(element), bits(out)
            for shape in shapes:
                name = f"{list(shape)} {element} to {out}"
                ins, outs = ((shape, element),), ((shape, out),)
                yield Form("stablehlo.convert", name, ins, outs)
                if wide == narrow:
                    yield Form("stablehlo.bitcast_convert", name, ins, outs)
            if wide <= narrow or wide % narrow:
                continue
            for rest in ((), (3,), (0,)) if "c" in element + out else ((3,),):
                one, other = (rest, element), ((*rest, wide // narrow), out)
                name = f"{list(rest)} {element} to {out}"
                yield Form("stablehlo.bitcast_convert", name, (one,), (other,))
                yield Form("stablehlo.bitcast_convert", f"{name}, back", (other,), (one,))


def bits(element: str) -> int:
    """The width of an element type, as bitcast_convert counts it."""
    if element.startswith("complex"):
        return 2 * bits(element[8:-1])
    return int(re.search(r"\d+", element)[0])


def _precisions() -> Iterator[Form]:
    for element in FLOATS:
        for exponent, mantissa in (
            (11, 52), (11, 0), (8, 23), (8, 7), (5, 10), (5, 2), (4, 3), (1, 0), (2, 1), (3, 0),
            (8, 0), (11, 10), (5, 52), (12, 60), (5, 7), (8, 22), (1, 23),
        ):  # fmt: skip
            for shape in ((), LONG, (0,)):
                one = ((shape, element),)
                yield Form(
                    "stablehlo.reduce_precision",
                    f"{list(shape)} {element} e{exponent}m{mantissa}",
                    one,
                    one,
                    f"exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32",
                )
