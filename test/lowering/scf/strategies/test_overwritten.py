"""Sets at constant offsets of windows that overlap: the last update of each element stays."""

import numpy as np
import pytest
from mlir_gs import execution

MAPS = {
    "elements": ("tensor<?x{n}x{t}>", "tensor<?x{t}>", "", '"reduction", "reduction"'),
    "rows": (
        "tensor<?x{n}x5x{t}>",
        "tensor<?x5x{t}>",
        ", c",
        '"reduction", "reduction", "parallel"',
    ),
    "wide rows": (
        "tensor<?x{n}x?x{t}>",
        "tensor<?x?x{t}>",
        ", c",
        '"reduction", "reduction", "parallel"',
    ),
}

TEXT = """
func.func @f(%updates: {updates}, %dest: {dest}) -> {dest} {{
  %offsets = arith.constant dense<{offsets}> : tensor<{n}x{index}>
  %r = "gs.generic"(%updates, %offsets, %dest) ({{
  ^bb0(%x: {t}, %old: {t}):
    {body}
    "gs.yield"(%new) : ({t}) -> ()
  }}) {{
    coordinate_maps = [[affine_map<(i, j{row})[s] -> (j)>]],
    indexing_maps = [affine_map<(i, j{row})[s] -> (i, j{row})>,
                     affine_map<(i, j{row})[s] -> (i * {step} + s{row})>],
    iterator_types = [{iterators}], modes = ["{mode}"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : ({updates}, tensor<{n}x{index}>, {dest}) -> {dest}
  return %r : {dest}
}}"""

BODIES = {
    "f64": "%new = arith.addf %x, %x : f64",
    "f32": "%new = arith.negf %x : f32",
    "i8": "%new = arith.addi %x, %x : i8",
}


def _text(kind: str, offsets: list[int], step: int, t: str, index: str, mode: str) -> str:
    updates, dest, row, iterators = MAPS[kind]
    n = len(offsets)
    return TEXT.format(
        updates=updates.format(n=n, t=t),
        dest=dest.format(t=t),
        offsets=offsets,
        n=n,
        index=index,
        t=t,
        row=row,
        step=step,
        iterators=iterators,
        mode=mode,
        body=BODIES[t],
    )


PATTERNS = (
    ([0, 24, 48, 72, 96, 120], 8),
    ([0, 1, 2, 3, 4, 5, 6, 7], 3),
    ([7, 6, 5, 4, 3, 2, 1, 0], 3),
    ([5, 5, 5, 0], 1),
    ([4, 4], 9),
    ([1333, 0, 1, 36, 37, 72, 73, 1296, 1297, 1332], 1),
    ([0, 200, 400, 200], 4),
    ([-3, 0, 3, 6], 3),
)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", MAPS)
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda one: f"{one[0][:4]} by {one[1]}")
def test_last_update_stays(pattern: tuple[list[int], int], kind: str, threads: int) -> None:
    """For numbers of windows around the one after which all are overwritten."""
    offsets, step = pattern
    rng = np.random.default_rng(0)
    first = -min(0, *offsets)
    for (t, dtype), index, mode in zip(
        (("f64", np.float64), ("f32", np.float32), ("i8", np.int8)),
        ("index", "i64", "i16"),
        ("promise_in_bounds", "error", "promise_in_bounds"),
        strict=True,
    ):
        # No coordinate is below 0 under "error", which looks at coordinates alone.
        moved = [offset + first for offset in offsets]
        kernel = execution.compile(_text(kind, moved, step, t, index, mode), threads=threads)
        for windows in (0, 1, 2, 3, 7, 60, 4001):
            row = {"elements": (), "rows": (5,), "wide rows": (17,)}[kind]
            updates = rng.integers(-50, 50, (windows, len(offsets), *row)).astype(dtype)
            dest = rng.integers(-50, 50, (step * windows + max(moved) + 3, *row)).astype(dtype)
            places = step * np.arange(windows)[:, None] + np.array(moved)
            expected = dest.copy()
            new = -updates if t == "f32" else updates + updates
            # NumPy assigns in order.
            expected[places.ravel()] = new.reshape(-1, *row)
            assert kernel(updates, dest).tobytes() == expected.tobytes(), windows


