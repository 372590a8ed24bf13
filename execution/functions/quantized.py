"""`quantized`: rows of small numbers with scales, read as stored and widened in registers."""

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from mlir_gs._forks import cached_property
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.bags import bag_starts
from mlir_gs.execution.functions.elements import integers, same_coordinates
from mlir_gs.execution.functions.quantized_forms import Ends, Form, Numbers, kernel
from mlir_gs.execution.functions.shapes import refuse_outside

Array = np.ndarray[Any, Any]

_PACKED = {
    np.dtype(ml_dtypes.uint4): Numbers(4),
    np.dtype(ml_dtypes.int4): Numbers(4, signed=True),
    np.dtype(ml_dtypes.uint2): Numbers(2),
    np.dtype(ml_dtypes.int2): Numbers(2, signed=True),
    np.dtype(ml_dtypes.float4_e2m1fn): Numbers(4, float="f4E2M1FN"),
    np.dtype(np.uint8): Numbers(8),
    np.dtype(np.int8): Numbers(8, signed=True),
    np.dtype(ml_dtypes.float8_e4m3fn): Numbers(8, float="f8E4M3FN"),
    np.dtype(ml_dtypes.float8_e5m2): Numbers(8, float="f8E5M2"),
    np.dtype(ml_dtypes.float8_e4m3fnuz): Numbers(8, float="f8E4M3FNUZ"),
    np.dtype(ml_dtypes.float8_e5m2fnuz): Numbers(8, float="f8E5M2FNUZ"),
}
_SCALES = {
    np.dtype(np.float32): "f32",
    np.dtype(np.float16): "f16",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(ml_dtypes.float8_e8m0fnu): "f8E8M0FNU",
}
_RESULTS = {dtype: name for dtype, name in _SCALES.items() if dtype.itemsize > 1}
_BYTE = np.dtype(np.uint8)


def quantized(
    data: Any,
    scales: Any = None,
    *,
    zero_points: Any = None,
    biases: Any = None,
    dtype: Any = None,
    high_first: bool = False,
) -> "QuantizedTable":
    """A table of small numbers: element `j` of a row is `(number - zero_point) * scale + bias`.

    `data`: [rows, bytes], numbers of `dtype`: int8, uint8, float8_e4m3fn, float8_e5m2 and their
    fnuz kinds, or, several in a byte of uint8, int4, uint4, int2, uint2 and float4_e2m1fn of
    ml_dtypes, the lowest bits first, or the highest with `high_first`. By default `dtype` is that
    of `data`. `scales`: [rows or 1, blocks], of float32, float16, bfloat16 or float8_e8m0fnu;
    each is for a block of as many numbers of the row. `zero_points`, of the same shape or one
    number, are integers or floats; `biases` are floats. With no `scales`, each row ends with its
    scale and bias: float32 for numbers of 8 bits, else float16, as in
    `torch.ops.quantized.embedding_bag_byte_prepack` and `embedding_bag_4bit_prepack`. A
    quantized tensor of torch (quint8 or quint4x2) needs no other argument. To read a packed weight
    of torch's `embedding_byte` or `embedding_4bit`, or of their bags, pass the tensor that
    `torch.ops.quantized.embedding_bag_unpack` returns for it.

    Arithmetic is in float32. `take` and `bag` of the result read rows.

    Raises ValueError for shapes, TypeError for elements.
    """
    if getattr(data, "is_quantized", False):
        if not all(each is None for each in (scales, zero_points, biases, dtype)):
            raise ValueError("a quantized tensor has its own scales, zero points and dtype")
        return quantized(**_of_tensor(data))
    held = frameworks.array(data)
    wanted = held.dtype if dtype is None else np.dtype(dtype)
    if wanted not in _PACKED:
        raise TypeError(f"numbers of {wanted} are not supported: expected {_names(_PACKED)}")
    numbers = _PACKED[wanted]
    bytes_ = numbers.bits == 8 and held.dtype == wanted
    if held.ndim != 2 or not (bytes_ or held.dtype in (_BYTE, np.dtype(np.int8))):
        raise ValueError(
            f"data must be bytes of rank 2 that hold {wanted}, found {held.dtype}{list(held.shape)}"
        )
    numbers = numbers.ordered(high_first)
    held = held.view(wanted if numbers.memory != "i8" else np.int8)
    if scales is None:
        if zero_points is not None or biases is not None:
            raise ValueError("rows that end with their scale and bias have no other ones")
        return QuantizedTable(data, numbers, *_row_ends(held, numbers))
    factors = frameworks.array(scales)
    added = None if biases is None else frameworks.array(biases)
    width = held.shape[1] * numbers.per_byte
    shape = factors.shape
    if len(shape) != 2 or shape[0] not in (1, len(held)) or not shape[1] or width % shape[1]:
        raise ValueError(
            f"scales must have shape [{len(held)} or 1, blocks], with blocks of equal size in rows"
            f" of {width} numbers, found {list(shape)}"
        )
    for each, what in ((factors, "scales"), (added, "biases")):
        if each is not None and each.dtype not in _SCALES:
            raise TypeError(f"{what} must be {_names(_SCALES)}, found {each.dtype}")
    zeros = None if zero_points is None else np.asarray(frameworks.plain(zero_points))
    if zeros is not None:
        zeros = zeros.astype(np.float32 if zeros.dtype.kind not in "iu" else np.int32, copy=False)
        zeros = zeros.reshape(1, 1) if zeros.ndim == 0 else zeros
    for each, what in ((added, "biases"), (zeros, "zero_points")):
        if each is not None and each.shape not in (shape, (1, 1)):
            raise ValueError(f"{what} must have the shape of scales, {shape}, found {each.shape}")
    return QuantizedTable(data, numbers, held, factors, zeros, added)


