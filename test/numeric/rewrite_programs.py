"""Random chains of ops for the rewrites: gathers, scatters, and what stands between them."""

import re
from math import prod

import numpy as np
from draw import Draw, chance, some
from rewrite_chain import BINARY, LARGEST, SUM, UNARY, Chain, Tensor, coordinates
from rewrite_views import cast, collapse, concat, expand, pad, window


def _attributes(mode: str, wrap: bool, unique: bool, given: str) -> str:
    parts = [given]
    parts += [] if mode == "promise_in_bounds" else [f'mode = "{mode}"']
    parts += ["wrap_negative"] if wrap else []
    parts += ["unique"] if unique else []
    return "{" + ", ".join(parts) + "}"


def gather(chain: Chain) -> None:
    draw, source = chain.draw, chain.value(most=4, least=1)
    mode, wrap = draw.choice(("promise_in_bounds", "clip", "fill", "error")), chance(draw, 3)
    batch = 1 if source.rank > 1 and chance(draw, 5) else 0
    dims = some(draw, range(batch, source.rank), draw.integer(1, min(2, source.rank - batch)))
    leading = tuple(draw.integer(1, 4) for _ in range(draw.integer(1, 2)))
    leading = (*source.shape[:batch], *leading)
    sizes = [source.shape[d] for d in dims]
    rest = [d for d in range(batch, source.rank) if d not in dims]
    shape = (*leading, *(source.shape[d] for d in rest))
    if prod(shape) > LARGEST:
        return
    indices, _ = coordinates(chain, leading, sizes, mode, wrap, True, batch)
    dynamic = [*indices.dynamic[:-1], *(source.dynamic[d] for d in rest)]
    if batch:
        dynamic[0] = dynamic[0] and source.dynamic[0]
    text = f"gather_dims = array<i64: {', '.join(map(str, dims))}>"
    text += f", batch_dims = {batch} : i64" if batch else ""
    out = chain.like(shape, source.element, dynamic)
    chain.emit(
        out,
        f'"gs.gather"({source.name}, {indices.name}) {_attributes(mode, wrap, False, text)} '
        f": ({source.type}, {indices.type}) -> {out.type}",
    )


def scatter(chain: Chain) -> None:
    """Rows of the latest value into a fill, an argument or another value."""
    draw, updates = chain.draw, chain.value(most=4, least=1)
    mode, wrap = draw.choice(("promise_in_bounds", "clip", "drop", "error")), chance(draw, 3)
    rows = draw.integer(1, 5)
    shape = (rows, *updates.shape[1:])
    kind = draw.integer(0, 2)
    same = [v for v in chain.values if v.shape[1:] == shape[1:] and v.rank == len(shape)]
    same = [
        v for v in same if v.element == updates.element and v.dynamic[1:] == updates.dynamic[1:]
    ]
    if kind == 0:
        empty = chain.empty(
            Tensor("", shape, updates.element, (False, *updates.dynamic[1:])),
            {p: (updates, p) for p in range(1, updates.rank)},
        )
        zero, dest = chain.name(), chain.like(shape, updates.element, empty.dynamic)
        literal = "0.0" if updates.element == "f32" else "0"
        chain.lines.append(f"  {zero} = arith.constant {literal} : {updates.element}")
        chain.lines.append(
            f"  {dest.name} = linalg.fill ins({zero} : {updates.element}) "
            f"outs({empty.name} : {dest.type}) -> {dest.type}"
        )
    elif kind == 1 and same:
        dest = draw.choice(same)
    else:
        dest = chain.data(shape, updates.element, (chance(draw, 3), *updates.dynamic[1:]))
    indices, distinct = coordinates(chain, updates.shape[:1], [dest.shape[0]], mode, wrap, True)
    if indices.dynamic[0] and not updates.dynamic[0] and chance(draw, 2):
        return
    body = "{}"
    if not chance(draw, 3):
        op, T = draw.choice(BINARY[updates.element]), updates.element
        body = (
            f"{{\n  ^bb0(%c: {T}, %u: {T}):\n    %n = {op} %c, %u : {T}\n"
            f'    "gs.yield"(%n) : ({T}) -> ()\n  }}'
        )
    attributes = _attributes(
        mode, wrap, distinct and chance(draw, 2), "scatter_dims = array<i64: 0>"
    )
    out = chain.like(dest.shape, dest.element, dest.dynamic)
    chain.emit(
        out,
        f'"gs.scatter"({updates.name}, {dest.name}, {indices.name}) ({body}) {attributes} '
        f": ({updates.type}, {dest.type}, {indices.type}) -> {out.type}",
    )


