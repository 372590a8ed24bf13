"""Arrays and numbers of a call are checked in their order, by plans that are parted by numbers and
by sizes that are computed; and which functions are compiled with features of their own."""

from typing import Any

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.compilation import build, engine
from mlir_gs.execution.compilation.lower import choose, lower, pipeline_text
from sources import GATHER, scatter_add

MIXED = """
func.func @mixed(%a: tensor<?xf32>, %k: i8, %b: tensor<3xi64>, %s: f32, %c: tensor<?x2xi32>)
    -> (tensor<?xf32>, tensor<3xi64>, tensor<?x2xi32>) {
  return %a, %b, %c : tensor<?xf32>, tensor<3xi64>, tensor<?x2xi32>
}
"""


def _arrays() -> list[np.ndarray]:
    return [
        np.arange(5, dtype=np.float32),
        np.arange(3),
        np.arange(8, dtype=np.int32).reshape(4, 2),
    ]


def _call(kernel: Any, wrong: dict[int, object], out: list[Any]) -> Any:
    a, b, c = _arrays()
    arguments = [a, 7, b, 0.5, c]
    for number, value in wrong.items():
        arguments[number] = value
    return kernel(*arguments, out=tuple(out))


ERRORS = {
    0: (np.zeros(5), "argument 0: expected float32[?], found float64[5]"),
    1: (300, "argument 1: expected an int8 scalar, found int 300"),
    2: (np.arange(4), "argument 2: expected int64[3], found int64[4]"),
    3: ("x", "argument 3: expected a float32 scalar, found str"),
    4: (np.zeros((4, 3), np.int32), "argument 4: expected int32[?, 2], found int32[4, 3]"),
}
OUT_ERRORS = {
    0: (
        np.zeros(4, np.float32),
        "result 0: expected float32[?], found float32[4]; with these arguments it is float32[5]",
    ),
    1: (np.zeros(2, np.int64), "result 1: expected int64[3], found int64[2]"),
    2: (
        np.zeros((3, 2), np.int32),
        "result 2: expected int32[?, 2], found int32[3, 2]; with these arguments it is int32[4, 2]",
    ),
}


@pytest.mark.parametrize("calls_before", [0, 5])
def test_what_is_wrong_first_is_named(calls_before: int) -> None:
    kernel = compile(MIXED)
    for _ in range(calls_before):
        for found, expected in zip(_call(kernel, {}, [None] * 3), _arrays(), strict=True):
            np.testing.assert_array_equal(found, expected)
    for first, (_, message) in ERRORS.items():
        wrong = {number: value for number, (value, _) in ERRORS.items() if number >= first}
        out = [np.full_like(array, 9) for array in _arrays()]
        with pytest.raises((TypeError, ValueError)) as error:
            _call(kernel, wrong, out)
        assert str(error.value) == message
        assert all((array == 9).all() for array in out)
    for first, (_, message) in OUT_ERRORS.items():
        out = [
            OUT_ERRORS[number][0] if number >= first else np.full_like(array, 9)
            for number, array in enumerate(_arrays())
        ]
        with pytest.raises(ValueError, match="result") as error:
            _call(kernel, {}, out)
        assert str(error.value) == message


def test_every_written_array_is_disjoint_from_every_other() -> None:
    kernel = compile(MIXED)
    a, b, c = _arrays()
    twice = np.zeros(16, np.int64)
    one, other = twice[:3], twice[2:10].view(np.int32)[:8].reshape(4, 2)
    with pytest.raises(ValueError, match=r"^result 1 and result 2 share memory$"):
        kernel(a, 7, b, 0.5, c, out=(np.zeros(5, np.float32), one, other))
    with pytest.raises(ValueError, match=r"^result 2 and argument 4 share memory$"):
        kernel(a, 7, b, 0.5, c, out=(np.zeros(5, np.float32), np.zeros(3, np.int64), c[::-1]))


TAKE = """
func.func @take(%t: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
ROWS = TAKE.replace("?xf32", "?x64xf32")


@pytest.mark.parametrize(
    ("text", "name", "builds_vectors"),
    [
        (ROWS, "take", False),
        (TAKE, "take", True),
        (scatter_add(), "add", None),
        (GATHER, "rows", None),
    ],
)
def test_features_are_for_code_that_builds_vectors(
    text: str, name: str, builds_vectors: bool | None
) -> None:
    with build.lock:
        module = build._contexts.parse(text)
        with module.context, build.ir.Location.unknown():
            choose(module, name)
            found = lower(module, pipeline_text()).ops
            engine.tune_functions(module, found.builds_vectors, found.gathers)
            marked = "target-features" in str(module)
    if builds_vectors is not None:
        assert found.builds_vectors == builds_vectors
    assert marked == (found.builds_vectors and engine.target_features() is not None)


MANY = 10
"""More arrays than a kernel takes addresses of as arguments."""


@pytest.mark.parametrize("threads", [1, 2])
def test_more_arrays_than_arguments(threads: int) -> None:
    types = ", ".join(f"%a{k}: tensor<?x4xf32>" for k in range(MANY))
    sums = "".join(
        f"%s{k} = arith.addf {'%a0' if k == 1 else f'%s{k - 1}'}, %a{k} : tensor<?x4xf32>\n"
        for k in range(1, MANY)
    )
    source = f"""func.func @sum({types}) -> tensor<?x4xf32> {{
      {sums} return %s{MANY - 1} : tensor<?x4xf32>
    }}"""
    arrays = [np.full((3, 4), 2.0**k, np.float32) for k in range(MANY)]
    found = compile(source, threads=threads)(*arrays)
    np.testing.assert_array_equal(found, np.full((3, 4), 2.0**MANY - 1, np.float32))


def test_the_kernel_allocates_its_result_beside_a_parallel_region() -> None:
    # How long the second result is, is known only when the loop has run.
    source = """func.func @twice(%x: tensor<200000x8xf32>, %i: tensor<300000x1xi64>, %n: index)
        -> (tensor<300000x8xf32>, tensor<?xf32>) {
      %rows = gs.gather %x[%i] gather_dims([0])
          : (tensor<200000x8xf32>, tensor<300000x1xi64>) -> tensor<300000x8xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1.0 : f32
      %start = tensor.empty(%c1) : tensor<?xf32>
      %grown = scf.for %k = %c0 to %n step %c1 iter_args(%t = %start) -> tensor<?xf32> {
        %d = tensor.dim %t, %c0 : tensor<?xf32>
        %m = arith.addi %d, %c1 : index
        %e = tensor.empty(%m) : tensor<?xf32>
        scf.yield %e : tensor<?xf32>
      }
      %f = linalg.fill ins(%one : f32) outs(%grown : tensor<?xf32>) -> tensor<?xf32>
      return %rows, %f : tensor<300000x8xf32>, tensor<?xf32>
    }"""
    x = np.random.default_rng(0).random((200000, 8), np.float32)
    i = np.random.default_rng(1).integers(0, 200000, (300000, 1))
    rows, ones = compile(source, threads=2)(x, i, 3)
    np.testing.assert_array_equal(rows, x[i[:, 0]])
    np.testing.assert_array_equal(ones, np.ones(4, np.float32))
