"""MLIR's types and constants as the reference holds them: NumPy dtypes and arrays."""

import ast
import re
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs.dialect._bindings import ir

_FLOATS: dict[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "complex<f64>": np.complex128,
    "complex<f32>": np.complex64,
    "complex<f16>": ml_dtypes.complex32,
    "complex<bf16>": ml_dtypes.bcomplex32,
}
_NARROW_INTEGERS: dict[str, Any] = {
    "i1": np.bool_,
    "si1": ml_dtypes.int1,
    "ui1": ml_dtypes.uint1,
    "i2": ml_dtypes.int2,
    "si2": ml_dtypes.int2,
    "ui2": ml_dtypes.uint2,
    "i4": ml_dtypes.int4,
    "si4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
}
_PLACE = re.compile(r'"([^"]*)":(\d+):(\d+)')
_LITERAL = re.compile(r"0x[0-9A-Fa-f]+|-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?|true|false")


def dtype_of(type_: ir.Type) -> np.dtype:
    """The dtype of an element type: signless integers as signed ones, `index` as int64.

    An integer width without a dtype is held in the next wider one. TypeError for other types.
    """
    text = str(type_)
    if text == "index":
        return np.dtype(np.int64)
    known = _FLOATS.get(text) or _NARROW_INTEGERS.get(text)
    if known is not None:
        return np.dtype(known)
    match = re.fullmatch(r"(u?)s?i(\d+)", text)
    if match and int(match[2]) <= 64:
        width = next(w for w in (8, 16, 32, 64) if int(match[2]) <= w)
        return np.dtype(f"{'uint' if match[1] else 'int'}{width}")
    raise TypeError(f"the reference holds no values of type {text}")


def is_shaped(type_: ir.Type) -> bool:
    return isinstance(type_, (ir.RankedTensorType, ir.MemRefType, ir.VectorType))


def element_dtype(type_: ir.Type) -> np.dtype:
    """The dtype of a tensor's or memref's elements, or of a scalar type itself."""
    return dtype_of(type_.element_type if is_shaped(type_) else type_)


def least_or_greatest(type_: ir.Type) -> np.ndarray | None:
    """What fills a read out of bounds from integers of a width that no dtype has; else None."""
    dtype = dtype_of(type_)
    if not isinstance(type_, ir.IntegerType) or type_.width in (1, 2, 4, 8, 16, 32, 64):
        return None
    width = type_.width
    return np.array((1 << width) - 1 if type_.is_unsigned else -(1 << (width - 1)), dtype)


def attribute_value(attribute: ir.Attribute, dtype: np.dtype) -> np.ndarray:
    """A number attribute (complex: an array of two) as a 0-d array; NaN payloads are kept."""
    if isinstance(attribute, ir.ArrayAttr):
        parts = [attribute_value(part, part_dtype(dtype)) for part in attribute]
        return np.array(parts).view(dtype).reshape(())
    return _number(_LITERAL.match(str(attribute))[0], dtype)  # type: ignore[index]


def part_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype of the real part of a complex dtype."""
    return {
        np.dtype(np.complex64): np.dtype(np.float32),
        np.dtype(np.complex128): np.dtype(np.float64),
        np.dtype(ml_dtypes.complex32): np.dtype(np.float16),
        np.dtype(ml_dtypes.bcomplex32): np.dtype(ml_dtypes.bfloat16),
    }[dtype]


def constant_value(op: Any) -> np.ndarray:
    """The value of arith.constant or complex.constant: 0-d for a scalar, else an array."""
    type_ = op.results[0].type
    dtype = element_dtype(type_)
    if not is_shaped(type_):
        return attribute_value(op.attributes["value"], dtype)
    return _elements(op, "value", type_, dtype)


def global_value(op: Any) -> np.ndarray:
    """A new buffer with the initial value of a memref.global; zeros if it has none."""
    type_ = op.attributes["type"].value
    dtype = element_dtype(type_)
    if "initial_value = dense" not in op.get_asm(print_generic_op_form=True):
        return np.zeros(type_.shape, dtype)
    return np.array(_elements(op, "initial_value", type_, dtype))


def _elements(op: Any, name: str, type_: Any, dtype: np.dtype) -> np.ndarray:
    """The array that an attribute of elements spells."""
    try:
        attribute = op.attributes[name]
        if isinstance(attribute, ir.DenseElementsAttr):
            return np.array(attribute).astype(dtype, copy=False)
    except TypeError:
        pass  # The bindings have no class for complex ones, and no buffers of narrow numbers.
    spelled = op.get_asm(print_generic_op_form=True)
    text = re.search(rf"\b{name} = dense<(.*?)> : ", spelled, re.DOTALL)
    if text is not None:
        return _dense(text[1], tuple(type_.shape), dtype)
    resource = re.search(rf"\b{name} = dense_resource<(.*?)> : ", spelled)
    if resource is None:
        raise TypeError(f"the reference reads dense constants only, found {op}")
    return _resource(op, resource[1], tuple(type_.shape), dtype)


def _resource(op: Any, name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The elements of a blob, which stands at the end of the module's text."""
    owner = op
    while owner.parent is not None:
        owner = owner.parent.operation
    text = re.search(rf'\b{re.escape(name)}: "0x([0-9A-Fa-f]*)"', owner.get_asm())
    if text is None:
        raise ValueError(f"the resource '{name}' has no data")
    # Four bytes of alignment come before the data.
    data = bytes.fromhex(text[1])[4:]
    count = int(np.prod(shape))
    if dtype == np.bool_ and len(data) < count:
        packed = np.frombuffer(data, np.uint8)
        return np.unpackbits(packed, count=count, bitorder="little").view(dtype).reshape(shape)
    return np.frombuffer(data, dtype).reshape(shape)


def _dense(text: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The elements between `dense<` and `>`: nested lists, one splat value, or hexadecimal."""
    if text.startswith('"0x'):
        flat = np.frombuffer(bytes.fromhex(text[3:-1]), dtype)
        return np.broadcast_to(flat, shape).copy() if flat.size == 1 else flat.reshape(shape)
    numbers: list[str] = [match[0] for match in _LITERAL.finditer(text)]
    if dtype.kind == "c" or dtype in (ml_dtypes.complex32, ml_dtypes.bcomplex32):
        parts = [_number(number, part_dtype(dtype)) for number in numbers]
        flat = np.array(parts, part_dtype(dtype)).view(dtype)
    else:
        flat = np.array([_number(number, dtype) for number in numbers], dtype)
    return np.broadcast_to(flat, shape).copy() if flat.size == 1 else flat.reshape(shape)


def _number(text: str, dtype: np.dtype) -> np.ndarray:
    """One literal: true, a decimal, or for floats the bits in hexadecimal."""
    if text in ("true", "false"):
        return np.array(text == "true").astype(dtype)
    if text.startswith("0x") and not is_integer(dtype):
        bits = np.array(int(text, 16), np.uint64)
        return bits.astype(f"uint{8 * dtype.itemsize}").view(dtype)
    value = ast.literal_eval(text)
    return np.array(value, np.uint64 if isinstance(value, int) and value > 0 else None).astype(
        dtype
    )


def is_integer(dtype: Any) -> bool:
    """Whether a dtype is of integers, which bools are not."""
    try:
        return bool(ml_dtypes.iinfo(dtype))
    except ValueError:
        return False


class Located(str):
    """The text of an error that names the place and the op."""


def site(location: ir.Location) -> str:
    """`file:line:col` of a location, or its text if it has none."""
    match = _PLACE.search(str(location))
    return ":".join(match.groups()) if match else str(location)
