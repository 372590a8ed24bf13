"""`at(x)[index]`: reading and functional updates, as `jax.numpy.ndarray.at` has them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from mlir_gs.execution.functions import copies, direct, few, frameworks, masks
from mlir_gs.execution.functions.access import read, write
from mlir_gs.execution.functions.elements import (
    computed,
    converted,
    filling,
    is_integer,
    is_unsigned,
    moved,
)
from mlir_gs.execution.functions.indexing import Array, match
from mlir_gs.execution.functions.repeated import rounds
from mlir_gs.execution.functions.spec import UNSIGNED

_MODES = {
    "promise_in_bounds": ("promise_in_bounds", "promise_in_bounds"),
    "clip": ("clip", "clip"),
    "wrap": ("wrap", "wrap"),
    "fill": ("fill", "drop"),
    "drop": ("fill", "drop"),
    "fill_or_drop": ("fill", "drop"),
    "error": ("error", "error"),
}


def mode_name(mode: Any, default: str, writes: bool) -> str:
    """A mode of JAX, by name or of its enumeration, as `gs` calls it. Raises ValueError."""
    name = default if mode is None else str(getattr(mode, "name", mode)).lower()
    if name not in _MODES:
        raise ValueError(f"mode must be one of {', '.join(_MODES)}, found {mode!r}")
    return _MODES[name][writes]


class At:
    """`at(x)`; `at(x)[index]` is an `Indexer`."""

    __slots__ = ("_in_place", "_x")

    def __init__(self, x: Any, in_place: bool) -> None:
        self._x = x
        self._in_place = in_place

    def __getitem__(self, index: Any) -> "Indexer":
        return Indexer(self._x, index, self._in_place)


def at(x: Any, *, in_place: bool = False) -> At:
    """`at(x)[index].get()`, `.set(values)`, `.add(values)`, ...: a copy of `x` is updated, or with
    `in_place` `x` itself, which is then returned: `at(x, in_place=True)[i].add(v)` is
    `numpy.add.at(x, i, v)`.

    `x`: an array of NumPy, torch or JAX, of any rank; in place a writable one of NumPy or torch.
    `index`: every form that NumPy has. The methods and their defaults are those of
    `jax.numpy.ndarray.at`.
    """
    return At(x, in_place)


class Indexer:
    """The methods that read, or combine into, the elements of `x` at an index expression; in place
    the copies that they give are `x` itself.

    `get` is `x[index]` as a new array. `set`, `add`, `subtract`, `multiply` (`mul`), `divide`,
    `power`, `min`, `max` and `apply` give a copy of `x` in which the elements at `index` are
    replaced or combined with `values`, which are converted to the dtype of `x` and broadcast to
    the shape of `x[index]`. Elements that occur more than once are combined as often, in row-major
    order of the index; `divide` and `power`, as in JAX, take the product of their values. As in
    JAX too, bools and integers are divided in float32, or float64 for those of 64 bits, and bools
    are raised in int32. `min` and `max` of complex numbers order them by real and then by imaginary
    parts, as NumPy does.

    `mode` says what becomes of integers out of bounds: "clip" takes the nearest one (the default of
    `get`), "fill" or "drop" give `fill_value` or write nothing (the default of the rest),
    "promise_in_bounds" promises that there is none, else the behaviour is undefined, and "error",
    which JAX lacks, raises IndexError before anything is written. Negative integers count from the
    end, before that. "wrap", which JAX has only for `take`, takes integers modulo the size of their
    axis. `unique_indices` promises that no element occurs twice, `indices_are_sorted` that
    coordinates ascend; breaking a promise is undefined. `fill_value` is by default NaN; in a dtype
    that has none, the least signed integer, the greatest unsigned one, or True.

    Raises IndexError for an index that NumPy refuses, ValueError for shapes that do not fit,
    TypeError for elements that `gs` does not hold or that have no such operation; in place
    ValueError for an `x` that cannot be written, TypeError for results of another dtype.
    """

    __slots__ = ("_in_place", "_index", "_x")

    def __init__(self, x: Any, index: Any, in_place: bool) -> None:
        self._x = x
        self._index = index
        self._in_place = in_place

    def get(
        self,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        fill_value: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Any:
        """`x[index]` as a new array of the dtype of `x`."""
        promised = indices_are_sorted or unique_indices or not wrap_negative_indices
        is_foreign = type(self._x) is np.ndarray and not self._x.dtype.isnative
        if mode is None and fill_value is None and not promised and not is_foreign:
            known = few.read(self._x, self._index)
            if known is None:
                known = direct.read(self._x, self._index)
            if known is None:
                known = copies.sliced(self._x, self._index)
            if known is not None:
                return known
        x = frameworks.array(self._x)
        name = mode_name(mode, "clip", False)
        fill = filling(fill_value, x.dtype) if name == "fill" else None
        if masks.is_mask(self._index, x) and masks.is_compressed(x, self._index):
            return frameworks.back(self._x)(masks.compressed(x, self._index))
        if masks.is_mask(self._index, x):
            # The positions of its elements are in bounds.
            name, wrap_negative_indices = "promise_in_bounds", False
        found = match(_plain(self._index), x.shape, name, wrap_negative_indices)
        result = read(
            x, found, name, wrap_negative_indices, fill, unique_indices, indices_are_sorted
        )
        return frameworks.back(self._x)(result)

    def set(self, values: Any, **options: Any) -> Any:
        """A copy of `x` with `values` at `index`; of several for an element the last one stays."""
        is_array = type(values) is np.ndarray and values.ndim
        if not (is_array or options or self._in_place) and np.ndim(values) == 0:
            x = frameworks.array(self._x)
            if masks.is_mask(self._index, x):
                value = converted(frameworks.plain(values), x.dtype)
                return frameworks.back(self._x, values)(masks.replaced(x, self._index, value))
        return self._updated("move", values, **options)

    def add(self, values: Any, **options: Any) -> Any:
        """A copy of `x` with `values` added at `index`; of bools, or."""
        return self._updated("add", values, **options)

    def subtract(self, values: Any, **options: Any) -> Any:
        """A copy of `x` with `values` subtracted at `index`; not of bools."""
        return self._updated("subtract", values, **options)

    def multiply(self, values: Any, **options: Any) -> Any:
        """A copy of `x` multiplied with `values` at `index`; of bools, and."""
        return self._updated("mul", values, **options)

    mul = multiply

    def divide(self, values: Any, **options: Any) -> Any:
        """A copy of `x` divided by `values` at `index`."""
        x = frameworks.array(self._x)
        wide = np.dtype(np.float64 if x.dtype.kind in "iu" and x.itemsize == 8 else np.float32)
        dtype = wide if is_integer(x.dtype) or x.dtype == np.bool_ else x.dtype
        return self._by_product(np.divide, x, dtype, values, options)

    def power(self, values: Any, **options: Any) -> Any:
        """A copy of `x` raised to `values` at `index`; of integers, to 0 or more."""
        x = frameworks.array(self._x)
        dtype = np.dtype(np.int32) if x.dtype == np.bool_ else x.dtype
        return self._by_product(_power, x, dtype, values, options)

    def min(self, values: Any, **options: Any) -> Any:
        """A copy of `x` with the lesser of it and `values` at `index`, NaN if one is."""
        return self._updated("min", values, **options)

    def max(self, values: Any, **options: Any) -> Any:
        """A copy of `x` with the greater of it and `values` at `index`, NaN if one is."""
        return self._updated("max", values, **options)

    def apply(
        self,
        func: Callable[[Any], Any],
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Any:
        """A copy of `x` with `func` of the elements at `index`, as often as each occurs.

        `func` takes an array, of the framework of `x` and of any shape, and works element-wise.
        """
        x, give = frameworks.array(self._x), frameworks.back(self._x)
        name, wrap = mode_name(mode, "drop", True), wrap_negative_indices
        found = match(_plain(self._index), x.shape, name, wrap)
        result = self._target(x, None)
        options = (unique_indices, indices_are_sorted)
        for part in [found] if unique_indices else rounds(found, x.shape, name, wrap):
            # What is dropped afterwards may as well be some element that exists.
            fill = np.zeros((), x.dtype)
            values = read(result, part, "fill" if name == "drop" else name, wrap, fill, *options)
            new = converted(frameworks.array(func(give(values))), x.dtype)
            write(result, part, new, "move", name, wrap, *options)
        return self._given(result, give)

    def _target(self, x: Array, values: Any) -> Array:
        """What is updated: `x` where nothing that is read shares its memory, or a copy."""
        if not self._in_place:
            return copies.whole(x)
        memory = frameworks.memory(self._x)
        if not frameworks.is_writable(self._x) or not memory.flags.writeable:
            raise ValueError("x cannot be written, and in_place is given")
        read = [values, *(self._index if type(self._index) is tuple else [self._index])]
        arrays = [frameworks.plain(each) for each in read]
        shared = any(isinstance(a, np.ndarray) and np.may_share_memory(a, memory) for a in arrays)
        return copies.whole(x) if shared else x

    def _given(self, result: Array, give: frameworks.Back) -> Any:
        """The array that a method returns."""
        if not self._in_place:
            return give(result)
        x = frameworks.memory(self._x)
        if result is not x and not np.shares_memory(result, x):
            np.copyto(x, result)
        return self._x

    def _updated(self, body: str, values: Any, **options: Any) -> Any:
        if self._in_place:
            result = self._target(frameworks.array(self._x), values)
            # It takes C-contiguous targets alone.
            many = options or not result.flags.c_contiguous
            if many or not direct.write(result, self._index, values, body, True):
                self._update(result, body, values, **options)
            return self._given(result, frameworks.back(self._x, values))
        x = self._x
        if type(x) is np.ndarray and x.dtype.isnative:
            result = copies.whole(x, values)
            if not options and direct.write(result, self._index, values, body, True):
                return result
        else:
            result = copies.whole(frameworks.array(x))
        self._update(result, body, values, **options)
        return frameworks.back(x, values)(result)

    def _update(
        self,
        result: Array,
        body: str,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
        wrap_negative_indices: bool = True,
    ) -> None:
        """Combine `values` into `result`, an array of the shape of `x`, in place."""
        body = body_for(body, result.dtype)
        name = mode_name(mode, "drop", True)
        new = converted(frameworks.plain(values), result.dtype)
        if body == "move" and masks.is_assigned(result, self._index, new):
            result[self._index] = new
            return
        found = match(_plain(self._index), result.shape, name, wrap_negative_indices)
        write(
            result, found, new, body, name,
            wrap_negative_indices, unique_indices, indices_are_sorted,
        )  # fmt: skip

    def _by_product(
        self, function: Any, x: Array, dtype: np.dtype[Any], values: Any, options: dict[str, Any]
    ) -> Any:
        """`function` of `x` and the product of the values for each element, as `dtype`."""
        if self._in_place:
            self._target(x, values)
            if dtype != x.dtype:
                raise TypeError(f"x has elements of {x.dtype}, the result of {dtype}")
        product = np.ones(x.shape, x.dtype)
        self._update(product, "mul", values, **options)
        # What no value reaches keeps its bits.
        result, reached = x.astype(dtype), product != 1
        with np.errstate(all="ignore"):
            result[reached] = function(result[reached], product[reached].astype(dtype))
        return self._given(result, frameworks.back(self._x, values))


def body_for(name: str, dtype: np.dtype[Any]) -> str:
    """The body that does `name` to elements of `dtype`. Raises TypeError if there is none."""
    if name == "move":
        moved(dtype)
        return name
    computed(dtype)
    if name == "subtract" and dtype == np.bool_:
        raise TypeError(f"{name} of elements of {dtype} is not defined")
    return UNSIGNED + name if name in ("min", "max") and is_unsigned(dtype) else name


def _power(left: Array, right: Array) -> Array:
    """`left ** right`. Raises ValueError for a negative power of an integer."""
    dtype = left.dtype
    if is_integer(dtype):
        if (right < 0).any():
            raise ValueError("integers to negative integer powers are not allowed")
        left, right = (
            each if each.dtype.kind in "iu" else each.astype(np.int64) for each in (left, right)
        )
    return np.power(left, right).astype(dtype, copy=False)


def _plain(index: Any) -> Any:
    """The index with arrays of torch and JAX as NumPy's."""
    if type(index) is tuple:
        return tuple(frameworks.plain(item) for item in index)
    return frameworks.plain(index)
