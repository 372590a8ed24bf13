"""Programs of language and vision models: losses, caches, routing, detection, warps."""

from collections.abc import Callable
from typing import Any

import torch
from programs_inputs import Program, ids, leaf
from torch import nn
from torch.nn import functional as F


class BERT(nn.Module):
    """Words, places and segments to vectors; a loss at the masked places."""

    def __init__(self, rows: int, width: int, length: int) -> None:
        super().__init__()
        self.words = nn.Embedding(rows, width, padding_idx=0)
        self.places, self.kinds = nn.Embedding(length, width), nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, words: Any, kinds: Any, masked: Any, labels: Any) -> Any:
        x = self.words(words) + self.places.weight[: words.shape[1]] + self.kinds(kinds)
        x = self.norm(x)
        at = masked[..., None].expand(-1, -1, x.shape[-1])
        logits = x.gather(1, at) @ self.words.weight.T
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


def bert(quick: bool) -> Program:
    rows, width, batch, length, masked = (50, 16, 2, 7, 2) if quick else (8_000, 128, 16, 128, 8)
    labels = torch.where(torch.rand(batch, masked) < 0.2, -100, ids(rows, batch, masked))
    given = [ids(rows, batch, length), ids(2, batch, length), ids(length, batch, masked), labels]
    return BERT(rows, width, length), given


def label_smoothing(quick: bool) -> Program:
    """The loss of the labels, mixed with that of all classes."""
    batch, classes = (5, 7) if quick else (512, 8_000)

    def loss(logits: Any, labels: Any) -> Any:
        scores = torch.log_softmax(logits, -1)
        own = -scores.gather(1, labels[:, None])[:, 0]
        rest = -scores.mean(-1)
        counts = labels != 0
        return torch.where(counts, 0.9 * own + 0.1 * rest, 0.0).sum() / counts.sum()

    return loss, [leaf(batch, classes), ids(classes, batch)]


