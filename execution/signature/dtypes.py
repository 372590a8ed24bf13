"""Element types: their names in MLIR, NumPy and DLPack.

Signless `iN` takes arrays of `intN` and `uintN`, as MLIR's signless integers are either; `siN`
and `uiN` take only their own kind; `index` is `int64`; `i1` is NumPy's bool. Elements under eight
bits take a byte each, as in ml_dtypes.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

INT, UINT, FLOAT, OPAQUE, BFLOAT, COMPLEX, BOOL = range(7)
"""DLPack's type codes; each kind of floats of 8 bits and fewer has one of its own in `_FLOATS`."""

_FLOATS = {
    "f64": (FLOAT, 64, "float64"),
    "f32": (FLOAT, 32, "float32"),
    "f16": (FLOAT, 16, "float16"),
    "bf16": (BFLOAT, 16, "bfloat16"),
    "f8E3M4": (7, 8, "float8_e3m4"),
    "f8E4M3": (8, 8, "float8_e4m3"),
    "f8E4M3B11FNUZ": (9, 8, "float8_e4m3b11fnuz"),
    "f8E4M3FN": (10, 8, "float8_e4m3fn"),
    "f8E4M3FNUZ": (11, 8, "float8_e4m3fnuz"),
    "f8E5M2": (12, 8, "float8_e5m2"),
    "f8E5M2FNUZ": (13, 8, "float8_e5m2fnuz"),
    "f8E8M0FNU": (14, 8, "float8_e8m0fnu"),
    "f6E2M3FN": (15, 6, "float6_e2m3fn"),
    "f6E3M2FN": (16, 6, "float6_e3m2fn"),
    "f4E2M1FN": (17, 4, "float4_e2m1fn"),
}

# DLPack has no name for complex<bf16>: only NumPy's arrays are taken as that.
_COMPLEX = {
    "bf16": (OPAQUE, 32, "bcomplex32"),
    "f16": (COMPLEX, 32, "complex32"),
    "f32": (COMPLEX, 64, "complex64"),
    "f64": (COMPLEX, 128, "complex128"),
}

_NARROW = {
    (INT, 4): "int4",
    (UINT, 4): "uint4",
    (INT, 2): "int2",
    (UINT, 2): "uint2",
    (INT, 1): "int1",
    (UINT, 1): "uint1",
}


def ml_dtypes() -> Any:
    """The package, which is imported when one of its dtypes is met."""
    return import_module("ml_dtypes")


def named(name: str) -> np.dtype[Any]:
    """The dtype of this name of NumPy or ml_dtypes."""
    return np.dtype(getattr(np, name, None) or getattr(ml_dtypes(), name))


@dataclass(frozen=True)
class Element:
    """One element type: its name in messages, its NumPy dtype, and what DLPack calls it.

    `codes` are the DLPack codes that an array may have, `code` the one that a result gets; `bits`
    is DLPack's width and `bytes` what an element takes in memory; `mlir` is the type's text.
    """

    name: str
    dtype: np.dtype[Any]
    codes: tuple[int, ...]
    bits: int
    mlir: str

    def __reduce__(self) -> Any:
        # The dtypes of ml_dtypes are not pickled by name.
        return element_of, (self.mlir,)

    @property
    def code(self) -> int:
        return self.codes[0]

    @property
    def bytes(self) -> int:
        return self.dtype.itemsize

    @property
    def is_complex(self) -> bool:
        return self.mlir.startswith("complex<")

    @property
    def exported(self) -> bool:
        """Whether NumPy hands arrays of this dtype to DLPack by itself."""
        return self.dtype.isbuiltin == 1

    def accepts(self, dtype: np.dtype[Any]) -> bool:
        """Whether an array of `dtype` can be read as this element type."""
        return dtype == self.dtype or dtype in self.dtypes

    @property
    def dtypes(self) -> list[np.dtype[Any]]:
        """The NumPy dtypes that can be read as this element type, in the order of `codes`."""
        return [self.dtype, *(_integer_dtype(code, self.bits) for code in self.codes[1:])]


def _integer_dtype(code: int, bits: int) -> np.dtype[Any]:
    if bits < 8:
        return named(_NARROW[code, bits])
    return np.dtype(f"{'u' if code == UINT else ''}int{bits}")


_COMPLEX_TEXT = re.compile(r"complex<(\w+)>")
_INTEGER_TEXT = re.compile(r"([su]?)i(\d+)")


def element_of(element_type: Any) -> Element | None:
    """The element type, MLIR's or its text, as arrays have it; None for a type that no array can
    hold."""
    return _element(str(element_type))


@cache
def _element(text: str) -> Element | None:
    if text in _FLOATS:
        code, bits, name = _FLOATS[text]
        return Element(name, named(name), (code,), bits, text)
    if text == "index":
        return Element("int64", np.dtype(np.int64), (INT,), 64, text)
    if found := _COMPLEX_TEXT.fullmatch(text):
        return _complex(found[1], text)
    if found := _INTEGER_TEXT.fullmatch(text):
        return _integer(found[1], int(found[2]), text)
    return None


def _complex(part: str, text: str) -> Element | None:
    if part not in _COMPLEX:
        return None
    code, bits, name = _COMPLEX[part]
    return Element(name, named(name), (code,), bits, text)


def _integer(sign: str, bits: int, text: str) -> Element | None:
    if bits == 1 and not sign:
        return Element("bool", np.dtype(np.bool_), (BOOL,), 8, text)
    if bits not in (1, 2, 4, 8, 16, 32, 64):
        return None
    codes = {"": (INT, UINT), "s": (INT,), "u": (UINT,)}[sign]
    dtype = _integer_dtype(codes[0], bits)
    return Element(dtype.name, dtype, codes, bits, text)
