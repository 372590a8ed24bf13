"""A workload of random_workloads.py as IR."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from random_draw import Draw


def kernel(draw: Draw, a: dict[str, Any]) -> Callable[[], Any]:
    """One gs.generic of static widths and dynamic counts."""
    import mlir_gs as gs

    names = {"along": "xi", "pairs": "xij", "set": "xiu", "add": "xiu", "take": "xi"}.get(
        draw.access, "ui" if draw.access != "messages" else "xijw"
    )
    d = ["d"] if draw.width > 1 else []
    reads = {"along": "x", "take": "x", "pairs": "x", "messages": "xw"}.get(draw.access, "u")
    places = {"x": ["s", *d], "u": ["e", *d], "w": ["e"]}
    outer = ["e"]
    symbols = {"i": "e", "j": "e"}
    if draw.access == "along":
        places["x"], outer, symbols["i"] = ["b", "s", "d"], ["b", "e"], "b, e, 0"
        d = ["d"]
    if draw.access == "pairs":
        places["x"] = ["s", "t", *d]
    out = ["s", *d] if draw.access in ("set", "add", "segments", "bins") else [*outer, *d]
    if draw.access == "messages":
        out = ["t", *d]
    writes = out[0] in "st"
    kind, element = {"f": "f", "i": "i", "u": "i"}[np.dtype(draw.dtype).kind], np.dtype(draw.dtype)
    type_ = f"{kind}{8 * element.itemsize}"
    suffix = "f" if kind == "f" else "i"

    def tensor(name: str) -> str:
        if name in "ij":
            return f"tensor<{'?x' * (a[name].ndim - 1)}" + (
                f"1xi{draw.index[3:]}>" if draw.access == "along" else f"?xi{draw.index[3:]}>"
            )
        array = a[name]
        fixed = draw.width > 1 or draw.access == "along"
        sizes = ["?"] * array.ndim
        if fixed and name != "w":
            sizes[-1] = str(draw.width)
        if draw.access == "pairs":
            sizes[1] = "8"
        return f"tensor<{'x'.join(sizes)}x{type_}>"

    dest = {"set": "x", "add": "x"}.get(draw.access, "z")
    made = ""
    fixed = [str(draw.width)] if d else []
    result = f"tensor<{'x'.join(['?'] * (1 if writes else len(outer)) + fixed)}x{type_}>"
    if writes and dest == "z":
        zero = "0.0" if kind == "f" else "0"
        made = (
            f"  %n = arith.constant {draw.rows} : index\n"
            f"  %c = arith.constant {zero} : {type_}\n  %new = tensor.empty(%n) : {result}\n"
            f"  %z = linalg.fill ins(%c : {type_}) outs(%new : {result}) -> {result}\n"
        )
    elif not writes:
        dims = "".join(
            f"  %c{n} = arith.constant {n} : index\n"
            f"  %n{n} = tensor.dim %i, %c{n} : {tensor('i')}\n"
            for n in range(len(outer))
        )
        sizes = ", ".join(f"%n{n}" for n in range(len(outer)))
        made, dest = f"{dims}  %z = tensor.empty({sizes}) : {result}\n", "z"
    used = [name for name in "ij" if name in names]
    bound = ", ".join(
        f"{s} = %{name}[{symbols[name]}] mode(error)" for s, name in zip("st", used, strict=False)
    )
    iterators = ", ".join(
        [f"{n} = {'reduction' if writes else 'parallel'}" for n in outer]
        + [f"{n} = parallel" for n in d]
    )
    ins = ", ".join(f"%{name}[{', '.join(places[name])}]" for name in reads)
    types = ", ".join([*(tensor(n) for n in reads), *(tensor(n) for n in used), result])
    body = "  gs.yield %a0"
    if draw.access in ("add", "segments", "bins"):
        body = f"  %r = arith.add{suffix} %o, %a0 : {type_}\n  gs.yield %r"
    if draw.access == "messages":
        body = (
            f"  %p = arith.mul{suffix} %a0, %a1 : {type_}\n"
            f"  %r = arith.add{suffix} %o, %p : {type_}\n  gs.yield %r"
        )
    parameters = ", ".join(f"%{n}: {tensor(n)}" for n in names)
    arguments = ", ".join(f"%a{n}: {type_}" for n in range(len(reads)))
    text = (
        f"func.func @f({parameters}) -> {result} {{\n{made}"
        f"  %y = gs.generic ({', '.join([*outer, *d])}) [{bound}] ins({ins}) "
        f"outs(%{dest}[{', '.join(out)}]) iterators({iterators}) : ({types}) -> {result} {{\n"
        f"  ^bb0({arguments}, %o: {type_}):\n{body} : {type_}\n  }}\n"
        f"  return %y : {result}\n}}\n"
    )
    compiled = gs.compile(text, threads=len(os.sched_getaffinity(0)))
    values = [a[name] for name in names]
    # The elements of IR have no sign.
    return lambda: compiled(*values).view(element)
