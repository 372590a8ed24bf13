"""The gathers of TCP, run: compiled and reference against NumPy."""

import numpy as np
import pytest
from frontend_harness import check, converted

PASS = "convert-tcp-to-gs"
SEED = 20220914


def along(array: np.ndarray, indices: np.ndarray, dim: int) -> np.ndarray:
    """torch.gather: `array` may be larger than `indices` in the other dims."""
    cut = [slice(None) if d == dim else slice(n) for d, n in enumerate(indices.shape)]
    return np.take_along_axis(array[tuple(cut)], indices, axis=dim)


def function(arguments: dict[str, str], body: str, result: str) -> str:
    signature = ", ".join(f"%{name}: {type_}" for name, type_ in arguments.items())
    return f"func.func @f({signature}) -> {result} {{\n{body}  return %r : {result}\n}}\n"


def one_op(op: str, attributes: str, source: str, indices: str, result: str) -> str:
    types = {"x": f"tensor<{source}>", "i": f"tensor<{indices}>"}
    body = (
        f'  %r = "tcp.{op}"(%x, %i) {{{attributes}}}\n'
        f"      : ({types['x']}, {types['i']}) -> tensor<{result}>\n"
    )
    return function(types, body, f"tensor<{result}>")


def numbers(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def test_torch_gather_of_the_seed() -> None:
    x = numbers(np.random.default_rng(SEED), 3, 4)
    indices = np.array([[0, 1], [2, 0], [2, 3]])
    expected = np.take_along_axis(x, indices, axis=1)
    check(
        one_op("gather", "dim = 1", "3x4xf32", "3x2xi64", "3x2xf32"), PASS, [x, indices], expected
    )


def test_onnx_gather_elements_of_the_seed() -> None:
    x = numbers(np.random.default_rng(SEED), 3, 3)
    indices = np.array([[1, 2, 0], [2, 0, 0]])
    expected = along(x, indices, 0)
    check(
        one_op("gather", "dim = 0", "3x3xf32", "2x3xi64", "2x3xf32"), PASS, [x, indices], expected
    )


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_gather_with_smaller_indices(dim: int) -> None:
    rng = np.random.default_rng(SEED)
    x = numbers(rng, 4, 5, 6)
    shape = [3, 4, 5]
    shape[dim] = 9
    indices = rng.integers(0, x.shape[dim], shape)
    text = one_op("gather", f"dim = {dim} : index", "?x?x?xf32", "?x?x?xi64", "?x?x?xf32")
    check(text, PASS, [x, indices], along(x, indices, dim))


def test_gather_nd_of_the_seed() -> None:
    rng = np.random.default_rng(SEED)
    x = numbers(rng, 5, 7, 3)
    indices = np.stack([rng.integers(0, 5, 4), rng.integers(0, 7, 4)], axis=-1)
    text = one_op("gather_nd", "", "5x7x3xf32", "4x2xi64", "4x3xf32")
    check(text, PASS, [x, indices], x[indices[:, 0], indices[:, 1]])


@pytest.mark.parametrize(("rank", "n"), [(1, 1), (2, 1), (2, 2), (3, 2), (4, 2), (4, 3), (4, 4)])
def test_gather_nd(rank: int, n: int) -> None:
    rng = np.random.default_rng(SEED)
    sizes = [3, 4, 2, 5][:rank]
    x = numbers(rng, *sizes)
    indices = np.stack([rng.integers(0, sizes[d], (2, 6)) for d in range(n)], axis=-1)
    expected = x[tuple(np.moveaxis(indices, -1, 0))]
    source, result = "?x" * rank, "2x?x" + "?x" * (rank - n)
    text = one_op("gather_nd", "", f"{source}f32", f"2x?x{n}xi64", f"{result}f32")
    check(text, PASS, [x, indices], expected)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (0, 2)])
@pytest.mark.parametrize("dim", [0, 1, 2])
def test_gather_slice(dim: int, shape: tuple[int, ...], dynamic: bool) -> None:
    rng = np.random.default_rng(SEED)
    x = numbers(rng, 3, 4, 5)
    indices = rng.integers(0, x.shape[dim], shape)
    expected = np.take(x, indices, axis=dim)

    def sizes(array: np.ndarray) -> str:
        return "".join("?x" if dynamic else f"{n}x" for n in array.shape)

    text = one_op(
        "gather_slice",
        f"dim = {dim} : index",
        f"{sizes(x)}f32",
        f"{sizes(indices)}i64",
        f"{sizes(expected)}f32",
    )
    check(text, PASS, [x, indices], expected)


