"""Random functions of gathers, scatters and views through torch.compile(backend="mlir_gs").

    python test/fuzz/fuzz_torch.py --cases 200 --seed 1
    python test/fuzz/fuzz_torch.py --cases 500 --rest inductor

Each is compared with eager Torch: values, gradients, dtypes, strides, what shares memory, what is
written to arguments, and that it raises where eager raises; with static and with dynamic sizes.
Runs in watched processes. Beside inductor, which needs a C++ compiler, all that can be a kernel is
one, and strides may also be those that inductor gives without kernels.
"""

import argparse
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from watched import watch

_FORMATS: list[Callable[[torch.Tensor], torch.Tensor]] = [
    lambda x: x,
    lambda x: x.contiguous(memory_format=torch.channels_last),
    lambda x: x.transpose(0, 3).contiguous().transpose(0, 3),
    lambda x: torch.cat([x, x], 1)[:, ::2] if x.shape[1] else x,
    lambda x: x[:, :1].expand_as(x) if x.shape[1] else x,
]
_DTYPES = [torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.int8,
           torch.uint8, torch.bool]  # fmt: skip
# What threads share in equal parts.
_EVEN = ((12, 32), (1, 4, 16), (2,), (16, 64))
# Of a tensor of rank 4, one like it, and a vector of coordinates.
_OPS: list[Callable[..., Any]] = [
    lambda x, y, i: x[i],
    lambda x, y, i: x[:, i % max(x.shape[1], 1)],
    lambda x, y, i: x.index_select(0, i),
    lambda x, y, i: x.gather(0, i.reshape(-1, 1, 1, 1).expand(-1, *x.shape[1:])),
    lambda x, y, i: x.index_add(0, i, y[i]),
    lambda x, y, i: x.index_put((i,), y[i]),
    lambda x, y, i: x.index_put((i,), y[i], accumulate=True),
    lambda x, y, i: x.scatter_add(0, i.reshape(-1, 1, 1, 1).expand(-1, *x.shape[1:]), y[i]),
    lambda x, y, i: x.index_fill(0, i, 1),
    lambda x, y, i: x.permute(0, 2, 3, 1),
    lambda x, y, i: x.permute(0, 2, 3, 1).view(x.shape[0], -1)[i],
    lambda x, y, i: x[:, :1].expand_as(x),
    lambda x, y, i: x.reshape(x.shape[0], -1).reshape(x.shape),
    lambda x, y, i: x[1:],
    lambda x, y, i: torch.where(x > 0, x, y),
    lambda x, y, i: x + y,
    lambda x, y, i: x * 2,
    lambda x, y, i: torch.zeros_like(x),
    lambda x, y, i: x.clone(),
    lambda x, y, i: x[i].amax(0),
    lambda x, y, i: x[i].sum(-1),
    lambda x, y, i: (x[i] * y[i]).float().mean((2, 3)),
    lambda x, y, i: torch.relu(x[i].double()) + i.reshape(-1, 1, 1, 1),
    lambda x, y, i: x.clone().index_add_(0, i, y[i]),
    lambda x, y, i: y.index_put_((i,), x[i] + 1, accumulate=True) * 1,
    lambda x, y, i: y[:, :1].copy_(x[:, :1]) * 1,
]


def _case(seed: int, number: int) -> tuple[Callable[..., Any], list[torch.Tensor], bool]:
    choose = random.Random(f"{seed} {number}")
    made = torch.Generator().manual_seed(choose.randrange(1 << 30))
    few = ((1, 3, 5), (0, 1, 2, 4), (2, 3), (1, 3))
    shape = [choose.choice(sizes) for sizes in choose.choice((few, _EVEN))]
    dtype = choose.choice(_DTYPES)
    values = [torch.randint(0, 4, shape, generator=made).to(dtype) for _ in range(2)]
    values = [choose.choice(_FORMATS)(each) for each in values]
    low, high = (0, shape[0]) if choose.random() < 0.9 else (-1, shape[0] + 1)
    i = torch.randint(low, high, (choose.choice((0, 1, 2, 4, 16)),), generator=made)
    ops = [choose.choice(_OPS) for _ in range(choose.randrange(2, 7))]
    sources = [choose.random() < 0.5 for _ in ops]

    def function(x: Any, y: Any, i: Any) -> Any:
        found = [x]
        for op, chain in zip(ops, sources, strict=True):
            source = found[-1] if chain and found[-1].shape == x.shape else x
            found.append(op(source, y, i))
        return tuple(found[1:])

    return function, [*values, i], choose.random() < 0.4


