"""Three models under torch.compile: eager Torch, inductor and mlir_gs, in turns in one run.

`python benchmarks/torch_compile.py` prints the median and the quartiles of forward alone, and of
forward and backward, after checking that all agree. `--quick`: tiny sizes, is it right?
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import timing
from peers import missing
from timing import Contestant

ROUNDS = 9
BACKENDS = ("eager", "inductor", "mlir_gs")


def embedding(quick: bool) -> tuple[Any, Sequence[Any]]:
    """Tokens to vectors, positions added, a mean over the tokens that count, a classifier."""
    import torch

    rows, width, batch, length = (50, 16, 3, 7) if quick else (50_000, 256, 64, 128)

    class Embedding(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tokens = torch.nn.Embedding(rows, width, padding_idx=0)
            self.positions = torch.nn.Embedding(length, width)
            self.classes = torch.nn.Linear(width, 16)

        def forward(self, tokens: Any) -> Any:
            positions = torch.arange(tokens.shape[1])
            features = self.tokens(tokens) + self.positions(positions)
            counts = (tokens != 0).to(features.dtype)
            mean = (features * counts[..., None]).sum(1) / counts.sum(1, keepdim=True)
            return torch.log_softmax(self.classes(mean), -1)

    return Embedding(), [torch.randint(1, rows, (batch, length))]


def convolution(quick: bool) -> tuple[Any, Sequence[Any]]:
    """A graph convolution: gather at the senders, weigh, add at the receivers."""
    import torch

    nodes, edges, width = (6, 20, 8) if quick else (20_000, 200_000, 64)

    class Convolution(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.message = torch.nn.Linear(width, width)
            self.update = torch.nn.Linear(2 * width, width)

        def forward(self, values: Any, senders: Any, receivers: Any, scale: Any) -> Any:
            messages = self.message(values)[senders] * (scale[senders] * scale[receivers])[:, None]
            sums = torch.zeros_like(values).index_add(0, receivers, messages)
            return torch.relu(self.update(torch.cat([values, sums], -1)))

    ends = [torch.randint(0, nodes, (edges,)) for _ in range(2)]
    return Convolution(), [torch.randn(nodes, width, requires_grad=True), *ends, torch.rand(nodes)]


def experts(quick: bool) -> tuple[Any, Sequence[Any]]:
    """A mixture-of-experts block: tokens sorted by expert, products, added back."""
    import torch

    tokens, width, count = (6, 8, 4) if quick else (4096, 256, 8)

    class Experts(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.gate = torch.nn.Linear(width, count)
            self.weights = torch.nn.Parameter(torch.randn(count, width, width) / width**0.5)

        def forward(self, values: Any) -> Any:
            weights, chosen = torch.topk(torch.softmax(self.gate(values), -1), 2, -1)
            rows = torch.arange(values.shape[0])[:, None].expand(-1, 2).reshape(-1)
            order = torch.argsort(chosen.reshape(-1), stable=True)
            rows = rows[order]
            # All experts have room for as many tokens.
            given = values[rows].reshape(count, -1, width)
            found = torch.relu(torch.bmm(given, self.weights)).reshape(-1, width)
            scaled = found * weights.reshape(-1)[order][:, None]
            return torch.zeros_like(values).index_add(0, rows, scaled)

    return Experts(), [torch.randn(tokens, width, requires_grad=True)]


MODELS = {"embedding": embedding, "graph convolution": convolution, "mixture of experts": experts}


def gradients(model: Any, compiled: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result, and the gradients of parameters and arguments."""
    import torch

    leaves = [*model.parameters(), *(a for a in arguments if a.requires_grad)]
    result = compiled(*arguments)
    return result, *torch.autograd.grad(result.square().sum(), leaves)


def forward(compiled: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result alone."""
    import torch

    with torch.no_grad():
        return compiled(*arguments)


def contest(model: Any, arguments: Sequence[Any], dynamic: bool) -> Iterator[list[Contestant]]:
    """The contestants of forward, and of forward and backward; all are checked against eager."""
    import torch

    wanted = gradients(model, model, arguments)
    parties: dict[str, list[Contestant]] = {"forward": [], "forward and backward": []}
    for backend in BACKENDS:
        torch._dynamo.reset()
        if backend == "inductor" and (why := _no_inductor()):
            print(f"left out: inductor, {why}")
            continue
        compiled = model
        if backend != "eager":
            compiled = torch.compile(model, backend=backend, dynamic=dynamic)
        for got, right in zip(gradients(model, compiled, arguments), wanted, strict=True):
            torch.testing.assert_close(got, right, rtol=1e-3, atol=1e-3)
        torch.testing.assert_close(forward(compiled, arguments), wanted[0], rtol=1e-3, atol=1e-3)
        runs = (
            partial(forward, compiled, arguments),
            partial(gradients, model, compiled, arguments),
        )
        for name, call in zip(parties, runs, strict=True):
            parties[name].append(Contestant(f"{name}, {backend}", backend, call))
    yield from parties.values()


def _no_inductor() -> str:
    """Why inductor cannot run; empty if it can."""
    import torch

    try:
        torch.compile(lambda x: x + 1, backend="inductor")(torch.ones(3))
    except Exception as error:
        # It needs a compiler for C++.
        return str(error).splitlines()[0]
    return ""


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=ROUNDS, help="rounds (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one round")
    parser.add_argument("--dynamic", action="store_true", help="sizes that are not compiled for")
    parser.add_argument("--threads", type=int, help="of torch; ours takes all CPUs of the process")
    options = parser.parse_args()
    if why := missing("torch"):
        print(f"left out: torch, {why}")
        return 0
    import torch

    warnings.filterwarnings("ignore")
    torch.manual_seed(20261121)
    if options.threads:
        torch.set_num_threads(options.threads)
    rounds, pause = (1, 0.0) if options.quick else (options.repeats, timing.PAUSE)
    for name, build in MODELS.items():
        model, arguments = build(options.quick)
        print(f"{name}: {', '.join(str(list(a.shape)) for a in arguments)}", flush=True)
        for parties in contest(model, arguments, options.dynamic):
            for _ in timing.compete(parties, rounds, pause):
                pass
            for party in parties:
                figures = timing.statistics(party.samples)
                low, middle, high = (1e6 * figures[key] for key in ("q1", "median", "q3"))
                print(f"  {party.name:36} {middle:10.1f} us  ({low:.1f} to {high:.1f})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
