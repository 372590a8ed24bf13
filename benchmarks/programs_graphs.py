"""Programs on graphs, points and grids: networks, forces, recommenders, tables and search."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import torch
from programs_inputs import Program, edges, ids, leaf, zipf
from torch import nn
from torch.nn import functional as F


def _mlp(*widths: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for one, other in pairwise(widths):
        layers += [nn.Linear(one, other), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def _rows(places: Any, like: Any) -> Any:
    """A coordinate of `scatter` for each element of its rows."""
    return places.view(-1, *[1] * (like.ndim - 1)).expand_as(like)


def _softmax(scores: Any, receivers: Any, nodes: int) -> Any:
    """Over the edges of each receiver."""
    start = scores.new_zeros(nodes, *scores.shape[1:])
    place = _rows(receivers, scores)
    most = start.scatter_reduce(0, place, scores, "amax", include_self=False)
    parts = torch.exp(scores - most.detach()[receivers])
    return parts / (start.scatter_add(0, place, parts) + 1e-16)[receivers]


class GIN(nn.Module):
    """Messages with features of the edges, sums, a network; a mean over each graph."""

    def __init__(self, width: int, graphs: int) -> None:
        super().__init__()
        self.graphs, self.bonds = graphs, nn.Embedding(5, width)
        self.update = _mlp(width, 2 * width, width)

    def forward(self, nodes: Any, kinds: Any, senders: Any, receivers: Any, graph: Any) -> Any:
        messages = torch.relu(nodes[senders] + self.bonds(kinds))
        x = self.update(nodes + torch.zeros_like(nodes).index_add(0, receivers, messages))
        sums = x.new_zeros(self.graphs, x.shape[1]).index_add(0, graph, x)
        count = torch.bincount(graph, minlength=self.graphs)
        return sums / count.clamp(min=1)[:, None]


def gin(quick: bool) -> Program:
    nodes, count, width, graphs = (6, 20, 8, 2) if quick else (10_000, 40_000, 64, 400)
    graph = ids(graphs, nodes).sort()[0]
    return GIN(width, graphs), [leaf(nodes, width), ids(5, count), *edges(nodes, count), graph]


class PNA(nn.Module):
    """Mean, greatest, least and deviation over the neighbours."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.update = nn.Linear(4 * width, width)

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        sent, start = nodes[senders], torch.zeros_like(nodes)
        place = _rows(receivers, sent)
        mean, square, most, least = (
            start.scatter_reduce(0, place, x, how, include_self=False)
            for x, how in ((sent, "mean"), (sent * sent, "mean"), (sent, "amax"), (sent, "amin"))
        )
        spread = (square - mean * mean).clamp(min=1e-5).sqrt()
        return self.update(torch.cat([mean, spread, most, least], 1))


def pna(quick: bool) -> Program:
    nodes, count, width = (6, 20, 8) if quick else (5_000, 40_000, 32)
    return PNA(width), [leaf(nodes, width), *edges(nodes, count)]


class TransformerConv(nn.Module):
    """Attention of queries at receivers over keys and values of senders."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.all_of = heads, nn.Linear(width, 3 * width)

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        q, k, v = self.all_of(nodes).view(len(nodes), self.heads, -1).chunk(3, -1)
        scores = (q[receivers] * k[senders]).sum(-1) / q.shape[-1] ** 0.5
        weights = _softmax(scores, receivers, len(nodes))
        return torch.zeros_like(v).index_add(0, receivers, v[senders] * weights[..., None])


def transformer_conv(quick: bool) -> Program:
    nodes, count, width = (6, 20, 8) if quick else (5_000, 50_000, 64)
    return TransformerConv(width, 4), [leaf(nodes, width), *edges(nodes, count)]


class EGNN(nn.Module):
    """Coordinates moved along the differences to the neighbours."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.edge, self.weight = _mlp(2 * width + 1, width, width), _mlp(width, width, 1)

    def forward(self, features: Any, places: Any, senders: Any, receivers: Any) -> Any:
        apart = places[receivers] - places[senders]
        square = (apart * apart).sum(-1, keepdim=True)
        messages = self.edge(torch.cat([features[receivers], features[senders], square], 1))
        moves = apart * torch.tanh(self.weight(messages))
        count = square.new_zeros(len(places)).index_add(0, receivers, torch.ones(len(receivers)))
        total = torch.zeros_like(places).index_add(0, receivers, moves)
        sums = torch.zeros_like(features).index_add(0, receivers, messages)
        return torch.cat([places + total / count.clamp(min=1)[:, None], features + sums], 1)


