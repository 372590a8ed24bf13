"""Element kinds of the numeric tests: how MLIR names them, their dtypes, and random values."""

from collections.abc import Sequence

import ml_dtypes
import numpy as np

FLOATS = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}
FLOATS8 = {
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
}
FLOATS4AND6 = {
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}
SIGNLESS = {
    "i1": np.bool_,
    "i2": ml_dtypes.int2,
    "i4": ml_dtypes.int4,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
}
UNSIGNED = {
    "ui1": ml_dtypes.uint1,
    "ui2": ml_dtypes.uint2,
    "ui4": ml_dtypes.uint4,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
}
SIGNED = {
    "si1": ml_dtypes.int1,
    "si2": ml_dtypes.int2,
    "si4": ml_dtypes.int4,
    "si8": np.int8,
    "si16": np.int16,
    "si32": np.int32,
    "si64": np.int64,
}
COMPLEX = {
    "complex<bf16>": ml_dtypes.bcomplex32,
    "complex<f16>": ml_dtypes.complex32,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}
INDEX = {"index": np.int64}

DTYPES: dict[str, np.dtype] = {
    name: np.dtype(dtype)
    for group in (FLOATS, FLOATS8, FLOATS4AND6, SIGNLESS, UNSIGNED, SIGNED, INDEX, COMPLEX)
    for name, dtype in group.items()
}
# Integers whose dtype leaves bits of the byte unused.
NARROW = {DTYPES[name]: name for name in ("si1", "i2", "i4", "ui1", "ui2", "ui4")}
ELEMENTS = list(DTYPES)
COORDINATES = [*INDEX, *SIGNLESS, *UNSIGNED, *SIGNED]


def width(element: str) -> int:
    """Bits of an integer kind."""
    return 64 if element == "index" else int(element.lstrip("sui"))


def limits(element: str) -> tuple[int, int]:
    """The least and greatest value of an integer kind; i1 is 0 or 1."""
    if element == "i1":
        return 0, 1
    if element.startswith("u"):
        return 0, 2 ** width(element) - 1
    return -(2 ** (width(element) - 1)), 2 ** (width(element) - 1) - 1


def is_integer(element: str) -> bool:
    return element in COORDINATES


def has_default_fill(element: str) -> bool:
    """Whether mode fill needs no value: floats of 4 and 6 bits have no NaN."""
    return element not in FLOATS4AND6


def from_integers(values: np.ndarray, element: str) -> np.ndarray:
    """Python integers (an object array) as an array of `element`."""
    if DTYPES[element] == np.uint64:
        return values.astype(np.uint64)
    return values.astype(np.int64).astype(DTYPES[element])


def random_bits(rng: np.random.Generator, element: str, shape: Sequence[int]) -> np.ndarray:
    """Any bit patterns: NaN payloads, infinities, denormals and extremes among them."""
    dtype = DTYPES[element]
    if is_integer(element) and width(element) < 8:
        low, high = limits(element)
        return from_integers(rng.integers(low, high + 1, shape).astype(object), element)
    if element in FLOATS4AND6:
        codes = rng.integers(0, 1 << int(element[1]), shape).astype(np.uint8)
        return codes.view(dtype)
    count = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(rng.bytes(count), dtype).reshape(shape).copy()


def random_values(rng: np.random.Generator, element: str, shape: Sequence[int]) -> np.ndarray:
    """Values to calculate with: floats of many magnitudes whose sums round, zeros of both signs, a
    few special ones."""
    if is_integer(element):
        return random_bits(rng, element, shape)
    if element in COMPLEX:
        parts = rng.standard_normal((*shape, 2)) * 10.0 ** rng.integers(-3, 4, (*shape, 2))
        return from_parts(parts, element)
    if element in FLOATS4AND6:
        return random_bits(rng, element, shape)
    spread = 10.0 ** rng.integers(-3, 4, shape)
    values = rng.standard_normal(shape) * (1.0 if element in FLOATS8 else spread)
    if element == "f8E8M0FNU":
        values = np.abs(values)
    values = np.where(rng.random(shape) < 0.08, rng.choice([0.0, -0.0], shape), values)
    special = rng.choice([np.nan, np.inf, -np.inf], shape)
    return np.where(rng.random(shape) < 0.02, special, values).astype(DTYPES[element])


def part_of(element: str) -> str:
    """The element kind of the real part of a complex one."""
    return element[len("complex<") : -1]


def from_parts(parts: np.ndarray, element: str) -> np.ndarray:
    """Numbers from an array [..., 2] of real and imaginary parts."""
    return parts.astype(DTYPES[part_of(element)]).view(DTYPES[element])[..., 0]


def to_parts(numbers: np.ndarray) -> np.ndarray:
    """[..., 2]: the real and imaginary parts of an array of a complex dtype."""
    (element,) = (name for name in COMPLEX if DTYPES[name] == numbers.dtype)
    parts = np.ascontiguousarray(numbers).view(DTYPES[part_of(element)])
    return parts.reshape(*numbers.shape, 2)


def constant_text(value: np.ndarray, element: str) -> str:
    """A 0-d array as an attribute: floats by their bits, so that no NaN is lost."""
    if element == "i1":
        return "true" if value else "false"
    if is_integer(element):
        return f"{int(value)} : {element}"
    if element in COMPLEX:
        part = part_of(element)
        parts = np.asarray(value).reshape(1).view(DTYPES[part])
        return f"[{constant_text(parts[0], part)}, {constant_text(parts[1], part)}]"
    bits = np.asarray(value).reshape(1).view(f"uint{8 * value.dtype.itemsize}")[0]
    return f"0x{int(bits):0{2 * value.dtype.itemsize}X} : {element}"
