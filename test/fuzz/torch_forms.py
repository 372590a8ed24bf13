"""Calls of ATen's ops that eager Torch takes, made from their schemas."""

import random
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch

DTYPES = (
    torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.bool, torch.uint8,
    torch.int8, torch.int16, torch.int32, torch.int64, torch.complex64,
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = (
    (2, 3), (), (0,), (1,), (0, 3), (2, 0), (1, 1), (3, 3), (2, 0, 3), (1, 2, 1), (3, 2),
    (1, 2, 6, 6),
    (2, 4, 6, 6, 6), (0, 2, 6, 6),
)  # fmt: skip
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_TRIES = 24
"""Choices of arguments that are tried for one shape and dtype."""


@dataclass(frozen=True, eq=False)
class Call:
    """An op of arguments in the order of its schema; tensors among them are the program's."""

    name: str
    form: str
    arguments: tuple[Any, ...]

    @property
    def op(self) -> Any:
        return overload(self.name)

    @property
    def tensors(self) -> list[torch.Tensor]:
        return [each for each in _flat(self.arguments) if isinstance(each, torch.Tensor)]

    def run(self) -> list[torch.Tensor]:
        """What eager Torch gives; raises what it raises."""
        given, named = split(self.op, self.arguments)
        found = self.op(*given, **named)
        return list(found) if isinstance(found, (tuple, list)) else [found]


def split(op: Any, arguments: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Those by position, and those by name."""
    pairs = list(zip(op._schema.arguments, arguments, strict=True))
    given = [value for argument, value in pairs if not argument.kwarg_only]
    return given, {argument.name: value for argument, value in pairs if argument.kwarg_only}


def _flat(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _flat(value)
        else:
            yield value


def overload(name: str) -> Any:
    """The op of a name such as `aten.add.Tensor`; None if there is none."""
    space, op, *rest = name.split(".")
    packet = getattr(getattr(torch.ops, space), op, None)
    return getattr(packet, rest[0] if rest else "default", None)


def values(shape: Sequence[int], dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    """Whole numbers and halves around 0, with the limits of integers."""
    made = torch.Generator().manual_seed(seed)
    if dtype == torch.bool:
        return torch.rand(shape, generator=made) < 0.5
    found = torch.randint(0 if dtype == torch.uint8 else -4, 5, shape, generator=made)
    if dtype.is_floating_point or dtype.is_complex:
        return (found / 2 + 0.25).to(dtype)
    found = found.to(dtype)
    if found.numel() > 3:
        limits = torch.iinfo(dtype)
        found.view(-1)[:2] = torch.tensor([limits.max, limits.min], dtype=dtype)
    return found


_INDICES = ("index", "indices", "offsets", "target", "batch1_index", "self_index")
_DIM_LISTS = ("dim", "dims", "axes", "dim0", "normalized_dims")
_OF_PICTURES = ("stride", "padding", "dilation", "output_padding", "kernel_size")
_STRINGS = (
    "add",
    "multiply",
    "ij",
    "sum",
    "mean",
    "trunc",
    "floor",
    "none",
    "tanh",
    "constant",
    "reflect",
    "mul",
    "exact",
)


def _choices(name: str, kind: str, shape: tuple[int, ...], dtype: torch.dtype) -> list[Any]:
    """Values for an argument, the most ordinary one first."""
    rank = len(shape)
    if kind in ("Tensor", "Optional[Tensor]"):
        if name in _INDICES:
            zeros = torch.zeros(shape, dtype=torch.int64)
            others = [values(shape, dtype, 7)] if name == "target" else []
            return [zeros, zeros.reshape(-1)[:1], zeros.reshape(-1)[:0], *others]
        if "mask" in name or name == "condition":
            return [values(shape, torch.bool, 3), torch.ones((), dtype=torch.bool)]
        found = [values(shape, dtype, 1), values((), dtype, 2), values((1,) * rank, dtype, 2)]
        found += [values(shape[1:], dtype, 4), values(shape[1:2], dtype, 4)] if rank else []
        found += [values((*shape[:-2], shape[-1], 2), dtype, 5)] if rank > 1 else []
        kernel = [values((2, shape[1], *[3] * (rank - 2)), dtype, 6)] if rank > 2 else []
        found = kernel + found if name == "weight" else found + kernel
        return ([None] if kind.startswith("Opt") else []) + found
    if kind in ("List[Tensor]", "List[Optional[Tensor]]"):
        if name == "indices":
            index = torch.zeros(2, dtype=torch.int64)
            return [[index], [index, index], [values(shape[:1], torch.bool)], [index[:0]]]
        return [[values(shape, dtype, 1), values(shape, dtype, 2)], [values(shape, dtype, 1)]]
    if kind.startswith("Optional["):
        return [None, *_choices(name, kind[9:-1], shape, dtype)]
    if kind == "bool":
        return [False, True]
    if kind == "float":
        return [0.5, 0.0, float("inf"), 2.0]
    if kind == "str":
        return list(_STRINGS)
    if kind == "number":
        return [2, 0, -1, 0.5, 300, _MOST, float("nan"), True]
    if kind in ("int", "SymInt"):
        if name in ("dtype", "layout", "memory_format"):
            return [torch.float32, torch.int64] if name == "dtype" else []
        if name == "dim":
            return [0, rank - 1, -1]
        return [1, 0, 2, -1, 3, _MOST, _LEAST]
    if kind in ("List[int]", "List[SymInt]"):
        if name in _DIM_LISTS:
            return [list(range(rank))[::-1], [0], [-1], [], list(range(rank))]
        if name in ("size", "shape", "output_size", "sizes"):
            count = torch.Size(shape).numel()
            return [list(shape), [count], [-1], [2, *shape], [1, *shape, 1], [0], [2] * (rank - 2)]
        spatial = max(rank - 2, 1)
        if name in _OF_PICTURES and rank > 2:
            least = 0 if "padding" in name else 2 if name == "kernel_size" else 1
            return [[n] * spatial for n in (least, least + 1, 2, 0, -1)] + [[1], []]
        lists = [[1] * rank, [1] * spatial, [0] * spatial, [2] * spatial, [0] * rank, [2] * rank]
        return [*lists, [1, 1], [0, 0], [-1, -1], [1, 1, 1, 1], [2, *shape], []]
    if kind == "List[bool]":
        return [[True] * 3, [False] * rank]
    return []


def _lists(op: Any, shape: tuple[int, ...], dtype: torch.dtype) -> list[list[Any]]:
    """What each argument may be, the most ordinary first."""
    given = []
    tensors = 0
    for argument in op._schema.arguments:
        kind = str(argument.type)
        found = _choices(argument.name, kind, shape, dtype)
        if kind == "Tensor" and not tensors and argument.name not in _INDICES:
            found = [values(shape, dtype)]
        tensors += kind == "Tensor"
        if argument.has_default_value() and argument.default_value is not None:
            found = [argument.default_value, *found]
        elif argument.has_default_value() or not found:
            found = [None, *(each for each in found if each is not None)]
        given.append(found)
    return given


def _places(lists: list[list[Any]], known: Sequence[tuple[int, ...]], seed: str) -> Iterator[Any]:
    """Choices from the lists: those that were taken before, the most ordinary, any."""
    counts = [len(found) for found in lists]
    yield from (places for places in known if all(map(int.__lt__, places, counts)))
    yield (0,) * len(counts)
    # As a seed a text: hashes of strings differ between processes.
    choose = random.Random(seed)
    for _ in range(_TRIES):
        yield tuple(map(choose.randrange, counts))


def _changed(lists: list[list[Any]], basic: tuple[int, ...], seed: str) -> Iterator[Any]:
    """Choices with one other argument than `basic`, in any order."""
    found = [
        (*basic[:at], other, *basic[at + 1 :])
        for at, each in enumerate(lists)
        for other in range(len(each))
        if other != basic[at]
    ]
    random.Random(seed).shuffle(found)
    return iter(found[: 2 * _TRIES])


def _told(argument: Any) -> str:
    if isinstance(argument, torch.Tensor):
        shape = "x".join(map(str, [*argument.shape, str(argument.dtype).removeprefix("torch.")]))
        return f"<{shape}>"
    if isinstance(argument, (list, tuple)):
        return "[" + ", ".join(map(_told, argument)) + "]"
    return str(argument).removeprefix("torch.")


def _takes(op: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether eager Torch takes them and gives tensors of a size that tells something."""
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            given, named = split(op, arguments)
            found = op(*given, **named)
    except Exception:
        return False
    results = found if isinstance(found, (tuple, list)) else (found,)
    return bool(results) and all(
        isinstance(each, torch.Tensor) and each.layout == torch.strided and each.numel() < 1 << 16
        for each in results
    )


@dataclass
class _Drawing:
    """The forms of an op so far, and the choices of arguments that eager Torch took."""

    name: str
    made: dict[str, Call] = field(default_factory=dict)
    known: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, shape: tuple[int, ...], dtype: torch.dtype, odd: int = 0) -> bool:
        """Add an ordinary form, and `odd` ones that differ from it in an argument."""
        op, seed = overload(self.name), f"{self.name} {shape} {dtype}"
        lists = _lists(op, shape, dtype)

        def taken(choices: Iterator[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
            for places in choices:
                arguments = tuple(found[at] for found, at in zip(lists, places, strict=True))
                if _takes(op, arguments):
                    form = ", ".join(map(_told, arguments))
                    self.made.setdefault(form, Call(self.name, form, arguments))
                    yield places

        basic = next(taken(_places(lists, self.known[-3:], seed)), None)
        if basic is None:
            return False
        if basic not in self.known:
            self.known.append(basic)
        for _ in islice(taken(_changed(lists, basic, seed)), odd):
            pass
        return True


def calls(name: str) -> list[Call]:
    """Forms of one op: each shape in one dtype, one shape in each, then odd arguments.

    Few of what might be are tried, those first that were taken of other shapes.
    """
    drawing = _Drawing(name)
    fitting: list[tuple[int, ...]] = []
    first = None
    for dtype in DTYPES:
        if first is None:
            fitting = [shape for shape in SHAPES if drawing.add(shape, dtype)]
            first = dtype if fitting else None
        else:
            any(drawing.add(shape, dtype) for shape in fitting[:2])
    for shape in [each for each in SHAPES if each in fitting][:2]:
        drawing.add(shape, first or DTYPES[0], 5)
    for shape in fitting[2:8:2]:
        drawing.add(shape, torch.int8, 2)
    made = list(drawing.made.values())
    wide = [call for call in made if any(map(_holds_floats, call.tensors))]
    return made + [
        found for call in wide[:2] if _takes((found := _not_finite(call)).op, found.arguments)
    ]


def _holds_floats(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() and tensor.numel() > 3


def _not_finite(call: Call) -> Call:
    """A call with NaN, infinities and a negative zero among its floats."""

    def sprinkled(value: Any, at: int) -> Any:
        if isinstance(value, (list, tuple)):
            return [sprinkled(each, at + number) for number, each in enumerate(value)]
        if not isinstance(value, torch.Tensor) or not _holds_floats(value):
            return value
        found = value.clone()
        odd = torch.tensor([float("nan"), float("inf"), float("-inf"), -0.0], dtype=value.dtype)
        found.view(-1)[at % 2 : 4 : 1 + at % 2] = odd[at % 2 :: 1 + at % 2]
        return found

    arguments = [sprinkled(value, number) for number, value in enumerate(call.arguments)]
    return Call(call.name, f"{call.form}, not finite", tuple(arguments))
