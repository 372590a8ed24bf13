"""Ops of memref and affine, in many forms."""

from collections.abc import Iterator
from itertools import product
from math import prod

from dialect_forms import ELEMENTS, FEW, SHAPES, case, index_list, memref, numbers, tensor, type_of
from dialect_memory import DYNAMIC, SLICES, lists
from stablehlo_forms import Shape
from upstream_table import Case

_UPDATES = ("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf",
            "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori")  # fmt: skip


def buffers() -> Iterator[Case]:
    """All forms of this file."""
    for element in ELEMENTS:
        for shape, dynamic in product(SHAPES, DYNAMIC):
            if element in FEW or shape in ((), (3,)):
                yield from _whole(shape, element, dynamic)
                yield from _elements(shape, element, dynamic)
    for element in FEW:
        for dynamic in DYNAMIC:
            yield from _reshapes(element, dynamic)
            yield from _views(element, dynamic)
    for element, kind in product(ELEMENTS, _UPDATES):
        one, scalar = memref((3,), element), tensor((), element)
        yield case(
            "memref.atomic_rmw", f"{kind} {element}", [one, scalar],
            f"  %x = tensor.extract %a1[] : {scalar.type}\n  %i = arith.constant 1 : index\n"
            f"  %y = memref.atomic_rmw {kind} %x, %a0[%i] : ({element}, {one.type}) -> {element}",
        )  # fmt: skip


def _whole(shape: Shape, element: str, dynamic: bool) -> Iterator[Case]:
    """Buffers that are made, copied and looked at."""
    one, out = memref(shape, element, dynamic), memref(shape, element, dynamic)
    name = f"{'dynamic ' if dynamic else ''}{shape} {element}"
    lines, names = index_list(2, len(shape))
    asked = ", ".join(names) if dynamic else ""
    static = memref(shape, element).type
    back = f"  memref.copy %m, %a1 : {one.type} to {out.type}"
    there = f"  memref.copy %a0, %m : {one.type} to {one.type}\n{back}"
    args = [one, out, numbers(shape)]
    for op in ("alloc", "alloca"):
        for aligned in ("", " {alignment = 64 : i64}", " {alignment = 4294967296 : i64}"):
            free = f"\n  memref.dealloc %m : {one.type}" if op == "alloc" else ""
            made = f"{lines}  %m = memref.{op}({asked}){aligned} : {one.type}\n"
            yield case(f"memref.{op}", f"{name}{aligned}", args, f"{made}{there}{free}")
    yield case("memref.dealloc", name, args,
               f"{lines}  %m = memref.alloc({asked}) : {one.type}\n{there}\n  memref.dealloc %m : "
               f"{one.type}")  # fmt: skip
    yield case(
        "memref.alloca_scope", name, args,
        f"{lines}  memref.alloca_scope {{\n  %m = memref.alloca({asked}) : {one.type}\n{there}\n"
        "  }",
    )  # fmt: skip
    yield case("memref.copy", name, args[:2], f"  memref.copy %a0, %a1 : {one.type} to {out.type}")
    other = memref(shape, element, not dynamic).type
    for op, line in (
        ("cast", f"%m = memref.cast %a0 : {one.type} to {other}"),
        ("cast", f"%u = memref.cast %a0 : {one.type} to memref<*x{element}>\n"
                 f"  %m = memref.cast %u : memref<*x{element}> to {one.type}"),
        ("assume_alignment", f"%m = memref.assume_alignment %a0, 1 : {one.type}"),
        ("memory_space_cast", "%s = memref.memory_space_cast %a0 : "
         f"{one.type} to {one.type[:-1]}, 1>\n  %m = memref.memory_space_cast %s : "
         f"{one.type[:-1]}, 1> to {one.type}"),
        ("distinct_objects", f"%m, %d = memref.distinct_objects %a0, %a1 : {one.type}, {one.type}"),
    ):  # fmt: skip
        made = line.rsplit(" to ", 1)[-1] if op == "cast" else one.type
        yield case(f"memref.{op}", f"{name} {line[:3]}", args[:2],
                   f"  {line}\n  memref.copy %m, %a1 : {made} to {out.type}")  # fmt: skip
    index = memref((), "index")
    for op, line in [
        ("rank", f"%n = memref.rank %a0 : {one.type}"),
        *(("dim", f"%d = arith.constant {dim} : index\n  %n = memref.dim %a0, %d : {one.type}")
          for dim in (*range(len(shape)), 7)),
    ]:  # fmt: skip
        yield case(f"memref.{op}", f"{name} {line[20:22]}", [one, index],
                   f"  {line}\n  memref.store %n, %a1[] : {index.type}")  # fmt: skip
    sizes = len(shape)
    several = ", ".join(["index"] * (1 + 2 * sizes))
    yield case(
        "memref.extract_strided_metadata", name, [one, memref((), "index")],
        f"  %b, %o{f', %s:{sizes}, %t:{sizes}' if sizes else ''} = memref.extract_strided_metadata "
        f"%a0 : {one.type} -> memref<{element}>, {several}\n"
        f"  memref.store %o, %a1[] : {index.type}",
    )  # fmt: skip
    yield case(
        "memref.extract_aligned_pointer_as_index", name, [one, memref((), "index")],
        f"  %n = memref.extract_aligned_pointer_as_index %a0 : {one.type} -> index\n"
        f"  %z = arith.subi %n, %n : index\n  memref.store %z, %a1[] : {index.type}",
    )  # fmt: skip
    if len(shape) == 1:
        yield case(
            "memref.realloc", name, [one, out, numbers((5,))],
            f"  %z = arith.constant 0 : index\n  %n = tensor.extract %a2[%z] : tensor<1xindex>\n"
            f"  %s = memref.dim %a0, %z : {one.type}\n"
            f"  %m = memref.alloc({'%s' if dynamic else ''}) : {one.type}\n"
            f"  memref.copy %a0, %m : {one.type} to {one.type}\n"
            f"  %r = memref.realloc %m(%n) : {one.type} to memref<?x{element}>\n"
            f"  %v = memref.subview %r[0] [%s] [1] : memref<?x{element}> to "
            f"memref<?x{element}, strided<[1]>>\n"
            f"  memref.copy %v, %a1 : memref<?x{element}, strided<[1]>> to {out.type}\n"
            f"  memref.dealloc %r : memref<?x{element}>",
        )  # fmt: skip
    if not dynamic:
        number = "1" if element[0] == "i" else "1.0"
        number = {"i1": "true", "complex<f32>": "(1.0, 2.0)"}.get(element, number)
        value = f"dense<{number if prod(shape) else ''}>"
        for op in ("memref.global", "memref.get_global"):
            for kind, given in (("constant ", f" = {value}"), ("", f" = {value}")):
                yield case(
                    op, f"{name} {kind}", [out], f"  %m = memref.get_global @g : {static}\n"
                    f"  memref.copy %m, %a0 : {static} to {static}",
                    before=f'memref.global "private" {kind}@g : {static}{given}\n',
                )  # fmt: skip