def guarded(chain: Chain) -> None:
    """A gather under a condition, or in a loop of no turn or of some: its coordinates are right
    only where it is reached."""
    draw, source = chain.draw, chain.value(most=2, least=1)
    mode = draw.choice(("promise_in_bounds", "error"))
    loops, reached = chance(draw, 2), chance(draw, 2)
    count = draw.integer(1, 3)
    shape = (count, *source.shape[1:])
    if prod(shape) > LARGEST:
        return
    places = chain.rng.integers(0, source.shape[0], (count, 1))
    if not reached:
        places += 1 << 40
    indices = chain.argument(places, "i64", (False, False))
    turns = chain.argument(np.array(draw.integer(1, 2) if reached else 0), "index", ())
    out = chain.like(shape, source.element, (False, *source.dynamic[1:]))
    start = chain.data(shape, source.element, out.dynamic)
    zero, one, bound, condition, inner = (chain.name() for _ in range(5))
    T = out.type
    gather = (
        f'    {inner} = "gs.gather"({source.name}, {indices.name}) '
        f"{_attributes(mode, False, False, 'gather_dims = array<i64: 0>')} "
        f": ({source.type}, {indices.type}) -> {T}\n    scf.yield {inner} : {T}\n  }}"
    )
    chain.lines += [
        f"  {zero} = arith.constant 0 : index",
        f"  {one} = arith.constant 1 : index",
        f"  {bound} = tensor.extract {turns.name}[] : {turns.type}",
        f"  {condition} = arith.cmpi sgt, {bound}, {zero} : index",
    ]
    if loops:
        head = f"scf.for %i = {zero} to {bound} step {one} iter_args(%a = {start.name}) -> ({T}) {{"
        chain.emit(out, f"{head}\n{gather}")
    else:
        other = f" else {{\n    scf.yield {start.name} : {T}\n  }}"
        chain.emit(out, f"scf.if {condition} -> ({T}) {{\n{gather}{other}")


def elements(chain: Chain) -> None:
    """A gather of elements along a dim, now and then scattered back."""
    draw, source = chain.draw, chain.value(most=4, least=1)
    mode, wrap = draw.choice(("promise_in_bounds", "clip", "fill", "error")), chance(draw, 3)
    dim = draw.integer(0, source.rank - 1)
    shape = tuple(draw.integer(1, 4) if d == dim else n for d, n in enumerate(source.shape))
    if prod(shape) > LARGEST:
        return
    indices, _ = coordinates(chain, shape, [source.shape[dim]], mode, wrap, False)
    if any(a and not b for a, b in zip(source.dynamic, indices.dynamic, strict=True)):
        return
    out = chain.like(shape, source.element, indices.dynamic)
    chain.emit(
        out,
        f'"gs.gather_elements"({source.name}, {indices.name}) '
        f"{_attributes(mode, wrap, False, f'dim = {dim} : i64')} "
        f": ({source.type}, {indices.type}) -> {out.type}",
    )
    if not chance(draw, 3):
        return
    back = {"fill": "drop"}.get(mode, mode)
    result = chain.like(source.shape, source.element, source.dynamic)
    chain.emit(
        result,
        f'"gs.scatter_elements"({out.name}, {source.name}, {indices.name}) ({{}}) '
        f"{_attributes(back, wrap, False, f'dim = {dim} : i64')} "
        f": ({out.type}, {source.type}, {indices.type}) -> {result.type}",
    )


