"""Control flow, buffers and scalar ops of the interpreter, against compiled code and Python."""

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.control import AssertionFailed
from mlir_gs.dialect.reference.run import run

LOOPS = """
memref.global "private" constant @numbers : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
memref.global "private" @zeros : memref<2xcomplex<f32>> = uninitialized
func.func @f(%n: index, %o: tensor<4xf32>) -> (tensor<4xf32>, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %numbers = memref.get_global @numbers : memref<3xf32>
  %two = memref.load %numbers[%c1] : memref<3xf32>
  %chosen = scf.index_switch %n -> index
  case 2 { scf.yield %c0 : index }
  case 3 { scf.yield %c1 : index }
  default { scf.yield %n : index }
  %sum = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %c4) step (%c1, %c1) init (%n) -> index {
    %both = arith.muli %i, %j : index
    scf.reduce(%both : index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  %filled = scf.forall (%i) in (%n) shared_outs(%all = %o) -> tensor<4xf32> {
    %one = tensor.extract_slice %all[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %new = linalg.fill ins(%two : f32) outs(%one : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %new into %all[%i] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
    }
  }
  %rest, %twice = scf.while (%a = %n, %b = %c0) : (index, index) -> (index, index) {
    %more = arith.cmpi sgt, %a, %c1 : index
    scf.condition(%more) %a, %b : index, index
  } do {
  ^bb0(%a: index, %b: index):
    %less = arith.subi %a, %c1 : index
    %next = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%b)[%a]
    scf.yield %less, %next : index, index
  }
  %small = arith.cmpi slt, %n, %c4 : index
  cf.assert %small, "too many"
  return %filled, %chosen, %sum, %rest, %twice
      : tensor<4xf32>, index, index, index, index
}"""


def interpret(text: str, *arguments: Any, entry: str = "f") -> tuple[np.ndarray, ...]:
    with dialect.context(), ir.Location.unknown():
        return run(ir.Module.parse(text), entry, arguments)


@pytest.mark.parametrize("n", range(4))
def test_loops(n: int) -> None:
    start = np.arange(4, dtype=np.float32) * 10
    found = interpret(LOOPS, n, start)
    expected = execution.compile(LOOPS, threads=1)(n, start)
    assert [x.tolist() for x in found] == [np.asarray(x).tolist() for x in expected]
    assert found[0].tolist() == [2.0] * n + start[n:].tolist()


def test_assertions() -> None:
    with pytest.raises(RuntimeError, match=r"^-:40:3: too many$"):
        interpret(LOOPS, 4, np.zeros(4, np.float32))


def test_an_assertion_on_sizes_is_reported_too() -> None:
    text = """func.func @f(%n: index, %m: index) {
      %same = arith.cmpi eq, %n, %m : index
      cf.assert %same, "'gs.gather' op, size of 'x' must be 3"
      return
    }"""
    for kind in (AssertionFailed, ValueError):
        with pytest.raises(kind, match="must be 3: expected 3, found 2"):
            interpret(text, 2, 3)


def test_blocks() -> None:
    """The greatest common divisor by a loop of blocks, and a switch."""
    text = """
    func.func @f(%a: i32, %b: i32) -> i32 {
      %zero = arith.constant 0 : i32
      cf.br ^loop(%a, %b : i32, i32)
    ^loop(%x: i32, %y: i32):
      %done = arith.cmpi eq, %y, %zero : i32
      cf.cond_br %done, ^end(%x : i32), ^step
    ^step:
      %rest = arith.remui %x, %y : i32
      cf.br ^loop(%y, %rest : i32, i32)
    ^end(%r: i32):
      cf.switch %r : i32, [
        default: ^out(%r : i32),
        7: ^out(%zero : i32)
      ]
    ^out(%z: i32):
      return %z : i32
    }"""
    for a, b in ((12, 18), (35, 14), (5, 0)):
        divisor = math.gcd(a, b)
        assert interpret(text, a, b)[0] == (0 if divisor == 7 else divisor)


def test_buffers() -> None:
    text = """
    func.func @f(%m: memref<4x3xi32>) -> (i32, memref<3x4xi32, strided<[1, 3]>>) {
      %c0 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %flat = memref.collapse_shape %m [[0, 1]] : memref<4x3xi32> into memref<12xi32>
      %v = arith.constant 40 : i32
      %old = memref.atomic_rmw addi %v, %flat[%c5] : (i32, memref<12xi32>) -> i32
      %new = memref.generic_atomic_rmw %flat[%c0] : memref<12xi32> {
      ^bb0(%x: i32):
        %y = arith.muli %x, %v : i32
        memref.atomic_yield %y : i32
      }
      %t = memref.transpose %m (i, j) -> (j, i)
          : memref<4x3xi32> to memref<3x4xi32, strided<[1, 3]>>
      %s = arith.addi %old, %new : i32
      return %s, %t : i32, memref<3x4xi32, strided<[1, 3]>>
    }"""
    buffer = np.arange(1, 13, dtype=np.int32).reshape(4, 3)
    total, turned = interpret(text, buffer)
    assert total == 6 + 40
    assert buffer[1, 2] == 46
    assert np.shares_memory(turned, buffer)
    np.testing.assert_array_equal(turned, buffer.T)


