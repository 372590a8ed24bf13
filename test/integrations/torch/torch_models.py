"""Small models whose work is gathers and scatters."""

from typing import Any

import torch


class Embedding(torch.nn.Module):
    """Token and position embeddings, a mean over the tokens that count, a classifier."""

    def __init__(self, rows: int = 50, width: int = 16) -> None:
        super().__init__()
        self.tokens = torch.nn.Embedding(rows, width, padding_idx=0)
        self.positions = torch.nn.Embedding(32, width)
        self.classes = torch.nn.Linear(width, 4)

    def forward(self, tokens: Any) -> Any:
        positions = torch.arange(tokens.shape[1])
        features = torch.tanh(self.tokens(tokens) + self.positions(positions))
        counts = (tokens != 0).to(features.dtype)
        mean = (features * counts[..., None]).sum(1) / counts.sum(1, keepdim=True)
        return torch.log_softmax(self.classes(mean), -1)


class Convolution(torch.nn.Module):
    """A graph convolution: gather at the senders, weigh by degree, add at the receivers."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.message = torch.nn.Linear(width, width)
        self.update = torch.nn.Linear(2 * width, width)

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        ones = torch.ones(receivers.shape[0], dtype=nodes.dtype)
        degrees = torch.zeros(nodes.shape[0], dtype=nodes.dtype).scatter_add(0, receivers, ones)
        scale = torch.rsqrt(degrees.clamp(min=1))
        messages = self.message(nodes)[senders] * (scale[senders] * scale[receivers])[:, None]
        sums = torch.zeros_like(nodes).index_add(0, receivers, messages)
        return torch.relu(self.update(torch.cat([nodes, sums], -1)))


class Experts(torch.nn.Module):
    """A mixture-of-experts block: each token goes to its two best experts."""

    def __init__(self, width: int = 8, experts: int = 4) -> None:
        super().__init__()
        self.gate = torch.nn.Linear(width, experts)
        self.first = torch.nn.Parameter(torch.randn(experts, width, 2 * width) / 4)
        self.second = torch.nn.Parameter(torch.randn(experts, 2 * width, width) / 4)

    def forward(self, tokens: Any) -> Any:
        weights, chosen = torch.topk(torch.softmax(self.gate(tokens), -1), 2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        rows = torch.arange(tokens.shape[0])[:, None].expand(-1, 2).reshape(-1)
        order = torch.argsort(chosen.reshape(-1), stable=True)
        rows, expert = rows[order], chosen.reshape(-1)[order]
        hidden = torch.relu(torch.einsum("td,tdh->th", tokens[rows], self.first[expert]))
        found = torch.einsum("th,thd->td", hidden, self.second[expert])
        scaled = found * weights.reshape(-1)[order][:, None]
        return torch.zeros_like(tokens).index_add(0, rows, scaled)
