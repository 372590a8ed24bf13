"""Random functions in the constructs that the prover reads, and random changes of their text."""

import random
import re
from collections.abc import Callable

V, M, I, F = "tensor<?xi32>", "tensor<?x?xi32>", "tensor<?x1xi32>", "tensor<?xf32>"  # noqa: E741
ARGUMENTS = {
    "%x": V, "%y": V, "%m": M, "%i": I, "%v": F, "%w": F,
    "%s": "i32", "%t": "i32", "%c": "i1", "%n": "index",
}  # fmt: skip
# Of vectors and of the memory that they are read from and written to.
W, K, G, P = "vector<4xi32>", "vector<4xi1>", "vector<4xf32>", "memref<?xi32>"
LANES = {"%g": W, "%h": W, "%u": G, "%l": G, "%from": P, "%into": P}
LANES_HEADER = f"""  %c4 = arith.constant 4 : index
  %on = vector.create_mask %n : {K}
  %five4 = vector.broadcast %five : i32 to {W}
  %step = vector.step : vector<4xindex>
  %steps = arith.index_cast %step : vector<4xindex> to {W}
"""
HEADER = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %dx = tensor.dim %x, %c0 : tensor<?xi32>
  %dm = tensor.dim %m, %c1 : tensor<?x?xi32>
