"""Integers of widths that no array has: as elements and as coordinates inside of a program."""

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.frontend.parse import parse

MAP = "affine_map<(d0, d1) -> (d0, d1)>"
TABLE = np.arange(32).reshape(8, 4) * 3 - 27


def converted(name: str, source: str, shape: str, before: str, after: str, lines: str) -> str:
    """`%name`: the i64s or odd integers of `source`, element by element."""
    return f"""
  %{name}_out = tensor.empty() : tensor<{shape}x{after}>
  %{name} = linalg.generic {{indexing_maps = [{MAP}, {MAP}],
      iterator_types = ["parallel", "parallel"]}}
      ins({source} : tensor<{shape}x{before}>) outs(%{name}_out : tensor<{shape}x{after}>) {{
  ^bb0(%x: {before}, %o: {after}):
    {lines}
    linalg.yield %n : {after}
  }} -> tensor<{shape}x{after}>"""


def cut(element: str) -> str:
    """An i64 to the odd integer."""
    width = int(element.lstrip("su")[1:])
    plain = f"i{width}"
    op = "arith.trunci" if width < 64 else "arith.extsi"
    cast = f"builtin.unrealized_conversion_cast %c : {plain} to {element}"
    return f"%c = {op} %x : i64 to {plain}\n    %n = {cast}" if plain != element else (
        f"%n = {op} %x : i64 to {plain}"
    )  # fmt: skip


def widened(element: str) -> str:
    width = int(element.lstrip("su")[1:])
    plain = f"i{width}"
    op = "arith.trunci" if width > 64 else "arith.extui" if element[0] == "u" else "arith.extsi"
    cast = f"builtin.unrealized_conversion_cast %x : {element} to {plain}"
    return f"%c = {cast}\n    %n = {op} %c : {plain} to i64" if plain != element else (
        f"%n = {op} %x : {plain} to i64"
    )  # fmt: skip


def value(number: int, element: str) -> int:
    """What an i64 is as the odd integer."""
    width = int(element.lstrip("su")[1:])
    low = int(number) & ((1 << width) - 1)
    return low - (1 << width) if element[0] != "u" and low >> (width - 1) else low


def least_or_greatest(element: str) -> int:
    width = int(element.lstrip("su")[1:])
    return (1 << width) - 1 if element[0] == "u" else -(1 << (width - 1))


def referenced(text: str, *arguments: np.ndarray) -> np.ndarray:
    with dialect.context(), ir.Location.unknown():
        return reference_run.run(parse(text), "f", arguments)[0]


KINDS = ["i3", "si3", "ui3", "si1", "ui1", "i24", "ui24", "i63", "ui63"]


@pytest.mark.parametrize("element", [*KINDS, "i128"])
def test_elements(element: str) -> None:
    text = f"""
func.func @f(%table: tensor<8x4xi64>, %i: tensor<3x1xi64>) -> tensor<3x4xi64> {{
  {converted("odd", "%table", "8x4", "i64", element, cut(element))}
  %r = gs.gather %odd[%i] gather_dims([0]) mode(fill)
      : (tensor<8x4x{element}>, tensor<3x1xi64>) -> tensor<3x4x{element}>
  {converted("back", "%r", "3x4", element, "i64", widened(element))}
  return %back : tensor<3x4xi64>
}}"""
    indices = np.array([[1], [6], [9]])
    expected = [[value(x, element) for x in TABLE[row]] for row in (1, 6)]
    # -2^127 has no lower bits.
    expected.append([0 if element == "i128" else least_or_greatest(element)] * 4)
    np.testing.assert_array_equal(execution.compile(text)(TABLE, indices), expected)
    if element != "i128":
        np.testing.assert_array_equal(referenced(text, TABLE, indices), expected)


@pytest.mark.parametrize("element", [*KINDS, "i128"])
def test_coordinates(element: str) -> None:
    text = f"""
func.func @f(%table: tensor<8x4xi64>, %i: tensor<3x1xi64>) -> tensor<3x4xi64> {{
  {converted("odd", "%i", "3x1", "i64", element, cut(element))}
  %r = gs.gather %table[%odd] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<8x4xi64>, tensor<3x1x{element}>) -> tensor<3x4xi64>
  return %r : tensor<3x4xi64>
}}"""
    indices = np.array([[1], [-2], [2]])
    expected = np.full((3, 4), np.iinfo(np.int64).min)
    for n, number in enumerate(indices[:, 0]):
        row = value(number, element)
        row += 8 if row < 0 else 0
        if row < 8:
            expected[n] = TABLE[row]
    np.testing.assert_array_equal(execution.compile(text)(TABLE, indices), expected)
    if element != "i128":
        np.testing.assert_array_equal(referenced(text, TABLE, indices), expected)


@pytest.mark.parametrize("element", ["i128", "ui24"])
def test_bins_of_a_histogram(element: str) -> None:
    """Coordinates that differ in high bits only are different, and unsigned ones never negative."""
    indices = np.array([[3], [-1], [0], [3], [-1]])
    if element == "i128":
        shift = ["%x0 = arith.extsi %x : i64 to i128", "%h = arith.constant 64 : i128"]
        lines = "\n    ".join([*shift, "%n = arith.shli %x0, %h : i128"])
        order = [1, 2, 0]
    else:
        lines, order = cut(element), [2, 0, 1]
    text = f"""
func.func @f(%u: tensor<5xi64>, %i: tensor<5x1xi64>) -> tensor<?xi64> {{
  {converted("odd", "%i", "5x1", "i64", element, lines)}
  %sums, %bins = gs.histogram %u at %odd combine(add)
      : (tensor<5xi64>, tensor<5x1x{element}>) -> (tensor<?xi64>, tensor<?x1x{element}>)
  return %sums : tensor<?xi64>
}}"""
    updates = np.array([1, 10, 100, 1000, 10000])
    sums = np.array([1001, 10010, 100])
    np.testing.assert_array_equal(execution.compile(text)(updates, indices), sums[order])


@pytest.mark.parametrize("element", ["i65", "i100", "tf32"])
def test_no_buffer(element: str) -> None:
    text = f"""
func.func @f(%i: tensor<3x1xi64>) -> tensor<3x{element}> {{
  %e = tensor.empty() : tensor<8x{element}>
  %r = gs.gather %e[%i] gather_dims([0])
      : (tensor<8x{element}>, tensor<3x1xi64>) -> tensor<3x{element}>
  %d = tensor.empty() : tensor<3xi64>
  return %r : tensor<3x{element}>
}}"""
    with pytest.raises(execution.CompileError, match=f"no array has elements of {element}"):
        execution.compile(text)
    inside = text.replace(f"tensor<3x{element}> {{\n  %e", "i64 {\n  %e").replace(
        f"return %r : tensor<3x{element}>",
        f"""%c0 = arith.constant 0 : index
  %x = tensor.extract %r[%c0] : tensor<3x{element}>
  %bits = arith.bitcast %x : {element} to {"i19" if element == "tf32" else element}
  %y = arith.trunci %bits : {"i19" if element == "tf32" else element} to i8
  %n = arith.extsi %y : i8 to i64
  return %n : i64""",
    )
    with pytest.raises(execution.CompileError, match=rf"error: .* elements of {element}"):
        execution.compile(inside)
