"""Element types: how MLIR, NumPy and DLPack name the same thing.

Signless `iN` takes arrays of `intN` and `uintN`, as MLIR's signless integers are either; `siN`
and `uiN` take only their own kind; `index` is `int64`; `i1` is NumPy's bool. Integers under eight
bits take a byte each, as in ml_dtypes.
"""

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs.dialect._bindings import ir

INT, UINT, FLOAT, BFLOAT, COMPLEX, BOOL = 0, 1, 2, 4, 5, 6
"""DLPack's type codes; each 8-bit float kind has one of its own in `_FLOATS`."""

FLOAT8_CODES = {
    7: "float8_e3m4",
    8: "float8_e4m3",
    9: "float8_e4m3b11fnuz",
    10: "float8_e4m3fn",
    11: "float8_e4m3fnuz",
    12: "float8_e5m2",
    13: "float8_e5m2fnuz",
    14: "float8_e8m0fnu",
}

_FLOATS = {
    "f64": (FLOAT, 64, np.float64),
    "f32": (FLOAT, 32, np.float32),
    "f16": (FLOAT, 16, np.float16),
    "bf16": (BFLOAT, 16, ml_dtypes.bfloat16),
    "f8E3M4": (7, 8, ml_dtypes.float8_e3m4),
    "f8E4M3": (8, 8, ml_dtypes.float8_e4m3),
    "f8E4M3B11FNUZ": (9, 8, ml_dtypes.float8_e4m3b11fnuz),
    "f8E4M3FN": (10, 8, ml_dtypes.float8_e4m3fn),
    "f8E4M3FNUZ": (11, 8, ml_dtypes.float8_e4m3fnuz),
    "f8E5M2": (12, 8, ml_dtypes.float8_e5m2),
    "f8E5M2FNUZ": (13, 8, ml_dtypes.float8_e5m2fnuz),
    "f8E8M0FNU": (14, 8, ml_dtypes.float8_e8m0fnu),
}

_COMPLEX = {"f32": (64, np.complex64), "f64": (128, np.complex128)}

_NARROW = {
    (INT, 4): ml_dtypes.int4,
    (UINT, 4): ml_dtypes.uint4,
    (INT, 2): ml_dtypes.int2,
    (UINT, 2): ml_dtypes.uint2,
}


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

    @property
    def code(self) -> int:
        return self.codes[0]

    @property
    def bytes(self) -> int:
        return self.dtype.itemsize

    @property
    def exported(self) -> bool:
        """Whether NumPy hands arrays of this dtype to DLPack by itself."""
        return self.code in (INT, UINT, FLOAT, COMPLEX, BOOL) and self.bits >= 8

    def accepts(self, dtype: np.dtype[Any]) -> bool:
        """Whether an array of `dtype` can be read as this element type."""
        return dtype == self.dtype or dtype in self._alternatives()

    def _alternatives(self) -> list[np.dtype[Any]]:
        return [_integer_dtype(code, self.bits) for code in self.codes[1:]]


def _integer_dtype(code: int, bits: int) -> np.dtype[Any]:
    if bits < 8:
        return np.dtype(_NARROW[code, bits])
    return np.dtype(f"{'u' if code == UINT else ''}int{bits}")


def element_of(element_type: Any) -> Element | None:
    """The element type as arrays have it; None for a type that no array can hold."""
    text = str(element_type)
    if text in _FLOATS:
        code, bits, scalar = _FLOATS[text]
        return Element(np.dtype(scalar).name, np.dtype(scalar), (code,), bits, text)
    if isinstance(element_type, ir.ComplexType):
        found = _COMPLEX.get(str(element_type.element_type))
        if found is None:
            return None
        bits, scalar = found
        return Element(np.dtype(scalar).name, np.dtype(scalar), (COMPLEX,), bits, text)
    if isinstance(element_type, ir.IndexType):
        return Element("int64", np.dtype(np.int64), (INT,), 64, text)
    if isinstance(element_type, ir.IntegerType):
        return _integer(element_type, text)
    return None


def _integer(element_type: Any, text: str) -> Element | None:
    bits = element_type.width
    if bits == 1 and element_type.is_signless:
        return Element("bool", np.dtype(np.bool_), (BOOL,), 8, text)
    if bits not in (2, 4, 8, 16, 32, 64):
        return None
    if element_type.is_unsigned:
        codes: tuple[int, ...] = (UINT,)
    elif element_type.is_signed:
        codes = (INT,)
    else:
        codes = (INT, UINT)
    dtype = _integer_dtype(codes[0], bits)
    return Element(dtype.name, dtype, codes, bits, text)
