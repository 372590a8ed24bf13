"""StableHLO's products, control flow, quantized values and ops of devices, in few forms."""

from collections.abc import Iterator

import numpy as np
from stablehlo_forms import ELEMENTS, FLOATS, Form, Shape
from stablehlo_regions import combiner
from stablehlo_structural import FEW, array


def others() -> Iterator[Form]:
    """All forms of this file."""
    yield from _products()
    yield from _convolutions()
    yield from _norms()
    yield from _linear_algebra()
    yield from _control()
    yield from _quantized()
    yield from _devices()
    yield from _chlo()


def _near(element: str) -> float:
    return 2.0**-4 if "16" in element or "f8" in element else 2.0**-18 if "f" in element else 0.0


def _products() -> Iterator[Form]:
    for left, right, batch, summed in (
        ((3,), (3,), (), ((0,), (0,))), ((2, 3), (3, 4), (), ((1,), (0,))),
        ((2, 0), (0, 4), (), ((1,), (0,))), ((0, 3), (3, 4), (), ((1,), (0,))),
        ((1, 1), (1, 1), (), ((1,), (0,))), ((2, 3, 4), (2, 4, 5), (0,), ((2,), (1,))),
        ((0, 3, 4), (0, 4, 5), (0,), ((2,), (1,))), ((2, 3), (2, 3), (), ((0, 1), (0, 1))),
        ((), (), (), ((), ())), ((2,), (3,), (), ((), ())), ((0,), (0,), (), ((0,), (0,))),
    ):  # fmt: skip
        free = [
            tuple(n for d, n in enumerate(shape) if d not in (*batch, *dims))
            for shape, dims in zip((left, right), summed, strict=True)
        ]
        out: Shape = (*(left[d] for d in batch), *free[0], *free[1])
        numbers = (
            f"#stablehlo.dot<lhs_batching_dimensions = {list(batch)}, rhs_batching_dimensions = "
            f"{list(batch)}, lhs_contracting_dimensions = {list(summed[0])}, "
            f"rhs_contracting_dimensions = {list(summed[1])}>"
        )
        for element in ELEMENTS if left == (2, 3) else FEW:
            for dynamic in (False, True):
                name = f"{'dynamic ' if dynamic else ''}{left} {right} {batch} {summed} {element}"
                ins, outs = ((left, element), (right, element)), ((out, element),)
                given = tuple(map(_small, (left, right))) if "f" in element else ()
                yield Form(
                    "stablehlo.dot_general", name, ins, outs, f"dot_dimension_numbers = {numbers}",
                    relative=_near(element), dynamic=dynamic, given=given,
                )  # fmt: skip
                if len(left) <= 2 and not batch:
                    yield Form(
                        "stablehlo.dot", name, ins, outs, relative=_near(element), dynamic=dynamic,
                        given=given,
                    )  # fmt: skip
    for element in FEW:
        given = (_small((2, 3)), _small((3, 4))) if "f" in element else ()
        yield Form(
            "stablehlo.einsum", element, (((2, 3), element), ((3, 4), element)),
            (((2, 4), element),), 'einsum_config = "ab,bc->ac"', relative=_near(element),
            given=given,
        )  # fmt: skip
        yield Form(
            "stablehlo.unary_einsum", element, (((2, 3), element),), (((3, 2), element),),
            'einsum_config = "ab->ba"',
        )  # fmt: skip


def _small(shape: Shape) -> list | None:
    count = int(np.prod(shape))
    return (np.arange(count) % 5 - 2).reshape(shape).tolist() if count else None


