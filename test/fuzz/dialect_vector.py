"""Ops of vector, in many forms, each beside what NumPy makes of the arrays.

A program reads its vectors from memrefs, and writes them to one.
"""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from dialect_forms import case, memref, type_of
from stablehlo_forms import Shape, numpy_type
from upstream_table import Array, Case

ELEMENTS = ("f32", "i8", "i1", "i4", "bf16", "f64", "i32", "index", "f8E5M2", "i64")
_FEW = ("f32", "i1", "i4", "bf16", "index", "i32")
_SHAPES: tuple[Shape, ...] = ((), (1,), (4,), (2, 3), (1, 1))


def vectors() -> Iterator[Case]:
    """All forms of this file."""
    for element in ELEMENTS:
        for shape in _SHAPES if element in _FEW else ((4,),):
            yield from _memory(shape, element)
            yield from _shapes(shape, element)
        yield from _lanes(element)
    yield from _masks()
    yield from _others()


def _others() -> Iterator[Case]:
    """What prints, or turns a memref into one of vectors."""
    index = memref((), "index")
    yield case("vector.vscale", "", [index],
               f"  %n = vector.vscale\n  memref.store %n, %a0[] : {index.type}")  # fmt: skip
    for element in _FEW:
        one, other, many = (
            memref((2, 3), element),
            memref((2, 3), element),
            f"vector<2x3x{element}>",
        )
        yield case(
            "vector.type_cast", element, [one, other],
            f"  %s = vector.type_cast %a0 : {one.type} to memref<{many}>\n"
            f"  %t = vector.type_cast %a1 : {one.type} to memref<{many}>\n"
            f"  %v = memref.load %s[] : memref<{many}>\n"
            f"  memref.store %v, %t[] : memref<{many}>", wanted=lambda a, b: [a, a],
        )  # fmt: skip
        flat = memref((4,), element)
        yield case(
            "vector.print", element, [flat],
            f"{_read(0, (4,), element)}  vector.print %v0 : vector<4x{element}>",
            wanted=lambda a: [a],
        )  # fmt: skip


def program(
    op: str,
    form: str,
    ins: Sequence[tuple[Shape, str]],
    line: str,
    out: tuple[Shape, str],
    wanted: Callable[..., Array],
    relative: float = 0.0,
    given: Sequence[Any] = (),
) -> Case:
    """`line` makes the vector %r of the vectors %v0, %v1, …"""
    args = [
        memref((prod(shape),), element, given=value)
        for (shape, element), value in zip(ins, [*given, *[None] * len(ins)], strict=False)
    ]
    reads = "".join(_read(n, *each) for n, each in enumerate(ins))
    target = memref((prod(out[0]),), out[1])
    body = f"{reads}  {line}\n{_write('%r', len(ins), *out)}"

    def results(*arrays: Array) -> list[Array]:
        shaped = [a.reshape(shape) for a, (shape, _) in zip(arrays, ins, strict=False)]
        made = np.asarray(wanted(*shaped))
        return [*arrays[:-1], made.astype(arrays[-1].dtype).reshape(-1)]

    return case(op, f"{form}", [*args, target], body, wanted=results, relative=relative)


def _read(number: int, shape: Shape, element: str) -> str:
    """%v of that number, of a memref in one dim: others have no lowering."""
    flat, many = (prod(shape),), type_of("vector", shape, element)
    return (
        f"  %z_r{number} = arith.constant 0 : index\n"
        f"  %f{number} = vector.load %a{number}[%z_r{number}] : "
        f"{type_of('memref', flat, element)}, {type_of('vector', flat, element)}\n"
        f"  %v{number} = vector.shape_cast %f{number} : {type_of('vector', flat, element)} to "
        f"{many}\n"
    )


def _write(value: str, number: int, shape: Shape, element: str) -> str:
    flat, many = (prod(shape),), type_of("vector", shape, element)
    return (
        f"  %z_w{number} = arith.constant 0 : index\n"
        f"  %f_w{number} = vector.shape_cast {value} : {many} to "
        f"{type_of('vector', flat, element)}\n"
        f"  vector.store %f_w{number}, %a{number}[%z_w{number}] : "
        f"{type_of('memref', flat, element)}, {type_of('vector', flat, element)}"
    )


