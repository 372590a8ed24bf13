"""Which widths of rows get kernels of their own."""

from collections.abc import Hashable

LEAST = 1 << 14
"""Elements of a call from which a known width has a kernel of its own."""

GREATEST = 512
"""Elements of a row: loops over longer ones gain nothing from a known size."""

MOST = 8
"""Kernels for known widths, at most, in addition to the one for all."""

_made: dict[Hashable, set[int]] = {}


def known_width(kind: Hashable, width: int, elements: int) -> int | None:
    """`width`, the size of the last dim of a call that touches so many elements, or None if the
    kernel for all widths is to be used. `kind`: what kernels differ by other than the width."""
    if elements < LEAST or width > GREATEST:
        return None
    made = _made.setdefault(kind, set())
    if width not in made:
        if len(made) >= MOST:
            return None
        made.add(width)
    return width


def fixed(width: int, elements: int) -> int | None:
    """By what calls differ of which types and ranks are the same: `width`, where `known_width` may
    give it a kernel of its own, or else None."""
    return width if elements >= LEAST and width <= GREATEST else None
