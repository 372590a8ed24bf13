"""Random ONNX nodes, imported and compiled, against onnxruntime's results.

    python test/frontend/onnx/random_onnx.py --count 200 --seed 0
    python test/frontend/onnx/random_onnx.py --kind Unique --count 1000

draws that many of each kind: shapes with sizes 0 and 1, element types, attributes, inputs that are
constants or known at run time only, static sizes and dynamic ones. What onnxruntime refuses has to
be refused, too, by an exception with a sentence.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from mlir_gs.execution import CompileError
from mlir_gs.lowering import PassFailure
from onnx import helper
from onnx_harness import compiled

Array = np.ndarray
LEAST, MOST = -(1 << 63), (1 << 63) - 1


@dataclass
class Drawn:
    """A node: its inputs by name, None where one is left out, and what is known of them."""

    op: str
    inputs: dict[str, Array | None]
    outputs: list[Any]
    opset: int = 20
    attributes: dict[str, Any] = field(default_factory=dict)
    domain: str = ""
    constants: set[str] = field(default_factory=set)
    dynamic: set[str] = field(default_factory=set)
    ranks: list[int | None] = field(default_factory=list)

    def model(self) -> onnx.ModelProto:
        given = {k: v for k, v in self.inputs.items() if v is not None}
        names = [name if value is not None else "" for name, value in self.inputs.items()]
        while names and not names[-1]:
            names.pop()
        results = [f"y{k}" if kind is not None else "" for k, kind in enumerate(self.outputs)]
        node = helper.make_node(self.op, names, results, domain=self.domain, **self.attributes)
        graph = helper.make_graph(
            [node],
            "g",
            [self._info(k, v) for k, v in given.items() if k not in self.constants],
            [
                helper.make_tensor_value_info(name, kind_of(kind), self._shape(k))
                for k, (name, kind) in enumerate(zip(results, self.outputs, strict=True))
                if kind is not None
            ],
            [tensor_of(name, given[name]) for name in sorted(self.constants & set(given))],
        )
        opsets = [helper.make_opsetid("", self.opset)]
        if self.domain:
            opsets.append(helper.make_opsetid(self.domain, 1))
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _shape(self, number: int) -> list[str] | None:
        rank = self.ranks[number] if number < len(self.ranks) else None
        return None if rank is None else [f"y{number}_{d}" for d in range(rank)]

    def _info(self, name: str, value: Array) -> Any:
        free = name in self.dynamic
        sizes = [f"{name}{d}" for d in range(value.ndim)] if free else list(value.shape)
        return helper.make_tensor_value_info(name, kind_of(value.dtype), sizes)

    def arguments(self) -> dict[str, Array]:
        return {k: v for k, v in self.inputs.items() if v is not None and k not in self.constants}


def kind_of(dtype: Any) -> int:
    return helper.np_dtype_to_tensor_dtype(np.dtype(dtype))


def tensor_of(name: str, value: Array) -> Any:
    return onnx.numpy_helper.from_array(value, name)


class Draw:
    """The random numbers of one case."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def pick(self, choices: Any) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def often(self, chance: float = 0.5) -> bool:
        return bool(self.rng.random() < chance)

    def size(self, most: int = 5) -> int:
        return self.pick((0, 1, *range(1, most + 1), *range(2, most + 1)))

    def shape(self, low: int, high: int, most: int = 5) -> tuple[int, ...]:
        return tuple(self.size(most) for _ in range(int(self.rng.integers(low, high + 1))))

    def values(self, dtype: Any, shape: tuple[int, ...], low: int = -4, high: int = 5) -> Array:
        kind = np.dtype(dtype)
        if kind == np.bool_:
            low, high = 0, 2
        elif kind.kind == "u" or kind.name.startswith("uint"):
            low, high = 0, high - low
        return np.asarray(self.rng.integers(low, high, shape)).astype(kind)

    def known(self, drawn: Drawn, *parameters: str) -> Drawn:
        """Which inputs are constants and which have dynamic sizes."""
        drawn.constants |= {name for name in parameters if self.often(0.4)}
        drawn.dynamic |= {name for name in drawn.inputs if self.often(0.3)}
        return drawn


