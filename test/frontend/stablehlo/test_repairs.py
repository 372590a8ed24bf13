"""StableHLO that upstream's legalization takes in another sense, or dies of."""

from collections.abc import Callable
from typing import Any

import mlir_gs
import numpy as np
import pytest


def run(text: str, *arguments: Any) -> np.ndarray:
    return np.asarray(mlir_gs.compile(text, threads=1)(*arguments))


def unary(op: str, given: str, result: str, rest: str = "") -> str:
    return f"""
func.func @main(%a: {given}) -> {result} {{
  %0 = "stablehlo.{op}"(%a) {rest} : ({given}) -> {result}
  return %0 : {result}
}}
"""


def test_unsigned_scalars_are_broadcast() -> None:
    attributes = "<{broadcast_dimensions = array<i64>}>"
    text = unary("broadcast_in_dim", "tensor<ui32>", "tensor<ui32>", attributes)
    assert run(text, np.array(7, np.uint32)) == 7


@pytest.mark.parametrize(
    ("given", "result", "dtype", "wanted"),
    [
        ("2xcomplex<f64>", "2x2xcomplex<f32>", np.complex128, np.complex64),
        ("2x2xcomplex<f32>", "2xcomplex<f64>", np.complex64, np.complex128),
    ],
)  # fmt: skip
def test_bits_of_complex_elements(given: str, result: str, dtype: Any, wanted: Any) -> None:
    shape = [int(n) for n in given.split("x")[:-1] if n.isdigit()]
    bits = np.random.default_rng(0).integers(0, 100, (*shape, np.dtype(dtype).itemsize), np.uint8)
    array = bits.view(dtype).reshape(shape)
    found = run(unary("bitcast_convert", f"tensor<{given}>", f"tensor<{result}>"), array)
    assert found.dtype == wanted
    assert found.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    ("given", "result", "low"),
    [("0xf32", "2xf32", 2), ("?xf32", "?xf32", 2), ("0xf32", "0xf32", 0)],
)
def test_padding_between_elements_of_nothing(given: str, result: str, low: int) -> None:
    text = f"""
func.func @main(%a: tensor<{given}>, %v: tensor<f32>) -> tensor<{result}> {{
  %0 = stablehlo.pad %a, %v, low = [{low}], high = [0], interior = [1]
    : (tensor<{given}>, tensor<f32>) -> tensor<{result}>
  return %0 : tensor<{result}>
}}
"""
    found = run(text, np.zeros(0, np.float32), np.array(3, np.float32))
    np.testing.assert_array_equal(found, np.full(low, 3, np.float32))


def test_a_pad_of_negative_size_is_an_error() -> None:
    text = """
func.func @main(%a: tensor<?xf32>, %v: tensor<f32>, %n: tensor<1xi64>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %v, %n, %z, %z : (tensor<?xf32>, tensor<f32>, tensor<1xi64>,
    tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    value = np.array(9, np.float32)
    kernel = mlir_gs.compile(text, threads=1)
    x = np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(kernel(x, value, np.array([1])), [9, 0, 1, 2])
    np.testing.assert_array_equal(kernel(x, value, np.array([-2])), [2])
    with pytest.raises(RuntimeError, match="dim 0 of the result has a negative size"):
        kernel(x, value, np.array([-4]))


def test_a_pad_of_negative_interior_is_an_error() -> None:
    text = """
