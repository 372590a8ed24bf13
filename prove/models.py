"""Arguments from what the solver could not show: candidates, which are run as all others are."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect.reference.types import element_dtype, is_integer, is_shaped
from mlir_gs.prove.shrink import least_shape
from mlir_gs.prove.terms import bounds_of, is_bool, sort_of

# The largest dynamic sizes that are tried, and where facts about all points are looked at.
_SIZES = ((1, 2), (1, 3), (0, 4))
_POINTS = (0, 1, 2)
_MOST_VARIABLES = 3
_MILLISECONDS = 2000
# The most elements of an argument that are made, and those that are all asked for.
_MOST_ELEMENTS, _MANY = 1 << 25, 256


@dataclass(frozen=True)
class Question:
    """`goal` did not follow from `known`."""

    known: Sequence[z3.BoolRef]
    goal: z3.BoolRef


def arguments(
    question: Question, types: Sequence[Any], seconds: float
) -> Iterator[list[np.ndarray]]:
    """Arguments of these types for which the solver knows no reason why the goal should hold."""
    if any(prod(least_shape(type_)) > _MOST_ELEMENTS for type_ in types) or seconds <= 0:
        return
    end = time.monotonic() + seconds
    facts = [each for fact in question.known for each in _instances(fact)]
    for least, most in _SIZES:
        solver = z3.Solver()
        left = int((end - time.monotonic()) * 1000)
        solver.set("timeout", max(1, min(_MILLISECONDS, left)))
        solver.add(*facts, z3.Not(question.goal))
        for n, type_ in enumerate(types):
            for size in _sizes(n, type_):
                solver.add(size >= least, size <= most)
        if solver.check() == z3.sat:
            model = solver.model()
            yield [_argument(model, n, type_) for n, type_ in enumerate(types)]


def _instances(fact: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """What is said of all points, said of some."""
    if z3.is_and(fact):
        for each in fact.children():
            yield from _instances(each)
    elif z3.is_quantifier(fact):
        count = fact.num_vars()
        points = all(fact.var_sort(n) == z3.IntSort() for n in range(count))
        if points and fact.is_forall() and count <= _MOST_VARIABLES:
            for point in product(_POINTS[: 4 - min(count, 2)], repeat=count):
                yield z3.substitute_vars(fact.body(), *map(z3.IntVal, reversed(point)))
    else:
        yield fact


def _sizes(number: int, type_: Any) -> list[z3.ArithRef]:
    if not is_shaped(type_):
        return []
    return [z3.Int(f"arg{number}.size{d}") for d in range(type_.rank) if type_.is_dynamic_dim(d)]


def _argument(model: z3.ModelRef, number: int, type_: Any) -> np.ndarray:
    name, element, shape = f"arg{number}", type_, []
    if is_shaped(type_):
        element = type_.element_type
        sizes = iter(_sizes(number, type_))
        shape = [
            model.eval(next(sizes), True).as_long() if type_.is_dynamic_dim(d) else type_.shape[d]
            for d in range(type_.rank)
        ]
    sort, dtype = sort_of(element), element_dtype(type_)
    at = z3.Function(name, *[z3.IntSort()] * len(shape), sort) if shape else None
    found = np.zeros(shape, dtype)
    numbers = _numbers(model, sort, dtype)
    places = np.ndindex(*shape)
    if found.size > _MANY:
        # Elsewhere the model says nothing in particular.
        known = next((d for d in model.decls() if d.name() == name and d.arity()), None)
        listed = model[known].as_list()[:-1] if known is not None else []
        near = [tuple(int(str(i)) for i in entry[:-1]) for entry in listed]
        inside = [p for p in near if all(0 <= i < n for i, n in zip(p, shape, strict=True))]
        places = iter([*np.ndindex(*(min(n, 4) for n in shape)), *inside])
    for index in places:
        term = z3.Const(name, sort) if at is None else at(*map(z3.IntVal, index))
        value = model.eval(term, True)
        if is_bool(element):
            found[index] = z3.is_true(value)
        elif is_integer(dtype):
            least, most = bounds_of(element)
            found[index] = (value.as_long() - least) % (most - least + 1) + least
        else:
            known = numbers.setdefault(str(value), np.array(len(numbers) + 1.5).astype(dtype))
            found[index] = known
    return found


def _numbers(model: z3.ModelRef, sort: z3.SortRef, dtype: Any) -> dict[str, Any]:
    """The floats that the IR spells, by the element of the model that each is."""
    found = {}
    prefix = f"{sort}#"
    for each in model.decls():
        if each.arity() == 0 and each.range() == sort and each.name().startswith(prefix):
            bits = bytes.fromhex(each.name().removeprefix(prefix))[::-1]
            found[str(model[each])] = np.frombuffer(bits, dtype)[0]
    return found
