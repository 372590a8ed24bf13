"""A compiler front end for a small array language: all computing in it becomes `gs.generic`.

A file has functions in Python's syntax. A parameter has an element type and sizes: numbers, or
names, which are numbers in the function. Statements are `y = value`, `y[index] = value`, also with
`+=` and `*=`, and at the end `return value`. Values are numbers, names, `+ - * /`, `minimum(a, b)`,
`maximum(a, b)`, `zeros(type, size, ...)` and `x[index]`. An index has numbers, `start:stop:step` in
numbers, None and arrays of integers, and means what it means in NumPy; so do operators on arrays
of several ranks. Arrays are values: after `y = x`, writing into y leaves x as it is.
"""

import ast
from typing import Any, NoReturn

from indices import Access, constant, dims, full, index, is_array, match, size_of
from mlir_gs import dialect as gs
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.frontend.combiners import combiner

arith, cf, func, tensor = (dialect(name) for name in ("arith", "cf", "func", "tensor"))
OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
FUNCTIONS = {"minimum": "min", "maximum": "max"}
OTHERS = {
    ("sub", True): arith.subf,
    ("sub", False): arith.subi,
    ("div", True): arith.divf,
    ("div", False): arith.floordivsi,
}


def module_of(text: str, path: str) -> Any:
    """The functions of a file as a module. Raises SyntaxError, which names the place."""
    with gs.context(), ir.Location.unknown():
        module = ir.Module.create()
        for node in ast.parse(text, path).body:
            with ir.InsertionPoint(module.body):
                Function(text, path).lower(node)
        return module


