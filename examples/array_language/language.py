"""A compiler front end for a small array language: each assignment is one `gs.generic`.

Functions are in Python's syntax: parameters `x: type[size, ...]` with names for sizes, statements
`y = zeros(type, size, ...)` and `y[place, ...] = value`, also += and *=, at the end `return y`.
A place is a loop (a name that is no array), a number, an element of an array of integers, or one of
these two plus a loop: `y[target[e], c] += x[source[e], c] * weight[e]` runs over all e and c. An
array that is not there is made if its places are loops. A value has elements, numbers, sizes,
+ - * /, minimum(a, b) and maximum(a, b). Arrays are values: an argument is never written.
"""

import ast
from typing import Any, NoReturn

from mlir_gs import dialect as gs
from mlir_gs.bindings import dialect, ir
from mlir_gs.frontend.common.combiners import combiner

arith, cf, func, tensor = (dialect(name) for name in ("arith", "cf", "func", "tensor"))
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
}
FUNCTIONS = {"minimum": "min", "maximum": "max"}
OTHERS = {"sub": (arith.subi, arith.subf), "div": (arith.floordivsi, arith.divf)}
DYNAMIC = ir.ShapedType.get_dynamic_size()


def module_of(text: str, path: str) -> Any:
    """The functions of a file as a module. Raises SyntaxError, which names the place."""
    with gs.context(), ir.Location.unknown():
        module = ir.Module.create()
        for node in ast.parse(text, path).body:
            with ir.InsertionPoint(module.body):
                Function(text, path).lower(node)
        return module


class Function:
    """One function: `names` are its arrays, and its sizes as `index`."""

    def __init__(self, text: str, path: str) -> None:
        self.lines, self.path, self.names = text.splitlines(), path, dict[str, Any]()

    def wrong(self, node: Any, message: str) -> NoReturn:
        place = (self.path, node.lineno, node.col_offset + 1, self.lines[node.lineno - 1])
        raise SyntaxError(message, place)

    def at(self, node: Any) -> Any:
        return ir.Location.file(self.path, node.lineno, node.col_offset + 1)

    def lower(self, node: Any) -> None:
        if not isinstance(node, ast.FunctionDef) or not isinstance(node.body[-1], ast.Return):
            self.wrong(node, "expected a function that ends in return")
        with self.at(node):
            function = func.FuncOp(node.name, ([self.type(one) for one in node.args.args], []))
        with self.at(node), ir.InsertionPoint(function.add_entry_block()):
            for one, value in zip(node.args.args, function.arguments, strict=True):
                self.names[one.arg] = value
                for dim, size in enumerate(parts(getattr(one.annotation, "slice", None))):
                    self.same(size, value, dim, self.names)
            for statement in node.body[:-1]:
                with self.at(statement):
                    self.statement(statement)
            result = self.array(node.body[-1].value)
            func.ReturnOp([result])
        signature = ir.FunctionType.get([a.type for a in function.arguments], [result.type])
        function.attributes["function_type"] = ir.TypeAttr.get(signature)

    def type(self, one: Any) -> Any:
        sizes = parts(getattr(one.annotation, "slice", None))
        if not all(isinstance(size, ast.Name) for size in sizes):
            self.wrong(one, f"expected '{one.arg}: type[size name, ...]'")
        return ir.RankedTensorType.get([DYNAMIC] * len(sizes), self.element(one.annotation.value))

    def element(self, node: Any) -> Any:
        try:
            return ir.Type.parse(ast.unparse(node))
        except ir.MLIRError:
            self.wrong(node, f"'{ast.unparse(node)}' is no element type")

    def array(self, node: Any) -> Any:
        found = self.names.get(ast.unparse(node))
        return found if is_array(found) else self.wrong(node, f"'{ast.unparse(node)}' is no array")

    def same(self, name: Any, x: Any, dim: int, sizes: dict[str, Any]) -> None:
        """A size gets its name, or is checked against what has that name when it runs."""
        size = tensor.dim(x, arith.constant(ir.IndexType.get(), dim))
        if sizes.setdefault(name.id, size) is not size:
            equal = arith.cmpi(arith.CmpIPredicate.eq, sizes[name.id], size)
            place = f"{self.path}:{name.lineno}:{name.col_offset + 1}"
            cf.AssertOp(equal, f"{place}: two sizes of '{name.id}' differ")

    def number(self, node: Any, element: Any) -> Any:
        """A number in the text or a size, as an element."""
        found: Any = self.names.get(ast.unparse(node))
        floats = isinstance(element, ir.FloatType)
        if isinstance(found, ir.Value) and not is_array(found):
            kind = ir.IntegerType.get_signless(64) if floats else element
            whole = found if kind == found.type else arith.index_cast(kind, found)
            return arith.sitofp(element, whole) if floats else whole
        try:
            return arith.constant(element, (float if floats else int)(ast.literal_eval(node)))
        except (TypeError, ValueError):
            self.wrong(node, f"'{ast.unparse(node)}' is not defined")

    def combined(self, node: Any, name: str, element: Any, one: Any, other: Any) -> Any:
        combine = combiner(name, element)
        if combine is None:
            self.wrong(node, f"elements of {element} have no '{name}'")
        return combine(one, other)

    def statement(self, node: Any) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        made: Any = getattr(node, "value", None)
        if isinstance(target, ast.Name) and ast.unparse(made).startswith("zeros(") and made.args:
            element = self.element(made.args[0])
            sizes = [self.number(size, ir.IndexType.get()) for size in made.args[1:]]
            kind = ir.RankedTensorType.get([DYNAMIC] * len(sizes), element)
            zero = self.number(ast.Constant(0), element)
            self.names[target.id] = tensor.splat(kind, zero, sizes)
            return
        name = OPERATORS.get(type(node.op), "sub") if isinstance(node, ast.AugAssign) else ""
        if not isinstance(target, ast.Subscript) or name in ("sub", "div"):
            self.wrong(node, "expected 'y = zeros(...)', or 'y[place, ...]' before =, += or *=")
        Loops(self).lower(target, made, name)