def _elements(shape: Shape, element: str, dynamic: bool) -> Iterator[Case]:
    if not prod(shape):
        return
    one, scalar = memref(shape, element, dynamic), memref((), element)
    name = f"{'dynamic ' if dynamic else ''}{shape} {element}"
    last = numbers([n - 1 for n in shape])
    lines, names = index_list(2, len(shape))
    at = ", ".join(names)
    for prefix in ("memref", "affine"):
        where = at.replace("%", "symbol(%").replace(",", "),") + ")" if prefix == "affine" else at
        where = "" if not shape else where
        yield case(f"{prefix}.load", name, [one, scalar, last],
                   f"{lines}  %x = {prefix}.load %a0[{where}] : {one.type}\n"
                   f"  memref.store %x, %a1[] : {scalar.type}")  # fmt: skip
        yield case(f"{prefix}.store", name, [one, scalar, last],
                   f"{lines}  %x = memref.load %a1[] : {scalar.type}\n"
                   f"  {prefix}.store %x, %a0[{where}] : {one.type}")  # fmt: skip
        yield case(
            f"{prefix}.prefetch", name, [one, scalar, last],
            f"{lines}  {prefix}.prefetch %a0[{where}], read, locality<3>, data : {one.type}\n"
            f"  %x = memref.load %a0[{at}] : {one.type}\n  memref.store %x, %a1[] : {scalar.type}",
        )  # fmt: skip
    yield case(
        "memref.generic_atomic_rmw", name, [one, scalar, last],
        f"{lines}  %v = memref.load %a1[] : {scalar.type}\n"
        f"  %y = memref.generic_atomic_rmw %a0[{at}] : {one.type} {{\n"
        f"  ^bb0(%x: {element}):\n    memref.atomic_yield %v : {element}\n  }}",
    )  # fmt: skip


_GROUPS: tuple[tuple[Shape, str, Shape], ...] = (
    ((2, 3), "[[0, 1]]", (6,)), ((1, 1), "[]", ()), ((2, 0), "[[0, 1]]", (0,)),
    ((2, 3, 1), "[[0], [1, 2]]", (2, 3)), ((0, 3, 4), "[[0, 1], [2]]", (0, 4)),
)  # fmt: skip


