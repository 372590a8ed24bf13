"""Arguments for a function: read from files, or generated to fit."""

import ast
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import Parameter
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.run.argument_plan import Bound, Coordinates, Node, Plan

GENERATE = "_"
_DEFAULT = 1024
_MOST = 1 << 22
"""A generated array has at most so many elements where its sizes are free."""


def read_argument(text: str) -> Any:
    """An array of `a.npy` or `b.npz:key`, or a number. Raises UsageError."""
    name, _, key = text.partition(":") if ".npz" in text else (text, "", "")
    if name.endswith((".npy", ".npz")):
        return _load(name, key)
    try:
        value = {"true": True, "false": False}.get(text)
        value = ast.literal_eval(text) if value is None else value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = None
    if isinstance(value, bool | int | float | complex):
        return value
    raise UsageError(
        f"--args {text:.100}: expected a .npy or .npz file, a number, true, false, or _"
    )


def as_element(value: Any, parameter: Parameter) -> Any:
    """`value` with the parameter's dtype where a .npy file has kept the bytes of one alone, as it
    does of bfloat16 and the like."""
    is_bytes = isinstance(value, np.ndarray) and value.dtype.kind == "V" and not value.dtype.names
    fits = is_bytes and value.dtype.itemsize == parameter.element.dtype.itemsize
    return value.view(parameter.element.dtype) if fits else value


def _load(name: str, key: str) -> Any:
    if Path(name).exists() and not Path(name).is_file():
        raise UsageError(f"{name}: is no regular file")
    try:
        loaded = np.load(Path(name), allow_pickle=False)
    except MemoryError as error:
        raise UsageError(f"{name}: its array does not fit into memory") from error
    except Exception as error:
        # NumPy takes a header as it comes: sizes may be of any type, and any number.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{name}: {_first_line(reason)}") from error
    if isinstance(loaded, np.ndarray):
        return loaded
    with loaded:
        names = list(loaded.files)
        if not key and len(names) == 1:
            key = names[0]
        if key not in names:
            wanted = f"no array '{key}'" if key else "several arrays: name one as file.npz:key"
            raise UsageError(f"{name}: {wanted} (it has {', '.join(names) or 'none'})")
        try:
            return loaded[key]
        except MemoryError as error:
            raise UsageError(f"{name}: the array '{key}' does not fit into memory") from error
        except Exception as error:
            raise UsageError(f"{name}: {_first_line(str(error))}") from error


def _first_line(text: str) -> str:
    return text.splitlines()[0][:300] if text.strip() else "no array that NumPy can read"


def generate(
    plan: Plan,
    parameters: Sequence[Parameter],
    given: Sequence[Any],
    shapes: dict[int, list[int | None]],
    size: int | None,
    seed: int,
) -> list[Any]:
    """`given` with a new value for each `GENERATE` in it.

    `shapes` and `size` are the sizes wanted on the command line. Raises UsageError where they do
    not fit.
    """
    arguments = plan.block.arguments
    for number, value in enumerate(given):
        if isinstance(value, np.ndarray) and value.ndim == parameters[number].rank:
            for dim, found in enumerate(value.shape):
                plan.sizes.give((arguments[number], dim), found)
        if number in shapes and not _is_generated(value):
            raise UsageError(f"--shape {number}=...: argument {number} is given by --args")
    _set_shapes(plan, parameters, shapes)
    _set_free(plan, parameters, size)
    rng = np.random.default_rng(seed)
    values: list[Any] = []
    for number, value in enumerate(given):
        if _is_generated(value):
            try:
                value = _value(plan, number, parameters[number], rng)
            except (MemoryError, OverflowError, ValueError) as error:
                raise UsageError(
                    f"{parameters[number].label}: an array of its sizes does not fit into memory"
                ) from error
        values.append(value)
    return values


def _is_generated(value: Any) -> bool:
    return isinstance(value, str) and value == GENERATE


def _set_shapes(
    plan: Plan, parameters: Sequence[Parameter], shapes: dict[int, list[int | None]]
) -> None:
    for number, wanted in shapes.items():
        if number >= len(parameters):
            raise UsageError(f"--shape {number}=...: there are {len(parameters)} arguments")
        parameter = parameters[number]
        fits = (
            parameter.shape is not None
            and len(wanted) == parameter.rank
            and all(
                known is None or size is None or known == size
                for known, size in zip(parameter.shape, wanted, strict=True)
            )
        )
        if not fits:
            shown = "x".join("?" if n is None else str(n) for n in wanted)
            raise UsageError(f"--shape {number}={shown}: {parameter.expected}")
        for dim, size in enumerate(wanted):
            if size is not None:
                plan.sizes.give((plan.block.arguments[number], dim), size)


def _set_free(plan: Plan, parameters: Sequence[Parameter], size: int | None) -> None:
    """Sizes for what is still open, smaller ones where arrays would be large."""
    free: set[Node] = set()
    fitting: dict[Node, int] = {}
    values = [plan.block.arguments[n] for n, p in enumerate(parameters) if p.shape is not None]
    for value in [*values, *plan.returned]:
        nodes = [(value, dim) for dim in range(value.type.rank)]
        open_nodes = [plan.sizes.find(node) for node in nodes if plan.sizes.get(node) is None]
        fixed = math.prod(plan.sizes.get(node) or 1 for node in nodes)
        for node in open_nodes:
            most = max(int((_MOST / fixed) ** (1 / len(open_nodes))), 1)
            fitting[node] = size or min(fitting.get(node, _DEFAULT), most)
            free.add(node)
    for node in free:
        plan.sizes.set(node, fitting[node])
    if size is None:
        _fit_promises(plan, parameters, free)