class Function:
    """The lowering of one function; `names` are its arrays and its sizes."""

    def __init__(self, text: str, path: str) -> None:
        self.lines, self.path = text.splitlines(), path
        self.names: dict[str, Any] = {}

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
        with ir.InsertionPoint(function.add_entry_block()), self.at(node):
            for one, value in zip(node.args.args, function.arguments, strict=True):
                self.names[one.arg] = value
                for dim, size in enumerate(sizes_of(one)):
                    if isinstance(size, ast.Name):
                        found = self.names.setdefault(size.id, size_of(value, dim))
                        self.same(node, found, size_of(value, dim))
            for statement in node.body[:-1]:
                self.statement(statement)
            result = self.array(node.body[-1].value)
            func.ReturnOp([result])
        signature = ir.FunctionType.get([a.type for a in function.arguments], [result.type])
        function.attributes["function_type"] = ir.TypeAttr.get(signature)

    def type(self, parameter: Any) -> Any:
        if not isinstance(parameter.annotation, ast.Subscript):
            self.wrong(parameter, f"expected '{parameter.arg}: type[size, ...]'")
        dynamic = ir.ShapedType.get_dynamic_size()
        sizes = [getattr(size, "value", dynamic) for size in sizes_of(parameter)]
        return ir.RankedTensorType.get(sizes, self.element(parameter.annotation.value))

    def element(self, node: Any) -> Any:
        try:
            return ir.Type.parse(ast.unparse(node))
        except ir.MLIRError:
            self.wrong(node, f"'{ast.unparse(node)}' is no element type")

    def same(self, node: Any, one: Any, other: Any) -> None:
        """Check at run time that two sizes are equal."""
        if one is not other and one != other:
            equal = arith.cmpi(arith.CmpIPredicate.eq, index(one), index(other))
            place = f"{self.path}:{node.lineno}:{node.col_offset + 1}"
            cf.AssertOp(equal, f"{place}: sizes differ in {ast.unparse(node).splitlines()[0]}")

    def statement(self, node: Any) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name):
            self.names[target.id] = self.array(node.value)
            return
        name = OPERATORS.get(type(node.op), "sub") if isinstance(node, ast.AugAssign) else ""
        if not isinstance(target, ast.Subscript) or name in ("sub", "div"):
            self.wrong(node, "expected 'name = value', or 'name[index]' before =, += or *=")
        with self.at(node):
            dest, new = self.array(target.value), self.value(node.value)
            access = self.access(target, dest)
            if not is_array(new):
                new = full(new, dest.type.element_type, access.sizes)
            if new.type.rank != len(access.sizes):
                self.wrong(node, f"expected rank {len(access.sizes)}, found {new.type.rank}")
            for dim, size in enumerate(access.sizes):
                self.same(node, size, size_of(new, dim))
            combine = combiner(name, dest.type.element_type) if name else None
            self.names[ast.unparse(target.value)] = access.generic(
                new, dest, [dims(len(access.sizes)), access.where],
                lambda update, old: combine(old, update) if combine else update,
            )  # fmt: skip

    def value(self, node: Any) -> Any:
        """A tensor, an `index` or a Python number."""
        name = (
            node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        )
        with self.at(node):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
                return node.value
            if isinstance(node, ast.Name) and node.id in self.names:
                return self.names[node.id]
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                return ast.literal_eval(node)
            if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
                return self.elementwise(node, OPERATORS[type(node.op)], [node.left, node.right])
            if name in FUNCTIONS and len(node.args) == 2:
                return self.elementwise(node, FUNCTIONS[name], node.args)
            if name == "zeros" and len(node.args) > 1:
                element = self.element(node.args[0])
                return full(0, element, [self.value(size) for size in node.args[1:]])
            if isinstance(node, ast.Subscript):
                source = self.array(node.value)
                access = self.access(node, source)
                empty = tensor.empty(access.sizes, source.type.element_type)
                wheres = [access.where, dims(len(access.sizes))]
                return access.generic(source, empty, wheres, lambda element, _: element)
        self.wrong(node, f"'{ast.unparse(node)}' is not defined")

    def array(self, node: Any) -> Any:
        found = self.value(node)
        return found if is_array(found) else self.wrong(node, f"'{ast.unparse(node)}' is no array")

    def access(self, node: Any, x: Any) -> Access:
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        try:
            return match([self.item(item) for item in items], x)
        except (TypeError, ValueError) as error:
            self.wrong(node, str(error))

    def item(self, node: Any) -> Any:
        """An item of an index: None, a slice of Python, a number or an array."""
        if isinstance(node, ast.Slice):
            parts = (node.lower, node.upper, node.step)
            return slice(*(None if part is None else ast.literal_eval(part) for part in parts))
        return None if isinstance(node, ast.Constant) and node.value is None else self.value(node)

    def elementwise(self, node: Any, name: str, arguments: Any) -> Any:
        values = [self.value(argument) for argument in arguments]
        arrays = [value for value in values if is_array(value)]
        kinds = {str(value.type.element_type) for value in arrays}
        if len(kinds) != 1:
            found = ", ".join(sorted(kinds)) or "no array"
            self.wrong(node, f"expected arrays of one element type, found {found}")
        element = arrays[0].type.element_type
        rank = max(value.type.rank for value in arrays)
        sizes: list[Any] = [1] * rank
        wheres = []
        for value in arrays:
            first, shape = rank - value.type.rank, value.type.shape
            wheres.append([None if n == 1 else first + d for d, n in enumerate(shape)])
            for dim in [dim for dim in wheres[-1] if dim is not None]:
                size = size_of(value, dim - first)
                if sizes[dim] == 1:
                    sizes[dim] = size
                self.same(node, sizes[dim], size)

        def body(*elements: Any) -> Any:
            each = iter(elements)
            operands = [next(each) if is_array(v) else constant(v, element) for v in values]
            if name in FUNCTIONS.values() or name in ("add", "mul"):
                return combiner(name, element)(*operands)
            return OTHERS[name, isinstance(element, ir.FloatType)](*operands)

        every, zero = dims(rank), ir.AffineConstantExpr.get(0)
        maps = [[zero if d is None else every[d] for d in where] for where in wheres]
        return gs.generic(
            arrays, [], [tensor.empty(sizes, element)],
            indexing_maps=[ir.AffineMap.get(rank, 0, exprs) for exprs in (*maps, every)],
            coordinate_maps=[],
            iterator_types=["parallel"] * rank,
            body=body,
        ).results[0]  # fmt: skip


def sizes_of(parameter: Any) -> list[Any]:
    sizes = parameter.annotation.slice
    return sizes.elts if isinstance(sizes, ast.Tuple) else [sizes]