def _ends(each: Array, count: int) -> Ends:
    return Ends(_text(each), each.shape[1], len(each) < count)


def _names(known: Any) -> str:
    return ", ".join(dtype.name for dtype in known)


def _of_tensor(tensor: Any) -> dict[str, Any]:
    """The arguments for a quantized tensor: as torch's kernels, with a bias for each row."""
    width = {"torch.quint8": 8, "torch.quint4x2": 4}.get(str(tensor.dtype))
    scheme = str(tensor.qscheme())
    by_rows = "per_channel" in scheme and tensor.q_per_channel_axis() == 0
    if width is None or tensor.dim() != 2 or not by_rows or tensor.shape[1] * width % 8:
        raise ValueError(
            "a quantized tensor must have shape [rows, width], quint8 or quint4x2 in whole bytes,"
            f" and a scale for each row, found {tensor.dtype}{list(tensor.shape)}, {scheme}"
        )
    scales = tensor.q_per_channel_scales().float()[:, None]
    biases = -(tensor.q_per_channel_zero_points().float()[:, None] * scales)
    ends = (scales, biases) if width == 8 else (scales.half(), biases.half())
    return {
        "data": tensor.int_repr().reshape(len(tensor), -1),
        "scales": ends[0],
        "biases": ends[1],
        "dtype": np.uint8 if width == 8 else ml_dtypes.uint4,
    }


def _row_ends(held: Array, numbers: Numbers) -> tuple[Array, Array, None, Array]:
    """The bytes of numbers, and the scale and bias behind them; views where these are aligned."""
    kind = np.dtype(np.float32 if numbers.bits == 8 else np.float16)
    width = held.shape[1] - 2 * kind.itemsize
    if width < 0:
        raise ValueError(f"rows of {held.shape[1]} bytes have no room for a scale and a bias")
    ends = held[:, width:]
    is_aligned = ends.ctypes.data % kind.itemsize == 0 and ends.strides[0] % kind.itemsize == 0
    if not is_aligned or ends.strides[1] != 1:
        ends = np.ascontiguousarray(ends)
    ends = ends.view(kind)
    return held[:, :width], ends[:, :1], None, ends[:, 1:]


