"""Functions with smaller static sizes, on which a counterexample is found soon.

A gather of 30522 x 384 does what one of 5 x 3 does, where no constant says otherwise. Arguments
that tell the small functions apart are laid into large ones, and these are run on the functions as
they are.
"""

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import element_dtype, is_integer, is_shaped
from mlir_gs.prove.arguments import MOST_ELEMENTS

# Sizes up to here are kept.
_SMALL = 4
# The most elements of an argument that is laid out.
_MOST_LAID = 1 << 25
_SHAPE = re.compile(r"(?:tensor|memref|vector)<((?:[\d?]+x)+)")


def is_large(types: Sequence[Any]) -> bool:
    """An argument has static sizes of which nothing is run soon."""
    return any(prod(least_shape(type_)) > MOST_ELEMENTS for type_ in types)


def least_shape(type_: Any) -> list[int]:
    """The sizes, 1 where they are dynamic."""
    if not is_shaped(type_):
        return []
    return [1 if type_.is_dynamic_dim(d) else n for d, n in enumerate(type_.shape)]


def shrunk(before: Any, after: Any) -> Iterator[tuple[ir.Module, ir.Module]]:
    """Both modules with other sizes for the large ones, where they are valid with these."""
    texts = [str(module) for module in (before, after)]
    found = {int(n) for text in texts for shape in _SHAPE.findall(text)
             for n in shape.split("x") if n.isdigit()}  # fmt: skip
    large = sorted(n for n in found if n > _SMALL)
    small = [range(3, 3 + len(large)), range(2 + len(large), 2, -1), [3] * len(large)]
    for sizes in small:
        swap = dict(zip(large, sizes, strict=True))
        # Last places and ends of windows go along.
        swap |= {n - 1: m - 1 for n, m in swap.items() if n - 1 not in swap and n - 1 > _SMALL}
        modules = [_parsed(_renamed(text, swap), before.context) for text in texts]
        if all(modules):
            yield modules[0], modules[1]


def _renamed(text: str, swap: dict[int, int]) -> str:
    def other(match: re.Match[str]) -> str:
        return str(swap.get(int(match[0]), match[0]))

    # A size, or a number that stands alone; no part of a name or of a float.
    return re.sub(r"(?<![\w.%#@$-])\d+(?=x|[^\w.]|$)|(?<=\dx)\d+|(?<=\?x)\d+", other, text)


def _parsed(text: str, context: Any) -> ir.Module | None:
    try:
        with context, ir.Location.unknown():
            module = ir.Module.parse(text)
            module.operation.verify()
            return module
    except (ir.MLIRError, ValueError, KeyError):
        return None


def laid_out(arguments: Sequence[np.ndarray], types: Sequence[Any]) -> Iterator[list[np.ndarray]]:
    """Arguments of `types` with the small ones in their corners; coordinates go on in two ways."""
    if any(prod(least_shape(type_)) > _MOST_LAID for type_ in types):
        return
    for ascending in (False, True):
        yield [_laid(a, type_, ascending) for a, type_ in zip(arguments, types, strict=True)]


def _laid(array: np.ndarray, type_: Any, ascending: bool) -> np.ndarray:
    shape = [
        array.shape[d] if type_.is_dynamic_dim(d) else type_.shape[d] for d in range(array.ndim)
    ]
    if list(array.shape) == shape:
        return array
    dtype = element_dtype(type_)
    found = np.zeros(shape, dtype)
    if ascending and is_integer(dtype) and dtype != np.bool_:
        most = int(min(np.iinfo(dtype).max if dtype.kind in "iu" else 7, found.size))
        found = (np.arange(found.size) % max(most, 1)).astype(dtype).reshape(shape)
    corner = tuple(slice(0, min(n, m)) for n, m in zip(array.shape, shape, strict=True))
    found[corner] = array[corner]
    return found