def _convolutions() -> Iterator[Form]:
    numbers = "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
    for batch, size, window, features in (
        (1, 5, 2, 1),
        (2, 4, 3, 2),
        (0, 4, 2, 1),
        (1, 0, 1, 1),
        (1, 4, 2, 0),
    ):
        for element in FEW:
            for stride, pad, base in ((1, (0, 0), 1), (2, (1, 1), 1), (1, (-1, 0), 2)):
                padded = sum(pad) + ((size - 1) * base + 1 if size else 0)
                count = (padded - window) // stride + 1 if padded >= window else 0
                ins = (((batch, size, features), element), ((window, features, 3), element))
                outs = (((batch, count, 3), element),)
                attributes = (
                    f"window_strides = {array([stride])}, "
                    f"padding = dense<[[{pad[0]}, {pad[1]}]]> : tensor<1x2xi64>, "
                    f"lhs_dilation = {array([base])}, rhs_dilation = {array([1])}, "
                    f"dimension_numbers = {numbers}, feature_group_count = 1 : i64, "
                    "batch_group_count = 1 : i64"
                )
                given = tuple(_small(shape) for shape, _ in ins) if "f" in element else ()
                name = f"{batch} {size} {window} {features} {stride} {pad} {base} {element}"
                for dynamic in (False, True):
                    yield Form(
                        "stablehlo.convolution", f"{'dynamic ' if dynamic else ''}{name}", ins,
                        outs, attributes, relative=_near(element), dynamic=dynamic, given=given,
                    )  # fmt: skip
                yield Form(
                    "stablehlo.dynamic_conv", name, (*ins, ((1, 2), "i64")), outs,
                    ", ".join(
                        part for part in attributes.replace("i64>, lhs", "i64>; lhs").split("; ")
                        if "padding" not in part
                    ) or attributes,
                    relative=_near(element), given=(*(given or (None, None)), [list(pad)]),
                    fixed=(2,),
                )  # fmt: skip


def _norms() -> Iterator[Form]:
    for element in FLOATS:
        for shape in ((2, 3), (0, 3), (2, 0), (1, 1)):
            x, c = (shape, element), ((shape[1],), element)
            attributes = "epsilon = 1.0e-3 : f32, feature_index = 1 : i64"
            ones = [1.0] * shape[1]
            values = _small(shape)
            name = f"{shape} {element}"
            yield Form(
                "stablehlo.batch_norm_inference", name, (x, c, c, c, c), (x,), attributes,
                relative=_near(element), given=(values, ones, ones, ones, ones),
            )  # fmt: skip
            yield Form(
                "stablehlo.batch_norm_training", name, (x, c, c), (x, c, c), attributes,
                relative=_near(element), given=(values, ones, ones),
            )  # fmt: skip
            yield Form(
                "stablehlo.batch_norm_grad", name, (x, c, c, c, x), (x, c, c), attributes,
                relative=_near(element), given=(values, ones, ones, ones, values),
            )  # fmt: skip


def _linear_algebra() -> Iterator[Form]:
    for element in ("f32", "f64", "complex<f32>"):
        for n in (0, 1, 2):
            square = ((n, n), element)
            unit = [[float(a == b) for a in range(n)] for b in range(n)] or None
            yield Form(
                "stablehlo.cholesky", f"{n} {element}", (square,), (square,), "lower = true",
                given=(unit,),
            )  # fmt: skip
            yield Form(
                "stablehlo.triangular_solve", f"{n} {element}", (square, square), (square,),
                "left_side = true, lower = true, unit_diagonal = false, "
                "transpose_a = #stablehlo<transpose NO_TRANSPOSE>", given=(unit, unit),
            )  # fmt: skip
    for n in (0, 1, 4):
        yield Form(
            "stablehlo.fft", f"{n}", (((n,), "complex<f32>"),), (((n,), "complex<f32>"),),
            f"fft_type = #stablehlo<fft_type FFT>, fft_length = {array([n])}",
        )  # fmt: skip
    for shape in ((3,), (), (0,)):
        yield Form(
            "stablehlo.rng", f"{shape}", (((), "f32"), ((), "f32"), ((len(shape),), "i64")),
            ((shape, "f32"),), "rng_distribution = #stablehlo<rng_distribution UNIFORM>",
            given=(0.0, 1.0, list(shape)),
        )  # fmt: skip
        for algorithm in ("DEFAULT", "THREE_FRY", "PHILOX"):
            for element in ("ui32", "ui64", "ui8", "f32"):
                yield Form(
                    "stablehlo.rng_bit_generator", f"{shape} {algorithm} {element}",
                    (((2,), "ui64"),), (((2,), "ui64"), (shape, element)),
                    f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>",
                )  # fmt: skip


