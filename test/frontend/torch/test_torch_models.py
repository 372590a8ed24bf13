"""Whole small models: embeddings, messages on a graph, a mixture of experts."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch_harness import check  # noqa: E402  (after importorskip)

pytestmark = pytest.mark.filterwarnings("ignore")


class Embedding(torch.nn.Module):
    """Token and position embeddings, a mean over the tokens that count, a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = torch.nn.Embedding(50, 16, padding_idx=0)
        self.positions = torch.nn.Embedding(32, 16)
        self.classes = torch.nn.Linear(16, 4)

    def forward(self, tokens: Any) -> Any:
        positions = torch.arange(tokens.shape[1])
        features = torch.tanh(self.tokens(tokens) + self.positions(positions))
        counts = (tokens != 0).to(features.dtype)
        mean = (features * counts[..., None]).sum(1) / counts.sum(1, keepdim=True)
        return torch.log_softmax(self.classes(mean), -1)


class Messages(torch.nn.Module):
    """One layer of message passing: gather at the senders, compute, add at the receivers."""

    def __init__(self) -> None:
        super().__init__()
        self.message = torch.nn.Linear(2 * 8, 8)
        self.update = torch.nn.Linear(2 * 8, 8)

    def forward(self, nodes: Any, senders: Any, receivers: Any) -> Any:
        pairs = torch.cat([nodes[senders], nodes[receivers]], -1)
        messages = torch.relu(self.message(pairs))
        sums = torch.zeros_like(nodes).index_add(0, receivers, messages)
        degrees = torch.zeros(nodes.shape[0]).scatter_add(
            0, receivers, torch.ones(receivers.shape[0])
        )
        means = sums / degrees.clamp(min=1)[:, None]
        return torch.relu(self.update(torch.cat([nodes, means], -1)))


class Experts(torch.nn.Module):
    """A mixture of experts: each token goes to its two best ones."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = torch.nn.Linear(8, 4)
        self.first = torch.nn.Parameter(torch.randn(4, 8, 16) / 4)
        self.second = torch.nn.Parameter(torch.randn(4, 16, 8) / 4)

    def forward(self, tokens: Any) -> Any:
        weights, chosen = torch.topk(torch.softmax(self.gate(tokens), -1), 2, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        hidden = torch.relu(torch.einsum("td,tkdh->tkh", tokens, self.first[chosen]))
        found = torch.einsum("tkh,tkhd->tkd", hidden, self.second[chosen])
        out = torch.zeros_like(tokens)
        rows = torch.arange(tokens.shape[0])[:, None].expand(-1, 2).reshape(-1)
        return out.index_add(0, rows, (found * weights[..., None]).reshape(-1, 8))


def test_embedding_model() -> None:
    torch.manual_seed(20261120)
    tokens = torch.randint(1, 50, (3, 7))
    tokens[1, 4:] = 0
    more = torch.randint(0, 50, (5, 11))
    more[:, 0] = 1
    check(
        Embedding().eval(),
        (tokens,),
        tolerance=1e-5,
        dynamic=({0: "batch", 1: "length"},),
        others=[(more,)],
    )


def test_message_passing_layer() -> None:
    torch.manual_seed(20261120)
    layer = Messages().eval()

    def graph(nodes: int, edges: int) -> tuple[Any, ...]:
        return (torch.randn(nodes, 8), *(torch.randint(0, nodes, (edges,)) for _ in range(2)))

    check(
        layer,
        graph(6, 20),
        tolerance=1e-5,
        dynamic=({0: "nodes"}, {0: "edges"}, {0: "edges"}),
        others=[graph(34, 156), graph(3, 1)],
    )


def test_mixture_of_experts() -> None:
    torch.manual_seed(20261120)
    block = Experts().eval()
    check(
        block,
        (torch.randn(6, 8),),
        tolerance=1e-5,
        dynamic=({0: "tokens"},),
        others=[(torch.randn(17, 8),)],
    )
