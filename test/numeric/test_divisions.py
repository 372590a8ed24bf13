"""Integer divisions by 0 and of the least number by -1, which have no meaning: the others are as
NumPy's, and the process goes on."""

import mlir_gs
import numpy as np
import pytest

ELEMENTS = {"i1": np.bool_, "i8": np.int8, "i32": np.int32, "i64": np.int64, "index": np.int64}
OPS = {
    "divsi": lambda x, y: np.trunc(x / y),
    "divui": None,
    "remsi": np.fmod,
    "remui": None,
    "ceildivsi": lambda x, y: -(x // -y),
    "ceildivui": None,
    "floordivsi": np.floor_divide,
}


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("size", ["?", "4"])
def test_undefined(element: str, size: str) -> None:
    dtype = ELEMENTS[element]
    least = -(1 << (8 * dtype().itemsize - 1)) if element != "i1" else 1
    left = np.array([1, least, 7, 9]).astype(dtype)
    right = np.array([0, -1, 2, -2]).astype(dtype)
    type_ = f"tensor<{size}x{element}>"
    lines = "\n".join(f"  %{op} = arith.{op} %x, %y : {type_}" for op in OPS)
    results, types = ", ".join(f"%{op}" for op in OPS), ", ".join([type_] * len(OPS))
    kernel = mlir_gs.compile(
        f"func.func @main(%x: {type_}, %y: {type_}) -> ({types}) {{\n{lines}\n"
        f"  return {results} : {types}\n}}",
        threads=1,
    )
    found = kernel(left, right)
    if element == "i1":
        return
    for (op, defined), values in zip(OPS.items(), found, strict=True):
        if defined is not None:
            np.testing.assert_array_equal(values[2:], defined(left[2:], right[2:]), op)


@pytest.mark.parametrize("op", ["div", "div_unsigned"])
def test_named_ops(op: str) -> None:
    type_ = "tensor<?xi32>"
    kernel = mlir_gs.compile(
        f"""func.func @main(%x: {type_}, %y: {type_}, %out: {type_}) -> {type_} {{
  %0 = linalg.{op} ins(%x, %y : {type_}, {type_}) outs(%out : {type_}) -> {type_}
  return %0 : {type_}
}}""",
        threads=1,
    )
    left, right = np.array([7, 6], np.int32), np.array([0, 4], np.int32)
    assert kernel(left, right, np.zeros(2, np.int32))[1] == 1