class LlamaLayer(nn.Module):
    """A token's step through a layer: rotation by place, a static cache, grouped heads."""

    def __init__(self, heads: int, groups: int, width: int, length: int) -> None:
        super().__init__()
        size = heads * width
        self.heads, self.groups, self.width = heads, groups, width
        self.norm = nn.RMSNorm(size)
        self.all_of = nn.Linear(size, (heads + 2 * groups) * width, bias=False)
        self.out = nn.Linear(size, size, bias=False)
        self.gate, self.up = (nn.Linear(size, 2 * size, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * size, size, bias=False)
        angles = torch.arange(length)[:, None] * 1e4 ** -(torch.arange(0, width, 2) / width)
        self.register_buffer("cos", torch.cat([angles.cos()] * 2, 1))
        self.register_buffer("sin", torch.cat([angles.sin()] * 2, 1))
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(1, groups, length, width))

    def turn(self, x: Any, place: Any) -> Any:
        half = self.width // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], -1)
        cos, sin = self.get_buffer("cos")[place], self.get_buffer("sin")[place]
        return x * cos + turned * sin

    def forward(self, x: Any, place: Any) -> Any:
        heads, groups, width = self.heads, self.groups, self.width
        parts = self.all_of(self.norm(x)).view(1, 1, -1, width).transpose(1, 2)
        q, k, v = parts.split([heads, groups, groups], 1)
        keys, values = self.get_buffer("keys"), self.get_buffer("values")
        keys.index_copy_(2, place, self.turn(k, place).detach())
        values.index_copy_(2, place, v.detach())
        k, v = (each.repeat_interleave(heads // groups, 1) for each in (keys, values))
        mask = torch.arange(keys.shape[2])[None] <= place[:, None]
        found = F.scaled_dot_product_attention(self.turn(q, place), k, v, attn_mask=mask)
        x = x + self.out(found.transpose(1, 2).reshape(1, 1, -1))
        return x + self.down(F.silu(self.gate(x)) * self.up(x))


def llama(quick: bool) -> Program:
    heads, groups, width, length = (4, 2, 4, 8) if quick else (8, 2, 64, 1024)
    layer = LlamaLayer(heads, groups, width, length).requires_grad_(False)
    return layer, [torch.randn(1, 1, heads * width), torch.tensor([length // 2])]


class Router(nn.Module):
    """The two best experts of each token, each with room for so many, and back."""

    def __init__(self, width: int, count: int, room: int) -> None:
        super().__init__()
        self.room, self.gate = room, nn.Linear(width, count)
        self.weights = nn.Parameter(torch.randn(count, width, width) / width**0.5)

    def forward(self, x: Any) -> Any:
        count, width = self.weights.shape[:2]
        weights, chosen = torch.softmax(self.gate(x), -1).topk(2)
        chosen = chosen.T.reshape(-1)
        rank = F.one_hot(chosen, count).cumsum(0).gather(1, chosen[:, None])[:, 0] - 1
        fits = rank < self.room
        at = torch.where(fits, chosen * self.room + rank, count * self.room)
        given = x.new_zeros(count * self.room + 1, width).index_copy(0, at, x.repeat(2, 1))
        found = torch.relu(torch.bmm(given[:-1].view(count, self.room, width), self.weights))
        found = F.pad(found.view(-1, width), (0, 0, 0, 1))[at]
        return (found * (weights.T.reshape(-1) * fits)[:, None]).view(2, *x.shape).sum(0)


def router(quick: bool) -> Program:
    tokens, width, count = (6, 8, 4) if quick else (1024, 128, 8)
    return Router(width, count, tokens // 2), [leaf(tokens, width)]


def big_bird(quick: bool) -> Program:
    """Attention of blocks over chosen blocks."""
    heads, blocks, size, width, chosen = (2, 4, 3, 4, 2) if quick else (4, 16, 64, 64, 4)

    def attend(q: Any, k: Any, v: Any, places: Any) -> Any:
        k, v = (x[:, places].flatten(2, 3) for x in (k, v))
        scores = q @ k.transpose(-1, -2) / width**0.5
        return torch.softmax(scores, -1) @ v

    given = [leaf(heads, blocks, size, width) for _ in range(3)]
    return attend, [*given, ids(blocks, blocks, chosen)]


def pages(quick: bool) -> Program:
    """Keys and values in pages of several sequences, written at slots and attended to."""
    batch, heads, width, size, count = (2, 2, 4, 3, 2) if quick else (8, 8, 64, 16, 32)

    def step(q: Any, k: Any, v: Any, keys: Any, values: Any, table: Any, slots: Any) -> Any:
        keys.view(-1, heads, width).index_copy_(0, slots, k)
        values.view(-1, heads, width).index_copy_(0, slots, v)
        k, v = (x[table].flatten(1, 2) for x in (keys, values))
        scores = torch.einsum("bhd,bnhd->bhn", q, k) / width**0.5
        return torch.einsum("bhn,bnhd->bhd", torch.softmax(scores, -1), v)

    token = [torch.randn(batch, heads, width) for _ in range(3)]
    caches = [torch.randn(batch * count, size, heads, width) for _ in range(2)]
    table = torch.randperm(batch * count).view(batch, count)
    return step, [*token, *caches, table, table[:, -1] * size + 1]


class Biases(nn.Module):
    """Attention with a bias for each bucket of distances."""

    def __init__(self, buckets: int, heads: int) -> None:
        super().__init__()
        self.table = nn.Embedding(buckets, heads)

    def forward(self, scores: Any) -> Any:
        places, most = torch.arange(scores.shape[-1]), self.table.num_embeddings
        apart = places[:, None] - places[None]
        far = torch.log2(apart.abs().clamp(min=1).float()).long() + most // 4
        bucket = torch.where(apart.abs() < most // 4, apart.abs(), far.clamp(max=most // 2 - 1))
        bucket = bucket + (apart > 0) * (most // 2)
        return torch.softmax(scores + self.table(bucket).permute(2, 0, 1), -1)


def biases(quick: bool) -> Program:
    heads, length = (2, 9) if quick else (8, 256)
    return Biases(32, heads), [leaf(2, heads, length, length)]


def beams(quick: bool) -> Program:
    """The best continuations of all beams, and their caches in the new order."""
    batch, width, words, length = (2, 2, 7, 4) if quick else (4, 4, 8_000, 128)

    def step(scores: Any, logits: Any, cache: Any) -> Any:
        total = (scores[..., None] + torch.log_softmax(logits, -1)).flatten(1)
        best, at = total.topk(width)
        rows = (at // words + torch.arange(batch)[:, None] * width).flatten()
        return best.sum() + cache.index_select(0, rows).mean((1, 2))

    given = [torch.randn(batch, width), torch.randn(batch, width, words)]
    return step, [*given, torch.randn(batch * width, length, 64)]


def nucleus(quick: bool) -> Program:
    """Logits without the words that are left when the likely ones add up to a share."""
    batch, words = (2, 9) if quick else (8, 8_000)

    def keep(logits: Any) -> Any:
        ordered, at = logits.sort(descending=True)
        total = torch.softmax(ordered, -1).cumsum(-1)
        out = total - torch.softmax(ordered, -1) > 0.9
        masked = torch.zeros_like(out).scatter(1, at, out)
        return torch.softmax(logits.masked_fill(masked, float("-inf")), -1)

    return keep, [torch.randn(batch, words) * 3]


def crf(quick: bool) -> Program:
    """The score of tag sequences: emissions, and transitions between tags."""
    batch, length, tags = (3, 5, 4) if quick else (256, 128, 32)

    def score(emissions: Any, transitions: Any, given: Any) -> Any:
        own = emissions.gather(2, given[..., None])[..., 0].sum(1)
        return own + transitions[given[:, :-1], given[:, 1:]].sum(1)

    return score, [leaf(batch, length, tags), leaf(tags, tags), ids(tags, batch, length)]


def detection(quick: bool) -> Program:
    """The best boxes of each class, and scores reduced where they overlap better ones."""
    boxes, classes, kept = (20, 3, 4) if quick else (8_000, 16, 100)

    def select(deltas: Any, anchors: Any, logits: Any) -> Any:
        scores, at = torch.sigmoid(logits).T.topk(kept)
        delta, anchor = deltas[at], anchors[at]
        middle = anchor[..., :2] + delta[..., :2] * anchor[..., 2:]
        size = anchor[..., 2:] * torch.exp(delta[..., 2:].clamp(max=4))
        low, high = middle - size / 2, middle + size / 2
        both = torch.minimum(high[:, :, None], high[:, None]) - torch.maximum(
            low[:, :, None], low[:, None]
        )
        shared = both.clamp(min=0).prod(-1)
        area = size.prod(-1)
        overlap = shared / (area[:, :, None] + area[:, None] - shared)
        worst = torch.triu(overlap.transpose(1, 2), 1).amax(1)
        return scores * (1 - worst)

    given = [torch.randn(boxes, 4) * 0.1, torch.rand(boxes, 4) + 0.1]
    return select, [*given, torch.randn(boxes, classes)]


def roi_align(quick: bool) -> Program:
    """Boxes of a feature map at seven by seven points each, between its cells."""
    channels, size, boxes = (2, 8, 3) if quick else (64, 64, 64)

    def align(features: Any, low: Any, apart: Any) -> Any:
        steps = (torch.arange(7) + 0.5) / 7
        y, x = ((low[:, n, None] + apart[:, n, None] * steps) for n in range(2))
        y, x = y[:, :, None].expand(-1, 7, 7), x[:, None].expand(-1, 7, 7)
        top, left = y.floor(), x.floor()
        down, right = y - top, x - left
        i, j = (each.long().clamp(0, size - 2) for each in (top, left))
        upper = features[:, i, j] * (1 - right) + features[:, i, j + 1] * right
        lower = features[:, i + 1, j] * (1 - right) + features[:, i + 1, j + 1] * right
        return upper * (1 - down) + lower * down

    low, apart = torch.rand(boxes, 2) * size / 2, torch.rand(boxes, 2) * size / 3
    return align, [leaf(channels, size, size), low, apart]


def flow(quick: bool) -> Program:
    """An image at the places that a flow leads to, with its border repeated."""
    batch, size = (1, 8) if quick else (2, 128)

    def move(image: Any, shift: Any) -> Any:
        steps = torch.arange(size, dtype=torch.float32)
        places = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), -1) + shift
        grid = places * 2 / (size - 1) - 1
        return F.grid_sample(image, grid, padding_mode="border", align_corners=True)

    return move, [leaf(batch, 8, size, size), torch.randn(batch, size, size, 2) * 3]


def enlarge(quick: bool) -> Program:
    """Bilinear, as in decoders of images."""
    size = 4 if quick else 64

    def double(image: Any, skip: Any) -> Any:
        return F.interpolate(image, scale_factor=2, mode="bilinear") + skip

    return double, [leaf(2, 16, size, size), leaf(2, 16, 2 * size, 2 * size)]


def equalize(quick: bool) -> Program:
    """Histograms of tiles, summed up, and each pixel looked up in its tile's."""
    tiles, size = (2, 4) if quick else (8, 64)

    def spread(image: Any) -> Any:
        parts = image.unfold(0, size, size).unfold(1, size, size).reshape(tiles**2, -1)
        level = (parts * 255).long().clamp(0, 255)
        counts = torch.zeros(tiles**2, 256).scatter_add(1, level, torch.ones_like(parts))
        table = counts.clamp(max=40).cumsum(1) / size**2
        return table.gather(1, level)

    return spread, [torch.rand(tiles * size, tiles * size)]


def unpool(quick: bool) -> Program:
    """The greatest of each window, and back to where it was."""
    size = 8 if quick else 64

    def around(image: Any) -> Any:
        small, places = F.max_pool2d(image, 2, return_indices=True)
        return F.max_unpool2d(torch.tanh(small), places, [2, 2])

    return around, [leaf(2, 32, size, size)]


def deform(quick: bool) -> Program:
    """Samples at moved places, weighted and added up, as in deformable attention."""
    batch, heads, size, queries, points = (1, 2, 4, 3, 2) if quick else (2, 8, 32, 512, 8)

    def attend(values: Any, places: Any, weights: Any) -> Any:
        found = F.grid_sample(values, places, align_corners=False)
        return (found * torch.softmax(weights, -1)[:, None]).sum(-1)

    count = batch * heads
    places = (torch.rand(count, queries, points, 2) * 2 - 1).requires_grad_()
    return attend, [leaf(count, 16, size, size), places, leaf(count, queries, points)]


def retrieve(quick: bool) -> Program:
    """The nearest rows of a store, gathered and mixed by their scores."""
    rows, width, queries = (20, 4, 3) if quick else (50_000, 64, 16)

    def look(query: Any, keys: Any, values: Any) -> Any:
        scores, at = (query @ keys.T).topk(16)
        return (values[at] * torch.softmax(scores, -1)[..., None]).sum(1)

    return look, [torch.randn(queries, width), torch.randn(rows, width), torch.randn(rows, width)]


def replay(quick: bool) -> Program:
    """A batch written to a ring of past ones, and another one drawn from it."""
    rows, width, batch = (20, 4, 3) if quick else (100_000, 64, 256)

    def step(store: Any, new: Any, places: Any, drawn: Any) -> Any:
        store[places] = new
        return store[drawn].mean(1)

    given = [torch.randn(batch, width), torch.randperm(rows)[:batch], ids(rows, 16 * batch)]
    return step, [torch.randn(rows, width), *given]


MODELS: tuple[Callable[[bool], Program], ...] = (
    bert, label_smoothing, llama, router, big_bird, pages, biases, beams, nucleus, crf, detection,
    roi_align, flow, enlarge, equalize, unpool, deform, retrieve, replay,
)  # fmt: skip
