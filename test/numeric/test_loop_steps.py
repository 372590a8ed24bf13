"""Loops whose bounds and steps lie near the limits of their type, against Python's range."""

import mlir_gs
import numpy as np
import pytest

_LOOP = """func.func @f(%low: {type}, %high: {type}, %step: {type}) -> i64 {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = scf.for {sign}%i = %low to %high step %step iter_args(%x = %zero) -> (i64) {spelled}{{
    %y = arith.addi %x, %one : i64
    scf.yield %y : i64
  }}
  return %r : i64
}}"""
_TYPES = {"index": 64, "i64": 64, "i32": 32, "i8": 8}


def _loop(kind: str, sign: str = ""):
    spelled = "" if kind == "index" else f": {kind} "
    return mlir_gs.compile(_LOOP.format(type=kind, sign=sign, spelled=spelled), threads=1)


def _number(kind: str, value: int):
    return getattr(np, f"int{_TYPES[kind]}")(value)


@pytest.mark.parametrize("kind", _TYPES)
def test_steps_near_the_limits(kind):
    loop, most = _loop(kind), (1 << (_TYPES[kind] - 1)) - 1
    cases = [
        *((most - 5, most, step) for step in (1, 2, 4, 5, 6, most)),
        (-most - 1, most, most // 2 + 1),
        (0, most, most),
        (0, 10, 3),
        (3, 2, 2),
        (most, -most, 1),
    ]
    for case in cases:
        found = loop(*(_number(kind, value) for value in case))
        assert found == len(range(*case)), case


def test_all_numbers_of_a_narrow_type():
    assert _loop("i8")(*map(np.int8, (-128, 127, 2))) == 128
    assert _loop("i8", "unsigned ")(*map(np.int8, (0, -1, 2))) == 128


@pytest.mark.parametrize("step", [0, -1])
def test_a_step_that_is_not_positive(step):
    with pytest.raises(RuntimeError, match=r"'scf\.for' op step must be positive"):
        _loop("index")(0, 10, step)


@pytest.mark.parametrize("step", [0, -1])
@pytest.mark.parametrize("op", ["scf.for", "scf.forall"])
def test_a_constant_step_that_is_not_positive(op, step):
    dims = "%i = %low to %high step %s" if op == "scf.for" else "(%i) = (%low) to (%high) step (%s)"
    text = f"""func.func @f(%low: index, %high: index) {{
      %s = arith.constant {step} : index
      {op} {dims} {{
      }}
      return
    }}"""
    with pytest.raises(RuntimeError, match=rf"'{op}' op step must be positive"):
        mlir_gs.compile(text, threads=1)(0, 10)


def test_places_are_those_of_the_loop():
    most = (1 << 63) - 1
    text = """func.func @f(%x: memref<?xindex>, %low: index, %high: index, %step: index) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %end = scf.for %i = %low to %high step %step iter_args(%k = %zero) -> (index) {
        memref.store %i, %x[%k] : memref<?xindex>
        %next = arith.addi %k, %one : index
        scf.yield %next : index
      }
      return
    }"""
    found = np.zeros(5, np.int64)
    mlir_gs.compile(text, threads=1)(found, most - 9, most, 2)
    assert found.tolist() == list(range(most - 9, most, 2))


_MOST = (1 << 63) - 1
_NEAR_THE_END = (
    *((_MOST - 5, _MOST, step) for step in (1, 2, 4, 6, _MOST)),
    (-_MOST - 1, _MOST, _MOST // 2 + 1),
    *((-_MOST - 1, -_MOST + 5, step) for step in (1, 2)),
    (0, _MOST, _MOST),
    (-10, _MOST, _MOST // 2),
    (3, 2, 2),
    (3, -_MOST - 1, 2),
)

_HEADS = {
    "affine.for": ("affine.for %i = {low} to {high} step {step}", ""),
    "affine.parallel": ("affine.parallel (%i) = ({low}) to ({high}) step ({step})", ""),
    "scf.parallel": ("scf.parallel (%i) = ({low}) to ({high}) step ({step})", "scf.reduce"),
    "scf.forall": ("scf.forall (%i) = ({low}) to ({high}) step ({step})", ""),
}
_COUNTS = """func.func @f(%x: memref<2xi64>, %low: index, %high: index) {{
  %first = arith.constant 0 : index
  %second = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %l = arith.constant {low} : index
  %h = arith.constant {high} : index
  %s = arith.constant {step} : index
  {head} {{
    memref.atomic_rmw addi %one, %x[%first] : (i64, memref<2xi64>) -> i64
    %place = arith.index_cast %i : index to i64
    memref.atomic_rmw addi %place, %x[%second] : (i64, memref<2xi64>) -> i64
    {tail}
  }}
  return
}}
"""


@pytest.mark.parametrize("bounds", ["constant", "arguments"])
@pytest.mark.parametrize("op", _HEADS)
def test_other_loops_near_the_limits(op, bounds):
    """How often they run, and the sum of their places."""
    head, tail = _HEADS[op]
    for low, high, step in _NEAR_THE_END:
        names = ("%low", "%high") if bounds == "arguments" else ("%l", "%h")
        if bounds == "constant" and op.startswith("affine"):
            # The parser takes no -2^63 here.
            names = ("%low", "%high") if -_MOST - 1 in (low, high) else (low, high)
        steps = step if op.startswith("affine") else "%s"
        spelled = head.format(low=names[0], high=names[1], step=steps)
        text = _COUNTS.format(head=spelled, tail=tail, low=low, high=high, step=step)
        loop = mlir_gs.compile(text, threads=1)
        found = np.zeros(2, np.int64)
        loop(found, low, high)
        places = range(low, high, step)
        wanted = (len(places), (sum(places) + (1 << 63)) % (1 << 64) - (1 << 63))
        assert (int(found[0]), int(found[1])) == wanted, (low, high, step)


def test_steps_of_several_dims_with_a_shared_output():
    text = """func.func @f(%x: tensor<6x5xi64>, %low: index, %high: index) -> tensor<6x5xi64> {
      %one = arith.constant 1 : i64
      %r = scf.forall (%i, %j) = (%low, 0) to (%high, 5) step (2, 3)
          shared_outs(%o = %x) -> (tensor<6x5xi64>) {
        %row = arith.subi %i, %low : index
        %part = tensor.extract_slice %x[%row, %j] [1, 1] [1, 1] : tensor<6x5xi64> to tensor<1x1xi64>
        %sum = arith.addi %part, %part : tensor<1x1xi64>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %sum into %o[%row, %j] [1, 1] [1, 1]
              : tensor<1x1xi64> into tensor<6x5xi64>
        }
      }
      return %r : tensor<6x5xi64>
    }"""
    x = np.arange(30).reshape(6, 5)
    wanted = x.copy()
    wanted[::2, ::3] *= 2
    most = (1 << 63) - 1
    assert np.array_equal(mlir_gs.compile(text)(x, most - 5, most), wanted)


def test_a_place_that_an_op_of_the_affine_dialect_takes():
    text = """func.func @f(%x: memref<6xi64>) {
      %one = arith.constant 1 : i64
      affine.for %i = 9223372036854775802 to 9223372036854775807 step 2 {
        affine.store %one, %x[%i - 9223372036854775802] : memref<6xi64>
      }
      return
    }"""
    x = np.zeros(6, np.int64)
    mlir_gs.compile(text)(x)
    assert x.tolist() == [1, 0, 1, 0, 1, 0]