def _raw(op: str, name: str, ins: tuple, outs: tuple, text: str, given: tuple = ()) -> Form:
    return Form(op, name, ins, outs, raw=text, given=given)


def _control() -> Iterator[Form]:
    for element in ("f32", "ui32", "i1", "i64", "ui8"):
        for shape, type_ in (
            ((), f"tensor<{element}>"),
            ((0,), f"tensor<0x{element}>"),
            ((2,), f"tensor<2x{element}>"),
        ):
            back = f'"stablehlo.return"(%a1) : ({type_}) -> ()'
            other = f'%s = stablehlo.or %a1, %a1 : {type_} "stablehlo.return"(%s) : ({type_}) -> ()'
            one, name = (shape, element), f"{shape} {element}"
            if element == "f32":
                other = back
            for flag in (False, True):
                yield _raw(
                    "stablehlo.if", f"{name} {flag}", (((), "i1"), one), (one,),
                    f"func.func @main(%a0: tensor<i1>, %a1: {type_}) -> {type_} {{ "
                    f'%r = "stablehlo.if"(%a0) ({{ {back} }}, {{ {other} }}) : (tensor<i1>) -> '
                    f"{type_} func.return %r : {type_} }}", (flag, None),
                )  # fmt: skip
            for number in (0, 1, -1, 7):
                yield _raw(
                    "stablehlo.case", f"{name} {number}", (((), "i32"), one), (one,),
                    f"func.func @main(%a0: tensor<i32>, %a1: {type_}) -> {type_} {{ "
                    f'%r = "stablehlo.case"(%a0) ({{ {back} }}, {{ {other} }}) : (tensor<i32>) -> '
                    f"{type_} func.return %r : {type_} }}", (number, None),
                )  # fmt: skip
            for turns in (0, 3):
                yield _raw(
                    "stablehlo.while", f"{name} {turns}", (((), "i32"), one), (((), "i32"), one),
                    f"func.func @main(%a0: tensor<i32>, %a1: {type_}) -> (tensor<i32>, {type_}) {{ "
                    "%o = stablehlo.constant dense<1> : tensor<i32> "
                    f"%n = stablehlo.constant dense<{turns}> : tensor<i32> "
                    f'%r:2 = "stablehlo.while"(%a0, %a1) ({{ ^bb0(%i: tensor<i32>, %x: {type_}): '
                    "%c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> "
                    "tensor<i1> "
                    '"stablehlo.return"(%c) : (tensor<i1>) -> () }, '
                    f"{{ ^bb0(%i: tensor<i32>, %x: {type_}): "
                    "%j = stablehlo.add %i, %o : tensor<i32> "
                    f'"stablehlo.return"(%j, %x) : (tensor<i32>, {type_}) -> () }}) : '
                    f"(tensor<i32>, {type_}) -> (tensor<i32>, {type_}) "
                    f"func.return %r#0, %r#1 : tensor<i32>, {type_} }}",
                    (0, None),
                )  # fmt: skip
            yield _raw(
                "stablehlo.tuple", name, (one,), (one,),
                f"func.func @main(%a: {type_}) -> {type_} {{ %t = stablehlo.tuple %a, %a : "
                f"tuple<{type_}, {type_}> %r = stablehlo.get_tuple_element %t[1] : "
                f"(tuple<{type_}, {type_}>) -> {type_} func.return %r : {type_} }}",
            )  # fmt: skip
            yield _raw(
                "stablehlo.get_tuple_element", name, (one,), (one,),
                f"func.func @main(%a: {type_}) -> {type_} {{ %t = stablehlo.tuple %a : "
                f"tuple<{type_}> %r = stablehlo.get_tuple_element %t[0] : "
                f"(tuple<{type_}>) -> {type_} func.return %r : {type_} }}",
            )  # fmt: skip
            yield _raw(
                "stablehlo.composite", name, (one,), (one,),
                f'func.func @main(%a: {type_}) -> {type_} {{ %r = stablehlo.composite "my.op" %a '
                f"{{decomposition = @g}} : ({type_}) -> {type_} func.return %r : {type_} }} "
                f"func.func private @g(%a: {type_}) -> {type_} {{ func.return %a : {type_} }}",
            )  # fmt: skip
            yield _raw(
                "stablehlo.custom_call", name, (one,), (one,),
                f"func.func @main(%a: {type_}) -> {type_} {{ %r = stablehlo.custom_call @foo(%a) : "
                f"({type_}) -> {type_} func.return %r : {type_} }}",
            )  # fmt: skip


