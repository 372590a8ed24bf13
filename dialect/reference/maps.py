"""Affine maps of the reference: parsed from their text, evaluated on dims and symbols."""

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

_MAP = re.compile(r"\s*\((?P<dims>[^)]*)\)\s*(\[(?P<symbols>[^\]]*)\])?\s*->\s*\((?P<results>.*)\)")


@dataclass(frozen=True)
class Result:
    """One result expression of a map: f(d) or s + f(d)."""

    text: str
    dims: frozenset[int]
    symbols: frozenset[int]
    evaluate: Callable[[Sequence[int], Sequence[int]], int]

    @property
    def plain_dim(self) -> int | None:
        """j if the expression is exactly d_j."""
        return int(self.text[1:]) if re.fullmatch(r"d\d+", self.text) else None

    def offset(self, d: Sequence[int]) -> int:
        """f(d): the expression with its symbol taken as 0."""
        return self.evaluate(d, [0] * (1 + max(self.symbols, default=-1)))


@dataclass(frozen=True)
class AffineMap:
    """`(d0, d1)[s0] -> (s0, d1 * 2)`; dims and symbols are known by their order."""

    num_dims: int
    num_symbols: int
    results: tuple[Result, ...]

    def __call__(self, d: Sequence[Any], s: Sequence[Any] = ()) -> tuple[Any, ...]:
        return tuple(result.evaluate(d, s) for result in self.results)

    @property
    def symbols(self) -> frozenset[int]:
        return frozenset().union(*(result.symbols for result in self.results))

    @property
    def dims(self) -> frozenset[int]:
        return frozenset().union(*(result.dims for result in self.results))


@cache
def parse(text: str) -> AffineMap:
    """The map that `text` spells, with or without `affine_map<...>`. ValueError if it is none."""
    match = _MAP.fullmatch(text.strip().removeprefix("affine_map<").removesuffix(">").strip())
    if match is None:
        raise ValueError(f"not an affine map: {text}")
    dims, symbols = (re.findall(r"[^\s,]+", match[kind] or "") for kind in ("dims", "symbols"))
    spelled = match["results"]
    # The three divisions of affine maps bind like a product, as their stand-ins in Python do.
    for word, sign in (("floordiv", "//"), ("ceildiv", "@"), ("mod", "%")):
        spelled = re.sub(rf"\b{word}\b", sign, spelled)
    places = {name: ("d", k) for k, name in enumerate(dims)}
    places |= {name: ("s", k) for k, name in enumerate(symbols)}
    parsed: Any = ast.parse(f"[{spelled}]", mode="eval").body
    results = tuple(_result(_ToPython(places).visit(expr)) for expr in parsed.elts)
    return AffineMap(len(dims), len(symbols), results)


def as_map(value: "str | AffineMap") -> AffineMap:
    return parse(value) if isinstance(value, str) else value


@dataclass(frozen=True)
class _ToPython(ast.NodeTransformer):
    """The name of a dim --> d[3], of a symbol --> s[0]; a @ b (ceildiv) --> -(-a // b)."""

    places: dict[str, tuple[str, int]]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        kind, number = self.places[node.id]
        return ast.Subscript(ast.Name(kind, ast.Load()), ast.Constant(number), ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        negated = ast.UnaryOp(ast.USub(), node.left)
        return ast.UnaryOp(ast.USub(), ast.BinOp(negated, ast.FloorDiv(), node.right))


def _result(expr: ast.expr) -> Result:
    code = ast.unparse(expr)
    dims, symbols = (frozenset(map(int, re.findall(rf"\b{kind}\[(\d+)\]", code))) for kind in "ds")
    text = re.sub(r"\b([ds])\[(\d+)\]", r"\1\2", code)
    return Result(text, dims, symbols, eval(f"lambda d, s: {code}", {"__builtins__": {}}))
