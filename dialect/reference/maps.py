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
    body = text.strip().removeprefix("affine_map<").removesuffix(">")
    match = _MAP.fullmatch(body.strip())
    if match is None:
        raise ValueError(f"not an affine map: {text}")
    dims = _names(match["dims"])
    symbols = _names(match["symbols"] or "")
    for k, name in enumerate(dims):
        body = re.sub(rf"\b{name}\b", f"__d{k}", body)
    for k, name in enumerate(symbols):
        body = re.sub(rf"\b{name}\b", f"__s{k}", body)
    renamed = _MAP.fullmatch(body.replace("__", ""))
    assert renamed is not None
    results = tuple(_result(r) for r in _split(renamed["results"]))
    return AffineMap(len(dims), len(symbols), results)


def as_map(value: "str | AffineMap") -> AffineMap:
    return parse(value) if isinstance(value, str) else value


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _split(text: str) -> list[str]:
    """The expressions of a list, at the commas outside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


class _ToPython(ast.NodeTransformer):
    """d3 --> d[3], s0 --> s[0], a @ b (ceildiv) --> -(-a // b)."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Subscript(
            ast.Name(node.id[0], ast.Load()), ast.Constant(int(node.id[1:])), ast.Load()
        )

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        negated = ast.UnaryOp(ast.USub(), node.left)
        return ast.UnaryOp(ast.USub(), ast.BinOp(negated, ast.FloorDiv(), node.right))


def _result(text: str) -> Result:
    # The three divisions of affine maps bind like a product, as their stand-ins in Python do.
    spelled = re.sub(r"\bfloordiv\b", "//", text)
    spelled = re.sub(r"\bmod\b", "%", re.sub(r"\bceildiv\b", "@", spelled))
    names = re.findall(r"\b([ds])(\d+)\b", text)
    tree = _ToPython().visit(ast.parse(f"lambda d, s: {spelled}", mode="eval"))
    code = compile(ast.fix_missing_locations(tree), "<affine map>", "eval")
    return Result(
        text,
        frozenset(int(k) for kind, k in names if kind == "d"),
        frozenset(int(k) for kind, k in names if kind == "s"),
        eval(code, {"__builtins__": {}}),
    )
