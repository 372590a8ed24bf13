"""Texts that nest deeply in each way that MLIR's grammar has, with brackets and without.

    python test/fuzz/deep_texts.py --cases 1000 --seed 0

gives so many to gs-opt and gs-run: no crash, no hang, no traceback, no line of 700 bytes.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path


def _used(attribute: str) -> str:
    return f"func.func private @f() attributes {{m = {attribute}}}"


def _aliases(sign: str, first: str, step: str, use: str) -> Callable[[int], str]:
    """A chain in which `@` stands for the alias before."""

    def make(depth: int) -> str:
        lines = [f"{sign}x0 = {first}"]
        for number in range(1, depth):
            lines.append(f"{sign}x{number} = {step.replace('@', f'{sign}x{number - 1}')}")
        return "\n".join(lines) + "\n" + use.replace("@", f"{sign}x{depth - 1}")

    return make


# `@` stands for the alias, so no function is named.
ATTRIBUTE = TYPE = "module attributes {a.m = @} {}"
PLACE = "module {} loc(@)"
KINDS: dict[str, Callable[[int], str]] = {
    "signs of a map": lambda n: _used(f"affine_map<(d0) -> ({'-' * n}d0)>"),
    "signs with blanks": lambda n: _used(f"affine_map<(d0) -> ({'- ' * n}d0)>"),
    "signs with comments": lambda n: _used("affine_map<(d0) -> (" + "-//x\n" * n + "d0)>"),
    "signs of a set": lambda n: _used(f"affine_set<(d0) : ({'-' * n}d0 >= 0)>"),
    "signs of a layout": lambda n: _used(f"memref<4xf32, affine_map<(d0) -> ({'-' * n}d0)>>"),
    "signs of an attribute": lambda n: _used(f"{'-' * n}1 : i32"),
    "signs of a dense attribute": lambda n: _used(f"dense<{'-' * n}1> : tensor<i32>"),
    "signs of a place": lambda n: (
        "func.func @f(%m: memref<4xf32>, %i: index) {\n"
        f"  %v = affine.load %m[{'-' * n}%i] : memref<4xf32>\n  return\n}}"
    ),
    "sums": lambda n: _used(f"affine_map<(d0) -> ({' + '.join(['d0'] * n)})>"),
    "differences": lambda n: _used(f"affine_map<(d0) -> (d0{' - d0' * n})>"),
    "products": lambda n: _used(f"affine_map<(d0) -> ({'2 * ' * n}d0)>"),
    "quotients": lambda n: _used(f"affine_map<(d0) -> (d0{' floordiv 3' * n})>"),
    "arrows": lambda n: _used("() -> " * n + "()"),
    "symbols": lambda n: _used("@a" + "::@b" * n),
    "brackets": lambda n: _used("[" * n + "]" * n),
    "dictionaries": lambda n: _used("{a = " * n + "1 : i32" + "}" * n),
    "types": lambda n: _used("tuple<" * n + "i32" + ">" * n),
    "regions": lambda n: "module {\n" * n + "}\n" * n,
    "locations": lambda n: "module {} loc(" + 'callsite("a" at ' * n + "unknown" + ")" * n + ")",
    "aliases of arrays": _aliases("#", "1 : i32", "[@]", ATTRIBUTE),
    "aliases of dictionaries": _aliases("#", "1 : i32", "{a = @, b = 1 : i32}", ATTRIBUTE),
    "aliases of aliases": _aliases("#", "1 : i32", "@", ATTRIBUTE),
    "aliases twice": _aliases("#", "[1 : i32]", "[@, @]", ATTRIBUTE),
    "aliases of tuples": _aliases("!", "i32", "tuple<@>", TYPE),
    "aliases of tuples twice": _aliases("!", "i32", "tuple<@, @>", TYPE),
    "aliases of functions": _aliases("!", "i32", "() -> @", TYPE),
    "aliases of memrefs": _aliases("!", "memref<2xi32>", "memref<2x@>", TYPE),
    "aliases of structs": _aliases("!", "i32", "!llvm.struct<(@)>", TYPE),
    "aliases of names": _aliases("#", 'loc("a")', 'loc("b"(@))', PLACE),
    "aliases of calls": _aliases("#", 'loc("a")', 'loc(callsite("b" at @))', PLACE),
    "aliases on two lines": _aliases("!", "i32", "() ->\n    @", TYPE),
}
TOOLS = (["gs_opt", "--canonicalize"], ["gs_run"])


def check(kind: str, depth: int, tool: Sequence[str], folder: str) -> str:
    """What goes wrong where a tool gets a text; empty if nothing does."""
    source = Path(folder) / "deep.mlir"
    source.write_text(KINDS[kind](depth))
    command = [sys.executable, "-m", f"mlir_gs.tools.{tool[0]}", str(source), *tool[1:]]
    try:
        found = subprocess.run(command, capture_output=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return "hangs"
    told = found.stderr
    if found.returncode in (0, 1) and b"Traceback" not in told and b"internal error" not in told:
        longest = max(map(len, told.splitlines()), default=0)
        return f"a line of {longest} bytes" if longest > 700 else ""
    return f"exit code {found.returncode}: {told[-300:]!r}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rng, failed = random.Random(options.seed), 0
    kinds = [*KINDS] * (options.cases // len(KINDS) + 1)
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds[: options.cases]:
            depth, tool = rng.choice([30, 250, 300, 1500, 30_000]), rng.choice(TOOLS)
            told = check(kind, depth, tool, folder)
            if told:
                failed += 1
                print(f"{kind}, {depth} deep, {tool[0]}: {told}")
    print(f"{options.cases} texts, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