def draw_slice(d: Draw) -> Drawn:
    data = d.values(d.pick(("float32", "int64", "bool", "uint8", "float16")), d.shape(1, 4))
    rank = data.ndim
    count = int(d.rng.integers(0, rank + 1))
    axes = [int(a) for a in d.rng.permutation(rank)[:count]]
    if d.often(0.05) and count:
        axes[0] = d.pick((rank, -rank - 1, axes[-1], LEAST, MOST))

    def position() -> int:
        return d.pick((LEAST, MOST, -7, -6, *range(-5, 7)))

    def step() -> int:
        return d.pick((1, 2, 3, -1, -2, -3, LEAST, LEAST + 1, MOST, 1 << 40, -(1 << 40), 7))

    steps = [step() for _ in axes]
    # onnxruntime reads the largest end as "to the first element" where the step is negative.
    ends = [min(position(), 7) if pace < 0 else position() for pace in steps]
    if d.often(0.3):
        axes = [a - rank if 0 <= a < rank else a for a in axes]
    lists: dict[str, Array | None] = {
        "starts": np.array([position() for _ in axes], np.int64),
        "ends": np.array(ends, np.int64),
        "axes": np.array(axes, np.int64),
        "steps": np.array(steps, np.int64),
    }
    if d.often(0.2):
        lists["steps"] = None
    if d.often(0.2):
        lists["axes"] = None
    drawn = Drawn("Slice", {"data": data, **lists}, [data.dtype], 13, ranks=[rank])
    return d.known(drawn, "starts", "ends", "axes", "steps")


def draw_one_hot(d: Draw) -> Drawn:
    depth = d.pick((1, 2, 3, 5, 7, -2, LEAST, MOST))
    indices = d.values(d.pick(("int64", "float32", "int32")), d.shape(1, 3), -8, 9)
    kind = d.pick(("int64", "float32", "int32"))
    if kind == "int32":
        depth = max(min(depth, 7), -(1 << 31))
    shape = d.pick(((), (1,)))
    values = d.values(d.pick(("float32", "int64")), (2,))
    inputs = {
        "indices": indices,
        "depth": np.full(shape, depth).astype(kind),
        "values": values,
    }
    axis = int(d.rng.integers(-indices.ndim - 1, indices.ndim + 1))
    drawn = Drawn("OneHot", inputs, [values.dtype], 11, {"axis": axis}, ranks=[indices.ndim + 1])
    return d.known(drawn, "depth", "values")


def draw_tile(d: Draw) -> Drawn:
    data = d.values(d.pick(("float32", "int64", "bool", "uint8", "float16")), d.shape(0, 4))
    repeats = np.array([d.pick((0, 1, 1, 2, 3)) for _ in data.shape], np.int64)
    if d.often(0.05) and repeats.size:
        repeats[0] = d.pick((-1, LEAST))
    if d.often(0.05) and repeats.size and data.size:
        repeats[-1] = MOST
    inputs: dict[str, Array | None] = {"data": data, "repeats": repeats}
    drawn = Drawn("Tile", inputs, [data.dtype], 13, ranks=[data.ndim])
    return d.known(drawn, "repeats")


def draw_non_zero(d: Draw) -> Drawn:
    data = d.values(d.pick(("float32", "int64", "bool", "uint8", "int32")), d.shape(1, 4), -1, 2)
    drawn = Drawn("NonZero", {"data": data}, ["int64"], 13, ranks=[2])
    return d.known(drawn)


def draw_unique(d: Draw) -> Drawn:
    # onnxruntime aborts where slices are empty.
    shape = tuple(max(size, 1) for size in d.shape(1, 3)) if d.often(0.9) else (0,)
    data = d.values(d.pick(("float32", "int64", "int8", "float64")), shape, -2, 3)
    attributes: dict[str, Any] = {"sorted": d.pick((0, 1))}
    if d.often(0.6):
        attributes["axis"] = int(d.rng.integers(-data.ndim, data.ndim))
    kinds = [data.dtype, *(d.pick(("int64", None)) for _ in range(3))]
    while kinds[-1] is None:
        kinds.pop()
    ranks = [data.ndim if "axis" in attributes else 1, 1, 1, 1]
    drawn = Drawn("Unique", {"data": data}, kinds, 11, attributes, ranks=ranks)
    return d.known(drawn)


