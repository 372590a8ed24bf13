"""Products, sums and copies of small tensors, which upstream's fusion makes fewer loops of.

    python test/fuzz/fuzz_products.py --cases 5000 --seed 0

Every other case is a StableHLO program, held against StableHLO's interpreter: dot_general and
reduce with any number of dims, none among them, and what reads their results. The others are loops
of linalg and gs that read what they write to, held against the reference: compiled, and compiled
after upstream's fusion of element-wise ops by itself.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from campaign import campaign
from mlir_gs import dialect, execution, lowering
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.frontend.parse import parse
from mlir_gs.frontend.stablehlo.common import bindings

_FUSED = "linalg-generalize-named-ops,gs-repair,linalg-fuse-elementwise-ops,canonicalize,cse"
_SIZES = (1, 2, 3, 4)
_MOST = 120
"""Elements of a tensor."""
Shape = tuple[int, ...]


class _Program:
    """Lines of a function, and the tensors that they give by name."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.lines, self.count = rng, [], 0
        self.element = "i32" if rng.random() < 0.7 else "f64"
        self.known: list[tuple[str, Shape]] = []
        shapes = [tuple(self.pick(_SIZES) for _ in range(self.below(4))) for _ in range(3)]
        self.arguments = [(f"%a{number}", shape) for number, shape in enumerate(shapes)]
        self.known += self.arguments

    def below(self, most: int) -> int:
        return int(self.rng.integers(most))

    def pick(self, among: Any) -> Any:
        return among[self.below(len(among))]

    def tensor(self) -> tuple[str, Shape]:
        # What came last is read most often.
        return self.pick(self.known[-3:] if self.below(3) else self.known)

    def type(self, shape: Shape) -> str:
        return f"tensor<{''.join(f'{n}x' for n in shape)}{self.element}>"

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def give(self, shape: Shape, text: str) -> None:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        self.known.append((name, shape))

    def values(self) -> list[np.ndarray]:
        dtype = np.int32 if self.element == "i32" else np.float64
        return [np.asarray(self.rng.integers(-3, 4, s)).astype(dtype) for _, s in self.arguments]

    def text(self) -> str:
        made = self.known[len(self.arguments) :] or self.known
        chosen = [made[-1], *(self.pick(made) for _ in range(self.below(3)))]
        results = ", ".join(self.type(shape) for _, shape in chosen)
        taken = ", ".join(f"{name}: {self.type(shape)}" for name, shape in self.arguments)
        body = "\n  ".join([*self.lines, f"return {', '.join(n for n, _ in chosen)} : {results}"])
        return f"func.func @main({taken}) -> ({results}) {{\n  {body}\n}}\n"


class _StableHLO(_Program):
    def step(self) -> None:
        self.pick((self.dot, self.dot, self.reduce, self.spread, self.turn, self.combine))()

    def dot(self) -> None:
        (a, left), (b, right) = self.tensor(), self.tensor()
        free = list(range(len(right)))
        self.rng.shuffle(free)
        pairs = []
        for d, size in enumerate(left):
            found = [e for e in free if right[e] == size]
            if found and self.below(3) == 0:
                free.remove(found[0])
                pairs.append((d, found[0], self.below(2)))
        batch = [(d, e) for d, e, kind in pairs if kind]
        contracted = [(d, e) for d, e, kind in pairs if not kind]
        shape = (
            *(left[d] for d, _ in batch),
            *(n for d, n in enumerate(left) if d not in [p[0] for p in pairs]),
            *(n for e, n in enumerate(right) if e not in [p[1] for p in pairs]),
        )
        if np.prod(shape) > _MOST:
            return
        parts = []
        for word, chosen in (("batching", batch), ("contracting", contracted)):
            if chosen or word == "contracting":
                sides = " x ".join(str([pair[side] for pair in chosen]) for side in (0, 1))
                parts.append(f", {word}_dims = {sides}")
        types = f"({self.type(left)}, {self.type(right)}) -> {self.type(shape)}"
        self.give(shape, f"stablehlo.dot_general {a}, {b}{''.join(parts)} : {types}")

    def reduce(self) -> None:
        x, given = self.tensor()
        dims = [d for d in range(len(given)) if self.below(3) == 0]
        shape = tuple(n for d, n in enumerate(given) if d not in dims)
        op, init = self.pick((("add", 0), ("multiply", 1)))
        start, scalar = self.name(), self.type(())
        number = f"{init}" if self.element == "i32" else f"{init}.0"
        self.lines.append(f"{start} = stablehlo.constant dense<{number}> : {scalar}")
        self.give(
            shape,
            f"stablehlo.reduce({x} init: {start}) applies stablehlo.{op} across dimensions = {dims}"
            f" : ({self.type(given)}, {scalar}) -> {self.type(shape)}",
        )

    def spread(self) -> None:
        """More dims, and more elements in those of size 1."""
        x, given = self.tensor()
        where = sorted(self.rng.permutation(len(given) + 1 + self.below(2))[: len(given)].tolist())
        shape = [self.pick(_SIZES) for _ in range(max([len(given), *(d + 1 for d in where)]))]
        for d, n in zip(where, given, strict=True):
            shape[d] = n if n != 1 or self.below(2) else shape[d]
        self.give_spread(x, given, tuple(shape), where)

    def give_spread(self, x: str, given: Shape, shape: Shape, where: list[int]) -> None:
        if np.prod(shape) <= _MOST:
            types = f"({self.type(given)}) -> {self.type(shape)}"
            self.give(shape, f"stablehlo.broadcast_in_dim {x}, dims = {where} : {types}")

    def turn(self) -> None:
        x, given = self.tensor()
        order = self.rng.permutation(len(given)).tolist()
        shape = tuple(given[d] for d in order)
        types = f"({self.type(given)}) -> {self.type(shape)}"
        self.give(shape, f"stablehlo.transpose {x}, dims = {order} : {types}")

    def combine(self) -> None:
        """Two tensors element by element, each with as many more dims as the other has."""
        (a, left), (b, right) = self.tensor(), self.tensor()
        shape = (*left, *right)
        if np.prod(shape) > _MOST:
            return
        self.give_spread(a, left, shape, list(range(len(left))))
        first = self.known[-1][0]
        self.give_spread(b, right, shape, list(range(len(left), len(shape))))
        op = self.pick(("add", "multiply", "subtract", "maximum"))
        second = self.known[-1][0]
        self.give(shape, f"stablehlo.{op} {first}, {second} : {self.type(shape)}")