_QUANTIZED = (
    "i8:f32, 0.5:3", "ui8:f32, 0.25:128", "i4:f32, 1.0", "i32:f32, 2.0", "i8<-127:127>:f32, 0.1",
    "i16:f32, 0.5:-1", "ui4:f32, 0.5:7", "i8:f32, 1.0e-30:0",
)  # fmt: skip


def _quantized() -> Iterator[Form]:
    for kind in _QUANTIZED:
        for shape, size in (((), ""), ((0,), "0x"), ((5,), "5x")):
            real, quantized = f"tensor<{size}f32>", f"tensor<{size}!quant.uniform<{kind}>>"
            one, name = ((shape, "f32"),), f"{shape} {kind}"
            start = (
                f"func.func @main(%a: {real}) -> {real} {{ "
                f"%q = stablehlo.uniform_quantize %a : ({real}) -> {quantized} "
            )
            end = (
                f" %r = stablehlo.uniform_dequantize %p : ({quantized}) -> {real} "
                f"func.return %r : {real} }}"
            )
            given = (_small(shape) if shape == (5,) else None,)
            for op, middle in (
                ("uniform_quantize", f"%p = stablehlo.reshape %q : ({quantized}) -> {quantized}"),
                ("uniform_dequantize", f"%p = stablehlo.reshape %q : ({quantized}) -> {quantized}"),
                ("add", f"%p = stablehlo.add %q, %q : {quantized}"),
                ("negate", f"%p = stablehlo.negate %q : {quantized}"),
                ("maximum", f"%p = stablehlo.maximum %q, %q : {quantized}"),
            ):
                names = f"quantized {name}"
                yield _raw(f"stablehlo.{op}", names, one, one, start + middle + end, given)
            storage = kind.split(":")[0].split("<")[0]
            yield _raw(
                "stablehlo.add", f"arguments {name}", ((shape, storage),), ((shape, storage),),
                f"func.func @main(%a: {quantized}) -> {quantized} {{ %r = stablehlo.add %a, %a : "
                f"{quantized} func.return %r : {quantized} }}",
            )  # fmt: skip
    channels = "tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1, 0.25, 2.0:-3}>>"
    yield _raw(
        "stablehlo.uniform_quantize", "by channel", (((2, 3), "f32"),), (((2, 3), "f32"),),
        "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> { "
        f"%q = stablehlo.uniform_quantize %a : (tensor<2x3xf32>) -> {channels} "
        f"%r = stablehlo.uniform_dequantize %q : ({channels}) -> "
        "tensor<2x3xf32> func.return %r : tensor<2x3xf32> }", (_small((2, 3)),),
    )  # fmt: skip