def draw_max_unpool(d: Draw) -> Drawn:
    count = d.pick((1, 2, 2, 3))
    shape = (d.pick((0, 1, 2)), d.pick((1, 2)), *(int(n) for n in d.rng.integers(1, 4, count)))
    kernel = [int(n) for n in d.rng.integers(1, 4, count)]
    attributes: dict[str, Any] = {"kernel_shape": kernel}
    strides, pads = [1] * count, [0] * (2 * count)
    if d.often(0.7):
        attributes["strides"] = strides = [int(n) for n in d.rng.integers(1, 4, count)]
    if d.often(0.3):
        attributes["pads"] = pads = [int(n > 1 and d.often()) for n in 2 * kernel]
    sizes = [
        (n - 1) * strides[k] + kernel[k] - pads[k] - pads[count + k]
        for k, n in enumerate(shape[2:])
    ]
    total = int(np.prod([*shape[:2], *sizes]))
    most = max(total, 1) + (1 if d.often(0.05) else 0)
    indices = d.rng.integers(0, most, shape).astype(np.int64)
    inputs = {"x": d.values("float32", shape), "i": indices}
    drawn = Drawn("MaxUnpool", inputs, [inputs["x"].dtype], 11, attributes, ranks=[count + 2])
    return d.known(drawn)