def _fit_promises(plan: Plan, parameters: Sequence[Parameter], free: set[Node]) -> None:
    """Lower free sizes so that as many coordinates as there are can be distinct."""
    for number, about in plan.coordinates.items():
        if not about.unique:
            continue
        argument = plan.block.arguments[number]
        nodes = [(argument, dim) for dim in range(parameters[number].rank)]
        shape = [plan.sizes.get(node) or 0 for node in nodes]
        total = math.prod(_limits(plan, parameters[number], about, shape))
        axes = [axis for axis in sorted(about.apart) if axis < len(nodes)]
        count = math.prod(shape[axis] for axis in axes)
        loose = [plan.sizes.find(nodes[axis]) for axis in axes]
        loose = [node for node in loose if node in free]
        if count > total and loose:
            fixed = count // math.prod(plan.sizes.get(node) or 1 for node in loose)
            for node in loose:
                plan.sizes.set(node, int((total / max(fixed, 1)) ** (1 / len(loose))))


def _value(plan: Plan, number: int, parameter: Parameter, rng: np.random.Generator) -> Any:
    if parameter.shape is None:
        if number in plan.lengths:
            return _least_size(plan)
        return _plain(parameter, (1,), rng).item()
    argument = plan.block.arguments[number]
    shape = tuple(
        (plan.sizes.get((argument, dim)) or 0) if size is None else size
        for dim, size in enumerate(parameter.shape)
    )
    about = plan.coordinates.get(number)
    if number in plan.lengths and about is None:
        return np.full(shape, _least_size(plan), parameter.element.dtype)
    if about is not None and parameter.element.dtype.kind in "iub":
        return _coordinates(plan, parameter, shape, about, rng)
    return _plain(parameter, shape, rng)


def _least_size(plan: Plan) -> int:
    """What fits wherever elements of an argument are a size: the least one of the others."""
    arrays = [
        argument
        for number, argument in enumerate(plan.block.arguments)
        if number not in plan.lengths and isinstance(argument.type, ir.ShapedType)
    ]
    nodes = [(argument, dim) for argument in arrays for dim in range(argument.type.rank)]
    return min((size for node in nodes if (size := plan.sizes.get(node))), default=1)


def _plain(
    parameter: Parameter, shape: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    dtype = parameter.element.dtype
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu" or "int" in dtype.name:
        most = min(100, 1 << (parameter.element.bits - 1))
        return rng.integers(0, most, shape).astype(dtype)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    if "e8m0" in dtype.name:
        return (2.0 ** rng.integers(-4, 5, shape)).astype(dtype)
    return rng.standard_normal(shape, np.float32).astype(dtype)


def _coordinates(
    plan: Plan,
    parameter: Parameter,
    shape: tuple[int, ...],
    about: Coordinates,
    rng: np.random.Generator,
) -> np.ndarray[Any, Any]:
    """Coordinates in bounds; distinct and sorted where the function was promised so."""
    by_column = _by_column(about, shape)
    limits = _limits(plan, parameter, about, shape)
    lead = shape[:-1] if by_column else shape
    if about.unique or about.sorted:
        ids = _ordered(parameter, lead, about, math.prod(limits), rng)
        parts = np.unravel_index(ids, limits)
    else:
        parts = tuple(rng.integers(0, limit, lead) for limit in limits)
    found = np.stack(parts, axis=-1) if by_column else parts[0]
    return np.asarray(found.astype(parameter.element.dtype), order="C")


def _by_column(about: Coordinates, shape: Sequence[int]) -> bool:
    """Whether the last axis holds the coordinates of one position."""
    return all(bound.column is not None for bound in about.bounds) and len(shape) > 0


def _limits(
    plan: Plan, parameter: Parameter, about: Coordinates, shape: Sequence[int]
) -> list[int]:
    """By column, the number of values that a coordinate may have."""
    width = parameter.element.bits - (parameter.element.dtype.kind == "i")
    most = 2 if parameter.element.dtype.kind == "b" else 1 << width
    by_column = _by_column(about, shape)
    limits = []
    for column in range(list(shape)[-1] if by_column else 1):
        inside = [_limit(plan, b) for b in about.bounds if not by_column or b.column == column]
        limits.append(max(min([*inside, most] if inside else [1]), 1))
    return limits


def _ordered(
    parameter: Parameter,
    lead: Sequence[int],
    about: Coordinates,
    total: int,
    rng: np.random.Generator,
) -> np.ndarray[Any, Any]:
    """Positions below `total` in the shape `lead`, distinct or sorted along `about.apart`."""
    apart = [axis for axis in sorted(about.apart) if axis < len(lead)]
    together = [axis for axis in range(len(lead)) if axis not in apart]
    groups = math.prod(lead[axis] for axis in together)
    count = math.prod(lead[axis] for axis in apart)
    if about.unique and count > total:
        raise UsageError(
            f"{parameter.label}: {count} coordinates that do not repeat cannot be generated"
            f" within {total}: give --shape or --args"
        )
    if about.unique:
        rows = [rng.choice(total, count, replace=False) for _ in range(groups)]
        picked = np.array(rows, np.int64).reshape(groups, count)
    else:
        picked = rng.integers(0, total, (groups, count))
    if about.sorted:
        picked = np.sort(picked, axis=1)
    order = [*together, *apart]
    ids = picked.reshape([lead[axis] for axis in order])
    return ids.transpose(np.argsort(order)) if order else ids


def _limit(plan: Plan, bound: Bound) -> int:
    size = plan.sizes.get(bound.node) or 1
    if bound.reach is None:
        return 1
    reach = bound.reach.constant
    for dim, factor in bound.reach.dims.items():
        extent = plan.sizes.get(bound.extents[dim]) if dim in bound.extents else None
        reach += max(factor, 0) * ((extent or 1) - 1)
    return size - reach
