"""Scatters of more operands, and of more types, than `gs.generic` has places for."""

import numpy as np
import pytest
from stablehlo_harness import assert_same, compiled, imported

POSITIONS, SIZE = 6, 4
DTYPES = {"f32": "f4", "f16": "f2", "i32": "i4", "i8": "i1", "ui16": "u2", "i1": "?"}
# A ring: each result comes from the current element of the next operand and its own update.
CASES = {
    "five of one type": ["f32"] * 5,
    "nine, all updates into the first": ["f32"] * 9,
    "three types": ["f32", "i32", "i8"],
    "every kind": ["i8", "f16", "ui16", "i1", "f32"],
    "complex": ["complex<f32>", "f32", "i32"],
}


def _sum(name: str, values: list[str], element: str, lines: list[str]) -> str:
    """The sum of 0-d tensors; of numbers, for i1 the disjunction."""
    op = "or" if element == "i1" else "add"
    total = values[0]
    for k, value in enumerate(values[1:]):
        lines.append(f"%{name}{k} = stablehlo.{op} {total}, {value} : tensor<{element}>")
        total = f"%{name}{k}"
    return total


def _text(elements: list[str], all_updates: bool, dynamic: bool) -> str:
    count, lines, returned = len(elements), [], []
    for k, element in enumerate(elements):
        following = (k + 1) % count
        other = elements[following]
        lines.append(
            f"%x{k} = stablehlo.convert %c{following} : (tensor<{other}>) -> tensor<{element}>"
        )
        own = [f"%n{n}" for n in (range(count) if all_updates and k == 0 else [k])]
        returned.append(_sum(f"s{k}_", [f"%x{k}", *own], element, lines))
    length = "?" if dynamic else POSITIONS
    dests = [f"tensor<{SIZE}x{element}>" for element in elements]
    updates = [f"tensor<{length}x{element}>" for element in elements]
    scalars = [f"tensor<{element}>" for element in elements]
    given = [f"%d{k}: {type_}" for k, type_ in enumerate(dests)]
    given += [f"%i: tensor<{length}x1xi32>", *(f"%u{k}: {t}" for k, t in enumerate(updates))]
    block = [f"%{name}{k}: {type_}" for name in "cn" for k, type_ in enumerate(scalars)]
    names = [*(f"%d{k}" for k in range(count)), "%i", *(f"%u{k}" for k in range(count))]
    types = [*dests, f"tensor<{length}x1xi32>", *updates]
    body = "\n".join(lines)
    return f"""
    func.func @main({", ".join(given)}) -> ({", ".join(dests)}) {{
      %r:{count} = "stablehlo.scatter"({", ".join(names)}) <{{
          scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
      ^bb0({", ".join(block)}):
        {body}
        stablehlo.return {", ".join(returned)} : {", ".join(scalars)}
      }}) : ({", ".join(types)}) -> ({", ".join(dests)})
      return {", ".join(f"%r#{k}" for k in range(count))} : {", ".join(dests)}
    }}"""


def _values(rng: np.random.Generator, element: str, count: int) -> np.ndarray:
    drawn = rng.integers(0, 3, count)
    if element == "complex<f32>":
        return (drawn + 1j * rng.integers(0, 3, count)).astype(np.complex64)
    return drawn.astype(DTYPES[element])


def _converted(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """As stablehlo.convert does it."""
    if dtype == np.bool_:
        return value != 0
    real = value.real if value.dtype.kind == "c" and dtype.kind != "c" else value
    return real.astype(dtype)


def _expected(arguments: list[np.ndarray], all_updates: bool) -> list[np.ndarray]:
    """The update computation, position by position; those out of bounds are skipped."""
    count = len(arguments) // 2
    results, updates = [each.copy() for each in arguments[:count]], arguments[count + 1 :]
    for position, (where,) in enumerate(arguments[count]):
        if not 0 <= where < SIZE:
            continue
        current = [each[where : where + 1].copy() for each in results]
        for k, result in enumerate(results):
            own = range(count) if all_updates and k == 0 else [k]
            total = _converted(current[(k + 1) % count], result.dtype)
            for n in own:
                total = total + updates[n][position]
            result[where] = total[0]
    return results


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_equals_numpy(name: str, dynamic: bool) -> None:
    elements, rng = CASES[name], np.random.default_rng(3)
    indices = np.array([[2], [0], [2], [9], [-1], [3]], np.int32)
    arguments = [
        *(_values(rng, element, SIZE) for element in elements),
        indices,
        *(_values(rng, element, POSITIONS) for element in elements),
    ]
    whole = "all updates" in name
    expected = _expected(arguments, whole)
    # The reference holds no integers of the width that they are packed into.
    module = imported(_text(elements, whole, dynamic))
    assert_same(compiled(module, arguments), expected, name)