def egnn(quick: bool) -> Program:
    nodes, count, width = (6, 20, 8) if quick else (2_000, 30_000, 32)
    return EGNN(width), [leaf(nodes, width), leaf(nodes, 3), *edges(nodes, count)]


def forces(quick: bool) -> Program:
    """The energy of each atom of a neighbour list, and by its gradient the forces."""
    atoms, most = (6, 3) if quick else (8_000, 32)

    def energy(places: Any, neighbours: Any, box: Any) -> Any:
        apart = places[neighbours] - places[:, None]
        apart = apart - box * torch.round(apart / box)
        square = (apart * apart).sum(-1) + 0.5
        sixth = square**-3
        near = (square < 6.25) & (neighbours != torch.arange(len(places))[:, None])
        return torch.where(near, sixth * sixth - sixth, 0.0).sum(1)

    places = (torch.rand(atoms, 3) * 10).requires_grad_()
    return energy, [places, ids(atoms, atoms, most), torch.full((3,), 10.0)]


class TensorProduct(nn.Module):
    """An equivariant product: components of senders times those of edges, by a list of paths."""

    def __init__(self, paths: int) -> None:
        super().__init__()
        for name in ("left", "right", "out"):
            self.register_buffer(name, ids(9, paths))
        self.coefficients = nn.Parameter(torch.randn(paths))

    def forward(self, nodes: Any, edge: Any, weights: Any, senders: Any, receivers: Any) -> Any:
        left, right, out = (self.get_buffer(name) for name in ("left", "right", "out"))
        terms = nodes[senders][:, :, left] * (edge[:, right] * self.coefficients)[:, None]
        product = terms.new_zeros(*terms.shape[:2], 9).index_add(2, out, terms)
        sent = product * weights[..., None]
        return torch.zeros_like(nodes).index_add(0, receivers, sent)


def tensor_product(quick: bool) -> Program:
    nodes, count, width, paths = (6, 20, 2, 7) if quick else (1_000, 8_000, 8, 25)
    given = [leaf(nodes, width, 9), leaf(count, 9), leaf(count, width)]
    return TensorProduct(paths), [*given, *edges(nodes, count)]


class Links(nn.Module):
    """Do two nodes have an edge: the loss of true edges and of drawn ones."""

    def __init__(self, nodes: int, width: int) -> None:
        super().__init__()
        self.nodes = nn.Embedding(nodes, width)

    def forward(self, senders: Any, receivers: Any, drawn: Any) -> Any:
        x = self.nodes.weight
        true, wrong = ((x[senders] * x[other]).sum(-1) for other in (receivers, drawn))
        return F.softplus(-true) + F.softplus(wrong)


def links(quick: bool) -> Program:
    nodes, count, width = (20, 10, 8) if quick else (100_000, 20_000, 64)
    return Links(nodes, width), [ids(nodes, count) for _ in range(3)]


class DeepFM(nn.Module):
    """Fields in one table: products of all pairs, a network, a bias for each category."""

    def __init__(self, fields: int, rows: int, width: int) -> None:
        super().__init__()
        self.register_buffer("starts", torch.arange(fields) * rows)
        self.vectors = nn.Embedding(fields * rows, width)
        self.biases = nn.Embedding(fields * rows, 1)
        self.deep = _mlp(fields * width, 64, 1)

    def forward(self, categories: Any) -> Any:
        place = categories + self.get_buffer("starts")
        x = self.vectors(place)
        pairs = 0.5 * (x.sum(1).square() - x.square().sum(1)).sum(1, keepdim=True)
        return torch.sigmoid(self.biases(place).sum(1) + pairs + self.deep(x.flatten(1)))


def deepfm(quick: bool) -> Program:
    fields, rows, batch, width = (3, 10, 4, 4) if quick else (26, 20_000, 2048, 16)
    return DeepFM(fields, rows, width), [zipf(rows, batch, fields)]