def vector(shape: Shape, element: str) -> str:
    return type_of("vector", shape, element)


def _memory(shape: Shape, element: str) -> Iterator[Case]:
    one, many, name = (shape, element), vector(shape, element), f"{shape} {element}"
    given, taken = memref(shape, element), memref(shape, element)
    zero = "  %z = arith.constant 0 : index\n"
    at = ", ".join(["%z"] * len(shape))
    for op in ("vector.load", "vector.store"):
        yield case(
            op, name, [given, taken],
            f"{zero}  %r = vector.load %a0[{at}] : {given.type}, {many}\n"
            f"  vector.store %r, %a1[{at}] : {taken.type}, {many}", wanted=lambda a, o: [a, a],
            also=["vector.load"],
        )  # fmt: skip
    for larger in ((), (2,)) if shape else ((),):
        whole = (*[n + 2 * len(larger) for n in shape],)
        source, target = memref(whole, element), memref((prod(shape),), element)
        line = zero
        bounds = f" {{in_bounds = [{', '.join(['true'] * len(shape))}]}}" if shape else ""
        part = tuple(slice(0, n) for n in shape)
        yield case(
            "vector.transfer_read", f"{name} of {whole}", [source, target],
            f"{line}  %p = ub.poison : {element}\n"
            f"  %r = vector.transfer_read %a0[{at}], %p{bounds} : {source.type}, {many}\n"
            f"{_write('%r', 1, *one)}", wanted=lambda a, o, part=part: [a, a[part].reshape(-1)],
        )  # fmt: skip

        def put(a: Array, o: Array, part: Any = part) -> list[Array]:
            o = o.copy()
            o[part] = a.reshape(o[part].shape)
            return [a, o]

        yield case(
            "vector.transfer_write", f"{name} into {whole}", [target, source],
            f"{_read(0, *one)}{line}  vector.transfer_write %v0, %a1[{at}]{bounds} : {many}, "
            f"{source.type}", wanted=put,
        )  # fmt: skip
    if len(shape) == 1 and shape[0] > 1:
        yield from _beyond(shape[0], element)


def _beyond(count: int, element: str) -> Iterator[Case]:
    """Reads and writes that a memref of run-time size may be too short for."""
    many, flags = vector((count,), element), vector((count,), "i1")
    for size in (0, 1, count):
        source, out = memref((size,), element, dynamic=True), memref((count,), element)
        filler = memref((), element)
        name = f"{count} of {size} {element}"
        body = (
            f"  %z = arith.constant 0 : index\n  %p = memref.load %a2[] : {filler.type}\n"
            f"  %r = vector.transfer_read %a0[%z], %p : {source.type}, {many}\n"
            f"{_write('%r', 1, (count,), element)}"
        )
        yield case(
            "vector.transfer_read", name, [source, out, filler], body,
            wanted=lambda a, o, p, n=size: [a, np.concatenate([a, np.full(count - n, p)])
                                            .astype(o.dtype), p],
        )  # fmt: skip
        yield case(
            "vector.transfer_write", name, [out, source],
            f"{_read(0, (count,), element)}  %z = arith.constant 0 : index\n"
            f"  vector.transfer_write %v0, %a1[%z] : {many}, {source.type}",
            wanted=lambda a, o, n=size: [a, a[:n]],
        )  # fmt: skip
        mask = memref((count,), "i1", given=[n < size for n in range(count)])
        held = f"{_read(2, (count,), 'i1')}{_read(1, (count,), element)}"
        zero = "  %z = arith.constant 0 : index\n"
        for op in ("maskedload", "expandload"):
            yield case(
                f"vector.{op}", name, [source, out, mask],
                f"{held}{zero}  %r = vector.{op} %a0[%z], %v2, %v1 : {source.type}, {flags}, "
                f"{many} into {many}\n{_write('%r', 1, (count,), element)}",
                wanted=lambda a, o, m, n=size: [a, np.concatenate([a, o[n:]]), m],
            )  # fmt: skip
        for op in ("maskedstore", "compressstore"):
            yield case(
                f"vector.{op}", name, [source, out, mask],
                f"{held}{zero}  vector.{op} %a0[%z], %v2, %v1 : {source.type}, {flags}, {many}",
                wanted=lambda a, o, m, n=size: [o[:n], o, m],
            )  # fmt: skip
        places = memref((count,), "index", given=[min(n, max(size - 1, 0)) for n in range(count)])
        also = f"{held}{_read(3, (count,), 'index')}{zero}"
        numbers = vector((count,), "index")
        yield case(
            "vector.gather", name, [source, out, mask, places],
            f"{also}  %r = vector.gather %a0[%z] [%v3], %v2, %v1 : {source.type}, {numbers}, "
            f"{flags}, {many} into {many}\n{_write('%r', 1, (count,), element)}",
            wanted=lambda a, o, m, i, n=size: [a, np.concatenate([a, o[n:]]), m, i],
        )  # fmt: skip
        yield case(
            "vector.scatter", name, [source, out, mask, places],
            f"{also}  vector.scatter %a0[%z] [%v3], %v2, %v1 : {source.type}, {numbers}, {flags}, "
            f"{many}", wanted=lambda a, o, m, i, n=size: [o[:n], o, m, i],
        )  # fmt: skip