def _devices() -> Iterator[Form]:
    groups = "replica_groups = dense<[[0]]> : tensor<1x1xi64>"
    for element in ("f32", "ui8"):
        for shape in ((2,), (0,)):
            one, many = ((shape, element),), combiner("add", element)
            name = f"{shape} {element}"
            for op, attributes, region in (
                ("all_gather", f"all_gather_dim = 0 : i64, {groups}", ""),
                ("all_reduce", groups, many),
                ("reduce_scatter", f"scatter_dimension = 0 : i64, {groups}", many),
                ("all_to_all", "split_dimension = 0 : i64, concat_dimension = 0 : i64, "
                 f"split_count = 1 : i64, {groups}", ""),
                ("collective_broadcast", groups, ""),
                ("collective_reduce", groups, many),
                ("collective_permute",
                 "source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>", ""),
            ):  # fmt: skip
                yield Form(f"stablehlo.{op}", name, one, one, attributes, region)
    for op in ("partition_id", "replica_id"):
        yield Form(f"stablehlo.{op}", "", (), (((), "ui32"),))
    token = "!stablehlo.token"
    start = (
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { "
        f"%t = stablehlo.create_token : {token} "
    )
    one = (((2,), "f32"),)
    handle = "channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>"
    for op, text in (
        ("create_token", ""),
        ("after_all", f"%u = stablehlo.after_all %t : {token} "),
        ("infeed", f'%u:2 = "stablehlo.infeed"(%t) : ({token}) -> (tensor<2xf32>, {token}) '),
        ("outfeed", f'%u = "stablehlo.outfeed"(%a, %t) : (tensor<2xf32>, {token}) -> {token} '),
        ("send", f'%u = "stablehlo.send"(%a, %t) <{{{handle}, is_host_transfer = true}}> : '
         f"(tensor<2xf32>, {token}) -> {token} "),
        ("recv", f'%u:2 = "stablehlo.recv"(%t) <{{{handle.replace("2>", "3>")}, is_host_transfer = '
         f"true}}> : ({token}) -> (tensor<2xf32>, {token}) "),
    ):  # fmt: skip
        yield _raw(
            f"stablehlo.{op}", "", one, one, f"{start}{text}func.return %a : tensor<2xf32> }}"
        )
    future = "!stablehlo.future<tensor<2xf32>>"
    for op in ("async_start", "async_done"):
        yield _raw(
            f"stablehlo.{op}", "", one, one,
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { "
            '%f = "stablehlo.async_start"(%a) '
            '({ ^bb0(%x: tensor<2xf32>): '
            '%g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, '
            f"{groups}}}> : (tensor<2xf32>) -> tensor<2xf32> "
            f'"stablehlo.return"(%g) : (tensor<2xf32>) -> () }}) : (tensor<2xf32>) -> {future} '
            f'%r = "stablehlo.async_done"(%f) : ({future}) -> tensor<2xf32> '
            "func.return %r : tensor<2xf32> }",
        )  # fmt: skip


def _chlo() -> Iterator[Form]:
    for element in FEW:
        for n, k in ((5, 2), (5, 0), (0, 0), (1, 1)):
            yield Form(
                "chlo.top_k", f"{n} {k} {element}", (((n,), element),),
                (((k,), element), ((k,), "i32")), f"k = {k} : i64",
                given=([float(i % 3) for i in range(n)],) if "f" in element else (),
            )  # fmt: skip
    numbers = (
        "#chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], "
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], "
        "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>"
    )
    for element in ("f32", "bf16", "i32"):
        yield Form(
            "chlo.ragged_dot", element, (((4, 3), element), ((2, 3, 5), element), ((2,), "i32")),
            (((4, 5), element),), f"ragged_dot_dimension_numbers = {numbers}",
            given=(_small((4, 3)), _small((2, 3, 5)), [1, 3]),
        )  # fmt: skip
        type_, row = f"tensor<{element}>", ((3,), element)
        yield Form(
            "chlo.scan", element, (row, ((), element)), (row, ((), element)),
            "dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, "
            "resultSegmentSizes = array<i32: 1, 1>",
            f"{{ ^bb0(%x: {type_}, %y: {type_}): %z = stablehlo.add %x, %y : {type_} "
            f'"stablehlo.return"(%z, %z) : ({type_}, {type_}) -> () }}',
            given=([1, 2, 3], None),
        )  # fmt: skip