class TwoTowers(nn.Module):
    """Bags of what users saw and of what items are, means, and a softmax within the batch."""

    def __init__(self, rows: int, width: int, mode: str) -> None:
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(rows, width, mode=mode) for _ in range(2))
        self.towers = nn.ModuleList(_mlp(width, width, width) for _ in range(2))

    def forward(self, users: Any, items: Any) -> Any:
        a, b = (
            F.normalize(tower(bag(given)), dim=-1)
            for tower, bag, given in zip(self.towers, self.bags, (users, items), strict=True)
        )
        return F.cross_entropy(a @ b.T * 10, torch.arange(len(users)), reduction="none")


def two_towers(quick: bool) -> Program:
    rows, width, batch, count = (30, 8, 4, 3) if quick else (100_000, 32, 512, 30)
    return TwoTowers(rows, width, "mean"), [zipf(rows, batch, count) for _ in range(2)]


def bag_maximum(quick: bool) -> Program:
    rows, width, batch, count = (30, 8, 4, 3) if quick else (20_000, 64, 512, 20)
    return TwoTowers(rows, width, "max"), [zipf(rows, batch, count) for _ in range(2)]


class WeightedBag(nn.Module):
    """A weighted sum of rows for each sample, of any number, and a layer."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.bag, self.top = nn.EmbeddingBag(rows, width, mode="sum"), nn.Linear(width, 1)

    def forward(self, indices: Any, offsets: Any, weights: Any) -> Any:
        return torch.sigmoid(self.top(self.bag(indices, offsets, weights)))


def weighted_bag(quick: bool) -> Program:
    rows, width, batch, count = (30, 8, 4, 12) if quick else (200_000, 32, 2048, 40_000)
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), ids(count, batch - 1).sort()[0]])
    return WeightedBag(rows, width), [zipf(rows, count), offsets, torch.rand(count)]


class SkipGram(nn.Module):
    """Word vectors: a word beside its neighbour and beside drawn ones."""

    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.words, self.contexts = nn.Embedding(rows, width), nn.Embedding(rows, width)

    def forward(self, words: Any, contexts: Any) -> Any:
        scores = torch.einsum("nw,ncw->nc", self.words(words), self.contexts(contexts))
        return -F.logsigmoid(scores[:, 0]) - F.logsigmoid(-scores[:, 1:]).sum(1)


def skip_gram(quick: bool) -> Program:
    rows, width, batch, drawn = (30, 8, 4, 3) if quick else (100_000, 64, 4096, 6)
    return SkipGram(rows, width), [zipf(rows, batch), zipf(rows, batch, drawn)]


class PointNet(nn.Module):
    """Points in balls about centres: differences and features, a network, the greatest value."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.network = _mlp(width + 3, width, width)

    def forward(self, places: Any, features: Any, centres: Any) -> Any:
        middle = places[centres]
        apart = torch.cdist(middle, places)
        near = apart.topk(16, largest=False)[1]
        near = torch.where(apart.gather(1, near) < 0.5, near, near[:, :1])
        moved = places[near] - middle[:, None]
        return self.network(torch.cat([moved, features[near]], -1)).amax(1)


def pointnet(quick: bool) -> Program:
    points, centres, width = (20, 4, 8) if quick else (4096, 512, 32)
    given = [torch.rand(points, 3), leaf(points, width), ids(points, centres)]
    return PointNet(width), given


class EdgeConv(nn.Module):
    """Of each point the greatest over its nearest ones of a network of both."""

    def __init__(self, width: int, nearest: int) -> None:
        super().__init__()
        self.nearest, self.network = nearest, _mlp(2 * width, width)

    def forward(self, x: Any) -> Any:
        near = torch.cdist(x, x).topk(self.nearest, largest=False)[1]
        other = x[near]
        own = x[:, None].expand_as(other)
        return torch.relu(self.network(torch.cat([own, other - own], -1))).amax(1)


def edge_conv(quick: bool) -> Program:
    points, width = (20, 8) if quick else (1024, 32)
    return EdgeConv(width, 8), [leaf(points, width)]


