"""Random loops that read and write through coordinates, with arguments for which they are defined.

Where a place is tested, clamped, wrapped or masked, its coordinates may be any numbers; elsewhere
they are in bounds. Now and then two memrefs are the same array, or have one memory.
"""

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from raised_conditions import guarded_reads

WIDE = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64,
        "f32": np.float32, "f64": np.float64, "i1": np.bool_}  # fmt: skip
_SUMS = {"f": ("addf", "mulf", "maximumf", "subf"), "i": ("addi", "muli", "maxsi", "xori")}


@dataclass
class Counter:
    """A loop: the name of its counter, its first, its end and its step, and its last value."""

    name: str
    lower: int
    upper: int
    step: int

    @property
    def values(self) -> range:
        return range(self.lower, self.upper, self.step)

    @property
    def most(self) -> int:
        return max(self.values, default=0)


@dataclass
class Program:
    """The text of a function `f`, and what it is called with."""

    draw: random.Random
    given: list[tuple[str, str, Any]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    names: int = 0
    depth: int = 1
    on_tensors: bool = False

    # Text.

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def op(self, text: str) -> str:
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def open(self, text: str) -> None:
        self.line(text + " {")
        self.depth += 1

    def close(self, *ends: str) -> None:
        for end in ends:
            self.line(end)
        self.depth -= 1
        self.line("}")

    def number(self, value: int, type_: str = "index") -> str:
        return self.op(f"arith.constant {value} : {type_}")

    # Arguments.

    def argument(self, element: str, array: np.ndarray, *, dynamic: bool | None = None) -> str:
        name = f"%a{len(self.given)}"
        dynamic = self.draw.random() < 0.6 if dynamic is None else dynamic
        shape = "".join("?x" if dynamic else f"{n}x" for n in array.shape)
        kind = "tensor" if self.on_tensors else "memref"
        self.given.append((name, f"{kind}<{shape}{element}>", array))
        return name

    def type_of(self, name: str) -> str:
        return next(type_ for given, type_, _ in self.given if given == name)

    def array_of(self, name: str) -> Any:
        return next(array for given, _, array in self.given if given == name)

    def data(self, element: str, shape: tuple[int, ...]) -> np.ndarray:
        seed = self.draw.randrange(1 << 30)
        made = np.random.default_rng(seed).integers(-9, 10, shape)
        return (made / 3 if element.startswith("f") else made).astype(WIDE[element])

    # Places.

    def load(self, name: str, places: list[str]) -> str:
        where = ", ".join(places)
        op = "tensor.extract" if self.on_tensors else "memref.load"
        return self.op(f"{op} {name}[{where}] : {self.type_of(name)}")

    def affine_place(self, counters: list[Counter]) -> tuple[str, int]:
        """A number of the counters, and what it is less than."""
        draw = self.draw
        one = draw.choice(counters)
        kind = draw.randrange(8)
        if kind < 4:
            return one.name, one.most + 1
        if kind == 4:
            by = draw.randint(1, 3)
            return self.op(f"arith.addi {one.name}, {self.number(by)} : index"), one.most + by + 1
        if kind == 5:
            by = draw.randint(1, 3)
            return self.op(f"arith.muli {one.name}, {self.number(by)} : index"), one.most * by + 1
        if kind == 6 and len(counters) > 1:
            other = draw.choice([c for c in counters if c is not one])
            total = self.op(f"arith.addi {one.name}, {other.name} : index")
            return total, one.most + other.most + 1
        by = draw.randint(2, 3)
        if draw.random() < 0.5:
            return self.op(f"arith.remui {one.name}, {self.number(by)} : index"), by
        return self.op(f"arith.divui {one.name}, {self.number(by)} : index"), one.most // by + 1

    def loaded(
        self, counters: list[Counter], size: int, mask: Any, tests: bool = True
    ) -> tuple[str, str]:
        """A coordinate into `size` places, and the test that goes with it, or ""; where `mask` is
        given, (counter, array): it may be any number where that does not hold."""
        draw = self.draw
        element = draw.choice(["i32", "i64", "index", "i16", "i8"])
        limit = np.iinfo(WIDE[element])
        kind = draw.choice(
            ["plain"] * 4 + ["clip", "wrap", "chain", "both", "unsigned"] + ["test"] * tests
            + ["assert"] * (mask is None)
        )  # fmt: skip
        if kind == "chain" and size:
            middle = draw.randint(1, 9)
            inner, _ = self.loaded(counters, middle, None, False)
            made = self.coordinates((middle,), 0, size, element)
            return self.as_index(self.load(self.argument(element, made), [inner]), element), ""
        rank = draw.choice([1, 1, 2]) if len(counters) > 1 else 1
        places, extents = zip(*(self.affine_place(counters) for _ in range(rank)), strict=True)
        low, high = 0, size
        if kind in ("clip", "test"):
            low, high = -size - 3, 2 * size + 4
        elif kind in ("wrap", "both"):
            low = -size if kind == "wrap" else -size - 2
            high = size if kind == "wrap" else size + 3
        if mask is not None and rank == 1 and places[0] == mask[0]:
            made = self.coordinates(extents, low, high, element)
            wrong = np.random.default_rng(draw.randrange(99)).integers(-99, 99, extents)
            made = np.where(mask[1][: extents[0]], made, wrong.astype(made.dtype))
        elif mask is not None:
            return self.loaded(counters, size, None)
        else:
            made = self.coordinates(extents, low, high, element)
        made = np.clip(made, limit.min, limit.max).astype(WIDE[element])
        name = self.argument(element, made)
        found = self.load(name, list(places))
        if kind == "unsigned" and element != "index" and mask is None:
            return self.op(f"arith.index_castui {found} : {element} to index"), ""
        found = self.as_index(found, element)
        if kind == "assert":
            for predicate, bound in (("slt", size), ("sge", 0)):
                test = f"arith.cmpi {predicate}, {found}, {self.number(bound)} : index"
                self.line(f'cf.assert {self.op(test)}, "out of bounds"')
        if kind in ("wrap", "both"):
            zero = self.number(0)
            asked = self.op(f"arith.cmpi slt, {found}, {zero} : index")
            more = self.op(f"arith.addi {found}, {self.number(size)} : index")
            found = self.op(f"arith.select {asked}, {more}, {found} : index")
        if kind in ("clip", "both"):
            least, most = self.number(0), self.number(size - 1)
            found = self.op(f"arith.minsi {found}, {most} : index")
            return self.op(f"arith.maxsi {found}, {least} : index"), ""
        if kind == "test":
            if draw.random() < 0.5:
                return found, self.op(f"arith.cmpi ult, {found}, {self.number(size)} : index")
            one = self.op(f"arith.cmpi sge, {found}, {self.number(0)} : index")
            two = self.op(f"arith.cmpi slt, {found}, {self.number(size)} : index")
            return found, self.op(f"arith.andi {one}, {two} : i1")
        return found, ""

    def coordinates(self, shape: Any, low: int, high: int, element: str) -> np.ndarray:
        high = max(high, low + 1)
        seed = self.draw.randrange(1 << 30)
        limit = np.iinfo(WIDE[element])
        made = np.random.default_rng(seed).integers(low, high, shape)
        return np.clip(made, limit.min, limit.max).astype(WIDE[element])

    def as_index(self, value: str, element: str) -> str:
        if element == "index":
            return value
        return self.op(f"arith.index_cast {value} : {element} to index")

    def place(self, counters: list[Counter], mask: Any) -> tuple[str, int, str]:
        """A place in a dimension, the size of that, and a test or ""."""
        if self.draw.random() < 0.45:
            found, size = self.affine_place(counters)
            return found, size + self.draw.choice([0, 0, 2]), ""
        size = self.draw.randint(1, 12)
        found, test = self.loaded(counters, size, mask)
        if test or self.draw.random() < 0.75:
            return found, size, test
        width = self.draw.randint(1, 5)
        inner, inner_size = self.affine_place(counters)
        row = self.op(f"arith.muli {found}, {self.number(width)} : index")
        total = self.op(f"arith.addi {row}, {inner} : index")
        return total, (size - 1) * width + inner_size, ""


def program(seed: int) -> Program:
    """The program of a seed."""
    draw = random.Random(seed)
    made = Program(draw, on_tensors=draw.random() < 0.3)
    element = draw.choice(["f32", "f64", "i32", "i64"])
    counters: list[Counter] = []
    carries = draw.random() < 0.25
    rank = 0 if carries else draw.choice([1, 1, 2])
    for depth in range(draw.choice([1, 1, 2, 2, 3])):
        lower, step = draw.choice([0, 0, 0, 1, 2]), draw.choice([1, 1, 1, 2])
        upper = lower + draw.choice([0, 1, 2, 3, 5, 8]) if draw.random() < 0.95 else lower - 2
        counters.append(Counter(f"%i{depth}", lower, upper, step))
    mask = None
    if draw.random() < 0.3:
        size = counters[0].most + 1
        mask = (counters[0].name, np.random.default_rng(seed).random(size) < 0.6)
    bounds = []
    for counter in counters:
        if draw.random() < 0.3 and counter.lower == 0:
            upper = f"%n{len(bounds)}"
            made.given.append((upper, "index", counter.upper))
        else:
            upper = made.number(counter.upper)
        bounds.append((made.number(counter.lower), upper, made.number(counter.step)))
    zero = made.number(draw.choice([0, 1, 3]), element) if element.startswith("i") else made.op(
        f"arith.constant {draw.choice(['0.0', '1.0', '0.25'])} : {element}"
    )  # fmt: skip
    target = ""
    body = Program(draw, made.given, [], names=1000, depth=1, on_tensors=made.on_tensors)
    _body(body, counters, element, rank, mask)
    target = body.ends.pop() if not carries else ""
    carried = zero if carries else target
    type_ = element if carries else body.type_of(target)
    carrying = carries or made.on_tensors
    form = (
        draw.choice(["for", "for", "for", "affine", "parallel", "forall"])
        if not carrying
        else "for"
    )
    inits: list[str] = []
    for depth, (counter, (lower, upper, step)) in enumerate(zip(counters, bounds, strict=True)):
        if carrying:
            result = f"%r{depth}"
            outer = carried if depth == 0 else f"%c{depth - 1}"
            made.open(
                f"{result} = scf.for {counter.name} = {lower} to {upper} step {step} "
                f"iter_args(%c{depth} = {outer}) -> ({type_})"
            )
            inits.append(result)
        elif form == "affine" and upper.startswith("%v"):
            head = f"affine.for {counter.name} = {counter.lower} to {max(counter.upper, 0)}"
            made.open(f"{head} step {counter.step}")
        elif form == "parallel":
            made.open(f"scf.parallel ({counter.name}) = ({lower}) to ({upper}) step ({step})")
        elif form == "forall":
            made.open(f"scf.forall ({counter.name}) = ({lower}) to ({upper}) step ({step})")
        else:
            made.open(f"scf.for {counter.name} = {lower} to {upper} step {step}")
    last = f"%c{len(counters) - 1}"
    for text in body.lines:
        text = text.replace("%carried", last).replace("%start", target)
        made.lines.append("  " * (made.depth - 1) + text)
    for depth in reversed(range(len(counters))):
        if carrying:
            value = body.ends[0] if depth == len(counters) - 1 else f"%r{depth + 1}"
            made.close(f"scf.yield {value} : {type_}")
        elif form == "parallel":
            made.close("scf.reduce")
        else:
            made.close()
    made.ends = [f"return %r0 : {type_}", type_] if carrying else ["return", ""]
    _share(made, target)
    return made


def _body(body: Program, counters: list[Counter], element: str, rank: int, mask: Any) -> None:
    """What the innermost loop does, to what `%carried` stands for; `ends` are what it yields and
    the target."""
    draw = body.draw
    sums = _SUMS[element[0]]
    test = ""
    if mask is not None:
        test = body.load(body.argument("i1", mask[1]), [mask[0]])
    places, sizes, tests = [], [], [test] if test else []
    outer = body.draw.random() < 0.5
    if not outer and test:
        tests = []
    for _ in range(rank):
        where, size, asked = body.place(counters, mask if outer else None)
        places.append(where)
        sizes.append(size)
        tests += [asked] if asked else []
    target = ""
    if rank:
        target = body.argument(element, body.data(element, tuple(sizes)))
    guard = tests[0] if tests else ""
    for each in tests[1:]:
        guard = body.op(f"arith.andi {guard}, {each} : i1")
    carries = rank == 0 or body.on_tensors
    type_ = element if rank == 0 else body.type_of(target)
    result = body.name()
    if guard and carries:
        body.open(f"{result} = scf.if {guard} -> ({type_})")
    elif guard:
        body.open(f"scf.if {guard}")
    values = []
    for _ in range(draw.randint(1, 3)):
        where, shape = [], []
        condition = ""
        for _ in range(draw.choice([1, 1, 2])):
            one, size, asked = body.place(counters, mask if guard == test and test else None)
            where.append(one)
            shape.append(size)
            condition = asked or condition
        source = body.argument(element, body.data(element, tuple(shape)))
        if condition:
            # Both places of two may be tested: then the read is left out.
            if len(where) > 1:
                continue
            inner = body.name()
            body.open(f"{inner} = scf.if {condition} -> ({element})")
            got = body.load(source, where)
            body.close(f"scf.yield {got} : {element}")
            body.lines[-1] += " else {"
            body.depth += 1
            number = "7" if element.startswith("i") else "7.5"
            other = body.op(f"arith.constant {number} : {element}")
            body.close(f"scf.yield {other} : {element}")
            values.append(inner)
        else:
            values.append(body.load(source, where))
    values += guarded_reads(body, counters, element)
    if not values:
        number = "2" if element.startswith("i") else "2.0"
        values.append(body.op(f"arith.constant {number} : {element}"))
    total = values[0]
    for each in values[1:]:
        total = body.op(f"arith.{draw.choice(sums)} {total}, {each} : {element}")
    where = ", ".join(places)
    if rank == 0:
        total = body.op(f"arith.{draw.choice(sums)} %carried, {total} : {element}")
        new = total
    elif body.on_tensors:
        if draw.random() < 0.7:
            old = body.op(f"tensor.extract %carried[{where}] : {type_}")
            total = body.op(f"arith.{draw.choice(sums)} {old}, {total} : {element}")
        new = body.op(f"tensor.insert {total} into %carried[{where}] : {type_}")
    else:
        if draw.random() < 0.7:
            old = body.load(target, places)
            total = body.op(f"arith.{draw.choice(sums)} {old}, {total} : {element}")
        body.line(f"memref.store {total}, {target}[{where}] : {type_}")
        new = ""
    if guard and carries:
        body.close(f"scf.yield {new} : {type_}")
        body.lines[-1] += " else {"
        body.depth += 1
        body.close(f"scf.yield %carried : {type_}")
        new = result
    elif guard:
        body.close()
    body.ends = [new, target] if rank else [new]


def _share(made: Program, target: str) -> None:
    """Now and then, let an array be the one that is written, or a part of its memory."""
    if made.on_tensors or not target or made.draw.random() > 0.25:
        return
    mine = made.array_of(target)
    for number, (name, type_, array) in enumerate(made.given):
        same = isinstance(array, np.ndarray) and array.dtype == mine.dtype
        if name != target and same and array.size <= mine.size and array.ndim == 1:
            shared = mine.reshape(-1)[mine.size - array.size :]
            if mine.dtype.kind == "f" or shared.size == 0:
                made.given[number] = (name, type_, shared)
                return


def text(made: Program) -> str:
    """The module of a program."""
    given = ", ".join(f"{name}: {type_}" for name, type_, _ in made.given)
    last, result = made.ends
    arrow = f" -> {result}" if result else ""
    body = "\n".join([*made.lines, f"  {last}"])
    return f"func.func @f({given}){arrow} {{\n{body}\n}}\n"
