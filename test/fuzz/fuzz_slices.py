"""Slices and reshapes of tensors and memrefs, with static and dynamic sizes and dropped dims.

    python test/fuzz/fuzz_slices.py --cases 5000 --seed 0

Each number of a slice is in the type, a constant, an argument or, rarely, poison. Compiled code is
held against the reference. A program with poison must not end the process.
"""

import contextlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from campaign import campaign
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run

_MOST = 200
"""Elements of a tensor."""
Dims = tuple[int | None, ...]
"""Sizes in a type, None for `?`."""


@dataclass(frozen=True)
class _Tensor:
    """A value with its sizes when it runs, and those of its type."""

    name: str
    shape: tuple[int, ...]
    dims: Dims

    @property
    def type(self) -> str:
        return _type(self.dims)


def _type(dims: Dims, kind: str = "tensor", layout: str = "") -> str:
    return f"{kind}<{''.join('?x' if n is None else f'{n}x' for n in dims)}f32{layout}>"


class _Program:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.lines, self.count, self.undefined = rng, [], 0, False
        self.known: list[_Tensor] = []
        self.numbers: list[int] = []
        for n in range(3):
            shape = tuple(self.pick((1, 1, 2, 3, 4, 0 if n else 1)) for _ in range(self.below(5)))
            self.known.append(_Tensor(f"%a{n}", shape, self.hidden(shape)))
        self.arguments = list(self.known)

    def below(self, most: int) -> int:
        return int(self.rng.integers(most))

    def pick(self, among: Any) -> Any:
        return among[self.below(len(among))]

    def hidden(self, shape: Sequence[int]) -> Dims:
        return tuple(None if self.below(2) else n for n in shape)

    def tensor(self) -> _Tensor:
        return self.pick(self.known[-3:] if self.below(3) else self.known)

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def give(self, shape: Sequence[int], dims: Dims, text: str) -> None:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        self.known.append(_Tensor(name, tuple(shape), dims))

    def value(self, number: int) -> str:
        """A number as a value: a constant, an argument, the size of a tensor, or poison."""
        kind, name = self.below(60), self.name()
        if kind == 0:
            self.undefined = True
            self.lines.append(f"{name} = ub.poison : index")
        elif kind < 30:
            self.lines.append(f"{name} = arith.constant {number} : index")
        elif kind < 45:
            self.numbers.append(number)
            return f"%n{len(self.numbers) - 1}"
        else:
            sized = [(t, d) for t in self.known for d, n in enumerate(t.shape) if n == number]
            if not sized:
                return self.value(number)
            (tensor, dim), at = self.pick(sized), self.name()
            self.lines += [
                f"{at} = arith.constant {dim} : index",
                f"{name} = tensor.dim {tensor.name}, {at} : {tensor.type}",
            ]
        return name

    def spelled(self, number: int, static: bool) -> str:
        return str(number) if static else self.value(number)

    def step(self) -> None:
        steps: list[Callable[[], None]] = [
            *[self.extract] * 3, *[self.insert] * 3, self.expand, self.collapse, self.cast,
            self.view, self.view,
        ]  # fmt: skip
        self.pick(steps)()

    def extract(self) -> None:
        source = self.tensor()
        if 0 in source.shape:
            return
        place, shape, dims = self.slice_of(source, self.below(2) == 0)
        text = f"tensor.extract_slice {source.name}{place} : {source.type} to {_type(dims)}"
        self.give(shape, dims, text)

    def slice_of(self, source: _Tensor, strided: bool) -> tuple[str, tuple[int, ...], Dims]:
        """The numbers of a slice, and what is left of its dims."""
        parts: list[list[str]] = [[], [], []]
        shape: list[int] = []
        dims: list[int | None] = []
        for n in source.shape:
            size = min(n, self.pick((1, 1, 2, n, n)))
            stride = 1 + self.below(2) if strided and size * 2 <= n else 1
            offset = self.below(n - (size - 1) * stride)
            static = self.below(2) == 0
            parts[0].append(self.spelled(offset, self.below(2) == 0))
            parts[1].append(self.spelled(size, static))
            parts[2].append(self.spelled(stride, self.below(4) > 0))
            if size == 1 and static and self.below(2):
                continue
            shape.append(size)
            dims.append(size if static else None)
        place = "".join(f"[{', '.join(part)}]" for part in parts)
        return place, tuple(shape), tuple(dims)

    def insert(self) -> None:
        source, dest = self.tensor(), self.tensor()
        where, at = [], 0
        for d, n in enumerate(dest.shape):
            if at < len(source.shape) and source.shape[at] <= n:
                left = len(dest.shape) - d - 1
                if self.below(3) or left < len(source.shape) - at:
                    where.append(d)
                    at += 1
        if at < len(source.shape) or 0 in (*source.shape, *dest.shape):
            return
        parts: list[list[str]] = [[], [], []]
        for d, n in enumerate(dest.shape):
            kept = where.index(d) if d in where else None
            size = 1 if kept is None else source.shape[kept]
            static = kept is None or source.dims[kept] is not None
            parts[0].append(self.spelled(self.below(n - size + 1), self.below(2) == 0))
            parts[1].append(self.spelled(size, static))
            parts[2].append(self.spelled(1, self.below(4) > 0))
        place = "".join(f"[{', '.join(part)}]" for part in parts)
        if self.below(3):
            text = f"tensor.insert_slice {source.name} into {dest.name}{place} : "
            self.give(dest.shape, dest.dims, text + f"{source.type} into {dest.type}")
            return
        turn, out = self.name(), self.name()
        self.give(
            dest.shape,
            dest.dims,
            f"scf.forall ({turn}) in (1) shared_outs({out} = {dest.name}) -> ({dest.type}) {{\n"
            f"scf.forall.in_parallel {{\ntensor.parallel_insert_slice {source.name} into {out}"
            f"{place} : {source.type} into {dest.type}\n}}\n}}",
        )

    def expand(self) -> None:
        source = self.tensor()
        groups: list[list[int]] = []
        shape: list[int] = []
        dims: list[int | None] = []
        for n, known in zip(source.shape, source.dims, strict=True):
            factors = [n]
            for _ in range(self.below(3)):
                at = self.below(len(factors))
                small = self.pick([f for f in (1, 2, 3) if factors[at] % f == 0])
                factors[at : at + 1] = [small, factors[at] // small]
            groups.append(list(range(len(shape), len(shape) + len(factors))))
            hidden = [None if known is None and self.below(2) else f for f in factors]
            if known is None and None not in hidden:
                hidden[self.below(len(hidden))] = None
            shape += factors
            dims += hidden
        while not source.shape and self.below(2):
            shape.append(1)
            dims.append(1)
        if len(shape) > 7:
            return
        sizes = [self.spelled(n, d is not None) for n, d in zip(shape, dims, strict=True)]
        text = f"tensor.expand_shape {source.name} {groups} output_shape [{', '.join(sizes)}] : "
        self.give(shape, tuple(dims), text + f"{source.type} into {_type(tuple(dims))}")

    def collapse(self) -> None:
        source = self.tensor()
        groups: list[list[int]] = []
        for d in range(len(source.shape)):
            if groups and self.below(2):
                groups[-1].append(d)
            else:
                groups.append([d])
        if set(source.dims) <= {1} and self.below(2):
            groups = []
        shape = [int(np.prod([source.shape[d] for d in group])) for group in groups]
        dims = tuple(
            None if None in [source.dims[d] for d in group] else n
            for n, group in zip(shape, groups, strict=True)
        )
        text = f"tensor.collapse_shape {source.name} {groups} : {source.type} into {_type(dims)}"
        self.give(shape, dims, text)

    def cast(self) -> None:
        source = self.tensor()
        dims = self.hidden(source.shape)
        self.give(source.shape, dims, f"tensor.cast {source.name} : {source.type} to {_type(dims)}")

    def view(self) -> None:
        """A slice through a memref."""
        source = self.tensor()
        if 0 in source.shape:
            return
        place, shape, dims = self.slice_of(source, False)
        memory, part, new, made = (self.name() for _ in range(4))
        into, small = (
            _type(d, "memref", f", strided<[{', '.join('?' for _ in d)}], offset: ?>")
            for d in (source.dims, dims)
        )
        whole = _type(dims, "memref")
        sizes = [self.value(n) for n, d in zip(shape, dims, strict=True) if d is None]
        self.lines += [
            f"{memory} = bufferization.to_buffer {source.name} read_only : {source.type} to {into}",
            f"{part} = memref.subview {memory}{place} : {into} to {small}",
            f"{new} = memref.alloc({', '.join(sizes)}) : {whole}",
            f"memref.copy {part}, {new} : {small} to {whole}",
            f"{made} = bufferization.to_tensor {new} restrict : {whole} to {_type(dims)}",
        ]
        self.known.append(_Tensor(made, shape, dims))

    def text(self) -> str:
        chosen = [self.known[-1], *(self.pick(self.known[-5:]) for _ in range(self.below(3)))]
        taken = [f"{each.name}: {each.type}" for each in self.arguments]
        taken += [f"%n{n}: index" for n in range(len(self.numbers))]
        results = ", ".join(each.type for each in chosen)
        values = ", ".join(each.name for each in chosen)
        body = "\n".join([*self.lines, f"return {values} : {results}"])
        return f"func.func @f({', '.join(taken)}) -> ({results}) {{\n{body}\n}}\n"


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    rng = np.random.default_rng([seed, number])
    program = _Program(rng)
    for _ in range(2 + program.below(8)):
        program.step()
    text = program.text()
    arrays = [rng.normal(size=each.shape).astype(np.float32) for each in program.arguments]
    numbers = [np.int64(n) for n in program.numbers]
    if program.undefined:
        refused = (execution.CompileError, ValueError, IndexError, RuntimeError)
        with contextlib.suppress(*refused):
            execution.compile(text, threads=1)(*arrays, *numbers)
        return ""
    with dialect.context(), ir.Location.unknown():
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError as error:
            # Of several dims of size 1, the verifier takes others to be dropped.
            return "" if "mismatch of result layout" in str(error) else f"{error}\n{text}"
        given = [*(each.copy() for each in arrays), *map(np.asarray, numbers)]
        expected = reference_run.run(module, "f", given)
    try:
        found = execution.compile(text, threads=1)(*arrays, *numbers)
    except Exception as error:
        return f"{type(error).__name__}: {error}\n{text}"
    found = found if isinstance(found, tuple) else (found,)
    for place, (got, want) in enumerate(zip(found, expected, strict=True)):
        if not np.array_equal(np.asarray(got), np.asarray(want)):
            return f"result {place}: {got}; expected {want}\n{text}  {arrays} {numbers}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "programs of slices and reshapes", "wrong"))