def masked(chain: Chain) -> None:
    """Rows, or a constant where the coordinate is out of bounds."""
    draw, source = chain.draw, chain.value(most=1, least=1)
    if source.rank != 1 or source.dynamic[0]:
        return
    count, size = draw.integer(1, 5), source.shape[0]
    array = chain.rng.integers(-2, size + 2, count).astype(np.int32)
    given = chain.argument(array, "i32", (False,))
    names = [chain.name() for _ in range(9)]
    zero, most, low, high, mask, safe, column, value, rows = names
    T = given.type
    literal = "2.5" if source.element == "f32" else "7"
    mode = draw.choice(("promise_in_bounds", "clip", "fill"))
    bound = size if not chance(draw, 4) else size + 1
    clamped = f"arith.select {mask}, {given.name}, {zero} : tensor<{count}xi1>, {T}"
    if bound > size:
        mode = draw.choice(("clip", "fill"))
    chain.lines += [
        f"  {zero} = arith.constant dense<0> : {T}",
        f"  {most} = arith.constant dense<{bound}> : {T}",
        f"  {low} = arith.cmpi sge, {given.name}, {zero} : {T}",
        f"  {high} = arith.cmpi slt, {given.name}, {most} : {T}",
        f"  {mask} = arith.andi {low}, {high} : tensor<{count}xi1>",
        f"  {safe} = {clamped}",
        f"  {column} = tensor.expand_shape {safe} [[0, 1]] output_shape [{count}, 1] "
        f": {T} into tensor<{count}x1xi32>",
        f"  {value} = arith.constant dense<{literal}> : tensor<{count}x{source.element}>",
        f'  {rows} = "gs.gather"({source.name}, {column}) '
        f"{_attributes(mode, False, False, 'gather_dims = array<i64: 0>')} "
        f": ({source.type}, tensor<{count}x1xi32>) -> tensor<{count}x{source.element}>",
    ]
    out = chain.like((count,), source.element, (False,))
    chain.emit(out, f"arith.select {mask}, {rows}, {value} : tensor<{count}xi1>, {out.type}")


def round_trip(chain: Chain) -> None:
    """Gathered slices, changed or not, go back to where they come from; or read once more."""
    draw, dest = chain.draw, chain.value(most=4, least=1)
    mode = draw.choice(("promise_in_bounds", "clip", "fill"))
    shape = (draw.integer(1, 4), *dest.shape[1:])
    indices, distinct = coordinates(chain, shape[:1], [dest.shape[0]], mode, False, True)
    dynamic = (indices.dynamic[0], *dest.dynamic[1:])
    unique = distinct and chance(draw, 2)
    rows = chain.like(shape, dest.element, dynamic)
    dims = "_dims = array<i64: 0>"
    chain.emit(
        rows,
        f'"gs.gather"({dest.name}, {indices.name}) '
        f"{_attributes(mode, False, unique, 'gather' + dims)} "
        f": ({dest.type}, {indices.type}) -> {rows.type}",
    )
    if chance(draw, 2):
        unary(chain)
        rows = chain.values[-1]
    if rows.shape != shape or rows.type != Tensor("", shape, dest.element, dynamic).type:
        return
    back = {"fill": "drop"}.get(mode, mode)
    result = chain.like(dest.shape, dest.element, dest.dynamic)
    chain.emit(
        result,
        f'"gs.scatter"({rows.name}, {dest.name}, {indices.name}) ({{}}) '
        f"{_attributes(back, False, unique, 'scatter' + dims)} "
        f": ({rows.type}, {dest.type}, {indices.type}) -> {result.type}",
    )
    if mode == "promise_in_bounds" and chance(draw, 2):
        again = chain.like(shape, dest.element, dynamic)
        chain.emit(
            again,
            f'"gs.gather"({result.name}, {indices.name}) '
            f"{_attributes(mode, False, unique, 'gather' + dims)} "
            f": ({result.type}, {indices.type}) -> {again.type}",
        )


def unary(chain: Chain) -> None:
    source = chain.value()
    out = chain.like(source.shape, source.element, source.dynamic)
    chain.emit(out, f"{chain.draw.choice(UNARY[source.element])} {source.name} : {source.type}")


def binary(chain: Chain) -> None:
    """An op of two values of one type, the second mostly an argument."""
    source = chain.value()
    same = [v for v in chain.values if v.type == source.type and v.shape == source.shape]
    other = (
        chain.draw.choice(same)
        if same and chance(chain.draw, 3)
        else chain.data(source.shape, source.element, source.dynamic)
    )
    out = chain.like(source.shape, source.element, source.dynamic)
    op = chain.draw.choice(BINARY[source.element])
    chain.emit(out, f"{op} {source.name}, {other.name} : {source.type}")


