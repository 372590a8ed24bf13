"""Edges that random programs reach seldom: each compiled, in the reference and in NumPy."""

from dataclasses import replace

import mlir_gs
import numpy as np
import pytest
from element_programs import Elements, gather_elements, scatter_elements
from generic_programs import Expr, Generic, Operand, dim
from generic_programs import program as generic
from harness import check
from other_programs import Histogram, Window, histogram, strided_slice
from program import Attributes, Program
from slice_programs import Slices, gather, scatter

SIZES = ("static", "dynamic")
PLAIN = Attributes()


def assert_agrees(*programs: Program) -> None:
    findings = check(programs)
    assert not findings, "\n".join(f"{f}\n{f.program.text}" for f in findings)


@pytest.mark.parametrize("dynamic", SIZES)
@pytest.mark.parametrize("element", ["f32", "f8E5M2FNUZ", "ui64", "i2"])
def test_masks_in_a_dim_of_size_one(element: str, dynamic: str) -> None:
    filled, dropped = Attributes("fill"), Attributes("drop")
    sizes = {"dynamic": dynamic, "seed": 3}
    assert_agrees(
        gather(Slices(element, "si16", (2, 3, 1), (4, 5), (1, 2), shared=filled, **sizes)),
        gather_elements(Elements(element, "ui64", (3, 1), (3, 4), 1, filled, **sizes)),
        scatter(Slices(element, "i32", (3, 1), (9,), (1,), shared=dropped, **sizes)),
        scatter_elements(Elements(element, "ui32", (2, 3, 1), (2, 3, 2), 2, dropped, **sizes)),
    )


@pytest.mark.parametrize("dynamic", SIZES)
def test_sizes_of_zero(dynamic: str) -> None:
    sizes = {"dynamic": dynamic}
    assert_agrees(
        gather(Slices("f32", "index", (0, 3, 5), (3,), (2,), **sizes)),
        gather(Slices("f32", "index", (4, 3), (0, 2), (0,), **sizes)),
        gather(Slices("f32", "i8", (0, 3), (4,), (0,), shared=Attributes("fill"), **sizes)),
        scatter(Slices("ui32", "ui8", (3,), (2, 2, 0), (0,), combiner="add", **sizes)),
        scatter(Slices("f32", "ui8", (3, 0), (2,), (0,), combiner="add", **sizes)),
        gather_elements(Elements("f64", "index", (1, 1), (0, 1), 0, **sizes)),
        gather_elements(Elements("i32", "ui64", (2, 2, 2, 1), (2, 2, 2, 0), 3, **sizes)),
        scatter_elements(Elements("f32", "i64", (2, 2, 3), (2, 0, 3), 2, PLAIN, "sub", **sizes)),
        histogram(Histogram("f64", "index", (0,), (1,), 1, "add", **sizes)),
        histogram(Histogram("f16", "si32", (0, 2), (3, 3), 3, "maxnum", **sizes)),
        histogram(Histogram("f16", "si32", (3,), (0,), 2, "add", **sizes)),
    )


@pytest.mark.parametrize("mode", ["clip", "fill", "error"])
def test_coordinates_at_the_ends_of_their_type(mode: str) -> None:
    """With these seeds the greatest ui64 is among them, wrapped or not."""
    programs = [
        gather(Slices("i32", kind, (3, 2), (24,), (0,), shared=Attributes(mode, wrap), seed=seed))
        for kind in ("ui64", "i8", "i1")
        for wrap in (False, True)
        for seed in range(2)
    ]
    greatest = [2**64 - 1 in program.arguments[1].astype(object) for program in programs]
    assert any(greatest)
    assert_agrees(*programs)


@pytest.mark.parametrize("element", ["bf16", "f16", "f8E4M3", "f8E8M0FNU", "complex<f32>"])
def test_moves_keep_denormals_and_the_payloads_of_nans(element: str) -> None:
    choice = Slices(element, "si32", (30, 40, 7), (5,), (1,), shared=Attributes("fill"))
    by_elements = Elements(element, "si32", (30, 40), (30, 40), 1, Attributes("fill"))
    assert_agrees(
        *(gather(replace(choice, dynamic=kind)) for kind in SIZES),
        *(gather_elements(replace(by_elements, dynamic=kind)) for kind in SIZES),
    )


@pytest.mark.parametrize("element", ["bf16", "f16"])
def test_sums_keep_denormals(element: str) -> None:
    program = scatter(Slices(element, "i32", (4, 64), (20,), (0,), combiner="add"))
    updates, dest, indices = program.arguments
    bits = np.random.default_rng(0).integers(0, 6, updates.shape).astype(np.uint16)
    tiny = bits.view(updates.dtype)
    module_only = replace(program, arguments=(tiny, np.zeros_like(dest), indices))
    expected = np.zeros((4, 64), np.float64)
    # Below the least normal number sums are exact.
    np.add.at(expected, indices[:, 0], tiny.astype(np.float64))
    assert_agrees(replace(module_only, spelling=lambda: (expected.astype(dest.dtype),)))


