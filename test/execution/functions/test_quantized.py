"""Quantized tables in the layouts of torch, ONNX Runtime, torchao and MX: the numbers of each."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import quantized

BYTES = {8: np.dtype(np.uint8), 4: np.dtype(ml_dtypes.uint4), 2: np.dtype(ml_dtypes.uint2)}
NAMES = {8: "byte", 4: "4bit", 2: "2bit"}


def _unpacked(data: np.ndarray, bits: int, high_first: bool = False) -> np.ndarray:
    shifts = np.arange(0, 8, bits)[:: -1 if high_first else 1].astype(np.uint8)
    found = (data.view(np.uint8)[:, :, None] >> shifts) & np.uint8((1 << bits) - 1)
    return found.reshape(len(data), -1)


@pytest.mark.parametrize("bits", [8, 4, 2])
@pytest.mark.parametrize("width", [20, 516])
def test_rows_of_torch(needs: Any, bits: int, width: int) -> None:
    """The bits of torch.ops.quantized, for bags with and without weights, and for rows."""
    torch = needs("torch")
    torch.manual_seed(width)
    ops = torch.ops.quantized
    packed = getattr(ops, f"embedding_bag_{NAMES[bits]}_prepack")(torch.randn(50, width))
    table = quantized(packed, dtype=BYTES[bits])
    assert table.shape == (50, width)
    bag = getattr(ops, f"embedding_bag_{NAMES[bits]}_rowwise_offsets")
    for integer in (torch.int32,) if width == 20 else (torch.int64,):
        ids = torch.randint(0, 50, (300,)).to(integer)
        # Empty bags, and one of one row.
        offsets = torch.tensor([0, 0, 1, 40, 40, 250, 300]).to(integer)
        weights = torch.randn(300)
        found = table.bag(ids, offsets)
        assert isinstance(found, torch.Tensor)
        assert torch.equal(found, bag(packed, ids, offsets))
        assert torch.equal(
            table.bag(ids, offsets, per_sample_weights=weights),
            bag(packed, ids, offsets, per_sample_weights=weights),
        )
        ends = torch.cat([offsets, torch.tensor([300]).to(integer)])
        assert torch.equal(table.bag(ids, ends, include_last_offset=True), found)
        sizes = np.maximum(np.diff(ends.numpy()), 1)[:, None].astype(np.float32)
        mean = table.bag(ids, offsets, mode="mean").numpy()
        np.testing.assert_array_equal(mean, found.numpy() / sizes)
        # A row is a bag of one.
        each = torch.arange(300).to(integer)
        assert torch.equal(table.take(ids), bag(packed, ids, each))
    if bits == 8:
        rows = ops.embedding_bag_byte_unpack(packed)
        assert torch.equal(table.take(ids.reshape(3, 100)), rows[ids.long()].reshape(3, 100, width))


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
@pytest.mark.parametrize("bits", [8, 4])
def test_quantized_tensors_of_torch(needs: Any, bits: int) -> None:
    """The bits of torch's embeddings and bags of what embedding_bag_prepack makes of them."""
    torch = needs("torch")
    torch.manual_seed(bits)
    rows, dtype = torch.randn(50, 24), torch.quint8 if bits == 8 else torch.quint4x2
    scales, zeros = torch.rand(50) / 40 + 0.01, torch.rand(50) * 2**bits
    tensor = torch.quantize_per_channel(rows, scales, zeros, 0, dtype)
    packed = torch.ops.quantized.embedding_bag_prepack(tensor)
    ids, offsets = torch.randint(0, 50, (90,)), torch.arange(0, 90, 9)
    table = quantized(torch.ops.quantized.embedding_bag_unpack(packed))
    take = getattr(torch.ops.quantized, f"embedding_{NAMES[bits]}")
    assert torch.equal(table.take(ids), take(packed, ids))
    bag = getattr(torch.ops.quantized, f"embedding_bag_{NAMES[bits]}")
    assert torch.equal(table.bag(ids, offsets), bag(packed, ids, offsets))
    for wrong in (
        lambda: quantized(tensor, scales[:, None]),
        lambda: quantized(torch.quantize_per_tensor(rows, 0.1, 0, torch.quint8)),
        lambda: quantized(torch.quantize_per_channel(rows, scales[:24], zeros[:24], 1, dtype)),
    ):
        with pytest.raises(ValueError, match="a quantized tensor"):
            wrong()


