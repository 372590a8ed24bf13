"""Ops of scf, cf and affine with regions and blocks, in many forms."""

from collections.abc import Iterator

import numpy as np
from dialect_forms import FEW, Arg, case, memref, numbers, tensor
from stablehlo_forms import Shape
from upstream_table import Case

_BOUNDS = (
    (0, 0, 1), (0, 3, 1), (0, 5, 2), (3, 0, 1), (-2, 2, 1), (0, 1, 2**62), (0, 1, 2**63 - 1),
    (2**63 - 4, 2**63 - 2, 1), (-(2**63), -(2**63) + 3, 1), (-(2**63), 2**62, 2**62),
)  # fmt: skip
"""From, to, step; the counter of a loop goes round where the last one and the step pass 2^63."""


def control() -> Iterator[Case]:
    """All forms of this file."""
    for element in FEW:
        for shape in ((), (0,), (3,)):
            yield from _branches(shape, element)
            yield from _loops(shape, element)
    for bounds in _BOUNDS:
        yield from _counted(bounds)
    yield from _affine()


def _read(argument: int, count: int) -> str:
    """%n0, %n1, … of an argument of numbers."""
    return "".join(
        f"  %at{n} = arith.constant {n} : index\n"
        f"  %n{n} = tensor.extract %a{argument}[%at{n}] : tensor<{count}xindex>\n"
        for n in range(count)
    )


def _branches(shape: Shape, element: str) -> Iterator[Case]:
    one = tensor(shape, element)
    for flag in (0, 1, 2, -1):
        name, args = f"{shape} {element} {flag}", [one, one, numbers([flag])]
        is_zero = f"{_read(2, 1)}  %c = arith.cmpi eq, %n0, %at0 : index\n"
        yield case(
            "scf.if", name, args, f"{is_zero}  %r0 = scf.if %c -> {one.type} {{\n"
            f"    scf.yield %a0 : {one.type}\n  }} else {{\n    scf.yield %a1 : {one.type}\n  }}",
            [one.type],
        )  # fmt: skip
        yield case(
            "scf.index_switch", name, args,
            f"{_read(2, 1)}  %r0 = scf.index_switch %n0 -> {one.type}\n  case 1 {{\n"
            f"    scf.yield %a0 : {one.type}\n  }}\n  case -1 {{\n    scf.yield %a1 : {one.type}\n"
            f"  }}\n  default {{\n    scf.yield %a1 : {one.type}\n  }}", [one.type],
        )  # fmt: skip
        yield case(
            "scf.execute_region", name, args,
            f"{is_zero}  %r0 = scf.execute_region -> {one.type} {{\n"
            f"    scf.yield %a0 : {one.type}\n  }}", [one.type],
        )  # fmt: skip
        yield case(
            "cf.cond_br", name, args,
            f"{is_zero}  cf.cond_br %c, ^x(%a0 : {one.type}), ^x(%a1 : {one.type})\n"
            f"^x(%r0: {one.type}):", [one.type],
        )  # fmt: skip
        yield case(
            "cf.assert", name, args,
            f"{is_zero}  %t = arith.ori %c, %c : i1\n  %f = arith.constant true\n"
            f"  %u = arith.ori %t, %f : i1\n  cf.assert %u, \"never\"\n"
            f"  %r0 = tensor.cast %a0 : {one.type} to {one.type}", [one.type],
        )  # fmt: skip
        yield case("cf.br", name, args, f"  cf.br ^x(%a1 : {one.type})\n^x(%r0: {one.type}):",
                   [one.type])  # fmt: skip
        yield case(
            "cf.switch", name, args,
            f"{_read(2, 1)}  %i = arith.index_cast %n0 : index to i32\n  cf.switch %i : i32, [\n"
            f"    default: ^x(%a0 : {one.type}),\n    1: ^x(%a1 : {one.type}),\n"
            f"    -1: ^x(%a0 : {one.type})\n  ]\n^x(%r0: {one.type}):", [one.type],
        )  # fmt: skip


def _loops(shape: Shape, element: str) -> Iterator[Case]:
    one = tensor(shape, element)
    for turns in (0, 1, 3):
        name, args = f"{shape} {element} {turns}", [one, one, numbers([turns])]
        start = f"{_read(2, 1)}  %s = arith.constant 1 : index\n"
        yield case(
            "scf.for", name, args,
            f"{start}  %r0 = scf.for %i = %at0 to %n0 step %s iter_args(%x = %a0) -> ({one.type}) "
            f"{{\n    scf.yield %a1 : {one.type}\n  }}", [one.type],
        )  # fmt: skip
        yield case(
            "scf.while", name, args,
            f"{start}  %k, %r0 = scf.while (%i = %at0, %x = %a0) : (index, {one.type}) -> (index, "
            f"{one.type}) {{\n    %c = arith.cmpi slt, %i, %n0 : index\n"
            f"    scf.condition(%c) %i, %x : index, {one.type}\n  }} do {{\n"
            f"  ^bb0(%i: index, %x: {one.type}):\n    %j = arith.addi %i, %s : index\n"
            f"    scf.yield %j, %a1 : index, {one.type}\n  }}", [one.type],
        )  # fmt: skip
        if len(shape) != 1:
            continue
        rows = tensor((turns, *shape), element)
        size = shape[0]
        yield case(
            "scf.forall", name, [one, rows, numbers([turns])],
            f"{start}  %r0 = scf.forall (%i) in (%n0) shared_outs(%o = %a1) -> {rows.type} {{\n"
            "    scf.forall.in_parallel {\n"
            f"      tensor.parallel_insert_slice %a0 into %o[%i, 0] [1, {size}] [1, 1] : "
            f"{one.type} into {rows.type}\n    }}\n  }}", [rows.type],
        )  # fmt: skip


