"""What kernels of predict.py are made of, measured on this machine."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from mlir_gs.execution import compile
from mlir_gs.lowering.scf.target import Target
from workload import empty

_LEAST = 0.01
"""Seconds that a measurement takes, at least."""

_NEW = 16
"""Bytes after the begin of a line that new arrays of NumPy begin."""

WIDTHS = (1, 3, 8, 16, 256)
"""Elements of f32 in the rows that are measured: one, few that fill no vector, half a line, a line
and 16 lines."""

_BODY = {
    "read": ("x", "parallel", "x[s, d]", "y[e, d]", "  gs.yield %a : f32"),
    "set": ("u", "reduction", "u[e, d]", "y[s, d]", "  gs.yield %a : f32"),
    "update": (
        "u",
        "reduction",
        "u[e, d]",
        "y[s, d]",
        "  %r = arith.addf %o, %a : f32\n  gs.yield %r : f32",
    ),
}


def measured(facts: Target, threads: int) -> dict[str, Any]:
    """The fields of `predict.Probes`, the less of two passes: other work only adds to a time."""
    return _less(*(_probes(facts, threads) for _ in range(2)))


def _less(one: Any, two: Any) -> Any:
    if isinstance(one, dict):
        return {key: _less(value, two[key]) for key, value in one.items()}
    return [*map(min, one, two)] if isinstance(one, list) else min(one, two)


def _probes(facts: Target, threads: int) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    sizes = [facts.l1_bytes * threads, facts.l2_bytes * threads, facts.llc_bytes]
    sizes = [size // 2 for size in sizes] + [min(4 * facts.llc_bytes, 1 << 27)]
    points: dict[tuple[str, int], list[float]] = {}
    waits, start = {}, _start()
    for access in _BODY:
        for width in WIDTHS:
            run = _kernel(access, width, threads)
            found = []
            for size in sizes:
                # Half of it is at coordinates.
                rows = max(size // 2 // (4 * width + 4), 8)
                found.append(_point(run, access, width, rng.permutation(rows), start))
            points[access, width] = found
            if access == "update":
                few = rng.integers(0, 4, 1 << 12)
                waits[width * 4] = _point(run, access, width, few, start)
    order = {}
    for name, text, arrays in (("copy", _COPY, 2), ("read", _READ, 1), ("fill", _FILL, 1)):
        run = compile(text, threads=threads)
        order[name] = [_in_order(run, name, size // 4 // arrays, start) for size in sizes]
    return {
        "start": start,
        "result": _result(start),
        "fork": facts.fork_us * 1e-6 if threads > 1 else 0.0,
        "check": _check(threads),
        "pair": _pair(threads),
        "order": order,
        "points": points,
        "waits": waits,
    }


def _in_order(run: Any, name: str, count: int, start: float) -> float:
    """Seconds of a byte."""
    one, two = _array(count), _array(count, _NEW)
    more = {} if name == "read" else {"out": two}
    return max(_least(lambda: run(one, **more)) - start, 0.0) / (4 * count)


_COPY = """
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }
"""
_FILL = """
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
_READ = """
func.func @f(%x: tensor<?xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.divui %n, %c64 : index
  %s = arith.muli %m, %c64 : index
  %p = tensor.extract_slice %x[0] [%s] [1] : tensor<?xf32> to tensor<?xf32>
  %v = tensor.expand_shape %p [[0, 1]] output_shape [%m, 64] : tensor<?xf32> into tensor<?x64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce ins(%v : tensor<?x64xf32>) outs(%z : tensor<64xf32>) dimensions = [0]
    (%a: f32, %b: f32) { %c = arith.addf %a, %b : f32  linalg.yield %c : f32 }
  return %r : tensor<64xf32>
}
"""


_PAIR = """
func.func @f(%x: tensor<?x8x1xf32>, %i: tensor<?xi32>, %j: tensor<?xi32>, %y: tensor<?x1xf32>)
    -> tensor<?x1xf32> {
  %r = gs.generic (e, d) [s = %i[e], t = %j[e]] ins(%x[s, t, d]) outs(%y[e, d])
    iterators(e = parallel, d = parallel)
    : (tensor<?x8x1xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?x1xf32>) -> tensor<?x1xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r : tensor<?x1xf32>
}
"""