@dataclass(frozen=True, eq=False)
class QuantizedTable:
    """What `quantized` makes: `take(indices)` and `bag(input, offsets)`. It holds no copy."""

    _given: Any
    _numbers: Numbers
    _data: Array
    _scales: Array
    _zeros: Array | None
    _biases: Array | None

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Rows, and numbers in each."""
        return self._data.shape[0], self._data.shape[1] * self._numbers.per_byte

    def take(self, indices: Any, dtype: Any = np.float32) -> Any:
        """The rows at `indices`, of any rank, of shape [..., width].

        `dtype`: float32, or float16 or bfloat16, to which each element is rounded once. With a bias
        the product is added to it without rounding, as `torch.ops.quantized.embedding_byte` does.

        Raises IndexError for a row out of bounds.
        """
        made = np.dtype(dtype)
        if made not in _RESULTS:
            raise TypeError(f"dtype must be {_names(_RESULTS)}, found {made}")
        rows = integers(frameworks.plain(indices))
        result = empty((rows.size, self.shape[1]), made)
        self._run(rows.reshape(-1), None, None, result)
        back = frameworks.back(self._given, indices)
        return back(result.reshape(*rows.shape, self.shape[1]))

    def bag(
        self,
        input: Any,
        offsets: Any = None,
        mode: str = "sum",
        per_sample_weights: Any = None,
        include_last_offset: bool = False,
    ) -> Any:
        """Sums or means of bags of rows, in float32; arguments as in `embedding_bag`.

        A row is added as `fma(weight * scale, number - zero_point, sum + weight * bias)`, in order:
        the bits of `torch.ops.quantized.embedding_bag_byte` and `embedding_bag_4bit`. A mean is the
        sum divided by the number of rows.

        Raises IndexError for a row out of bounds, ValueError for other arguments that do not fit.
        """
        if mode not in ("sum", "mean"):
            raise ValueError(f"mode must be sum or mean, found {mode!r}")
        found = self._known_bag(input, offsets, mode, per_sample_weights, include_last_offset)
        if found is not None:
            return found
        rows = integers(frameworks.plain(input), "input")
        starts = bag_starts(rows, offsets, include_last_offset)
        by = per_sample_weights
        if by is not None:
            by = frameworks.array(by).astype(np.float32, copy=False)
            if by.shape != rows.shape:
                raise ValueError(
                    f"per_sample_weights must have the shape of input, {rows.shape}, found"
                    f" {by.shape}"
                )
            by = np.ascontiguousarray(by.reshape(-1))
        result = empty((len(starts) - 1, self.shape[1]), np.dtype(np.float32))
        given = starts if rows.ndim == 2 or include_last_offset else starts[:-1]
        self._run(rows.reshape(-1), given, by, result)
        if mode == "mean":
            _divide(result, starts)
        return frameworks.back(self._given, input)(result)

    def _known_bag(
        self, input: Any, offsets: Any, mode: str, weights: Any, include_last: bool
    ) -> Array | None:
        """The result for arrays of NumPy of types that a kernel is known for; else, or where they
        do not fit, None."""
        if type(input) is not np.ndarray or type(offsets) is not np.ndarray or mode != "sum":
            return None
        if type(self._given) is not np.ndarray or input.ndim != 1 or offsets.ndim != 1:
            return None
        shared = input.size * self.shape[1] >= _SHARED
        run = self._kernels.get((input.dtype, _SUM, False, weights is None, shared))
        count = offsets.size - bool(include_last)
        if run is None or count < 0 or not input.size:
            return None
        result = empty((count, self.shape[1]), _SUM)
        try:
            if weights is None:
                run(*self._words, input, offsets, result)
            elif type(weights) is np.ndarray and weights.shape == input.shape:
                run(*self._words, weights, input, offsets, result)
            else:
                return None
        except (RuntimeError, TypeError, ValueError):
            # It says that something does not fit; what that is, is looked at in Python.
            return None
        return result

    def _run(self, rows: Array, starts: Array | None, by: Array | None, result: Array) -> None:
        count, width = self.shape
        if rows.size and (rows.min() < 0 or rows.max() >= count):
            refuse_outside(rows, 0, count, wrap=False)
        if not result.size:
            return
        found = same_coordinates([each for each in (rows, starts) if each is not None])
        shared = rows.size * width >= _SHARED
        key = (found[0].dtype, result.dtype, starts is None, by is None, shared)
        made = self._kernels.get(key)
        if made is None:
            form = Form(
                self._numbers,
                width,
                _ends(self._scales, count),
                None if self._zeros is None else _ends(self._zeros, count),
                None if self._biases is None else _ends(self._biases, count),
                f"i{8 * found[0].itemsize}",
                _RESULTS[result.dtype],
                starts is not None,
                by is not None,
                0 if starts is None else self._word,
            )
            made = self._kernels[key] = kernel(form, None if shared else 1)
        arrays = self._arrays if starts is None else self._words
        made(*arrays, *([] if by is None else [by]), *map(np.ascontiguousarray, found), result)

    @cached_property
    def _arrays(self) -> list[Array]:
        """What a kernel reads of the table."""
        ends = [each for each in (self._scales, self._zeros, self._biases) if each is not None]
        return [*map(_adjacent, (self._data, *ends))]

    @cached_property
    def _word(self) -> int:
        """The bits of words of several numbers, so many in a row that they fill vectors; 0: none
        that lie as words do."""
        data, *ends = self._arrays
        width = self.shape[1]
        if self._numbers.per_byte == 1 or width > _MOST_IN_WORDS:
            return 0
        if any(each.shape[1] != 1 for each in ends):
            return 0
        for size in (4, 2, 1):
            places = (data.shape[1], data.strides[0], data.ctypes.data)
            if not any(place % size for place in places) and data.shape[1] // size % _LANES == 0:
                return 8 * size
        return 0

    @cached_property
    def _words(self) -> list[Array]:
        """What a kernel of bags reads of the table."""
        data, *ends = self._arrays
        return [data.view(f"i{self._word // 8}") if self._word else data, *ends]

    @cached_property
    def _kernels(self) -> dict[Any, Kernel]:
        return {}


# Numbers that are too few for several threads.
_SHARED = 1 << 16
_SUM = np.dtype(np.float32)
# Numbers of a row of which all sums are put in order at once, and words that fill vectors.
_MOST_IN_WORDS = 512
_LANES = 16


def _divide(sums: Array, starts: Array) -> None:
    """Make means of bags that start at `starts` of their `sums`."""
    sums /= np.maximum(np.diff(starts), 1).astype(sums.dtype)[:, None]


def _text(ends: Array) -> str:
    return _SCALES.get(ends.dtype, "i32")


def _adjacent(array: Array) -> Array:
    """`array`, or a copy, whose last stride is one element."""
    return array if array.strides[-1] == array.itemsize else np.ascontiguousarray(array)
