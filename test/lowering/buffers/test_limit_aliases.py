"""Long chains of updates: cut for the analysis of bufferization, and in place all the same."""

import numpy as np
import pytest
from mlir_gs import dialect, execution
from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering import run_pipeline


def updates(count: int, kept: int | None) -> str:
    """`count` scatter-adds one after the other; the sum after `kept` of them is returned too."""
    table, rows, ids = "tensor<?x4xf32>", "tensor<?x4xf32>", "tensor<?x1xi64>"
    lines, value, results = [], "%x", []
    for n in range(count):
        lines.append(
            f'%s{n} = "gs.scatter"(%u, {value}, %i) ({{\n^bb0(%c: f32, %e: f32):\n'
            '%a = arith.addf %c, %e : f32\n"gs.yield"(%a) : (f32) -> ()\n}) '
            f"{{scatter_dims = array<i64: 0>}} : ({rows}, {table}, {ids}) -> {table}"
        )
        value = f"%s{n}"
        if n == kept:
            results.append(value)
    results.append(value)
    types = ", ".join([table] * len(results))
    body = "\n".join(lines)
    return (
        f"func.func @f(%x: {table} {{bufferization.writable = true}}, %u: {rows}, %i: {ids})"
        f" -> ({types}) {{\n{body}\nreturn {', '.join(results)} : {types}\n}}"
    )


@pytest.mark.parametrize("kept", [None, 10, 40])
def test_copies_only_what_is_kept(kept: int | None) -> None:
    with dialect.context(), ir.Location.unknown():
        module = ir.Module.parse(updates(70, kept))
        run_pipeline(module, "builtin.module(gs-generalize,gs-bufferize,canonicalize,cse)")
        text = str(module)
    assert text.count("memref.copy") == (0 if kept is None else 1)
    assert text.count("memref.alloc") == (0 if kept is None else 1)


@pytest.mark.parametrize("kept", [None, 10, 40])
def test_adds_up(kept: int | None) -> None:
    draw = np.random.default_rng(5)
    x = draw.integers(-9, 9, (6, 4)).astype(np.float32)
    u = draw.integers(-9, 9, (8, 4)).astype(np.float32)
    i = draw.integers(0, 6, (8, 1))
    one = np.zeros_like(x)
    np.add.at(one, i[:, 0], u)
    found = execution.compile(updates(70, kept), "f")(x.copy(), u, i)
    expected = [x + np.float32(n) * one for n in ([] if kept is None else [kept + 1]) + [70]]
    found = found if isinstance(found, tuple) else (found,)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