class Operand:
    """An argument that gets the dims `inserted` and is repeated along `axes`, as MLIR and array.

    `sizes` are those of the outcome; the argument has size 1 in the axes that are not inserted.
    """

    def __init__(
        self, name: str, sizes: list[int], inserted: list[int], axes: list[int], dynamic: bool
    ) -> None:
        self.name, self.element = name, {"x": "f32", "i": "i64"}[name]
        self.dynamic, self.text, self.sizes = dynamic, "", sizes
        kept = [d for d in range(len(sizes)) if d not in inserted]
        self.base = [1 if d in axes else sizes[d] for d in kept]
        self.ones = {d for d in range(len(sizes)) if d in axes}
        self.argument = self.tensor(self.base, {n for n, d in enumerate(kept) if d in axes})
        self.value, self.type = f"%{name}", self.argument
        if inserted:
            self.insert(kept, sizes)
        if axes:
            self.repeat(axes)

    def tensor(self, shape: list[int], static: set[int]) -> str:
        sizes = ["?" if self.dynamic and d not in static else str(n) for d, n in enumerate(shape)]
        return "tensor<" + "".join(f"{n}x" for n in sizes) + f"{self.element}>"

    def insert(self, kept: list[int], sizes: list[int]) -> None:
        ends = [*(d + 1 for d in kept[:-1]), len(sizes)] if kept else []
        groups = [list(range(a, b)) for a, b in zip([0, *ends], ends, strict=False)]
        shape = [1 if d in self.ones else n for d, n in enumerate(sizes)]
        spelled = [str(n) for n in shape]
        for source, d in enumerate(kept):
            if self.dynamic and d not in self.ones:
                spelled[d] = f"%{self.name}_d{source}"
                self.text += (
                    f"  %{self.name}_c{source} = arith.constant {source} : index\n"
                    f"  {spelled[d]} = tensor.dim {self.value}, %{self.name}_c{source}"
                    f" : {self.type}\n"
                )
        type_ = self.tensor(shape, self.ones)
        self.text += (
            f"  %{self.name}_e = tensor.expand_shape {self.value} {groups} "
            f"output_shape [{', '.join(spelled)}] : {self.type} into {type_}\n"
        )
        self.value, self.type = f"%{self.name}_e", type_

    def repeat(self, axes: list[int]) -> None:
        operands = [f"%{self.name}_n{axis}" for axis in axes]
        for name, axis in zip(operands, axes, strict=True):
            self.text += f"  {name} = arith.constant {self.sizes[axis]} : index\n"
        types, type_ = [self.type, *["index"] * len(axes)], self.tensor(self.sizes, set())
        self.text += (
            f'  %{self.name}_b = "tcp.broadcast_to"({", ".join([self.value, *operands])}) '
            f"{{axes = {axes}}} : ({', '.join(types)}) -> {type_}\n"
        )
        self.value, self.type = f"%{self.name}_b", type_

    def outcome(self, array: np.ndarray) -> np.ndarray:
        shape = [1 if d in self.ones else n for d, n in enumerate(self.sizes)]
        return np.broadcast_to(array.reshape(shape), self.sizes)


@pytest.mark.parametrize("seed", range(24))
def test_gather_of_random_broadcasts(seed: int) -> None:
    """Operands repeated along random dims; some sizes of the coordinates less than the input's."""
    rng = np.random.default_rng([SEED, seed])
    rank = int(rng.integers(1, 5))
    dim = int(rng.integers(0, rank))
    sizes = {"i": [int(n) for n in rng.integers(1, 5, rank)]}
    sizes["x"] = [n + int(rng.integers(0, 2)) for n in sizes["i"]]
    sizes["x"][dim] = limit = int(rng.integers(1, 6))
    operands = []
    for name in ("x", "i"):
        axes = [d for d in range(rank) if rng.random() < 0.5]
        inserted = [d for d in axes if rng.random() < 0.7]
        operands.append(Operand(name, sizes[name], inserted, axes, bool(seed % 2)))
    x, i = operands
    source, indices = numbers(rng, *x.base), rng.integers(0, limit, i.base)
    expected = along(x.outcome(source), i.outcome(indices), dim)
    result = i.type.replace("i64", "f32")
    body = (
        f'{x.text}{i.text}  %r = "tcp.gather"({x.value}, {i.value}) {{dim = {dim} : index}}\n'
        f"      : ({x.type}, {i.type}) -> {result}\n"
    )
    text = function({"x": x.argument, "i": i.argument}, body, result)
    assert "broadcast" not in str(converted(text, PASS))
    check(text, PASS, [source, indices], expected)


def test_broadcast_that_feeds_no_gather() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 1, 3, 1)
    text = """
func.func @f(%x: tensor<2x1x3x1xf32>, %n: index) -> tensor<2x4x3x?xf32> {
  %c4 = arith.constant 4 : index
  %r = "tcp.broadcast_to"(%x, %c4, %n) {axes = [1, 3]}
      : (tensor<2x1x3x1xf32>, index, index) -> tensor<2x4x3x?xf32>
  return %r : tensor<2x4x3x?xf32>
}"""
    for n in (5, 1, 0):
        check(text, PASS, [x, np.int64(n)], np.broadcast_to(x, (2, 4, 3, n)))