func.func @main(%a: tensor<2xf32>, %v: tensor<f32>, %n: tensor<1xi64>) -> tensor<?xf32> {
  %o = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %a, %v, %o, %o, %n : (tensor<2xf32>, tensor<f32>, tensor<1xi64>,
    tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    kernel = mlir_gs.compile(text, threads=1)
    a, value = np.arange(2, dtype=np.float32), np.array(9, np.float32)
    np.testing.assert_array_equal(kernel(a, value, np.array([1])), [9, 9, 9, 0, 9, 1, 9, 9, 9])
    with pytest.raises(RuntimeError, match="interior padding of dim 0 is negative"):
        kernel(a, value, np.array([-1]))


@pytest.mark.parametrize(
    ("given", "promise"),
    [
        ("3", ""),
        ("?", ", known_nonexpanding_dimensions = array<i64: 0>"),
        ("?", ", known_expanding_dimensions = array<i64: 0>"),
    ],
)
def test_a_broadcast_to_another_size_is_an_error(given: str, promise: str) -> None:
    types = f"(tensor<{given}xf32>, tensor<2xi64>) -> tensor<?x?xf32>"
    text = f"""
func.func @main(%a: tensor<{given}xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {{
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) <{{
    broadcast_dimensions = array<i64: 1>{promise}}}> : {types}
  return %0 : tensor<?x?xf32>
}}
"""
    kernel = mlir_gs.compile(text, threads=1)
    for size in (1, 3) if given == "?" else (3,):
        a = np.arange(size, dtype=np.float32)
        for wanted in (1, 2, 3, 40):
            sizes = np.array([2, wanted])
            if size == 1 if "known_expanding" in promise else wanted == size:
                np.testing.assert_array_equal(kernel(a, sizes), np.broadcast_to(a, sizes))
                continue
            with pytest.raises((RuntimeError, ValueError), match=r"must be (1, or )?that of"):
                kernel(a, sizes)


def test_a_reshape_to_more_elements_is_an_error() -> None:
    text = """
func.func @main(%a: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<?x2xf32> {
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
"""
    kernel = mlir_gs.compile(text, threads=1)
    x = np.arange(6, dtype=np.float32)
    np.testing.assert_array_equal(kernel(x, np.array([3, 2])), x.reshape(3, 2))
    for sizes in ([4, 2], [-1, 2], [2**62, 2]):
        with pytest.raises((RuntimeError, ValueError), match=r"as many elements|product of sizes"):
            kernel(x, np.array(sizes))


@pytest.mark.parametrize("given", ["?x0", "3x0", "?x?"])
@pytest.mark.parametrize(
    ("element", "op", "init"),
    [("i1", "and", "true"), ("f32", "add", "0.0"), ("i32", "maximum", "-5")],
)
def test_reductions_of_nothing(given: str, element: str, op: str, init: str) -> None:
    result = f"tensor<{given.split('x')[0]}x{element}>"
    text = f"""
func.func @main(%a: tensor<{given}x{element}>) -> {result} {{
  %c = stablehlo.constant dense<{init}> : tensor<{element}>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.{op} across dimensions = [1]
    : (tensor<{given}x{element}>, tensor<{element}>) -> {result}
  return %0 : {result}
}}
"""
    dtype = {"i1": np.bool_, "f32": np.float32, "i32": np.int32}[element]
    value = {"true": True}.get(init) or float(init)
    np.testing.assert_array_equal(run(text, np.ones((3, 0), dtype)), np.full(3, value, dtype))


@pytest.mark.parametrize("element", ["i32", "ui32", "f32"])
def test_reductions_of_scalars_over_no_dims(element: str) -> None:
    text = f"""
func.func @main(%a: tensor<{element}>, %init: tensor<{element}>) -> tensor<{element}> {{
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = []
      : (tensor<{element}>, tensor<{element}>) -> tensor<{element}>
  return %0 : tensor<{element}>
}}
"""
    dtype = {"i32": np.int32, "ui32": np.uint32, "f32": np.float32}[element]
    # As XLA, which takes no initial value for no dims.
    assert run(text, np.array(5, dtype), np.array(2, dtype)) == 5


@pytest.mark.parametrize("shape", [(5, 6, 3), (1, 6, 3), (5, 1, 1)])
def test_a_product_without_contracted_dims_is_added_up_once(shape: tuple[int, int, int]) -> None:
    i, j, k = shape
    text = f"""
func.func @main(%a: tensor<{i}xf32>, %b: tensor<{j}xf32>, %c: tensor<{i}x{j}x{k}xf32>)
    -> tensor<{i}x{j}x{k}xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x []
      : (tensor<{i}xf32>, tensor<{j}xf32>) -> tensor<{i}x{j}xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1]
      : (tensor<{i}x{j}xf32>) -> tensor<{i}x{j}x{k}xf32>
  %2 = stablehlo.add %1, %c : tensor<{i}x{j}x{k}xf32>
  return %2 : tensor<{i}x{j}x{k}xf32>
}}
"""
    a, b = np.arange(i, dtype=np.float32) - 2, np.arange(j, dtype=np.float32) + 1
    c = np.arange(i * j * k, dtype=np.float32).reshape(shape)
    np.testing.assert_array_equal(run(text, a, b, c), np.multiply.outer(a, b)[:, :, None] + c)


def test_scatter_multiplies_complex_numbers() -> None:
    text = """
func.func @main(%x: tensor<3xcomplex<f32>>, %i: tensor<4x1xi32>, %u: tensor<4xcomplex<f32>>)
    -> tensor<3xcomplex<f32>> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %z = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %z : tensor<complex<f32>>
  }) : (tensor<3xcomplex<f32>>, tensor<4x1xi32>, tensor<4xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
"""
    # Small whole numbers: every product is exact.
    x = np.array([1 + 2j, 3 - 1j, 2j], np.complex64)
    places = np.array([[1], [0], [1], [7]], np.int32)
    updates = np.array([2 + 1j, -1j, 3 + 2j, 5], np.complex64)
    wanted = x.copy()
    np.multiply.at(wanted, places[:3, 0], updates[:3])
    assert run(text, x, places, updates).tolist() == wanted.tolist()


def test_quantized_elements_are_refused_by_name() -> None:
    kind = "tensor<3x!quant.uniform<i8:f32, 0.5>>"
    with pytest.raises(
        mlir_gs.CompileError, match="has quantized elements, which are not supported: "
    ):
        mlir_gs.compile(
            f"func.func @main(%a: {kind}) -> {kind} {{\n  %0 = stablehlo.add %a, %a : {kind}\n"
            f"  return %0 : {kind}\n}}\n"
        )


@pytest.mark.parametrize(
    ("op", "operands", "result", "said"),
    [
        (
            "stablehlo.set_dimension_size",
            ("4xf32", "i32"),
            "4xf32",
            "must have a result of dynamic size in the dimension that is set, found ",
        ),
        (
            "chlo.broadcast_polygamma",
            ("4xcomplex<f32>", "4xcomplex<f32>"),
            "4xcomplex<f32>",
            "must have operands of float elements, found ",
        ),
    ],
)
def test_what_has_no_conversion_is_refused(
    op: str, operands: tuple[str, str], result: str, said: str
) -> None:
    first, second = (f"tensor<{one}>" for one in operands)
    attributes = " {dimension = 0 : i64}" if op.endswith("size") else ""
    result = f"tensor<{result}>"
    text = f"""
func.func @main(%a: {first}, %b: {second}) -> {result} {{
  %0 = "{op}"(%a, %b){attributes} : ({first}, {second}) -> {result}
  return %0 : {result}
}}
"""
    with pytest.raises(mlir_gs.CompileError, match=said):
        mlir_gs.compile(text)


def test_floats_beyond_integers_saturate() -> None:
    text = unary("convert", "tensor<5xf32>", "tensor<5xi8>")
    given = np.array([np.inf, -300, np.nan, 127.9, -1.5], np.float32)
    np.testing.assert_array_equal(run(text, given), [127, -128, 0, 127, -1])


def test_precision_of_formats_without_a_mantissa() -> None:
    text = unary(
        "reduce_precision", "tensor<3xf64>", "tensor<3xf64>",
        "<{exponent_bits = 11 : i32, mantissa_bits = 0 : i32}>",
    )  # fmt: skip
    np.testing.assert_array_equal(run(text, np.array([np.inf, 1.7, -np.inf])), [np.inf, 2, -np.inf])


@pytest.fixture
def lax(needs: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    return needs("jax").lax


@pytest.mark.parametrize("strides", [(2, 2), (1, 1), (3, 1)])
@pytest.mark.parametrize("padding", ["VALID", "SAME"])
@pytest.mark.parametrize("kind", ["max", "min"])
def test_gradients_of_pooling(
    lax: Any, needs: Callable[..., Any], strides: Any, padding: str, kind: str
) -> None:
    jax = needs("jax")
    start, fold = (-np.inf, lax.max) if kind == "max" else (np.inf, lax.min)

    def loss(x: Any) -> Any:
        pooled = lax.reduce_window(x, start, fold, (2, 2), strides, padding)
        return (pooled * (1 + np.arange(pooled.size).reshape(pooled.shape))).sum()

    gradient = jax.jit(jax.grad(loss))
    rng = np.random.default_rng(0)
    for x in (np.zeros((5, 4)), rng.integers(0, 3, (5, 4)), np.full((4, 4), -start)):
        x = x.astype(np.float32)
        found = run(gradient.lower(x).as_text(), x)
        np.testing.assert_array_equal(found, np.asarray(gradient(x)))


def test_gradients_of_cumulative_extremes(lax: Any, needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    for op in (lax.cummax, lax.cumprod):
        for n in (2, 5):
            x = np.arange(1, n + 1, dtype=np.float32)
            gradient = jax.jit(jax.grad(lambda x, op=op: op(x).sum()))
            found = run(gradient.lower(x).as_text(), x)
            np.testing.assert_allclose(found, np.asarray(gradient(x)), rtol=1e-5)


@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_extremes_of_complex_numbers(op: str) -> None:
    type_ = "tensor<4xcomplex<f32>>"
    text = (
        f"func.func @main(%a: {type_}, %b: {type_}) -> {type_} {{\n"
        f"  %0 = stablehlo.{op} %a, %b : {type_}\n  return %0 : {type_}\n}}\n"
    )
    a, b = (np.array(x, np.complex64) for x in ([1.5j, 1 + 9j, 2, -1j], [2.5j, 2 + 1j, 1, -2j]))
    wanted = getattr(np, op)(a, b)
    np.testing.assert_array_equal(run(text, a, b), wanted)


@pytest.mark.parametrize(
    ("lhs", "rhs", "result"), [((2, 3, 4), (2, 4, 5), (2, 3, 5)), ((2, 1, 4), (2, 4, 5), (2, 1, 5))]
)
@pytest.mark.parametrize("wide", ["f32", "f64"])
def test_complex_products(lhs: Any, rhs: Any, result: Any, wide: str) -> None:
    def type_(shape: Any, part: str = "f32") -> str:
        return f"tensor<{'x'.join(map(str, shape))}xcomplex<{part}>>"

    text = f"""
func.func @main(%a: {type_(lhs)}, %b: {type_(rhs)}) -> {type_(result, wide)} {{
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : ({type_(lhs)}, {type_(rhs)}) -> {type_(result, wide)}
  return %0 : {type_(result, wide)}
}}
"""
    rng = np.random.default_rng(0)
    a, b = (
        (rng.integers(-4, 5, s) + 1j * rng.integers(-4, 5, s)).astype(np.complex64)
        for s in (lhs, rhs)
    )
    np.testing.assert_array_equal(run(text, a, b), a @ b)