def _shared(tensors: Any) -> list[int]:
    held = [each.untyped_storage().data_ptr() if each.numel() else -1 for each in tensors]
    return [held.index(each) for each in held]


def _strides(tensor: torch.Tensor) -> list[int]:
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return [stride for size, stride in pairs if size != 1 and tensor.numel()]


def _gradients(results: Any, leaf: torch.Tensor) -> torch.Tensor | None:
    """Of the results by an argument, where one can be taken."""
    sums = [r.sum().float() for r in results if r.requires_grad]
    if not sums:
        return None
    return torch.autograd.grad(torch.stack(sums).sum(), leaf, allow_unused=True)[0]


def check(seed: int, number: int, rest: str = "eager") -> str:
    """What is wrong with case `number`, or an empty text."""
    function, given, dynamic = _case(seed, number)
    trained = given[0].dtype in (torch.float32, torch.float64) and number % 2 == 0
    arguments, ours = ([_copy(each) for each in given] for _ in range(2))
    for each in (arguments[0], ours[0]):
        each.requires_grad_(trained)
    options: dict[str, Any] = {"rest": rest, "threads": 1 + number % 4 // 2}
    options |= {"kernels": "all"} if rest == "inductor" else {}
    torch._dynamo.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = function(*arguments)
        except Exception:
            wanted = None
        compiled = torch.compile(function, backend="mlir_gs", dynamic=dynamic, options=options)
        try:
            found = compiled(*ours)
        except Exception as error:
            # Where nothing is moved, some of eager Torch's ops look at no coordinates.
            unseen = isinstance(error, IndexError) and not arguments[0].numel()
            return "" if wanted is None or unseen else f"{type(error).__name__}: {error}"
    if wanted is None:
        return "does not raise"
    for at, (got, right) in enumerate(zip(found, wanted, strict=True)):
        if (got.dtype, got.shape) != (right.dtype, right.shape) or not torch.equal(got, right):
            return f"result {at}: {got.dtype}{list(got.shape)} differs"
        if _strides(got) != _strides(right):
            plain = (
                _by_inductor(function, given, trained, dynamic)[at] if rest != "eager" else right
            )
            if _strides(got) != _strides(plain):
                return f"result {at}: strides {got.stride()}, {rest} {plain.stride()}"
    if _shared([*ours, *found]) != _shared([*arguments, *wanted]):
        return "other results share memory"
    if not all(map(torch.equal, ours, arguments)):
        return "other values are written to arguments"
    got, right = _gradients(found, ours[0]), _gradients(wanted, arguments[0])
    if (got is None) != (right is None) or not (got is None or torch.equal(got, right)):
        return "other gradients"
    return ""


def _by_inductor(
    function: Callable[..., Any], given: list[torch.Tensor], trained: bool, dynamic: bool
) -> Any:
    """The results without kernels: inductor gives some of them other strides than eager Torch."""
    arguments = [_copy(each) for each in given]
    arguments[0].requires_grad_(trained)
    torch._dynamo.reset()
    return torch.compile(function, backend="inductor", dynamic=dynamic)(*arguments)


def _copy(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the same strides, also of what overlaps."""
    size = 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride(), strict=True))
    memory = tensor.as_strided((max(size, 0),), (1,)) if tensor.numel() else tensor.flatten()
    return memory.clone().as_strided(tensor.shape, tensor.stride())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rest", choices=("eager", "inductor"), default="eager")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    for each in watch(
        partial(check, rest=options.rest), options.seed, range(options.cases), options.jobs, 120
    ):
        if each is not None:
            kinds[each.kind] += 1
            print(f"{each.kind} {options.seed} {each.number}: {each.text[:300]}", flush=True)
    wrong = sum(kinds.values())
    print(f"{options.cases} functions, {wrong} wrong: {dict(kinds)}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