"""
CALLED = """func.func private @called(%a: i32, %b: i32) -> i32 {
  %r = arith.subi %a, %b : i32
  %q = arith.muli %r, %r : i32
  func.return %q : i32
}
"""
INTEGERS = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minui", "shli", "shrsi",
            "divsi", "remui", "divui")  # fmt: skip
FLAGGED = ("addi", "subi", "muli", "shli")
FLOATS = ("addf", "subf", "mulf", "maximumf", "minimumf", "divf")
FAST = ("", "", " fastmath<nnan>", " fastmath<reassoc>", " fastmath<contract>", " fastmath<ninf>")
PREDICATES = ("eq", "ne", "slt", "sge", "ult", "uge")
MODES = ("", " mode(clip)", " mode(fill)", " mode(error)", " wrap_negative")


class Writer:
    """One function: lines, and the values that they may use, by type."""

    def __init__(self, seed: int, with_lanes: bool = False) -> None:
        self.choice = random.Random(seed)
        self.statements = (*STATEMENTS, *LANES_STATEMENTS * 3) if with_lanes else STATEMENTS
        self.lines: list[str] = []
        self.values: dict[str, list[str]] = {}
        self.count = 0
        self.arguments = {**ARGUMENTS, **LANES} if with_lanes else ARGUMENTS
        for name, type_ in self.arguments.items():
            self.values.setdefault(type_, []).append(name)
        self.values["i32"] += ["%zero", "%one", "%five"]
        self.values["index"] += ["%c0", "%c1", "%dx"]
        self.values.update({K: ["%on"], W: [*self.values.get(W, []), "%five4", "%steps"]})

    def pick(self, type_: str) -> str:
        """A value, a new one rather than an argument."""
        known = self.values[type_]
        return known[-1] if self.choice.random() < 0.4 else self.choice.choice(known)

    def new(self) -> str:
        self.count += 1
        return f"%r{self.count}"

    def emit(self, text: str, type_: str) -> str:
        name = self.new()
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(type_, []).append(name)
        return name

    def scalar(self, a: str, b: str) -> str:
        """An op of i32 on two values."""
        kind = self.choice.choice(INTEGERS)
        if kind in ("divsi", "remui", "divui") and self.choice.random() < 0.6:
            b = self.choice.choice(["%five", "%one"])
        flags = ["", "", " overflow<nsw>", " overflow<nuw>"] if kind in FLAGGED else [""]
        return f"arith.{kind} {a}, {b}{self.choice.choice(flags)} : i32"

    def body(self, arguments: list[str], end: str, depth: int = 2) -> str:
        """Lines of a body on i32 that end in `end` of the last value."""
        known, lines = list(arguments), []
        for _ in range(self.choice.randint(1, depth)):
            name = self.new()
            a = known[-1]
            b = self.choice.choice([*known, "%one", "%s"])
            lines.append(f"    {name} = {self.scalar(a, b)}")
            known.append(name)
        return "\n".join([*lines, f"    {end} {known[-1]} : i32"])

    def statement(self) -> None:
        getattr(self, self.choice.choice(self.statements))()

    def numbers(self) -> None:
        self.emit(self.scalar(self.pick("i32"), self.pick("i32")), "i32")

    def tensors(self) -> None:
        kind = self.choice.choice(INTEGERS[:8])
        flag = self.choice.choice(["", "", " overflow<nsw>"]) if kind in FLAGGED else ""
        self.emit(f"arith.{kind} {self.pick(V)}, {self.pick(V)}{flag} : {V}", V)

    def floats(self) -> None:
        fast = self.choice.choice(FAST)
        kind = self.choice.choice(FLOATS)
        self.emit(f"arith.{kind} {self.pick(F)}, {self.pick(F)}{fast} : {F}", F)

    def compare(self) -> None:
        predicate = self.choice.choice(PREDICATES)
        self.emit(f"arith.cmpi {predicate}, {self.pick('i32')}, {self.pick('i32')} : i32", "i1")

    def select(self) -> None:
        type_ = self.choice.choice(["i32", "index"])
        self.emit(f"arith.select {self.pick('i1')}, {self.pick(type_)}, {self.pick(type_)} : "
                  f"{type_}", type_)  # fmt: skip

    def index(self) -> None:
        kind = self.choice.choice(["addi", "subi", "minsi", "maxsi"])
        self.emit(f"arith.{kind} {self.pick('index')}, {self.pick('index')} : index", "index")

    def extract(self) -> None:
        self.emit(f"tensor.extract {self.pick(V)}[{self.pick('index')}] : {V}", "i32")

    def insert(self) -> None:
        self.emit(f"tensor.insert {self.pick('i32')} into {self.pick(V)}[{self.pick('index')}] : "
                  f"{V}", V)  # fmt: skip

    def slice(self) -> None:
        self.emit(f"tensor.extract_slice {self.pick(V)}[{self.pick('index')}] "
                  f"[{self.pick('index')}] [{self.choice.choice([1, 2])}] : {V} to {V}",
                  V)  # fmt: skip

    def put(self) -> None:
        self.emit(f"tensor.insert_slice %y into {self.pick(V)}[{self.pick('index')}] [%c1] [1] : "
                  f"{V} into {V}", V)  # fmt: skip

    def pad(self) -> None:
        inner = self.body(["%one"], "tensor.yield")
        low = self.choice.choice(["0", "1", "%c2"])
        text = f"tensor.pad {self.pick(V)} low[{low}] high[1] {{\n  ^bb0(%a: index):\n{inner}\n  }}"
        self.emit(f"{text} : {V} to {V}", V)

    def generate(self) -> None:
        name = self.new()
        inner = self.body([name], "tensor.yield")
        self.emit(f"tensor.generate %dx {{\n  ^bb0(%a: index):\n    {name} = tensor.extract "
                  f"{self.pick(V)}[%a] : {V}\n{inner}\n  }} : {V}", V)  # fmt: skip

    def gather(self) -> None:
        mode = self.choice.choice(MODES)
        extra = self.choice.choice(["", "", " unique", " sorted"])
        self.emit(f"gs.gather {self.pick(V)}[{self.pick(I)}] gather_dims([0]){extra}{mode} : "
                  f"({V}, {I}) -> {V}", V)  # fmt: skip

    def scatter(self) -> None:
        mode = self.choice.choice(["", " mode(drop)", " mode(clip)"])
        unique = self.choice.choice([" unique", ""])
        body = ""
        if not unique:
            body = f" {{\n  ^bb0(%p: i32, %q: i32):\n{self.body(['%p', '%q'], 'gs.yield')}\n  }}"
        self.emit(f"gs.scatter {self.pick(V)} into {self.pick(V)}[%i] scatter_dims([0]){unique}"
                  f"{mode} : ({V}, {V}, {I}) -> {V}{body}", V)  # fmt: skip

    def reduce(self) -> None:
        dims = self.choice.choice(["i, j", "j, i"])
        kinds = "i = parallel, j = reduction"
        body = self.body(["%q", "%p"], "gs.yield", 1)
        self.emit(f"gs.generic ({dims}) ins(%m[i, j]) outs({self.pick(V)}[i]) iterators({kinds}) : "
                  f"({M}, {V}) -> {V} {{\n  ^bb0(%p: i32, %q: i32):\n{body}\n  }}", V)  # fmt: skip

    def two(self) -> None:
        dims = self.choice.choice(["i, j", "j, i"])
        other = self.choice.choice(["%p", "%p", "%q", "%n1"])
        kinds = "i = reduction, j = reduction"
        name = self.new()
        self.lines.append(
            f"  {name}:2 = gs.generic ({dims}) ins(%m[i, j]) outs(%z0[], %z0[]) iterators({kinds})"
            " : (tensor<?x?xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {\n"
            f"  ^bb0(%p: i32, %q: i32, %o: i32):\n    %n1 = arith.addi %q, %p : i32\n"
            f"    %n2 = arith.addi %o, {other} : i32\n    gs.yield %n1, %n2 : i32, i32\n  }}"
        )
        self.emit(f"tensor.extract {name}#1[] : tensor<i32>", "i32")

    def masked(self) -> None:
        body = self.body(["%q", "%p"], "gs.yield", 2)
        self.emit("gs.generic (a) [k = %k[a] mode(fill_or_drop)] ins(%y[a]) outs("
                  f"{self.pick(V)}[k]) iterators(a = reduction) : ({V}, {V}, {V}) -> {V} {{\n"
                  f"  ^bb0(%p: i32, %q: i32):\n{body}\n  }}".replace("%k", "%x"), V)  # fmt: skip

    def linalg(self) -> None:
        body = self.body(["%p", "%q"], "linalg.yield")
        maps = ", ".join(["affine_map<(a) -> (a)>"] * 2)
        self.emit(f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]'
                  f"}} ins({self.pick(V)} : {V}) outs({self.pick(V)} : {V}) {{\n"
                  f"  ^bb0(%p: i32, %q: i32):\n{body}\n  }} -> {V}", V)  # fmt: skip

    def branch(self) -> None:
        name, condition = self.new(), self.pick("i1")
        kind = self.choice.choice(["i32", V])
        if kind == V:
            # Under a promise that holds in this branch alone.
            one = (f"    {name}a = gs.scatter %y into %x[%i] scatter_dims([0]) unique mode(drop) : "
                   f"({V}, {V}, {I}) -> {V}\n    scf.yield {name}a : {V}")  # fmt: skip
        else:
            one = self.body([self.pick("i32")], "scf.yield")
        self.emit(f"scf.if {condition} -> {kind} {{\n{one}\n  }} else {{\n"
                  f"    scf.yield {self.pick(kind)} : {kind}\n  }}", kind)  # fmt: skip

    def loop(self) -> None:
        """Elements written one by one, some under a condition."""
        at = self.choice.choice(["%a", "%a", "%c0"])
        new, old = self.new(), self.new()
        inner = self.body([old, new], "scf.yield").rsplit("\n", 1)
        last = inner[1].split()[1]
        wanted = f"    {new}w = tensor.insert {last} into %t0[{at}] : {V}\n"
        if self.choice.random() < 0.4:
            wanted = (f"    {new}p = arith.cmpi slt, {old}, {last} : i32\n"
                      f"    {new}w = scf.if {new}p -> {V} {{\n"
                      f"      {new}u = tensor.insert {last} into %t0[{at}] : {V}\n"
                      f"      scf.yield {new}u : {V}\n    }} else {{\n      scf.yield %t0 : {V}\n"
                      "    }\n")  # fmt: skip
        self.emit(f"scf.for %a = %c0 to %dx step %c1 iter_args(%t0 = {self.pick(V)}) -> ({V}) {{\n"
                  f"    {new} = tensor.extract %y[%a] : {V}\n"
                  f"    {old} = tensor.extract %t0[{at}] : {V}\n{inner[0]}\n{wanted}"
                  f"    scf.yield {new}w : {V}\n  }}", V)  # fmt: skip

    def total(self) -> None:
        """A number that loops carry."""
        name = self.new()
        inner = self.body(["%t0", name], "scf.yield")
        self.emit(f"scf.for %a = %c0 to %dx step %c1 iter_args(%t0 = {self.pick('i32')}) -> (i32) "
                  f"{{\n    {name} = tensor.extract {self.pick(V)}[%a] : {V}\n{inner}\n  }}",
                  "i32")  # fmt: skip

    def call(self) -> None:
        self.emit(f"func.call @called({self.pick('i32')}, {self.pick('i32')}) : (i32, i32) -> i32",
                  "i32")  # fmt: skip

    def asserted(self) -> None:
        self.lines.append(f'  cf.assert {self.pick("i1")}, "no"')

    def fma(self) -> None:
        fast, kind = self.choice.choice(FAST), self.choice.choice(["math.fma"] * 2 + ["mulf"])
        a, b, c = (self.pick(F) for _ in range(3))
        if kind == "mulf":
            a, b = self.emit(f"arith.mulf {a}, {b}{fast} : {F}", F), c
            self.emit(f"arith.addf {a}, {b}{fast} : {F}", F)
            return
        self.emit(f"math.fma {a}, {b}, {c}{fast} : {F}", F)

    def lanes(self) -> None:
        kind = self.choice.choice(INTEGERS[:10])
        flag = self.choice.choice(["", "", " overflow<nsw>"]) if kind in FLAGGED else ""
        self.emit(f"arith.{kind} {self.pick(W)}, {self.pick(W)}{flag} : {W}", W)

    def float_lanes(self) -> None:
        a, b, c = (self.pick(G) for _ in range(3))
        self.emit(self.choice.choice([f"vector.fma {a}, {b}, {c} : {G}",
                                      f"arith.mulf {a}, {b} : {G}", f"arith.addf {a}, {b} : {G}",
                                      f"math.fma {a}, {b}, {c} : {G}"]), G)  # fmt: skip

    def mask(self) -> None:
        predicate = self.choice.choice(PREDICATES)
        self.emit(self.choice.choice([
            f"vector.create_mask {self.pick('index')} : {K}",
            f"arith.cmpi {predicate}, {self.pick(W)}, {self.pick(W)} : {W}",
            f"arith.xori {self.pick(K)}, {self.pick(K)} : {K}",
        ]), K)  # fmt: skip

    def blend(self) -> None:
        self.emit(f"arith.select {self.pick(K)}, {self.pick(W)}, {self.pick(W)} : {K}, {W}", W)

    def read_lanes(self) -> None:
        at = self.choice.choice(["%c0", self.pick("index")])
        mask, other = self.pick(K), self.pick(W)
        memory = self.choice.choice(["%from", "%into"])
        self.emit(self.choice.choice([
            f"vector.load {memory}[{at}] : {P}, {W}",
            f"vector.maskedload {memory}[{at}], {mask}, {other} : {P}, {K}, {W} into {W}",
            f"vector.gather {memory}[{at}] [{self.pick(W)}], {mask}, {other} : {P}, {W}, {K}, {W} "
            f"into {W}",
        ]), W)  # fmt: skip

    def write_lanes(self) -> None:
        at, mask, what = self.choice.choice(["%c0", self.pick("index")]), self.pick(K), self.pick(W)
        self.lines.append("  " + self.choice.choice([
            f"vector.store {what}, %into[{at}] : {P}, {W}",
            f"vector.maskedstore %into[{at}], {mask}, {what} : {P}, {K}, {W}",
            f"vector.scatter %into[{at}] [{self.pick(W)}], {mask}, {what} : {P}, {W}, {K}, {W}",
        ]))  # fmt: skip

    def loop_of_lanes(self) -> None:
        """Vectors of a row, the last one under a mask."""
        end, new = self.choice.choice(["%n", "%dx"]), self.new()
        kind = self.choice.choice(INTEGERS[:8])
        source = self.choice.choice(["%from", "%from", "%into"])
        self.lines.append(
            f"  scf.for %a = %c0 to {end} step %c4 {{\n    {new}l = arith.subi {end}, %a : index\n"
            f"    {new}m = vector.create_mask {new}l : {K}\n    {new}v = vector.maskedload "
            f"{source}[%a], {new}m, {self.pick(W)} : {P}, {K}, {W} into {W}\n    {new}w = "
            f"arith.{kind} {new}v, {self.pick(W)} : {W}\n"
            f"    vector.maskedstore %into[%a], {new}m, {new}w : {P}, {K}, {W}\n  }}"
        )


STATEMENTS = (
    *("numbers", "numbers", "tensors", "tensors", "floats", "compare", "select", "index"),
    *("extract", "insert", "slice", "put", "pad", "generate", "gather", "scatter", "reduce", "two"),
    *("masked", "linalg", "branch", "loop", "total", "call", "asserted", "fma"),
)
LANES_STATEMENTS = (
    *("lanes", "float_lanes", "mask", "blend", "read_lanes", "write_lanes", "loop_of_lanes"),
)


def function(seed: int, with_lanes: bool = False) -> str:
    """The text of a random module; `with_lanes`: mostly of vectors."""
    writer = Writer(seed, with_lanes)
    for _ in range(writer.choice.randint(2, 6)):
        writer.statement()
    results = []
    for type_ in (*((W, G, K) if with_lanes else ()), V, "i32", F):
        if writer.choice.random() < 0.7 or not results:
            results.append((writer.values[type_][-1], type_))
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in writer.arguments.items())
    arguments = arguments.replace(P, f"{P} {{llvm.noalias}}")
    header = HEADER + (LANES_HEADER if with_lanes else "")
    names, types = (", ".join(each) for each in zip(*results, strict=True))
    lines = "\n".join(writer.lines)
    zero = "  %z0 = tensor.from_elements %s : tensor<i32>\n"
    return (f"{CALLED}func.func @f({arguments}) -> ({types}) {{\n{header}{zero}{lines}\n"
            f"  return {names} : {types}\n}}\n")  # fmt: skip


def _swapped(match: re.Match[str], _: random.Random) -> str:
    return f"{match[1]}{match[3]}, {match[2]}"


def _one_of(*words: str) -> Callable[[re.Match[str], random.Random], str]:
    return lambda _, choice: choice.choice(words)


_KINDS = "|".join(INTEGERS)
CHANGES: list[tuple[str, Callable[[re.Match[str], random.Random], str]]] = [
    (rf"arith\.({_KINDS}) ", lambda _, choice: f"arith.{choice.choice(INTEGERS)} "),
    (r"(arith\.\w+ )(%[\w#]+), (%[\w#]+)", _swapped),
    (r"(arith\.\w+ )(%[\w#]+), (%[\w#]+)", _swapped),
    (r" overflow<\w+>", _one_of("", " overflow<nsw>", " overflow<nuw>")),
    (r"(?<=arith\.addi )(%\w+, %\w+)(?= : )", lambda m, _: f"{m[1]} overflow<nsw>"),
    (r"(?<=arith\.)(addf|mulf|subf|maximumf|minimumf)", _one_of(*FLOATS)),
    (r" fastmath<\w+>", _one_of(*FAST)),
    (r"cmpi \w+", lambda _, choice: f"cmpi {choice.choice(PREDICATES)}"),
    (r" (unique|sorted)(?= )", _one_of("")),
    (r" mode\((clip|fill|error)\)", _one_of(*MODES[:4])),
    (r" mode\(drop\)", _one_of("", " mode(clip)")),
    (r"\((i|j), (i|j)\) ins", lambda m, _: f"({m[2]}, {m[1]}) ins"),
    (r"step %c1", _one_of("step %c2")),
    (r"= %c0 to", _one_of("= %c1 to")),
    (r"%(zero|one|five)\b(?! =)", _one_of("%zero", "%one", "%five", "%s")),
    (r"\[%(c0|c1|dx|a)\]", _one_of("[%c0]", "[%c1]")),
    (r"%x\b(?=[\[,])", _one_of("%y")),
    (r"low\[\S+\]", _one_of("low[0]", "low[1]", "low[2]")),
    (r"(?<=from_elements )%s", _one_of("%t", "%zero")),
    (r"arith\.select (%\w+), (%\w+), (%\w+)", lambda m, _: f"arith.select {m[1]}, {m[3]}, {m[2]}"),
    (r"(%a: i32, )(%b)", lambda m, _: "%b: i32, %a"),
    (r'  cf\.assert .*\n', _one_of("")),
    (r"    memref\.(copy|store) .*\n", _one_of("")),
    (r"(memref\.copy )(%\w+), (%\w+)", _swapped),
    (r"(?<=memref\.store )(%\w+), %\w+", lambda m, _: f"{m[1]}, %arg0"),
    (r"((?:vector|math)\.fma %\w+, )(%\w+), (%\w+)", _swapped),
    (r"(?<=create_mask )%\w+", _one_of("%n", "%dx", "%c1", "%c4")),
    (r"(?<=\], )%\w+(?=, %)", _one_of("%on")),
    (r"(vector\.(?:masked)?load )%\w+", lambda m, _: f"{m[1]}%into"),
    (r"  vector\.(masked)?s(tore|catter) .*\n", _one_of("")),
    (r"step %c4", _one_of("step %c2", "step %c1")),
    (r"%n1(?= : i32\n)", _one_of("%p", "%q")),
]  # fmt: skip


def changed(text: str, choice: random.Random) -> str:
    """`text` with one place changed, behind the constants; itself where nothing was found."""
    for _ in range(20):
        pattern, new = choice.choice(CHANGES)
        places = [m for m in re.finditer(pattern, text) if m.start() > len(CALLED) or "%b" in m[0]]
        if places:
            place = choice.choice(places)
            found = text[: place.start()] + new(place, choice) + text[place.end() :]
            if found != text:
                return found
    return text


def hoisted(text: str, choice: random.Random) -> str:
    """What a branch computes first is computed before the branch."""
    found = re.search(r"(  %\w+ = scf\.if [^\n]*\{\n)(    %\w+ = (?:arith|gs)[^\n]*\n)", text)
    return text.replace(found[0], found[2] + found[1], 1) if found else changed(text, choice)
