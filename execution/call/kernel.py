"""A compiled function as a Python callable."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir_gs._forks import lock
from mlir_gs.execution.call import native
from mlir_gs.execution.call.arrays import passable, refused
from mlir_gs.execution.call.frameworks import Framework, framework_of
from mlir_gs.execution.generated.blocks import Function
from mlir_gs.execution.signature.signature import Entry
from mlir_gs.execution.signature.sizes import function_of

_WARM = 3
"""Calls after which a kernel becomes native: to prepare that takes longer than a call."""


class Kernel(native.fields()):
    """A compiled function: `kernel(*arguments)` or `kernel(*arguments, out=...)`.

    Arguments are arrays (NumPy's, torch's, JAX's, or any that DLPack exports) and Python numbers.
    Results are new arrays and Python numbers, several as a tuple, none as None. The arrays are
    torch's or JAX's where the first argument of either is one of theirs, else NumPy's; element
    types that a framework lacks come as NumPy's. A result that is an argument written in place is
    that array. `out` is an array, or a tuple with an array or None for each result, to be written
    instead of new ones; it may have any strides.

    Raises TypeError or ValueError for arguments that do not fit, before any memory is touched, and
    what the compiled code reports: IndexError for a coordinate, RuntimeError for an assertion.
    """

    # Without a dict, so that the native kernel can lay out its own fields behind these.
    __slots__ = (
        *("name", "parameters", "results", "_entry", "_destinations", "_everything", "_compact"),
        *("_make_strided", "_strided", "_sizes", "_plan", "_calls"),
        "__weakref__",
    )

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
        self._sizes: Callable[..., tuple[tuple[int, ...], ...]] | None = None
        self._plan: native.Plan | None = None
        self._calls = 0

    def __call__(self, *arguments: Any, out: Any = None) -> Any:
        return self._call(arguments, out)

    @property
    def function(self) -> Function:
        """tvm-ffi's function of the C-contiguous arguments and of an array for each result that
        is neither an argument nor allocated by the compiled code."""
        return self._compact.function

    def __repr__(self) -> str:
        return f"<mlir_gs kernel {self.name}: {len(self.parameters)} arguments>"

    def _call(self, arguments: tuple[Any, ...], out: Any) -> Any:
        """The way that takes everything."""
        self._count()
        if len(arguments) != len(self.parameters):
            raise TypeError(
                f"{self.name}: expected {len(self.parameters)} arguments, found {len(arguments)}"
            )
        values = [passable(a, p) for a, p in zip(arguments, self.parameters, strict=True)]
        given = self._given(arguments, out)
        is_new = [array is None for array in given]
        framework = framework_of(arguments)
        fresh = self._shapes(values) if any(is_new) else None
        targets: list[Any] = []
        for number, result in enumerate(self._destinations):
            if given[number] is not None:
                targets.append(passable(given[number], result.parameter))
            elif fresh is not None:
                array = framework.empty(fresh[number], result.parameter.element)
                given[number] = array
                targets.append(passable(array, result.parameter))
        returned = self.invoke(values, targets)
        return self._collect(arguments, given, is_new, returned, framework)

    def _count(self) -> None:
        self._calls += 1
        if self._calls == _WARM:
            self.become_native(may_compile=True)

    def become_native(self, may_compile: bool) -> bool:
        """Leave Python out of calls from now on, where that is possible; whether it is."""
        with lock:
            if self._plan is not None:
                return True
            plan = native.plan_of(self._entry, self._compact, Kernel.__call__)
            prepared = plan and native.prepare(Kernel, self._compact, may_compile)
            if plan is not None and prepared is not None:
                if self._strided is not None:
                    plan.set_strided(self._strided)
                self._plan = plan
                native.make_native(self, prepared, plan)
            return self._plan is not None

    def _shapes(self, values: Sequence[Any]) -> Sequence[tuple[int, ...]]:
        """The shapes of new results."""
        try:
            if self._sizes is None:
                shapes = "".join(f"{result.shape_source}, " for result in self._destinations)
                self._sizes = function_of(f"({shapes})", len(self.parameters))
            return self._sizes(*values)
        except Exception:
            # The sizes that they depend on are not there: the wrapper says which.
            self.invoke(values, [None] * len(self._destinations))
            raise

    def invoke(self, values: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """Run with values and an array for each result that `function` takes one for, all as
        tvm-ffi takes them, of any strides; gives what the compiled code allocated, if anything."""
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
            with lock:
                if self._strided is None:
                    self._strided = self._make_strided()
                    if self._plan is not None:
                        self._plan.set_strided(self._strided)
        return self._strided(*values, *outputs)

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

    def _collect(
        self,
        arguments: Sequence[Any],
        targets: Sequence[Any],
        is_new: Sequence[bool],
        returned: Any,
        framework: Framework,
    ) -> Any:
        owned = [] if returned is None else returned
        if returned is not None and len(self._entry.owned) == 1:
            owned = [returned]
        next_target, next_owned = iter(zip(targets, is_new, strict=True)), iter(owned)
        found = []
        for result in self.results:
            element = result.parameter.element
            if result.argument is not None:
                found.append(arguments[result.argument])
            elif not result.is_destination:
                found.append(framework.adopted(next(next_owned), element))
            else:
                target, new = next(next_target)
                if result.is_scalar:
                    found.append(target.item())
                else:
                    found.append(framework.finished(target, element) if new else target)
        if len(found) == 1:
            return found[0]
        return tuple(found) if found else None


def make_kernel(entry: Entry, compact: Function, make_strided: Callable[[], Function]) -> Kernel:
    """A kernel, native where nothing has to be compiled for that."""
    kernel = Kernel(entry, compact, make_strided)
    kernel.become_native(may_compile=False)
    return kernel
