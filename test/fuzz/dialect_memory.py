"""Ops of tensor and bufferization, in many forms."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from dialect_forms import (
    ELEMENTS,
    FEW,
    SHAPES,
    Arg,
    case,
    index_list,
    numbers,
    tensor,
    type_of,
)
from stablehlo_forms import Shape
from upstream_table import Case

DYNAMIC = (False, True)


def memory() -> Iterator[Case]:
    """All forms of this file."""
    for element in ELEMENTS:
        for shape, dynamic in product(SHAPES, DYNAMIC):
            if element in FEW or shape in ((), (3,)):
                yield from _whole(shape, element, dynamic)
    for element in FEW:
        for dynamic in DYNAMIC:
            yield from _reshapes(element, dynamic)
            if element in ("f32", "i4", "complex<f32>"):
                yield from _slices(element, dynamic)
            yield from _pads(element, dynamic)
            yield from _joins(element, dynamic)
    yield from _bits()


def _whole(shape: Shape, element: str, dynamic: bool) -> Iterator[Case]:
    """What has no attributes."""
    one = tensor(shape, element, dynamic)
    scalar, static = tensor((), element), type_of("tensor", shape, element)
    name = f"{'dynamic ' if dynamic else ''}{shape} {element}"
    other = type_of("tensor", shape, element, not dynamic)
    yield case("tensor.cast", name, [one], f"  %r0 = tensor.cast %a0 : {one.type} to {other}",
               [other])  # fmt: skip
    index = type_of("tensor", (), "index")
    yield case("tensor.rank", name, [one], f"  %n = tensor.rank %a0 : {one.type}\n"
               f"  %r0 = tensor.from_elements %n : {index}", [index])  # fmt: skip
    for dim in (*range(len(shape)), 7, -1):
        yield case(
            "tensor.dim", f"{name} {dim}", [one], f"  %d = arith.constant {dim} : index\n"
            f"  %n = tensor.dim %a0, %d : {one.type}\n  %r0 = tensor.from_elements %n : {index}",
            [index],
        )  # fmt: skip
    lines, names = index_list(1, len(shape))
    asked = ", ".join(names) if dynamic else ""
    sizes = numbers(shape)
    read = "  %x = tensor.extract %a0[] : " + scalar.type
    brackets = f"[{asked}]" if asked else ""
    yield case("tensor.splat", name, [scalar, sizes],
               f"{lines}{read}\n  %r0 = tensor.splat %x{brackets} : {one.type}",
               [one.type])  # fmt: skip
    places = ", ".join(f"%i{n}: index" for n in range(len(shape)))
    yield case(
        "tensor.generate", name, [scalar, sizes], f"{lines}{read}\n"
        f'  %r0 = "tensor.generate"({asked}) ({{\n  ^bb0({places}):\n    tensor.yield %x : '
        f"{element}\n  }}) : ({', '.join(['index'] * len(names)) if dynamic else ''}) -> "
        f"{one.type}", [one.type],
    )  # fmt: skip
    empty = f"  %e = tensor.empty({asked}) : {one.type}"
    filled = f"linalg.fill ins(%x : {element}) outs(%e : {one.type}) -> {one.type}"
    yield case("tensor.empty", name, [scalar, sizes], f"{lines}{read}\n{empty}\n  %r0 = {filled}",
               [one.type])  # fmt: skip
    allocated = f"  %e = bufferization.alloc_tensor({asked}) : {one.type}"
    yield case("bufferization.alloc_tensor", name, [scalar, sizes],
               f"{lines}{read}\n{allocated}\n  %r0 = {filled}", [one.type])  # fmt: skip
    yield case("bufferization.alloc_tensor", f"{name} copy", [one],
               f"  %r0 = bufferization.alloc_tensor() copy(%a0) : {one.type}",
               [one.type])  # fmt: skip
    buffer = one.type.replace("tensor", "memref")
    yield case(
        "bufferization.to_tensor", name, [Arg(buffer, shape, element)],
        f"  %t = bufferization.to_tensor %a0 restrict writable : {buffer} to {one.type}\n"
        f"  %r0 = bufferization.alloc_tensor() copy(%t) : {one.type}", [one.type],
    )  # fmt: skip
    yield case(
        "bufferization.to_buffer", name, [one, Arg(buffer, shape, element)],
        f"  %b = bufferization.to_buffer %a0 read_only : {one.type} to {buffer}\n"
        f"  memref.copy %b, %a1 : {buffer} to {buffer}",
    )  # fmt: skip
    yield case(
        "bufferization.clone", name, [Arg(buffer, shape, element)] * 2,
        f"  %b = bufferization.clone %a0 : {buffer} to {buffer}\n"
        f"  memref.copy %b, %a1 : {buffer} to {buffer}\n  memref.dealloc %b : {buffer}",
    )  # fmt: skip
    yield case(
        "bufferization.materialize_in_destination", name, [one, one],
        f"  %d = bufferization.alloc_tensor() copy(%a1) : {one.type}\n"
        f"  %r0 = bufferization.materialize_in_destination %a0 in %d : ({one.type}, {one.type}) "
        f"-> {one.type}", [one.type],
    )  # fmt: skip
    yield case(
        "bufferization.dealloc_tensor", name, [scalar, sizes],
        f"{lines}{read}\n{empty}\n  %f = {filled}\n  bufferization.dealloc_tensor %f : {one.type}\n"
        f"  %r0 = tensor.from_elements %x : {scalar.type}", [scalar.type],
    )  # fmt: skip
    if not dynamic:
        count = prod(shape)
        yield case("tensor.from_elements", name, [scalar],
                   f'{read}\n  %r0 = "tensor.from_elements"({", ".join(["%x"] * count)}) : '
                   f"({', '.join([element] * count)}) -> {static}", [static])  # fmt: skip
    if prod(shape):
        where = numbers([n - 1 for n in shape])
        at = ", ".join(names)
        yield case(
            "tensor.extract", name, [one, where], f"{lines}  %x = tensor.extract %a0[{at}] : "
            f"{one.type}\n  %r0 = tensor.from_elements %x : {scalar.type}", [scalar.type],
        )  # fmt: skip
        yield case(
            "tensor.insert", name, [scalar, where, one],
            f"{lines}{read}\n  %r0 = tensor.insert %x into %a2[{at}] : {one.type}", [one.type],
        )  # fmt: skip


_COLLAPSED: tuple[tuple[Shape, str, Shape], ...] = (
    ((2, 3), "[[0, 1]]", (6,)), ((1, 1), "[]", ()), ((1,), "[]", ()), ((2, 0), "[[0, 1]]", (0,)),
    ((2, 3, 1), "[[0], [1, 2]]", (2, 3)), ((0, 3, 4), "[[0, 1], [2]]", (0, 4)),
    ((1, 4), "[[0, 1]]", (4,)), ((2, 2, 3), "[[0, 1, 2]]", (12,)), ((3,), "[[0]]", (3,)),
)  # fmt: skip


def _reshapes(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for wide, groups, narrow in _COLLAPSED:
        name = f"{prefix}{wide} {groups} {element}"
        big, small = tensor(wide, element, dynamic), tensor(narrow, element, dynamic)
        yield case("tensor.collapse_shape", name, [big], f"  %r0 = tensor.collapse_shape %a0 "
                   f"{groups} : {big.type} into {small.type}", [small.type])  # fmt: skip
        lines, names = index_list(1, len(wide))
        sizes = ", ".join(names if dynamic else map(str, wide))
        yield case(
            "tensor.expand_shape", name, [small, numbers(wide)],
            f"{lines}  %r0 = tensor.expand_shape %a0 {groups} output_shape [{sizes}] : "
            f"{small.type} into {big.type}", [big.type],
        )  # fmt: skip
    for shape, out in (
        ((6,), (2, 3)), ((), (1, 1)), ((1,), ()), ((0,), (2, 0)), ((2, 0), (0, 5)), ((3,), (3,)),
    ):  # fmt: skip
        one, other = tensor(shape, element, dynamic), type_of("tensor", out, element, dynamic)
        sizes = numbers(out)
        yield case(
            "tensor.reshape", f"{prefix}{shape} {out} {element}", [one, sizes],
            f"  %r0 = tensor.reshape %a0(%a1) : ({one.type}, {sizes.type}) -> {other}", [other],
        )  # fmt: skip


SLICES: tuple[tuple[Shape, Shape, Shape, Shape], ...] = (
    ((), (), (), ()), ((5,), (0,), (5,), (1,)), ((5,), (1,), (2,), (3,)), ((5,), (5,), (0,), (1,)),
    ((5,), (4,), (1,), (2**62,)), ((5,), (4,), (1,), (2**63 - 1,)), ((5,), (0,), (0,), (2**62,)),
    ((0,), (0,), (0,), (1,)), ((1,), (0,), (1,), (7,)), ((4,), (3,), (4,), (-1,)),
    ((4,), (1,), (3,), (0,)), ((2, 3), (1, 0), (1, 2), (1, 2)), ((2, 0), (0, 0), (2, 0), (1, 1)),
    ((4, 1), (1, 0), (3, 0), (1, 1)), ((4,), (2,), (1,), (-(2**63),)),
)  # fmt: skip
"""Sizes, offsets, sizes and strides of the slice."""


def lists(*groups: Sequence[object]) -> str:
    """Offsets, sizes and strides as a slice has them."""
    return " ".join("[" + ", ".join(map(str, group)) + "]" for group in groups)


def _slices(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for shape, offsets, sizes, strides in SLICES:
        rank = len(shape)
        known = numbers((*offsets, *sizes, *strides))
        lines, names = index_list(1, 3 * rank)
        for run_time in ("", "offsets", "sizes", "strides", "all")[: 5 if rank else 1]:
            groups = [
                names[n * rank : (n + 1) * rank] if run_time in (kind, "all") else list(static)
                for n, (kind, static) in enumerate(
                    (("offsets", offsets), ("sizes", sizes), ("strides", strides))
                )
            ]
            name = f"{prefix}{shape} {offsets} {sizes} {strides} {run_time} {element}"
            one = tensor(shape, element, dynamic)
            part = tensor(sizes, element, run_time in ("sizes", "all"))
            yield case(
                "tensor.extract_slice", name, [one, known],
                f"{lines}  %r0 = tensor.extract_slice %a0{lists(*groups)} : {one.type} to "
                f"{part.type}", [part.type],
            )  # fmt: skip
            if 0 in strides:
                continue
            yield case(
                "tensor.insert_slice", name, [part, known, one],
                f"{lines}  %r0 = tensor.insert_slice %a0 into %a2{lists(*groups)} : {part.type} "
                f"into {one.type}", [one.type],
            )  # fmt: skip
            yield case(
                "tensor.parallel_insert_slice", name, [part, known, one],
                f"{lines}  %r0 = scf.forall (%i) in (1) shared_outs(%o = %a2) -> {one.type} {{\n"
                "    scf.forall.in_parallel {\n"
                f"      tensor.parallel_insert_slice %a0 into %o{lists(*groups)} : {part.type} "
                f"into {one.type}\n    }}\n  }}", [one.type],
            )  # fmt: skip


def _pads(element: str, dynamic: bool) -> Iterator[Case]:
    for shape, low, high in (
        ((), (), ()), ((3,), (0,), (0,)), ((3,), (1,), (2,)), ((0,), (2,), (0,)),
        ((3,), (-1,), (0,)),
        ((3,), (0,), (-2,)), ((3,), (-1,), (1,)), ((3,), (-3,), (3,)), ((2, 0), (0, 1), (1, 0)),
        ((1, 1), (1, 0), (-1, 2)), ((3,), (5,), (-6,)), ((3,), (-5,), (6,)),
    ):  # fmt: skip
        out = tuple(n + a + b for n, a, b in zip(shape, low, high, strict=True))
        rank = len(shape)
        lines, names = index_list(2, 2 * rank)
        for run_time, nofold in ((False, ""), (True, ""), (False, " nofold")):
            lows, highs = (names[:rank], names[rank:]) if run_time else (low, high)
            one, result = tensor(shape, element, dynamic), tensor(out, element, dynamic or run_time)
            places = ", ".join(f"%i{n}: index" for n in range(rank))
            yield case(
                "tensor.pad",
                f"{'dynamic ' if dynamic else ''}{shape} {low} {high} {run_time}{nofold} {element}",
                [one, tensor((), element), numbers((*low, *high))],
                f"{lines}  %x = tensor.extract %a1[] : tensor<{element}>\n"
                f"  %r0 = tensor.pad %a0{nofold} low[{', '.join(map(str, lows))}] "
                f"high[{', '.join(map(str, highs))}] {{\n  ^bb0({places}):\n    tensor.yield %x : "
                f"{element}\n  }} : {one.type} to {result.type}", [result.type],
            )  # fmt: skip


def _joins(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for shapes, dim in (
        ([(3,)], 0), ([(1,), (0,), (2,)], 0), ([(2, 0), (2, 3)], 1), ([(0, 3), (0, 3)], 0),
    ):  # fmt: skip
        out = list(shapes[0])
        out[dim] = sum(shape[dim] for shape in shapes)
        args = [tensor(shape, element, dynamic) for shape in shapes]
        result = type_of("tensor", tuple(out), element, dynamic)
        given = ", ".join(f"%a{n}" for n in range(len(args)))
        yield case(
            "tensor.concat", f"{prefix}{shapes} {dim} {element}", args,
            f"  %r0 = tensor.concat dim({dim}) {given} : ({', '.join(a.type for a in args)}) -> "
            f"{result}", [result],
        )  # fmt: skip
    for rows, count, width in ((3, 2, 2), (1, 0, 2), (3, 1, 0), (3, 1, 1)):
        one = tensor((rows, width), element, dynamic)
        at = tensor((count, 1), "i64", dynamic, [[n] for n in range(count)])
        taken = tensor((count, width), element, dynamic)
        name = f"{prefix}{count} of {rows} x {width} {element}"
        yield case(
            "tensor.gather", name, [one, at], "  %r0 = tensor.gather %a0[%a1] gather_dims([0]) : "
            f"({one.type}, {at.type}) -> {taken.type}", [taken.type],
        )  # fmt: skip
        part = tensor((count, 1, width), element, dynamic)
        yield case(
            "tensor.scatter", name, [part, one, at],
            "  %r0 = tensor.scatter %a0 into %a1[%a2] scatter_dims([0]) unique : "
            f"({part.type}, {one.type}, {at.type}) -> {one.type}", [one.type],
        )  # fmt: skip


def _bits() -> Iterator[Case]:
    groups = (("i8", "f8E5M2", "f8E4M3FN"), ("i16", "f16", "bf16"), ("i32", "f32"), ("i64", "f64"),
              ("i4", "f4E2M1FN"), ("i1",), ("index", "i64"))  # fmt: skip
    for group in groups:
        for given, wanted in product(group, group):
            for shape in ((), (0,), (3,)):
                one, out = tensor(shape, given), type_of("tensor", shape, wanted)
                yield case("tensor.bitcast", f"{shape} {given} {wanted}", [one],
                           f"  %r0 = tensor.bitcast %a0 : {one.type} to {out}", [out])  # fmt: skip