def _counted(bounds: tuple[int, int, int]) -> Iterator[Case]:
    """Loops that count their turns, at the ends of 64 bits."""
    name, args = f"{bounds}", [numbers(bounds), memref((), "index", given=0)]
    add = (
        "    %v = memref.load %a1[] : memref<index>\n    %w = arith.addi %v, %one : index\n"
        "    memref.store %w, %a1[] : memref<index>\n"
    )
    start = f"{_read(0, 3)}  %one = arith.constant 1 : index\n"
    first, last, step = bounds
    for kind, (low, high, by) in (("", ("%n0", "%n1", "%n2")), (" static", ("%l", "%h", "%s"))):
        made = "".join(
            f"  %{letter} = arith.constant {n} : index\n"
            for letter, n in zip("lhs", bounds, strict=True)
        )
        yield case(
            "scf.for", f"{name}{kind}", args,
            f"{start}{made}  scf.for %i = {low} to {high} step {by} {{\n{add}  }}",
        )  # fmt: skip
        yield case(
            "scf.parallel", f"{name}{kind}", args,
            f"{start}{made}  %c = scf.parallel (%i) = ({low}) to ({high}) step ({by}) init (%at0) "
            "-> index {\n    scf.reduce(%one : index) {\n    ^bb0(%x: index, %y: index):\n"
            "      %z = arith.addi %x, %y : index\n      scf.reduce.return %z : index\n    }\n  }\n"
            "  memref.store %c, %a1[] : memref<index>",
        )  # fmt: skip
        yield case(
            "scf.forall", f"{name}{kind}", args,
            f"{start}{made}  scf.forall (%i) = ({low}) to ({high}) step ({by}) {{\n{add}  }}",
        )  # fmt: skip
    yield case("affine.for", f"{name} static", args,
               f"{start}  affine.for %i = {first} to {last} step {step} {{\n{add}  }}")  # fmt: skip
    yield case("affine.for", name, args,
               f"{start}  affine.for %i = %n0 to %n1 step {step} {{\n{add}  }}")  # fmt: skip


def _affine() -> Iterator[Case]:
    out = memref((), "index")
    store = "\n  memref.store %r, %a1[] : memref<index>"
    for values in ((0, 1), (7, 3), (-7, 3), (2**63 - 1, 2), (-(2**63), 3), (5, 1)):
        args: list[Arg] = [numbers(values), out]
        start = _read(0, 2)
        for text in ("a + b", "a - b", "a mod 3", "a floordiv 3", "a ceildiv 3", "a * -4 + b * 7",
                     "a mod 5 - b floordiv 2"):  # fmt: skip
            map_ = f"affine_map<(a, b) -> ({text})>"
            yield case("affine.apply", f"{values} {text}", args,
                       f"{start}  %r = affine.apply {map_}(%n0, %n1){store}")  # fmt: skip
        for op in ("min", "max"):
            map_ = "affine_map<(a, b) -> (a, b, a - b, 4)>"
            yield case(f"affine.{op}", f"{values}", args,
                       f"{start}  %r = affine.{op} {map_}(%n0, %n1){store}")  # fmt: skip
        yield case(
            "affine.if", f"{values}", args,
            f"{start}  %r = affine.if affine_set<(a, b) : (a - b - 1 >= 0, a mod 2 - 1 == 0)>"
            "(%n0, %n1) -> index {\n    affine.yield %n0 : index\n  } else {\n"
            f"    affine.yield %n1 : index\n  }}{store}",
        )  # fmt: skip
        for basis in ("2, 3", "1, 1", "4, 5"):
            yield case("affine.delinearize_index", f"{values} {basis}", args,
                       f"{start}  %q, %r = affine.delinearize_index %n1 into ({basis}) : index, "
                       f"index{store}")  # fmt: skip
            yield case("affine.linearize_index", f"{values} {basis}", args,
                       f"{start}  %r = affine.linearize_index [%n0, %n1] by ({basis}) : index"
                       f"{store}")  # fmt: skip
    for size in (0, 1, 4, 8):
        for element in ("f32", "i1", "index"):
            rows, taken = memref((8,), element), memref((8,), element)
            yield case(
                "affine.parallel", f"{size} {element}", [rows, taken],
                f"  affine.parallel (%i) = (0) to ({size}) {{\n"
                f"    %x = affine.load %a0[%i] : {rows.type}\n"
                f"    affine.store %x, %a1[%i] : {rows.type}\n  }}",
            )  # fmt: skip
            if not size:
                continue
            many = f"vector<{size}x{element}>"
            for op in ("vector_load", "vector_store"):
                yield case(
                    f"affine.{op}", f"{size} {element}", [rows, taken],
                    f"  %z = arith.constant 0 : index\n"
                    f"  %x = affine.vector_load %a0[%z] : {rows.type}, {many}\n"
                    f"  affine.vector_store %x, %a1[%z] : {rows.type}, {many}",
                    wanted=lambda a, b, n=size: [a, np.concatenate([a[:n], b[n:]])],
                )  # fmt: skip
