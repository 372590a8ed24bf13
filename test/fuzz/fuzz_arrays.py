"""Kernels called with odd arguments: no crash, no hang, clean exceptions, never a wrong result.

    python test/fuzz/fuzz_arrays.py --cases 20000 --seed 0

Takes a few minutes. Arguments differ from those that fit in dtype, byte order, rank, sizes (empty,
longer, more than memory holds), strides, alignment, protection, overlap, kind of object and
DLPack producer. An array that a refused call has changed, and a result that NumPy does not give,
are findings. The same seed gives the same calls.
"""

import random
import sys
from typing import Any

import numpy as np
from array_kernels import KERNELS, Called, kernel
from array_oddities import LIES, MOST, ODDITIES, Producer
from campaign import campaign

_CLEAN = (TypeError, ValueError, IndexError, MemoryError, BufferError, OverflowError)


def arguments(seed: int, number: int) -> tuple[str, int, list[Any], Any]:
    """Kernel, threads, arguments and `out` of a call."""
    rng = random.Random(f"{seed}:{number}")
    name = rng.choice(list(KERNELS))
    values = KERNELS[name].make(np.random.default_rng([seed, number]))
    out: Any = None
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        place = rng.randrange(len(values))
        if isinstance(values[place], np.ndarray) and values[place].size > MOST:
            # To change it would copy it.
            continue
        if isinstance(values[place], np.ndarray) and values[place].ndim:
            values[place] = rng.choice(ODDITIES)(rng, values[place])
        elif rng.random() < 0.5:
            values[place] = ODDITIES[12](rng, np.zeros(1))
    match rng.randrange(12):
        case 0:
            values.append(rng.choice((None, 1, np.zeros(3))))
        case 1:
            values.pop()
        case 2 | 3 | 4:
            out = _out(rng, name, values)
        case 5:
            values[rng.randrange(len(values))] = values[rng.randrange(len(values))]
    return name, 1 + number % 2, values, out


def _out(rng: random.Random, name: str, values: list[Any]) -> Any:
    """An array for the result: one that fits, an odd one, or memory that is an argument's."""
    arrays = [value for value in values if isinstance(value, np.ndarray) and value.ndim]
    if not arrays or rng.random() < 0.1:
        return rng.choice((None, 3, "out", (None,), (None, None), [None]))
    first = arrays[0]
    if rng.random() < 0.3:
        return rng.choice(arrays)[rng.randrange(2) :]
    rows = len(arrays[-1]) if rng.random() < 0.8 else 3
    if first.nbytes > 1 << 24 or rows > 1 << 20:
        return None
    made = np.zeros((min(rows, 1 << 20), *first.shape[1:]), first.dtype)
    return rng.choice(ODDITIES)(rng, made) if rng.random() < 0.4 and made.ndim else made


def check(seed: int, number: int) -> str:
    """What is wrong with how a kernel took call `number`; empty if nothing is."""
    try:
        name, threads, values, out = arguments(seed, number)
    except MemoryError:
        # Too large for this process already.
        return ""
    called = KERNELS[name]
    before = [_copy(value) for value in [*values, out]]
    try:
        found = kernel(name, threads)(*values, **({} if out is None else {"out": out}))
    except _CLEAN as error:
        changed = [n for n, (a, b) in enumerate(zip([*values, out], before, strict=True))
                   if not _same(_array(a), b)]  # fmt: skip
        if changed:
            return f"{name}: raised after it wrote {changed}: {type(error).__name__}: {error}"
        if not str(error).strip():
            return f"{name}: {type(error).__name__} without a text"
        return ""
    except RuntimeError as error:
        # What the producer itself raised is passed on.
        return "" if "no DLPack today" in str(error) else f"{name}: RuntimeError: {error}"
    return _wrong(name, called, values, out, before, found)


def _wrong(
    name: str, called: Called, values: list[Any], out: Any, before: list[Any], found: Any
) -> str:
    if len(values) != len(called.dtypes):
        return f"{name}: took {len(values)} arguments"
    if name == "buffers" and np.may_share_memory(_array(values[0]), _array(values[2])):
        # Nothing is promised of memrefs that share memory.
        return ""
    for n, value in enumerate(values):
        if isinstance(value, Producer) and value.how in LIES:
            return f"{name}: argument {n}: took a producer that {value.how}"
        if n not in called.written and not _same(_array(value), before[n]):
            return f"{name}: argument {n} was written"
    given = []
    for n, dtype in enumerate(called.dtypes):
        value = before[n]
        if dtype is not None and isinstance(value, np.ndarray):
            if value.dtype.itemsize != np.dtype(dtype).itemsize or not value.dtype.isnative:
                return f"{name}: argument {n}: took {value.dtype} for {np.dtype(dtype)}"
            value = np.asarray(value).view(dtype)
        given.append(value)
    try:
        expected = called.spell(*given)
    except (IndexError, ValueError) as error:
        return f"{name}: a result, but NumPy: {error}"
    results = found if isinstance(found, tuple) else (found,)
    if found is None:
        results = tuple(_array(values[n]) for n in called.written)
    wanted = expected if isinstance(expected, tuple) else (expected,)
    for n, (a, b) in enumerate(zip(results, wanted, strict=True)):
        number = not isinstance(a, np.ndarray) and not isinstance(_array(a), np.ndarray)
        if not (number and (a == b or (a != a and b != b))) and not _same(_array(a), np.asarray(b)):
            return f"{name}: result {n} is {a!r}, not {b!r}"
    return ""


def _array(value: Any) -> Any:
    return value.array if isinstance(value, Producer) else value


def _copy(value: Any) -> Any:
    value = _array(value)
    if not isinstance(value, np.ndarray):
        return value
    value = np.asarray(value)
    if value.nbytes > 1 << 24:
        # What is repeated without end is read-only.
        return value
    return value.copy()


def _same(a: Any, b: Any) -> bool:
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return isinstance(a, np.ndarray) == isinstance(b, np.ndarray)
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return False
    if a.nbytes > 1 << 24:
        return True
    if a.dtype.hasobject:
        return True
    if a.dtype.kind in "fcV" and a.dtype.names is None and a.dtype.kind != "V":
        return np.array_equal(a, b, equal_nan=True)
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


if __name__ == "__main__":
    sys.exit(campaign(__doc__ or "", check, "calls", "wrong results or unclean exceptions"))