class Loops:
    """One assignment: its loops and their sizes by name, what it reads, and by what coordinates."""

    def __init__(self, function: Function) -> None:
        self.function, self.dims, self.sizes = function, dict[str, Any](), dict[str, Any]()
        self.reads: dict[str, tuple[Any, list[Any]]] = {}
        self.coordinates: list[tuple[Any, list[Any], bool]] = []

    def lower(self, target: Any, value: Any, name: str) -> None:
        names, wrong, text = self.function.names, self.function.wrong, ast.unparse(target)
        y, places = ast.unparse(target.value), parts(target.slice)
        is_new = y not in names and not name and all(self.is_loop(place) for place in places)
        where = [self.place(p, True) for p in places] if is_new else self.access(target)[1]
        for node in elements_of(value):
            if is_new or ast.unparse(node) != text:
                self.reads[ast.unparse(node)] = self.access(node)
        if endless := [loop for loop in self.dims if loop not in self.sizes]:
            wrong(target, f"no array says how far the loop '{endless[0]}' goes")
        if is_new and len(places) != len(self.dims):
            wrong(target, f"'{y}' is new: each loop must be one of its places")
        arrays = [x for x, _ in self.reads.values()] + ([] if is_new else [names[y]])
        kinds = {str(x.type.element_type): x.type.element_type for x in arrays}
        if len(kinds) != 1:
            wrong(value, f"expected one element type, found {', '.join(sorted(kinds)) or 'none'}")
        (element,) = kinds.values()
        sizes = [self.sizes[place.id] for place in places] if is_new else []
        plain, wheres = [str(expr) for expr in where], [at for _, at in self.reads.values()]

        def body(*elements: Any) -> Any:
            known = dict(zip([*self.reads, text], elements, strict=True))
            new = self.value(value, known, element)
            if not name:
                return new
            return self.function.combined(value, name, element, elements[-1], new)

        def map_of(exprs: list[Any]) -> Any:
            return ir.AffineMap.get(len(self.dims), len(self.coordinates), exprs)

        names[y] = gs.generic(
            [x for x, _ in self.reads.values()],
            [x for x, _, _ in self.coordinates],
            [tensor.empty(sizes, element) if is_new else names[y]],
            indexing_maps=[map_of(exprs) for exprs in (*wheres, where)],
            coordinate_maps=[[map_of(exprs)] for _, exprs, _ in self.coordinates],
            iterator_types=[
                "parallel" if str(d) in plain else "reduction" for d in self.dims.values()
            ],
            modes=["error"] * len(self.coordinates),
            wrap_negative=[wraps for _, _, wraps in self.coordinates],
            body=body,
        ).results[0]

    def is_loop(self, node: Any) -> bool:
        return isinstance(node, ast.Name) and node.id not in self.function.names

    def access(self, node: Any) -> tuple[Any, list[Any]]:
        """The array of `x[place, ...]`, and the affine expressions of its places."""
        x, places = self.function.array(node.value), parts(node.slice)
        if len(places) != x.type.rank:
            self.function.wrong(node, f"{len(places)} places in an array of rank {x.type.rank}")
        for dim, place in enumerate(places):
            if self.is_loop(place):
                self.function.same(place, x, dim, self.sizes)
        return x, [self.place(place, True) for place in places]

    def place(self, node: Any, wraps: bool) -> Any:
        if self.is_loop(node):
            return self.dims.setdefault(node.id, ir.AffineDimExpr.get(len(self.dims)))
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Add)
            and self.is_loop(node.right)
        ):
            return self.place(node.left, False) + self.place(node.right, False)
        if isinstance(node, ast.Subscript):
            x, exprs = self.access(node)
            if not isinstance(x.type.element_type, ir.IntegerType):
                self.function.wrong(node, f"no integers but {x.type.element_type} are the place")
        else:
            number = self.function.number(node, ir.IndexType.get())
            x = tensor.from_elements(ir.RankedTensorType.get([], number.type), [number])
            exprs = []
        self.coordinates.append((x, exprs, wraps))
        return ir.AffineSymbolExpr.get(len(self.coordinates) - 1)

    def value(self, node: Any, known: dict[str, Any], element: Any) -> Any:
        if ast.unparse(node) in known:
            return known[ast.unparse(node)]
        name, given = None, []
        if isinstance(node, ast.BinOp):
            name, given = OPERATORS.get(type(node.op)), [node.left, node.right]
        elif isinstance(node, ast.Call):
            name, given = FUNCTIONS.get(ast.unparse(node.func)), node.args
        if name is None or len(given) != 2:
            return self.function.number(node, element)
        one, other = (self.value(each, known, element) for each in given)
        if name in OTHERS:
            return OTHERS[name][isinstance(element, ir.FloatType)](one, other)
        return self.function.combined(node, name, element, one, other)


def parts(node: Any) -> list[Any]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def is_array(value: Any) -> bool:
    return isinstance(getattr(value, "type", None), ir.RankedTensorType)


def elements_of(node: Any) -> list[Any]:
    """The elements that a value reads, without those that are places of others."""
    if isinstance(node, ast.Subscript):
        return [node]
    return [found for child in ast.iter_child_nodes(node) for found in elements_of(child)]
