"""Arithmetic on special floats has the same bits on aarch64 as here, but for what IEEE leaves open:
the bits of a NaN, and integers of floats that are out of range. See docs/platforms.md."""

from pathlib import Path

import pytest
from aot_support import commands_for, compile_to, run_c, run_elsewhere

BINARY = [
    f"arith.{op}f" for op in ("add", "sub", "mul", "div", "maximum", "minimum", "maxnum", "rem")
]
UNARY = [f"math.{op}" for op in ("sqrt", "absf", "floor", "roundeven")] + ["arith.negf"]
# An element type: bits, those of its fraction, what C calls it.
TYPES = {
    "f16": (16, 10, "GS_FLOAT"),
    "bf16": (16, 7, "GS_BFLOAT"),
    "f32": (32, 23, "GS_FLOAT"),
    "f64": (64, 52, "GS_FLOAT"),
}
TRIPLE = "aarch64-linux-gnu"


def specials(bits: int, fraction: int) -> list[int]:
    """Zeros, numbers, infinities, quiet and signaling NaNs and denormals, of both signs."""
    top = (1 << bits - 1 - fraction) - 1
    one = (top >> 1) << fraction
    infinite = top << fraction
    quiet = infinite | 1 << fraction - 1
    found = [0, 1, (1 << fraction) - 1, 1 << fraction, one, one | 1, one + 12345 % (1 << fraction)]
    found += [infinite - 1, infinite, infinite | 1, quiet, quiet | 3, one + (5 << fraction)]
    return [value | sign << bits - 1 for value in found for sign in (0, 1)]


def kernel(element: str, bits: int) -> str:
    ops = [f"{op} %a, %b" for op in BINARY] + [f"{op} %a" for op in UNARY]
    lines = [f"%r{k} = {op} : {element}" for k, op in enumerate(ops)]
    lines += [f"%b{k} = arith.bitcast %r{k} : {element} to i{bits}" for k in range(len(ops))]
    lines.append(f"%s = arith.fptosi %a : {element} to i32")
    outputs = [*[f"i{bits}"] * len(ops), "i32"]
    types = ", ".join(f"tensor<?x{one}>" for one in outputs)
    empty = "\n".join(
        f"%e{k} = tensor.empty(%d) : tensor<?x{one}>" for k, one in enumerate(outputs)
    )
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (2 + len(outputs)))
    arguments = ", ".join(f"%o{k}: {one}" for k, one in enumerate(outputs))
    body = "\n".join(lines)
    return f"""
    func.func @f(%x: tensor<?x{element}>, %y: tensor<?x{element}>) -> ({types}) {{
      %c0 = arith.constant 0 : index
      %d = tensor.dim %x, %c0 : tensor<?x{element}>
      {empty}
      %r:{len(outputs)} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
          ins(%x, %y : tensor<?x{element}>, tensor<?x{element}>)
          outs({", ".join(f"%e{k}" for k in range(len(outputs)))} : {types}) {{
      ^bb0(%a: {element}, %b: {element}, {arguments}):
        {body}
        linalg.yield {", ".join(f"%b{k}" for k in range(len(ops)))}, %s : {", ".join(outputs)}
      }} -> ({types})
      return {", ".join(f"%r#{k}" for k in range(len(outputs)))} : {types}
    }}"""


def program(element: str, values: list[int]) -> str:
    bits, _, kind = TYPES[element]
    pairs, count = len(values) ** 2, len(BINARY) + len(UNARY)
    listed = ", ".join(f"{value:#x}ull" for value in values)
    outputs = ", ".join([*(f"&o[{k}]" for k in range(count)), "&w"])
    return f"""
    #include <stdio.h>
    #include "kernel.h"
    static const uint64_t values[] = {{{listed}}};
    static uint{bits}_t x[{pairs}], y[{pairs}], out[{count}][{pairs}];
    static int32_t whole[{pairs}];
    int main(void) {{
      int64_t size[] = {{{pairs}}};
      for (int k = 0; k < {pairs}; ++k) {{
        x[k] = (uint{bits}_t)values[k / {len(values)}];
        y[k] = (uint{bits}_t)values[k % {len(values)}];
      }}
      gs_tensor a = gs_array(x, {kind}({bits}), 1, size), b = gs_array(y, {kind}({bits}), 1, size);
      gs_tensor o[{count}], w = gs_array(whole, GS_INT(32), 1, size);
      for (int k = 0; k < {count}; ++k) o[k] = gs_array(out[k], GS_INT({bits}), 1, size);
      if (f(&a, &b, {outputs}, 0)) return 1;
      for (int k = 0; k < {pairs}; ++k) {{
        for (int n = 0; n < {count}; ++n) printf("%llx ", (unsigned long long)out[n][k]);
        printf("%x\\n", (unsigned)whole[k]);
      }}
      return 0;
    }}"""


@pytest.mark.parametrize("element", TYPES)
def test_only_what_ieee_leaves_open_differs(element: str, tmp_path: Path, needs) -> None:
    needs("llvmlite")
    bits, fraction, _ = TYPES[element]
    values = specials(bits, fraction)
    text, c = kernel(element, bits), program(element, values)
    own = run_c(tmp_path, c, compile_to(tmp_path, text))
    assert len(own) == len(values) ** 2
    made = compile_to(tmp_path, text, "--triple", TRIPLE)
    if commands_for(TRIPLE) is None:
        return
    infinite = ((1 << bits - 1 - fraction) - 1) << fraction
    for here, there in zip(own, run_elsewhere(tmp_path, made, TRIPLE), strict=True):
        *mine, _ = here.split()
        *other, _ = there.split()
        for name, one, two in zip([*BINARY, *UNARY], mine, other, strict=True):
            numbers = [int(each, 16) & (1 << bits - 1) - 1 for each in (one, two)]
            assert one == two or min(numbers) > infinite, (name, one, two)
