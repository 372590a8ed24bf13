"""Programs that users of torch run, in plain torch: (module or function, its arguments).

Sizes are those of use; `quick` makes them tiny. All but decoding with a cache are differentiated.
"""

from collections.abc import Callable
from typing import Any

import torch
from programs_graphs import GRAPHS
from programs_inputs import Program, edges, ids, leaf, zipf
from programs_models import MODELS
from torch import nn
from torch.nn import functional as F
from torch_programs import bilinear


class Embedding(nn.Module):
    """Tokens to vectors, positions added, a mean over the tokens that count, a classifier."""

    def __init__(self, rows: int, width: int, length: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(rows, width, padding_idx=0)
        self.positions = nn.Embedding(length, width)
        self.classes = nn.Linear(width, 16)

    def forward(self, tokens: Any) -> Any:
        features = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
        counts = (tokens != 0).to(features.dtype)
        mean = (features * counts[..., None]).sum(1) / counts.sum(1, keepdim=True)
        return torch.log_softmax(self.classes(mean), -1)


def embedding(quick: bool) -> Program:
    rows, width, batch, length = (50, 16, 3, 7) if quick else (50_000, 256, 64, 128)
    return Embedding(rows, width, length), [torch.randint(1, rows, (batch, length))]


class DLRM(nn.Module):
    """Bags of categories and dense features, crossed by products, as in recommenders."""

    def __init__(self, tables: int, rows: int, width: int) -> None:
        super().__init__()
        bags = (nn.EmbeddingBag(rows, width, mode="sum") for _ in range(tables))
        self.bags = nn.ModuleList(bags)
        self.bottom = nn.Sequential(
            nn.Linear(13, 2 * width), nn.ReLU(), nn.Linear(2 * width, width)
        )
        self.top = nn.Sequential(nn.Linear((tables + 1) ** 2 + width, width), nn.ReLU())

    def forward(self, dense: Any, indices: Any, offsets: Any) -> Any:
        x = self.bottom(dense)
        given = zip(self.bags, indices, offsets, strict=True)
        all_of = torch.stack([x, *(bag(i, o) for bag, i, o in given)], 1)
        crossed = torch.bmm(all_of, all_of.transpose(1, 2)).flatten(1)
        return self.top(torch.cat([x, crossed], 1))


def dlrm(quick: bool) -> Program:
    tables, rows, width, batch, per_bag = (2, 30, 8, 4, 3) if quick else (4, 200_000, 64, 2048, 20)
    indices = zipf(rows, tables, batch * per_bag)
    offsets = torch.arange(batch).mul(per_bag).expand(tables, batch).contiguous()
    return DLRM(tables, rows, width), [torch.randn(batch, 13), indices, offsets]


class GCN(nn.Module):
    """A graph convolution: gather at the senders, weigh by degree, add at the receivers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.message, self.update = nn.Linear(width, width), nn.Linear(2 * width, width)

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        ones = torch.ones(receivers.shape[0])
        degrees = torch.zeros(nodes.shape[0]).scatter_add(0, receivers, ones).clamp(min=1)
        scale = degrees.rsqrt()
        messages = self.message(nodes)[senders] * (scale[senders] * scale[receivers])[:, None]
        sums = torch.zeros_like(nodes).index_add(0, receivers, messages)
        return torch.relu(self.update(torch.cat([nodes, sums], -1)))


def gcn(quick: bool) -> Program:
    nodes, count, width = (6, 20, 8) if quick else (20_000, 200_000, 64)
    return GCN(width), [leaf(nodes, width), *edges(nodes, count)]


class SAGE(nn.Module):
    """Means over the neighbours, and greatest values."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.own, self.other = nn.Linear(width, width), nn.Linear(2 * width, width, bias=False)

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        place = receivers[:, None].expand(-1, nodes.shape[1])
        count = torch.zeros(nodes.shape[0]).index_add(0, receivers, torch.ones(len(receivers)))
        sums = torch.zeros_like(nodes).scatter_add(0, place, nodes[senders])
        most = torch.zeros_like(nodes).scatter_reduce(0, place, nodes[senders], "amax")
        other = torch.cat([sums / count.clamp(min=1)[:, None], most], 1)
        return F.normalize(torch.relu(self.own(nodes) + self.other(other)))


def sage(quick: bool) -> Program:
    nodes, count, width = (6, 20, 8) if quick else (20_000, 200_000, 32)
    return SAGE(width), [leaf(nodes, width), *edges(nodes, count)]


class GAT(nn.Module):
    """Attention over the edges at each node: a softmax over segments."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.features = heads, nn.Linear(width, width)
        self.left, self.right = (nn.Parameter(torch.randn(heads, width // heads)) for _ in "ab")

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        x = self.features(nodes).view(nodes.shape[0], self.heads, -1)
        scores = (x * self.left).sum(-1)[senders] + (x * self.right).sum(-1)[receivers]
        scores = F.leaky_relu(scores, 0.2)
        place = receivers[:, None].expand_as(scores)
        start = scores.new_zeros(nodes.shape[0], self.heads)
        most = start.scatter_reduce(0, place, scores, "amax", include_self=False).detach()
        parts = torch.exp(scores - most[receivers])
        weights = parts / start.scatter_add(0, place, parts)[receivers]
        return torch.zeros_like(x).index_add(0, receivers, x[senders] * weights[..., None])


def gat(quick: bool) -> Program:
    nodes, count, width = (6, 20, 8) if quick else (20_000, 200_000, 64)
    return GAT(width, 4), [leaf(nodes, width), *edges(nodes, count)]


class SchNet(nn.Module):
    """A continuous filter: distances to weights, features of the neighbours times these, added."""

    def __init__(self, width: int, centres: int = 16) -> None:
        super().__init__()
        self.kinds = nn.Embedding(20, width)
        self.filter = nn.Sequential(
            nn.Linear(centres, width), nn.Softplus(), nn.Linear(width, width)
        )
        self.register_buffer("centres", torch.linspace(0, 5, centres))

    def forward(self, places: Any, kinds: Any, senders: Any, receivers: Any) -> Any:
        x = self.kinds(kinds)
        apart = (places[senders] - places[receivers]).square().sum(-1).add(1e-6).sqrt()
        weights = self.filter(torch.exp(-((apart[:, None] - self.centres) ** 2)))
        return torch.zeros_like(x).index_add(0, receivers, x[senders] * weights).sum(0)


def schnet(quick: bool) -> Program:
    atoms, count, width = (6, 20, 8) if quick else (4_000, 80_000, 64)
    return SchNet(width), [leaf(atoms, 3), ids(20, atoms), *edges(atoms, count)]


class Experts(nn.Module):
    """A mixture of experts: tokens sorted by expert, products, added back."""

    def __init__(self, width: int, count: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, count)
        self.weights = nn.Parameter(torch.randn(count, width, width) / width**0.5)

    def forward(self, values: Any) -> Any:
        count, width = self.weights.shape[:2]
        weights, chosen = torch.topk(torch.softmax(self.gate(values), -1), 2, -1)
        rows = torch.arange(values.shape[0])[:, None].expand(-1, 2).reshape(-1)
        order = torch.argsort(chosen.reshape(-1), stable=True)
        # All experts have room for as many tokens.
        given = values[rows[order]].reshape(count, -1, width)
        found = torch.relu(torch.bmm(given, self.weights)).reshape(-1, width)
        scaled = found * weights.reshape(-1)[order][:, None]
        return torch.zeros_like(values).index_add(0, rows[order], scaled)


def experts(quick: bool) -> Program:
    tokens, width, count = (6, 8, 4) if quick else (4096, 256, 8)
    return Experts(width, count), [leaf(tokens, width)]


def decode(quick: bool) -> Program:
    """A token's keys and values into a static cache, and attention over it."""
    heads, length, width = (2, 8, 4) if quick else (8, 2048, 64)

    def step(q: Any, k: Any, v: Any, keys: Any, values: Any, place: Any) -> Any:
        keys.index_copy_(2, place, k)
        values.index_copy_(2, place, v)
        mask = torch.arange(keys.shape[2])[None] <= place
        return F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)

    token = [torch.randn(1, heads, 1, width) for _ in range(3)]
    caches = [torch.randn(1, heads, length, width) for _ in range(2)]
    return step, [*token, *caches, torch.tensor([length // 2])]


def cache_update(quick: bool) -> Program:
    """Rows of a batch into a cache of 4096 places, at a place of its own each."""
    batch, length, width = (2, 8, 4) if quick else (4, 4096, 256)

    def update(cache: Any, rows: Any, places: Any) -> Any:
        cache[torch.arange(cache.shape[0]), places] = rows
        return rows.sum()

    rows = torch.randn(batch, width)
    return update, [torch.randn(batch, length, width), rows, ids(length, batch)]


class BEiT(nn.Module):
    """Attention with a bias for each relative position, looked up in a table."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn((2 * size - 1) ** 2, heads))
        places = torch.cartesian_prod(torch.arange(size), torch.arange(size))
        apart = places[:, None] - places[None] + size - 1
        self.register_buffer("index", apart[..., 0] * (2 * size - 1) + apart[..., 1])

    def forward(self, q: Any, k: Any, v: Any) -> Any:
        count = q.shape[-2]
        bias = self.table[self.get_buffer("index").view(-1)].view(count, count, -1).permute(2, 0, 1)
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + bias
        return torch.softmax(scores, -1) @ v


def beit(quick: bool) -> Program:
    size, heads, width = (3, 2, 4) if quick else (14, 12, 64)
    return BEiT(size, heads), [leaf(2, heads, size * size, width) for _ in range(3)]


def warp(quick: bool) -> Program:
    size = 8 if quick else 1024
    places = [torch.rand(size, size) * (size - 1) for _ in range(2)]
    return bilinear, [leaf(size, size), *places]


def transformer(quick: bool) -> Program:
    """A spatial transformer: a grid of an affine map, and the image at its points."""
    batch, size = (1, 8) if quick else (8, 128)

    def sample(image: Any, theta: Any) -> Any:
        grid = F.affine_grid(theta, list(image.shape), align_corners=False)
        return F.grid_sample(image, grid, align_corners=False)

    theta = torch.eye(2, 3).expand(batch, 2, 3) + 0.1 * torch.randn(batch, 2, 3)
    return sample, [leaf(batch, 3, size, size), theta.requires_grad_()]


def upsample(quick: bool) -> Program:
    size = 4 if quick else 256

    def double(image: Any) -> Any:
        return F.interpolate(image, scale_factor=2, mode="nearest").relu()

    return double, [leaf(2, 8, size, size)]


def knn_interpolate(quick: bool) -> Program:
    """Features of the three nearest points, by the inverse of their distances."""
    points, found, width = (8, 5, 4) if quick else (10_000, 40_000, 64)

    def mix(x: Any, nearest: Any, apart: Any) -> Any:
        weights = 1 / apart.clamp(min=1e-8)
        weights = weights / weights.sum(1, keepdim=True)
        return (x[nearest] * weights[..., None]).sum(1)

    return mix, [leaf(points, width), ids(points, found, 3), torch.rand(found, 3)]


def table_lookup(quick: bool) -> Program:
    """Rows of a table far larger than the caches."""
    size, count, width = (50, 20, 4) if quick else (1_000_000, 100_000, 32)

    def look(table: Any, rows: Any, scale: Any) -> Any:
        return table[rows] * scale

    return look, [torch.randn(size, width), ids(size, count), torch.rand(width)]


def histogram(quick: bool) -> Program:
    """Weights added up by bin."""
    count, bins = (20, 5) if quick else (2_000_000, 1000)

    def add(weights: Any, values: Any) -> Any:
        place = (values * bins).long().clamp(0, bins - 1)
        return weights.new_zeros(bins).index_add(0, place, weights * 2)

    return add, [torch.rand(count), torch.rand(count)]


PROGRAMS: dict[str, Callable[[bool], Program]] = {
    one.__name__: one
    for one in (
        embedding, dlrm, gcn, sage, gat, schnet, experts, decode, cache_update, beit, warp,
        transformer, upsample, knn_interpolate, table_lookup, histogram, *GRAPHS, *MODELS,
    )
}  # fmt: skip