def _shapes(shape: Shape, element: str) -> Iterator[Case]:
    one, many, name = (shape, element), vector(shape, element), f"{shape} {element}"
    for out in ((2, *shape), (1, *shape), shape):
        yield program("vector.broadcast", f"{name} {out}", [one],
                       f"%r = vector.broadcast %v0 : {many} to {vector(out, element)}",
                       (out, element), lambda a, o=out: np.broadcast_to(a, o))  # fmt: skip
    for out in {(prod(shape),), (1, *shape), shape}:
        yield program("vector.shape_cast", f"{name} {out}", [one],
                       f"%r = vector.shape_cast %v0 : {many} to {vector(out, element)}",
                       (out, element), lambda a, o=out: a.reshape(o))  # fmt: skip
    order = list(reversed(range(len(shape))))
    yield program("vector.transpose", name, [one],
                   f"%r = vector.transpose %v0, {order} : {many} to "
                   f"{vector(shape[::-1], element)}", (shape[::-1], element),
                   lambda a: a.T)  # fmt: skip
    count = prod(shape)
    results = f"%e:{count}" if count > 1 else "%e"
    listed = ", ".join(f"%e#{n}" for n in range(count)) if count > 1 else "%e"
    for op in ("vector.from_elements", "vector.to_elements"):
        yield program(
            op, name, [one], f"{results} = vector.to_elements %v0 : {many}\n"
            f"  %r = vector.from_elements {listed} : {many}", one, lambda a: a,
        )  # fmt: skip
    scalar = ((), element)
    if shape:
        last = [n - 1 for n in shape]
        yield program("vector.extract", name, [one],
                       f"%x = vector.extract %v0{last} : {element} from {many}\n"
                       f"  %r = vector.broadcast %x : {element} to {vector((), element)}", scalar,
                       lambda a: a[tuple(last)])  # fmt: skip

        def put(a: Array, b: Array) -> Array:
            b = b.copy()
            b[tuple(last)] = a
            return b

        yield program("vector.insert", name, [scalar, one],
                       f"%x = vector.extract %v0[] : {element} from {vector((), element)}\n"
                       f"  %r = vector.insert %x, %v1{last} : {element} into {many}", one,
                       put)  # fmt: skip