ATOMIC = {
    "addi": operator.add, "muli": operator.mul, "andi": operator.and_, "ori": operator.or_,
    "xori": operator.xor, "maxs": max, "mins": min, "assign": lambda a, b: b,
    "maxu": lambda a, b: max(a, b, key=lambda n: n % 2**32),
    "minu": lambda a, b: min(a, b, key=lambda n: n % 2**32),
}  # fmt: skip


@pytest.mark.parametrize("kind", ATOMIC)
def test_atomic_kinds(kind: str) -> None:
    text = f"""
    func.func @f(%m: memref<2xi32>, %v: i32) {{
      %c1 = arith.constant 1 : index
      %old = memref.atomic_rmw {kind} %v, %m[%c1] : (i32, memref<2xi32>) -> i32
      return
    }}"""
    buffer = np.array([7, 12], np.int32)
    interpret(text, buffer, -10)
    assert buffer.tolist() == [7, ATOMIC[kind](12, -10)]


def test_resources() -> None:
    text = """
    func.func @f() -> (tensor<2x1xf16>, tensor<9xi1>) {
      %h = arith.constant dense_resource<halves> : tensor<2x1xf16>
      %b = arith.constant dense_resource<bits> : tensor<9xi1>
      return %h, %b : tensor<2x1xf16>, tensor<9xi1>
    }
    {-#
      dialect_resources: {
        builtin: {
          halves: "0x02000000003C0040",
          bits: "0x01000000010001000000000001"
        }
      }
    #-}"""
    halves, bits = interpret(text)
    assert halves.tolist() == [[1.0], [2.0]]
    assert np.flatnonzero(bits).tolist() == [0, 2, 8]


@pytest.mark.parametrize(
    ("op", "types", "arguments", "expected"),
    [
        ("math.ctlz {0} : i8", ["i8"], [5], 5),
        ("math.cttz {0} : i16", ["i16"], [0], 16),
        ("math.cttz {0} : i16", ["i16"], [-8], 3),
        ("math.ctpop {0} : i8", ["i8"], [-1], 8),
        ("math.ipowi {0}, {1} : i8", ["i8", "i8"], [3, 5], -13),
        ("math.ipowi {0}, {1} : i32", ["i32", "i32"], [-1, -3], -1),
        ("math.ipowi {0}, {1} : i32", ["i32", "i32"], [2, -1], 0),
        ("math.fpowi {0}, {1} : f64, i32", ["f64", "i32"], [0.5, -2], 4.0),
        ("math.round {0} : f32", ["f32"], [0.49999997], 0.0),
        ("math.round {0} : f32", ["f32"], [-2.5], -3.0),
        ("math.erf {0} : f64", ["f64"], [0.5], math.erf(0.5)),
        ("math.clampf {0} to [{1}, {2}] : f32", ["f32"] * 3, [7.0, 1.0, 4.0], 4.0),
        ("index.floordivs {0}, {1}", ["index"] * 2, [-7, 2], -4),
        ("index.shrs {0}, {1}", ["index"] * 2, [-7, 1], -4),
        ("index.maxu {0}, {1}", ["index"] * 2, [-7, 1], -7),
    ],
)
def test_scalars(op: str, types: Sequence[str], arguments: Sequence[Any], expected: Any) -> None:
    names = [f"%a{n}" for n in range(len(types))]
    signature = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, types, strict=True))
    text = (
        f"func.func @f({signature}) -> {types[0]} {{\n  %r = {op.format(*names)}\n"
        f"  return %r : {types[0]}\n}}"
    )
    (found,) = interpret(text, *arguments)
    assert (found.item(), np.signbit(found)) == (expected, np.signbit(expected))


def test_two_results() -> None:
    text = """
    func.func @f(%a: i8, %b: i8) -> (i8, i1, i8, i8, i8, i8, i1) {
      %s, %o = arith.addui_extended %a, %b : i8, i1
      %l, %h = arith.mulsi_extended %a, %b : i8
      %ul, %uh = arith.mului_extended %a, %b : i8
      %p = index.constant 3
      %q = index.casts %a : i8 to index
      %c = index.cmp sle(%p, %q)
      return %s, %o, %l, %h, %ul, %uh, %c : i8, i1, i8, i8, i8, i8, i1
    }"""
    found = [x.item() for x in interpret(text, -2, 3)]
    assert found == [1, True, -6, -1, -6, 2, False]
    assert interpret(text, 4, 3)[-1].item() is True


def test_complex_functions() -> None:
    text = """
    func.func @f(%a: complex<f64>, %b: complex<f64>) -> (f64, complex<f64>, complex<f64>) {
      %r = complex.abs %a : complex<f64>
      %q = complex.div %a, %b : complex<f64>
      %e = complex.exp %a : complex<f64>
      return %r, %q, %e : f64, complex<f64>, complex<f64>
    }"""
    a, b = 3 + 4j, 1 - 2j
    found = [x.item() for x in interpret(text, a, b)]
    np.testing.assert_allclose(found, [5.0, a / b, np.exp(a)], rtol=1e-15)