def draw_gather_block_quantized(d: Draw) -> Drawn:
    kind, block = d.pick(("uint8", "uint4", "int4")), d.pick((16, 32))
    bits = d.pick((2, 4, 8)) if kind == "uint8" else 4
    rank = d.pick((2, 2, 3))
    sizes = [int(n) for n in d.rng.integers(1, 4, rank)]
    gather, quantize = 0, rank - 1
    if kind != "uint8":
        gather, quantize = (int(n) for n in d.rng.integers(0, rank, 2))
    packed = 8 // bits if kind == "uint8" else 1
    sizes[quantize] = int(d.rng.integers(1, 70)) if packed == 1 else int(d.rng.integers(1, 40))
    limits = {"uint8": (0, 256), "uint4": (0, 16), "int4": (-8, 8)}[kind]
    dtype = np.uint8 if kind == "uint8" else getattr(ml_dtypes, kind)
    blocks = list(sizes)
    blocks[quantize] = -(-sizes[quantize] * packed // block)
    scales = d.rng.standard_normal(blocks).astype(d.pick((np.float32, np.float16)))
    points: Array | None = None
    # onnxruntime takes zero points of 2 bits in no shape.
    if d.often() and bits > 2:
        blocks[quantize] = -(-blocks[quantize] // packed)
        points = d.rng.integers(*limits, blocks).astype(dtype)
    most = sizes[gather] + (1 if d.often(0.1) else 0)
    indices = d.rng.integers(-most, most, d.shape(0, 2, 3)).astype(d.pick((np.int32, np.int64)))
    inputs: dict[str, Array | None] = {
        "data": d.rng.integers(*limits, sizes).astype(dtype),
        "i": indices,
        "scales": scales,
        "points": points,
    }
    attributes = {"block_size": block, "gather_axis": gather, "quantize_axis": quantize}
    if bits != 4 or d.often():
        attributes["bits"] = bits
    drawn = Drawn(
        "GatherBlockQuantized",
        inputs,
        [scales.dtype],
        21,
        attributes,
        "com.microsoft",
        constants={"data", "scales", "points"} if d.often(0.7) else set(),
        ranks=[rank - 1 + indices.ndim if d.often() else None],
    )
    drawn.dynamic |= {name for name in inputs if d.often(0.2)}
    # onnxruntime compares known sizes of zero points with those of scales, which it takes for -1.
    drawn.dynamic -= set() if points is None else {"scales"}
    return drawn


def draw_tensor_scatter(d: Draw) -> Drawn:
    rank = d.pick((3, 4))
    axis = int(d.rng.integers(1, rank))
    cache = [int(n) for n in d.rng.integers(1, 4, rank)]
    cache[axis] = int(d.rng.integers(1, 8))
    update = list(cache)
    update[axis] = int(d.rng.integers(0, cache[axis] + 1))
    mode = d.pick(("linear", "circular"))
    room = cache[axis] - update[axis] + 1 if mode == "linear" else cache[axis]
    starts = d.rng.integers(0, room, cache[0]).astype(np.int64) if d.often(0.7) else None
    dtype = d.pick(("float32", "int64", "uint8", "float16", "bool"))
    inputs = {"cache": d.values(dtype, tuple(cache)), "u": d.values(dtype, tuple(update))}
    drawn = Drawn(
        "TensorScatter",
        {**inputs, "starts": starts},
        [inputs["cache"].dtype],
        24,
        {"axis": axis - rank if d.often() else axis, "mode": mode},
        ranks=[rank],
    )
    return d.known(drawn)


def draw_dequantize_linear(d: Draw) -> Drawn:
    names = ("int8", "uint8", "int16", "uint16", "int32", "int4", "uint4", "float8_e5m2")
    kind = np.dtype(getattr(ml_dtypes, name := d.pick(names), name))
    form, data = d.pick(("all", "axis", "block")), d.values(kind, d.shape(1, 3, 40))
    axis, attributes = int(d.rng.integers(0, data.ndim)), dict[str, int]()
    shape: tuple[int, ...] = d.pick(((), (1,)))
    if form != "all":
        attributes["axis"] = axis - data.ndim if d.often() else axis
        shape = data.shape[axis : axis + 1]
    if form == "block":
        attributes["block_size"] = block = d.pick((1, 3, 16))
        shape = (*data.shape[:axis], -(-data.shape[axis] // block), *data.shape[axis + 1 :])
    scales = d.rng.standard_normal(shape).astype(d.pick((np.float32, np.float16)))
    has_points = d.often() and kind.name not in ("int32", "float8_e5m2")
    points = d.values(kind, shape) if has_points else None
    inputs = {"x": data, "scales": scales, "points": points}
    drawn = Drawn("DequantizeLinear", inputs, [scales.dtype], 21, attributes, ranks=[data.ndim])
    drawn = d.known(drawn, "x", "scales", "points")
    # They are constants, or known to no one.
    narrow = {k for k, v in inputs.items() if v is not None and v.dtype.name in names[5:]}
    # One scale for all in a dim of dynamic size is read as one for each slice.
    drawn.dynamic -= {"scales", "points"} if form == "all" else set()
    return replace(drawn, constants=drawn.constants | narrow)


DRAWS: dict[str, Callable[[Draw], Drawn]] = {
    "Slice": draw_slice,
    "OneHot": draw_one_hot,
    "Tile": draw_tile,
    "NonZero": draw_non_zero,
    "Unique": draw_unique,
    "MaxUnpool": draw_max_unpool,
    "DequantizeLinear": draw_dequantize_linear,
    "GatherBlockQuantized": draw_gather_block_quantized,
    "TensorScatter": draw_tensor_scatter,
}


def wanted(drawn: Drawn) -> list[Array] | str | None:
    """What onnxruntime gives, or says; None where it has no code for the elements."""
    import onnxruntime

    # It takes numbers of 4 bits as constants only.
    narrow = {k for k, v in drawn.inputs.items() if v is not None and "int4" in v.dtype.name}
    drawn = replace(drawn, constants=drawn.constants | narrow)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(
            drawn.model().SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return [np.asarray(each) for each in session.run(None, drawn.arguments())]
    except Exception as error:
        return None if "NOT_IMPLEMENTED" in str(error) else str(error)


def check(kind: str, seed: int) -> str:
    """Draw a node and compare: `same`, `refused`, or `unknown` where onnxruntime has no code for
    it; an AssertionError names the seed."""
    drawn = DRAWS[kind](Draw(seed))
    expected = wanted(drawn)
    if expected is None:
        return "unknown"
    what = f"{kind}, seed {seed}: {drawn}"
    found, told = None, ""
    try:
        found = compiled(drawn.model())(*drawn.arguments().values())
    except (CompileError, PassFailure, RuntimeError, IndexError) as error:
        told = str(error)
    if isinstance(expected, str):
        assert told, f"{what}\ngave {found}\nnot: {expected}"
        return "refused"
    assert not told, f"{what}\nrefused: {told}\nnot {expected}"
    results = [np.asarray(one) for one in (found if isinstance(found, tuple) else (found,))]
    assert len(results) == len(expected), what
    for one, other in zip(results, expected, strict=True):
        assert one.shape == other.shape, f"{what}\n{one}\nis not\n{other}"
        wide = [each.astype(np.float32) if _is_small(each) else each for each in (one, other)]
        np.testing.assert_array_equal(*wide, err_msg=what)
    return "same"


def _is_small(array: Array) -> bool:
    return array.dtype in (ml_dtypes.bfloat16, np.float16)


def main() -> None:
    import onnxruntime

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", default="", help="one kind only, of " + ", ".join(DRAWS))
    parser.add_argument("--count", type=int, default=100, help="cases of each kind")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case")
    options = parser.parse_args()
    for kind in [options.kind] if options.kind else DRAWS:
        found = [check(kind, options.seed + number) for number in range(options.count)]
        print(
            f"{kind}: {len(found)} cases, {found.count('same')} with onnxruntime "
            f"{onnxruntime.__version__}'s values, {found.count('refused')} refused as there, "
            f"{found.count('unknown')} that it has no code for"
        )


if __name__ == "__main__":
    main()