def _text(access: str, width: int, mode: str = "") -> str:
    given, iterator, read, written, body = _BODY[access]
    type_ = f"tensor<?x{width}xf32>"
    return (
        f"func.func @f(%{given}: {type_}, %i: tensor<?xi32>, %y: {type_}) -> {type_} {{\n"
        f"  %r = gs.generic (e, d) [s = %i[e]{mode}] ins(%{read}) outs(%{written}) "
        f"iterators(e = {iterator}, d = parallel) : ({type_}, tensor<?xi32>, {type_}) -> {type_} "
        f"{{\n  ^bb0(%a: f32, %o: f32):\n{body}\n  }}\n  return %r : {type_}\n}}\n"
    )


def _kernel(access: str, width: int, threads: int, mode: str = "") -> Any:
    return compile(_text(access, width, mode), threads=threads, donate=[2])


def _point(run: Any, access: str, width: int, places: np.ndarray, start: float) -> float:
    rows, count = int(places.max()) + 1, places.size
    given, made = (count, rows) if access != "read" else (rows, count)
    one, two = _array(given * width).reshape(-1, width), _array(made * width, _NEW)
    at, two = places.astype(np.int32), two.reshape(-1, width)
    return max(_least(lambda: run(one, at, two)) - start, 0.0) / count


def _start() -> float:
    run = _kernel("read", 16, 1)
    one, two = _array(16).reshape(1, 16), _array(16).reshape(1, 16)
    places = np.zeros(1, np.int32)
    return _least(lambda: run(one, places, two))


def _result(start: float) -> float:
    """What a call takes longer that checks its coordinates and gives a new array, of which a view
    is taken: elements of IR have no sign."""
    text = _text("read", 16, " mode(error)").replace(", %y: tensor<?x16xf32>)", ")")
    text = text.replace(
        "  %r =",
        "  %c = arith.constant 0 : index\n  %n = tensor.dim %i, %c : tensor<?xi32>\n"
        "  %y = tensor.empty(%n) : tensor<?x16xf32>\n  %r =",
    )
    run, one, places = compile(text, threads=1), _array(16).reshape(1, 16), np.zeros(1, np.int32)
    given, dtype = [one, places], np.dtype(np.float32)
    return max(_least(lambda: run(*given).view(dtype)) - start, 0.0)


def _check(threads: int) -> float:
    """What a coordinate takes to be compared with bounds before anything is written."""
    count, times = 1 << 12, []
    table, out = _array(1 << 10).reshape(-1, 1), _array(count).reshape(-1, 1)
    places = np.arange(count, dtype=np.int32) % (1 << 10)
    for mode in ("", " mode(error)"):
        run = _kernel("read", 1, threads, mode)
        times.append(_least(lambda run=run: run(table, places, out)))
    return max(times[1] - times[0], 0.0) / count


def _pair(threads: int) -> float:
    """What a second coordinate of an element takes."""
    count, times = 1 << 12, []
    table, out = _array(1 << 10), _array(count).reshape(-1, 1)
    places = np.arange(count, dtype=np.int32) % (1 << 7)
    for text, given in (
        (_text("read", 1), [table.reshape(-1, 1), places]),
        (_PAIR, [table.reshape(-1, 8, 1), places, places % 8]),
    ):
        run = compile(text, threads=threads, donate=[len(given)])
        times.append(_least(lambda run=run, given=given: run(*given, out)))
    return max(times[1] - times[0], 0.0) / count


def _array(count: int, after: int = 0) -> Any:
    found = empty((count,), np.float32, after)
    found[...] = 1
    return found


def _least(call: Callable[[], Any]) -> float:
    """The least seconds of a call, in batches of 20 us at least."""
    call()
    begin = time.perf_counter()
    call()
    batch = max(1, int(2e-5 / max(time.perf_counter() - begin, 1e-7)))
    found, end = [], time.perf_counter() + _LEAST
    while len(found) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(batch):
            call()
        found.append((time.perf_counter() - begin) / batch)
    return min(found)
