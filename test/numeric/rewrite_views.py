"""Ops of the random chains that show tensors in other shapes, or set them together."""

from math import prod

from draw import chance, some
from rewrite_chain import LARGEST, Chain


def collapse(chain: Chain) -> None:
    source = chain.value(most=4, least=2)
    first = chain.draw.integer(0, source.rank - 2)
    groups = [[d] for d in range(first)] + [[first, first + 1]]
    groups += [[d] for d in range(first + 2, source.rank)]
    shape = tuple(prod(source.shape[d] for d in g) for g in groups)
    dynamic = tuple(any(source.dynamic[d] for d in g) for g in groups)
    out = chain.like(shape, source.element, dynamic)
    text = "[" + ", ".join(str(g) for g in groups) + "]"
    chain.emit(out, f"tensor.collapse_shape {source.name} {text} : {source.type} into {out.type}")


def expand(chain: Chain) -> None:
    source = chain.value(most=3, least=1)
    static = [d for d in range(source.rank) if not source.dynamic[d]]
    if not static or any(source.dynamic):
        return
    at = chain.draw.choice(static)
    inner = chain.draw.choice(
        [n for n in range(1, source.shape[at] + 1) if source.shape[at] % n == 0]
    )
    shape = (*source.shape[:at], source.shape[at] // inner, inner, *source.shape[at + 1 :])
    groups = [[d] for d in range(at)] + [[at, at + 1]]
    groups += [[d + 1] for d in range(at + 1, source.rank)]
    out = chain.like(shape, source.element, (False,) * len(shape))
    chain.emit(
        out,
        f"tensor.expand_shape {source.name} [{', '.join(map(str, groups))}] "
        f"output_shape {list(shape)} : {source.type} into {out.type}",
    )


def window(chain: Chain) -> None:
    """tensor.extract_slice, with a stride now and then."""
    source = chain.value(most=4, least=1)
    strides = [2 if chance(chain.draw, 4) else 1 for _ in source.shape]
    sizes, offsets = [], []
    for n, stride in zip(source.shape, strides, strict=True):
        size = chain.draw.integer(1, 1 + (n - 1) // stride)
        sizes.append(size)
        offsets.append(chain.draw.integer(0, n - 1 - (size - 1) * stride))
    out = chain.like(sizes, source.element, (False,) * source.rank)
    chain.emit(
        out,
        f"tensor.extract_slice {source.name}{offsets} {sizes} {strides} "
        f": {source.type} to {out.type}",
    )


def concat(chain: Chain) -> None:
    """tensor.concat of two or three of one kind, new arguments where there are none."""
    draw, first = chain.draw, chain.value(most=4, least=1)
    dim = draw.integer(0, first.rank - 1)
    parts = [first]
    for _ in range(draw.integer(1, 2)):
        same = [
            v
            for v in chain.values
            if v.element == first.element
            and v.rank == first.rank
            and all(v.shape[d] == n for d, n in enumerate(first.shape) if d != dim)
        ]
        if same and not chance(draw, 3):
            parts.append(draw.choice(same))
        else:
            shape = [draw.integer(1, 4) if d == dim else n for d, n in enumerate(first.shape)]
            parts.append(chain.data(shape, first.element, chain.flags(first.rank)))
    shape = [sum(v.shape[d] for v in parts) if d == dim else n for d, n in enumerate(first.shape)]
    dynamic = [
        any(v.dynamic[d] for v in parts) if d == dim else all(v.dynamic[d] for v in parts)
        for d in range(first.rank)
    ]
    if prod(shape) > LARGEST:
        return
    out = chain.like(shape, first.element, dynamic)
    names, types = ", ".join(v.name for v in parts), ", ".join(v.type for v in parts)
    chain.emit(out, f"tensor.concat dim({dim}) {names} : ({types}) -> {out.type}")


def pad(chain: Chain) -> None:
    """tensor.pad with a constant, in one dim or more, before or behind."""
    draw, source = chain.draw, chain.value(most=4, least=1)
    padded = some(draw, range(source.rank), draw.integer(1, source.rank))
    low, high = (
        [draw.integer(0, 2) if d in padded else 0 for d in range(source.rank)] for _ in range(2)
    )
    shape = [a + n + b for a, n, b in zip(low, source.shape, high, strict=True)]
    if prod(shape) > LARGEST:
        return
    literal, value = "2.5" if source.element == "f32" else "7", chain.name()
    chain.lines.append(f"  {value} = arith.constant {literal} : {source.element}")
    out = chain.like(shape, source.element, source.dynamic)
    arguments = ", ".join(f"%p{d}: index" for d in range(source.rank))
    chain.emit(
        out,
        f"tensor.pad {source.name} low{low} high{high} {{\n  ^bb0({arguments}):\n"
        f"    tensor.yield {value} : {source.element}\n  }} : {source.type} to {out.type}",
    )


def cast(chain: Chain) -> None:
    """Some sizes are forgotten, or known again."""
    source = chain.value(least=1)
    flags = tuple(chance(chain.draw, 2) for _ in source.shape)
    if flags == source.dynamic:
        return
    out = chain.like(source.shape, source.element, flags)
    chain.emit(out, f"tensor.cast {source.name} : {source.type} to {out.type}")