@pytest.mark.parametrize(
    ("kind", "width", "high_first"),
    [("uint4", 32, False), ("int4", 64, True), ("float4_e2m1fn", 128, False), ("uint2", 64, True),
     ("int2", 128, False), ("uint2", 256, False)],
)  # fmt: skip
def test_bags_in_words(kind: str, width: int, high_first: bool) -> None:
    """Rows of whole vectors of words: each sum is where its number is, for all orders in a byte."""
    rng = np.random.default_rng(width)
    dtype = np.dtype(getattr(ml_dtypes, kind))
    bits = int("".join(filter(str.isdigit, kind))[0])
    data = rng.integers(0, 256, (9, width * bits // 8)).astype(np.uint8)
    scales = rng.normal(size=(9, 1)).astype(np.float32)
    table = quantized(data, scales, dtype=dtype, high_first=high_first)
    rows = table.take(np.arange(9))
    ids, starts = np.array([3, 8, 3, 0]), np.array([0, 1, 1])
    for _ in range(2):
        found = table.bag(ids, starts)
        np.testing.assert_array_equal(found[:2], [rows[3], np.zeros(width)])
        np.testing.assert_allclose(found[2], rows[ids[1:]].sum(axis=0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bits", [8, 4, 2])
def test_what_kernels_read_is_packed(needs: Any, bits: int) -> None:
    """The bytes of the table are counted: a kernel gets views of all of them, once."""
    torch = needs("torch")
    prepack = getattr(torch.ops.quantized, f"embedding_bag_{NAMES[bits]}_prepack")
    packed = prepack(torch.randn(50, 256)).numpy()
    table = quantized(packed, dtype=BYTES[bits])
    for arrays in (table._arrays, table._words):
        assert sum(each.nbytes for each in arrays) == packed.nbytes
        assert all(np.shares_memory(each, packed) for each in arrays)


def test_arguments_are_looked_at_in_each_call() -> None:
    """Also where a kernel for such arguments is known."""
    table = quantized(np.arange(32, dtype=np.int8).reshape(4, 8), np.ones((4, 1), np.float32))
    ids, starts = np.array([3, 0, 3]), np.array([0, 2])
    wanted = table.bag(ids, starts)
    np.testing.assert_array_equal(table.bag(ids, starts), wanted)
    ends = np.array([0, 2, 3])
    np.testing.assert_array_equal(table.bag(ids, ends, include_last_offset=True), wanted)
    np.testing.assert_array_equal(table.bag(ids[::-1], starts), table.bag(ids[::-1].copy(), starts))
    for row in (4, -1):
        with pytest.raises(IndexError, match=f"index {row} is out of bounds for axis 0 with size"):
            table.bag(np.array([0, row]), starts)
    for message, bad in {"start with 0": [1, 2], "ascend and be at most 3": [0, 2, 1]}.items():
        with pytest.raises(ValueError, match=message):
            table.bag(ids, np.array(bad))
    with pytest.raises(ValueError, match="at most 3"):
        table.bag(ids, np.array([0, 4]))
    with pytest.raises(ValueError, match="must have an entry"):
        table.bag(ids, np.array([], int), include_last_offset=True)
    assert table.bag(ids, np.array([], int)).shape == (0, 8)
    assert table.bag(ids.astype(np.int32), starts).tolist() == wanted.tolist()


@pytest.mark.parametrize(
    ("kind", "block", "element", "high_first"),
    [
        ("uint8", 32, np.float16, False),
        ("int8", 96, np.float32, False),
        ("uint4", 32, np.float32, False),
        ("uint4", 16, ml_dtypes.bfloat16, True),
        ("int4", 16, np.float16, False),
        ("uint2", 8, np.float32, True),
        ("int2", 96, np.float32, False),
    ],
)
def test_blocks(kind: str, block: int, element: Any, high_first: bool) -> None:
    """Scales and zero points for each block, as ONNX Runtime and torchao have them."""
    rng = np.random.default_rng(block)
    dtype = np.dtype(getattr(ml_dtypes, kind, kind))
    bits = int(kind[-1])
    data = rng.integers(0, 256, (9, 96 * bits // 8)).astype(np.uint8)
    numbers = _unpacked(data, bits, high_first).astype(np.int64)
    if kind[0] == "i":
        numbers -= (numbers >> (bits - 1)) << bits
    ids = rng.integers(0, 9, (4, 5))
    scales = rng.normal(size=(9, 96 // block)).astype(element)
    zeros = rng.integers(-3, 9, scales.shape)
    wide = np.repeat(scales.astype(np.float32), block, axis=1)
    for points in (None, zeros, zeros.astype(np.float32), 8):
        table = quantized(data, scales, zero_points=points, dtype=dtype, high_first=high_first)
        each = 0 if points is None else np.asarray(points)
        each = np.repeat(each, block, axis=1) if np.ndim(each) else each
        wanted = (numbers - each).astype(np.float32) * wide
        rounded = table.take(ids, dtype=element)
        np.testing.assert_array_equal(rounded, wanted[ids].astype(element))


@pytest.mark.parametrize("kind", ["float4_e2m1fn", "float8_e4m3fn", "float8_e5m2"])
def test_powers_of_two(kind: str) -> None:
    """MX: blocks of 32 floats of 4 or 8 bits, whose scale is a power of two."""
    rng = np.random.default_rng(3)
    dtype = np.dtype(getattr(ml_dtypes, kind))
    bits = 4 if "float4" in kind else 8
    data = rng.integers(0, 256, (11, 64 * bits // 8)).astype(np.uint8)
    codes = _unpacked(data, bits)
    scales = rng.integers(100, 150, (11, 2)).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu)
    rows = codes.view(dtype).astype(np.float32) * np.repeat(scales.astype(np.float32), 32, axis=1)
    table = quantized(data, scales, dtype=dtype)
    ids = np.array([10, 0, 3, 3])
    np.testing.assert_array_equal(table.take(ids), rows[ids])
    finite = np.isfinite(rows[ids]).all(axis=0)
    found = table.bag(ids[None])
    total = np.zeros_like(found[0])
    for row in rows[ids]:
        total = total + row
    np.testing.assert_allclose(found[0, finite], total[finite], rtol=1e-5)


def test_shared_scales_and_strides() -> None:
    data = np.arange(-60, 60, dtype=np.int8).reshape(10, 12)
    ids = [9, 0, 9]
    found = quantized(data, np.array([[0.5]], np.float32)).take(ids)
    np.testing.assert_array_equal(found, data[ids] * np.float32(0.5))
    found = quantized(data[:, ::2], np.array([[0.5]], np.float32), biases=np.array([[1]], "f4"))
    np.testing.assert_array_equal(found.take(ids), data[ids, ::2] * np.float32(0.5) + 1)
    assert found.take(np.zeros((0, 2), int)).shape == (0, 2, 6)
    assert found.bag(np.zeros((3, 0), int)).tolist() == np.zeros((3, 6)).tolist()
    empty = quantized(np.zeros((0, 8), np.int8), np.zeros((0, 1), np.float32))
    assert empty.bag(np.zeros((2, 0), int)).shape == (2, 8)
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        empty.take([0])


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"])
def test_read_only_floats_of_8_bits(name: str) -> None:
    small = np.full((4, 8), 2.0, np.float32).astype(getattr(ml_dtypes, name))
    data, scales = np.ones((4, 8), np.int8), small[:, :1].copy()
    small.flags.writeable = scales.flags.writeable = False
    if name == "float8_e8m0fnu":
        assert (quantized(data, scales).bag([[0, 1]]) == 4).all()
    else:
        assert (quantized(small, np.ones((4, 1), np.float32)).take([0, 1]) == 2).all()


def test_refused() -> None:
    data, scales = np.zeros((4, 8), np.uint8), np.ones((4, 2), np.float32)
    table = quantized(data, scales, dtype=ml_dtypes.uint4)
    for ids in ([4], [-1]):
        with pytest.raises(IndexError, match="out of bounds for axis 0 with size 4"):
            table.take(ids)
        with pytest.raises(IndexError, match="out of bounds for axis 0 with size 4"):
            table.bag([ids])
    for message, call in {
        "scales must have shape": lambda: quantized(data, np.ones((3, 2), np.float32)),
        "with blocks of equal size": lambda: quantized(data, np.ones((4, 3), np.float32)),
        "biases must have the shape": lambda: quantized(data, scales, biases=scales[:, :1]),
        "data must be bytes": lambda: quantized(np.zeros((4, 8), "i4"), scales, dtype="int8"),
        "no room for a scale": lambda: quantized(data[:, :7]),
        "no other ones": lambda: quantized(data, zero_points=1),
        "mode must be": lambda: table.bag([[0]], mode="max"),
        "must have the shape of input": lambda: table.bag([[0]], per_sample_weights=[1.0, 2.0]),
    }.items():
        with pytest.raises(ValueError, match=message):
            call()
    for message, call in {
        "numbers of int32": lambda: quantized(np.zeros((4, 8), "i4"), scales),
        "scales must be": lambda: quantized(data, scales.astype(np.float64)),
        "dtype must be": lambda: table.take([0], dtype=np.float64),
    }.items():
        with pytest.raises(TypeError, match=message):
            call()
