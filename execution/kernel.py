"""A compiled function as a Python callable."""

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.arrays import adopt, passable, readable, refused
from mlir_gs.execution.destinations import Result
from mlir_gs.execution.sizes import python_source, truncating_div
from mlir_gs.execution.wrapper import Entry

Function = Callable[..., Any]


class Kernel:
    """A compiled function: `kernel(*arguments)` or `kernel(*arguments, out=...)`.

    Arguments are arrays (NumPy's, or any that DLPack exports) and Python numbers. Results are new
    NumPy arrays and Python numbers, several as a tuple, none as None; a result that is an argument
    written in place is that array. `out` is an array, or a tuple with an array or None for each
    result, to be written instead of new ones.

    Raises TypeError or ValueError for arguments that do not fit, before any memory is touched, and
    what the compiled code reports: IndexError for a coordinate, RuntimeError for an assertion.
    """

    def __init__(
        self, entry: Entry, compact: Function, make_strided: Callable[[], Function]
    ) -> None:
        self.name = entry.name
        self.parameters = tuple(entry.arguments)
        self.results = tuple(entry.results)
        self._entry = entry
        self._destinations = entry.destinations
        self._everything = [*self.parameters, *(r.parameter for r in self._destinations)]
        self._compact = compact
        self._make_strided = make_strided
        self._strided: Function | None = None
        self._lock = threading.Lock()
        self._allocate = _allocator(entry)

    def __call__(self, *arguments: Any, out: Any = None) -> Any:
        return self._call(arguments, out)

    def __repr__(self) -> str:
        return f"<mlir_gs kernel {self.name}: {len(self.parameters)} arguments>"

    def _call(self, arguments: tuple[Any, ...], out: Any) -> Any:
        """The way that takes everything."""
        arguments = tuple(argument for argument in arguments if argument is not _MISSING)
        if len(arguments) != len(self.parameters):
            raise TypeError(
                f"{self.name}: expected {len(self.parameters)} arguments, found {len(arguments)}"
            )
        values = [passable(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        given = self._given(arguments, out)
        targets = self._targets(arguments, values, given)
        outputs = [
            np.empty(target.shape, target.dtype) if _is_scattered(target) else target
            for target in targets
        ]
        passed = [
            passable(o, r.parameter) for o, r in zip(outputs, self._destinations, strict=True)
        ]
        returned = self._run(values, passed)
        for target, output in zip(targets, outputs, strict=True):
            if target is not output:
                target[...] = output
        return self._collect(arguments, targets, returned)

    def _targets(
        self, arguments: Sequence[Any], values: Sequence[Any], given: Sequence[Any]
    ) -> Sequence[Any]:
        if all(array is not None for array in given):
            return given
        try:
            fresh = self._allocate(*arguments)
        except Exception:
            # The sizes that the results depend on are not there: the wrapper says which.
            self._run(values, [None] * len(self._destinations))
            raise
        return [new if old is None else old for old, new in zip(given, fresh, strict=True)]

    def _run(self, values: Sequence[Any], outputs: Sequence[Any]) -> Any:
        try:
            returned = self._compact(*values, *outputs)
        except BufferError:
            error = refused([*values, *outputs], self._everything)
            if error is None:
                raise
            raise error from None
        if type(returned) is not int:
            return returned
        if self._strided is None:
            with self._lock:
                if self._strided is None:
                    self._strided = self._make_strided()
        return self._strided(*values, *outputs)

    def _read_only(self, arguments: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """The common call with arrays among the arguments that NumPy does not export: None, or 1
        where that is not all."""
        values = [
            argument if parameter.written else readable(argument)
            for argument, parameter in zip(arguments, self.parameters, strict=True)
        ]
        try:
            return self._compact(*values, *outputs)
        except _RETRY:
            return 1

    def _given(self, arguments: Sequence[Any], out: Any) -> list[Any]:
        """`out` by destination, None where a new array is wanted."""
        if out is None:
            return [None] * len(self._destinations)
        arrays = out if isinstance(out, tuple | list) else (out,)
        if len(arrays) != len(self.results):
            raise ValueError(f"out: expected {len(self.results)} arrays, found {len(arrays)}")
        given = []
        for result, array in zip(self.results, arrays, strict=True):
            if result.is_destination:
                given.append(array)
            elif array is not None and (
                result.argument is None or array is not arguments[result.argument]
            ):
                what = (
                    "is allocated by the function"
                    if result.argument is None
                    else f"is argument {result.argument}, written in place"
                )
                raise ValueError(f"out: {result.parameter.label} {what}")
        return given

    def _collect(self, arguments: Sequence[Any], targets: Sequence[Any], returned: Any) -> Any:
        owned = [] if returned is None else returned
        if returned is not None and len(self._entry.owned) == 1:
            owned = [returned]
        next_target, next_owned = iter(targets), iter(owned)
        found = []
        for result in self.results:
            if result.argument is not None:
                found.append(arguments[result.argument])
            elif result.is_destination:
                target = next(next_target)
                found.append(target.item() if result.is_scalar else target)
            else:
                found.append(adopt(next(next_owned), result.parameter.element))
        if len(found) == 1:
            return found[0]
        return tuple(found) if found else None


def _is_scattered(array: Any) -> bool:
    return isinstance(array, np.ndarray) and not array.flags.c_contiguous


def _allocation(result: Result, dtype_name: str) -> str:
    """Source of a new array for a destination."""
    sizes = "".join(f"{python_source(size)}, " for size in result.sizes or ())
    return f"empty(({sizes}), {dtype_name})"


def _names(entry: Entry) -> tuple[str, str, tuple[Any, ...]]:
    """In generated functions: the arguments, how destinations are made, and their dtypes."""
    arguments = "".join(f"a{number}, " for number in range(len(entry.arguments)))
    arrays = [_allocation(r, f"d{number}") for number, r in enumerate(entry.destinations)]
    dtypes = tuple(result.parameter.element.dtype for result in entry.destinations)
    return arguments, "".join(f"{array}, " for array in arrays), dtypes


@lru_cache(256)
def _function(source: str, dtypes: tuple[Any, ...]) -> Callable[..., Any]:
    """The function `call` that `source` defines; `d<k>` in it are the dtypes."""
    namespace: dict[str, Any] = {f"d{number}": dtype for number, dtype in enumerate(dtypes)}
    namespace |= {"empty": np.empty, "truncating_div": truncating_div}
    namespace |= {"missing": _MISSING, "retry": _RETRY}
    exec(source, namespace)
    return namespace["call"]


def _allocator(entry: Entry) -> Callable[..., tuple[Any, ...]]:
    """A function of the arguments that gives a new array for each destination."""
    arguments, arrays, dtypes = _names(entry)
    return _function(f"def call({arguments}): return ({arrays})", dtypes)


def make_kernel(entry: Entry, compact: Function, make_strided: Callable[[], Function]) -> Kernel:
    """A kernel, of a class that has a `__call__` of its own for the common call."""
    found = _fast_call(entry)
    kind = Kernel if found is None else _class(*found)
    return kind(entry, compact, make_strided)


@lru_cache(256)
def _class(source: str, dtypes: tuple[Any, ...]) -> type[Kernel]:
    # Shared by kernels that are called alike: a class lives until the garbage collector comes by,
    # and a kernel's machine code must not wait for that.
    return type("Kernel", (Kernel,), {"__call__": _function(source, dtypes)})


def _fast_call(entry: Entry) -> tuple[str, tuple[Any, ...]] | None:
    """Source of `Kernel.__call__` for the common call, in as few steps as Python allows.

    What it does not take goes to `Kernel._call`. Only what fails before the compiled code starts
    is tried again.
    """
    everything = [*entry.arguments, *(result.parameter for result in entry.destinations)]
    plain = all(parameter.element.exported for parameter in everything)
    if entry.owned or not plain or len(entry.destinations) > 1:
        return None
    arguments, arrays, dtypes = _names(entry)
    defaults = "".join(f"a{number}=missing, " for number in range(len(entry.arguments)))
    general = f"self._call(({arguments}*more,), out)"
    special = "more"
    if entry.destinations:
        allocate = f"r0 = {arrays.removesuffix(', ')} if out is None else out"
        passed, target = f"{arguments}r0", "(r0,)"
    else:
        allocate, passed, target = "pass", arguments, "()"
    if len(entry.results) != 1 or not entry.destinations:
        special = "more or out is not None"
    values = [_value(result) for result in entry.results]
    value = values[0] if len(values) == 1 else f"({', '.join(values)})" if values else "None"
    source = f"""
def call(self, {defaults}*more, out=None):
    if {special}:
        return {general}
    try:
        {allocate}
    except Exception:
        return {general}
    try:
        status = self._compact({passed})
    except BufferError:
        status = self._read_only(({arguments}), {target})
    except retry:
        status = 1
    if status is None:
        return {value}
    return {general}
"""
    return source, dtypes


_MISSING = object()
_RETRY = (BufferError, TypeError, ValueError)
"""What passing and checking the arguments raises; the compiled code itself raises others."""


def _value(result: Result) -> str:
    if result.argument is not None:
        return f"a{result.argument}"
    return "r0.item()" if result.is_scalar else "r0"
