"""Ops of linalg, in many forms: those of opdsl by their own definitions, others one by one."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from dialect_forms import FEW, Arg, case, tensor
from dialect_memory import DYNAMIC
from mlir_gs.dialect._bindings import module
from stablehlo_forms import Shape
from upstream_table import Case

_TYPES = (
    ("f32", "f32", "f32"), ("i8", "i8", "i32"), ("f16", "f16", "f32"), ("bf16", "bf16", "bf16"),
    ("i64", "i64", "i64"), ("i1", "i1", "i1"), ("f8E5M2", "f8E5M2", "f32"), ("i4", "i4", "i8"),
    ("complex<f32>",) * 3, ("f64", "f64", "f64"), ("f32", "f32", "f64"),
)  # fmt: skip
"""Elements of the inputs, and of the output."""

_SIZES = ("small", "ones", "nothing", "strided")


_SHORT = ("linalg.depthwise_conv_3d_ndhwc_dhwc", "linalg.depthwise_conv_3d_ndhwc_dhwcm")
"""Their definitions leave out a dim of the output, that of the input's channels."""
_ANY_RANK: dict[str, Shape] = {"small": (2, 3), "ones": (), "nothing": (2, 0)}


def linalg_ops() -> Iterator[Case]:
    """All forms of this file."""
    dsl = module("dialects.linalg")
    for name in dir(dsl):
        definition = getattr(getattr(dsl, name), "op_def", None)
        if hasattr(definition, "registered_operands"):
            yield from _defined(f"linalg.{name}", definition.registered_operands)
    for element, dynamic in product(FEW, DYNAMIC):
        yield from _moves(element, dynamic)
        yield from _bodies(element, dynamic)
        yield from _packs(element, dynamic)
    for element in ("f32", "f16", "bf16", "f64"):
        for shape, dim in (((2, 3), 1), ((0, 3), 1), ((2, 0), 1), ((1, 1), 0), ((3,), 0)):
            one = tensor(shape, element)
            yield case(
                "linalg.softmax", f"{shape} {dim} {element}", [one, one],
                f"  %r0 = linalg.softmax dimension({dim}) ins(%a0 : {one.type}) outs(%a1 : "
                f"{one.type}) -> {one.type}", [one.type], relative=2.0**-6,
            )  # fmt: skip
    yield from _winograd()
    yield from _products()


def _products() -> Iterator[Case]:
    """Named products that opdsl does not define."""
    for (left, right, out), (m, k, n), dynamic in product(
        _TYPES, ((2, 3, 4), (0, 3, 2), (2, 0, 2), (1, 1, 1)), DYNAMIC
    ):
        for op, batch, kept in (
            ("linalg.matmul", (), ()),
            ("linalg.batch_matmul", (2,), (2,)),
            ("linalg.batch_reduce_matmul", (2,), ()),
        ):
            shapes = ((*batch, m, k), left), ((*batch, k, n), right), ((*kept, m, n), out)
            args = [tensor(shape, e, dynamic, _small(shape, e)) for shape, e in shapes]
            a, b, c = (arg.type for arg in args)
            yield case(
                op, f"{'dynamic ' if dynamic else ''}{m} {k} {n} {left} {right} {out}", args,
                f"  %r0 = {op} ins(%a0, %a1 : {a}, {b}) outs(%a2 : {c}) -> {c}", [c],
                relative=_near(out),
            )  # fmt: skip


def _defined(op: str, operands: Mapping[str, Any]) -> Iterator[Case]:
    """An op on sizes that its own definition gives."""
    attributes = [each for each in operands.values() if each.kind.name == "INDEX_ATTR"]
    # Of any rank: the operands have no sizes of their own.
    is_any = not any(each.size_exprs for each in operands.values())
    for (left, right, out), sizes in product(_TYPES, _SIZES):
        if sizes != "small" and left not in ("f32", "i8"):
            continue
        if sizes == "strided" and not attributes:
            continue
        known, texts = _Sizes(sizes, {}), []
        for each in attributes:
            steps = 2 if sizes == "strided" else 1
            known.values |= {symbol.symname: steps for symbol in each.size_exprs}
            texts.append(f"{each.name} = dense<{steps}> : tensor<{len(each.size_exprs)}xi64>")
        args: list[Arg] = []
        ins, outs = [], []
        for each in operands.values():
            if each.kind.name == "INDEX_ATTR" or each.kind.name.endswith("_FN_ATTR"):
                continue
            variable = each.type_var.name if each.type_var else "i64"
            element = {"U": out, "T2": right}.get(variable, left)
            if each.kind.name == "SCALAR":
                element = {"F64": "f64", "I32": "i32", "I64": "i64"}.get(variable, element)
                ins.append((f"%s{len(args)}", element, len(args)))
                args.append(tensor((), element))
                continue
            shape = tuple(map(known.size, each.size_exprs))
            if each.kind.name == "OUTPUT_TENSOR" and op in _SHORT:
                shape = (*shape[:4], known.values["IC"], *shape[4:])
            if is_any:
                shape = _ANY_RANK[sizes]
            place = outs if each.kind.name == "OUTPUT_TENSOR" else ins
            arg = tensor(shape, element, given=_small(shape, element))
            place.append((f"%a{len(args)}", arg.type, -1))
            args.append(arg)
        lines = "".join(
            f"  {value} = tensor.extract %a{at}[] : tensor<{type_}>\n"
            for value, type_, at in ins
            if at >= 0
        )
        given = ", ".join(value for value, _, _ in ins)
        types = ", ".join(type_ for _, type_, _ in ins)
        made, result = outs[0][0], outs[0][1]
        marked = f" {{{', '.join(texts)}}}" if texts else ""
        inputs = f"ins({given} : {types}) " if ins else ""
        yield case(
            op, f"{sizes} {left} {right} {out}", args,
            f"{lines}  %r0 = {op}{marked} {inputs}outs({made} : {result}) -> {result}", [result],
            relative=_near(out),
        )  # fmt: skip


