"""Points that threads own: types, lengths, modes, orders, numbers of threads."""

import numpy as np
import pytest
from mlir_gs import execution

UPDATE = """
func.func @f(%x: tensor<?x{element}>, %w: tensor<{weights}x{element}>, %i: tensor<{shape}x{index}>,
    %dest: tensor<?x{element}>) -> tensor<?x{element}> {{
  %r = "gs.generic"(%x, %w, %i, %dest) ({{
  ^bb0(%a: {element}, %b: {element}, %current: {element}):
    %p = arith.mul{kind} %a, %b : {element}
    %new = arith.add{kind} %current, %p : {element}
    gs.yield %new : {element}
  }}) {{
    coordinate_maps = [[affine_map<(d0)[s0] -> ({place})>]],
    indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> ({weight})>,
        affine_map<(d0)[s0] -> (s0)>],
    iterator_types = ["reduction"], modes = ["{mode}"],
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  }} : (tensor<?x{element}>, tensor<{weights}x{element}>, tensor<{shape}x{index}>,
      tensor<?x{element}>) -> tensor<?x{element}>
  return %r : tensor<?x{element}>
}}"""

BLOCK = 128
"""Points that are looked at before those among them run, here."""

LENGTHS = (0, 1, 15, 16, 17, 127, 128, 129, 255, 256, 257, 385, 3001)


@pytest.fixture
def owned(applied, on_target) -> list[bool]:
    """Whether threads own points: parts of outputs of any size, of which they list few at a
    time."""
    on_target(cache_bytes=0, serial_bytes=0, looked_at_points=BLOCK, reading_threads=0)
    return applied("owned")


def _check(
    element: str, index: str, mode: str, one_weight: bool, threads: int, size: int = 1000
) -> None:
    text = UPDATE.format(
        element=element, index=index, mode=mode, kind="f" if element[0] == "f" else "i",
        weights="1" if one_weight else "?", weight="0" if one_weight else "d0",
        shape="?x1" if one_weight else "?", place="d0, 0" if one_weight else "d0",
    )  # fmt: skip
    kernel = execution.compile(text, threads=threads)
    dtype = kernel.parameters[0].element.dtype
    coordinate = kernel.parameters[2].element.dtype
    rng = np.random.default_rng(threads)
    for count in LENGTHS:
        x = rng.integers(-99, 99, count).astype(dtype) / dtype.type(7)
        w = rng.integers(1, 9, 1 if one_weight else count).astype(dtype)
        x = x.astype(dtype)
        beyond = 300 if mode in ("clip", "fill_or_drop") else 0
        given = rng.integers(-beyond, size + beyond, count)
        places = given.astype(coordinate).reshape((count, 1) if one_weight else count)
        dest = rng.integers(-9, 9, size).astype(dtype)
        expected, wanted = dest.copy(), given
        if mode == "clip":
            wanted = given.clip(0, size - 1)
        inside = (wanted >= 0) & (wanted < size)
        np.add.at(expected, wanted[inside], (x * w)[inside])
        found = kernel(x, w, places, dest)
        assert found.tobytes() == expected.tobytes(), count


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("one_weight", [False, True])
@pytest.mark.parametrize("index", ["i32", "i64"])
@pytest.mark.parametrize("element", ["f32", "f64", "i32", "i64"])
def test_types(element: str, index: str, one_weight: bool, threads: int, owned: list[bool]) -> None:
    _check(element, index, "promise_in_bounds", one_weight, threads)
    # Integers have copies of their own, and own parts where these are too many.
    assert any(owned) or element.startswith("i")


@pytest.mark.parametrize("mode", ["fill_or_drop", "clip", "error"])
def test_modes(mode: str, owned: list[bool]) -> None:
    _check("f32", "i64", mode, False, 2)
    assert any(owned)


@pytest.mark.parametrize(("threads", "size"), [(2, 64), (2, 65), (3, 97), (5, 4000), (11, 70_001)])
def test_pieces(threads: int, size: int, owned: list[bool]) -> None:
    """Sizes at which threads own two lines each, one element more, and whole pages."""
    _check("f32", "i64", "fill_or_drop", False, threads, size)
    assert any(owned)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("order", ["one place", "sorted", "one thread's"])
def test_uneven(order: str, threads: int, owned: list[bool]) -> None:
    """Where a thread owns all points of a block, its list is full."""
    text = UPDATE.format(element="f32", index="i64", mode="promise_in_bounds", kind="f",
                         weights="?", weight="d0", shape="?", place="d0")  # fmt: skip
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(threads)
    count, size = 9 * BLOCK + 5, 4096
    places = {
        "one place": np.full(count, 77),
        "sorted": np.sort(rng.integers(0, size, count)),
        "one thread's": rng.integers(0, 16, count),
    }[order]
    x, w = (rng.random(count, np.float32) for _ in range(2))
    dest = rng.random(size, np.float32)
    expected = dest.copy()
    np.add.at(expected, places, x * w)
    assert kernel(x, w, places, dest).tobytes() == expected.tobytes()
    assert any(owned)


@pytest.mark.parametrize(("element", "index"), [("f16", "i64"), ("f32", "i16"), ("f32", "ui32")])
def test_narrow_elements_and_coordinates(element: str, index: str, owned: list[bool]) -> None:
    _check(element, index, "promise_in_bounds", False, 2)
    assert any(owned)
