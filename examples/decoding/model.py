"""A small language model that decodes, in Torch: attention over pages, and experts.

The weights are random: which words come does not mean anything, that the same ones come does.
"""

from typing import Any

import numpy as np
import torch

WORDS, WIDTH, HEADS, SHARED, HEAD = 300, 48, 6, 2, 16
EXPERTS, CHOSEN, HIDDEN = 5, 2, 40
PAGE, PAGES, MOST = 4, 20, 5
"""Keys in a page, pages, and pages of a sequence at most."""


class Step(torch.nn.Module):
    """The last word of each sequence to the scores of all words, and the cache with its key."""

    def __init__(self, seed: int = 7) -> None:
        super().__init__()
        rng = np.random.default_rng(seed)
        shapes = {
            "query": (WIDTH, HEADS * HEAD),
            "key": (WIDTH, SHARED * HEAD),
            "value": (WIDTH, SHARED * HEAD),
            "join": (HEADS * HEAD, WIDTH),
            "gate": (WIDTH, EXPERTS),
            "enter": (EXPERTS, WIDTH, HIDDEN),
            "leave": (EXPERTS, HIDDEN, WIDTH),
            "read": (WIDTH, WORDS),
        }
        for name, shape in shapes.items():
            drawn = (rng.standard_normal(shape) / np.sqrt(shape[-2])).astype(np.float32)
            self.register_buffer(name, torch.from_numpy(drawn))
        # A table of small numbers, with a scale for each row.
        self.register_buffer(
            "table", torch.from_numpy(rng.integers(-127, 128, (WORDS, WIDTH))).to(torch.int8)
        )
        self.register_buffer("scales", torch.from_numpy(rng.random(WORDS, np.float32) / 64))

    def forward(self, words: Any, keys: Any, values: Any, pages: Any, lengths: Any) -> Any:
        """`words` [n]; `keys` and `values` [PAGES, PAGE, SHARED, HEAD]; `pages` [n, MOST], those of
        each sequence; `lengths` [n], with the word that comes in."""
        count = words.shape[0]
        x = self.table[words].float() * self.scales[words][:, None]
        query = (x @ self.query).view(count, SHARED, HEADS // SHARED, HEAD)
        # The cache gets the key and the value of the word, at its place in its last page.
        last = lengths - 1
        page = pages.gather(1, (last // PAGE)[:, None])[:, 0]
        place = last % PAGE
        keys = keys.index_put((page, place), (x @ self.key).view(count, SHARED, HEAD))
        values = values.index_put((page, place), (x @ self.value).view(count, SHARED, HEAD))
        scores = torch.einsum("nshd,ntsd->nsht", query, keys[pages].flatten(1, 2)) / HEAD**0.5
        seen = torch.arange(MOST * PAGE)[None, :] < lengths[:, None]
        scores = scores.masked_fill(~seen[:, None, None, :], -torch.inf)
        found = torch.einsum(
            "nsht,ntsd->nshd", torch.softmax(scores, -1), values[pages].flatten(1, 2)
        )
        x = x + found.reshape(count, HEADS * HEAD) @ self.join
        weights, chosen = torch.topk(torch.softmax(x @ self.gate, -1), CHOSEN, -1)
        hidden = torch.relu(torch.einsum("nd,nkdh->nkh", x, self.enter[chosen]))
        found = torch.einsum("nkh,nkhd->nkd", hidden, self.leave[chosen])
        x = x + (found * weights[..., None]).sum(1)
        return x @ self.read, keys, values