BATCHES = """
func.func @f(%updates: tensor<3x?x4xf32>, %scales: tensor<?xf32>, %dest: tensor<3x?xf32>)
    -> tensor<3x?xf32> {
  %offsets = arith.constant dense<[0, 2, 4, 5]> : tensor<4xindex>
  %r = "gs.generic"(%updates, %scales, %offsets, %dest) ({
  ^bb0(%x: f32, %scale: f32, %old: f32):
    %new = arith.mulf %x, %scale : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {
    coordinate_maps = [[affine_map<(b, i, j)[s] -> (j)>]],
    indexing_maps = [affine_map<(b, i, j)[s] -> (b, i, j)>,
                     affine_map<(b, i, j)[s] -> (i * 4 + j)>,
                     affine_map<(b, i, j)[s] -> (b, i * 2 + s)>],
    iterator_types = ["parallel", "reduction", "reduction"],
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<3x?x4xf32>, tensor<?xf32>, tensor<4xindex>, tensor<3x?xf32>) -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}"""


@pytest.mark.parametrize("scale", ["i * 4 + j", "i * 4 + j * 2 - j", "(i * 8 + j * 2) floordiv 2"])
@pytest.mark.parametrize("threads", [1, 2])
def test_inputs_of_any_map(threads: int, scale: str) -> None:
    """Inputs are read where the points that stay were, also by sums of dims; a batch before them
    changes nothing. Where a coordinate cannot stand for the dim, all points run."""
    kernel = execution.compile(BATCHES.replace("(i * 4 + j)", f"({scale})"), threads=threads)
    rng = np.random.default_rng(1)
    for windows in (0, 1, 2, 5, 3001):
        updates = rng.standard_normal((3, windows, 4), dtype=np.float32)
        scales = rng.standard_normal(4 * windows, dtype=np.float32)
        dest = rng.standard_normal((3, 2 * windows + 9), dtype=np.float32)
        places = 2 * np.arange(windows)[:, None] + np.array([0, 2, 4, 5])
        expected = dest.copy()
        expected[:, places.ravel()] = (updates * scales.reshape(windows, 4)).reshape(3, -1)
        assert kernel(updates, scales, dest).tobytes() == expected.tobytes()


def _crowded(tables: int) -> str:
    """A set of the sum of elements of so many tables, each at coordinates of its own."""
    space = "(i, j)[" + ", ".join(f"s{k}" for k in range(tables + 1)) + "]"
    names = [f"%t{k}" for k in range(tables)]
    places = [f"%c{k}" for k in range(tables)]
    adds = "".join(
        f"    %sum{k} = arith.addf %{'x0' if k == 1 else f'sum{k - 1}'}, %x{k} : f64\n"
        for k in range(1, tables)
    )
    slots = (
        [1] * tables + [0] * (8 - tables) + [1] * (tables + 1) + [0] * (7 - tables) + [1, 0, 0, 0]
    )
    arguments = [f"{name}: tensor<?xf64>" for name in names]
    arguments += [f"{place}: tensor<?xi64>" for place in places]
    maps = [f"[affine_map<{space} -> (i)>]"] * tables + [f"[affine_map<{space} -> (j)>]"]
    reads = [f"affine_map<{space} -> (s{k})>" for k in range(tables)]
    types = ["tensor<?xf64>"] * tables + ["tensor<?xi64>"] * tables
    return f"""
func.func @f({", ".join(arguments)}, %dest: tensor<?xf64>) -> tensor<?xf64> {{
  %offsets = arith.constant dense<[0, 2, 4]> : tensor<3xindex>
  %r = "gs.generic"({", ".join([*names, *places])}, %offsets, %dest) ({{
  ^bb0({", ".join(f"%x{k}: f64" for k in range(tables))}, %old: f64):
{adds}    "gs.yield"(%sum{tables - 1}) : (f64) -> ()
  }}) {{
    coordinate_maps = [{", ".join(maps)}],
    indexing_maps = [{", ".join(reads)}, affine_map<{space} -> (i * 2 + s{tables})>],
    iterator_types = ["reduction", "reduction"],
    operandSegmentSizes = array<i32: {", ".join(map(str, slots))}>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : ({", ".join(types)}, tensor<3xindex>, tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}}"""


@pytest.mark.parametrize("tables", [6, 7])
def test_as_many_coordinates_as_an_op_has(tables: int) -> None:
    """There may be no room for another one."""
    kernel = execution.compile(_crowded(tables), threads=1)
    rng = np.random.default_rng(2)
    for windows in (0, 1, 50):
        found = [rng.integers(-99, 99, 9).astype(np.float64) for _ in range(tables)]
        places = [rng.integers(0, 9, windows) for _ in range(tables)]
        dest = rng.standard_normal(2 * windows + 7)
        sums = sum(table[place] for table, place in zip(found, places, strict=True))
        expected = dest.copy()
        where = 2 * np.arange(windows)[:, None] + np.array([0, 2, 4])
        expected[where.ravel()] = np.repeat(sums, 3)
        assert kernel(*found, *places, dest).tobytes() == expected.tobytes()
