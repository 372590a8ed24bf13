"""Arguments for a function: read from files, or generated to fit."""

import ast
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mlir_gs.execution import Parameter
from mlir_gs.tools.command_line import UsageError
from mlir_gs.tools.run_plan import Bound, Coordinates, Plan

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
    except (ValueError, SyntaxError):
        value = None
    if isinstance(value, bool | int | float | complex):
        return value
    raise UsageError(f"--args {text}: expected a .npy or .npz file, a number, true, false, or _")


def _load(name: str, key: str) -> Any:
    try:
        loaded = np.load(Path(name), allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{name}: {reason.splitlines()[0]}") from error
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
        except ValueError as error:
            raise UsageError(f"{name}: {str(error).splitlines()[0]}") from error


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
                plan.sizes.set((arguments[number], dim), found)
    _set_shapes(plan, parameters, shapes)
    _set_free(plan, parameters, size)
    rng = np.random.default_rng(seed)
    values: list[Any] = []
    for number, value in enumerate(given):
        if isinstance(value, str) and value == GENERATE:
            value = _value(plan, number, parameters[number], rng)
        values.append(value)
    return values


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
                plan.sizes.set((plan.block.arguments[number], dim), size)


def _set_free(plan: Plan, parameters: Sequence[Parameter], size: int | None) -> None:
    """Sizes for what is still open, smaller ones where arrays would be large."""
    free = []
    for number, parameter in enumerate(parameters):
        nodes = [(plan.block.arguments[number], dim) for dim in range(parameter.rank)]
        open_nodes = {plan.sizes.find(node) for node in nodes if plan.sizes.get(node) is None}
        fixed = math.prod(plan.sizes.get(node) or 1 for node in nodes)
        if open_nodes:
            count = sum(plan.sizes.find(node) in open_nodes for node in nodes)
            free.append((open_nodes, fixed, count))
    chosen: dict[Any, int] = {}
    for nodes, fixed, count in free:
        fitting = int((_MOST / fixed) ** (1 / count))
        for node in nodes:
            chosen[node] = min(chosen.get(node, size or _DEFAULT), size or max(fitting, 1))
    for node, found in chosen.items():
        plan.sizes.set(node, found)


def _value(plan: Plan, number: int, parameter: Parameter, rng: np.random.Generator) -> Any:
    if parameter.shape is None:
        return _scalar(parameter, rng)
    argument = plan.block.arguments[number]
    shape = tuple(plan.sizes.get((argument, dim)) or 0 for dim in range(parameter.rank))
    about = plan.coordinates.get(number)
    if about is not None and parameter.element.dtype.kind in "iub":
        return _coordinates(plan, parameter, shape, about, rng)
    return _plain(parameter, shape, rng)


def _scalar(parameter: Parameter, rng: np.random.Generator) -> Any:
    return _plain(parameter, (1,), rng).item()


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
    width = parameter.element.bits - (parameter.element.dtype.kind == "i")
    most = 2 if parameter.element.dtype.kind == "b" else 1 << width
    by_column = all(bound.column is not None for bound in about.bounds) and len(shape) > 0
    columns = list(shape)[-1] if by_column else 1
    limits = []
    for column in range(columns):
        inside = [_limit(plan, b) for b in about.bounds if not by_column or b.column == column]
        limits.append(max(min([*inside, most]), 1))
    lead = shape[:-1] if by_column else shape
    total = math.prod(limits)
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
        picked = np.stack([rng.choice(total, count, replace=False) for _ in range(groups)] or [[]])
    else:
        picked = rng.integers(0, total, (groups, count))
    if about.sorted:
        picked = np.sort(picked, axis=1)
    order = [*together, *apart]
    ids = picked.reshape([lead[axis] for axis in order]).astype(np.int64)
    ids = ids.transpose(np.argsort(order)) if order else ids
    parts = np.unravel_index(ids, limits)
    found = np.stack(parts, axis=-1) if by_column else parts[0]
    return np.ascontiguousarray(found.astype(parameter.element.dtype))


def _limit(plan: Plan, bound: Bound) -> int:
    size = plan.sizes.get(bound.node) or 1
    if bound.reach is None:
        return 1
    reach = bound.reach.constant
    for dim, factor in bound.reach.dims.items():
        extent = plan.sizes.get(bound.extents[dim]) if dim in bound.extents else None
        reach += max(factor, 0) * ((extent or 1) - 1)
    return size - reach