@pytest.mark.parametrize("dynamic", SIZES)
def test_slices_of_fewer_elements_than_the_source(dynamic: str) -> None:
    assert_agrees(
        strided_slice(Window("f32", (5, 6), (0, 0), (3, 3), (1, 1), (2, 3), dynamic)),
        strided_slice(Window("f32", (5, 6), (1, 0), (4, 6), (1, 1), (4, 1), dynamic)),
        strided_slice(Window("f32", (5, 6), (0, 0), (5, 6), (-1, 1), (1, 6), dynamic)),
    )


def test_a_checked_coordinate_that_hangs_on_one_out_of_bounds() -> None:
    """s1 is read at s0: where s0 is filled, s1 is neither read nor checked."""
    shape = (dim(0),)

    def operand(values: object, dtype: str, *maps: tuple[Expr, ...]) -> Operand:
        array = np.array(values, dtype)
        return Operand(array, maps, (False,) * array.ndim)

    program = Generic(
        "f32", "ui64", (3,),
        (operand([10, 11, 12, 13], "float32", (Expr(1),)),),
        (
            operand([1, 2**64 - 1, 0], "uint64", shape),
            operand([[3, 3], [2, 3], [1, 0]], "uint64", (dim(0), Expr(0))),
        ),
        (operand([0, 0, 0], "float32", shape),),
        ("parallel",), ("fill_or_drop", "error"), (False, False), (None,), moves=True,
    )  # fmt: skip
    made = generic(program)
    (expected,) = made.spelling()
    assert expected[[0, 2]].tolist() == [13, 11]
    assert np.isnan(expected[1])
    assert_agrees(made)


@pytest.mark.parametrize("kind", ["tensor", "memref"])
@pytest.mark.parametrize("extents", [(2, 1), (33, 5)])
@pytest.mark.parametrize("combiner", [None, "add"])
def test_scalars_in_vectors(combiner: str | None, extents: tuple[int, int], kind: str) -> None:
    """An input of rank 0 has no last dim that could step along a vector."""
    program = Generic(
        "f64", "index", extents,
        (Operand(np.array(1.5), ((),), ()),),
        (Operand(np.arange(extents[1]), ((dim(1),),), (False,)),),
        (Operand(np.zeros(extents[0]), ((dim(0),),), (False,)),),
        ("parallel", "reduction"), ("promise_in_bounds",), (False,), (combiner,), kind=kind,
    )  # fmt: skip
    assert_agrees(generic(program))


@pytest.mark.parametrize("rows", [17, 600])
@pytest.mark.parametrize("kind", ["tensor", "memref"])
def test_rows_at_coordinates_whose_least_threads_share(kind: str, rows: int) -> None:
    """Points at a border between threads ask for no rows ahead, as others do."""
    table = np.arange(9 * 35, dtype=np.int32).reshape(9, 35)
    program = Generic(
        "i32", "i64", (rows, 35), (Operand(table, ((Expr(0), dim(1)),), (True, True)),),
        (Operand(np.arange(rows) % 9, ((dim(0),),), (True,)),),
        (Operand(np.full(rows, 99, np.int32), ((dim(0),),), (True,)),),
        ("reduction", "reduction"), ("error",), (False,), ("umin",), kind=kind,
    )  # fmt: skip
    findings = check([generic(program)], 2)
    assert not findings, findings[0]


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize("sorted_", ["", ", sorted"])
def test_coordinates_that_no_point_reads(sorted_: str, filled: bool) -> None:
    """Sums over no elements look at no place, wherever their coordinates lie."""
    fill = "linalg.fill ins(%c : f32) outs(%y : tensor<?xf32>) -> tensor<?xf32>"
    text = f"""func.func @f(%x: tensor<?x?xf32>, %i: tensor<?xi64>, %y: tensor<?xf32>)
        -> tensor<?xf32> {{
      %c = arith.constant 3.0 : f32
      {f"%z = {fill}" if filled else ""}
      %r = "gs.generic"(%x, %i, {"%z" if filled else "%y"}) ({{
      ^bb0(%a: f32, %o: f32):
        %s = arith.addf %o, %a : f32
        "gs.yield"(%s) : (f32) -> ()
      }}) {{coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
        indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0)>],
        iterator_types = ["reduction", "reduction"],
        operandSegmentSizes = array<i32: 1, {"0, " * 7}1, {"0, " * 7}1, 0, 0, 0>,
        resultSegmentSizes = array<i32: 1, 0, 0, 0>, modes = ["promise_in_bounds"]{sorted_}}}
          : (tensor<?x?xf32>, tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }}"""
    coordinates, before = np.array([2**60, 2**60]), np.arange(2, dtype=np.float32)
    found = mlir_gs.compile(text)(np.zeros((2, 0), np.float32), coordinates, before)
    assert found.tolist() == ([3, 3] if filled else [0, 1])