class _Sizes:
    """The numbers of a definition's symbols."""

    def __init__(self, kind: str, values: dict[str, int]) -> None:
        self.kind, self.values = kind, values

    def size(self, expression: Any) -> int:
        if hasattr(expression, "symname"):
            return self.values.setdefault(expression.symname, self._next())
        if hasattr(expression, "lhs"):
            left, right = self.size(expression.lhs), self.size(expression.rhs)
            return left * right if "Mul" in type(expression).__name__ else left + right
        return expression.value

    def _next(self) -> int:
        number = len(self.values)
        if self.kind == "ones":
            return 1
        if self.kind == "nothing":
            return (2, 0, 3, 1)[number % 4]
        return (2, 3)[number % 2]


def _small(shape: Shape, element: str) -> Any:
    count = 1
    for n in shape:
        count *= n
    if not count:
        return None
    # Without zeros, which integers are not divided by.
    return [1 if element == "i1" else n % 3 + 1 if n % 2 else -1 - n % 2 for n in range(count)]


def _near(element: str) -> float:
    return {"f32": 2.0**-16, "f16": 2.0**-6, "bf16": 2.0**-3, "f64": 2.0**-40}.get(element, 0.0)


def _moves(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for shape, order in (((2, 3), (1, 0)), ((2, 0), (1, 0)), ((1, 1), (1, 0)), ((3,), (0,))):
        out = tuple(shape[d] for d in order)
        one, other = tensor(shape, element, dynamic), tensor(out, element, dynamic)
        yield case(
            "linalg.transpose", f"{prefix}{shape} {order} {element}", [one, other],
            f"  %r0 = linalg.transpose ins(%a0 : {one.type}) outs(%a1 : {other.type}) "
            f"permutation = {list(order)}", [other.type],
        )  # fmt: skip
    for shape, dims, out in (
        ((3,), [0], (2, 3)), ((3,), [1], (3, 2)), ((), [0], (0,)), ((0,), [1], (0, 2)),
        ((2,), [], (2,)), ((1,), [0, 2], (2, 1, 0)),
    ):  # fmt: skip
        one, other = tensor(shape, element, dynamic), tensor(out, element, dynamic)
        yield case(
            "linalg.broadcast", f"{prefix}{shape} {dims} {out} {element}", [one, other],
            f"  %r0 = linalg.broadcast ins(%a0 : {one.type}) outs(%a1 : {other.type}) "
            f"dimensions = {dims}", [other.type],
        )  # fmt: skip


def _bodies(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    add = "arith.addf" if "f" in element else "arith.addi"
    add = "complex.add" if element.startswith("complex") else add
    for shape in ((), (0,), (1,), (3,), (2, 3), (2, 0)):
        one = tensor(shape, element, dynamic)
        name = f"{prefix}{shape} {element}"
        yield case(
            "linalg.map", name, [one, one, one],
            f"  %r0 = linalg.map ins(%a0, %a1 : {one.type}, {one.type}) outs(%a2 : {one.type})\n"
            f"    (%x: {element}, %y: {element}, %o: {element}) {{\n"
            f"      %z = {add} %x, %y : {element}\n      linalg.yield %z : {element}\n    }}",
            [one.type],
        )  # fmt: skip
        dims = ", ".join(f"d{d}" for d in range(len(shape)))
        map_ = f"affine_map<({dims}) -> ({dims})>"
        kinds = ", ".join(['"parallel"'] * len(shape))
        yield case(
            "linalg.index", name, [tensor(shape, "index", dynamic)],
            f"  %r0 = linalg.generic {{indexing_maps = [{map_}], iterator_types = [{kinds}]}} "
            f"outs(%a0 : {one.type.replace(element, 'index')}) {{\n  ^bb0(%o: index):\n"
            f"    {'%i = linalg.index 0 : index' if shape else '%i = arith.constant 5 : index'}\n"
            f"    linalg.yield %i : index\n  }} -> {one.type.replace(element, 'index')}",
            [one.type.replace(element, "index")],
        )  # fmt: skip
        for dim in range(len(shape)):
            out = tuple(n for d, n in enumerate(shape) if d != dim)
            kept = tensor(out, element, dynamic)
            yield case(
                "linalg.reduce", f"{name} {dim}", [one, kept],
                f"  %r0 = linalg.reduce ins(%a0 : {one.type}) outs(%a1 : {kept.type}) "
                f"dimensions = [{dim}]\n    (%x: {element}, %y: {element}) {{\n"
                f"      linalg.yield %x : {element}\n    }}", [kept.type],
            )  # fmt: skip
            outer = ", ".join(f"d{d}" for d in range(len(shape)) if d != dim)
            iterators = ", ".join(
                f'"{"reduction" if d == dim else "parallel"}"' for d in range(len(shape))
            )
            yield case(
                "linalg.generic", f"{name} {dim}", [one, kept],
                f"  %r0 = linalg.generic {{indexing_maps = [{map_}, affine_map<({dims}) -> "
                f"({outer})>], iterator_types = [{iterators}]}} ins(%a0 : {one.type}) outs(%a1 : "
                f"{kept.type}) {{\n  ^bb0(%x: {element}, %o: {element}):\n    linalg.yield %x : "
                f"{element}\n  }} -> {kept.type}", [kept.type],
            )  # fmt: skip
    for kind, count in (
        ("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("max_signed", 2), ("min_unsigned", 2),
        ("exp", 1), ("abs", 1), ("negf", 1), ("square", 1), ("select", 3), ("erf", 1), ("round", 1),
    ):  # fmt: skip
        one = tensor((3,), element, dynamic)
        args = [tensor((3,), "i1", dynamic) if kind == "select" and n == 0 else one
                for n in range(count)]  # fmt: skip
        given = ", ".join(f"%a{n}" for n in range(count))
        yield case(
            "linalg.elementwise", f"{prefix}{kind} {element}", [*args, one],
            f"  %r0 = linalg.elementwise kind=#linalg.elementwise_kind<{kind}> ins({given} : "
            f"{', '.join(arg.type for arg in args)}) outs(%a{count} : {one.type}) -> {one.type}",
            [one.type], relative=_near(element),
        )  # fmt: skip
    maps = ("affine_map<(i, j, k) -> (i, k)>", "affine_map<(i, j, k) -> (k, j)>",
            "affine_map<(i, j, k) -> (i, j)>")  # fmt: skip
    for rows, inner, columns in ((2, 3, 2), (0, 3, 2), (2, 0, 2), (1, 1, 1)):
        left, right = (
            tensor((rows, inner), element, dynamic),
            tensor((inner, columns), element, dynamic),
        )
        out = tensor((rows, columns), element, dynamic)
        yield case(
            "linalg.contract", f"{prefix}{rows} {inner} {columns} {element}", [left, right, out],
            f"  %r0 = linalg.contract indexing_maps = [{', '.join(maps)}] ins(%a0, %a1 : "
            f"{left.type}, {right.type}) outs(%a2 : {out.type}) -> {out.type}", [out.type],
            relative=2.0**-3 if element == "bf16" else _near("f32"),
        )  # fmt: skip


def _packs(element: str, dynamic: bool) -> Iterator[Case]:
    prefix = "dynamic " if dynamic else ""
    for size, tile in ((4, 2), (5, 2), (1, 3), (0, 2), (6, 6)):
        count = -(-size // tile)
        flat, packed = tensor((size,), element, dynamic), tensor((count, tile), element)
        if dynamic:
            packed = Arg(f"tensor<?x{tile}x{element}>", (count, tile), element)
        name = f"{prefix}{size} by {tile} {element}"
        for padded in ("", f" padding_value(%x : {element})"):
            yield case(
                "linalg.pack", f"{name}{padded[:8]}", [flat, packed, tensor((), element)],
                f"  %x = tensor.extract %a2[] : tensor<{element}>\n"
                f"  %r0 = linalg.pack %a0{padded} inner_dims_pos = [0] inner_tiles = [{tile}] into "
                f"%a1 : {flat.type} -> {packed.type}", [packed.type],
            )  # fmt: skip
        yield case(
            "linalg.unpack", name, [packed, flat],
            f"  %r0 = linalg.unpack %a0 inner_dims_pos = [0] inner_tiles = [{tile}] into %a1 : "
            f"{packed.type} -> {flat.type}", [flat.type],
        )  # fmt: skip


def _winograd() -> Iterator[Case]:
    for op, given, out in (
        ("linalg.winograd_filter_transform", (2, 3, 3, 5), (6, 6, 5, 2)),
        ("linalg.winograd_input_transform", (2, 6, 6, 5), (6, 6, 1, 1, 2, 5)),
        ("linalg.winograd_output_transform", (6, 6, 1, 1, 2, 2), (2, 4, 4, 2)),
    ):
        one, other = tensor(given, "f32"), tensor(out, "f32")
        yield case(
            op, f"{given}", [one, other],
            f"  %r0 = {op} fmr(F_4_3) ins(%a0 : {one.type}) outs(%a1 : {other.type}) -> "
            f"{other.type}", [other.type],
        )  # fmt: skip
