"""Scalars of arith, index, math and complex in branches and loops of scf.

    python test/fuzz/fuzz_scalars.py --cases 5000 --seed 0

Numbers are taken at the ends of their types, some as constants, which upstream folds, some as
arguments. Compiled code is held against the reference, which runs the program as it is written. A
program of which the reference says that it has no meaning must not end the process.
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from campaign import campaign
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference import run as reference_run
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior

Value = tuple[str, str]
"""A name and its type."""

_WIDTHS = {"i8": 8, "i32": 32, "i64": 64, "index": 64}
_FLOATS = {"f32": np.float32, "f64": np.float64}
_COMPLEX = "complex<f32>"
_BOTH = ("add", "sub", "mul", "and", "or", "xor", "maxs", "maxu", "mins", "minu", "divs", "divu",
         "ceildivs", "ceildivu", "floordivs", "rems", "remu")  # fmt: skip
_SHIFTS = ("shl", "shrs", "shru")
_ORDERS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_ON_FLOATS = ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf")
_FLOAT_ORDERS = ("oeq", "olt", "ole", "ogt", "one", "ord", "ueq", "ult", "uge", "une", "uno")


class _Program:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.lines, self.count, self.depth = rng, [], 0, 0
        kinds = [*_WIDTHS, *_FLOATS]
        self.arguments = [(f"%a{n}", self.pick(kinds)) for n in range(5)]
        self.known: list[Value] = list(self.arguments)
        for kind in (*kinds, "i1"):
            self.known.append((self.constant(kind), kind))

    def below(self, most: int) -> int:
        return int(self.rng.integers(most))

    def pick(self, among: Any) -> Any:
        return among[self.below(len(among))]

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, kind: str, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        self.known.append((name, kind))
        return name

    def value(self, kind: str) -> str:
        found = [name for name, other in self.known if other == kind]
        if not found or self.below(4) == 0:
            return self.constant(kind)
        return self.pick(found[-3:] if self.below(2) else found)

    def number(self, kind: str) -> Any:
        """One that is near the ends of its type, or small."""
        if kind in _FLOATS:
            ends = (0.0, -0.0, 1.0, -1.5, 1e30, 3e-30, -1e38, 1e-45, np.inf, -np.inf, np.nan)
            return _FLOATS[kind](self.pick(ends))
        if kind == "i1":
            return bool(self.below(2))
        half = 1 << (_WIDTHS[kind] - 1)
        number = self.pick((0, half, half // 2, -half)) + self.below(7) - 3
        return (number + half) % (2 * half) - half

    def constant(self, kind: str) -> str:
        number, name = self.number(kind), self.name()
        if kind == "index" and self.below(2):
            self.lines.append(f"{name} = index.constant {number}")
        elif kind == "i1":
            dialect_name = self.pick(("arith", "index.bool"))
            self.lines.append(f"{name} = {dialect_name}.constant {str(number).lower()}")
        elif kind in _FLOATS:
            bits = number.view(np.uint32 if kind == "f32" else np.uint64)
            self.lines.append(f"{name} = arith.constant {bits:#0{2 + 2 * bits.itemsize}x} : {kind}")
        else:
            self.lines.append(f"{name} = arith.constant {number} : {kind}")
        return name

    def step(self) -> None:
        steps: list[Callable[[], Any]] = [
            *[self.integers] * 5, self.compare, self.compare, self.convert, self.floats,
            self.complex, self.select,
        ]  # fmt: skip
        if self.depth < 2:
            steps += [self.branch, self.branch, self.loop_while, self.loop_while, self.loop_for]
        self.pick(steps)()

    def integers(self) -> None:
        kind = self.pick(list(_WIDTHS))
        a, b, name = self.value(kind), self.value(kind), self.pick((*_BOTH, *_BOTH, *_SHIFTS))
        if name in _SHIFTS:
            b = self.name()
            self.lines.append(f"{b} = arith.constant {self.below(_WIDTHS[kind])} : {kind}")
        if kind == "index" and self.below(3):
            self.line(kind, f"index.{name} {a}, {b}")
        else:
            self.line(kind, f"arith.{name}i {a}, {b} : {kind}")

    def compare(self) -> None:
        kind = self.pick([*_WIDTHS, "index", *_FLOATS])
        a, b = self.value(kind), self.value(kind)
        if kind in _FLOATS:
            self.line("i1", f"arith.cmpf {self.pick(_FLOAT_ORDERS)}, {a}, {b} : {kind}")
        elif kind == "index" and self.below(3):
            if self.below(2):
                # As upstream folds a difference against 0.
                a, b = self.line(kind, f"index.sub {a}, {b}"), self.name()
                self.lines.append(f"{b} = index.constant 0")
            self.line("i1", f"index.cmp {self.pick(_ORDERS)}({a}, {b})")
        else:
            self.line("i1", f"arith.cmpi {self.pick(_ORDERS)}, {a}, {b} : {kind}")

    def convert(self) -> None:
        kind, other = self.pick(list(_WIDTHS)), self.pick([*_WIDTHS, *_FLOATS])
        value = self.value(kind)
        if other in _FLOATS:
            if kind != "index":
                name = self.pick(("arith.sitofp", "arith.uitofp"))
                self.line(other, f"{name} {value} : {kind} to {other}")
        elif "index" in (kind, other) and kind != other:
            name = self.pick(
                ("arith.index_cast", "arith.index_castui", "index.casts", "index.castu")
            )
            self.line(other, f"{name} {value} : {kind} to {other}")
        elif _WIDTHS[kind] < _WIDTHS[other]:
            self.line(other, f"arith.{self.pick(('extsi', 'extui'))} {value} : {kind} to {other}")
        elif _WIDTHS[kind] > _WIDTHS[other]:
            self.line(other, f"arith.trunci {value} : {kind} to {other}")

    def floats(self) -> None:
        kind = self.pick(list(_FLOATS))
        a, b = self.value(kind), self.value(kind)
        if self.below(4):
            self.line(kind, f"arith.{self.pick(_ON_FLOATS)} {a}, {b} : {kind}")
        else:
            self.line(kind, f"{self.pick(('arith.negf', 'math.absf', 'math.sqrt'))} {a} : {kind}")

    def complex(self) -> None:
        a, b = self.value("f32"), self.value("f32")
        number = self.line(_COMPLEX, f"complex.create {a}, {b} : {_COMPLEX}")
        given = [name for name, kind in self.known if kind == _COMPLEX]
        number = self.pick([number, *given])
        kind = self.below(4)
        if kind == 0:
            name = self.pick(("add", "sub"))
            self.line(_COMPLEX, f"complex.{name} {number}, {self.pick(given)} : {_COMPLEX}")
        elif kind == 1:
            self.line(_COMPLEX, f"complex.{self.pick(('neg', 'conj'))} {number} : {_COMPLEX}")
        elif kind == 2:
            self.line("f32", f"complex.{self.pick(('re', 'im'))} {number} : {_COMPLEX}")
        else:
            self.line("f32", f"complex.abs {number} : {_COMPLEX}")

    def select(self) -> None:
        kind, test = self.pick([*_WIDTHS, *_FLOATS]), self.value("i1")
        self.line(kind, f"arith.select {test}, {self.value(kind)}, {self.value(kind)} : {kind}")

    def region(self, fill: Callable[[], None], most: int = 4) -> str:
        """The lines that `fill` ends, behind some steps; what they define is not known outside."""
        outer, known = self.lines, list(self.known)
        self.lines, self.depth = [], self.depth + 1
        for _ in range(self.below(most)):
            self.step()
        fill()
        text = "\n".join(self.lines)
        self.lines, self.known, self.depth = outer, known, self.depth - 1
        return text

    def ending(self, kinds: list[str], name: str = "scf.yield") -> None:
        values = [self.value(kind) for kind in kinds]
        self.lines.append(f"{name} {', '.join(values)} : {', '.join(kinds)}")

    def results(self, kinds: list[str], text: str) -> None:
        name = self.name()
        self.lines.append(f"{name}:{len(kinds)} = {text}" if kinds else text)
        self.known += [(f"{name}#{n}", kind) for n, kind in enumerate(kinds)]

    def kinds(self) -> list[str]:
        return [self.pick([*_WIDTHS, *_FLOATS]) for _ in range(1 + self.below(3))]

    def branch(self, test: str | None = None, most: int = 4) -> None:
        test, kinds = test or self.value("i1"), self.kinds()
        one, other = (self.region(lambda: self.ending(kinds), n) for n in (4, most))
        types = ", ".join(kinds)
        self.results(kinds, f"scf.if {test} -> ({types}) {{\n{one}\n}} else {{\n{other}\n}}")

    def loop_for(self) -> None:
        kinds, name, at = self.kinds(), self.name(), self.name()
        given = [f"%c{name[1:]}_{n}" for n in range(len(kinds))]
        taken = ", ".join(f"{g} = {self.value(k)}" for g, k in zip(given, kinds, strict=True))
        low, high, step = (self.name() for _ in range(3))
        first = self.below(5) - 2
        for each, number in ((low, first), (high, first + self.below(4)), (step, 1)):
            self.lines.append(f"{each} = arith.constant {number} : index")
        known = list(self.known)
        self.known += [(at, "index"), *zip(given, kinds, strict=True)]
        body = self.region(lambda: self.ending(kinds))
        self.known = known
        self.results(
            kinds,
            f"scf.for {at} = {low} to {high} step {step} iter_args({taken}) -> "
            f"({', '.join(kinds)}) {{\n{body}\n}}",
        )

    def loop_while(self) -> None:
        """A loop of few turns, whose condition passes some values twice."""
        kinds, mark = ["i64", *self.kinds()], self.name()[1:]
        before = [f"%b{mark}_{n}" for n in range(len(kinds))]
        start, limit = self.name(), self.name()
        self.lines += [
            f"{start} = arith.constant {self.below(3)} : i64",
            f"{limit} = arith.constant {self.below(5)} : i64",
        ]
        inits = [start, *(self.value(kind) for kind in kinds[1:])]
        passed: list[Value] = []
        known = list(self.known)
        self.known += list(zip(before, kinds, strict=True))

        def condition() -> None:
            more = self.line("i1", f"arith.cmpi slt, {before[0]}, {limit} : i64")
            for most in [4, 1][: self.below(3)]:
                # Without ops in the second branch, upstream moves the first into the body.
                self.branch(more, most)
                passed.append(self.known[-1])
            for kind in [*kinds[1:], *self.kinds()]:
                passed.append((self.value(kind), kind))
            passed.extend(self.pick(passed) for _ in range(self.below(3)))
            passed.insert(0, (before[0], "i64"))
            values, types = (", ".join(part) for part in zip(*passed, strict=True))
            self.lines.append(f"scf.condition({more}) {values} : {types}")

        test = self.region(condition, 2)
        after = [(f"%d{mark}_{n}", kind) for n, (_, kind) in enumerate(passed)]
        self.known = [*known, *after]

        def next_turn() -> None:
            one, more = self.name(), self.name()
            self.lines += [
                f"{one} = arith.constant 1 : i64",
                f"{more} = arith.addi {after[0][0]}, {one} : i64",
            ]
            values = [more, *(self.value(kind) for kind in kinds[1:])]
            self.lines.append(f"scf.yield {', '.join(values)} : {', '.join(kinds)}")

        body = self.region(next_turn)
        self.known = known
        given = [kind for _, kind in passed]
        taken = ", ".join(f"{a} = {b}" for a, b in zip(before, inits, strict=True))
        block = ", ".join(f"{name}: {kind}" for name, kind in after)
        self.results(
            given,
            f"scf.while ({taken}) : ({', '.join(kinds)}) -> ({', '.join(given)}) {{\n{test}\n}} do "
            f"{{\n^bb0({block}):\n{body}\n}}",
        )

    def text(self) -> str:
        chosen = [each for each in self.known[-12:] if each[1] not in (_COMPLEX, "i1")]
        taken = ", ".join(f"{name}: {kind}" for name, kind in self.arguments)
        values, kinds = (", ".join(part) for part in zip(*chosen, strict=True))
        body = "\n".join([*self.lines, f"return {values} : {kinds}"])
        return f"func.func @f({taken}) -> ({kinds}) {{\n{body}\n}}\n"


_DTYPES = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "index": np.int64, **_FLOATS}


def check(seed: int, number: int) -> str:
    """What is wrong with case `number`; empty if nothing is."""
    program = _Program(np.random.default_rng([seed, number]))
    for _ in range(4 + program.below(14)):
        program.step()
    text = program.text()
    values = [_DTYPES[kind](program.number(kind)) for _, kind in program.arguments]
    expected = None
    try:
        with dialect.context(), ir.Location.unknown(), np.errstate(all="ignore"):
            given = [np.asarray(value) for value in values]
            expected = reference_run.run(ir.Module.parse(text), "f", given)
    except UndefinedBehavior:
        pass
    found = execution.compile(text, threads=1)(*values)
    found = found if isinstance(found, tuple) else (found,)
    for place, (got, want) in enumerate(zip(found, expected or found, strict=True)):
        if not np.array_equal(np.asarray(got), np.asarray(want), equal_nan=True):
            return f"result {place}: {got}; expected {want}\n{text}  {values}"
    return ""


if __name__ == "__main__":
    sys.exit(campaign(__doc__, check, "programs of scalars", "wrong"))