def voxels(quick: bool) -> Program:
    """The mean of the points of each voxel, and what each differs from it."""
    points, size, width = (20, 2, 4) if quick else (50_000, 32, 16)

    def spread(places: Any, features: Any) -> Any:
        cell = (places * size).long().clamp(0, size - 1)
        at = (cell[:, 0] * size + cell[:, 1]) * size + cell[:, 2]
        sums = features.new_zeros(size**3, features.shape[1]).index_add(0, at, features)
        count = features.new_zeros(size**3).index_add(0, at, torch.ones(len(at)))
        return features - (sums / count.clamp(min=1)[:, None])[at]

    return spread, [torch.rand(points, 3), leaf(points, width)]


class HashGrid(nn.Module):
    """Features of a field: at each level the eight corners of a cell, by a hash, in a table."""

    def __init__(self, levels: int, rows: int) -> None:
        super().__init__()
        self.rows, self.table = rows, nn.Parameter(torch.randn(levels, rows, 2))
        self.register_buffer("sizes", torch.tensor([16 * 2**n for n in range(levels)]))
        corners = torch.cartesian_prod(*[torch.arange(2)] * 3)
        self.register_buffer("corners", corners)

    def forward(self, places: Any) -> Any:
        corners = self.get_buffer("corners")
        scaled = places[:, None] * self.get_buffer("sizes")[:, None]
        cell = scaled.floor()
        at = cell.long()[:, :, None] + corners
        hashed = (at[..., 0] ^ (at[..., 1] * 2654435761) ^ (at[..., 2] * 805459861)) % self.rows
        inside = (scaled - cell)[:, :, None]
        weights = torch.where(corners == 1, inside, 1 - inside).prod(-1)
        level = torch.arange(len(self.table))[:, None]
        return (self.table[level, hashed] * weights[..., None]).sum(2).flatten(1)


def hash_grid(quick: bool) -> Program:
    levels, rows, points = (2, 16, 5) if quick else (8, 1 << 16, 4096)
    return HashGrid(levels, rows), [torch.rand(points, 3)]


def trees(quick: bool) -> Program:
    """An ensemble of oblivious trees: comparisons to a leaf's number, leaves added up."""
    batch, features, count, depth = (5, 4, 3, 2) if quick else (2048, 50, 200, 6)

    def predict(x: Any, chosen: Any, borders: Any, leaves: Any) -> Any:
        right = (x[:, chosen] > borders).long()
        at = (right * 2 ** torch.arange(depth)).sum(-1)
        return leaves[torch.arange(count), at].sum(1)

    given = [ids(features, count, depth), torch.randn(count, depth), torch.randn(count, 2**depth)]
    return predict, [torch.randn(batch, features), *given]


def sketch(quick: bool) -> Program:
    """Counts of hashed items in several rows, and the least estimate of each."""
    count, bins = (20, 5) if quick else (100_000, 4096)

    def add(items: Any, factors: Any) -> Any:
        at = (items[None] * factors[:, None] >> 7) % bins + torch.arange(4)[:, None] * bins
        counts = torch.bincount(at.flatten(), minlength=4 * bins)
        return counts[at].amin(0)

    return add, [ids(1 << 20, count), ids(1 << 20, 4) * 2 + 1]


class Codebook(nn.Module):
    """The nearest code of each vector, the codes' means moved along in place."""

    def __init__(self, codes: int, width: int) -> None:
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, width))
        self.register_buffer("counts", torch.zeros(codes))
        self.register_buffer("sums", torch.zeros(codes, width))

    def forward(self, x: Any) -> Any:
        at = torch.cdist(x, self.codes).argmin(1)
        with torch.no_grad():
            self.get_buffer("counts").mul_(0.0).index_add_(0, at, torch.ones(len(at)))
            self.get_buffer("sums").mul_(0.0).index_add_(0, at, x)
        return x + (self.codes[at] - x).square()


def codebook(quick: bool) -> Program:
    count, codes, width = (10, 4, 4) if quick else (4096, 512, 64)
    return Codebook(codes, width), [leaf(count, width)]


GRAPHS: tuple[Callable[[bool], Program], ...] = (
    gin, pna, transformer_conv, egnn, forces, tensor_product, links, deepfm, two_towers,
    bag_maximum, weighted_bag, skip_gram, pointnet, edge_conv, voxels, hash_grid, trees, sketch,
    codebook,
)  # fmt: skip
