"""`scf.for` whose bounds and steps lie near the limits of its type, against Python's range."""

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