def structured(chain: Chain) -> None:
    """A linalg.generic: a transposed, broadcast or reduced read, with a weight beside it."""
    draw, source = chain.draw, chain.value(most=4, least=1)
    rank = source.rank
    order = [int(d) for d in chain.rng.permutation(rank)]
    reduced = some(draw, range(rank), 1) if chance(draw, 2) else []
    dims = [f"d{d}" for d in range(rank)]
    kept = [d for d in order if d not in reduced]
    extra = chance(draw, 4)
    width = draw.integer(2, 3)
    weight_dim = draw.integer(0, rank - 1)
    weight = chain.data((source.shape[weight_dim],), source.element, (source.dynamic[weight_dim],))
    names = [*dims, *(["e"] if extra else [])]
    shape = (*(source.shape[d] for d in kept), *((width,) if extra else ()))
    if prod(shape) > LARGEST:
        return
    dynamic = (*(source.dynamic[d] for d in kept), *((False,) if extra else ()))
    sizes = {p: (source, d) for p, d in enumerate(kept)}
    start = chain.empty(Tensor("", shape, source.element, dynamic), sizes)
    reads, types = [source.name, weight.name], [source.type, weight.type]
    maps = [dims, [f"d{weight_dim}"]]
    if extra:
        column = chain.data((width,), source.element, (False,))
        reads.append(column.name)
        types.append(column.type)
        maps.append(["e"])
    if reduced:
        zero, filled = chain.name(), chain.like(shape, source.element, dynamic)
        literal = "0.0" if source.element == "f32" else "0"
        chain.lines.append(f"  {zero} = arith.constant {literal} : {source.element}")
        chain.lines.append(
            f"  {filled.name} = linalg.fill ins({zero} : {source.element}) "
            f"outs({start.name} : {filled.type}) -> {filled.type}"
        )
        start = filled
    maps.append([*(f"d{d}" for d in kept), *(["e"] if extra else [])])
    texts = [f"affine_map<({', '.join(names)}) -> ({', '.join(m)})>" for m in maps]
    kinds = ["reduction" if d in reduced else "parallel" for d in range(rank)]
    kinds += ["parallel"] if extra else []
    T = source.element
    body = [f"    %p = {draw.choice(BINARY[T])} %x, %w : {T}"]
    last = "%p"
    if extra:
        body.append(f"    %q = {draw.choice(BINARY[T])} {last}, %y : {T}")
        last = "%q"
    if reduced:
        body.append(f"    %s = {SUM[T]} %o, {last} : {T}")
        last = "%s"
    arguments = [f"%{n}: {T}" for n in ("x", "w", *(("y",) if extra else ()), "o")]
    out = chain.like(shape, T, dynamic)
    quoted = ", ".join('"' + kind + '"' for kind in kinds)
    chain.emit(
        out,
        f"linalg.generic {{indexing_maps = [{', '.join(texts)}], iterator_types = [{quoted}]}}\n"
        f"      ins({', '.join(reads)} : {', '.join(types)}) outs({start.name} : {start.type}) {{\n"
        f"  ^bb0({', '.join(arguments)}):\n"
        + "\n".join(body)
        + f"\n    linalg.yield {last} : {T}\n"
        f"  }} -> {out.type}",
    )


OPS = (gather, gather, gather, scatter, scatter, round_trip, elements, masked, unary, binary,
       structured, structured, collapse, expand, window, concat, pad, cast, guarded)  # fmt: skip


def program(draw: Draw, seed: int, length: int) -> tuple[str, list[np.ndarray]]:
    """A module with one function @f of about `length` ops, and its arguments."""
    chain = Chain(draw, np.random.default_rng(seed))
    for _ in range(length):
        draw.choice(OPS)(chain)
    if not chain.values:
        gather(chain)
        if not chain.values:
            return program(draw, seed + 1, length + 1)
    body = "\n".join(chain.lines) + "\n"
    kept = [v for v in chain.values if not re.search(rf"\{v.name}\b(?! =)", body)]
    if chance(draw, 3):
        # What nobody uses and nobody sees: errors are seen all the same.
        kept = [draw.choice(chain.values)]
    kept = kept or chain.values[-1:]
    signature = ", ".join(f"{t.name}: {t.type}" for t, _ in chain.arguments)
    types = ", ".join(t.type for t in kept)
    text = (
        f"func.func @f({signature}) -> ({types}) {{\n"
        + body
        + f"  return {', '.join(t.name for t in kept)} : {types}\n}}\n"
    )
    return text, [array for _, array in chain.arguments]