def _lanes(element: str) -> Iterator[Case]:
    one, many = ((4,), element), vector((4,), element)
    two, half = vector((2,), element), ((2,), element)
    yield program("vector.shuffle", element, [one, one],
                   f"%r = vector.shuffle %v0, %v1 [7, 0, 3, 4] : {many}, {many}", one,
                   lambda a, b: np.concatenate([a, b])[[7, 0, 3, 4]])  # fmt: skip
    yield program("vector.interleave", element, [half, half],
                   f"%r = vector.interleave %v0, %v1 : {two} -> {many}", one,
                   lambda a, b: np.stack([a, b], 1).ravel())  # fmt: skip
    yield program("vector.deinterleave", element, [one],
                   f"%r, %s = vector.deinterleave %v0 : {many} -> {two}", half,
                   lambda a: a[::2])  # fmt: skip
    for start in (0, 1, 2):
        yield program(
            "vector.extract_strided_slice", f"{start} {element}", [one],
            f"%r = vector.extract_strided_slice %v0 {{offsets = [{start}], sizes = [2], strides = "
            f"[1]}} : {many} to {two}", half, lambda a, s=start: a[s : s + 2],
        )  # fmt: skip
        yield program(
            "vector.insert_strided_slice", f"{start} {element}", [half, one],
            f"%r = vector.insert_strided_slice %v0, %v1 {{offsets = [{start}], strides = [1]}} : "
            f"{two} into {many}", one,
            lambda a, b, s=start: np.concatenate([b[:s], a, b[s + 2 :]]),
        )  # fmt: skip
    for out, size in (("i8", 1), ("i32", 4), ("f32", 4), ("i16", 2), ("bf16", 2), ("i64", 8)):
        width = {"i8": 1, "i32": 4, "f32": 4, "bf16": 2, "f64": 8, "i64": 8}.get(element)
        if width is None or 4 * width % size:
            continue
        count = 4 * width // size
        yield program(
            "vector.bitcast", f"{element} {out}", [one],
            f"%r = vector.bitcast %v0 : {many} to {vector((count,), out)}", ((count,), out),
            lambda a, o=out: a.view(numpy_type(o)),
        )  # fmt: skip
    if element[0] != "i":
        near = {"f32": 2.0**-20, "f64": 2.0**-50, "bf16": 2.0**-6}.get(element, 0.5)
        small = [1, 2, -1, 0.5]
        yield program("vector.fma", element, [one] * 3,
                       f"%r = vector.fma %v0, %v1, %v2 : {many}", one,
                       lambda a, b, c: a * b + c, near, [small] * 3)  # fmt: skip
    if element == "index":
        yield program("vector.step", "4", [one], "%r = vector.step : vector<4xindex>", one,
                       lambda a: np.arange(4))  # fmt: skip


def _masks() -> Iterator[Case]:
    flags = ((4,), "i1")
    for size in (0, 1, 4):
        yield program("vector.constant_mask", f"{size}", [flags],
                       f"%r = vector.constant_mask [{size}] : vector<4xi1>", flags,
                       lambda a, n=size: np.arange(4) < n)  # fmt: skip
    for size in (-1, 0, 1, 4, 5, 2**62, -(2**63)):
        yield program(
            "vector.create_mask", f"{size}", [((), "index"), flags],
            "%n = vector.extract %v0[] : index from vector<index>\n"
            "  %r = vector.create_mask %n : vector<4xi1>", flags,
            lambda a, b, n=size: np.arange(4) < n, given=[size],
        )  # fmt: skip
    for element in ("f32", "i32", "i1", "bf16"):
        many = vector((4,), element)
        scalar = vector((), element)
        kind = "xor" if element == "i1" else "add"
        yield program(
            "vector.mask", element, [((4,), element), flags],
            f"%x = vector.mask %v1 {{ vector.reduction <{kind}>, %v0 : {many} into {element} }} : "
            f"vector<4xi1> -> {element}\n  %r = vector.broadcast %x : {element} to {scalar}",
            ((), element),
            (lambda a, m: np.bitwise_xor.reduce(a[m])) if element == "i1" else
            (lambda a, m: a[m].sum(dtype=a.dtype)), 2.0**-4,
            [[True, False, True, True] if element == "i1" else [1, 2, 4, 8],
             [True, True, False, True]],
        )  # fmt: skip
