"""Random nests of scf.for and scf.if whose loads and stores are at coordinates that are computed:
sums, products, divisions, clamps and loads, at any depth."""

from dataclasses import dataclass, field

from draw import RandomDraw, chance

ARGUMENTS = {
    "%n": "index",
    "%t": "memref<?x?xf32>",
    "%u": "memref<4x?x64xf32>",
    "%v": "memref<?xf32>",
    "%i": "memref<?xindex>",
    "%j": "memref<?x?xi32>",
    "%k": "memref<?x8xi8>",
}
_RANKS = {"%t": 2, "%u": 3, "%v": 1}
_BINARY = ("addi", "addi", "subi", "muli", "minsi", "maxsi", "floordivsi", "ceildivsi", "remui")
_DIVIDES = ("floordivsi", "ceildivsi", "remui")


@dataclass
class _Nest:
    """`known`: names of the indices that may be used here, by block, outermost first."""

    draw: RandomDraw
    known: list[list[str]]
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def emit(self, text: str, indent: str = "  ") -> str:
        """A new name for the result of an op."""
        self.names += 1
        self.lines.append(f"{indent * len(self.known)}%x{self.names} = {text}")
        return f"%x{self.names}"

    def index(self) -> str:
        """Of the blocks around, the innermost ones the more often."""
        blocks = [block for block in self.known if block]
        depth = max(self.draw.integer(0, len(blocks) - 1), self.draw.integer(0, len(blocks) - 1))
        return self.draw.choice(blocks[depth])

    def constant(self, least: int) -> str:
        return self.emit(f"arith.constant {self.draw.integer(least, 9)} : index")

    def computed(self) -> None:
        """One more index."""
        kind = self.draw.integer(0, 9)
        if kind < 2:
            found = self.emit(f"memref.load %i[{self.index()}] : memref<?xindex>")
        elif kind < 4:
            name = self.draw.choice(("%j", "%k"))
            type_ = ARGUMENTS[name]
            loaded = self.emit(f"memref.load {name}[{self.index()}, {self.index()}] : {type_}")
            element = type_.rstrip(">").split("x")[-1]
            found = self.emit(f"arith.index_cast {loaded} : {element} to index")
        elif kind == 4:
            asked = self.emit(f"arith.cmpi slt, {self.index()}, {self.index()} : index")
            found = self.emit(f"arith.select {asked}, {self.index()}, {self.index()} : index")
        elif kind == 5:
            found = self.constant(-2)
        else:
            op = self.draw.choice(_BINARY)
            second = self.constant(1) if op in _DIVIDES or chance(self.draw, 2) else self.index()
            found = self.emit(f"arith.{op} {self.index()}, {second} : index")
        self.known[-1].append(found)

    def accessed(self) -> None:
        """A load, and now and then a store of what is loaded."""
        name = self.draw.choice(tuple(_RANKS))
        where, type_ = self.places(name), ARGUMENTS[name]
        if chance(self.draw, 4):
            loaded = self.emit(f"vector.load {name}[{where}] : {type_}, vector<4xf32>")
            self.emit(f"vector.reduction <add>, {loaded} : vector<4xf32> into f32")
            return
        loaded = self.emit(f"memref.load {name}[{where}] : {type_}")
        if chance(self.draw, 2):
            other = self.draw.choice(tuple(_RANKS))
            places = self.places(other)
            self.line(f"memref.store {loaded}, {other}[{places}] : {ARGUMENTS[other]}")

    def places(self, name: str) -> str:
        return ", ".join(self.index() for _ in range(_RANKS[name]))

    def line(self, text: str) -> None:
        self.lines.append("  " * len(self.known) + text)

    def block(self, deep: int) -> None:
        """Some ops, with loops and ifs among them."""
        for _ in range(self.draw.integer(1, 3)):
            for _ in range(self.draw.integer(0, 3)):
                self.computed()
            kind = self.draw.integer(0, 5)
            if deep and kind < 3:
                self.loop(deep - 1)
            elif deep and kind == 3 and len(self.known) > 1:
                asked = self.emit(f"arith.cmpi slt, {self.index()}, {self.index()} : index")
                self.around(f"scf.if {asked} {{", deep - 1, [])
            else:
                self.accessed()

    def loop(self, deep: int) -> None:
        first, step = self.constant(0), self.constant(1)
        last = self.draw.choice(("%n", self.emit("arith.constant 4096 : index")))
        self.names += 1
        head = f"scf.for %p{self.names} = {first} to {last} step {step} {{"
        self.around(head, deep, [f"%p{self.names}"])

    def around(self, head: str, deep: int, known: list[str]) -> None:
        self.line(head)
        self.known.append(known)
        self.block(deep)
        self.known.pop()
        self.line("}")


def nest(seed: tuple[int, int]) -> str:
    """A function of a random nest; the same one for a seed."""
    made = _Nest(RandomDraw(seed), [["%n"]])
    made.loop(3)
    given = ", ".join(f"{name}: {type_}" for name, type_ in ARGUMENTS.items())
    return "\n".join([f"func.func @f({given}) {{", *made.lines, "  return\n}\n"])