def _reshapes(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for wide, groups, narrow in _GROUPS:
        name = f"{prefix}{wide} {groups} {element}"
        big, small = memref(wide, element, dynamic), memref(narrow, element, dynamic)
        yield case(
            "memref.collapse_shape", name, [big, small], f"  %m = memref.collapse_shape %a0 "
            f"{groups} : {big.type} into {small.type}\n"
            f"  memref.copy %m, %a1 : {small.type} to {small.type}",
        )  # fmt: skip
        lines, names = index_list(2, len(wide))
        sizes = ", ".join(names if dynamic else map(str, wide))
        yield case(
            "memref.expand_shape", name, [small, big, numbers(wide)],
            f"{lines}  %m = memref.expand_shape %a0 {groups} output_shape [{sizes}] : "
            f"{small.type} into {big.type}\n  memref.copy %m, %a1 : {big.type} to {big.type}",
        )  # fmt: skip
    for shape, out in (((6,), (2, 3)), ((), (1, 1)), ((1,), ()), ((0,), (2, 0)), ((2, 3), (6,))):
        one, other = memref(shape, element, dynamic), memref(out, element, dynamic)
        sizes = memref((len(out),), "index", given=list(out))
        name = f"{prefix}{shape} {out} {element}"
        yield case(
            "memref.reshape", name, [one, other, sizes],
            f"  %m = memref.reshape %a0(%a2) : ({one.type}, {sizes.type}) -> {other.type}\n"
            f"  memref.copy %m, %a1 : {other.type} to {other.type}",
        )  # fmt: skip
        strides = [prod(out[d + 1 :]) for d in range(len(out))]
        layout = f"strided<{strides}>"
        part = type_of("memref", out, element)[:-1] + f", {layout}>"
        yield case(
            "memref.reinterpret_cast", name, [one, memref(out, element)],
            f"  %m = memref.reinterpret_cast %a0 to offset: [0], sizes: {list(out)}, strides: "
            f"{strides} : {one.type} to {part}\n"
            f"  memref.copy %m, %a1 : {part} to {memref(out, element).type}",
        )  # fmt: skip


def _views(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for shape, offsets, sizes, strides in SLICES if element in ("f32", "i4", "index") else ():
        rank = len(shape)
        lines, names = index_list(2, 3 * rank)
        for run_time in (False, True) if rank else (False,):
            groups = [names[:rank], names[rank : 2 * rank], names[2 * rank :]]
            whole = [list(offsets), list(sizes), list(strides)]
            one = memref(shape, element, dynamic)
            part = memref(sizes, element, run_time)
            open_ = ", ".join("?" * rank)
            view = part.type[:-1] + f", strided<[{open_}], offset: ?>>"
            if not run_time:
                steps = [s * prod(shape[d + 1 :]) for d, s in enumerate(strides)]
                start = sum(o * prod(shape[d + 1 :]) for d, o in enumerate(offsets))
                layout = f"strided<{steps}, offset: {start}>" if start else f"strided<{steps}>"
                view = part.type[:-1] + f", {layout}>"
                if dynamic and rank > 1:
                    continue
            yield case(
                "memref.subview", f"{prefix}{shape} {offsets} {sizes} {strides} {run_time} "
                f"{element}", [one, part, numbers((*offsets, *sizes, *strides))],
                f"{lines}  %m = memref.subview %a0{lists(*(groups if run_time else whole))} : "
                f"{one.type} to {view}\n  memref.copy %m, %a1 : {view} to {part.type}",
            )  # fmt: skip
    for shape in ((), (3,), (2, 3), (2, 0), (1, 1)):
        one, other = memref(shape, element, dynamic), memref(shape[::-1], element, dynamic)
        dims = ", ".join(f"d{d}" for d in range(len(shape)))
        back = ", ".join(f"d{d}" for d in reversed(range(len(shape))))
        map_ = f"({dims}) -> ({back})"
        steps = [prod(shape[d + 1 :]) for d in range(len(shape))][::-1]
        text = ", ".join("?" if dynamic and d < len(steps) - 1 else str(n)
                         for d, n in enumerate(steps))  # fmt: skip
        if dynamic and len(shape) == 2:
            text = "1, ?"
        view = other.type[:-1] + f", strided<[{text}]>>"
        yield case(
            "memref.transpose", f"{prefix}{shape} {element}", [one, other],
            f"  %m = memref.transpose %a0 {map_} : {one.type} to {view}\n"
            f"  memref.copy %m, %a1 : {view} to {other.type}",
        )  # fmt: skip
    for count, start in ((3, 0), (0, 0), (1, 8), (2, 1)):
        raw = memref((64,), "i8", given=[0] * 64)
        out, many = memref((count,), element, dynamic), numbers((start, count))
        lines, (at, size) = index_list(2, 2)
        asked = f"[{size}]" if dynamic else "[]"
        yield case(
            "memref.view", f"{prefix}{count} {start} {element}", [raw, out, many],
            f"{lines}  %m = memref.view %a0[{at}]{asked} : {raw.type} to {out.type}\n"
            f"  memref.copy %m, %a1 : {out.type} to {out.type}",
        )  # fmt: skip
