"""Pictures: a palette image decoded by a gather of rows, a photograph warped by a 2-D gather.

Writes three PNG files. The photograph is scikit-learn's china.jpg where scikit-learn and Pillow are
installed, else the decoded palette image, which is the same picture at half the size.
"""

import argparse
import importlib.util
import os
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PALETTE_COLOR, RGB_COLOR = 3, 2
FILL = 32
"""As in warp_fill.mlir."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "out", help="folder (%(default)s)")
    options = parser.parse_args()
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out {options.out}: {error.strerror}")

    palette, pixels = read_palette_png(HERE / "palace.png")
    decoded, same = run("palette.mlir", palette, pixels, expected=palette[pixels[..., 0]])
    write_png(options.out / "decoded.png", decoded)

    photo = load_photo(otherwise=decoded)
    swirl, turn = swirled(photo.shape[:2]), turned(photo.shape[:2])
    image, equal = run("warp_clip.mlir", photo, swirl, expected=read_clipped(photo, swirl))
    write_png(options.out / "swirled.png", image)
    same = same and equal

    inside = ((turn >= 0) & (turn < photo.shape[:2])).all(axis=-1, keepdims=True)
    filled = np.where(inside, read_clipped(photo, turn), np.uint8(FILL))
    image, equal = run("warp_fill.mlir", photo, turn, expected=filled)
    write_png(options.out / "turned.png", image)
    return 0 if same and equal else 1


def run(
    name: str, source: np.ndarray, indices: np.ndarray, expected: np.ndarray
) -> tuple[np.ndarray, bool]:
    """The result of the one function in the file `name`, and whether it is as expected."""
    kernel = compile((HERE / name).read_text("utf-8"))
    result = kernel(source, indices)
    start = perf_counter()
    kernel(source, indices, out=result)
    seconds = perf_counter() - start
    same = np.array_equal(result, expected)
    shapes = " -> ".join(" x ".join(map(str, a.shape)) for a in (source, indices, result))
    verdict = "equal to NumPy" if same else "DIFFERENT from NumPy"
    print(f"{name:15} {shapes}, {seconds * 1e3:.2f} ms, {verdict}")
    return result, same


def load_photo(otherwise: np.ndarray) -> np.ndarray:
    """[height, width, 3] u8."""
    package = importlib.util.find_spec("sklearn")
    if package is None or package.origin is None or importlib.util.find_spec("PIL") is None:
        print("left out: scikit-learn with Pillow; the photograph is the decoded palette image")
        return otherwise
    from PIL import Image

    with Image.open(Path(package.origin).parent / "datasets" / "images" / "china.jpg") as image:
        return np.array(image.convert("RGB"))


def read_clipped(photo: np.ndarray, indices: np.ndarray) -> np.ndarray:
    height, width = photo.shape[:2]
    rows, columns = indices[..., 0], indices[..., 1]
    return photo[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]


def swirled(size: tuple[int, ...]) -> np.ndarray:
    """Coordinates [height, width, 2]: turned about the center, the further in the more."""
    offsets = from_center(size)
    distance = np.linalg.norm(offsets, axis=-1) / min(size)
    return rotated(size, offsets, 2.5 * np.exp(-((distance / 0.3) ** 2)))


def turned(size: tuple[int, ...]) -> np.ndarray:
    """Coordinates [height, width, 2]: the picture turned by 15 degrees and smaller."""
    return rotated(size, 1.4 * from_center(size), np.full(size, np.radians(15)))


def from_center(size: tuple[int, ...]) -> np.ndarray:
    return np.moveaxis(np.indices(size), 0, -1) - np.array(size) / 2


def rotated(size: tuple[int, ...], offsets: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """The nearest coordinates to offsets from the center that are turned by an angle each."""
    y, x = offsets[..., 0], offsets[..., 1]
    sine, cosine = np.sin(angle), np.cos(angle)
    turned = np.stack([cosine * y - sine * x, sine * y + cosine * x], axis=-1)
    return np.rint(turned + np.array(size) / 2).astype(np.int32)


def read_palette_png(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Palette [colors, 3] and pixels [height, width, 1], both u8, of a PNG without row filters."""
    chunks: dict[bytes, bytes] = {}
    for kind, data in png_chunks(path.read_bytes()):
        chunks[kind] = chunks.get(kind, b"") + data
    width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    if (depth, color) != (8, PALETTE_COLOR) or rows[:, 0].any():
        raise ValueError(f"{path}: not a palette image of 8 bits without row filters")
    palette = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    return palette.copy(), np.ascontiguousarray(rows[:, 1:, None])


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = len(PNG_SIGNATURE)
    while position < len(data):
        size, kind = struct.unpack_from(">I4s", data, position)
        yield kind, data[position + 8 : position + 8 + size]
        position += 12 + size


def write_png(path: Path, image: np.ndarray) -> None:
    """[height, width, 3] u8 to a file."""
    height, width = image.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # a filter byte of 0 before each row
    rows[:, 1:] = image.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, RGB_COLOR, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b"")
    with path.open("wb") as file:
        file.write(PNG_SIGNATURE)
        for kind, data in parts:
            file.write(struct.pack(">I", len(data)) + kind + data)
            file.write(struct.pack(">I", zlib.crc32(kind + data)))
    print(f"    wrote {os.path.relpath(path)}")


if __name__ == "__main__":
    sys.exit(until_closed(main))