class _Loops(_Program):
    def step(self) -> None:
        self.pick((self.loops, self.loops, self.loops, self.reduce, self.look_up))()

    def op(self, name: str, a: str, b: str) -> str:
        made = self.name()
        kind = "i" if self.element == "i32" else "f"
        self.lines.append(f"{made} = arith.{name}{kind} {a}, {b} : {self.element}")
        return made

    def init(self, shape: Shape) -> str:
        """What loops write to: something of that shape, or one number everywhere."""
        found = [name for name, other in self.known if other == shape]
        if found and self.below(2):
            return self.pick(found)
        number, empty, made = self.name(), self.name(), self.name()
        held = self.below(3) if self.element == "i32" else float(self.below(3))
        self.lines += [
            f"{number} = arith.constant {held} : {self.element}",
            f"{empty} = tensor.empty() : {self.type(shape)}",
            f"{made} = linalg.fill ins({number} : {self.element}) outs({empty} : "
            f"{self.type(shape)}) -> {self.type(shape)}",
        ]
        return made

    def loops(self) -> None:
        """A generic of tensors side by side, or of the dims that they share."""
        taken = [self.tensor() for _ in range(1 + self.below(3))]
        sizes: list[int] = []
        maps = []
        for _, shape in taken:
            dims: list[int] = []
            for n in shape:
                shared = [d for d, m in enumerate(sizes) if m == n and d not in dims]
                if not shared or self.below(2):
                    sizes.append(n)
                    shared = [len(sizes) - 1]
                dims.append(self.pick(shared))
            maps.append(dims)
        if np.prod(sizes) > _MOST:
            return
        iterators = ["parallel" if self.below(6) else "reduction" for _ in sizes]
        order = [d for d in self.rng.permutation(len(sizes)).tolist() if iterators[d] == "parallel"]
        self.generic(taken, [*maps, order], iterators, tuple(sizes[d] for d in order), sizes)

    def generic(
        self,
        taken: list[tuple[str, Shape]],
        maps: list[list[int]],
        iterators: list[str],
        shape: Shape,
        sizes: list[int],
    ) -> None:
        init, accumulates = self.init(shape), "reduction" in iterators or self.below(3) > 0
        dims = ", ".join(f"d{d}" for d in range(len(sizes)))
        spelled = [f"affine_map<({dims}) -> ({', '.join(f'd{d}' for d in m)})>" for m in maps]
        kinds = ", ".join(f'"{kind}"' for kind in iterators)
        outer, self.lines = self.lines, []
        arguments = [self.name() for _ in taken]
        out = self.name()
        value = arguments[0]
        for other in arguments[1:]:
            value = self.op(self.pick(("add", "mul", "sub")), value, other)
        if accumulates:
            value = self.op(self.pick(("add", "add", "mul")), out, value)
        body, self.lines = self.lines, outer
        block = ", ".join(f"{name}: {self.element}" for name in (*arguments, out))
        self.give(
            shape,
            f"linalg.generic {{indexing_maps = [{', '.join(spelled)}], iterator_types = [{kinds}]}}"
            f" ins({', '.join(n for n, _ in taken)} : {', '.join(self.type(s) for _, s in taken)})"
            f" outs({init} : {self.type(shape)}) {{\n  ^bb0({block}):\n    "
            + "\n    ".join([*body, f"linalg.yield {value} : {self.element}"])
            + f"\n  }} -> {self.type(shape)}",
        )

    def reduce(self) -> None:
        x, given = self.tensor()
        dims = [d for d in range(len(given)) if self.below(4) == 0]
        shape = tuple(n for d, n in enumerate(given) if d not in dims)
        kind = "arith.addi" if self.element == "i32" else "arith.addf"
        self.give(
            shape,
            f"linalg.reduce {{ {kind} }} ins({x} : {self.type(given)}) outs({self.init(shape)} : "
            f"{self.type(shape)}) dimensions = {dims}",
        )

    def look_up(self) -> None:
        """Elements of a row at coordinates that loops compute."""
        x, given = self.tensor()
        if self.element != "i32" or not given:
            return
        source = self.pick([each for each in self.known if each[1]] or [("", ())])
        if not source[1]:
            return
        (y, shape), dims = source, ", ".join(f"d{d}" for d in range(len(source[1])))
        init, limit, made, empty = self.init(shape), self.name(), self.name(), self.name()
        plain = f"affine_map<({dims}) -> ({dims})>"
        kinds = ", ".join('"parallel"' for _ in shape)
        type_ = self.type(shape)
        self.lines += [
            f"{limit} = arith.constant {given[0]} : i32",
            f"{made} = linalg.generic {{indexing_maps = [{plain}, {plain}], iterator_types = "
            f"[{kinds}]}} ins({y} : {type_}) outs({init} : {type_}) {{\n  ^bb0(%p: i32, %q: i32):\n"
            f"    %s = arith.addi %p, %q : i32\n    %c = arith.remui %s, {limit} : i32\n"
            f"    linalg.yield %c : i32\n  }} -> {type_}",
            f"{empty} = tensor.empty() : {type_}",
        ]
        zeros = "".join(", 0" for _ in given[1:])
        self.give(
            shape,
            f"gs.generic ({dims}) [s = {made}[{dims}] mode(promise_in_bounds)] ins({x}[s{zeros}]) "
            f"outs({empty}[{dims}]) iterators("
            + ", ".join(f"d{d} = parallel" for d in range(len(shape)))
            + f") : ({self.type(given)}, {type_}, {type_}) -> {type_} {{\n"
            "  ^bb0(%p: i32, %q: i32):\n    gs.yield %p : i32\n  }",
        )


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    program: Any = (_StableHLO, _Loops)[number % 2](np.random.default_rng([seed, number]))
    for _ in range(2 + program.below(8)):
        program.step()
    text, arguments = program.text(), program.values()
    expected = (_interpreted, _by_reference)[number % 2](text, arguments)
    for road, found in _results(text, arguments, number):
        pairs = zip(found, expected, strict=True)
        if not all(np.allclose(a, b, 1e-9, 1e-9) for a, b in pairs):
            return f"{road}: {found}; expected {expected}\n{text}  {arguments}"
    return ""


def _results(text: str, arguments: list[np.ndarray], number: int) -> Iterator[tuple[str, Any]]:
    yield "compiled", _called(execution.compile(text, threads=1 + number % 3 // 2), arguments)
    if number % 2:
        with dialect.context(), ir.Location.unknown():
            module = parse(text, ir.Context.current).operation
            lowering.run_pipeline(module, _FUSED)
            yield "fused", _called(execution.compile(str(module), threads=1), arguments)


def _called(kernel: Any, arguments: list[np.ndarray]) -> list[np.ndarray]:
    found = kernel(*(each.copy() for each in arguments))
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


def _by_reference(text: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    with dialect.context(), ir.Location.unknown():
        module = parse(text, ir.Context.current).operation
        lowering.run_pipeline(module, "linalg-generalize-named-ops")
        given = [each.copy() for each in arguments]
        return [np.asarray(each) for each in reference_run.run(module, "main", given)]


def _interpreted(text: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    with dialect.context() as context, ir.Location.unknown():
        bindings().register_dialect(context)
        module = ir.Module.parse(text)
        given = [ir.DenseElementsAttr.get(each) for each in arguments]
        return [np.array(each) for each in bindings().eval_module(module, given)]


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "programs of products and sums", "wrong"))
