"""Loops written as Python, as the MLIR that a front end of a language like C makes of them.

Arrays are memrefs, a number that a loop changes is carried by it, an element of an integer array
becomes an index where it is one.
"""

import ast
from dataclasses import dataclass, field

_OPS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "div", ast.Mod: "rem",
        ast.BitAnd: "and", ast.BitXor: "xor"}  # fmt: skip
_TESTS = {ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge", ast.Eq: "eq",
          ast.NotEq: "ne"}  # fmt: skip
_FLOAT_TESTS = {"slt": "olt", "sle": "ole", "sgt": "ogt", "sge": "oge", "eq": "oeq", "ne": "une"}


@dataclass
class Value:
    name: str
    type: str


@dataclass
class _Writer:
    types: dict[str, str]
    known: dict[str, Value]
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def op(self, text: str, type_: str) -> Value:
        self.names += 1
        self.lines.append(f"%v{self.names} = {text}")
        return Value(f"%v{self.names}", type_)

    def constant(self, number: float, type_: str) -> Value:
        spelled = f"{number:e}" if type_.startswith("f") else repr(int(number))
        return self.op(f"arith.constant {spelled} : {type_}", type_)

    def as_type(self, value: Value, type_: str) -> Value:
        if value.type == type_:
            return value
        if "index" in (value.type, type_):
            return self.op(f"arith.index_cast {value.name} : {value.type} to {type_}", type_)
        if value.type.startswith("i") and type_.startswith("i"):
            return self.op(f"arith.extsi {value.name} : {value.type} to {type_}", type_)
        return self.op(f"arith.sitofp {value.name} : {value.type} to {type_}", type_)

    def expression(self, node: ast.expr, wanted: str = "") -> Value:
        if isinstance(node, ast.UnaryOp):
            node = ast.Constant(-node.operand.value)
        if isinstance(node, ast.Constant):
            return self.constant(node.value, wanted or "index")
        if isinstance(node, ast.Name):
            return self.known[node.id]
        if isinstance(node, ast.Subscript):
            return self.load(node)
        if isinstance(node, ast.Compare):
            return self.test(node)
        if isinstance(node, ast.BoolOp):
            first, *rest = (self.expression(each) for each in node.values)
            for each in rest:
                kind = "andi" if isinstance(node.op, ast.And) else "ori"
                first = self.op(f"arith.{kind} {first.name}, {each.name} : i1", "i1")
            return first
        if isinstance(node, ast.IfExp):
            test = self.expression(node.test)
            a, b = self.pair(node.body, node.orelse, wanted)
            return self.op(f"arith.select {test.name}, {a.name}, {b.name} : {a.type}", a.type)
        if isinstance(node, ast.Call):
            a, b = self.pair(*node.args, wanted)
            name = node.func.id + ("imumf" if a.type.startswith("f") else "si")
            return self.op(f"arith.{name} {a.name}, {b.name} : {a.type}", a.type)
        assert isinstance(node, ast.BinOp)
        a, b = self.pair(node.left, node.right, wanted)
        kind = _OPS[type(node.op)]
        if a.type.startswith("f"):
            kind = f"{kind}f"
        else:
            kind = {"div": "divsi", "rem": "remsi"}.get(kind, f"{kind}i")
        return self.op(f"arith.{kind} {a.name}, {b.name} : {a.type}", a.type)

    def pair(self, left: ast.expr, right: ast.expr, wanted: str) -> tuple[Value, Value]:
        if isinstance(left, ast.Constant):
            b = self.expression(right, wanted)
            return self.expression(left, b.type), b
        a = self.expression(left, wanted)
        b = self.expression(right, wanted or a.type)
        type_ = a.type if isinstance(right, ast.Constant) or not b.type.startswith("f") else b.type
        type_ = "index" if "index" in (a.type, b.type) and not type_.startswith("f") else type_
        return self.as_type(a, type_), self.as_type(b, type_)

    def test(self, node: ast.Compare) -> Value:
        a, b = self.pair(node.left, node.comparators[0], "")
        kind = _TESTS[type(node.ops[0])]
        if a.type.startswith("f"):
            return self.op(f"arith.cmpf {_FLOAT_TESTS[kind]}, {a.name}, {b.name} : {a.type}", "i1")
        return self.op(f"arith.cmpi {kind}, {a.name}, {b.name} : {a.type}", "i1")

    def places(self, node: ast.Subscript) -> tuple[str, str]:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        values = [self.as_type(self.expression(each, "index"), "index") for each in parts]
        return ", ".join(value.name for value in values), self.types[node.value.id]

    def load(self, node: ast.Subscript) -> Value:
        where, type_ = self.places(node)
        element = type_.rstrip(">").split("x")[-1] if "index" not in type_ else "index"
        return self.op(f"memref.load %{node.value.id}[{where}] : {type_}", element)

    def statements(self, body: list[ast.stmt]) -> None:
        for each in body:
            self.statement(each)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.AugAssign):
            target = node.target
            source: ast.expr = (
                ast.Name(target.id) if isinstance(target, ast.Name) else target
            )  # fmt: skip
            node = ast.Assign([target], ast.BinOp(source, node.op, node.value))
        if isinstance(node, ast.Assign):
            self.assign(node)
        elif isinstance(node, ast.For):
            self.loop(node)
        else:
            assert isinstance(node, ast.If)
            self.condition(node)

    def assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Name):
            wanted = self.known[target.id].type if target.id in self.known else ""
            is_float = "." in ast.unparse(node.value) or "e" in ast.unparse(node.value)
            value = self.expression(node.value, wanted or (self.types["float"] if is_float else ""))
            self.known[target.id] = self.as_type(value, wanted) if wanted else value
            return
        type_ = self.types[target.value.id]
        element = "index" if "index" in type_ else type_.rstrip(">").split("x")[-1]
        value = self.as_type(self.expression(node.value, element), element)
        where, type_ = self.places(target)
        self.lines.append(f"memref.store {value.name}, %{target.value.id}[{where}] : {type_}")

    def carried(self, body: list[ast.stmt]) -> list[str]:
        names = {
            n.id
            for each in body
            for n in ast.walk(each)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        return sorted(name for name in names if name in self.known)

    def loop(self, node: ast.For) -> None:
        bounds = [self.as_type(self.expression(each, "index"), "index") for each in node.iter.args]
        lower = bounds[0] if len(bounds) > 1 else self.constant(0, "index")
        upper = bounds[1] if len(bounds) > 1 else bounds[0]
        step = bounds[2] if len(bounds) > 2 else self.constant(1, "index")
        carried = self.carried(node.body)
        before = dict(self.known)
        self.names += 1
        number = self.names
        inits = ", ".join(f"%c{number}{name} = {before[name].name}" for name in carried)
        types = ", ".join(before[name].type for name in carried)
        head = f"scf.for %{node.target.id}{number} = {lower.name} to {upper.name} step {step.name}"
        if carried:
            head = f"%r{number}:{len(carried)} = {head} iter_args({inits}) -> ({types})"
        self.lines.append(head + " {")
        for name in carried:
            self.known[name] = Value(f"%c{number}{name}", before[name].type)
        self.known[node.target.id] = Value(f"%{node.target.id}{number}", "index")
        self.statements(node.body)
        if carried:
            ends = ", ".join(self.known[name].name for name in carried)
            self.lines.append(f"scf.yield {ends} : {types}")
        self.lines.append("}")
        self.known = before
        for place, name in enumerate(carried):
            self.known[name] = Value(f"%r{number}#{place}", before[name].type)

    def condition(self, node: ast.If) -> None:
        test = self.expression(node.test)
        carried = self.carried(node.body)
        before = dict(self.known)
        self.names += 1
        number = self.names
        types = ", ".join(before[name].type for name in carried)
        head = f"scf.if {test.name}"
        if carried:
            head = f"%r{number}:{len(carried)} = {head} -> ({types})"
        self.lines.append(head + " {")
        self.statements(node.body)
        if carried:
            ends = ", ".join(self.known[name].name for name in carried)
            olds = ", ".join(before[name].name for name in carried)
            self.lines += [f"scf.yield {ends} : {types}", "} else {", f"scf.yield {olds} : {types}"]
        self.lines.append("}")
        self.known = before
        for place, name in enumerate(carried):
            self.known[name] = Value(f"%r{number}#{place}", before[name].type)


def module(arguments: str, body: str, floats: str = "f32") -> str:
    """The module of a function `f`. `arguments`: "x f32[?], n index"; `body`: the loops."""
    types: dict[str, str] = {"float": floats}
    for each in arguments.split(","):
        name, type_ = each.split()
        if "[" in type_:
            element, shape = type_.rstrip("]").split("[")
            type_ = f"memref<{shape}x{element}>"
        types[name] = type_
    known = {n: Value(f"%{n}", t) for n, t in types.items() if n != "float" and "<" not in t}
    writer = _Writer(types, known)
    *rest, last = ast.parse(body).body
    writer.statements(rest)
    end, result = "return", ""
    if isinstance(last, ast.Expr):
        value = writer.expression(last.value)
        end, result = f"return {value.name} : {value.type}", f" -> {value.type}"
    else:
        writer.statement(last)
    given = ", ".join(f"%{n}: {t}" for n, t in types.items() if n != "float")
    lines = "\n".join([*writer.lines, end])
    return f"func.func @f({given}){result} {{\n{lines}\n}}\n"
